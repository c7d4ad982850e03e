"""The order of values: integers that sort as values do, and what is built on them.

TensorFlow's only sorting kernel, TopKV2, doesn't know NaN, bool and complex numbers. It is stable
(of equal elements the one with the lower index comes first), and inverting the bits of an integer
reverses the order without overflow. So everything real is sorted as integers, ascending order
being the descending order of the inverted ones.
"""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from arrayapi_unify.backends.tensorflow._complex import imag, real
from arrayapi_unify.backends.tensorflow._core import (
    LIMITS,
    Tensor,
    cast,
    const,
    ints,
    kind_of,
    rank_of,
    raw,
    shape_tensor,
)

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


def _order_of_key(key: Tensor, descending: bool, size: int | None = None) -> Tensor:
    """Return the stable order along the last axis of integers, or its first `size` indices."""
    if size is None:
        size = shape_tensor(key)[-1] if key.shape[-1] is None else key.shape[-1]
    key = key if descending else raw.Invert(x=key)
    return raw.TopKV2(input=key, k=size, sorted=True, index_type=tf.int64).indices


def first(x: Tensor, k: int, descending: bool) -> Tensor:
    """Return the first k indices of the stable order along the last axis."""
    if kind_of(x) == "c":
        return order(x, descending)[..., :k]
    return _order_of_key(real_key(x), descending, k)


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
