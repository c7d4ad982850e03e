"""PyTorch's own activation functions, which take real floating-point tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import torch

from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.checks.nn import check_alpha, check_approximation, check_even
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

Tensor = torch.Tensor
# exp(-x) is negligible relative to x here, and exp(x) is finite in all data types.
_FAR: Final = 40.0


def is_real(x: Tensor, /, *args: object, **kwargs: object) -> bool:
    """Return True if x is real floating-point, as the native activation functions expect."""
    return x.dtype in REAL_FLOATING


@partial_mixed(is_real)
def gelu(x: Tensor, /, *, approximate: str = "none") -> Tensor:
    """Compute in one kernel, which gives x far above zero: there the rest is rounded away.

    Where it takes several elements at once, infinity gives NaN, and the largest numbers overflow on
    some processors. It gets another number there, so that the derivative is right too.
    """
    check_approximation(approximate)
    far = x > _FAR
    result = torch.nn.functional.gelu(x.masked_fill(far, 1.0), approximate=approximate)
    return torch.where(far, x, result)


def _is_real_and_plain(x: Tensor, /, *, beta: float = 1.0, threshold: float | None = None) -> bool:
    return x.dtype in REAL_FLOATING and beta == 1 and threshold is None


@partial_mixed(_is_real_and_plain)
def softplus(x: Tensor, /, *, beta: float = 1.0, threshold: float | None = None) -> Tensor:
    """Compute in one kernel, which gives x above a threshold: there the rest is rounded away."""
    return torch.nn.functional.softplus(x, 1.0, _FAR)


_nn = torch.nn.functional


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


@partial_mixed(is_real)
def celu(x: Tensor, /, *, alpha: float = 1.0) -> Tensor:
    """Compute in one kernel."""
    check_alpha("nn.celu", alpha)
    return _nn.celu(x, alpha)


@partial_mixed(is_real)
def elu(x: Tensor, /, *, alpha: float = 1.0) -> Tensor:
    """Compute in one kernel."""
    return _nn.elu(x, alpha)


def _with_limits(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """Mend a function that gives NaN at infinity and has a NaN for a derivative there."""

    def kernel(x: Tensor) -> Tensor:
        infinite = torch.isinf(x)
        return torch.where(infinite, torch.relu(x), function(x.masked_fill(infinite, 1.0)))

    return kernel


@partial_mixed(is_real)
def glu(x: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute in one kernel."""
    return _nn.glu(x, check_even("nn.glu", axis, x.shape)[0])


_KERNELS: Final = {
    "hardsigmoid": lambda x: _nn.relu6(x + 3) / 6, "logsigmoid": _nn.logsigmoid,
    "mish": _with_limits(_nn.mish), "relu": torch.relu, "relu6": _nn.relu6, "selu": _nn.selu,
    "sigmoid": torch.sigmoid, "silu": _with_limits(_nn.silu),
}  # fmt: skip
_ALONG_AXES: Final = {"log_softmax": torch.log_softmax, "softmax": torch.softmax}
globals().update(native_activations(_KERNELS, _ALONG_AXES, Tensor.dim, is_real))
