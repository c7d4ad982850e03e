"""Indexing functions of the TensorFlow backend, and what `x[key]` and `x[key] = value` do."""

from __future__ import annotations

import inspect
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends._common.checks.arguments import (
    check_element,
    check_rank_of_indices,
    raise_indices_error,
    raise_no_axis_error,
)
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends.tensorflow._core import (
    SCALARS,
    EagerTensor,
    Tensor,
    axis_constant,
    broadcast,
    cast,
    kind_of,
    rank_of,
    raw,
    shape_of,
    tensor,
)
from arrayapi_unify.backends.tensorflow._gather_scatter import (
    assignable,
    gathered,
    is_mask_of,
    one_element,
    scattered,
    size_of,
    spelling,
    spread,
)
from arrayapi_unify.backends.tensorflow._keys import check_bounds, parse, wrapped
from arrayapi_unify.backends.tensorflow._sort_keys import along_last, to_last

_INDICES: Final = frozenset({tf.int32, tf.int64})
_INTEGERS: Final = frozenset({int})
# Without the wrapper that refuses positional arguments, a tenth of the time.
_scatter: Final = inspect.unwrap(raw.TensorScatterUpdate)
_slice_update: Final = inspect.unwrap(raw.TensorStridedSliceUpdate)


# --- take -------------------------------------------------------------------------------------


def _from_zero(function: str, x: Tensor, axis: int, indices: Tensor) -> Tensor:
    """Return positions counted from zero; kernels on the CPU refuse those out of bounds."""
    if kind_of(indices) not in "iu":
        raise_indices_error(function, indices.dtype.name)
    indices = cast(indices, tf.int64)
    size = x.shape[axis]
    if size is None:
        return wrapped(indices, size_of(x, axis))
    check_bounds(indices, size, -size, empty=0 in x.shape)
    return wrapped(indices, size)


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """Select along an axis."""
    if axis is None and rank_of(x) != 1:
        raise_no_axis_error(shape_of(x))
    axis = normalize_axis("take", 0 if axis is None else axis, rank_of(x))
    indices = _from_zero("take", x, axis, indices)
    return raw.GatherV2(params=x, indices=indices, axis=axis_constant(axis))


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """Select along each vector; the other axes broadcast."""
    rank = rank_of(x)
    check_rank_of_indices(shape_of(indices), shape_of(x))
    axis = normalize_axis("take_along_axis", axis, rank)
    indices = _from_zero("take_along_axis", x, axis, indices)
    rows, places = to_last(x, axis), to_last(indices, axis)
    if shape_of(rows)[:-1] != shape_of(places)[:-1]:
        lead = tf.broadcast_static_shape(rows.shape[:-1], places.shape[:-1])
        rows = broadcast(rows, (*lead, rows.shape[-1]))
        places = broadcast(places, (*lead, places.shape[-1]))
    return to_last(along_last(rows, places), axis)


# --- x[key] -----------------------------------------------------------------------------------


def get_item(x: Tensor, key: Any, /) -> Tensor:
    """Select: a strided slice, then a gather."""
    if isinstance(key, tf.Tensor) and key.dtype in _INDICES and x.shape.rank:
        rows = _from_zero("get_item", x, 0, key)
        return raw.GatherV2(params=x, indices=rows, axis=axis_constant(0))
    parts = parse(shape_of(x), key)
    sliced = parts.apply(x)
    return gathered(sliced, parts) if parts.arrays else tensor(sliced)


# --- x[key] = value ---------------------------------------------------------------------------


def set_item(x: Tensor, key: Any, value: Any, /) -> Tensor:
    """Assign: return x with the selected elements replaced."""
    scalar_given = type(value) in SCALARS
    if scalar_given and type(x) is EagerTensor and (type(key) is int or _is_of_integers(key)):
        place, update = one_element(tuple(x.shape), key, value, spelling(value), x.dtype)
        if place is not None:
            return _scatter(tensor=x, indices=place, updates=update)
    x = tensor(x)
    if not scalar_given:
        value = assignable(value, x.dtype)
        if value.shape.rank:
            check_element(shape_of(value), key, rank_of(x))
    if is_mask_of(x, key) and (scalar_given or value.shape.rank == 0):
        return raw.SelectV2(condition=key, t=spread(value, x.dtype, (), x), e=x)
    parts = parse(shape_of(x), key)
    if parts.arrays or parts.too_many:
        return scattered(x, parts, value)
    target = parts.apply(x) if None in parts.shape else None
    value = spread(value, x.dtype, parts.shape, target)
    if 0 in parts.shape:
        return x
    # Also where all of x is replaced: the value itself may be exported and written to elsewhere.
    return _slice_update(input=x, value=value, **parts.arguments())


def _is_of_integers(key: Any) -> bool:
    """Return True if a key is a tuple of Python integers and nothing else."""
    return type(key) is tuple and _INTEGERS.issuperset(map(type, key))
