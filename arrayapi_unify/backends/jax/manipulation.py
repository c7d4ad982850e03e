"""JAX's implementations of the manipulation functions."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify.backends._common.algorithms.manipulation import cuts, fills, sizes_of, widths
from arrayapi_unify.backends._common.checks.arguments import (
    check_repeats,
    raise_negative_repeats_error,
    whole_repeats,
)
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
from arrayapi_unify.backends.jax._core import JaxArray, is_traced, promoted
from arrayapi_unify.backends.jax._looks import values_everywhere
from arrayapi_unify.backends.jax.dtypes import dtype_of
from arrayapi_unify.backends.jax.indexing import get_item
from arrayapi_unify.backends.kernel import partial_mixed


def broadcast_arrays(*arrays: JaxArray) -> tuple[JaxArray, ...]:
    """Broadcast."""
    shape = np.broadcast_shapes(*[x.shape for x in arrays])
    return tuple(jnp.broadcast_to(x, shape) for x in arrays)


def broadcast_to(x: JaxArray, /, shape: tuple[int, ...]) -> JaxArray:
    """Broadcast."""
    check_no_bool("broadcast_to", shape, "shape")
    if type(shape) is tuple:
        check_addressed("broadcast_to", "shape", shape)
    return jnp.broadcast_to(x, in_order(shape))


@functools.partial(jax.jit, static_argnums=1)
def _concat(arrays: list[JaxArray], axis: int) -> JaxArray:
    return lax.concatenate(promoted(*arrays), axis)


def concat(arrays: Sequence[JaxArray], /, *, axis: int | None = 0) -> JaxArray:
    """Join."""
    if axis is None:
        arrays, axis = [x.reshape(-1) for x in arrays], 0
    if not arrays[0].ndim:
        check_joined("concat", [x.shape for x in arrays], axis)
    return _concat(list(arrays), normalize_axis("concat", axis, arrays[0].ndim))


def expand_dims(x: JaxArray, /, axis: int | tuple[int, ...]) -> JaxArray:
    """Insert axes."""
    return _reshape(x, _with_ones(x.shape, inserted_axes(axis, x.ndim)))


def _with_ones(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    sizes = iter(shape)
    return tuple(1 if i in axes else next(sizes) for i in range(len(shape) + len(axes)))


def flip(x: JaxArray, /, *, axis: int | tuple[int, ...] | None = None) -> JaxArray:
    """Reverse."""
    return jnp.flip(x, normalize_axes("flip", axis, x.ndim))


def moveaxis(
    x: JaxArray, source: int | tuple[int, ...], destination: int | tuple[int, ...], /
) -> JaxArray:
    """Move axes."""
    return jnp.moveaxis(x, *moved_axes(source, destination, x.ndim))


def permute_dims(x: JaxArray, /, axes: tuple[int, ...]) -> JaxArray:
    """Permute."""
    return lax.transpose(x, permutation(axes, x.ndim))


def repeat(x: JaxArray, repeats: JaxArray | int, /, *, axis: int | None = None) -> JaxArray:
    """Repeat elements; counts in an array decide the shape, so they can't be traced."""
    axis = None if axis is None else normalize_axis("repeat", axis, x.ndim)
    length = x.size if axis is None else x.shape[axis]
    if not isinstance(repeats, jax.Array):
        repeats = whole_repeats(repeats)
        if repeats < 0:
            raise_negative_repeats_error()
        return jnp.repeat(x, repeats, axis, total_repeat_length=length * repeats)
    counts = values_everywhere(repeats)
    check_repeats(dtype_of(repeats), counts.shape, length, bool((counts < 0).any()))
    counts = counts.astype(np.int64)
    counts = np.broadcast_to(counts, (length,))
    return jnp.repeat(x, counts, axis, total_repeat_length=int(counts.sum()))


