"""NumPy's implementations of the manipulation functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.manipulation import cuts, sizes_of
from arrayapi_unify.backends._common.checks.arguments import (
    raise_negative_repeats_error,
    whole_repeats,
)
from arrayapi_unify.backends._common.checks.axes import (
    check_axis_of_0d,
    check_no_bool,
    check_repetitions,
    in_order,
    one_or_in_order,
    shifts_of,
    whole,
)
from arrayapi_unify.backends._common.checks.shapes import resolved_shape
from arrayapi_unify.backends._common.checks.sizes import MANY, check_addressed
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.numpy._core import returns_array
from arrayapi_unify.backends.numpy._out import filled_by

NDArray = npt.NDArray[Any]


def broadcast_arrays(*arrays: NDArray) -> tuple[NDArray, ...]:
    """Broadcast by read-only views; np.broadcast_arrays' own views only warn at a write."""
    shape = np.broadcast_shapes(*[a.shape for a in arrays])
    return tuple(a[...] if a.shape == shape else np.broadcast_to(a, shape) for a in arrays)


def broadcast_to(x: NDArray, /, shape: tuple[int, ...]) -> NDArray:
    """Broadcast by a read-only view."""
    sizes = shape if type(shape) is tuple else in_order(shape)
    try:
        result = np.broadcast_to(x, sizes)
    except ValueError:
        check_addressed("broadcast_to", "shape", sizes)
        raise
    if result.size > MANY:
        check_addressed("broadcast_to", "shape", sizes)
    return result


@filled_by(lambda arrays, *, out, axis=0: np.concatenate(arrays, axis, out))
def concat(arrays: Sequence[NDArray], /, *, axis: int | None = 0) -> NDArray:
    """Join; NumPy promotes the dtypes and flattens for axis=None."""
    return np.concatenate(arrays, axis=axis)


def expand_dims(x: NDArray, /, axis: int | tuple[int, ...]) -> NDArray:
    """Insert axes; one plain integer goes straight to reshape, a fifth of the time."""
    if type(axis) is int and axis == 0:
        return x[None]
    if type(axis) is int and -x.ndim <= axis + 1 and axis <= x.ndim:
        at = axis if axis >= 0 else axis + x.ndim + 1
        return x.reshape((*x.shape[:at], 1, *x.shape[at:]))
    check_no_bool("expand_dims", axis)
    return np.expand_dims(x, axis)


@returns_array
def flip(x: NDArray, /, *, axis: int | tuple[int, ...] | None = None) -> NDArray:
    """Reverse by a view."""
    check_no_bool("flip", axis)
    return np.flip(x, axis if axis is None or type(axis) is int else one_or_in_order(axis))


def moveaxis(
    x: NDArray, source: int | tuple[int, ...], destination: int | tuple[int, ...], /
) -> NDArray:
    """Move axes by a view."""
    check_no_bool("moveaxis", source, "source")
    check_no_bool("moveaxis", destination, "destination")
    return np.moveaxis(x, one_or_in_order(source), one_or_in_order(destination))


def permute_dims(x: NDArray, /, axes: tuple[int, ...]) -> NDArray:
    """Permute by a view; the method takes a quarter of np.transpose's time."""
    return x.transpose(axes if type(axes) is tuple else in_order(axes))


def repeat(x: NDArray, repeats: NDArray | int, /, *, axis: int | None = None) -> NDArray:
    """Repeat elements; NumPy refuses uint64 counts, which it can't cast safely to its index.

    It also takes negative counts where there is nothing to repeat, and a float for a count.
    """
    if axis is not None and x.ndim == 0:
        check_axis_of_0d("repeat", axis)
    if isinstance(repeats, np.ndarray):
        if repeats.dtype.kind == "u":
            repeats = repeats.astype(np.intp)
    elif type(repeats) is not int:
        repeats = whole_repeats(repeats)
    if 0 in x.shape and np.min(repeats, initial=0) < 0:
        raise_negative_repeats_error()
    return x.repeat(repeats, axis)


def ravel(x: NDArray, /) -> NDArray:
    """Flatten by NumPy's own function, which knows the layout also where a graph runs."""
    return x.ravel()


# NumPy takes any one negative size for -1.
@Kernel(fast_kernel=FastKernel(
    np.ndarray.reshape, when="_type({1}) is tuple and (-1 in {1} or {1} and min({1}) >= 0)"
))  # fmt: skip
def reshape(x: NDArray, /, shape: int | tuple[int, ...], *, copy: bool | None = None) -> NDArray:
    """Reshape; NumPy's own `copy` has the standard's meaning, but costs time.

    NumPy takes one negative size of any value for -1. A result of the requested shape needs no
    check, and a shape with -1 has no other negative size.
    """
    if copy is None:
        result = x.reshape(shape if shape is not None else in_order(shape))
    else:
        result = x.reshape(shape, copy=copy)
    if result.shape == shape or (type(shape) is tuple and -1 in shape):
        return result
    if (shape if isinstance(shape, int) else min(shape, default=0)) < -1:
        resolved_shape(x.shape, shape)
    return result


def roll(
    x: NDArray, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None
) -> NDArray:
    """Roll; NumPy would broadcast several shifts against other numbers of axes."""
    shift = shifts_of(shift, axis)
    check_no_bool("roll", axis)
    return np.roll(x, shift, axis) if axis != () else x.copy()


def squeeze(x: NDArray, /, axis: int | tuple[int, ...]) -> NDArray:
    """Remove axes by a view; NumPy refuses those that aren't of size one."""
    if x.ndim == 0:
        check_axis_of_0d("squeeze", axis)
    return x.squeeze(axis)


@filled_by(lambda arrays, *, out, axis=0: np.stack(arrays, axis, out))
def stack(arrays: Sequence[NDArray], /, *, axis: int = 0) -> NDArray:
    """Join along a new axis; NumPy promotes the dtypes."""
    check_no_bool("stack", axis)
    return np.stack(arrays, axis)


def tile(x: NDArray, repetitions: tuple[int, ...], /) -> NDArray:
    """Tile; NumPy fills up the shorter of shape and repetitions as the standard does."""
    return np.tile(x, check_repetitions(repetitions))


def split(
    x: NDArray, /, *, num_or_size_splits: int | Sequence[int] | None = None, axis: int = 0
) -> tuple[NDArray, ...]:
    """Cut into views."""
    axis, sizes = sizes_of(x.shape, num_or_size_splits, axis)
    before = (slice(None),) * axis
    return tuple([x[(*before, slice(a, b))] for a, b in cuts(sizes)])


@returns_array
def unstack(x: NDArray, /, *, axis: int = 0) -> tuple[NDArray, ...]:
    """Split into views; a 1-d array gives scalars, which are values."""
    axis = whole("unstack", "axis", axis)
    return tuple(x if axis == 0 and x.ndim else np.moveaxis(x, axis, 0))
