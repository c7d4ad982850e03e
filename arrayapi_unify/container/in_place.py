"""`x op= y` of a Container at the cost of a loop: all leaves are computed, then exchanged.

A write that could be undone would need a copy of every leaf. So the results are computed on the
natives, beside the leaves, and take their places at once when all of them fit; whatever isn't that
plain is left to the operation leaf by leaf.
"""

from __future__ import annotations

from typing import Any

from arrayapi_unify.array_object import BackendArrayMeta
from arrayapi_unify.binding.codegen import SCALAR_TYPES
from arrayapi_unify.nesting import Nested

__all__ = ["exchange"]

_SCALARS = frozenset(SCALAR_TYPES)


def exchange(target: Nested, other: Any, function: str) -> bool:
    """Give the Arrays of `target` the results of `function` with `other`, or change nothing.

    False where the structure, a data type or a shape differs, where the leaves aren't Arrays of one
    backend's own class, and where the native function fails: the operation leaf by leaf says then
    what is wrong, or knows how to do it.
    """
    arrays: list[Any] = []
    partners: list[Any] = []
    try:
        _collect(target, other, arrays, partners)
        results = _results(arrays, partners, function)
    except Exception:  # besides _NotPlainError whatever a native function raises
        return False
    for array, data in zip(arrays, results, strict=True):
        array._data = data
    return True


class _NotPlainError(Exception):
    """Something in the operation asks for more than natives computed one by one."""


def _collect(target: Nested, other: Any, arrays: list[Any], partners: list[Any]) -> None:
    """Put the leaves of `target` into `arrays`, and what each of them meets into `partners`."""
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
    """Return what stands under the same keys, most often in the same order."""
    if list(nodes) == list(others):
        return list(others.values())
    if nodes.keys() != others.keys():
        raise _NotPlainError
    return [others[key] for key in nodes]


def _results(arrays: list[Any], partners: list[Any], function: str) -> list[Any]:
    """Compute the natives; what is to be stored must be as the data that it replaces."""
    kinds = set(map(type, arrays))
    cls = kinds.pop() if kinds else None
    if kinds or not isinstance(cls, BackendArrayMeta):
        raise _NotPlainError
    before = [x._data for x in arrays]
    compute = arrays[0]._binding().bound[function].plain
    after = list(map(compute, before, _natives(partners, cls)))
    # Natives are compared by their own attributes, which spares the way to ours and back.
    for x, y in zip(before, after, strict=True):
        if (
            x.shape != y.shape
            or type(x) is not type(y)
            or (x.dtype is not y.dtype and x.dtype != y.dtype)
        ):
            raise _NotPlainError
    return after


def _natives(partners: list[Any], cls: Any) -> list[Any]:
    """Return what the native function takes: the arrays' data, and Python's numbers."""
    kinds = set(map(type, partners))
    if kinds == {cls}:
        return [y._data for y in partners]
    if not kinds <= _SCALARS | {cls}:
        raise _NotPlainError
    return [y._data if type(y) is cls else y for y in partners]