# jnp.reshape checks in Python what jit's cache remembers.
@functools.partial(jax.jit, static_argnums=1)
def _reshape(x: JaxArray, shape: tuple[int, ...]) -> JaxArray:
    return jnp.reshape(x, shape)


def reshape(x: JaxArray, /, shape: tuple[int, ...], *, copy: bool | None = None) -> JaxArray:
    """Reshape. Arrays never change, so a copy can't be told from a view; False always succeeds."""
    given: Any = shape
    if type(given) is range:
        in_order(given)
    try:
        result = _reshape(x, shape)
    except (TypeError, ValueError):
        result = _reshape(x, resolved_shape(x.shape, shape))
    return jnp.array(result, copy=True) if copy and not is_traced(x) else result


def roll(
    x: JaxArray, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None
) -> JaxArray:
    """Roll; shifts are reduced to the size first, as JAX takes none beyond 64 bits."""
    by: Any = shifts_of(shift, axis)
    if axis is None:
        return jnp.roll(x, by % (x.size or 1))
    axes = axis if isinstance(axis, tuple) else (axis,)
    numbers = tuple(normalize_axis("roll", a, x.ndim) for a in axes)
    shifts = by if isinstance(by, tuple) else (by,) * len(numbers)
    reduced = tuple(s % (x.shape[a] or 1) for s, a in zip(shifts, numbers, strict=True))
    return jnp.roll(x, reduced, numbers) if numbers else x


def squeeze(x: JaxArray, /, axis: int | tuple[int, ...]) -> JaxArray:
    """Remove axes."""
    axes = normalize_axes("squeeze", axis, x.ndim)
    check_squeezable(x.shape, axes)
    return _reshape(x, tuple(n for i, n in enumerate(x.shape) if i not in axes))


@functools.partial(jax.jit, static_argnums=1)
def _stack(arrays: list[JaxArray], axis: int) -> JaxArray:
    return jnp.stack(promoted(*arrays), axis)


def stack(arrays: Sequence[JaxArray], /, *, axis: int = 0) -> JaxArray:
    """Join along a new axis."""
    return _stack(list(arrays), normalize_axis("stack", axis, arrays[0].ndim + 1))


def tile(x: JaxArray, repetitions: tuple[int, ...], /) -> JaxArray:
    """Tile."""
    return jnp.tile(x, check_repetitions(repetitions))


@functools.partial(jax.jit, static_argnums=(1, 2))
def _parts(x: JaxArray, axis: int, sizes: tuple[int, ...]) -> list[JaxArray]:
    return [lax.slice_in_dim(x, a, b, axis=axis) for a, b in cuts(sizes)]


def split(
    x: JaxArray, /, *, num_or_size_splits: int | Sequence[int] | None = None, axis: int = 0
) -> tuple[JaxArray, ...]:
    """Cut, in one kernel."""
    axis, sizes = sizes_of(x.shape, num_or_size_splits, axis)
    return tuple(_parts(x, axis, sizes))


def unstack(x: JaxArray, /, *, axis: int = 0) -> tuple[JaxArray, ...]:
    """Split, by one kernel for all parts: one for each would be compiled for each."""
    at = (slice(None),) * normalize_axis("unstack", axis, x.ndim)
    return tuple(get_item(x, (*at, i)) for i in range(x.shape[len(at)]))


@functools.partial(jax.jit, static_argnums=(1, 2))
def _pad(x: JaxArray, ends: tuple[tuple[int, int, int], ...], value: float) -> JaxArray:
    return lax.pad(x, jnp.asarray(value, x.dtype), ends)


@partial_mixed(fills(lambda x: x.dtype.kind == "f"))
def pad(
    x: JaxArray, /, pad_width: Any, *, mode: str = "constant", constant_values: Any = 0
) -> JaxArray:
    """Fill in one kernel."""
    ends = tuple([(before, after, 0) for before, after in widths(pad_width, x.ndim)])
    return _pad(x, ends, constant_values)
