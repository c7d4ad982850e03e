"""PyTorch's implementations of the manipulation functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from arrayapi_unify.backends._common.algorithms.manipulation import cuts, fills, sizes_of, widths
from arrayapi_unify.backends._common.algorithms.memory import always
from arrayapi_unify.backends._common.algorithms.out import plain
from arrayapi_unify.backends._common.checks.arguments import (
    check_repeats,
    raise_negative_repeats_error,
    whole_repeats,
)
from arrayapi_unify.backends._common.checks.axes import (
    check_axis_of_0d,
    check_repetitions,
    check_squeezable,
    in_order,
    inserted_axes,
    normalize_axes,
    normalize_axis,
    shifts_of,
)
from arrayapi_unify.backends._common.checks.shapes import check_joined, check_sizes
from arrayapi_unify.backends._common.checks.sizes import MANY, check_addressed
from arrayapi_unify.backends.kernel import FastKernel, Kernel, partial_mixed
from arrayapi_unify.backends.torch._core import any_true, is_compiling, promoted
from arrayapi_unify.backends.torch._out import filled_by, joined_shape
from arrayapi_unify.backends.torch._unsigned import SIGNED, bits, from_bits, reinterprets
from arrayapi_unify.backends.torch.dtypes import FLOATING, dtype_of

Tensor = torch.Tensor


def broadcast_arrays(*arrays: Tensor) -> tuple[Tensor, ...]:
    """Broadcast by views."""
    return tuple(torch.broadcast_tensors(*arrays))  # type: ignore[no-untyped-call]


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    """Broadcast by a view; PyTorch reads -1 as the size that the axis has."""
    if any(size < 0 or size > MANY for size in in_order(shape)):
        check_sizes("broadcast_to", "shape", shape)
        check_addressed("broadcast_to", "shape", shape)
    return torch.broadcast_to(x, shape)


def _alike(arrays: Sequence[Tensor]) -> tuple[Sequence[Tensor], torch.dtype]:
    """Cast to the promoted data type, unsigned integers then being carried by their bits."""
    dtype = promoted(*arrays)
    if dtype not in SIGNED and all(x.dtype is dtype for x in arrays):
        return arrays, dtype
    return [bits(x.to(dtype)) for x in arrays], dtype


def _one_sort(arrays: Sequence[Tensor]) -> bool:
    """Return True if tensors have one data type with kernels in PyTorch, and one rank above 0."""
    dtype, rank = arrays[0].dtype, arrays[0].ndim
    for x in arrays:  # a loop: two sets, or two calls of `all`, take as long as torch.cat
        if x.dtype is not dtype or x.ndim != rank:
            return False
    return rank > 0 and dtype not in SIGNED


def _concat(arrays: Sequence[Tensor]) -> Tensor:
    """Concatenate; of more than one axis, tensors of one rank only, as of data type."""
    result = torch.cat(arrays)  # type: ignore[arg-type]  # any sequence does
    return result if result.ndim == 1 or _one_sort(arrays) else plain(concat)(arrays)


def _fix_up_concat(result: Tensor, arrays: Sequence[Tensor]) -> Tensor:
    return result if _one_sort(arrays) else plain(concat)(arrays)


def _joined(arrays: Sequence[Tensor], axis: int | None = 0) -> Any:
    if axis is None or not _one_sort(arrays):
        return None
    return joined_shape(arrays, axis, sum([x.shape[axis] for x in arrays]), 0)


@filled_by(lambda arrays, *, out, axis=0: torch.cat(arrays, axis, out=out), _joined)
@Kernel(fast_kernel=FastKernel(_concat, torch.float64, _fix_up_concat))
def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """Concatenate; PyTorch accepts one-dimensional tensors of size 0 with any shape."""
    if axis is not None and _one_sort(arrays):
        if not -arrays[0].ndim <= axis < arrays[0].ndim:  # PyTorch takes any, of no elements
            normalize_axis("concat", axis, arrays[0].ndim)
        return torch.cat(arrays, axis)  # type: ignore[arg-type]  # any sequence does
    parts, dtype = _alike(arrays)
    if axis is None:
        return from_bits(torch.cat([x.reshape(-1) for x in parts]), dtype)
    if any(x.ndim != parts[0].ndim for x in parts):
        check_joined("concat", [x.shape for x in parts], axis)
    elif parts[0].ndim:
        normalize_axis("concat", axis, parts[0].ndim)
    return from_bits(torch.cat(list(parts), axis), dtype)


def expand_dims(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """Insert axes by a view."""
    if isinstance(axis, int):
        return torch.unsqueeze(x, axis)
    for at in sorted(inserted_axes(axis, x.ndim)):
        x = torch.unsqueeze(x, at)
    return x


@Kernel(copies_when=always)
def flip(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """Reverse; PyTorch copies, as it has no views with negative steps."""
    rank = x.ndim
    one = type(axis) is int and -rank <= axis < rank
    axes: Any = (axis,) if one else normalize_axes("flip", axis, rank)
    if x.dtype in SIGNED:
        return from_bits(torch.flip(bits(x), axes), x.dtype)
    return torch.flip(x, axes)


def moveaxis(
    x: Tensor, source: int | tuple[int, ...], destination: int | tuple[int, ...], /
) -> Tensor:
    """Move axes by a view."""
    origin = normalize_axes("moveaxis", source, x.ndim, "source")
    target = normalize_axes("moveaxis", destination, x.ndim, "destination")
    return torch.movedim(x, origin, target)


@Kernel(fast_kernel=FastKernel(torch.permute))
def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """Permute by a view."""
    return torch.permute(x, normalize_axes("permute_dims", in_order(axes), x.ndim, "axes"))


@reinterprets
def repeat(x: Tensor, repeats: Tensor | int, /, *, axis: int | None = None) -> Tensor:
    """Repeat elements."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    else:
        axis = normalize_axis("repeat", axis, x.ndim)
    if isinstance(repeats, Tensor):
        repeats = _counts(repeats, x.shape[axis])
        if repeats.ndim == 0 or repeats.numel() == 1:
            repeats = repeats.reshape(-1).expand(x.shape[axis])
    else:
        repeats = whole_repeats(repeats)
        if repeats < 0:
            raise_negative_repeats_error()
    return torch.repeat_interleave(x, repeats, axis)


