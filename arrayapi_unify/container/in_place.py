"""`x op= y` of a Container at the cost of a loop: all leaves are computed, then written.

Undoing a write would need a copy of every leaf. The results are therefore computed on the native
arrays, and written if all of them fit; all other cases use the operation leaf by leaf. Leaves that
share memory are computed from their old values.
"""

from __future__ import annotations

from typing import Any

from arrayapi_unify import backends
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify.array_object import BackendArrayMeta
from arrayapi_unify.rendering.functions import SCALAR_TYPES
from arrayapi_unify.views import writes
from arrayapi_unify.views.view import view_of

__all__ = ["write_results"]

_SCALARS = frozenset(SCALAR_TYPES)


def write_results(target: Nested, other: Any, function: str) -> bool:
    """Write the results of `function` with `other` to the Arrays of `target`, or change nothing.

    Return False if the structure, a data type or a shape differs, if the leaves aren't Arrays of
    one backend's own class, if one of them is read-only, or if the native function fails. The
    operation leaf by leaf then succeeds, or raises the better error.
    """
    arrays: list[Any] = []
    partners: list[Any] = []
    try:
        _collect(target, other, arrays, partners)
        cls = _class_of(arrays)
        natives = [x._data for x in arrays]
        results = _results(natives, _natives(partners, cls), arrays[0], function)
    except Exception:  # _NotPlainError, and any exception of a native function
        return False
    backend = backends.load(cls.__unify_backend__)
    if backend.VIEW_EMULATION is True:
        return _replaced(arrays, results)
    return backend.write_all(natives, results)


def _replaced(arrays: list[Any], results: list[Any]) -> bool:
    """Write new data to Arrays, and to all that share their memory; to none if one is read-only."""
    views = list(map(view_of, arrays))
    if any(view is not None and view.read_only for view in views):
        return False
    writes.assign_each(arrays, results)
    return True


class _NotPlainError(Exception):
    """The operation needs more than native calls for each leaf."""


def _collect(target: Nested, other: Any, arrays: list[Any], partners: list[Any]) -> None:
    """Append the leaves of `target` to `arrays`, and their other operands to `partners`."""
    nodes = target._nodes
    values = nodes.values()
    met = _aligned(nodes, other._nodes) if isinstance(other, Nested) else [other] * len(nodes)
    if not any(issubclass(kind, Nested) for kind in set(map(type, values))):
        arrays += values
        partners += met
        return
    for value, partner in zip(values, met, strict=True):
        if isinstance(value, Nested):
            _collect(value, partner, arrays, partners)
        else:
            arrays.append(value)
            partners.append(partner)


def _aligned(nodes: dict[str, Any], others: dict[str, Any]) -> list[Any]:
    """Return the values of the same keys, usually in the same order."""
    if list(nodes) == list(others):
        return list(others.values())
    if nodes.keys() != others.keys():
        raise _NotPlainError
    return [others[key] for key in nodes]


def _class_of(arrays: list[Any]) -> Any:
    kinds = set(map(type, arrays))
    cls = kinds.pop() if kinds else None
    if kinds or not isinstance(cls, BackendArrayMeta):
        raise _NotPlainError
    return cls


def _results(before: list[Any], partners: list[Any], array: Any, function: str) -> list[Any]:
    """Compute the native results, which must have the shapes and data types of the old data."""
    compute = array._binding().bound[function].fast_native
    after = list(map(compute, before, partners))
    # Native arrays are compared by their own attributes, which avoids conversions.
    for x, y in zip(before, after, strict=True):
        if (
            x.shape != y.shape
            or type(x) is not type(y)
            or (x.dtype is not y.dtype and x.dtype != y.dtype)
        ):
            raise _NotPlainError
    return after


def _natives(partners: list[Any], cls: Any) -> list[Any]:
    """Return the native operands: the arrays' data, and Python numbers."""
    kinds = set(map(type, partners))
    if kinds == {cls}:
        return [y._data for y in partners]
    if not kinds <= _SCALARS | {cls}:
        raise _NotPlainError
    return [y._data if type(y) is cls else y for y in partners]
