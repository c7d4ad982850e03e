"""The computation of lazy arrays in nests, in one pass."""

from __future__ import annotations

from typing import Any

from arrayapi_unify import backends
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of
from arrayapi_unify.errors import check_depth
from arrayapi_unify.functional._transforms import native, tree_arrays, tree_map

__all__ = ["computed", "lazy"]


def lazy(x: Any) -> bool:
    """Return True if a value is an array of a lazy library."""
    name = name_of(x)
    return name is not None and backends.load(name).lazy is not None


def computed(arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return nests with computed arrays in place of lazy ones; the same tuple if there are none."""
    try:
        found = {id(x): x for x in tree_arrays(arrays) if lazy(x)}
        values = _values_of(found)
        return tree_map(arrays, lambda leaf: values.get(id(leaf), leaf)) if found else arrays
    except RecursionError:
        check_depth("compute", [("arrays", arrays)])
        raise


def _values_of(arrays: dict[int, Any]) -> dict[int, Any]:
    """Compute arrays, by their identities; those of each library in one pass."""
    made: dict[int, Any] = {}
    for name in dict.fromkeys(map(name_of, arrays.values())):
        group = {key: x for key, x in arrays.items() if name_of(x) == name}
        values = backends.load(str(name)).lazy.compute([native(x) for x in group.values()])
        for (key, x), value in zip(group.items(), values, strict=True):
            made[key] = Array(value) if isinstance(x, Array) else value
    return made
