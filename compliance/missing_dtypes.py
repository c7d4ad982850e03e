"""A pytest plugin: lets the official suite load where a library lacks a kind of data types.

The suite takes the widest complex data type while it is imported, `max` of none of which raises,
and makes a complex number, which a library may refuse, so that pytest ends before the first test.
In that one module `max` of nothing is None here, and so is the default of no complex data types.
Tests that need such a data type fail by themselves, each with its name.
"""

import builtins
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

MODULE = "array_api_tests.dtype_helpers"


def _max(values: Any, /, *more: Any, **options: Any) -> Any:
    """Return the largest value as Python does; of an empty list a pair of None."""
    if not more and isinstance(values, list) and not values:
        return None, None
    return builtins.max(values, *more, **options)


class _Loader(Loader):
    """Runs a module with another `max` and `complex`, which only its own code sees."""

    def __init__(self, loader: Any) -> None:
        """Wrap the loader of the file."""
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Let Python make the module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Set the names first, since a global name comes before a built-in one."""
        names = vars(module)

        def number() -> complex:
            return 0j if names.get("complex_dtypes", True) else 0.0

        names.update(max=_max, complex=number)
        self.loader.exec_module(module)
        del names["complex"]  # functions of the module compare with the type
        if not names.get("complex_dtypes", True):
            names["default_complex"] = None


class _Finder(MetaPathFinder):
    """Finds the one module, as Python does."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's spec with the other loader."""
        spec = PathFinder.find_spec(fullname, path) if fullname == MODULE else None
        if spec is not None:
            spec.loader = _Loader(spec.loader)
        return spec


sys.meta_path.insert(0, _Finder())
