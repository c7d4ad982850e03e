"""A cache for functions of two arrays whose result depends only on their data types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array

__all__ = ["cache_by_dtypes"]

Cache = dict[tuple[type, type], dict[tuple[Any, Any], Any]]


def cache_by_dtypes(function: Callable[..., Any]) -> tuple[Callable[..., Any], Cache]:
    """Return the function with a cache: by the classes of two arrays, then by native data types.

    The result for integers may depend on the default data types. When one other than float64 and
    complex128 is set, nothing is cached any more.
    """
    seen: Cache = {}
    memory: Cache | None = seen

    def forget() -> None:
        nonlocal memory
        memory = None
        seen.clear()

    def remember(*values: Any) -> Any:
        result = function(*values)
        if len(values) == 2 and memory is not None:
            a, b = values
            if _exact(a) and _exact(b):
                known = memory.setdefault((type(a), type(b)), {})
                known[a._data.dtype, b._data.dtype] = result
        return result

    dtypes.when_floats_change(forget)
    return remember, seen


def _exact(value: Any) -> bool:
    """Return True if an array is of a backend's own class, which overrides nothing."""
    return isinstance(value, Array) and type(value) is value._binding().array
