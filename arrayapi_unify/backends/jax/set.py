"""JAX's implementations of the set functions. Shapes depend on data: unique_* can't be traced."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from arrayapi_unify.backends.jax import elementwise
from arrayapi_unify.backends.jax._kernels import Arr
from arrayapi_unify.backends.jax._transfer import convert_any

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


def _beside(scalar: int, other: Any) -> Arr:
    """Make an array of an integer; beside integers of its own dtype, so that none overflows."""
    if isinstance(other, jax.Array) and other.dtype.kind in "fc":
        return jnp.asarray(scalar, dtype=other.dtype)
    return convert_any("isin", scalar, None, None, None)


def isin(x1: Arr | int, x2: Arr | int, /, *, invert: bool = False) -> Arr:
    """Test for membership by comparison of all pairs, which is exact for all data types."""
    first: Any = x1 if isinstance(x1, jax.Array) else _beside(x1, x2)
    second: Any = x2 if isinstance(x2, jax.Array) else _beside(x2, x1)
    found = jnp.any(elementwise.equal(first[..., None], second.reshape(-1)), axis=-1)
    return ~found if invert else found


def unique_all(x: Arr, /) -> tuple[Arr, Arr, Arr, Arr]:
    """Values, first indices, inverse in x's shape, counts."""
    values, indices, inverse, counts = jnp.unique(
        x.reshape(-1), return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    return values, indices, inverse.reshape(x.shape), counts


def unique_counts(x: Arr, /) -> tuple[Arr, Arr]:
    """Values and counts."""
    values, counts = jnp.unique(x.reshape(-1), return_counts=True, equal_nan=False)
    return values, counts


def unique_inverse(x: Arr, /) -> tuple[Arr, Arr]:
    """Values, and inverse in x's shape."""
    values, inverse = jnp.unique(x.reshape(-1), return_inverse=True, equal_nan=False)
    return values, inverse.reshape(x.shape)


def unique_values(x: Arr, /) -> Arr:
    """Values."""
    return jnp.unique(x.reshape(-1), equal_nan=False)
