"""Quantiles on PyTorch."""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.quantiles import between, native_quantiles, place
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

__all__ = ["percentile", "quantile"]

Tensor = torch.Tensor


def _quantile(x: Tensor, axes: tuple[int, ...], share: float) -> Tensor:
    if len(axes) == x.ndim:
        columns = x.reshape(-1)
    else:
        columns = x.movedim(axes, tuple(range(len(axes)))).flatten(0, len(axes) - 1)
    ordered = torch.sort(columns, 0)[0]
    low, high, part = place(len(ordered), share)
    found: Tensor = between(torch, ordered[low], ordered[high], ordered[-1], part)
    return found


quantile, percentile = native_quantiles(_quantile, lambda x: x.dtype in REAL_FLOATING)
