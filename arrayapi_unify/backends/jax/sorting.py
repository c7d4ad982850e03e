"""JAX's implementations of the sorting functions.

Descending order is the ascending order of the flipped array, flipped back: equal elements keep
their order, NaNs come first as they come last ascending, and nothing is negated, which would
overflow (-int8(-128)) or be undefined (unsigned integers, bool).
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.backends.jax._kernels import Arr

__all__ = ["argsort", "sort"]


@functools.partial(jax.jit, static_argnums=(1, 2, 3))
def _argsort(x: Arr, axis: int, descending: bool, stable: bool) -> Arr:
    if not descending:
        return jnp.argsort(x, axis=axis, stable=stable)
    order = jnp.argsort(jnp.flip(x, axis), axis=axis, stable=stable)
    return x.shape[axis] - 1 - jnp.flip(order, axis)


@functools.partial(jax.jit, static_argnums=(1, 2, 3))
def _sort(x: Arr, axis: int, descending: bool, stable: bool) -> Arr:
    if not descending:
        return jnp.sort(x, axis=axis, stable=stable)
    return jnp.flip(jnp.sort(jnp.flip(x, axis), axis=axis, stable=stable), axis)


def argsort(x: Arr, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Arr:
    """Sort indices."""
    return _argsort(x, normalize_axis("argsort", axis, x.ndim), descending, stable)


def sort(x: Arr, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Arr:
    """Sort."""
    return _sort(x, normalize_axis("sort", axis, x.ndim), descending, stable)
