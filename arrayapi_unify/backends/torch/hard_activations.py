"""PyTorch's own activation functions of straight lines, each one kernel.

Its `hardsigmoid` has no second derivative, and its `hardswish` is NaN at minus infinity.
"""

from __future__ import annotations

import torch

from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch.activations import is_real

__all__ = ["hardsigmoid", "hardtanh", "leaky_relu", "prelu", "relu6", "threshold"]

Tensor = torch.Tensor
_nn = torch.nn.functional


@partial_mixed(is_real)
def hardsigmoid(x: Tensor, /) -> Tensor:
    """Compute in three kernels."""
    return _nn.relu6(x + 3) / 6


def _has_bounds(x: Tensor, /, *, min_val: float = -1.0, max_val: float = 1.0) -> bool:
    """Return True if x is real and the bounds are ordered; the contract's body refuses others."""
    return is_real(x) and min_val <= max_val


@partial_mixed(_has_bounds)
def hardtanh(x: Tensor, /, *, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Compute in one kernel."""
    return _nn.hardtanh(x, min_val, max_val)


@partial_mixed(is_real)
def leaky_relu(x: Tensor, /, *, negative_slope: float = 0.01) -> Tensor:
    """Compute in one kernel."""
    return _nn.leaky_relu(x, negative_slope)


@partial_mixed(is_real)
def relu6(x: Tensor, /) -> Tensor:
    """Compute in one kernel."""
    return _nn.relu6(x)


@partial_mixed(is_real)
def threshold(x: Tensor, threshold: float, value: float, /) -> Tensor:
    """Compute in one kernel."""
    return _nn.threshold(x, threshold, value)


def _is_of_channels(x: Tensor, slope: Tensor, /, *, axis: int = 1) -> bool:
    """Return True if there is one slope for each channel on axis 1, as torch.prelu expects."""
    same = is_real(x) and x.dtype is slope.dtype
    return same and axis == 1 and x.ndim > 1 and tuple(slope.shape) == (x.shape[1],)


@partial_mixed(_is_of_channels)
def prelu(x: Tensor, slope: Tensor, /, *, axis: int = 1) -> Tensor:
    """Compute in one kernel."""
    return torch.prelu(x, slope)
