"""Dask's implementations of the statistical functions: block by block, then of what these give."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np

from arrayapi_unify.backends._common.algorithms.statistical import native_running_extremes
from arrayapi_unify.backends._common.checks.arguments import check_number
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends._common.checks.statistical import check_segments
from arrayapi_unify.backends.dask._alignment import dense
from arrayapi_unify.backends.dask._core import axes_of, cast
from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._lift import elementwise, lazily, reduction
from arrayapi_unify.backends.dask._natives import (
    Block,
    DaskArray,
    known,
    native,
    of_blocks,
    one,
    small,
)
from arrayapi_unify.backends.dask.dtypes import dtype_of
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.numpy import statistical as numpy

NumPyDType = np.dtype[Any]
Axis = int | tuple[int, ...] | None


def _fold(name: str, combine: str) -> Any:
    def fold(
        x: DaskArray, /, *, axis: Axis = None, dtype: NumPyDType | None = None,
        keepdims: bool = False,
    ) -> DaskArray:  # fmt: skip
        like = getattr(numpy, name)(one(x), axis=axis, dtype=dtype, keepdims=keepdims)
        axes = axes_of(axis, x.ndim)
        if not axes:
            return elementwise(native("statistical", name, axis=(), dtype=dtype), x)
        function = native("statistical", name, dtype=like.dtype)
        return reduction(
            x, axes, keepdims, function, of_blocks(combine, dtype=like.dtype), like.dtype
        )

    return _named(fold, name)


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{name}` of the standard on Dask arrays."
    return function


sum = _fold("sum", "total")
prod = _fold("prod", "product")


def _extreme(name: str, largest: str) -> Any:
    def extreme(x: DaskArray, /, *, axis: Axis = None, keepdims: bool = False) -> DaskArray:
        like = getattr(numpy, name)(small(x), axis=axis, keepdims=keepdims)
        axes = axes_of(axis, x.ndim)
        if not axes:
            return elementwise(native("statistical", name, axis=()), x)
        function = of_blocks(largest)
        return reduction(x, axes, keepdims, function, function, like.dtype)

    return _named(extreme, name)


max = _extreme("max", "largest")
min = _extreme("min", "smallest")


def _is_served(x: DaskArray, /, *, axis: Axis = None, keepdims: bool = False) -> bool:
    """Return True for real floating-point numbers, and at least one."""
    return bool(x.dtype.kind == "f" and x.ndim > 0 and known(x) and 0 not in x.shape)


nanmax = partial_mixed(_is_served)(_extreme("nanmax", "largest_number"))
nanmin = partial_mixed(_is_served)(_extreme("nanmin", "smallest_number"))


def mean(x: DaskArray, /, *, axis: Axis = None, keepdims: bool = False) -> DaskArray:
    """Sum over count."""
    dtype = numpy.mean(one(x), axis=axis, keepdims=keepdims).dtype
    axes = axes_of(axis, x.ndim)
    if not known(x):
        return _by_moments(x, axes, keepdims, of_blocks("average", dtype=dtype), dtype)
    size = float(math.prod(x.shape[a] for a in axes)) or math.nan
    held = x.dtype if x.dtype.kind in "fc" else np.dtype(np.float64)
    function, add = native("statistical", "sum", dtype=held), of_blocks("total", dtype=held)
    if not axes:
        return elementwise(of_blocks("over", size=size, dtype=dtype), cast(x, held))
    total = reduction(x, axes, keepdims, function, add, held)
    return elementwise(of_blocks("over", size=size, dtype=dtype), total)


def _by_moments(
    x: DaskArray, axes: tuple[int, ...], keepdims: bool, finish: Block, dtype: NumPyDType
) -> DaskArray:
    function = of_blocks("moments")
    function.result = np.dtype(np.complex128 if x.dtype.kind == "c" else np.float64)
    if not axes:
        labels = tuple(range(x.ndim))
        every = function.having(axis=(), keepdims=False)
        held = lazily(every, (*labels, "parts"), [(x, labels)], function.result, sizes={"parts": 3})
        return lazily(finish, labels, [(held, (*labels, "parts"))], dtype)
    return reduction(
        x, axes, keepdims, function, of_blocks("merged_moments"), dtype, parts=3, finish=finish
    )


def var(
    x: DaskArray, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> DaskArray:
    """Mean squared distance from the mean, by the moments of blocks."""
    return _spread("var", x, axis, correction, keepdims)


def std(
    x: DaskArray, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> DaskArray:
    """Square root of the variance."""
    return _spread("std", x, axis, correction, keepdims)


def _spread(name: str, x: DaskArray, axis: Axis, correction: Any, keepdims: bool) -> DaskArray:
    native = np.errstate(all="ignore")(getattr(numpy, name))
    like = native(one(x), axis=axis, correction=correction, keepdims=keepdims)
    check_number(correction)
    finish = of_blocks("variance", correction=correction, root=name == "std", dtype=like.dtype)
    return _by_moments(x, axes_of(axis, x.ndim), keepdims, finish, like.dtype)


def _accumulation(name: str, function: Any, operation: Any, start: int) -> Any:
    def accumulation(
        x: DaskArray,
        /,
        *,
        axis: int | None = None,
        dtype: NumPyDType | None = None,
        include_initial: bool = False,
    ) -> DaskArray:
        like = getattr(numpy, name)(one(x), axis=axis, dtype=dtype)
        at = normalize_axis(name, 0 if axis is None else axis, x.ndim)
        known_shape(x)
        found = _accumulated(function, operation, start, cast(x, like.dtype), at)
        if not include_initial:
            return found
        shape = (*x.shape[:at], 1, *x.shape[at + 1 :])
        first = da.full(shape, start, dtype=like.dtype, chunks=shape)
        return da.concatenate([first, found], axis=at)

    return _named(accumulation, name)


def _accumulated(function: Any, operation: Any, start: Any, x: DaskArray, axis: int) -> DaskArray:
    if 0 in x.shape or x.npartitions == 1:
        labels = tuple(range(x.ndim))
        alone = of_blocks("accumulated", name=function.__name__, axis=axis)
        return lazily(alone, labels, [(x, labels)], x.dtype)
    every = of_blocks("accumulated", name=function.__name__)
    return da.reductions.cumreduction(every, operation, start, dense(x), axis, x.dtype)


cumulative_sum = _accumulation("cumulative_sum", np.add, np.add, 0)
cumulative_prod = _accumulation("cumulative_prod", np.multiply, np.multiply, 1)


def segment_sum(x: DaskArray, segment_ids: DaskArray, num_segments: int, /) -> DaskArray:
    """Add up at indices, in each block, and then what the blocks give."""
    ids = segment_ids
    check_segments(known_shape(x), dtype_of(x), known_shape(ids), dtype_of(ids), num_segments)
    rest = tuple(range(1, x.ndim))
    function = of_blocks("segments", number=int(num_segments))
    pairs: list[Any] = [(x, (0, *rest)), (ids, (0,))]
    found = lazily(
        function, (0, "new", *rest), pairs, x.dtype, sizes={"new": int(num_segments)}, each={0: 1}
    )
    add = of_blocks("total", dtype=x.dtype)
    return reduction(found, (0,), False, add, add, x.dtype)


def _is_real(x: DaskArray, /, **kwargs: object) -> bool:
    return bool(x.dtype.kind != "c" and x.npartitions == 1)


def _running(name: str) -> Callable[[DaskArray, int], DaskArray]:
    def accumulate(x: DaskArray, axis: int) -> DaskArray:
        labels = tuple(range(x.ndim))
        function = of_blocks("accumulated", name=name, axis=axis)
        return lazily(function, labels, [(x, labels)], x.dtype)

    return accumulate


cummax, cummin = native_running_extremes(_running("maximum"), _running("minimum"), _is_real)
