"""A backend's functions, flat in its package: `backends.torch.sin`, native in and native out.

Nothing is loaded before the first function is used. Functions that the backend's category files
lack, or serve in part, are made by `binding` from the contract's body.
"""

from __future__ import annotations

import builtins
import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

from arrayapi_unify._core.locks import once

_PACKAGE: Final = __name__.partition(".")[0]
_DUNDER: Final = ("__array_namespace_info__",)


EXTENSIONS: Final = ("linalg", "fft", "random", "special", "nn")
"""Namespaces of their own, as in the standard: a category each, and all of networks in `nn`."""

ALSO_IN_LINALG: Final = ("matmul", "matrix_transpose", "tensordot", "vecdot")
"""Functions of the main namespace that the standard lists in the linalg extension too."""


def extension_of(category: str) -> str:
    """Return the extension of a category; "" for a category of the main namespace."""
    extension = category.partition(".")[0]
    return extension if extension in EXTENSIONS else ""


def category_files(package: str) -> Iterator[str]:
    """Find the category files of a package, and of its folders: `elementwise`, `nn.losses`."""
    for _, name, is_folder in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if is_folder and not name.startswith("_"):
            yield from (f"{name}.{below}" for below in category_files(f"{package}.{name}"))
        elif not name.startswith("_"):
            yield name


def _composed() -> Any:
    """Return what makes native functions of contracts; it stands above this module.

    The package is imported first. Another thread may be importing it, and may have come as far as
    the one module: Python waits for the module that is named, and not for its package.
    """
    importlib.import_module(f"{_PACKAGE}.binding")
    return importlib.import_module(f"{_PACKAGE}.binding.native_functions")


def make_extension_getattr(name: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` of an extension in a backend's package."""
    module = sys.modules[name]
    package, _, extension = name.rpartition(".")
    more = ALSO_IN_LINALG if extension == "linalg" else ()

    @once
    def get(attribute: str) -> Any:
        found = None
        if attribute in more:
            return getattr(sys.modules[package], attribute)
        if not attribute.startswith("_"):
            backend = sys.modules[package].__dict__["NAME"]
            found = _composed().native(backend, f"{extension}.{attribute}")
        if found is None:
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        return found

    def list_all() -> list[str]:
        backend = sys.modules[package].__dict__["NAME"]
        return sorted({*vars(module), *more, *_composed().names(backend, f"{extension}.")})

    return get, list_all


def make_getattr(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` of a backend's package, which find its functions."""
    module = sys.modules[package]

    @once
    def files() -> list[str]:
        return list(category_files(package))

    @once
    def natives() -> dict[str, Any]:
        """Return the functions of the category files."""
        found: dict[str, Any] = {}
        for name in files():
            category = importlib.import_module(f"{package}.{name}")
            own = [] if name in EXTENSIONS else _composed().in_category(name)
            flat = (key.rpartition(".")[2] for key in own)
            found |= {key: getattr(category, key) for key in flat if hasattr(category, key)}
        return found

    @once
    def get(name: str) -> Any:
        if name.startswith("_") and name not in _DUNDER:  # looked up by Python
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if name in files() or name in EXTENSIONS:  # or a file that another one is importing
            return importlib.import_module(f"{package}.{name}")
        found = natives().get(name)
        if found is None or hasattr(found, "partial_mixed_handler"):
            found = _composed().native(module.__dict__["NAME"], name)
        if found is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # As an attribute, `all` would hide Python's own from the functions of the package.
        return found if hasattr(builtins, name) else vars(module).setdefault(name, found)

    def list_all() -> list[str]:
        return sorted(
            {*vars(module), *natives(), *EXTENSIONS, *_composed().names(module.__dict__["NAME"])}
        )

    return get, list_all
