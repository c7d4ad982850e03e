"""PyTorch's own functions that deal with NaN, which take real floating-point tensors."""

from __future__ import annotations

from typing import Any

import torch

from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["nan_to_num", "nanmean", "nansum"]

Tensor = torch.Tensor


def _is_real(x: Tensor, /, **options: object) -> bool:
    return x.is_floating_point()


@partial_mixed(_is_real)
def nan_to_num(
    x: Tensor,
    /,
    *,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Replace in one kernel."""
    return torch.nan_to_num(x, nan, posinf, neginf)


Axis = int | tuple[int, ...] | None


def _is_served(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, **options: Any) -> bool:
    """Return True if x keeps its data type and an axis is reduced; PyTorch takes `()` as all."""
    usual = axis is None or type(axis) is int or (type(axis) is tuple and len(axis) > 0)
    return x.is_floating_point() and dtype is None and usual and x.ndim > 0


@partial_mixed(_is_served)
def nansum(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Add up by PyTorch's own function."""
    return torch.nansum(x, axis, keepdims)


@partial_mixed(_is_served)
def nanmean(
    x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
) -> Tensor:
    """Average by PyTorch's own function."""
    return torch.nanmean(x, axis, keepdims)
