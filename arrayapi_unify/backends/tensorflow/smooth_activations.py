"""TensorFlow's own smooth activation functions.

Those of the exponential kind have constants of single precision, or subtract 1 from what is nearly
1: the contracts' bodies take them.
"""

from __future__ import annotations

from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.tensorflow._core import Tensor, raw
from arrayapi_unify.backends.tensorflow.activations import is_real

__all__ = ["logsigmoid"]


@partial_mixed(is_real)
def logsigmoid(x: Tensor, /) -> Tensor:
    """Compute in three kernels."""
    return raw.Neg(x=raw.Softplus(features=raw.Neg(x=x)))
