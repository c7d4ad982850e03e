"""`x op= y` of a Container at the cost of a loop: all leaves are computed, then written.

A write that could be undone would need a copy of every leaf. So the results are computed on the
natives, beside the leaves, and are written when all of them fit; whatever isn't that plain is left
to the operation leaf by leaf. Leaves that share memory are computed from what they were before.
"""

from __future__ import annotations

from typing import Any

from arrayapi_unify import backends
from arrayapi_unify.array_object import BackendArrayMeta
from arrayapi_unify.binding.functions import SCALAR_TYPES
from arrayapi_unify.container_base import Nested
from arrayapi_unify.views import emulation
from arrayapi_unify.views.view import view_of

__all__ = ["write_results"]

_SCALARS = frozenset(SCALAR_TYPES)


def write_results(target: Nested, other: Any, function: str) -> bool:
    """Write the results of `function` with `other` to the Arrays of `target`, or change nothing.

    False where the structure, a data type or a shape differs, where the leaves aren't Arrays of one
    backend's own class, where one of them can't be written to, and where the native function fails:
    the operation leaf by leaf says then what is wrong, or knows how to do it.
    """
    arrays: list[Any] = []
    partners: list[Any] = []
    try:
        _collect(target, other, arrays, partners)
        cls = _class_of(arrays)
        natives = [x._data for x in arrays]
        results = _results(natives, _natives(partners, cls), arrays[0], function)
    except Exception:  # besides _NotPlainError whatever a native function raises
        return False
    backend = backends.load(cls.__unify_backend__)
    if backend.VIEW_EMULATION is True:
        return _replaced(arrays, results)
    return backend.write_all(natives, results)


def _replaced(arrays: list[Any], results: list[Any]) -> bool:
    """Give Arrays new data, and all that share with them; nothing where one is read-only."""
    views = list(map(view_of, arrays))
    if any(view is not None and view.read_only for view in views):
        return False
    emulation.assign_each(arrays, results)
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


def _class_of(arrays: list[Any]) -> Any:
    kinds = set(map(type, arrays))
    cls = kinds.pop() if kinds else None
    if kinds or not isinstance(cls, BackendArrayMeta):
        raise _NotPlainError
    return cls


def _results(before: list[Any], partners: list[Any], array: Any, function: str) -> list[Any]:
    """Compute the natives; what is to be written must be as the data that is there."""
    compute = array._binding().bound[function].fast_native
    after = list(map(compute, before, partners))
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
