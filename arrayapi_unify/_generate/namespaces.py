"""The modules in which users find functions, their stubs, and the type of a bound namespace."""

from __future__ import annotations

from collections.abc import Iterator

from arrayapi_unify import backends, dtypes
from arrayapi_unify._core.versions import LETTERS
from arrayapi_unify._generate.parts import GENERATED, signature_name, summary
from arrayapi_unify.binding.modules import CONSTANTS, LINALG_ERROR, public_functions
from arrayapi_unify.contracts.contract import EXTENSIONS, PACKAGE

__all__ = ["render_modules"]

_MODULE = '''"""The namespace bound to the {name} backend: `import arrayapi_unify.{name} as xp`.

Written by `python -m arrayapi_unify._generate` from the registry; don't edit.
"""

import sys

from arrayapi_unify.binding import namespace_of

# The binding made the module; this file only says where it is imported from.
sys.modules[__name__] = namespace_of("{name}")
'''
_BOUND = '''"""The namespaces by the names that `__name__` has: without the name of another library.

Consumers look for such names, and then call that library in place of the namespace.

Written by `python -m arrayapi_unify._generate` from the registry; don't edit.
"""
'''
# The stub of an extension that has classes, too, is a part of it.
_STUBS = {"nn": "nn/_functions.pyi"}
_DUNDERS = ("__array_api_version__", "__version__")
_IMPORTS = """{generated}
from typing import Final{more}

from arrayapi_unify import _signatures
"""
_CONSTANTS_FROM = "arrayapi_unify.functional.constants"


def render_modules() -> dict[str, str]:
    """Return the texts of modules and their stubs, by the names of their files."""
    found = {f"{name}.py": _MODULE.format(name=name) for name in backends.BUILT_IN}
    found |= {f"bound/{LETTERS[name]}.py": found[f"{name}.py"] for name in backends.BUILT_IN}
    found["bound/__init__.py"] = _BOUND
    found |= {f"{name}.pyi": _namespace_stub() for name in backends.BUILT_IN}
    found |= {_STUBS.get(name, f"{name}.pyi"): _functions(name) for name in EXTENSIONS}
    found["_modules.pyi"] = "\n".join(
        [GENERATED, *(_import(PACKAGE, n) for n in backends.BUILT_IN), ""]
    )
    return {**found, "_functions.pyi": _functions(""), "_namespace.pyi": _namespaces()}


def _namespace_stub() -> str:
    """Render a bound namespace: the top level's functions, constants and data types alone."""
    lines = [_import(PACKAGE, name) for name in (*_DUNDERS, *EXTENSIONS)]
    lines += [_import("arrayapi_unify.dtypes", d.name) for d in dtypes.EVERY]
    info = _import("arrayapi_unify._functions", "__array_namespace_info__")
    functions = [f"from arrayapi_unify.{path}_functions import *" for path in ("", "nn.")]
    return "\n".join([GENERATED, *lines, *functions, info, ""])


def _import(module: str, name: str) -> str:
    return f"from {module} import {name} as {name}"


def _functions(extension: str) -> str:
    """Render the functions of an extension, or all others and the constants."""
    lines = [] if extension else [_import(_CONSTANTS_FROM, name) for name in CONSTANTS]
    if extension == "linalg":
        lines.append("from arrayapi_unify.errors import UnifyLinAlgError")
        lines += ["", f"{LINALG_ERROR} = UnifyLinAlgError"]
    for name, function in public_functions(extension).items():
        signature = signature_name(function.contract)
        lines += [f"{name}: Final[_signatures.{signature}]", f'"""{summary(function.contract)}"""']
    return "\n".join([_IMPORTS.format(generated=GENERATED, more=""), *lines, ""])


def _namespaces() -> str:
    """Render the type of a bound namespace, and of the extensions in it."""
    lines = [_IMPORTS.format(generated=GENERATED, more=", Protocol")]
    lines += ["from arrayapi_unify.dtypes import DType", "from arrayapi_unify import errors", ""]
    for extension in EXTENSIONS:
        lines += [f"class {_class_of(extension)}(Protocol):", *_properties(extension), ""]
    # It forwards to the functions of networks.
    lines += [f"class Namespace({_class_of('nn')}, Protocol):", "    __name__: str", *_constants()]
    for extension in EXTENSIONS:
        lines += _property(extension, _class_of(extension), f"The extension {extension}.")
    return "\n".join([*lines, *_properties(""), ""])


def _class_of(extension: str) -> str:
    return f"{extension.capitalize()}Namespace"


def _constants() -> Iterator[str]:
    for name, value in CONSTANTS.items():
        yield from _property(name, type(value).__name__.replace("NoneType", "None"))
    for dtype in dtypes.EVERY:
        yield from _property(dtype.name, "DType")
    for name in _DUNDERS:
        yield from _property(name, "str")


def _properties(extension: str) -> Iterator[str]:
    if extension == "linalg":
        yield from _property(LINALG_ERROR, "type[errors.UnifyLinAlgError]")
    for name, function in public_functions(extension).items():
        contract = function.contract
        yield from _property(name, f"_signatures.{signature_name(contract)}", summary(contract))


def _property(name: str, hint: str, doc: str = "") -> Iterator[str]:
    yield "    @property"
    yield f"    def {name}(self) -> {hint}:" + ("" if doc else " ...")
    if doc:
        yield f'        """{doc}"""'
