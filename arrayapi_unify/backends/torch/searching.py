"""PyTorch's implementations of the searching functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms.out import plain
from arrayapi_unify.backends._common.checks.arguments import check_search
from arrayapi_unify.backends._common.checks.axes import normalize_axes, normalize_axis
from arrayapi_unify.backends._common.checks.shapes import (
    raise_no_elements_error,
    raise_zero_dimensional_error,
)
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.torch._core import any_true, beside, promoted, scalar
from arrayapi_unify.backends.torch._defaults import of_scalar
from arrayapi_unify.backends.torch._minmax import position_of_complex
from arrayapi_unify.backends.torch._out import ALIKE, broadcast_shape, filled_by, reduced_shape
from arrayapi_unify.backends.torch._reductions import along_one_axis
from arrayapi_unify.backends.torch._sort_keys import comparable
from arrayapi_unify.backends.torch._unsigned import SIGNED, bits, from_bits, to_order
from arrayapi_unify.backends.torch.dtypes import (
    COMPLEX,
    DTYPES,
    FLOATING,
    as_dtype,
    dtype_of,
)

Tensor = torch.Tensor
Scalar = complex | bool


def _position(
    name: str, find: Callable[..., Tensor], reduce: Callable[..., Tensor]
) -> Callable[..., Tensor]:
    """Make argmax or argmin: the first of equal elements, a NaN before all others."""

    @along_one_axis(find)
    def position(x: Tensor, axis: int | None, keepdims: bool) -> Tensor:
        at = None if axis is None else normalize_axis(name, axis, x.ndim)
        if (x.numel() if at is None else x.shape[at]) == 0:
            raise_no_elements_error(name, x.shape)
        if x.dtype in COMPLEX:
            result = position_of_complex(x.reshape(-1) if at is None else x.movedim(at, -1), reduce)
            return _kept(result, x, at) if keepdims else result
        x = x.to(torch.uint8) if x.dtype is torch.bool else to_order(x)
        if at is None:
            result = find(x)
            return _kept(result, x, at) if keepdims else result
        return find(x, at, keepdims)

    position.__name__ = position.__qualname__ = name

    def into(x: Tensor, *, out: Tensor, axis: int | None = None, keepdims: bool = False) -> None:
        find(x, axis, keepdims, out=out)

    native = Kernel(fast_kernel=FastKernel(find, argument=torch.float64))(position)
    return filled_by(into, reduced_shape, dict.fromkeys(ALIKE, torch.int64))(native)


def _kept(result: Tensor, x: Tensor, axis: int | None) -> Tensor:
    return result.reshape([1] * x.ndim) if axis is None else result.unsqueeze(axis)


argmax = _position("argmax", torch.argmax, torch.amax)
argmin = _position("argmin", torch.argmin, torch.amin)


def count_nonzero(
    x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Tensor:
    """Count."""
    if axis is None and not keepdims:
        return torch.count_nonzero(bits(x))
    axes = normalize_axes("count_nonzero", axis, x.ndim)
    found = bits(x) != 0
    return torch.sum(found, axes, keepdims) if axes else found.to(torch.int64)


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Find the elements that aren't zero."""
    if x.ndim == 0:
        raise_zero_dimensional_error("nonzero")
    return torch.nonzero(bits(x), as_tuple=True)


def searchsorted(
    x1: Tensor,
    x2: Tensor | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Tensor | None = None,
) -> Tensor:
    """Search; PyTorch doesn't know NaNs, and fewer data types than its sort."""
    if x1.ndim != 1 or side not in ("left", "right") or sorter is not None:
        given = None if sorter is None else (dtype_of(sorter), sorter.shape)
        check_search(x1.shape, side, given)
    if not isinstance(x2, Tensor):
        x2 = beside(x2, x1)
    dtype = promoted(x1, x2)
    x1, x2 = x1.to(dtype), x2.to(dtype)
    if sorter is not None:
        x1 = from_bits(bits(x1)[sorter.to(torch.int64)], dtype)
    if (
        dtype not in FLOATING
        or dtype in COMPLEX
        or any_true(torch.isnan(x1[-1:]).any() | torch.isnan(x2).any())
    ):
        x1, x2 = comparable(x1, x2)
    return torch.searchsorted(x1.contiguous(), x2.contiguous(), side=side)


def _beside(value: Any, other: Tensor | Scalar, condition: Tensor) -> Tensor:
    """Make a tensor of a scalar, as promotion with `other` gives it.

    Two scalars: the default data type of the higher kind.
    """
    if isinstance(other, Tensor):
        return beside(value, other)
    both = [_dtype(v) for v in (value, other)]
    return scalar(value, DTYPES[dtypes.of_highest_kind(both)], condition.device)


def _dtype(value: Any) -> dtypes.DType:
    found = as_dtype(of_scalar(value))
    assert found is not None  # all defaults are of the standard
    return found


def _direct(x1: Tensor | Scalar, x2: Tensor | Scalar) -> bool:
    """Return True if torch.where takes two operands as they are, and keeps their data type."""
    if isinstance(x1, Tensor) and isinstance(x2, Tensor):
        return x1.dtype is x2.dtype and x1.dtype not in SIGNED
    one, number = (x1, x2) if isinstance(x1, Tensor) else (x2, x1)
    return type(number) is float and getattr(one, "dtype", None) is torch.float64


_where: Callable[..., Tensor] = torch.where


def _fix_up_where(result: Tensor, condition: Tensor, x1: Any, x2: Any) -> Tensor:
    return result if _direct(x1, x2) else plain(where)(condition, x1, x2)


# PyTorch promotes to float64 as the standard does, and beside 0-d tensors to less.
@filled_by(
    torch.where,
    lambda condition, *xs: (
        broadcast_shape(condition, *xs) if condition.dtype is torch.bool else None
    ),
    in_time=True,
    first=1,
)
@Kernel(fast_kernel=FastKernel(_where, torch.float64, _fix_up_where, torch.bool))
def where(condition: Tensor, x1: Tensor | Scalar, x2: Tensor | Scalar, /) -> Tensor:
    """Choose, by the bits of unsigned integers."""
    if condition.dtype is torch.bool and _direct(x1, x2):
        return torch.where(condition, x1, x2)
    first = x1 if isinstance(x1, Tensor) else _beside(x1, x2, condition)
    second = x2 if isinstance(x2, Tensor) else _beside(x2, x1, condition)
    if condition.dtype is not torch.bool:
        condition = bits(condition) != 0
    if first.dtype is not second.dtype:
        dtype = promoted(first, second)
        first, second = first.to(dtype), second.to(dtype)
    dtype = first.dtype
    return from_bits(torch.where(condition, bits(first), bits(second)), dtype)
