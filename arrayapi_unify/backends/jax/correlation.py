"""JAX's own covariances, of the rows of one array."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.correlation import has_correlations, has_covariances
from arrayapi_unify.backends.jax._core import Arr

__all__ = ["corrcoef", "cov"]


@functools.partial(jax.jit, static_argnums=1)
def _cov(x: Arr, correction: int) -> Arr:
    return jnp.cov(x, ddof=correction)


_corrcoef = jax.jit(jnp.corrcoef)


def cov(
    x: Arr,
    y: Arr | None = None,
    /,
    *,
    rowvar: bool = True,
    correction: float = 1,
    fweights: Arr | None = None,
    aweights: Arr | None = None,
) -> Arr:
    """Compute by JAX's own function."""
    return _cov(x, int(correction))


def corrcoef(x: Arr, y: Arr | None = None, /, *, rowvar: bool = True) -> Arr:
    """Compute by JAX's own function."""
    return _corrcoef(x)


vars(cov).update(partial_mixed_handler=has_covariances(lambda x: x.dtype.kind == "f"))
vars(corrcoef).update(partial_mixed_handler=has_correlations(lambda x: x.dtype.kind == "f"))
