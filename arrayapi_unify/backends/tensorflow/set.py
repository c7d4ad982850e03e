"""TensorFlow's implementations of the set functions: sort, then find where a new value begins.

All unique_* functions return the values in ascending order. The sizes of their results depend on
data, which tf.function takes as unknown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from arrayapi_unify.backends.tensorflow._core import (
    SCALARS,
    Tensor,
    cast,
    const,
    ints,
    kind_of,
    pair,
    raw,
    scalar,
    scalar_dtype,
    shape_tensor,
)
from arrayapi_unify.backends.tensorflow._sort_keys import order
from arrayapi_unify.backends.tensorflow._unsigned import signed
from arrayapi_unify.backends.tensorflow.dtypes import dtype_of
from arrayapi_unify.backends.tensorflow.searching import bounds

_FLAT = (-1,)


def _flat(x: Tensor) -> Tensor:
    return raw.Reshape(tensor=x, shape=ints(_FLAT))


def _gather(x: Tensor, indices: Tensor) -> Tensor:
    return raw.GatherV2(params=x, indices=indices, axis=const(0, tf.int32))


class _Groups(NamedTuple):
    """The elements of a vector in order, grouped by value."""

    order: Tensor
    inorder: Tensor
    new: Tensor
    starts: Tensor


def _groups(x: Tensor) -> _Groups:
    flat = _flat(x)
    by = order(flat)
    inorder = _gather(flat, by)
    # No NaN equals another, so each begins a group of its own.
    changes = raw.NotEqual(x=inorder[1:], y=inorder[:-1])
    first = raw.OnesLike(x=cast(inorder[:1], tf.bool))
    new = raw.ConcatV2(values=[first, changes], axis=const(0, tf.int32))
    return _Groups(by, inorder, new, _flat(raw.Where(condition=new)))


def _inverse(groups: _Groups, x: Tensor) -> Tensor:
    number = raw.Cumsum(x=cast(groups.new, tf.int64), axis=const(0, tf.int32))
    inverse = raw.ScatterNd(
        indices=raw.ExpandDims(input=groups.order, axis=const(1, tf.int32)),
        updates=number - const(1, tf.int64),
        shape=shape_tensor(groups.order),
    )
    return raw.Reshape(tensor=inverse, shape=shape_tensor(x))


def _counts(groups: _Groups) -> Tensor:
    ends = raw.ConcatV2(values=[groups.starts, shape_tensor(groups.order)], axis=const(0, tf.int32))
    return ends[1:] - ends[:-1]


def unique_all(x: Tensor, /) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Values, first indices, inverse in x's shape, counts."""
    groups = _groups(x)
    return (
        _gather(groups.inorder, groups.starts),
        _gather(groups.order, groups.starts),
        _inverse(groups, x),
        _counts(groups),
    )


def unique_counts(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Values and counts."""
    groups = _groups(x)
    return _gather(groups.inorder, groups.starts), _counts(groups)


def unique_inverse(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Values, and inverse in x's shape."""
    groups = _groups(x)
    return _gather(groups.inorder, groups.starts), _inverse(groups, x)


def unique_values(x: Tensor, /) -> Tensor:
    """Values."""
    groups = _groups(x)
    return _gather(groups.inorder, groups.starts)


def _beside(value: Any, other: Tensor) -> Tensor:
    """Make an array of a scalar; next to integers it has a dtype of its own: none overflows."""
    if kind_of(other) in "fc" or not isinstance(value, int):
        return scalar(value, scalar_dtype(other.dtype, value))
    return const(value, tf.uint64 if value > 2**63 - 1 else tf.int64)


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Tensor:
    """Test for membership, exactly also between int64 and uint64."""
    if type(x1) in SCALARS:
        x1 = _beside(x1, x2)
    if type(x2) in SCALARS:
        x2 = _beside(x2, x1)
    if {dtype_of(x1).name, dtype_of(x2).name} == {"int64", "uint64"}:
        # Below 2**63 both are the same bits; what is above, or negative, is never in the other.
        x1, x2 = (signed(x) if x.dtype is tf.uint64 else x for x in (x1, x2))
        found = _member(x1, x2) & (x1 >= 0)
    else:
        found = _member(*pair(x1, x2))
    return raw.LogicalNot(x=found) if invert else found


def _member(x1: Tensor, x2: Tensor) -> Tensor:
    if x2.shape.num_elements() == 0:
        return raw.Fill(dims=shape_tensor(x1), value=const(False, tf.bool))
    flat = _flat(x2)
    inorder = _gather(flat, order(flat))
    place = bounds(inorder, x1, upper=False)
    last = shape_tensor(inorder)[0] - const(1, tf.int64)
    return raw.Equal(x=_gather(inorder, raw.Minimum(x=place, y=last)), y=x1)
