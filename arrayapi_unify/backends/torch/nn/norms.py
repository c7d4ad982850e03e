"""PyTorch's own normalizations over the last axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.backends._common.checks.nn import check_groups
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING
from arrayapi_unify.backends.torch.nn._batch_norm import batch_norm as batch_norm

Tensor = torch.Tensor
Axes = int | tuple[int, ...]


def _axes(function: str, given: Axes, ndim: int) -> tuple[int, ...]:
    """Return the axes as numbers from 0; nearly always it is the last one alone."""
    if given == -1:
        return (ndim - 1,)
    return normalize_axes(function, given, ndim, "normalized_idxs")


def _fits(function: str) -> Callable[..., bool]:
    """Return what says whether the axes are the last ones, and the parameters of their shape."""

    def fits(
        x: Tensor,
        normalized_idxs: Axes,
        /,
        *,
        scale: Tensor | float | None = None,
        offset: Tensor | float | None = None,
        new_std: float = 1.0,
        **kwargs: object,
    ) -> bool:
        if x.dtype not in REAL_FLOATING or new_std != 1 or not x.ndim:
            return False
        if scale is None and offset is None and normalized_idxs == -1:
            return True
        axes = normalize_axes(function, normalized_idxs, x.ndim, "normalized_idxs")
        shape = x.shape[x.ndim - len(axes) :]
        if not axes or min(axes) != x.ndim - len(axes):
            return False
        return all(
            p is None or (isinstance(p, Tensor) and p.shape == shape and p.dtype is x.dtype)
            for p in (scale, offset)
        )

    return fits


@partial_mixed(_fits("nn.layer_norm"))
def layer_norm(
    x: Tensor,
    normalized_idxs: Axes,
    /,
    *,
    scale: Tensor | float | None = None,
    offset: Tensor | float | None = None,
    eps: float = 1e-5,
    new_std: float = 1.0,
) -> Tensor:
    """Normalize over the last axes, in one kernel."""
    axes = _axes("nn.layer_norm", normalized_idxs, x.ndim)
    weight = scale if isinstance(scale, Tensor) else None
    bias = offset if isinstance(offset, Tensor) else None
    shape = list(x.shape[min(axes) :])
    return torch.layer_norm(x, shape, weight, bias, eps)


@partial_mixed(_fits("nn.rms_norm"))
def rms_norm(
    x: Tensor, normalized_idxs: Axes, /, *, scale: Tensor | float | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalize over the last axes by PyTorch's own function."""
    axes = _axes("nn.rms_norm", normalized_idxs, x.ndim)
    weight = scale if isinstance(scale, Tensor) else None
    return torch.rms_norm(x, list(x.shape[min(axes) :]), weight, eps)


def _has_axis(x: Tensor, /, *, axis: Axes | None = None, eps: float = 1e-12) -> bool:
    one = axis is None or (type(axis) is int and -x.ndim <= axis < x.ndim)
    return x.dtype in REAL_FLOATING and x.ndim > 0 and one and eps > 0


@partial_mixed(_has_axis)
def l2_normalize(x: Tensor, /, *, axis: Axes | None = None, eps: float = 1e-12) -> Tensor:
    """Divide by the norm along an axis, by PyTorch's own function."""
    over: Any = axis  # None, which its annotation leaves out, is taken
    return torch.nn.functional.normalize(x, 2.0, over, eps)


def _fits_groups(
    x: Tensor,
    num_groups: int,
    /,
    *,
    scale: Tensor | None = None,
    offset: Tensor | None = None,
    axis: int = 1,
    **kwargs: object,
) -> bool:
    """Return True if the kernel fits (`_is_plain`) and each group has more than one value."""
    if not _is_plain(x, axis, scale, offset):
        return False
    _, size = check_groups(x.shape, num_groups, axis)
    return size * x.shape[2:].numel() > 1


@partial_mixed(_fits_groups)
def group_norm(
    x: Tensor,
    num_groups: int,
    /,
    *,
    scale: Tensor | None = None,
    offset: Tensor | None = None,
    eps: float = 1e-5,
    axis: int = 1,
) -> Tensor:
    """Normalize in one kernel, whose derivative by an offset needs a scale."""
    scale = torch.ones_like(offset) if scale is None and offset is not None else scale
    return torch.nn.functional.group_norm(x, num_groups, scale, offset, eps)


def _is_plain(x: Tensor, axis: int, *parameters: Tensor | None) -> bool:
    """Return True if channels of real x are axis 1 and parameters have one value for each."""
    if x.dtype not in REAL_FLOATING or x.ndim < 2 or axis not in (1, 1 - x.ndim):
        return False
    return all(p is None or (p.shape == x.shape[1:2] and p.dtype is x.dtype) for p in parameters)


def _has_values(
    x: Tensor,
    /,
    *,
    scale: Tensor | None = None,
    offset: Tensor | None = None,
    axis: int = 1,
    **kwargs: object,
) -> bool:
    """Return True if the kernel fits (`_is_plain`) and each channel has more than one value."""
    return _is_plain(x, axis, scale, offset) and x.shape[2:].numel() > 1 and x.numel() > 0


@partial_mixed(_has_values)
def instance_norm(
    x: Tensor,
    /,
    *,
    scale: Tensor | None = None,
    offset: Tensor | None = None,
    eps: float = 1e-5,
    axis: int = 1,
) -> Tensor:
    """Normalize in one kernel."""
    return torch.nn.functional.instance_norm(x, weight=scale, bias=offset, eps=eps)
