"""The packages of versions of the standard: their modules and stubs."""

from __future__ import annotations

from collections.abc import Iterable

from arrayapi_unify import backends
from arrayapi_unify._core import standard
from arrayapi_unify._core.versions import PINNED, folder
from arrayapi_unify._generate.parts import GENERATED
from arrayapi_unify.contracts.contract import PACKAGE

__all__ = ["render_versions"]

_MAIN = '''"""Names of version {version} of the standard alone, at the top level.

Code that runs with these names alone needs no others of {package}, now and later. Source:
https://data-apis.org/array-api/{version}/API_specification/

Written by `python -m arrayapi_unify._generate` from `_core.standard`; don't edit.
"""

import sys

import {package}
from {package}._core import versions as _versions

_versions.restrict(sys.modules[__name__], "{version}", "{extension}", {package})
'''
_BOUND = '''"""Names of version {version} of the standard alone, on the {backend} backend.

Written by `python -m arrayapi_unify._generate` from the registry; don't edit.
"""

import sys

from {package}.binding import binding_of

# The binding made the module; this file only says where it is imported from.
sys.modules[__name__] = binding_of("{backend}").namespace_for("{version}")
'''


def render_versions() -> dict[str, str]:
    """Return the texts of modules and their stubs, by the names of their files."""
    found: dict[str, str] = {}
    for version in PINNED:
        place = folder(version)
        values = {"version": version, "package": PACKAGE, "folder": place}
        for extension in standard.FUNCTIONS[version]:
            file = f"{place}/{extension or '__init__'}"
            found[f"{file}.py"] = _MAIN.format(**values, extension=extension)
            found[f"{file}.pyi"] = _stub(version, extension)
        for backend in backends.BUILT_IN:
            found[f"{place}/{backend}.py"] = _BOUND.format(**values, backend=backend)
            found[f"{place}/{backend}.pyi"] = _bound_stub(version)
    return found


def _stub(version: str, extension: str) -> str:
    """Render the names of a version, each from where it is defined."""
    functions = standard.FUNCTIONS[version]
    if extension:
        return _text(f"{PACKAGE}.{extension}", functions[extension])
    text = _text(PACKAGE, [*functions[""], *standard.DATA[version]])
    inner = _text(f"{PACKAGE}.{folder(version)}", filter(None, functions))
    return f"{text}{inner.removeprefix(GENERATED).lstrip()}\n__array_api_version__: str\n"


def _bound_stub(version: str) -> str:
    """Render a bound namespace, which has the names of the top level."""
    module = f"{PACKAGE}.{folder(version)}"
    private = [name for name in standard.FUNCTIONS[version][""] if name.startswith("_")]
    dunders = _text(module, [*private, "__array_api_version__"]).removeprefix(GENERATED)
    return f"{GENERATED}\nfrom {module} import *{dunders}"


def _text(module: str, names: Iterable[str]) -> str:
    lines = (f"from {module} import {name} as {name}" for name in names)
    return "\n".join([GENERATED, *lines, ""])
