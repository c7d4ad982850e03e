"""Namespaces with the names of one version of the standard alone: `arrayapi_unify.v2025_12`.

Each name is the object that the whole namespace has, so the arrays and the functions are the same.
"""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

from arrayapi_unify._core import standard
from arrayapi_unify.errors import UnifyAttributeError

__all__ = [
    "LETTERS", "PINNED", "bound_name", "by_name", "folder", "make", "make_module", "name_of",
    "restrict",
]  # fmt: skip

PINNED: Final = tuple(standard.FUNCTIONS)
"""The versions that have namespaces of their own."""


# Consumers look for "numpy", "torch" and the like in `__name__`, and then call that library.
LETTERS: Final = {"numpy": "n", "torch": "p", "tensorflow": "t", "jax": "j", "dask": "d"}
_numbers: Final[defaultdict[str, str]] = defaultdict(lambda: str(len(_numbers) + 1))


def bound_name(name: str, backend: str) -> str:
    """Return the `__name__` of a module: it has a letter, or a number, in place of the backend."""
    package, *parts = name.split(".")
    short = LETTERS.get(backend) or _numbers[backend]
    return ".".join((package, "bound", *(short if part == backend else part for part in parts)))


def make_module(name: str, backend: str, doc: str) -> ModuleType:
    """Make a module of a backend, which users import by its name; `name_of` returns it."""
    module = ModuleType(bound_name(name, backend), doc)
    module.__spec__ = ModuleSpec(name, None)
    vars(module).update(__unify_backend__=backend, __reduce_ex__=by_name(module))
    return module


def name_of(module: ModuleType) -> str:
    """Return the name by which users import a module."""
    return module.__spec__.name if module.__spec__ is not None else module.__name__


def by_name(module: ModuleType) -> Callable[[int], Any]:
    """Return the `__reduce_ex__` of a namespace, which is pickled by its name."""
    return lambda protocol: (importlib.import_module, (name_of(module),))


def folder(version: str) -> str:
    """Return the name of the package of a version: v2025_12."""
    return "v" + version.replace(".", "_")


def make(main: ModuleType) -> dict[str, ModuleType]:
    """Make the namespaces of all pinned versions of a bound one, and the extensions in them."""
    made: dict[str, ModuleType] = {}
    for version in PINNED:
        package, _, backend = name_of(main).rpartition(".")
        path = ".".join((package, folder(version), backend))
        for extension in standard.FUNCTIONS[version]:
            name = f"{path}.{extension}" if extension else path
            doc = f"{main.__doc__} Names of version {version} alone."
            made[name] = make_module(name, backend, doc)
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
            other = f"{name_of(main)}.{extension}" if extension else name_of(main)
            raise UnifyAttributeError(
                f"module {name_of(module)!r} has no attribute {name!r}: it has the names of "
                f"version {version} of the standard alone; {other} has others"
            )
        found = getattr(whole(), name)
        if name in extensions:
            found = importlib.import_module(f"{name_of(module)}.{name}")
        return vars(module).setdefault(name, found)

    special = {"__all__", *(name for name in vars(module) if name.startswith("__"))}
    special.discard("__reduce_ex__")
    vars(module).update(
        __array_api_version__=version,
        __getattr__=get,
        __dir__=lambda: sorted({*there(), *special, "__array_api_version__"}),
        __reduce_ex__=by_name(module),
    )
