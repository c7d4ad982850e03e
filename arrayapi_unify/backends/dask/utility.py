"""Dask's implementations of the utility functions."""

from __future__ import annotations

import operator
from typing import Any

import dask.array as da
import numpy as np

from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends.dask._core import at, axes_of, beside
from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._lift import elementwise, reduction
from arrayapi_unify.backends.dask._natives import DaskArray, native, one
from arrayapi_unify.backends.dask.manipulation import concat
from arrayapi_unify.backends.numpy import utility as numpy

_BOOL = np.dtype(bool)
Axis = int | tuple[int, ...] | None


def _test(name: str, x: DaskArray, axis: Axis, keepdims: bool) -> DaskArray:
    getattr(numpy, name)(one(x), axis=axis, keepdims=keepdims)
    axes = axes_of(axis, x.ndim)
    if not axes:
        return elementwise(native("utility", name, axis=()), x)
    function = native("utility", name)
    return reduction(x, axes, keepdims, function, function, _BOOL)


def all(x: DaskArray, /, *, axis: Axis = None, keepdims: bool = False) -> DaskArray:
    """Test if all elements are true."""
    return _test("all", x, axis, keepdims)


def any(x: DaskArray, /, *, axis: Axis = None, keepdims: bool = False) -> DaskArray:
    """Test if any element is true."""
    return _test("any", x, axis, keepdims)


def diff(
    x: DaskArray,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: DaskArray | None = None,
    append: DaskArray | None = None,
) -> DaskArray:
    """Difference."""
    numpy.diff(one(x), axis=axis, n=n)
    axis = normalize_axis("diff", axis, x.ndim)
    parts = [_joinable(p, x, axis) for p in (prepend, x, append) if p is not None]
    if len(parts) > 1:
        x = concat(parts, axis=axis)
    known_shape(x)
    for _ in range(min(operator.index(n), x.shape[axis])):
        name = "not_equal" if x.dtype == _BOOL else "subtract"
        later, earlier = x[at(axis, slice(1, None))], x[at(axis, slice(None, -1))]
        x = elementwise(native("elementwise", name), later, earlier)
    return x


def _joinable(part: Any, x: DaskArray, axis: int) -> DaskArray:
    """Return what is joined to x; a number stands for one slice."""
    part = beside(part, x)
    if part.ndim:
        return part
    return da.broadcast_to(part, (*x.shape[:axis], 1, *x.shape[axis + 1 :]))
