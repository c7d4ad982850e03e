"""Normalizations of JAX as one program, which takes the place of twenty calls."""

from __future__ import annotations

import functools
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.algorithms.batch_norm import (
    has_plain_channels,
    renewed,
    standardized,
)
from arrayapi_unify.backends.kernel import partial_mixed

JaxArray = jax.Array

_FLOATS: Final = frozenset({np.dtype("float32"), np.dtype("float64")})


@partial_mixed(has_plain_channels(_FLOATS))
def batch_norm(
    x: JaxArray,
    mean: JaxArray,
    variance: JaxArray,
    /,
    *,
    scale: JaxArray | None = None,
    offset: JaxArray | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
    axis: int = 1,
) -> tuple[JaxArray, JaxArray, JaxArray]:
    """Normalize by the mean and variance of the batch."""
    return _trained(x, mean, variance, scale, offset, momentum, eps, axis % x.ndim)


@functools.partial(jax.jit, static_argnums=7)
def _trained(
    x: Any, mean: Any, variance: Any, scale: Any, offset: Any, momentum: Any, eps: Any, axis: int
) -> Any:
    shape = [1] * x.ndim
    shape[axis] = -1
    scale, offset = (p if p is None else jnp.reshape(p, shape) for p in (scale, offset))
    output, *found = standardized(jnp, x, axis, scale, offset, eps)
    found = [part.reshape(-1) for part in found]
    count = x.size // x.shape[axis]
    return output, *renewed((mean, variance), found, momentum, count)
