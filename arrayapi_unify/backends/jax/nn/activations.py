"""JAX's own activation functions, each one kernel, for real floating-point arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.checks.nn import check_alpha, check_approximation, check_even
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.kernel import partial_mixed

_softplus = jax.jit(jax.nn.softplus)


@functools.partial(jax.jit, static_argnums=1)
def _gelu(x: JaxArray, approximate: bool) -> JaxArray:
    """Compute; infinity stays, as times zero it would have no derivative."""
    infinite = x == jnp.inf
    return jnp.where(infinite, x, jax.nn.gelu(jnp.where(infinite, 1, x), approximate))


def is_real(x: JaxArray, /, *args: object, **kwargs: object) -> bool:
    """Return True if x is real floating-point, as the native activation functions expect."""
    return bool(x.dtype.kind == "f")


@partial_mixed(is_real)
def gelu(x: JaxArray, /, *, approximate: str = "none") -> JaxArray:
    """Compute in one kernel."""
    check_approximation(approximate)
    return _gelu(x, approximate == "tanh")


def _is_real_and_plain(
    x: JaxArray, /, *, beta: float = 1.0, threshold: float | None = None
) -> bool:
    return bool(x.dtype.kind == "f" and beta == 1 and threshold is None)


@partial_mixed(_is_real_and_plain)
def softplus(x: JaxArray, /, *, beta: float = 1.0, threshold: float | None = None) -> JaxArray:
    """Compute in one kernel."""
    return _softplus(x)


@jax.jit
def _leaky_relu(x: JaxArray, slope: float) -> JaxArray:
    return jnp.where(x > 0, x, x * slope)


@partial_mixed(is_real)
def leaky_relu(x: JaxArray, /, *, negative_slope: float = 0.01) -> JaxArray:
    """Compute in one kernel; the derivative at zero is the slope."""
    return _leaky_relu(x, negative_slope)


_celu = jax.jit(jax.nn.celu)
_elu = jax.jit(jax.nn.elu)
_glu = jax.jit(jax.nn.glu, static_argnums=1)


def _with_limits(function: Callable[[JaxArray], JaxArray]) -> Callable[[JaxArray], JaxArray]:
    """Compile a function that gives NaN at infinity and has a NaN for a derivative there."""

    def whole(x: JaxArray) -> JaxArray:
        infinite = jnp.isinf(x)
        return jnp.where(infinite, jax.nn.relu(x), function(jnp.where(infinite, 1.0, x)))

    return jax.jit(whole)


@partial_mixed(is_real)
def celu(x: JaxArray, /, *, alpha: float = 1.0) -> JaxArray:
    """Compute in one kernel."""
    check_alpha("nn.celu", alpha)
    return _celu(x, alpha)


@partial_mixed(is_real)
def elu(x: JaxArray, /, *, alpha: float = 1.0) -> JaxArray:
    """Compute in one kernel."""
    return _elu(x, alpha)


@partial_mixed(is_real)
def glu(x: JaxArray, /, *, axis: int = -1) -> JaxArray:
    """Compute in one kernel."""
    return _glu(x, check_even("nn.glu", axis, x.shape)[0])


_KERNELS: Final[dict[str, Any]] = {
    "hardsigmoid": jax.jit(jax.nn.hard_sigmoid), "logsigmoid": jax.jit(jax.nn.log_sigmoid),
    "mish": _with_limits(jax.nn.mish), "relu": jax.jit(jax.nn.relu), "relu6": jax.jit(jax.nn.relu6),
    "selu": jax.jit(jax.nn.selu), "sigmoid": jax.jit(jax.nn.sigmoid),
    "silu": _with_limits(jax.nn.silu),
}  # fmt: skip
_ALONG_AXES: Final = {
    "log_softmax": jax.jit(jax.nn.log_softmax, static_argnums=1),
    "softmax": jax.jit(jax.nn.softmax, static_argnums=1),
}
globals().update(native_activations(_KERNELS, _ALONG_AXES, attrgetter("ndim"), is_real))
