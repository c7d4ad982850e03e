"""TensorFlow's own activation functions, which take real floating-point tensors.

TensorFlow's softmax of `[0.0, nan]` is zeros and NaN on a CPU, not NaNs. So its results are looked
at, and where that can't be done, `softmax` takes five kernels.
"""

from __future__ import annotations

import math
from typing import Final

from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends._common.checks.nn import check_approximation
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.tensorflow._core import (
    CPU,
    EagerTensor,
    Tensor,
    const,
    ints,
    rank_of,
    raw,
    recorded,
)


def is_real(x: Tensor, /, *args: object, **kwargs: object) -> bool:
    """Return True if x is real and floating-point, as the library's activation functions need."""
    return bool(x.dtype.is_floating)


@partial_mixed(is_real)
def gelu(x: Tensor, /, *, approximate: str = "none") -> Tensor:
    """Compute with the error function; `tf.nn.gelu` has constants of single precision only."""
    check_approximation(approximate)
    if not recorded():
        return _gelu(x, approximate)
    # Infinity, times zero, is no derivative; that of infinity itself is 1.
    infinite = raw.Equal(x=x, y=const(math.inf, x.dtype))
    finite = raw.SelectV2(condition=infinite, t=const(1, x.dtype), e=x)
    return raw.SelectV2(condition=infinite, t=x, e=_gelu(finite, approximate))


def _gelu(x: Tensor, approximate: str) -> Tensor:
    if approximate == "none":
        return x * const(0.5, x.dtype) * raw.Erfc(x=x * const(-math.sqrt(0.5), x.dtype))
    u = x * const(math.sqrt(8 / math.pi), x.dtype) * (1 + const(0.044715, x.dtype) * x * x)
    return x * raw.Sigmoid(x=u)


@partial_mixed(is_real)
def softmax(x: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute so that the largest exponential is 1."""
    rank = rank_of(x)
    axis = normalize_axis("nn.softmax", axis, rank)
    if axis == rank - 1 and isinstance(x, EagerTensor) and x.device.endswith(CPU):
        result = raw.Softmax(logits=x)
        # It has no NaN for finite numbers; the sum detects any.
        if not math.isnan(result.numpy().sum()):
            return result
    along = ints((axis,))
    powers = raw.Exp(x=raw.Sub(x=x, y=raw.Max(input=x, axis=along, keep_dims=True)))
    return raw.RealDiv(x=powers, y=raw.Sum(input=powers, axis=along, keep_dims=True))


@partial_mixed(is_real)
def log_softmax(x: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute so that the largest exponential is 1; TensorFlow's kernel takes the last axis."""
    rank = rank_of(x)
    axis = normalize_axis("nn.log_softmax", axis, rank)
    if axis == rank - 1:
        return raw.LogSoftmax(logits=x)
    along = ints((axis,))
    lower = raw.Sub(x=x, y=raw.Max(input=x, axis=along, keep_dims=True))
    total = raw.Sum(input=raw.Exp(x=lower), axis=along, keep_dims=True)
    return raw.Sub(x=lower, y=raw.Log(x=total))


def _is_real_and_plain(x: Tensor, /, *, beta: float = 1.0, threshold: float | None = None) -> bool:
    return bool(x.dtype.is_floating and beta == 1 and threshold is None)


@partial_mixed(_is_real_and_plain)
def softplus(x: Tensor, /, *, beta: float = 1.0, threshold: float | None = None) -> Tensor:
    """Compute in one kernel."""
    return raw.Softplus(features=x)


_KERNELS: Final = {
    "logsigmoid": lambda x: raw.Neg(x=raw.Softplus(features=raw.Neg(x=x))),
    "relu": lambda x: raw.Relu(features=x),
    "relu6": lambda x: raw.Relu6(features=x),
    "sigmoid": lambda x: raw.Sigmoid(x=x),
}
globals().update(native_activations(_KERNELS, {}, rank_of, is_real))
