"""Special functions of the JAX backend.

JAX's other error functions lose digits in the tails.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

import jax

from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.jax.nn.activations import is_real

__getattr__, __dir__ = make_extension_getattr(__name__)

_KERNELS: Final = {"erf": jax.jit(jax.lax.erf), "ndtri": jax.jit(jax.scipy.special.ndtri)}
PARTIAL: Final = native_activations(_KERNELS, {}, attrgetter("ndim"), is_real)
