"""Dask's implementations of the manipulation functions; NumPy's checks run on stand-ins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from arrayapi_unify.backends._common.algorithms.manipulation import cuts, sizes_of
from arrayapi_unify.backends._common.checks.arguments import raise_negative_repeats_error
from arrayapi_unify.backends._common.checks.axes import (
    check_no_bool,
    check_repetitions,
    in_order,
    inserted_axes,
    moved_axes,
    normalize_axis,
    one_or_in_order,
    permutation,
    shifts_of,
)
from arrayapi_unify.backends._common.checks.shapes import resolved_shape
from arrayapi_unify.backends._common.checks.sizes import check_addressed
from arrayapi_unify.backends.dask._alignment import dense
from arrayapi_unify.backends.dask._core import at, axes_of, cast
from arrayapi_unify.backends.dask._lazy import known_shape, values_of
from arrayapi_unify.backends.dask._lift import alias, constant
from arrayapi_unify.backends.dask._merging import join_small, take_small, tile_small
from arrayapi_unify.backends.dask._natives import DaskArray, one, small, stand_in
from arrayapi_unify.backends.dask._sizes import carried, sliced
from arrayapi_unify.backends.numpy import manipulation as numpy


def broadcast_arrays(*arrays: DaskArray) -> tuple[DaskArray, ...]:
    """Broadcast."""
    shape = np.broadcast_shapes(*map(known_shape, arrays))
    return tuple(alias(x) if x.shape == shape else da.broadcast_to(x, shape) for x in arrays)


def broadcast_to(x: DaskArray, /, shape: tuple[int, ...]) -> DaskArray:
    """Broadcast."""
    sizes = tuple(in_order(shape))
    check_addressed("broadcast_to", "shape", sizes)
    if not _broadcasts(x.shape, sizes):
        numpy.broadcast_to(stand_in(x.dtype, known_shape(x)), sizes)
    return da.broadcast_to(x, sizes)


def _broadcasts(shape: tuple[int, ...], sizes: tuple[int, ...]) -> bool:
    """Return True if a shape surely broadcasts to sizes, in less time than NumPy needs for it."""
    last = sizes[len(sizes) - len(shape) :]
    return (
        len(sizes) >= len(shape)
        and all(type(n) is int and n >= 0 for n in sizes)
        and all(n in (1, size) for n, size in zip(shape, last, strict=True))
    )


def concat(arrays: Sequence[DaskArray], /, *, axis: int | None = 0) -> DaskArray:
    """Join."""
    for x in arrays:
        known_shape(x)
    like = numpy.concat([stand_in(x.dtype, ()) for x in _of_types(arrays)], axis=None)
    if axis is None:
        arrays, axis = [reshape(x, (-1,)) for x in arrays], 0
    else:
        numpy.concat([_thin(x, axis) for x in arrays], axis=axis)
    return join_small([cast(x, like.dtype) for x in arrays], axis, new=False)


def _of_types(arrays: Sequence[DaskArray]) -> Sequence[DaskArray]:
    """Return arrays of all the data types, of which one is enough if they are the same."""
    return arrays[:1] if len({x.dtype for x in arrays}) == 1 else arrays


def _thin(x: DaskArray, axis: int) -> Any:
    """Return a stand-in of all sizes but that along an axis, without elements."""
    at = axis % x.ndim if x.ndim and type(axis) is int else None
    return (
        np.empty([0 if a == at else n for a, n in enumerate(x.shape)], x.dtype)
        if x.ndim
        else one(x)
    )


def expand_dims(x: DaskArray, /, axis: int | tuple[int, ...]) -> DaskArray:
    """Insert axes."""
    check_no_bool("expand_dims", axis)
    axes = inserted_axes(axis, x.ndim)
    return sliced(x, tuple(None if a in axes else slice(None) for a in range(x.ndim + len(axes))))


def flip(x: DaskArray, /, *, axis: int | tuple[int, ...] | None = None) -> DaskArray:
    """Reverse."""
    numpy.flip(one(x), axis=axis)
    axes = axes_of(axis if axis is None else one_or_in_order(axis), x.ndim)
    back = tuple(slice(None, None, -1 if a in axes else None) for a in range(x.ndim))
    known_shape(x)  # by which Dask reverses
    return dense(x)[back] if axes else alias(x)


def moveaxis(
    x: DaskArray, source: int | tuple[int, ...], destination: int | tuple[int, ...], /
) -> DaskArray:
    """Move axes."""
    numpy.moveaxis(one(x), source, destination)
    here, there = moved_axes(source, destination, x.ndim)
    order = [a for a in range(x.ndim) if a not in here]
    for to, axis in sorted(zip(there, here, strict=True)):
        order.insert(to, axis)
    return carried(da.transpose(x, order), x, order)


def permute_dims(x: DaskArray, /, axes: tuple[int, ...]) -> DaskArray:
    """Permute."""
    if not x.ndim:
        return _same(x, axes)
    order = permutation(in_order(axes), x.ndim)
    return carried(da.transpose(x, order), x, order)


def _same(x: DaskArray, axes: Any) -> DaskArray:
    numpy.permute_dims(one(x), axes)
    return alias(x)


def repeat(x: DaskArray, repeats: DaskArray | int, /, *, axis: int | None = None) -> DaskArray:
    """Repeat elements; an array of counts is computed, since the size of the result is its sum."""
    counts: Any = values_of(repeats) if isinstance(repeats, da.Array) else repeats
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    else:
        numpy.repeat(one(x), 1, axis=axis)
        axis = normalize_axis("repeat", axis, x.ndim)
    places = numpy.repeat(np.arange(known_shape(x)[axis]), counts)
    if np.min(counts, initial=0) < 0:
        raise_negative_repeats_error()
    return take_small(dense(x), axis, places)


def reshape(
    x: DaskArray, /, shape: int | tuple[int, ...], *, copy: bool | None = None
) -> DaskArray:
    """Reshape; where axes are neither merged nor split evenly, by way of one axis."""
    sizes = in_order(shape) if not isinstance(shape, int) else (shape,)
    if sorted(sizes) == [-1, *[1] * (len(sizes) - 1)] and _is_vector(x):
        flat = x[tuple(0 if n == 1 else slice(None) for n in x.shape)]
        return flat[tuple(None if n == 1 else slice(None) for n in sizes)]
    found = tuple(resolved_shape(known_shape(x), sizes))
    if found == x.shape:
        return alias(x)
    if 0 in found:  # Dask's algorithm divides by the sizes
        return constant(np.empty(found, x.dtype))
    x = dense(x)
    try:
        return da.reshape(x, found)
    except NotImplementedError:
        return da.reshape(da.reshape(x, (-1,)), found)


def _is_vector(x: DaskArray) -> bool:
    """Return True for one axis of unknown size among axes of size one."""
    others = [n for n in x.shape if n != 1]
    return len(others) == 1 and others[0] != others[0]


def roll(
    x: DaskArray, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None
) -> DaskArray:
    """Roll."""
    shift = shifts_of(shift, axis)
    numpy.roll(one(x), shift, axis=axis)
    if axis == () or 0 in known_shape(x) or not x.ndim:
        return alias(x)
    if axis is None:
        return reshape(_rolled(reshape(x, (-1,)), shift, 0), x.shape)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes_of(axis, x.ndim))
    for by, along in zip(shifts, axes_of(axis, x.ndim), strict=True):
        x = _rolled(x, by, along)
    return x


def _rolled(x: DaskArray, shift: Any, axis: int) -> DaskArray:
    by = int(shift) % x.shape[axis]
    if not by:
        return alias(x)
    parts = [x[at(axis, slice(-by, None))], x[at(axis, slice(None, -by))]]
    return join_small(parts, axis, new=False)


def squeeze(x: DaskArray, /, axis: int | tuple[int, ...]) -> DaskArray:
    """Remove axes."""
    numpy.squeeze(small(_known(x)), axis)
    axes = axes_of(axis, x.ndim)
    return x[tuple(0 if a in axes else slice(None) for a in range(x.ndim))] if axes else alias(x)


def _known(x: DaskArray) -> DaskArray:
    known_shape(x)
    return x


def stack(arrays: Sequence[DaskArray], /, *, axis: int = 0) -> DaskArray:
    """Join along a new axis."""
    shapes = {known_shape(x) for x in arrays}
    if len(shapes) > 1:
        raise ValueError("all input arrays must have the same shape")
    like = numpy.stack([one(x) for x in _of_types(arrays)], axis=axis)
    return join_small([cast(x, like.dtype) for x in arrays], axis, new=True)


def tile(x: DaskArray, repetitions: tuple[int, ...], /) -> DaskArray:
    """Tile."""
    counts = check_repetitions(repetitions)
    shape = known_shape(x)
    rank = max(x.ndim, len(counts))
    counts = (1,) * (rank - len(counts)) + counts
    x = reshape(x, (1,) * (rank - x.ndim) + shape)
    return tile_small(x, counts)


def split(
    x: DaskArray, /, *, num_or_size_splits: int | Sequence[int] | None = None, axis: int = 0
) -> tuple[DaskArray, ...]:
    """Cut."""
    axis, sizes = sizes_of(known_shape(x), num_or_size_splits, axis)
    return tuple(x[at(axis, slice(a, b))] for a, b in cuts(sizes))


def unstack(x: DaskArray, /, *, axis: int = 0) -> tuple[DaskArray, ...]:
    """Take apart along an axis."""
    numpy.unstack(one(x), axis=axis)
    axis = normalize_axis("unstack", axis, x.ndim)
    return tuple(x[at(axis, i)] for i in range(known_shape(x)[axis]))
