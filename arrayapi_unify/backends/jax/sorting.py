"""JAX's implementations of the sorting functions.

Descending order is the ascending order of the flipped array, flipped back: equal elements keep
their order, NaNs come first as they come last ascending, and nothing is negated, which would
overflow (-int8(-128)) or be undefined (unsigned integers, bool).
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
from jax import lax

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax.dtypes import DTYPES


def _arranged(x: JaxArray, carried: JaxArray, axis: int, stable: bool) -> JaxArray:
    """Sort `carried` in the order of complex numbers: NumPy's, in which any NaN comes last."""
    a, b = jnp.real(x), jnp.imag(x)
    missing = jnp.isnan(a) * 2 + jnp.isnan(b)
    keys = (missing, jnp.where(missing > 1, 0, a), jnp.where(missing % 2 == 1, 0, b))
    return lax.sort((*keys, carried), dimension=axis, is_stable=stable, num_keys=3)[-1]


@functools.partial(jax.jit, static_argnums=(1, 2, 3))
def _argsort(x: JaxArray, axis: int, descending: bool, stable: bool) -> JaxArray:
    forward = jnp.flip(x, axis) if descending else x
    if x.dtype.kind == "c":
        numbers = lax.broadcasted_iota(DTYPES[dtypes.int64], x.shape, axis)
        order = _arranged(forward, numbers, axis, stable)
    else:
        order = jnp.argsort(forward, axis=axis, stable=stable)
    return x.shape[axis] - 1 - jnp.flip(order, axis) if descending else order


@functools.partial(jax.jit, static_argnums=(1, 2, 3))
def _sort(x: JaxArray, axis: int, descending: bool, stable: bool) -> JaxArray:
    forward = jnp.flip(x, axis) if descending else x
    if x.dtype.kind == "c":
        result = _arranged(forward, forward, axis, stable)
    else:
        result = jnp.sort(forward, axis=axis, stable=stable)
    return jnp.flip(result, axis) if descending else result


def argsort(
    x: JaxArray, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> JaxArray:
    """Sort indices."""
    return _argsort(x, normalize_axis("argsort", axis, x.ndim), descending, stable)


def sort(
    x: JaxArray, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> JaxArray:
    """Sort."""
    return _sort(x, normalize_axis("sort", axis, x.ndim), descending, stable)
