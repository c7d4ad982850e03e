"""TensorFlow's own `relu6`; the others have constants of single precision, or lack."""

from __future__ import annotations

from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.tensorflow._core import Tensor, raw
from arrayapi_unify.backends.tensorflow.activations import is_real

__all__ = ["relu6"]


@partial_mixed(is_real)
def relu6(x: Tensor, /) -> Tensor:
    """Compute in one kernel."""
    return raw.Relu6(features=x)
