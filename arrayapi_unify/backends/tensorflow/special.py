"""Special functions of the TensorFlow backend.

TensorFlow's other error functions lose digits in the tails. Without a tape, tensors on the CPU are
NumPy's arrays: dozens of small operations take a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.algorithms.special import FUNCTIONS
from arrayapi_unify.backends._common.algorithms.special.natives import in_blocks, native_functions
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.tensorflow._core import (
    CPU,
    EagerTensor,
    Tensor,
    const,
    rank_of,
    raw,
    recorded,
)
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


def _by_numpy(name: str) -> Callable[..., Tensor]:
    compute = in_blocks(name)

    def kernel(*operands: Any) -> Tensor:
        device = next(x.device for x in operands if type(x) is EagerTensor)
        arrays = (np.asarray(x) if type(x) is EagerTensor else x for x in operands)
        return EagerTensor(compute(*arrays), device, None)

    return kernel


def _has_values(x: Any) -> bool:
    real = type(x) is EagerTensor and x.dtype in (tf.float32, tf.float64)
    return real and x.device.endswith(CPU) and not recorded()


_KERNELS: Final = {"erf": _erf, "ndtri": lambda x: raw.Ndtri(x=x)}
PARTIAL: Final = native_functions(
    {name: _by_numpy(name) for name in FUNCTIONS if name not in _KERNELS},
    _has_values,
    lambda _: False,  # nothing is recorded
) | native_activations(_KERNELS, {}, rank_of, is_real)
