"""PyTorch's own functions that compute into `out`, and when they may.

PyTorch resizes an `out` of another shape, rounds to its data type, and reads what it has written
before, so that is looked at first. It refuses tensors that autograd tracks. The others are written
to as by an assignment, which makes another tensor where it must (`_mutation`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.algorithms.out import arrays_of, check_out, taking_out
from arrayapi_unify.backends._common.checks.axes import count, normalize_axes, normalize_axis
from arrayapi_unify.backends.torch import _saved
from arrayapi_unify.backends.torch._core import is_compiling, is_transformed
from arrayapi_unify.backends.torch._mutation import overlaps_itself, write
from arrayapi_unify.backends.torch._unsigned import SIGNED
from arrayapi_unify.backends.torch.dtypes import DTYPES, dtype_of

__all__ = [
    "ALIKE", "broadcast_shape", "filled_by", "joined_shape", "joint_shape", "reduced_by",
    "reduced_shape", "same_shape",
]  # fmt: skip

Tensor = torch.Tensor

# Data types with kernels in PyTorch, each of which stays as it is.
ALIKE: Final = {dtype: dtype for dtype in DTYPES.values() if dtype not in SIGNED}


def filled_by(
    call: Callable[..., Any],
    shape: Callable[..., Any],
    dtypes: Mapping[torch.dtype, torch.dtype] = ALIKE,
    in_time: bool = False,
    first: int = 0,
) -> Callable[[Any], Any]:
    """Give a native function `out`, into which PyTorch's own function computes where it agrees.

    `call` gets the arguments and `out`. `shape` gets the arguments, and returns None where PyTorch
    differs. `dtypes` maps the data type of all tensors, from the `first` operand on, to that of the
    result. `in_time` says that an element is read before one at the same place is written.
    """

    def fits(out: Tensor, *args: Any, **kwargs: Any) -> bool:
        tensors = arrays_of(args)
        found = {x.dtype for x in tensors[first:]}
        known = len(found) == 1 and out.dtype is dtypes.get(found.pop())
        return known and _is_free(out, tensors, in_time) and out.shape == shape(*args, **kwargs)

    return taking_out(call, fits, _store)


def reduced_by(
    reduce: Callable[..., Any], dtypes: Mapping[torch.dtype, torch.dtype] = ALIKE
) -> Callable[[Any], Any]:
    """Give a reduction `out`; PyTorch's own gets axes, and what the native one has besides."""

    def call(
        x: Tensor, *, axis: Any = None, dtype: Any = None, keepdims: bool = False, **options: Any
    ) -> None:
        reduce(x, normalize_axes("a reduction", axis, x.ndim), keepdim=keepdims, **options)

    return filled_by(call, reduced_shape, dtypes)


def _is_free(out: Tensor, tensors: Sequence[Tensor], in_time: bool) -> bool:
    """Return True if a write to `out` is one to its memory, and changes nothing read later.

    While a derivative may be asked for, writes take turns (`_saved`).
    """
    if is_compiling() or type(out) is not Tensor or is_transformed() or _saved.tapes:
        return False
    if not out.is_contiguous() and overlaps_itself(out):
        return False
    start, end = _extent(out)
    for x in tensors:
        first, last = _extent(x)
        if first < end and start < last and not (in_time and _is_laid_alike(x, out)):
            return False
    return True


def _is_laid_alike(x: Tensor, out: Tensor) -> bool:
    """Return True if tensors have each element at the same place."""
    place, other = ((y.data_ptr(), y.shape, y.stride(), y.dtype.itemsize) for y in (x, out))
    return place == other


def _extent(x: Tensor) -> tuple[int, int]:
    """Return where the memory of a tensor begins and ends."""
    start = x.data_ptr()
    if x.is_contiguous():
        return start, start + x.nbytes
    reach = sum((n - 1) * step for n, step in zip(x.shape, x.stride(), strict=True))
    return start, start + (reach + 1) * x.dtype.itemsize


def _store(name: str, result: Tensor, out: Tensor) -> Tensor:
    """Write a result into `out` if it fits; return another tensor where it mustn't be written."""
    check_out(name, (out.shape, dtype_of(out)), (result.shape, dtype_of(result)))
    return write(out, result)


# --- shapes of results --------------------------------------------------------------------------


def same_shape(x: Tensor, **_: Any) -> Any:
    """Return the shape of the argument."""
    return x.shape


def broadcast_shape(*args: Any) -> Any:
    """Return the shape of an elementwise function of tensors and numbers."""
    return joint_shape({x.shape for x in args if isinstance(x, Tensor)})


def joint_shape(shapes: set[Any]) -> Any:
    """Return the shape to which shapes are broadcast."""
    return shapes.pop() if len(shapes) == 1 else torch.broadcast_shapes(*shapes)  # type: ignore[no-untyped-call]  # not annotated


def joined_shape(arrays: Sequence[Tensor], axis: int, length: int, new: int) -> Any:
    """Return the shape of tensors with one axis of a length, a new one (1) or not (0)."""
    shape = arrays[0].shape
    at = normalize_axis("a function", axis, len(shape) + new)
    return (*shape[:at], length, *shape[at + 1 - new :])


def reduced_shape(
    x: Tensor, axis: Any = None, dtype: Any = None, keepdims: bool = False, correction: float = 0
) -> Any:
    """Return the shape of a reduction that PyTorch computes alike: no axes are all axes to it."""
    axes = normalize_axes("a reduction", axis, x.ndim)
    if not axes or dtype not in (None, x.dtype) or count(x.shape, axes) <= correction:
        return None
    kept = [(a, 1 if a in axes else n) for a, n in enumerate(x.shape)]
    return tuple([n for a, n in kept if keepdims or a not in axes])
