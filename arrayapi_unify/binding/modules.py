"""The modules that users import: a backend's namespace, and the extensions in it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Container
from types import ModuleType
from typing import Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify._version import __version__
from arrayapi_unify.backends._common.flat import LINALG_TOO
from arrayapi_unify.binding.contract import CONTRACTS, EXTENSIONS, PACKAGE
from arrayapi_unify.binding.partial import lacks
from arrayapi_unify.errors import UnifyAttributeError

__all__ = ["API_VERSIONS", "CONSTANTS", "LINALG_TOO", "make"]

API_VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
"""The released versions of the standard; each later one contains the earlier ones."""

CONSTANTS: Final[dict[str, Any]] = {}
"""The names of a namespace that are neither functions nor data types; filled by `functional`."""


def make(
    backend: str, known: Container[dtypes.DType], functions: dict[str, Callable[..., Any]]
) -> ModuleType:
    """Make a backend's namespace of its functions, and of the data types that it knows."""
    main = _module(f"{PACKAGE}.{backend}", f"The standard's namespace on the {backend} backend.")
    main.__dict__.update({d.name: d for d in dtypes.EVERY if d in known}, **CONSTANTS)
    modules = {"": main}
    for extension in EXTENSIONS:
        doc = f"The {extension} extension on the {backend} backend."
        modules[extension] = _module(f"{main.__name__}.{extension}", doc)
    lacking = {name for name, contract in CONTRACTS.items() if backend in contract.missing_on}
    for full_name, function in functions.items():
        prefix, _, name = full_name.rpartition(".")
        if full_name not in lacking:
            setattr(modules[prefix], name, function)
    for name in LINALG_TOO:
        if name not in lacking:
            setattr(modules["linalg"], name, functions[name])
    for extension in EXTENSIONS:
        if _public(modules[extension]):
            setattr(main, extension, modules[extension])
    main.__dict__.update(__array_api_version__=API_VERSIONS[-1], __version__=__version__)
    if lacking:
        main.__dict__["__getattr__"] = functools.partial(_absent, backend, lacking)
    for module in modules.values():
        module.__dict__["__all__"] = _public(module)
    return main


def _public(module: ModuleType) -> list[str]:
    return sorted(name for name in vars(module) if not name.startswith("_"))


def _absent(backend: str, lacking: set[str], name: str) -> Any:
    """Be the `__getattr__` of a namespace that isn't whole: say whether there should be more."""
    if name in lacking:
        raise UnifyAttributeError(lacks(name, backend))
    raise AttributeError(f"module '{PACKAGE}.{backend}' has no attribute {name!r}")


def _module(name: str, doc: str) -> ModuleType:
    module = ModuleType(name, doc)
    sys.modules[name] = module
    return module
