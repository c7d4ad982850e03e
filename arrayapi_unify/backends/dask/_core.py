"""Helpers for all categories of the Dask backend: casts, scalars beside arrays, sizes."""

from __future__ import annotations

import operator
from typing import Any

import dask.array as da
import numpy as np

from arrayapi_unify.backends.dask._lift import constant, elementwise
from arrayapi_unify.backends.dask._natives import DaskArray, of_blocks


def cast(x: DaskArray, dtype: np.dtype[Any]) -> DaskArray:
    """Cast as `astype` does; the array itself if it has the data type."""
    return x if x.dtype == dtype else elementwise(of_blocks("astype", to=dtype), x, dtype=dtype)


def beside(value: Any, x: Any) -> DaskArray:
    """Return an array, or a scalar as an array of the data type that promotion with x gives."""
    if isinstance(value, da.Array):
        return value
    return constant(np.asarray(value, np.result_type(x.dtype, value)))


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return axes, which a stand-in has checked, as numbers from 0."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    return tuple(operator.index(a) % ndim for a in axes)


def at(axis: int, key: Any) -> tuple[Any, ...]:
    """Return the key that selects along one axis."""
    return (*[slice(None)] * axis, key)
