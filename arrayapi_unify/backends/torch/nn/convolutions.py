"""PyTorch's own convolutions, whose channels stand before the spatial axes.

If the channels are the last axis, PyTorch gets a view, in its channels-last memory format.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import torch

from arrayapi_unify.backends._common.algorithms.convolutions import (
    Pads,
    Plan,
    native_convolutions,
    native_transposes,
)
from arrayapi_unify.backends.torch._scattered import joined
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

Tensor = torch.Tensor
_functions: Final[Any] = torch.nn.functional
_CONVOLUTIONS: Final = {1: _functions.conv1d, 2: _functions.conv2d, 3: _functions.conv3d}
# The order in memory of filters for channels that are the last axis. It is oneDNN's, which takes
# float32, and calls that are worth it; other kernels want the usual one.
_PLAIN: Final = torch.contiguous_format
_onednn: Final[Any] = torch.backends.mkldnn
_WORTH: Final = 20480 if _onednn.is_available() else math.inf
_FORMATS: Final = {1: _PLAIN, 2: torch.channels_last, 3: torch.channels_last_3d}


def is_real_floating(
    x: Tensor, filters: Tensor, /, *, bias: Tensor | None = None, **options: Any
) -> bool:
    """Return True if all arrays have one real floating-point data type."""
    dtype = x.dtype
    return (
        dtype in REAL_FLOATING and filters.dtype is dtype and (bias is None or bias.dtype is dtype)
    )


def shape_of(x: Tensor) -> tuple[int, ...]:
    """Return the shape."""
    return tuple(x.shape)


def padded(x: Tensor, pads: Pads) -> Tensor:
    """Add elements to the last axes, or cut some off where the numbers are negative."""
    return _functions.pad(x, [n for low, high in reversed(pads) for n in (low, high)])


_Kernel: TypeAlias = Callable[[Tensor, Tensor, "Tensor | None", Plan], Tensor]


def _gathering(kernel: _Kernel) -> _Kernel:
    """Return a kernel that gathers axes of DTensors which PyTorch would convolve wrongly."""

    @functools.wraps(kernel)
    def gathering(x: Tensor, filters: Tensor, bias: Tensor | None, plan: Plan) -> Tensor:
        if type(x) is not Tensor or type(filters) is not Tensor:
            x, filters = joined(x, 0), joined(filters)
        return kernel(x, filters, bias, plan)

    return gathering


@_gathering
def _kernel(x: Tensor, filters: Tensor, bias: Tensor | None, plan: Plan) -> Tensor:
    count = len(plan.window)
    x = x if plan.first else x.movedim(-1, 1)
    if all(low == high for low, high in plan.pads):
        padding = tuple([low for low, _ in plan.pads])
    else:
        x, padding = padded(x, plan.pads), (0,) * count
    large = x.dtype is torch.float32 and not plan.first and x.numel() > _WORTH
    weight = filters.permute(count + 1, count, *range(count)).contiguous(
        memory_format=_FORMATS[count] if large else _PLAIN
    )
    found: Tensor = _CONVOLUTIONS[count](
        x, weight, bias, plan.strides, padding, plan.dilations, plan.groups
    )
    return found if plan.first else found.movedim(1, -1)


conv1d, conv2d, conv3d = native_convolutions(_kernel, shape_of, is_real_floating)


_TRANSPOSED_CONVOLUTIONS: Final = {
    1: _functions.conv_transpose1d,
    2: _functions.conv_transpose2d,
    3: _functions.conv_transpose3d,
}


@_gathering
def _transposing_kernel(x: Tensor, filters: Tensor, bias: Tensor | None, plan: Plan) -> Tensor:
    count = len(plan.window)
    convolve = _TRANSPOSED_CONVOLUTIONS[count]
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
    _transposing_kernel, shape_of, is_real_floating
)
