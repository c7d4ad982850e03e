"""Norms of vectors and matrices, as reductions of magnitudes."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from arrayapi_unify.backends._common.checks.shapes import raise_no_elements_error
from arrayapi_unify.backends.tensorflow import _complex, _derivatives
from arrayapi_unify.backends.tensorflow._core import Tensor, cast, const, ints, kind_of, raw


def _magnitude(x: Tensor) -> Tensor:
    return _derivatives.magnitude(x) if kind_of(x) == "c" else raw.Abs(x=x)


def _squares(x: Tensor) -> Tensor:
    if kind_of(x) != "c":
        return raw.Square(x=x)
    return raw.Square(x=_complex.real(x)) + raw.Square(x=_complex.imag(x))


def _sum(x: Tensor, axes: Tensor, keepdims: bool) -> Tensor:
    return raw.Sum(input=x, axis=axes, keep_dims=keepdims)


def vector(x: Tensor, along: tuple[int, ...], keepdims: bool, order: float) -> Tensor:
    """Return the norm of an order over axes."""
    axes = ints(along)
    if order == 2:
        return raw.Sqrt(x=_sum(_squares(x), axes, keepdims))
    size = _magnitude(x)
    if order == math.inf:
        # Zero of no elements, where the kernel finds negative infinity.
        largest = raw.Max(input=size, axis=axes, keep_dims=keepdims)
        return raw.Maximum(x=largest, y=const(0, largest.dtype)) if 0 in x.shape else largest
    if order == -math.inf:
        if any(x.shape[axis] == 0 for axis in along):
            raise_no_elements_error("linalg.vector_norm", x.shape)
        return raw.Min(input=size, axis=axes, keep_dims=keepdims)
    if order == 0:
        zero = const(0, size.dtype)
        return _sum(cast(raw.NotEqual(x=size, y=zero), size.dtype), axes, keepdims)
    if order == 1:
        return _sum(size, axes, keepdims)
    power = const(float(order), size.dtype)
    total = _sum(raw.Pow(x=size, y=power), axes, keepdims)
    return raw.Pow(x=total, y=const(1.0 / order, size.dtype))


def _extreme(x: Tensor, axis: int, order: float, keepdims: bool) -> Tensor:
    """Return the largest, or for a negative order the smallest, of numbers that aren't negative.

    The largest of nothing is zero, as in NumPy; the kernel finds negative infinity.
    """
    if order > 0:
        largest = raw.Max(input=x, axis=ints((axis,)), keep_dims=keepdims)
        return raw.Maximum(x=largest, y=const(0, x.dtype)) if x.shape[axis] == 0 else largest
    return raw.Min(input=x, axis=ints((axis,)), keep_dims=keepdims)


def matrix(x: Tensor, order: Any, keepdims: bool) -> Tensor:
    """Return a norm of matrices that needs no singular values."""
    if order in ("fro", None):
        return vector(x, (-2, -1), keepdims, 2)
    along, across = (-2, -1) if abs(order) == 1 else (-1, -2)
    sums = _sum(_magnitude(x), ints((along,)), True)
    result = _extreme(sums, across, order, True)
    return result if keepdims else raw.Squeeze(input=result, axis=[-2, -1])


def singular(values: Tensor, order: Any, keepdims: bool) -> Tensor:
    """Return a norm that is made of the singular values."""
    if order == "nuc":
        result = _sum(values, ints((-1,)), keepdims)
    else:
        result = _extreme(values, -1, order, keepdims)
    return raw.ExpandDims(input=result, axis=const(-1, tf.int32)) if keepdims else result
