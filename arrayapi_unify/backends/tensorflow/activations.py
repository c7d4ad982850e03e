"""TensorFlow's own activation functions, which take real floating-point tensors."""

from __future__ import annotations

import math

import tensorflow as tf

from arrayapi_unify.backends._common.activations import check_approximation
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.backends.tensorflow._core import Tensor, const, raw

__all__ = ["gelu", "log_softmax", "relu", "sigmoid", "softmax"]


def _is_real(x: Tensor, /, **kwargs: object) -> bool:
    return bool(x.dtype.is_floating)


def gelu(x: Tensor, /, *, approximate: str = "none") -> Tensor:
    """Compute with the error function; `tf.nn.gelu` has constants of single precision only."""
    check_approximation(approximate)
    if approximate == "none":
        return x * const(0.5, x.dtype) * raw.Erfc(x=x * const(-math.sqrt(0.5), x.dtype))
    u = x * const(math.sqrt(8 / math.pi), x.dtype) * (1 + const(0.044715, x.dtype) * x * x)
    return x * raw.Sigmoid(x=u)


def log_softmax(x: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute in one kernel, after a transposition unless the axis is the last."""
    return tf.nn.log_softmax(x, normalize_axis("log_softmax", axis, x.shape.rank))


def relu(x: Tensor, /) -> Tensor:
    """Compute in one kernel; the gradient at zero is zero."""
    return raw.Relu(features=x)


def sigmoid(x: Tensor, /) -> Tensor:
    """Compute in one kernel."""
    return raw.Sigmoid(x=x)


def softmax(x: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute in one kernel, after a transposition unless the axis is the last."""
    return tf.nn.softmax(x, normalize_axis("softmax", axis, x.shape.rank))


for _function in (gelu, log_softmax, relu, sigmoid, softmax):
    vars(_function).update(partial_mixed_handler=_is_real)
