"""Positions of extremes, and extremes of complex numbers: by real, then by imaginary part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends.tensorflow._complex import imag, is_nan, real
from arrayapi_unify.backends.tensorflow._core import (
    LIMITS,
    Tensor,
    const,
    eager,
    ints,
    kind_of,
    rank_of,
    raw,
    shape_of,
    shape_tensor,
)
from arrayapi_unify.backends.tensorflow._sort_keys import along_last, real_key

# The kernels take no arrays of more axes.
_RANK: Final = 7


def _first(operation: Callable[..., Tensor], x: Tensor, axis: int) -> Tensor:
    if rank_of(x) <= _RANK:
        return operation(input=x, dimension=const(axis, tf.int32), output_type=tf.int64)
    sizes = shape_tensor(x)
    before, size, after = sizes[:axis], sizes[axis : axis + 1], sizes[axis + 1 :]
    flat, end = ints((-1,)), const(0, tf.int32)
    front = raw.Prod(input=before, axis=ints((0,)), keep_dims=True)
    rows = raw.Reshape(tensor=x, shape=raw.ConcatV2(values=[front, size, flat], axis=end))
    found = operation(input=rows, dimension=const(1, tf.int32), output_type=tf.int64)
    return raw.Reshape(tensor=found, shape=raw.ConcatV2(values=[before, after], axis=end))


def may_have_nan(x: Tensor) -> Tensor:
    """Return a tensor that is true if there may be a NaN, which one pass finds.

    A graph computes the sum, as XLA's maximum ignores NaN. It also finds infinities of both signs.
    """
    axes = ints(tuple(range(rank_of(x))))
    reduce = raw.Max if eager() else raw.Sum
    return raw.IsNan(x=reduce(input=x, axis=axes))


def _first_of_floats(operation: Callable[..., Tensor], x: Tensor, axis: int) -> Tensor:
    """Return where the first extreme is; numbers made for the order take longer to search."""
    missing = may_have_nan(x)
    greatest = operation is raw.ArgMax

    def by_key() -> Tensor:
        return _first(operation, real_key(x, nan_last=greatest), axis)

    def by_value() -> Tensor:
        return _first(operation, x, axis)

    return branched(missing, by_key, by_value)


def branched(condition: Tensor, yes: Callable[[], Tensor], no: Callable[[], Tensor]) -> Tensor:
    """Compute one of two results: eagerly by the value, in a graph by a branch of its own."""
    if eager():
        return yes() if condition.numpy() else no()
    return tf.cond(condition, yes, no)


def position(x: Tensor, axis: int, greatest: bool) -> Tensor:
    """Return where the first extreme is along an axis; the first NaN is one."""
    kind = kind_of(x)
    operation = raw.ArgMax if greatest else raw.ArgMin
    if kind == "f":
        return _first_of_floats(operation, x, axis)
    if kind == "c":
        x = _complex_key(x, axis, greatest)
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


def extreme_of_complex(greatest: bool) -> Callable[[Tensor, Tensor, bool], Tensor]:
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
