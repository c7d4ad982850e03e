"""JAX's order statistics: `jnp.median` agrees, `jnp.quantile` doesn't between infinities."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from arrayapi_unify.backends._common.axes import normalize_axes
from arrayapi_unify.backends._common.quantiles import native_quantiles, place
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["median", "percentile", "quantile"]

Axis = int | tuple[int, ...] | None


@functools.partial(jax.jit, static_argnums=(1, 2))
def _median(x: JaxArray, axes: tuple[int, ...], keepdims: bool) -> JaxArray:
    # The median of x / 2, because the sum of two elements of x may overflow.
    return 2 * jnp.median(x / 2, axes, keepdims=keepdims)


def _is_served(x: JaxArray, /, *, axis: Axis = None, keepdims: bool = False) -> bool:
    """Return True if x is real floating-point and an axis is reduced; JAX refuses empty x."""
    return bool(x.dtype.kind == "f" and x.size and x.ndim and axis != ())


@partial_mixed(_is_served)
def median(x: JaxArray, /, *, axis: Axis = None, keepdims: bool = False) -> JaxArray:
    """Compute in one kernel."""
    return _median(x, tuple(normalize_axes("median", axis, x.ndim)), keepdims)


@functools.partial(jax.jit, static_argnums=1)
def _between(x: JaxArray, axes: tuple[int, ...], low: Any, high: Any, given: Any) -> JaxArray:
    moved = jnp.moveaxis(x, axes, range(len(axes)))
    ordered = jnp.sort(jnp.reshape(moved, (-1, *moved.shape[len(axes) :])), axis=0)
    first = lax.dynamic_index_in_dim(ordered, low, 0, keepdims=False)
    second = lax.dynamic_index_in_dim(ordered, high, 0, keepdims=False)
    step, share = second - first, jnp.asarray(given, x.dtype)
    near = jnp.where(share < 0.5, first + step * share, second - step * (1 - share))
    # Where the step isn't finite: nothing cancels in this sum, unless infinities do.
    found = jnp.where(jnp.isfinite(step), near, first * (1 - share) + second * share)
    found = jnp.where(share == 0, first, found)
    return jnp.where(jnp.isnan(ordered[-1]), math.nan, found)


def _quantile(x: JaxArray, axes: tuple[int, ...], share: float) -> JaxArray:
    # The position is no constant of the kernel, which serves all shares.
    count = math.prod([x.shape[a] for a in axes])
    return _between(x, axes, *place(count, share))


quantile, percentile = native_quantiles(_quantile, lambda x: x.dtype.kind == "f")
