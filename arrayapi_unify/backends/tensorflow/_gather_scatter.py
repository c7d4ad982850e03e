"""The gathers and scatters of `x[key]` and its assignment, by the parts that `_keys` makes."""

from __future__ import annotations

import functools
import math
from typing import Any, Final

import numpy as np
import tensorflow as tf

from arrayapi_unify.backends._common.checks.arguments import (
    check_complex,
    check_integer,
    trimmed_shape,
)
from arrayapi_unify.backends._common.checks.indexing import together, within
from arrayapi_unify.backends.tensorflow._core import (
    SCALARS,
    VECTORIZED,
    EagerTensor,
    Tensor,
    axis_constant,
    broadcast,
    cast,
    const,
    eager,
    ints,
    raw,
    scalar,
    shape_of,
    shape_tensor,
)
from arrayapi_unify.backends.tensorflow._keys import Parts, check_bounds, wrapped
from arrayapi_unify.backends.tensorflow.dtypes import as_dtype, dtype_of
from arrayapi_unify.backends.tensorflow.manipulation import broadcast_arrays, moveaxis
from arrayapi_unify.dtypes import of_scalar

_CACHED: Final = 4096
_PLACES: Final = 7  # axes along which the kernel for several selects at most
_SMALL: Final = 64  # elements of a constant that is kept


def size_of(x: Tensor, axis: int) -> Tensor:
    """Return the size of an axis where it isn't known while tracing."""
    return shape_tensor(x)[axis]


def gathered(x: Tensor, parts: Parts) -> Tensor:
    """Select by arrays. Their axes come where the first of them is, or first if they're apart."""
    axes = list(parts.arrays)
    indices = _settled(x, parts)
    if len(axes) == 1:
        return raw.GatherV2(params=x, indices=indices[0], axis=axis_constant(axes[0]))
    indices = _broadcast(indices)
    if x.shape.num_elements() == 0 and all(x.shape[axis] for axis in axes):
        return _nothing(x, parts, indices[0])
    order = axes + [axis for axis in range(parts.rank) if axis not in parts.arrays]
    if order != list(range(parts.rank)):
        x = raw.Transpose(x=x, perm=ints(tuple(order)))
    rank = indices[0].shape.rank
    if rank == 0:  # TensorFlow can't differentiate that
        indices = tuple(raw.ExpandDims(input=i, axis=axis_constant(0)) for i in indices)
    result = _at(x, indices, max(rank, 1))
    if rank == 0:
        result = raw.Squeeze(input=result, axis=[0])
    if parts.adjacent and axes[0] != 0 and rank:
        result = moveaxis(result, tuple(range(rank)), tuple(range(axes[0], axes[0] + rank)))
    return result


def _at(x: Tensor, indices: tuple[Tensor, ...], rank: int) -> Tensor:
    """Select along the first axes by indices of this rank, along the last one after the others."""
    places = raw.Pack(values=list(indices[:_PLACES]), axis=-1)
    result = raw.GatherNd(params=x, indices=places)
    for index in indices[_PLACES:]:
        axis = axis_constant(rank)
        result = raw.GatherV2(params=result, indices=index, axis=axis, batch_dims=rank)
    return result


def _settled(x: Tensor, parts: Parts) -> tuple[Tensor, ...]:
    """Return the index arrays counted from zero, also where that size wasn't known, and checked."""
    sizes = x.shape
    result = []
    for axis, index in parts.arrays.items():
        if sizes[axis] is None:
            index = wrapped(index, size_of(x, axis))
        else:
            check_bounds(index, sizes[axis], 0, empty=0 in sizes)
        result.append(index)
    return tuple(result)


