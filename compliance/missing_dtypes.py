"""A pytest plugin: lets the official suite load where a library lacks data types.

The suite takes the widest complex data type while it is imported, `max` of none of which raises,
makes a complex number, which a library may refuse, and names both types of real numbers, so that
pytest ends before the first test. In that one module

- `max` of nothing is None, and so is the default of no complex data types; the name of None is that
  of a data type that isn't there, which test_signatures.py looks for;
- an absent data type is a placeholder, but not for `getattr`, by which it finds those that exist.

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
_COMPLEX, _FLOATS = "complex128", ("float32", "float64")


def _max(values: Any, /, *more: Any, **options: Any) -> Any:
    """Return the largest value as Python does; of an empty list a pair of None."""
    if not more and isinstance(values, list) and not values:
        return None, None
    return builtins.max(values, *more, **options)


class _Namespace:
    """The measured namespace; an absent data type of real numbers is its name."""

    def __init__(self, namespace: Any) -> None:
        """Wrap the namespace."""
        self.namespace = namespace

    def __getattr__(self, name: str) -> Any:
        """Return the attribute, or the name of an absent data type."""
        missing = name in _FLOATS and not hasattr(self.namespace, name)
        return name if missing else getattr(self.namespace, name)


def _getattr(value: Any, name: str, /, *default: Any) -> Any:
    """Return an attribute of the namespace itself."""
    return getattr(value.namespace if isinstance(value, _Namespace) else value, name, *default)


def _with_none(mapping: Any) -> Any:
    """Return a mapping of data types in which None is the widest complex one."""

    class WithNone(type(mapping)):  # type: ignore[misc]  # a class of the suite
        def __getitem__(self, key: Any) -> Any:
            return _COMPLEX if key is None else super().__getitem__(key)

    return WithNone(list(mapping.items()))


class _Loader(Loader):
    """Runs a module with other functions of Python, which only its own code sees."""

    def __init__(self, loader: Any) -> None:
        """Wrap the loader of the file."""
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Let Python make the module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Set the names first, since a global name comes before a built-in one."""
        names, package = vars(module), sys.modules[MODULE.partition(".")[0]]

        def number() -> complex:
            return 0j if names.get("complex_dtypes", True) else 0.0

        namespace = getattr(package, "xp", None)
        names.update(max=_max, complex=number, getattr=_getattr)
        package.xp = _Namespace(namespace)  # type: ignore[attr-defined]  # the module imports it
        try:
            self.loader.exec_module(module)
        finally:
            package.xp = namespace  # type: ignore[attr-defined]  # for all others
        names["xp"] = namespace
        del names["complex"]  # functions of the module compare with the type
        if not names.get("complex_dtypes", True):
            names["default_complex"] = None
            names["dtype_to_name"] = _with_none(names["dtype_to_name"])


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
