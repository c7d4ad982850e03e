"""PyTorch's own pooling, whose channels stand before the spatial axes."""

from __future__ import annotations

import math
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.convolutions import Plan
from arrayapi_unify.backends._common.pooling import native_averages, native_maxima
from arrayapi_unify.backends.torch.convolutions import shape_of
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

__all__ = ["avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d"]

Tensor = torch.Tensor
_functions: Final[Any] = torch.nn.functional
_MAXIMA: Final = {1: _functions.max_pool1d, 2: _functions.max_pool2d, 3: _functions.max_pool3d}
_MEANS: Final = {1: _functions.avg_pool1d, 2: _functions.avg_pool2d, 3: _functions.avg_pool3d}


def _is_real(x: Tensor, window: Any, /, **options: Any) -> bool:
    return x.dtype in REAL_FLOATING


def _is_padded_alike(x: Tensor, window: Any, /, *, padding: Any = "VALID", **options: Any) -> bool:
    """Return True if x is real and the padding is "VALID" or 0, so the same at both ends."""
    return x.dtype in REAL_FLOATING and (padding == "VALID" or padding == 0)


def _largest(x: Tensor, plan: Plan) -> Tensor:
    x = x if plan.first else x.movedim(-1, 1)
    padding: tuple[int, ...] = (0,) * len(plan.window)
    if all(low == high <= k // 2 for (low, high), k in zip(plan.pads, plan.window, strict=True)):
        padding = tuple([low for low, _ in plan.pads])
    else:
        ends = [n for pair in reversed(plan.pads) for n in pair]
        x = _functions.pad(x, ends, value=-math.inf)
    pool = _MAXIMA[len(plan.window)]
    found: Tensor = pool(x, plan.window, plan.strides, padding, plan.dilations)
    return found if plan.first else found.movedim(1, -1)


def _averaged(x: Tensor, plan: Plan, count_padding: bool) -> Tensor:
    x = x if plan.first else x.movedim(-1, 1)
    found: Tensor = _MEANS[len(plan.window)](x, plan.window, plan.strides)
    return found if plan.first else found.movedim(1, -1)


max_pool1d, max_pool2d, max_pool3d = native_maxima(_largest, shape_of, _is_real)
avg_pool1d, avg_pool2d, avg_pool3d = native_averages(_averaged, shape_of, _is_padded_alike)
