"""JAX's own activation functions of straight lines, each one kernel.

The derivative of `jax.nn.hard_tanh` at its bounds is another one, and so is that of
`jax.nn.leaky_relu` at zero.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax.activations import is_real
from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["hardsigmoid", "leaky_relu", "relu6"]

_hardsigmoid = jax.jit(jax.nn.hard_sigmoid)
_relu6 = jax.jit(jax.nn.relu6)


@jax.jit
def _leaky_relu(x: JaxArray, slope: float) -> JaxArray:
    return jnp.where(x > 0, x, x * slope)


@partial_mixed(is_real)
def hardsigmoid(x: JaxArray, /) -> JaxArray:
    """Compute in one kernel."""
    return _hardsigmoid(x)


@partial_mixed(is_real)
def leaky_relu(x: JaxArray, /, *, negative_slope: float = 0.01) -> JaxArray:
    """Compute in one kernel; the derivative at zero is the slope."""
    return _leaky_relu(x, negative_slope)


@partial_mixed(is_real)
def relu6(x: JaxArray, /) -> JaxArray:
    """Compute in one kernel."""
    return _relu6(x)
