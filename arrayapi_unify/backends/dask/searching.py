"""Dask's implementations of the searching functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal

import dask.array as da
import numpy as np
from dask.array import reductions
from dask.array.routines import isnonzero

from arrayapi_unify.backends.dask._alignment import dense
from arrayapi_unify.backends.dask._core import axes_of, beside
from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._lift import elementwise, lazily, reduction, whole_axes
from arrayapi_unify.backends.dask._natives import DaskArray, native, of_blocks, one, small
from arrayapi_unify.backends.dask._sizes import chosen
from arrayapi_unify.backends.numpy import searching as numpy

_COUNT = np.dtype(np.int64)


def _position(name: str) -> Callable[..., DaskArray]:
    of_numpy: Any = getattr(numpy, name)
    # Dask's own wraps NumPy's functions, and wrapped ones aren't pickled.
    position_of: Any = getattr(np, name)
    extreme: Any = np.max if name == "argmax" else np.min
    parts = (
        functools.partial(reductions.arg_chunk, extreme, position_of),
        functools.partial(reductions.arg_combine, position_of),
        functools.partial(reductions.arg_agg, position_of),
    )

    def position(x: DaskArray, /, *, axis: int | None = None, keepdims: bool = False) -> DaskArray:
        like = of_numpy(small(x), axis=axis, keepdims=keepdims)
        if not x.ndim:
            return elementwise(native("searching", name), x)
        known_shape(x)  # by which Dask counts
        found = reductions.arg_reduction(dense(x), *parts, axis=axis, keepdims=keepdims)
        return found if found.dtype == like.dtype else found.astype(like.dtype)

    position.__name__ = position.__qualname__ = name
    position.__doc__ = f"`{name}` of the standard on Dask arrays."
    return position


argmax = _position("argmax")
argmin = _position("argmin")


def count_nonzero(
    x: DaskArray, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> DaskArray:
    """Count."""
    like = numpy.count_nonzero(one(x), axis=axis, keepdims=keepdims)
    axes = axes_of(axis, x.ndim)
    if not axes:
        return elementwise(native("searching", "count_nonzero", axis=axis), x)
    count, add = native("searching", "count_nonzero"), of_blocks("total", dtype=_COUNT)
    return reduction(x, axes, keepdims, count, add, like.dtype)


def nonzero(x: DaskArray, /) -> tuple[DaskArray, ...]:
    """Find the elements that aren't zero; how many there are is known when they are computed."""
    if not x.ndim:
        numpy.nonzero(one(x))
    known_shape(x)  # by which Dask numbers the elements
    x = dense(x)
    mask = isnonzero(x).ravel()
    return tuple(chosen(found, mask, 0, mask) for found in da.nonzero(x))


def searchsorted(
    x1: DaskArray,
    x2: DaskArray | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: DaskArray | None = None,
) -> DaskArray:
    """Search, in x1 as a whole."""
    x2 = beside(x2, x1)
    like = numpy.searchsorted(
        one(x1), one(x2), side=side, sorter=None if sorter is None else _zeros(sorter)
    )
    labels = tuple(range(x2.ndim))
    pairs = [(x2, labels), (whole_axes("searchsorted", x1, (0,)), ("x1",))]
    if sorter is not None:
        if sorter.shape != x1.shape:
            numpy.searchsorted(np.ones(2), np.ones(1), sorter=np.zeros(1, np.int64))
        pairs.append((whole_axes("searchsorted", sorter, (0,)), ("sorter",)))
    return lazily(of_blocks("search", side=side), labels, pairs, like.dtype)


def _zeros(sorter: DaskArray) -> Any:
    return np.zeros((1,) * sorter.ndim, sorter.dtype)


def where(condition: DaskArray, x1: Any, x2: Any, /) -> DaskArray:
    """Choose."""
    return elementwise(native("searching", "where"), condition, x1, x2)
