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
from arrayapi_unify.backends._common.checks.axes import check_selection, normalize_axis
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


@functools.partial(jax.jit, static_argnums=(1, 2, 3))
def _top_k(x: JaxArray, k: int, axis: int, descending: bool) -> JaxArray:
    """Return the first k indices of the stable order, by XLA's kernel.

    It takes the first of equal elements, and orders floats by their bits: -NaN, -inf, ..., -0, 0,
    ..., inf, NaN. It is fast for float32, which holds all numbers of up to 16 bits.
    """
    if x.dtype.kind == "c":
        return lax.slice_in_dim(_argsort(x, axis, descending, True), 0, k, axis=axis)
    keys = jnp.moveaxis(lax.stop_gradient(x), axis, -1)
    if x.dtype.itemsize <= 2:
        keys = keys.astype(jnp.float32)
    if jnp.issubdtype(keys.dtype, jnp.floating):
        nan = jnp.asarray(jnp.nan if descending else -jnp.nan, dtype=keys.dtype)
        numbers = keys if descending else -keys
        keys = jnp.where(jnp.isnan(keys), nan, jnp.where(keys == 0, 0, numbers))
    elif not descending:
        keys = ~keys
    return jnp.moveaxis(lax.top_k(keys, k)[1], -1, axis).astype(DTYPES[dtypes.int64])


def top_k(
    x: JaxArray, k: int, /, *, axis: int = -1, mode: str = "largest"
) -> tuple[JaxArray, JaxArray]:
    """Select."""
    k, axis = check_selection("top_k", k, axis, mode, x.shape)
    indices = _top_k(x, k, axis, mode == "largest")
    return jnp.take_along_axis(x, indices, axis, mode="promise_in_bounds"), indices


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
