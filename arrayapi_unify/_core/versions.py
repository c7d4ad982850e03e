"""Namespaces with the names of one version of the standard alone: `arrayapi_unify.v2025_12`.

Each name is the object that the whole namespace has, so the arrays and the functions are the same.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from arrayapi_unify._core import standard
from arrayapi_unify.errors import UnifyAttributeError

__all__ = ["PINNED", "by_name", "folder", "make", "restrict"]

PINNED: Final = tuple(standard.FUNCTIONS)
"""The versions that have namespaces of their own."""


def by_name(module: ModuleType) -> Callable[[int], Any]:
    """Return the `__reduce_ex__` of a namespace, which is pickled by its name."""
    return lambda protocol: (importlib.import_module, (module.__name__,))


def folder(version: str) -> str:
    """Return the name of the package of a version: v2025_12."""
    return "v" + version.replace(".", "_")


def make(main: ModuleType) -> dict[str, ModuleType]:
    """Make the namespaces of all pinned versions of a bound one, and the extensions in them."""
    made: dict[str, ModuleType] = {}
    for version in PINNED:
        package, _, backend = main.__name__.rpartition(".")
        path = ".".join((package, folder(version), backend))
        for extension in standard.FUNCTIONS[version]:
            name = f"{path}.{extension}" if extension else path
            made[name] = ModuleType(name, f"{main.__doc__} Names of version {version} alone.")
            made[name].__dict__["__unify_backend__"] = backend
            restrict(made[name], version, extension, main)
    return made


def restrict(module: ModuleType, version: str, extension: str, main: ModuleType) -> None:
    """Give a module the names of a version, or of an extension of it, each at its first use.

    `main` is the namespace that has them all.
    """
    known = standard.names(version, extension)
    extensions = () if extension else tuple(standard.FUNCTIONS[version])

    def whole() -> Any:
        return getattr(main, extension) if extension else main

    def there() -> set[str]:
        return {name for name in known if hasattr(whole(), name)}

    def get(name: str) -> Any:
        if name == "__all__":
            return vars(module).setdefault(name, sorted(n for n in there() if n[0] != "_"))
        if name not in known:  # Python asks all modules for `__file__`: nothing is imported here
            other = f"{main.__name__}.{extension}" if extension else main.__name__
            raise UnifyAttributeError(
                f"module {module.__name__!r} has no attribute {name!r}: it has the names of "
                f"version {version} of the standard alone; {other} has others"
            )
        found = getattr(whole(), name)
        if name in extensions:
            found = importlib.import_module(f"{module.__name__}.{name}")
        return vars(module).setdefault(name, found)

    special = {"__all__", *(name for name in vars(module) if name.startswith("__"))}
    vars(module).update(
        __array_api_version__=version,
        __getattr__=get,
        __dir__=lambda: sorted({*there(), *special, "__array_api_version__"}),
        __reduce_ex__=by_name(module),
    )
