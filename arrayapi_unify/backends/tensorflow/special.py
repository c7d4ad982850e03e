"""Special functions of the TensorFlow backend.

TensorFlow's other error functions lose digits in the tails.
"""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.tensorflow._core import Tensor, const, rank_of, raw
from arrayapi_unify.backends.tensorflow.nn.activations import is_real

__getattr__, __dir__ = make_extension_getattr(__name__)

_ONE: Final = 28.0  # beyond it, the error function is 1, and its derivative 0


def _erf(x: Tensor) -> Tensor:
    """Compute in double precision: of float32 it is off by 5 ulp, and of 1e200 it is NaN."""
    wide = raw.Cast(x=x, DstT=tf.float64)
    far = raw.GreaterEqual(x=raw.Abs(x=wide), y=const(_ONE, tf.float64))
    one = raw.Sign(x=wide)
    near = raw.Erf(x=raw.SelectV2(condition=far, t=one, e=wide))
    return raw.Cast(x=raw.SelectV2(condition=far, t=one, e=near), DstT=x.dtype)


_KERNELS: Final = {"erf": _erf, "ndtri": lambda x: raw.Ndtri(x=x)}
PARTIAL: Final = native_activations(_KERNELS, {}, rank_of, is_real)
