"""Indexing functions of the TensorFlow backend, and what `x[key]` and `x[key] = value` do."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.backends._common.creation import check_fill
from arrayapi_unify.backends.tensorflow._core import (
    SCALARS,
    Tensor,
    any_true,
    broadcast,
    cast,
    const,
    eager,
    ints,
    kind_of,
    rank_of,
    raw,
    scalar,
    shape_of,
    shape_tensor,
    tensor,
)
from arrayapi_unify.backends.tensorflow._key import Parts, parse, wrapped
from arrayapi_unify.backends.tensorflow._order import along_last, to_last
from arrayapi_unify.backends.tensorflow.dtypes import as_dtype, dtype_of
from arrayapi_unify.backends.tensorflow.manipulation import broadcast_arrays, moveaxis
from arrayapi_unify.dtypes import of_scalar
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError, refuse

__all__ = ["get_item", "set_item", "take", "take_along_axis"]


# --- take -------------------------------------------------------------------------------------


def _from_zero(function: str, indices: Tensor, size: int | None) -> Tensor:
    """Return positions counted from zero; kernels on the CPU refuse those out of bounds."""
    kind = kind_of(indices)
    if kind not in "iu":
        refuse(
            UnifyTypeError,
            function,
            "indices",
            f"has data type {indices.dtype.name}",
            "pass integers; a mask selects with x[mask]",
        )
    indices = cast(indices, tf.int64)
    if size is None:
        return indices
    _check_bounds(indices, size, -size)
    return wrapped(indices, size)


def _check_bounds(indices: Tensor, size: int, low: int, empty: bool = False) -> None:
    """Refuse what is out of bounds where the kernel doesn't: on an accelerator, in empty arrays."""
    if not eager() or not (empty or "CPU" not in indices.device):
        return
    if any_true((indices < low) | (indices >= size)):
        raise UnifyIndexError(f"an index is out of bounds for an axis of size {size}")


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """Select along an axis."""
    if axis is None and rank_of(x) != 1:
        refuse(
            UnifyValueError,
            "take",
            "axis",
            f"is None, but x has shape {shape_of(x)}",
            "say along which axis to take",
        )
    axis = normalize_axis("take", 0 if axis is None else axis, rank_of(x))
    indices = _from_zero("take", indices, x.shape[axis])
    return raw.GatherV2(params=x, indices=indices, axis=const(axis, tf.int32))


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """Select along each vector; the other axes broadcast."""
    rank = rank_of(x)
    if rank_of(indices) != rank:
        refuse(
            UnifyValueError,
            "take_along_axis",
            "indices",
            f"has {rank_of(indices)} axes, x has {rank}",
            "pass indices of x's rank",
        )
    axis = normalize_axis("take_along_axis", axis, rank)
    indices = _from_zero("take_along_axis", indices, x.shape[axis])
    rows, places = to_last(x, axis), to_last(indices, axis)
    if shape_of(rows)[:-1] != shape_of(places)[:-1]:
        lead = tf.broadcast_static_shape(rows.shape[:-1], places.shape[:-1])
        rows = broadcast(rows, (*lead, rows.shape[-1]))
        places = broadcast(places, (*lead, places.shape[-1]))
    return to_last(along_last(rows, places), axis)


# --- x[key] -----------------------------------------------------------------------------------


def get_item(x: Tensor, key: Any, /) -> Tensor:
    """Select: a strided slice, then a gather."""
    parts = parse(shape_of(x), key)
    sliced = parts.apply(x)
    return _gathered(sliced, parts) if parts.arrays else tensor(sliced)


def _gathered(x: Tensor, parts: Parts) -> Tensor:
    """Select by arrays. Their axes come where the first of them is, or first if they're apart."""
    axes = list(parts.arrays)
    for axis, index in parts.arrays.items():
        if x.shape[axis] is not None:
            _check_bounds(index, x.shape[axis], 0, empty=x.shape.num_elements() == 0)
    if len(axes) == 1:
        return raw.GatherV2(params=x, indices=parts.arrays[axes[0]], axis=const(axes[0], tf.int32))
    indices = _broadcast(parts)
    if x.shape.num_elements() == 0 and all(x.shape[axis] for axis in axes):
        return _nothing(x, parts, indices[0])
    order = axes + [axis for axis in range(parts.rank) if axis not in parts.arrays]
    if order != list(range(parts.rank)):
        x = raw.Transpose(x=x, perm=ints(tuple(order)))
    rank = indices[0].shape.rank
    places = raw.Pack(values=list(indices), axis=-1)
    if rank == 0:  # TensorFlow can't differentiate that
        places = raw.ExpandDims(input=places, axis=const(0, tf.int32))
    result = raw.GatherNd(params=x, indices=places)
    if rank == 0:
        result = raw.Squeeze(input=result, axis=[0])
    if parts.adjacent and axes[0] != 0 and rank:
        result = moveaxis(result, tuple(range(rank)), tuple(range(axes[0], axes[0] + rank)))
    return result


