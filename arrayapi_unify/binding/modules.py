"""The modules that users import: a backend's namespace, and the extensions in it."""

from __future__ import annotations

import sys
from collections.abc import Container
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


def make(backend: str, known: Container[dtypes.DType], functions: dict[str, Any]) -> ModuleType:
    """Make a backend's namespace of its functions, and of the data types that it knows."""
    main = _module(f"{PACKAGE}.{backend}", f"The standard's namespace on the {backend} backend.")
    main.__dict__.update({d.name: d for d in dtypes.EVERY if d in known}, **CONSTANTS)
    main.__dict__.update(__array_api_version__=API_VERSIONS[-1], __version__=__version__)
    _fill(backend, main, _names_of(""), functions)
    for extension in EXTENSIONS:
        doc = f"The {extension} extension on the {backend} backend."
        module = _module(f"{main.__name__}.{extension}", doc)
        _fill(backend, module, _names_of(extension), functions)
    return main


def _names_of(extension: str) -> dict[str, str]:
    """Return the contracts behind the names of an extension, or of the main namespace."""
    split = [(name.rpartition("."), name) for name in CONTRACTS]
    found = {name: whole for (prefix, _, name), whole in split if prefix == extension}
    return found | {name: name for name in LINALG_TOO if extension == "linalg"}


def _fill(
    backend: str, module: ModuleType, names: dict[str, str], functions: dict[str, Any]
) -> None:
    """Have a module hold functions that are bound when they are first asked for.

    What a backend lacks isn't there; who asks for it all the same is told so.
    """

    def there() -> set[str]:
        known = {*vars(module), *names, *EXTENSIONS} - {"__dir__", "__getattr__"}
        return {name for name in known if hasattr(module, name)}

    def get(name: str) -> Any:
        if name == "__all__":
            found: Any = sorted(name for name in there() if not name.startswith("_"))
        elif name in names:
            found = functions[names[name]]
            if backend in CONTRACTS[names[name]].missing_on:
                raise UnifyAttributeError(lacks(names[name], backend))
        else:
            found = sys.modules.get(f"{module.__name__}.{name}")
            if found is None or not found.__all__:
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        setattr(module, name, found)
        return found

    module.__dict__.update(__getattr__=get, __dir__=lambda: sorted({*there(), "__all__"}))


def _module(name: str, doc: str) -> ModuleType:
    module = ModuleType(name, doc)
    sys.modules[name] = module
    return module
