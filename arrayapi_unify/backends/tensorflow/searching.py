"""TensorFlow's implementations of the searching functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import tensorflow as tf

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import check_search
from arrayapi_unify.backends._common.checks.axes import normalize_axes, normalize_axis
from arrayapi_unify.backends._common.checks.shapes import (
    raise_no_elements_error,
    raise_zero_dimensional_error,
)
from arrayapi_unify.backends.tensorflow._core import (
    SCALARS,
    Tensor,
    cast,
    const,
    ints,
    kind_of,
    pair,
    rank_of,
    raw,
    scalar,
    shape_of,
    shape_tensor,
    tensor,
)
from arrayapi_unify.backends.tensorflow._factories import named
from arrayapi_unify.backends.tensorflow._minmax import position
from arrayapi_unify.backends.tensorflow._sort_keys import order, real_key
from arrayapi_unify.backends.tensorflow.dtypes import DTYPES, dtype_of


def _position(name: str, greatest: bool) -> Callable[..., Tensor]:
    """Make argmax or argmin."""

    def find(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
        rank, shape = rank_of(x), shape_of(x)
        flat = axis is None
        if axis is None:
            x, axis = raw.Reshape(tensor=x, shape=ints((-1,))), 0
        else:
            axis = normalize_axis(name, axis, rank)
        if x.shape[axis] == 0:
            raise_no_elements_error(name, shape)
        result = position(x, axis, greatest)
        if not keepdims:
            return result
        if flat:
            return raw.Reshape(tensor=result, shape=ints((1,) * rank))
        return raw.ExpandDims(input=result, axis=const(axis, tf.int32))

    return named(find, name)


argmax = _position("argmax", greatest=True)
argmin = _position("argmin", greatest=False)


def count_nonzero(
    x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Tensor:
    """Count."""
    axes = ints(normalize_axes("count_nonzero", axis, rank_of(x)))
    return raw.Sum(input=cast(cast(x, tf.bool), tf.int64), axis=axes, keep_dims=keepdims)


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Find the elements that aren't zero."""
    rank = rank_of(x)
    if rank == 0:
        raise_zero_dimensional_error("nonzero")
    found = raw.Where(condition=cast(x, tf.bool))
    return tuple(raw.Unpack(value=found, num=rank, axis=1))


# --- searchsorted -----------------------------------------------------------------------------


def bounds(ordered: Tensor, values: Tensor, upper: bool) -> Tensor:
    """Return where values belong in an ordered vector of the same data type."""
    if kind_of(ordered) == "c":
        ordered, values = _ranks(ordered, values)
    else:
        ordered, values = real_key(ordered), real_key(values)
    operation = raw.UpperBound if upper else raw.LowerBound
    one_row = ints((1, -1))
    found = operation(
        sorted_inputs=raw.Reshape(tensor=ordered, shape=one_row),
        values=raw.Reshape(tensor=values, shape=one_row),
        out_type=tf.int64,
    )
    return raw.Reshape(tensor=found, shape=shape_tensor(values))


def _ranks(ordered: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Return integers of the same order as complex numbers, equal where these are."""
    flat = raw.Reshape(tensor=values, shape=ints((-1,)))
    both = raw.ConcatV2(values=[ordered, flat], axis=const(0, tf.int32))
    by = order(both)
    inorder = raw.GatherV2(params=both, indices=by, axis=const(0, tf.int32))
    # NaNs differ from one another, but not in rank.
    new = raw.LogicalNot(x=_same_place(inorder[1:], inorder[:-1]))
    rank = raw.Cumsum(x=cast(new, tf.int64), axis=const(0, tf.int32))
    rank = raw.Pad(input=rank, paddings=tf.stack([[tf.minimum(tf.size(both), 1), 0]]))
    ranks = raw.ScatterNd(
        indices=raw.ExpandDims(input=by, axis=const(1, tf.int32)),
        updates=rank,
        shape=shape_tensor(both),
    )
    count = shape_tensor(ordered)[0]
    return ranks[:count], raw.Reshape(tensor=ranks[count:], shape=shape_tensor(values))


def _same_place(x1: Tensor, x2: Tensor) -> Tensor:
    """Find complex numbers that stand at one place in the order."""
    parts = zip(_parts(x1), _parts(x2), strict=True)
    first, second = (raw.Equal(x=a, y=b) for a, b in parts)
    return raw.LogicalAnd(x=first, y=second)


def _parts(x: Tensor) -> tuple[Tensor, Tensor]:
    return real_key(tf.math.real(x)), real_key(tf.math.imag(x))


def searchsorted(
    x1: Tensor, x2: Any, /, *, side: Literal["left", "right"] = "left", sorter: Tensor | None = None
) -> Tensor:
    """Search, in the order of `sort`."""
    if rank_of(x1) != 1 or side not in ("left", "right") or sorter is not None:
        given = None if sorter is None else (dtype_of(sorter), shape_of(sorter))
        check_search(shape_of(x1), side, given)
    x1, x2 = pair(x1, x2)
    if sorter is not None:
        indices = cast(sorter, tf.int64)
        x1 = raw.GatherV2(params=x1, indices=indices, axis=const(0, tf.int32))
    return bounds(tensor(x1), tensor(x2), side == "right")


# --- where ------------------------------------------------------------------------------------


def where(condition: Tensor, x1: Any, x2: Any, /) -> Tensor:
    """Choose; two scalars are of the default dtype of the higher kind."""
    if type(x1) in SCALARS and type(x2) in SCALARS:
        dtype = DTYPES[dtypes.of_scalars((x1, x2))]
        x1, x2 = scalar(x1, dtype), scalar(x2, dtype)
    elif type(x1) in SCALARS or type(x2) in SCALARS or x1.dtype is not x2.dtype:
        x1, x2 = pair(x1, x2)
    return raw.SelectV2(condition=cast(condition, tf.bool), t=x1, e=x2)