def _broadcast(parts: Parts) -> tuple[Tensor, ...]:
    """Broadcast the index arrays against one another."""
    try:
        return broadcast_arrays(*parts.arrays.values())
    except ValueError:
        shapes = ", ".join(str(shape_of(index)) for index in parts.arrays.values())
        raise UnifyIndexError(
            f"x[key]: index arrays of the shapes {shapes} don't broadcast; use shapes that do"
        ) from None


def _nothing(x: Tensor, parts: Parts, index: Tensor) -> Tensor:
    """Select from an array that has no elements, but not for the axes selected along."""
    axes = list(parts.arrays)
    rest = [size for axis, size in enumerate(shape_of(x)) if axis not in parts.arrays]
    first = len([a for a in range(axes[0]) if a not in axes]) if parts.adjacent else 0
    sizes = [ints(tuple(rest[:first])), shape_tensor(index), ints(tuple(rest[first:]))]
    dims = raw.ConcatV2(values=sizes, axis=const(0, tf.int32))
    return raw.Fill(dims=dims, value=const(0, x.dtype))


# --- x[key] = value ---------------------------------------------------------------------------


def set_item(x: Tensor, key: Any, value: Any, /) -> Tensor:
    """Assign: return x with the selected elements replaced."""
    x = tensor(x)
    value = _assignable(value, x)
    if _is_mask_of(x, key) and value.shape.rank == 0:
        return raw.SelectV2(condition=key, t=value, e=x)
    parts = parse(shape_of(x), key)
    if parts.arrays or parts.too_many:
        return _scattered(x, parts, value)
    if parts.whole:
        return _spread(_fitting(value, shape_of(x)), x)
    target = parts.apply(x)
    value = _fitting(value, shape_of(target))
    if target.shape.num_elements() == 0:
        return x
    value = _spread(value, target)
    return raw.TensorStridedSliceUpdate(input=x, value=value, **parts.arguments())


def _is_mask_of(x: Tensor, key: Any) -> bool:
    """Whether a key is one mask of x's shape."""
    return (
        isinstance(key, tf.Tensor)
        and key.dtype is tf.bool
        and key.shape.rank > 0
        and key.shape.as_list() == x.shape.as_list()
    )


def _assignable(value: Any, x: Tensor) -> Tensor:
    """Return `value` in x's data type, as `astype` would give it."""
    target = as_dtype(x.dtype)
    assert target is not None
    if type(value) not in SCALARS:
        check_fill("set_item", dtype_of(value), target, "value")
        return cast(value, x.dtype)
    check_fill("set_item", of_scalar(value), target, "value")
    if isinstance(value, float) and target.kind in "iu":
        return cast(const(value, tf.float64), x.dtype)
    if target.kind == "b":
        return const(bool(value), tf.bool)
    return scalar(value, x.dtype)


def _fitting(value: Tensor, shape: tuple[int | None, ...]) -> Tensor:
    """Return what broadcasts to a shape; axes of size one in front of it are dropped."""
    extra = value.shape.rank - len(shape)
    if extra > 0 and all(size == 1 for size in value.shape[:extra]):
        value = raw.Squeeze(input=value, axis=list(range(extra)))
    given = tuple(value.shape)
    pairs = zip(reversed(given), reversed(shape), strict=False)
    if len(given) > len(shape) or any(a not in (1, b, None) and b is not None for a, b in pairs):
        refuse(
            UnifyValueError,
            "set_item",
            "value",
            f"has shape {given}, which doesn't broadcast to the selected shape {shape}",
            "pass a scalar or an array of that shape",
        )
    return value


def _spread(value: Tensor, target: Tensor) -> Tensor:
    """Broadcast to the shape of another tensor."""
    known = target.shape.is_fully_defined()
    return broadcast(value, shape_of(target), None if known else shape_tensor(target))


def _scattered(x: Tensor, parts: Parts, value: Tensor) -> Tensor:
    """Assign by arrays: select from the positions in the flattened x, and write there."""
    size = raw.Prod(input=shape_tensor(x), axis=ints((0,)))
    places = raw.Range(start=const(0, tf.int64), limit=size, delta=const(1, tf.int64))
    places = raw.Reshape(tensor=places, shape=shape_tensor(x))
    selected = parts.apply(places)
    if parts.arrays:
        selected = _gathered(selected, parts)
    value = _fitting(value, tuple(selected.shape))
    value = _spread(value, selected)
    result = raw.TensorScatterUpdate(
        tensor=raw.Reshape(tensor=x, shape=ints((-1,))),
        indices=raw.Reshape(tensor=selected, shape=ints((-1, 1))),
        updates=raw.Reshape(tensor=value, shape=ints((-1,))),
    )
    return raw.Reshape(tensor=result, shape=shape_tensor(x))
