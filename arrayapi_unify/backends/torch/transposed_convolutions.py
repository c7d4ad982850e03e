"""PyTorch's own transposed convolutions."""

from __future__ import annotations

from typing import Any, Final

import torch

from arrayapi_unify.backends._common.convolutions import Plan, native_transposes
from arrayapi_unify.backends.torch.convolutions import is_real_floating, padded, shape_of

__all__ = ["conv1d_transpose", "conv2d_transpose", "conv3d_transpose"]

Tensor = torch.Tensor
_functions: Final[Any] = torch.nn.functional
_CONVOLUTIONS: Final = {
    1: _functions.conv_transpose1d,
    2: _functions.conv_transpose2d,
    3: _functions.conv_transpose3d,
}


def _kernel(x: Tensor, filters: Tensor, bias: Tensor | None, plan: Plan) -> Tensor:
    count = len(plan.window)
    convolve = _CONVOLUTIONS[count]
    x = x if plan.first else x.movedim(-1, 1)
    weight = filters.permute(count, count + 1, *range(count)).contiguous()
    # PyTorch cuts off as much at both ends, and gives a little back at the second.
    ends = zip(plan.pads, plan.strides, plan.dilations, strict=True)
    if all(low >= high > low - max(s, d) for (low, high), s, d in ends):
        cut = tuple([low for low, _ in plan.pads])
        back = tuple([low - high for low, high in plan.pads])
        found: Tensor = convolve(
            x, weight, bias, plan.strides, cut, back, plan.groups, plan.dilations
        )
    else:
        none = (0,) * count
        found = convolve(x, weight, None, plan.strides, none, none, plan.groups, plan.dilations)
        found = padded(found, tuple([(-low, -high) for low, high in plan.pads]))
        if bias is not None:
            found = found + bias.reshape(-1, *(1,) * count)
    return found if plan.first else found.movedim(1, -1)


conv1d_transpose, conv2d_transpose, conv3d_transpose = native_transposes(
    _kernel, shape_of, is_real_floating
)
