"""JAX's own covariances, of the rows of one array."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.correlation import has_correlations, has_covariances
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["corrcoef", "cov"]


@functools.partial(jax.jit, static_argnums=1)
def _cov(x: JaxArray, correction: int) -> JaxArray:
    return jnp.cov(x, ddof=correction)


_corrcoef = jax.jit(jnp.corrcoef)


@partial_mixed(has_covariances(lambda x: x.dtype.kind == "f"))
def cov(
    x: JaxArray,
    y: JaxArray | None = None,
    /,
    *,
    rowvar: bool = True,
    correction: float = 1,
    fweights: JaxArray | None = None,
    aweights: JaxArray | None = None,
) -> JaxArray:
    """Compute by JAX's own function."""
    return _cov(x, int(correction))


@partial_mixed(has_correlations(lambda x: x.dtype.kind == "f"))
def corrcoef(x: JaxArray, y: JaxArray | None = None, /, *, rowvar: bool = True) -> JaxArray:
    """Compute by JAX's own function."""
    return _corrcoef(x)
