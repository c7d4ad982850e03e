"""JAX's own smooth activation functions, each one kernel; at infinity some need help."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.activations import check_alpha, check_even
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax.activations import is_real
from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["celu", "elu", "glu", "logsigmoid", "mish", "selu", "silu"]

_celu = jax.jit(jax.nn.celu)
_elu = jax.jit(jax.nn.elu)
_logsigmoid = jax.jit(jax.nn.log_sigmoid)
_glu = jax.jit(jax.nn.glu, static_argnums=1)
_selu = jax.jit(jax.nn.selu)


def _with_limits(function: Callable[[JaxArray], JaxArray]) -> Callable[[JaxArray], JaxArray]:
    """Compile a function that gives NaN at infinity and has a NaN for a derivative there."""

    def whole(x: JaxArray) -> JaxArray:
        infinite = jnp.isinf(x)
        return jnp.where(infinite, jax.nn.relu(x), function(jnp.where(infinite, 1.0, x)))

    return jax.jit(whole)


_mish = _with_limits(jax.nn.mish)
_silu = _with_limits(jax.nn.silu)


@partial_mixed(is_real)
def celu(x: JaxArray, /, *, alpha: float = 1.0) -> JaxArray:
    """Compute in one kernel."""
    check_alpha("celu", alpha)
    return _celu(x, alpha)


@partial_mixed(is_real)
def elu(x: JaxArray, /, *, alpha: float = 1.0) -> JaxArray:
    """Compute in one kernel."""
    return _elu(x, alpha)


@partial_mixed(is_real)
def logsigmoid(x: JaxArray, /) -> JaxArray:
    """Compute in one kernel."""
    return _logsigmoid(x)


@partial_mixed(is_real)
def mish(x: JaxArray, /) -> JaxArray:
    """Compute in one kernel."""
    return _mish(x)


@partial_mixed(is_real)
def selu(x: JaxArray, /) -> JaxArray:
    """Compute in one kernel."""
    return _selu(x)


@partial_mixed(is_real)
def silu(x: JaxArray, /) -> JaxArray:
    """Compute in one kernel."""
    return _silu(x)


@partial_mixed(is_real)
def glu(x: JaxArray, /, *, axis: int = -1) -> JaxArray:
    """Compute in one kernel."""
    return _glu(x, check_even("glu", axis, x.shape)[0])
