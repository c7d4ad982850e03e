"""PyTorch's own normalization of groups of channels.

Its `batch_norm` writes into the running statistics and doesn't differentiate by them.
"""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.channels import check_groups
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

__all__ = ["group_norm", "instance_norm"]

Tensor = torch.Tensor


def _fits(
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


@partial_mixed(_fits)
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
