"""Dask's implementations of the set functions, on arrays as a whole."""

from __future__ import annotations

import math
from typing import Any

import dask.array as da
import numpy as np

from arrayapi_unify.backends.dask._lift import constant, lazily, whole, whole_axes
from arrayapi_unify.backends.dask._natives import DaskArray, native, of_blocks, one
from arrayapi_unify.backends.numpy import set as numpy

_INDICES = np.dtype(np.int64)
_UNKNOWN = (math.nan,)


def _operand(value: Any, other: Any) -> DaskArray:
    if isinstance(value, da.Array):
        return value
    return constant(numpy.beside(value, one(other) if isinstance(other, da.Array) else other))


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> DaskArray:
    """Test for membership in x2, which each block of x1 needs whole."""
    first, second = _operand(x1, x2), _operand(x2, x1)
    numpy.isin(one(first), one(second))
    second = whole_axes("isin", second, range(second.ndim))
    labels = tuple(range(first.ndim))
    pairs = [(first, labels), (second, tuple(("core", a) for a in range(second.ndim)))]
    return lazily(of_blocks("member", invert=invert), labels, pairs, np.dtype(bool))


def _unique(name: str, x: DaskArray, *results: Any) -> tuple[DaskArray, ...]:
    return tuple(whole(native("set", name), [x], results))


def unique_all(x: DaskArray, /) -> tuple[DaskArray, ...]:
    """Values, first indices, inverse in x's shape, counts."""
    many = (_INDICES, _UNKNOWN)
    return _unique("unique_all", x, (x.dtype, _UNKNOWN), many, (_INDICES, x.shape), many)


def unique_counts(x: DaskArray, /) -> tuple[DaskArray, ...]:
    """Values and counts."""
    return _unique("unique_counts", x, (x.dtype, _UNKNOWN), (_INDICES, _UNKNOWN))


def unique_inverse(x: DaskArray, /) -> tuple[DaskArray, ...]:
    """Values, and inverse in x's shape."""
    return _unique("unique_inverse", x, (x.dtype, _UNKNOWN), (_INDICES, x.shape))


def unique_values(x: DaskArray, /) -> DaskArray:
    """Values."""
    pair = [(x, tuple(("core", a) for a in range(x.ndim)))]
    return lazily(native("set", "unique_values"), ("new",), pair, x.dtype, sizes={"new": math.nan})
