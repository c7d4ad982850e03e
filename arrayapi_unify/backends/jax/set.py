"""JAX's implementations of the set functions. Shapes depend on data: unique_* can't be traced."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from arrayapi_unify.backends.jax import elementwise
from arrayapi_unify.backends.jax._conversion import converted
from arrayapi_unify.backends.jax._core import JaxArray, scalar_beside
from arrayapi_unify.backends.jax.sorting import argsort


def _beside(scalar: int, other: Any) -> JaxArray:
    """Make an array of a scalar; an integer with others keeps its own dtype, none overflows."""
    if isinstance(other, jax.Array) and (other.dtype.kind in "fc" or not isinstance(scalar, int)):
        return jnp.asarray(scalar_beside(scalar, other))
    return converted("isin", scalar, None, None, None)


def isin(x1: JaxArray | int, x2: JaxArray | int, /, *, invert: bool = False) -> JaxArray:
    """Test for membership by comparison of all pairs, which is exact for all data types."""
    first: Any = x1 if isinstance(x1, jax.Array) else _beside(x1, x2)
    second: Any = x2 if isinstance(x2, jax.Array) else _beside(x2, x1)
    found = jnp.any(elementwise.equal(first[..., None], second.reshape(-1)), axis=-1)
    return ~found if invert else found


def _runs(x: JaxArray) -> tuple[JaxArray, JaxArray, JaxArray, JaxArray]:
    """Return the order that sorts x flattened, x in that order, where runs of equal elements start
    in it, and the number of its run for each element in order.

    jnp.unique takes complex numbers with a NaN for each other.
    """
    flat = x.reshape(-1)
    order = argsort(flat)
    values = flat[order]
    new = jnp.ones(values.shape, bool).at[1:].set(values[1:] != values[:-1])
    return order, values, jnp.nonzero(new)[0], jnp.cumsum(new) - 1


def _inverse(x: JaxArray, order: JaxArray, numbers: JaxArray) -> JaxArray:
    return jnp.empty_like(order).at[order].set(numbers).reshape(x.shape)


def _counts(x: JaxArray, starts: JaxArray) -> JaxArray:
    return jnp.diff(starts, append=x.size)


def unique_all(x: JaxArray, /) -> tuple[JaxArray, JaxArray, JaxArray, JaxArray]:
    """Values, first indices, inverse in x's shape, counts."""
    order, values, starts, numbers = _runs(x)
    return values[starts], order[starts], _inverse(x, order, numbers), _counts(x, starts)


def unique_counts(x: JaxArray, /) -> tuple[JaxArray, JaxArray]:
    """Values and counts."""
    _, values, starts, _ = _runs(x)
    return values[starts], _counts(x, starts)


def unique_inverse(x: JaxArray, /) -> tuple[JaxArray, JaxArray]:
    """Values, and inverse in x's shape."""
    order, values, starts, numbers = _runs(x)
    return values[starts], _inverse(x, order, numbers)


def unique_values(x: JaxArray, /) -> JaxArray:
    """Values."""
    _, values, starts, _ = _runs(x)
    return values[starts]
