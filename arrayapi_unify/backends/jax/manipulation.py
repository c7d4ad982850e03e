"""JAX's implementations of the manipulation functions."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify.backends._common.axes import (
    check_repetitions,
    check_roll,
    check_squeezable,
    normalize_axes,
    normalize_axis,
)
from arrayapi_unify.backends.jax._core import Arr, is_traced, promoted
from arrayapi_unify.backends.jax.indexing import get_item
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, refuse

__all__ = [
    "broadcast_arrays",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]


def broadcast_arrays(*arrays: Arr) -> tuple[Arr, ...]:
    """Broadcast."""
    shape = np.broadcast_shapes(*[x.shape for x in arrays])
    return tuple(jnp.broadcast_to(x, shape) for x in arrays)


def broadcast_to(x: Arr, /, shape: tuple[int, ...]) -> Arr:
    """Broadcast."""
    return jnp.broadcast_to(x, shape)


@functools.partial(jax.jit, static_argnums=1)
def _concat(arrays: list[Arr], axis: int) -> Arr:
    return lax.concatenate(promoted(*arrays), axis)


def concat(arrays: Sequence[Arr], /, *, axis: int | None = 0) -> Arr:
    """Join."""
    if axis is None:
        arrays, axis = [x.reshape(-1) for x in arrays], 0
    if not arrays[0].ndim:
        problem, remedy = "holds a zero-dimensional array", "pass axis=None, or use stack"
        refuse(UnifyValueError, "concat", "arrays", problem, remedy)
    axis = normalize_axis("concat", axis, arrays[0].ndim)
    for x in arrays[1:]:
        first = arrays[0].shape
        if x.ndim != len(first) or x.shape[:axis] + x.shape[axis + 1 :] != (
            first[:axis] + first[axis + 1 :]
        ):
            refuse(
                UnifyValueError,
                "concat",
                "arrays",
                f"has the shapes {', '.join(str(a.shape) for a in arrays)}",
                f"pass arrays that differ along axis {axis} only",
            )
    return _concat(list(arrays), axis)


def expand_dims(x: Arr, /, axis: int | tuple[int, ...]) -> Arr:
    """Insert axes."""
    number = len(axis) if isinstance(axis, tuple) else 1
    axes = normalize_axes("expand_dims", axis, x.ndim + number)
    return _reshape(x, _with_ones(x.shape, axes))


def _with_ones(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    sizes = iter(shape)
    return tuple(1 if i in axes else next(sizes) for i in range(len(shape) + len(axes)))


def flip(x: Arr, /, *, axis: int | tuple[int, ...] | None = None) -> Arr:
    """Reverse."""
    return jnp.flip(x, normalize_axes("flip", axis, x.ndim))


def moveaxis(x: Arr, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> Arr:
    """Move axes."""
    return jnp.moveaxis(
        x,
        normalize_axes("moveaxis", source, x.ndim, "source"),
        normalize_axes("moveaxis", destination, x.ndim, "destination"),
    )


def permute_dims(x: Arr, /, axes: tuple[int, ...]) -> Arr:
    """Permute."""
    order = normalize_axes("permute_dims", tuple(axes), x.ndim, "axes")
    if len(order) != x.ndim:
        problem = f"is {axes}, but the array has {x.ndim} axes"
        refuse(UnifyValueError, "permute_dims", "axes", problem, "name every axis once")
    return lax.transpose(x, order)


def repeat(x: Arr, repeats: Arr | int, /, *, axis: int | None = None) -> Arr:
    """Repeat elements; counts in an array decide the shape, so they can't be traced."""
    axis = None if axis is None else normalize_axis("repeat", axis, x.ndim)
    length = x.size if axis is None else x.shape[axis]
    if isinstance(repeats, int):
        if repeats < 0:
            refuse(UnifyValueError, "repeat", "repeats", f"is {repeats}", "pass 0 or more")
        return jnp.repeat(x, repeats, axis, total_repeat_length=length * repeats)
    if repeats.dtype.kind not in "biu":
        problem = f"has data type {repeats.dtype}"
        refuse(UnifyTypeError, "repeat", "repeats", problem, "pass integers")
    counts = np.asarray(repeats).astype(np.int64)
    if counts.ndim > 1 or (counts.ndim and counts.size not in (1, length)) or (counts < 0).any():
        problem = f"has shape {counts.shape} and minimum {counts.min(initial=0)}"
        remedy = f"pass {length} counts of 0 or more, one for each element along the axis"
        refuse(UnifyValueError, "repeat", "repeats", problem, remedy)
    counts = np.broadcast_to(counts, (length,))
    return jnp.repeat(x, counts, axis, total_repeat_length=int(counts.sum()))