def _broadcast(indices: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Broadcast the index arrays against one another."""
    shape = indices[0].shape
    if shape.is_fully_defined() and all(index.shape == shape for index in indices[1:]):
        return indices
    if all(index.shape.is_fully_defined() for index in indices):
        together([shape_of(index) for index in indices])
    return broadcast_arrays(*indices)


def _nothing(x: Tensor, parts: Parts, index: Tensor) -> Tensor:
    """Select from an array that has no elements, but not for the axes selected along."""
    axes = list(parts.arrays)
    rest = [size for axis, size in enumerate(shape_of(x)) if axis not in parts.arrays]
    first = len([a for a in range(axes[0]) if a not in axes]) if parts.adjacent else 0
    sizes = [ints(tuple(rest[:first])), shape_tensor(index), ints(tuple(rest[first:]))]
    dims = raw.ConcatV2(values=sizes, axis=const(0, tf.int32))
    return raw.Fill(dims=dims, value=const(0, x.dtype))


def is_mask_of(x: Tensor, key: Any) -> bool:
    """Return True if a key is one mask of x's shape."""
    return (
        isinstance(key, tf.Tensor)
        and key.dtype is tf.bool
        and key.shape.rank > 0
        and key.shape.as_list() == x.shape.as_list()
    )


@functools.lru_cache(maxsize=_CACHED)
def one_element(
    shape: tuple[int, ...], key: Any, value: Any, spelling: str, dtype: Any
) -> tuple[Tensor, Tensor]:
    """Return a place and what to scatter there, or None if the key names more than one element.

    Both are made once, as constants cost more than the assignment.
    """
    places = (key,) if type(key) is int else key
    if not shape or len(places) != len(shape):
        return None, None
    return _place(shape, places), _kept(value, spelling, dtype, (1,))


@functools.lru_cache(maxsize=_CACHED)
def _place(shape: tuple[int, ...], key: tuple[int, ...]) -> Tensor:
    """Return indices as TensorFlow scatters to them; `jacobian` takes those of int32 only."""
    pairs = enumerate(zip(key, shape, strict=True))
    place = [within(index, size, axis) % size for axis, (index, size) in pairs]
    with tf.init_scope():
        return tf.constant([place], tf.int32 if max(place) < 2**31 else tf.int64)


def spelling(value: Any) -> str:
    """Tell numbers apart that are equal: of several types, and zeros of either sign."""
    return "" if type(value) is float and value else repr(value)


def _constant(value: Any, dtype: Any, shape: tuple[int, ...]) -> Tensor:
    """Return a Python scalar in a data type and shape; small ones are made once for each value."""
    if math.prod(shape) > _SMALL:
        return broadcast(assignable(value, dtype), shape)
    return _kept(value, spelling(value), dtype, shape)


@functools.lru_cache(maxsize=_CACHED)
def _kept(value: Any, spelling: str, dtype: Any, shape: tuple[int, ...]) -> Tensor:
    with tf.init_scope():
        return broadcast(assignable(value, dtype), shape)


def assignable(value: Any, dtype: Any) -> Tensor:
    """Return `value` in a data type, as `astype` would give it."""
    if type(value) is EagerTensor and value.dtype is dtype:
        return value
    target = as_dtype(dtype)
    assert target is not None
    if type(value) not in SCALARS:
        check_complex("set_item", "value", dtype_of(value), target)
        return cast(value, dtype)
    check_complex("set_item", "value", of_scalar(value), target)
    if type(value) is int:
        check_integer(value, target)
    if isinstance(value, float) and target.kind in "iu":
        return cast(const(value, tf.float64), dtype)
    if target.kind == "b":
        return const(bool(value), tf.bool)
    return scalar(value, dtype)


def spread(value: Any, dtype: Any, shape: tuple[int | None, ...], target: Tensor) -> Tensor:
    """Broadcast to a shape; where it isn't known while tracing, to that of a tensor."""
    unknown = None in shape
    if type(value) in SCALARS:
        if not unknown:
            return _constant(value, dtype, shape)  # type: ignore[arg-type]  # all are known
        value = assignable(value, dtype)
    elif not unknown and shape_of(value) == shape:
        return value
    value = _fitting(value, shape)
    return broadcast(value, shape, shape_tensor(target) if unknown else None)


def _fitting(value: Tensor, shape: tuple[int | None, ...]) -> Tensor:
    """Return what broadcasts to a shape; axes of size one in front of it are dropped."""
    given = shape_of(value)
    extra = len(given) - len(trimmed_shape(given, shape))
    return raw.Squeeze(input=value, axis=list(range(extra))) if extra else value


def scattered(x: Tensor, parts: Parts, value: Any) -> Tensor:
    """Assign by arrays: to rows, or to positions in the flattened x, selected from all of them."""
    if parts.whole and list(parts.arrays) == [0]:
        return _written(x, _settled(x, parts)[0], value, parts.distinct)
    size = raw.Prod(input=shape_tensor(x), axis=ints((0,)))
    places = raw.Range(start=const(0, tf.int64), limit=size, delta=const(1, tf.int64))
    selected = parts.apply(raw.Reshape(tensor=places, shape=shape_tensor(x)))
    if parts.arrays:
        selected = gathered(selected, parts)
    flat = raw.Reshape(tensor=x, shape=ints((-1,)))
    result = _written(flat, selected, value, parts.distinct)
    return raw.Reshape(tensor=result, shape=shape_tensor(x))


def _written(x: Tensor, index: Tensor, value: Any, distinct: bool) -> Tensor:
    """Replace rows of x; of those that are named twice or more, the last value stays."""
    shape = (*shape_of(index), *shape_of(x)[1:])
    target = raw.GatherV2(params=x, indices=index, axis=axis_constant(0)) if None in shape else None
    value = spread(value, x.dtype, shape, target)
    if 0 in shape:
        return x
    if not index.shape.rank:  # the kernel wants an axis
        value = raw.ExpandDims(input=value, axis=axis_constant(0))
        index = raw.ExpandDims(input=index, axis=axis_constant(0))
    single = index.shape.num_elements() == 1
    if distinct or single or (eager() and _are_distinct(np.asarray(index))):
        # tf.vectorized_map takes indices of int32 only.
        index = index if VECTORIZED.get(None) is None else cast(index, tf.int32)
        index = raw.ExpandDims(input=index, axis=axis_constant(-1))
        return raw.TensorScatterUpdate(tensor=x, indices=index, updates=value)
    return _last_of(x, index, value)


def _last_of(x: Tensor, index: Tensor, value: Tensor) -> Tensor:
    """Replace rows of x by the last of the values that are meant for each.

    TensorFlow's own derivative counts all of them, and only its CPU writes them in order.
    """
    sizes = shape_tensor(x)
    rows = raw.ConcatV2(values=[ints((-1,)), sizes[1:]], axis=axis_constant(0))
    index = raw.Reshape(tensor=index, shape=ints((-1, 1)))
    size, one = sizes[0], const(1, tf.int64)
    end = raw.AddV2(x=size, y=raw.Size(input=index, out_type=tf.int64))
    sources = raw.TensorScatterMax(
        tensor=raw.Range(start=const(0, tf.int64), limit=size, delta=one),
        indices=index,
        updates=raw.Range(start=size, limit=end, delta=one),
    )
    both = raw.ConcatV2(values=[x, raw.Reshape(tensor=value, shape=rows)], axis=axis_constant(0))
    return raw.GatherV2(params=both, indices=sources, axis=axis_constant(0))


def _are_distinct(values: Any) -> bool:
    return values.size < 2 or bool(np.unique(values).size == values.size)
