"""TensorFlow's implementations of the manipulation functions."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.manipulation import fills, sizes_of, widths
from arrayapi_unify.backends._common.checks.arguments import check_repeats, whole_repeats
from arrayapi_unify.backends._common.checks.axes import (
    check_no_bool,
    check_repetitions,
    check_squeezable,
    in_order,
    inserted_axes,
    moved_axes,
    normalize_axes,
    normalize_axis,
    permutation,
    shifts_of,
)
from arrayapi_unify.backends._common.checks.shapes import check_joined, resolved_shape
from arrayapi_unify.backends._common.checks.sizes import check_addressed
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.tensorflow._core import (
    EagerTensor,
    Tensor,
    any_true,
    axis_constant,
    broadcast,
    cast,
    const,
    eager,
    ints,
    padded,
    rank_of,
    raw,
    shape_of,
    shape_tensor,
    tensor,
    tiled,
    together,
)
from arrayapi_unify.backends.tensorflow._interchange import copy as copy_memory
from arrayapi_unify.backends.tensorflow.dtypes import dtype_of

# --- shapes -----------------------------------------------------------------------------------


def reshape(x: Tensor, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Tensor:
    """Reshape, which shares memory; sizes may be anything that stands for an integer."""
    try:
        result = raw.Reshape(tensor=x, shape=ints(shape))
    except (TypeError, ValueError):  # a list, a lone integer, arrays as sizes
        sizes = shape if isinstance(shape, list | tuple) else (shape,)
        result = raw.Reshape(tensor=x, shape=ints(tuple(map(operator.index, sizes))))
    if 0 in x.shape and 0 in result.shape:  # TensorFlow infers a size for -1 with a size of 0
        resolved_shape(x.shape, shape)
    return copy_memory(result) if copy else result


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    """Broadcast."""
    check_no_bool("broadcast_to", shape, "shape")
    sizes = tuple(map(operator.index, in_order(shape)))
    check_addressed("broadcast_to", "shape", sizes)
    return broadcast(x, sizes)


def broadcast_arrays(*arrays: Tensor) -> tuple[Tensor, ...]:
    """Broadcast against one another."""
    if not arrays:
        return ()
    shape = arrays[0].shape
    for x in arrays[1:]:
        shape = tf.broadcast_static_shape(shape, x.shape)
    sizes = None
    if not shape.is_fully_defined():
        sizes = shape_tensor(arrays[0])
        for x in arrays[1:]:
            sizes = raw.BroadcastArgs(s0=sizes, s1=shape_tensor(x))
    return tuple(
        tensor(x)
        if x.shape.as_list() == shape.as_list() and shape.is_fully_defined()
        else broadcast(x, tuple(shape), sizes)
        for x in arrays
    )


def expand_dims(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """Insert axes, each at its place in the result."""
    for one in sorted(inserted_axes(axis, rank_of(x))):
        x = raw.ExpandDims(input=x, axis=const(one, tf.int32))
    return tensor(x)


def squeeze(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """Remove axes of size one."""
    axes = normalize_axes("squeeze", axis, rank_of(x))
    check_squeezable([1 if size is None else size for size in shape_of(x)], axes)
    # Without any axes the kernel would remove all it can.
    return raw.Squeeze(input=x, axis=list(axes)) if axes else tensor(x)


def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """Permute."""
    return raw.Transpose(x=x, perm=ints(permutation(axes, rank_of(x))))


def moveaxis(
    x: Tensor, source: int | tuple[int, ...], destination: int | tuple[int, ...], /
) -> Tensor:
    """Move axes."""
    rank = rank_of(x)
    here, there = moved_axes(source, destination, rank)
    order = [axis for axis in range(rank) if axis not in here]
    for place, axis in sorted(zip(there, here, strict=True)):
        order.insert(place, axis)
    return raw.Transpose(x=x, perm=ints(tuple(order)))


# --- joining and splitting --------------------------------------------------------------------


def _alike(arrays: Sequence[Tensor]) -> Sequence[Tensor]:
    """Return the arrays in the data type to which they promote."""
    first = arrays[0].dtype
    return arrays if all(x.dtype is first for x in arrays) else together(arrays)


def _one_sort(arrays: Sequence[Tensor]) -> bool:
    """Return True if arrays have values and one data type, so that the kernel checks the rest."""
    return len({(type(x), x.dtype) for x in arrays}) == 1 and type(arrays[0]) is EagerTensor


def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """Join; without an axis, flattened."""
    if type(axis) is int and len(arrays) > 1 and _one_sort(arrays):
        try:
            return raw.ConcatV2(values=arrays, axis=axis_constant(axis))
        except tf.errors.InvalidArgumentError:
            pass  # the checks below raise a better error
    arrays = _alike(arrays)
    if axis is None:
        arrays = [reshape(x, (-1,)) for x in arrays]
        axis = 0
    rank = rank_of(arrays[0])
    axis = normalize_axis("concat", axis, rank) if rank else 0
    check_joined("concat", [shape_of(x) for x in arrays], axis)
    if len(arrays) == 1:
        return tensor(arrays[0])
    return raw.ConcatV2(values=list(arrays), axis=const(axis, tf.int32))


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """Join along a new axis."""
    arrays = _alike(arrays)
    axis = normalize_axis("stack", axis, rank_of(arrays[0]) + 1)
    check_joined("stack", [shape_of(x) for x in arrays], None)
    if not eager() and arrays[0].dtype is tf.uint16:
        # The optimizer of graphs tiles where all are one array, and has no kernel for these.
        arrays = [tf.bitcast(x, tf.int16) for x in arrays]
        return tf.bitcast(raw.Pack(values=arrays, axis=axis), tf.uint16)
    return raw.Pack(values=list(arrays), axis=axis)


def split(
    x: Tensor, /, *, num_or_size_splits: int | Sequence[int] | None = None, axis: int = 0
) -> tuple[Tensor, ...]:
    """Cut."""
    axis, sizes = sizes_of(shape_of(x), num_or_size_splits, axis)
    if len(sizes) < 2:
        return (tensor(x),) * len(sizes)
    parts = raw.SplitV(value=x, size_splits=ints(sizes), axis=axis, num_split=len(sizes))
    if not tf.executing_eagerly():  # which forgets the shapes of many parts
        shape = shape_of(x)
        for part, size in zip(parts, sizes, strict=True):
            part.set_shape((*shape[:axis], size, *shape[axis + 1 :]))
    return tuple(parts)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """Split."""
    axis = normalize_axis("unstack", axis, rank_of(x))
    return tuple(raw.Unpack(value=x, num=x.shape[axis], axis=axis)) if x.shape[axis] else ()


# --- rearrangement ----------------------------------------------------------------------------


def flip(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """Reverse."""
    axes = normalize_axes("flip", axis, rank_of(x))
    return raw.ReverseV2(tensor=x, axis=ints(axes)) if axes else tensor(x)


def roll(
    x: Tensor, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None
) -> Tensor:
    """Roll; without an axis, as if flattened. Shifts may exceed 64 bits."""
    shift = shifts_of(shift, axis)
    if axis is None:
        flat = roll(reshape(x, (-1,)), shift, axis=0)
        return raw.Reshape(tensor=flat, shape=shape_tensor(x))
    if not isinstance(axis, tuple | list):
        axis = (axis,)
    axes = tuple(normalize_axis("roll", one, rank_of(x)) for one in axis)
    shifts: Any = shift if isinstance(shift, tuple | list) else (shift,) * len(axes)
    sizes = [2**62 if x.shape[a] is None else max(x.shape[a], 1) for a in axes]
    by = tuple(operator.index(s) % size for s, size in zip(shifts, sizes, strict=True))
    return raw.Roll(input=x, shift=ints(by), axis=ints(axes)) if axes else tensor(x)


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """Tile; the shorter of shape and repetitions is filled up with ones in front."""
    counts = check_repetitions(repetitions)
    rank = rank_of(x)
    if len(counts) > rank:
        x = expand_dims(x, tuple(range(len(counts) - rank)))
    counts = (1,) * (rank - len(counts)) + counts
    return tiled(x, counts)


def repeat(x: Tensor, repeats: Tensor | int, /, *, axis: int | None = None) -> Tensor:
    """Repeat elements, by the index of the element that stands at each place of the result."""
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    axis = normalize_axis("repeat", axis, rank_of(x))
    size = x.shape[axis]
    length = shape_tensor(x)[axis] if size is None else const(size, tf.int64)
    counts = _counts(repeats, size, length)
    ends = raw.Cumsum(x=counts, axis=const(0, tf.int32))
    total = raw.Sum(input=counts, axis=ints((0,)))
    places = raw.Range(start=const(0, tf.int64), limit=total, delta=const(1, tf.int64))
    source = raw.UpperBound(
        sorted_inputs=reshape(ends, (1, -1)), values=reshape(places, (1, -1)), out_type=tf.int64
    )
    return raw.GatherV2(params=x, indices=reshape(source, (-1,)), axis=const(axis, tf.int32))


def _counts(repeats: Any, size: int | None, length: Tensor) -> Tensor:
    """Return how often to repeat each element, checked where values are known."""
    given = repeats
    if not isinstance(repeats, tf.Tensor):
        given = tf.convert_to_tensor(whole_repeats(repeats), tf.int64)
    counts = cast(given, tf.int64)
    negative = eager() and any_true(counts < 0)
    check_repeats(dtype_of(given), shape_of(given), size, negative)
    return raw.BroadcastTo(input=counts, shape=reshape(length, (1,)))


@partial_mixed(fills(lambda x: x.dtype.is_floating))
def pad(
    x: Tensor, /, pad_width: Any, *, mode: str = "constant", constant_values: Any = 0
) -> Tensor:
    """Fill in one kernel."""
    return padded(x, _ends(widths(pad_width, rank_of(x))), const(constant_values, x.dtype))


@functools.lru_cache(maxsize=1024)
def _ends(pairs: tuple[tuple[int, int], ...]) -> Tensor:
    with tf.init_scope(), tf.device("CPU:0"):
        return tf.constant(pairs, tf.int64, (len(pairs), 2))
