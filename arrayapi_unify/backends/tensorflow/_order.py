"""The order of values: integers that sort as values do, and what is built on them.

TensorFlow's only sorting kernel, TopKV2, doesn't know NaN, bool and complex numbers. It is stable
(of equal elements the one with the lower index comes first), and inverting the bits of an integer
reverses the order without overflow. So everything real is sorted as integers, ascending order
being the descending order of the inverted ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends.tensorflow._complex import imag, is_nan, real
from arrayapi_unify.backends.tensorflow._core import (
    LIMITS,
    Tensor,
    any_true,
    cast,
    const,
    eager,
    ints,
    kind_of,
    rank_of,
    raw,
    shape_of,
    shape_tensor,
)

__all__ = ["along_last", "complex_extreme", "order", "position", "real_key", "to_last"]

_BITS: Final = {tf.float32: tf.int32, tf.float64: tf.int64}


def real_key(x: Tensor, nan_last: bool = True) -> Tensor:
    """Return integers of the same order as the real numbers x; zeros of both signs are equal.

    The bits of floats have the order of signed integers, but for negative ones reversed. NaNs
    are alike, above all numbers or below.
    """
    if x.dtype is tf.bool:
        return cast(x, tf.uint8)
    if x.dtype not in _BITS:
        return x
    whole = raw.Bitcast(input=x, type=_BITS[x.dtype])
    low, high = LIMITS[whole.dtype]
    negative = raw.BitwiseXor(x=whole, y=const(high, whole.dtype))
    key = raw.SelectV2(condition=whole < 0, t=negative, e=whole)
    zero = raw.Equal(x=whole, y=const(low, whole.dtype))
    key = raw.SelectV2(condition=zero, t=const(0, whole.dtype), e=key)
    nan = const(high if nan_last else low, whole.dtype)
    return raw.SelectV2(condition=raw.IsNan(x=x), t=nan, e=key)


def to_last(x: Tensor, axis: int) -> Tensor:
    """Exchange an axis (a number from 0) with the last one; done twice, it is undone."""
    rank = rank_of(x)
    if axis == rank - 1:
        return x
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return raw.Transpose(x=x, perm=ints(tuple(order)))


def along_last(x: Tensor, positions: Tensor) -> Tensor:
    """Select along the last axis, the others being alike."""
    rank = rank_of(x)
    return raw.GatherV2(
        params=x, indices=positions, axis=const(rank - 1, tf.int32), batch_dims=rank - 1
    )


def _order_of_key(key: Tensor, descending: bool) -> Tensor:
    """Return the stable order along the last axis of integers."""
    size = shape_tensor(key)[-1] if key.shape[-1] is None else key.shape[-1]
    key = key if descending else raw.Invert(x=key)
    return raw.TopKV2(input=key, k=size, sorted=True, index_type=tf.int64).indices


def order(x: Tensor, descending: bool = False) -> Tensor:
    """Return the stable order along the last axis, as indices; NaNs are the largest."""
    if kind_of(x) != "c":
        return _order_of_key(real_key(x), descending)
    # By the last criterion first: imaginary part, real part, which components are NaN.
    a, b = real(x), imag(x)
    missing = cast(raw.IsNan(x=a), tf.int32) * 2 + cast(raw.IsNan(x=b), tf.int32)
    result = _order_of_key(real_key(b), descending)
    for key in (real_key(a), missing):
        step = _order_of_key(along_last(key, result), descending)
        result = along_last(result, step)
    return result


def _first(operation: Callable[..., Tensor], x: Tensor, axis: int) -> Tensor:
    return operation(input=x, dimension=const(axis, tf.int32), output_type=tf.int64)


def _no_nan(x: Tensor) -> bool:
    """Whether there is no NaN: it would be the maximum."""
    return not any_true(raw.IsNan(x=raw.Max(input=x, axis=ints(tuple(range(rank_of(x)))))))


def position(x: Tensor, axis: int, greatest: bool) -> Tensor:
    """Return where the first extreme is along an axis; the first NaN is one."""
    kind = kind_of(x)
    operation = raw.ArgMax if greatest else raw.ArgMin
    if kind == "c":
        x = _complex_key(x, axis, greatest)
    elif kind == "f" and not (eager() and _no_nan(x)):
        x = real_key(x, nan_last=greatest)
    return _first(operation, x, axis)


def _complex_key(x: Tensor, axis: int, greatest: bool) -> Tensor:
    """Return integers whose extreme along the axis is where that of the complex numbers is."""
    missing = is_nan(x)
    first, second = real_key(real(x), greatest), real_key(imag(x), greatest)
    low, high = LIMITS[first.dtype]
    best, worst = (const(v, first.dtype) for v in ((high, low) if greatest else (low, high)))
    first = raw.SelectV2(condition=missing, t=best, e=first)
    reduce = raw.Max if greatest else raw.Min
    chosen = raw.Equal(x=first, y=reduce(input=first, axis=ints((axis,)), keep_dims=True))
    # Numbers are never as far out as the limits, so these are left for NaN and for the others.
    second = raw.SelectV2(condition=missing, t=best, e=second)
    return raw.SelectV2(condition=chosen, t=second, e=worst)


def complex_extreme(greatest: bool) -> Callable[[Tensor, Tensor, bool], Tensor]:
    """Make the reduction of complex numbers to the largest or smallest one."""

    def reduce(x: Tensor, axes: Tensor, keepdims: bool) -> Tensor:
        reduced = [int(axis) for axis in tf.get_static_value(axes)]
        kept = [axis for axis in range(rank_of(x)) if axis not in reduced]
        shape = shape_of(x)
        if not reduced or 0 in shape:
            return _resized(x, shape, kept, keepdims)
        rows = raw.Transpose(x=x, perm=ints((*kept, *reduced)))
        rows = raw.Reshape(tensor=rows, shape=ints((*(shape[i] for i in kept), -1)))
        where = position(rows, len(kept), greatest)
        found = along_last(rows, raw.ExpandDims(input=where, axis=const(-1, tf.int32)))
        return _resized(found, shape, kept, keepdims)

    return reduce


def _resized(x: Tensor, shape: tuple[int, ...], kept: list[int], keepdims: bool) -> Tensor:
    """Give the result of a reduction its shape."""
    sizes: Any = [size if i in kept else 1 for i, size in enumerate(shape) if keepdims or i in kept]
    return raw.Reshape(tensor=x, shape=ints(tuple(sizes)))
