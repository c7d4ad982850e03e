"""PyTorch's own normalization of groups of channels.

Its `batch_norm` writes into the running statistics and doesn't differentiate by them; its
`instance_norm` is that function of another shape.
"""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.channels import check_groups
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

__all__ = ["group_norm"]

Tensor = torch.Tensor


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
    """Normalize in one kernel."""
    return torch.nn.functional.group_norm(x, num_groups, scale, offset, eps)


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
    """Whether the channels are the second axis, with several values and parameters that fit."""
    if x.dtype not in REAL_FLOATING or x.ndim < 2 or axis not in (1, 1 - x.ndim):
        return False
    _, size = check_groups(x.shape, num_groups, axis)
    return size * x.shape[2:].numel() > 1 and all(
        p is None or (p.shape == x.shape[1:2] and p.dtype is x.dtype) for p in (scale, offset)
    )


group_norm.partial_mixed_handler = _fits  # type: ignore[attr-defined]  # read by binding
