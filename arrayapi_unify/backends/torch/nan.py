"""PyTorch's own functions that deal with NaN, which take real floating-point tensors."""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.axes import normalize_axes

__all__ = ["nan_to_num", "nansum"]

Tensor = torch.Tensor
Axis = int | tuple[int, ...] | None


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


def nansum(
    x: Tensor,
    /,
    *,
    axis: Axis = None,
    dtype: torch.dtype | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Add up in one kernel."""
    return torch.nansum(x, normalize_axes("nansum", axis, x.ndim), keepdim=bool(keepdims))


def _is_real(x: Tensor, /, **options: object) -> bool:
    return x.is_floating_point()


def _is_reduced(
    x: Tensor,
    /,
    *,
    axis: Axis = None,
    dtype: torch.dtype | None = None,
    keepdims: bool = False,
) -> bool:
    """Whether something is added up in its own data type; of no axes PyTorch takes all."""
    return x.is_floating_point() and x.ndim > 0 and axis != () and dtype is None


vars(nan_to_num).update(partial_mixed_handler=_is_real)
vars(nansum).update(partial_mixed_handler=_is_reduced)
