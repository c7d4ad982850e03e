"""JAX's own smooth activation functions, each one kernel; at infinity some need help."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.activations import check_alpha, check_even
from arrayapi_unify.backends.jax._core import Arr
from arrayapi_unify.backends.jax.activations import is_real

__all__ = ["celu", "elu", "glu", "logsigmoid", "mish", "selu", "silu"]

_celu = jax.jit(jax.nn.celu)
_elu = jax.jit(jax.nn.elu)
_logsigmoid = jax.jit(jax.nn.log_sigmoid)
_glu = jax.jit(jax.nn.glu, static_argnums=1)
_selu = jax.jit(jax.nn.selu)


def _with_limits(function: Callable[[Arr], Arr]) -> Callable[[Arr], Arr]:
    """Compile a function that gives NaN at infinity and has a NaN for a derivative there."""

    def whole(x: Arr) -> Arr:
        infinite = jnp.isinf(x)
        return jnp.where(infinite, jax.nn.relu(x), function(jnp.where(infinite, 1.0, x)))

    return jax.jit(whole)


_mish = _with_limits(jax.nn.mish)
_silu = _with_limits(jax.nn.silu)


def celu(x: Arr, /, *, alpha: float = 1.0) -> Arr:
    """Compute in one kernel."""
    check_alpha("celu", alpha)
    return _celu(x, alpha)


def elu(x: Arr, /, *, alpha: float = 1.0) -> Arr:
    """Compute in one kernel."""
    return _elu(x, alpha)


def logsigmoid(x: Arr, /) -> Arr:
    """Compute in one kernel."""
    return _logsigmoid(x)


def mish(x: Arr, /) -> Arr:
    """Compute in one kernel."""
    return _mish(x)


def selu(x: Arr, /) -> Arr:
    """Compute in one kernel."""
    return _selu(x)


def silu(x: Arr, /) -> Arr:
    """Compute in one kernel."""
    return _silu(x)


def glu(x: Arr, /, *, axis: int = -1) -> Arr:
    """Compute in one kernel."""
    return _glu(x, check_even("glu", axis, x.shape)[0])


for _function in (celu, elu, glu, logsigmoid, mish, selu, silu):
    vars(_function).update(partial_mixed_handler=is_real)
