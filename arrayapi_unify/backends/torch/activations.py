"""PyTorch's own activation functions, which take real floating-point tensors."""

from __future__ import annotations

from typing import Final

import torch

from arrayapi_unify.backends._common.activations import check_approximation
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

__all__ = ["gelu", "log_softmax", "relu", "sigmoid", "softmax", "softplus"]

Tensor = torch.Tensor
# exp(-x) is nothing beside x here, and exp(x) is finite in all data types.
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


@partial_mixed(is_real)
def log_softmax(x: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute in one kernel."""
    return torch.log_softmax(x, normalize_axis("log_softmax", axis, x.ndim))


@partial_mixed(is_real)
def relu(x: Tensor, /) -> Tensor:
    """Clamp; the gradient at zero is zero."""
    return torch.relu(x)


@partial_mixed(is_real)
def sigmoid(x: Tensor, /) -> Tensor:
    """Compute in one kernel."""
    return torch.sigmoid(x)


@partial_mixed(is_real)
def softmax(x: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute in one kernel."""
    return torch.softmax(x, normalize_axis("softmax", axis, x.ndim))


def _is_real_and_plain(x: Tensor, /, *, beta: float = 1.0, threshold: float | None = None) -> bool:
    return x.dtype in REAL_FLOATING and beta == 1 and threshold is None


@partial_mixed(_is_real_and_plain)
def softplus(x: Tensor, /, *, beta: float = 1.0, threshold: float | None = None) -> Tensor:
    """Compute in one kernel, which gives x above a threshold: there the rest is rounded away."""
    return torch.nn.functional.softplus(x, 1.0, _FAR)
