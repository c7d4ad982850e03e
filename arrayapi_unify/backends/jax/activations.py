"""JAX's own activation functions, each one kernel, for real floating-point arrays."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.activations import check_approximation
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["gelu", "log_softmax", "relu", "sigmoid", "softmax", "softplus"]

_log_softmax = jax.jit(jax.nn.log_softmax, static_argnums=1)
_softplus = jax.jit(jax.nn.softplus)
_relu = jax.jit(jax.nn.relu)
_sigmoid = jax.jit(jax.nn.sigmoid)
_softmax = jax.jit(jax.nn.softmax, static_argnums=1)


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


@partial_mixed(is_real)
def log_softmax(x: JaxArray, /, *, axis: int = -1) -> JaxArray:
    """Compute in one kernel."""
    return _log_softmax(x, normalize_axis("log_softmax", axis, x.ndim))


@partial_mixed(is_real)
def relu(x: JaxArray, /) -> JaxArray:
    """Compute in one kernel; the gradient at zero is zero."""
    return _relu(x)


@partial_mixed(is_real)
def sigmoid(x: JaxArray, /) -> JaxArray:
    """Compute in one kernel."""
    return _sigmoid(x)


@partial_mixed(is_real)
def softmax(x: JaxArray, /, *, axis: int = -1) -> JaxArray:
    """Compute in one kernel."""
    return _softmax(x, normalize_axis("softmax", axis, x.ndim))


def _is_real_and_plain(
    x: JaxArray, /, *, beta: float = 1.0, threshold: float | None = None
) -> bool:
    return bool(x.dtype.kind == "f" and beta == 1 and threshold is None)


@partial_mixed(_is_real_and_plain)
def softplus(x: JaxArray, /, *, beta: float = 1.0, threshold: float | None = None) -> JaxArray:
    """Compute in one kernel."""
    return _softplus(x)
