"""TensorFlow's own activation functions, which take real floating-point tensors.

`tf.nn.softmax` is none of them: of `[0.0, nan]` it makes zeros and NaN on a CPU, not NaNs.
"""

from __future__ import annotations

import math

from arrayapi_unify.backends._common.activations import check_approximation
from arrayapi_unify.backends.tensorflow._core import Tensor, const, raw

__all__ = ["gelu", "relu", "sigmoid"]


def _is_real(x: Tensor, /, **kwargs: object) -> bool:
    return bool(x.dtype.is_floating)


def gelu(x: Tensor, /, *, approximate: str = "none") -> Tensor:
    """Compute with the error function; `tf.nn.gelu` has constants of single precision only."""
    check_approximation(approximate)
    if approximate == "none":
        return x * const(0.5, x.dtype) * raw.Erfc(x=x * const(-math.sqrt(0.5), x.dtype))
    u = x * const(math.sqrt(8 / math.pi), x.dtype) * (1 + const(0.044715, x.dtype) * x * x)
    return x * raw.Sigmoid(x=u)


def relu(x: Tensor, /) -> Tensor:
    """Compute in one kernel; the gradient at zero is zero."""
    return raw.Relu(features=x)


def sigmoid(x: Tensor, /) -> Tensor:
    """Compute in one kernel."""
    return raw.Sigmoid(x=x)


for _function in (gelu, relu, sigmoid):
    vars(_function).update(partial_mixed_handler=_is_real)