def _counts(repeats: Tensor, size: int) -> Tensor:
    """Return counts as PyTorch takes them; their values are known where nothing is compiled."""
    counts = repeats.to(torch.int64)
    looks = not is_compiling() and counts.is_cpu
    negative = looks and any_true(counts < 0, unknown=False)
    if negative or repeats.dtype in FLOATING or tuple(counts.shape) not in ((), (1,), (size,)):
        check_repeats(dtype_of(repeats), repeats.shape, size, negative)
    return counts


def ravel(x: Tensor, /) -> Tensor:
    """Flatten as NumPy does: unlike PyTorch's own function, copy what has other strides."""
    return x.view(-1) if x.is_contiguous() else reshape(x, (-1,), copy=True)


_reshape: Callable[..., Tensor] = torch.reshape  # without a look-up in the module, a tenth faster


@Kernel(fast_kernel=FastKernel(_reshape))
def reshape(x: Tensor, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Tensor:
    """Reshape; a view where the strides allow one, else a copy."""
    if copy is None:
        return _reshape(x, shape)
    if copy:
        # Contiguous, so that the second step never makes another copy.
        return x.clone(memory_format=torch.contiguous_format).view(shape)
    return x.view(shape)


@reinterprets
def roll(
    x: Tensor, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None
) -> Tensor:
    """Roll; PyTorch wants a shift for each axis."""
    shift = shifts_of(shift, axis)
    if axis is None:
        size = x.numel()
        return torch.roll(x.reshape(-1), shift % size if size else 0, 0).reshape(x.shape)  # type: ignore[operator]
    axes = axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(normalize_axis("roll", one, x.ndim) for one in axes)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    # PyTorch takes no shifts beyond 64 bits.
    shifts = tuple(s % x.shape[a] if x.shape[a] else 0 for s, a in zip(shifts, axes, strict=True))
    return torch.roll(x, shifts, axes) if axes else x.clone()


def squeeze(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """Remove axes by a view; PyTorch skips those that aren't of size one."""
    if x.ndim == 0:
        check_axis_of_0d("squeeze", axis)
    axes = normalize_axes("squeeze", axis, x.ndim)
    check_squeezable(x.shape, axes)
    return torch.squeeze(x, axes)


_stack: Callable[..., Tensor] = torch.stack


def _fix_up_stack(result: Tensor, arrays: Sequence[Tensor]) -> Tensor:
    return result if _one_sort(arrays) else plain(stack)(arrays)


@filled_by(
    lambda arrays, *, out, axis=0: torch.stack(arrays, axis, out=out),
    lambda arrays, axis=0: joined_shape(arrays, axis, len(arrays), 1),
)
@Kernel(fast_kernel=FastKernel(_stack, torch.float64, _fix_up_stack))
def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """Join along a new axis."""
    if _one_sort(arrays):
        return torch.stack(arrays, normalize_axis("stack", axis, arrays[0].ndim + 1))  # type: ignore[arg-type]  # any sequence does
    parts, dtype = _alike(arrays)
    axis = normalize_axis("stack", axis, parts[0].ndim + 1)
    return from_bits(torch.stack(list(parts), axis), dtype)


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """Tile; PyTorch fills up the shorter of shape and repetitions as the standard does."""
    return torch.tile(x, check_repetitions(repetitions))


_values: Callable[[Tensor], tuple[Tensor, ...]] = torch.unbind_copy  # type: ignore[assignment]  # the stubs say None


def split(
    x: Tensor, /, *, num_or_size_splits: int | Sequence[int] | None = None, axis: int = 0
) -> tuple[Tensor, ...]:
    """Split into views, each created separately, for the same reason as in `unstack`."""
    axis, sizes = sizes_of(x.shape, num_or_size_splits, axis)
    return tuple([x.narrow(axis, a, b - a) for a, b in cuts(sizes)])


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """Split into views; a 1-d tensor gives values.

    Not by torch.unbind: its views refuse to be written to once autograd tracks what is written.
    """
    axis = normalize_axis("unstack", axis, x.ndim)
    if x.ndim == 1:
        return _values(x)
    first = x.movedim(axis, 0) if axis else x
    return tuple([first[i] for i in range(first.shape[0])])


@partial_mixed(fills(lambda x: x.is_floating_point()))
def pad(
    x: Tensor, /, pad_width: Any, *, mode: str = "constant", constant_values: Any = 0
) -> Tensor:
    """Fill in one kernel, which wants the last axis first."""
    ends = [n for pair in reversed(widths(pad_width, x.ndim)) for n in pair]
    return torch.constant_pad_nd(x, ends, constant_values)
