"""JAX's order statistics: `jnp.median` agrees, `jnp.quantile` doesn't between infinities."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.axes import normalize_axes
from arrayapi_unify.backends.jax._core import Arr

__all__ = ["median"]

Axis = int | tuple[int, ...] | None


@functools.partial(jax.jit, static_argnums=(1, 2))
def _median(x: Arr, axes: tuple[int, ...], keepdims: bool) -> Arr:
    # Of halves, as the sum of two elements may overflow.
    return 2 * jnp.median(x / 2, axes, keepdims=keepdims)


def median(x: Arr, /, *, axis: Axis = None, keepdims: bool = False) -> Arr:
    """Compute in one kernel."""
    return _median(x, tuple(normalize_axes("median", axis, x.ndim)), keepdims)


def _is_served(x: Arr, /, *, axis: Axis = None, keepdims: bool = False) -> bool:
    """Whether x is real floating-point, and something is reduced; JAX refuses empty arrays."""
    return bool(x.dtype.kind == "f" and x.size and x.ndim and axis != ())


median.partial_mixed_handler = _is_served  # type: ignore[attr-defined]  # read by binding
