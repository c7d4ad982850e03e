"""PyTorch's own smooth activation functions, each one kernel where `x` is finite."""

from __future__ import annotations

from collections.abc import Callable

import torch

from arrayapi_unify.backends._common.activations import check_alpha, check_even
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch.activations import is_real

__all__ = ["celu", "elu", "glu", "logsigmoid", "mish", "selu", "silu"]

Tensor = torch.Tensor
_nn = torch.nn.functional


@partial_mixed(is_real)
def celu(x: Tensor, /, *, alpha: float = 1.0) -> Tensor:
    """Compute in one kernel."""
    check_alpha("celu", alpha)
    return _nn.celu(x, alpha)


@partial_mixed(is_real)
def elu(x: Tensor, /, *, alpha: float = 1.0) -> Tensor:
    """Compute in one kernel."""
    return _nn.elu(x, alpha)


@partial_mixed(is_real)
def logsigmoid(x: Tensor, /) -> Tensor:
    """Compute in one kernel."""
    return _nn.logsigmoid(x)


def _with_limits(function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """Call a function that gives NaN at infinity and has a NaN for a derivative there."""
    infinite = torch.isinf(x)
    return torch.where(infinite, torch.relu(x), function(x.masked_fill(infinite, 1.0)))


@partial_mixed(is_real)
def mish(x: Tensor, /) -> Tensor:
    """Compute in one kernel, but for infinities."""
    return _with_limits(_nn.mish, x)


@partial_mixed(is_real)
def selu(x: Tensor, /) -> Tensor:
    """Compute in one kernel."""
    return _nn.selu(x)


@partial_mixed(is_real)
def silu(x: Tensor, /) -> Tensor:
    """Compute in one kernel, but for infinities."""
    return _with_limits(_nn.silu, x)


@partial_mixed(is_real)
def glu(x: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute in one kernel."""
    return _nn.glu(x, check_even("glu", axis, x.shape)[0])