# jnp.reshape checks in Python what jit's cache remembers.
@functools.partial(jax.jit, static_argnums=1)
def _reshape(x: Arr, shape: tuple[int, ...]) -> Arr:
    return jnp.reshape(x, shape)


def reshape(x: Arr, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Arr:
    """Reshape. Arrays never change, so a copy can't be told from a view; False always succeeds."""
    try:
        result = _reshape(x, shape)
    except (TypeError, ValueError):
        result = _reshape(x, _resolved(x.shape, shape))
    return jnp.array(result, copy=True) if copy and not is_traced(x) else result


def _resolved(old: tuple[int, ...], shape: Any) -> tuple[int, ...]:
    """Return the shape with -1 resolved, as a tuple of integers; refuse one of another size."""
    one = isinstance(shape, int) or not isinstance(shape, list | tuple)
    sizes = [operator.index(size) for size in ((shape,) if one else shape)]
    known = math.prod(size for size in sizes if size != -1)
    total = math.prod(old)
    if sizes.count(-1) == 1 and known > 0 and total % known == 0:
        sizes[sizes.index(-1)] = total // known
    if min(sizes, default=0) < 0 or math.prod(sizes) != total:
        problem = f"is {shape}, but the array of shape {old} has {total} elements"
        refuse(UnifyValueError, "reshape", "shape", problem, "pass a shape of as many elements")
    return tuple(sizes)


def roll(
    x: Arr,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
) -> Arr:
    """Roll; shifts are reduced to the size first, as JAX takes none beyond 64 bits."""
    check_roll(shift, axis)
    if axis is None:
        if isinstance(shift, tuple):
            shift = sum(shift)
        return jnp.roll(x, shift % (x.size or 1))
    axes = axis if isinstance(axis, tuple) else (axis,)
    numbers = tuple(normalize_axis("roll", a, x.ndim) for a in axes)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(numbers)
    reduced = tuple(s % (x.shape[a] or 1) for s, a in zip(shifts, numbers, strict=True))
    return jnp.roll(x, reduced, numbers) if numbers else x


def squeeze(x: Arr, /, axis: int | tuple[int, ...]) -> Arr:
    """Remove axes."""
    axes = normalize_axes("squeeze", axis, x.ndim)
    check_squeezable(x.shape, axes)
    return _reshape(x, tuple(n for i, n in enumerate(x.shape) if i not in axes))


@functools.partial(jax.jit, static_argnums=1)
def _stack(arrays: list[Arr], axis: int) -> Arr:
    return jnp.stack(promoted(*arrays), axis)


def stack(arrays: Sequence[Arr], /, *, axis: int = 0) -> Arr:
    """Join along a new axis."""
    return _stack(list(arrays), normalize_axis("stack", axis, arrays[0].ndim + 1))


def tile(x: Arr, repetitions: tuple[int, ...], /) -> Arr:
    """Tile."""
    return jnp.tile(x, check_repetitions(repetitions))


def unstack(x: Arr, /, *, axis: int = 0) -> tuple[Arr, ...]:
    """Split, by one kernel for all parts: one for each would be compiled for each."""
    at = (slice(None),) * normalize_axis("unstack", axis, x.ndim)
    return tuple(get_item(x, (*at, i)) for i in range(x.shape[len(at)]))
