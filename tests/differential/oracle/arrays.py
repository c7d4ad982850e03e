"""Oracles of manipulation, indexing, searching, sorting and sets: NumPy's functions."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from tests.differential.oracle._registry import ORACLES, oracle, same
from tests.differential.oracle.elementwise import operands
from tests.differential.oracle.promotion import promoted

__all__: list[str] = []

same(
    np,
    "all", "any", "argmax", "argmin", "argwhere", "broadcast_arrays", "broadcast_shapes",
    "broadcast_to", "concat", "expand_dims", "flatnonzero", "flip",
    "matrix_transpose", "max", "min", "moveaxis", "nanargmax", "nanargmin", "nonzero",
    "permute_dims", "ptp", "reshape", "roll", "squeeze", "stack", "take_along_axis", "tile",
    "unique_all", "unique_counts", "unique_inverse", "unstack",
)  # fmt: skip
ORACLES["get_item"] = operator.getitem


@oracle("count_nonzero")
def _count_nonzero(x: Any, /, **options: Any) -> Any:
    return np.asarray(np.count_nonzero(x, **options))  # NumPy 2.2 counts all as an int


@oracle("set_item")
def _set_item(x: Any, key: Any, value: Any, /) -> Any:
    if isinstance(value, np.ndarray):
        value = value.astype(x.dtype)
    x = x.copy()
    x[key] = value
    return x


@oracle("pad")
def _pad(x: Any, /, pad_width: Any, *, mode: str = "constant", constant_values: Any = 0) -> Any:
    if not x.ndim:
        return x
    given = {"constant_values": constant_values} if mode == "constant" else {}
    return np.pad(x, pad_width, mode, **given)  # type: ignore[call-overload]  # a str


@oracle("repeat")
def _repeat(x: Any, repeats: Any, /, *, axis: Any = None) -> Any:
    return np.repeat(x, np.asarray(repeats).astype(np.int64), axis=axis)


@oracle("searchsorted")
def _searchsorted(x1: Any, x2: Any, /, *, side: Any = "left", sorter: Any = None) -> Any:
    sorter = None if sorter is None else sorter.astype(np.int64)
    return np.searchsorted(x1, x2, side=side, sorter=sorter)


@oracle("lexsort")
def _lexsort(keys: Any, /, axis: int = -1) -> Any:
    return np.lexsort(keys, axis)


@oracle("unique")
def _unique(
    x: Any, /, return_index: bool = False, return_inverse: bool = False,
    return_counts: bool = False, axis: Any = None, *, equal_nan: bool = True, sorted: bool = True,
) -> Any:  # fmt: skip
    options = return_index, return_inverse, return_counts, axis
    return np.unique(x, *options, equal_nan=equal_nan)


@oracle("setdiff1d")
def _setdiff1d(ar1: Any, ar2: Any, /, assume_unique: bool = False) -> Any:
    values = ar1.reshape(-1) if assume_unique else np.unique(ar1)
    return values[_isin(values, ar2, invert=True)]


@oracle("union1d")
def _union1d(ar1: Any, ar2: Any, /) -> Any:
    return np.union1d(*operands(ar1, ar2)[:2])


@oracle("intersect1d")
def _intersect1d(
    ar1: Any, ar2: Any, /, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    return np.intersect1d(*operands(ar1, ar2)[:2], assume_unique, return_indices)


@oracle("array_equal")
def _array_equal(a1: Any, a2: Any, /, equal_nan: bool = False) -> Any:
    return np.asarray(np.array_equal(a1, a2, equal_nan))


@oracle("unique_values")
def _unique_values(x: Any, /) -> Any:
    return np.unique(x, equal_nan=False)


@oracle("take")
def _take(x: Any, indices: Any, /, *, axis: Any = None) -> Any:
    return np.take(x, indices.astype(np.int64), axis=axis)


@oracle("where")
def _where(condition: Any, x1: Any, x2: Any, /) -> Any:
    x1, x2, common = operands(x1, x2)
    return np.where(condition, x1, x2).astype(common)


@oracle("isin")
def _isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    if not isinstance(x1, np.ndarray) or not isinstance(x2, np.ndarray):
        return np.isin(x1, x2, invert=invert)
    x1, x2, _ = operands(x1, x2)
    return np.isin(x1, x2, invert=invert)


def _reversed(x: Any, axis: int, function: Any) -> Any:
    """Sort in descending order, stably."""
    places = x.shape[axis] - 1 - function(np.flip(x, axis=axis))
    return np.flip(places, axis=axis)


@oracle("argsort")
def _argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    def order(values: Any) -> Any:
        return np.argsort(values, axis=axis, stable=True)

    return _reversed(x, axis, order) if descending else order(x)


@oracle("sort")
def _sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    found = np.sort(x, axis=axis, stable=True)
    return np.flip(found, axis=axis) if descending else found


class TopKResult(NamedTuple):
    values: Any
    indices: Any


@oracle("top_k")
def _top_k(x: Any, k: int, /, *, axis: int = -1, mode: str = "largest") -> Any:
    if not 0 <= k <= x.shape[axis]:
        raise ValueError(k)
    order = _argsort(x, axis=axis, descending=mode == "largest")
    indices = np.take(order, np.arange(k), axis=axis)
    return TopKResult(np.take_along_axis(x, indices, axis), indices)


@oracle("split")
def _split(x: Any, /, *, num_or_size_splits: Any = None, axis: int = 0) -> Any:
    size = x.shape[axis]
    if num_or_size_splits is None:
        num_or_size_splits = size
    if isinstance(num_or_size_splits, int):
        return tuple(np.split(x, num_or_size_splits, axis=axis)) if num_or_size_splits else ()
    return tuple(np.split(x, np.cumsum(num_or_size_splits)[:-1], axis=axis))


@oracle("diff")
def _diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    parts = [v for v in (prepend, x, append) if v is not None]
    common = promoted(*(v.dtype.name for v in parts))
    one = tuple(1 if a == axis % x.ndim else size for a, size in enumerate(x.shape))
    joined = [(v if v.ndim else np.broadcast_to(v, one)).astype(common) for v in parts]
    return np.diff(np.concatenate(joined, axis), n, axis)
