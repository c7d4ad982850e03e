"""Special functions of the JAX backend: its own where they keep their digits in the tails."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, Final

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.algorithms import error_functions
from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.jax import elementwise
from arrayapi_unify.backends.jax._core import FLOAT64, JaxArray
from arrayapi_unify.backends.jax.nn.activations import is_real

__getattr__, __dir__ = make_extension_getattr(__name__)


# XLA's logarithm of 1 + x loses digits.
_NAMESPACE: Final = SimpleNamespace(
    expm1=elementwise.expm1,
    log1p=elementwise.log1p,
    **{n: getattr(jnp, n) for n in ("abs", "exp", "log", "logical_and", "round", "sqrt", "where")},
)


def _compiled(compute: Callable[[Any, JaxArray], JaxArray]) -> Callable[[JaxArray], JaxArray]:
    """Compile a function that computes in double precision."""
    return jax.jit(lambda x: compute(_NAMESPACE, x.astype(FLOAT64)).astype(x.dtype))


_KERNELS: Final = {name: _compiled(f) for name, f in error_functions.FUNCTIONS.items()}
_OWN: Final = {"erf": jax.jit(jax.lax.erf), "ndtri": jax.jit(jax.scipy.special.ndtri)}
PARTIAL: Final = native_activations(_KERNELS | _OWN, {}, attrgetter("ndim"), is_real)
