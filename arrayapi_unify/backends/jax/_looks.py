"""Looks at the values of JAX's arrays.

Of an array that lies on several devices, these tell few numbers, so that nothing is gathered. In a
run of several processes each one has the same numbers, and goes the same way.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import SingleDeviceSharding

from arrayapi_unify._core.lazy_access import trust
from arrayapi_unify.backends._common.checks.arguments import raise_elsewhere_error
from arrayapi_unify.backends._common.checks.indexing import first_outside
from arrayapi_unify.backends.jax._meshes import split_over

__all__ = [
    "check_here", "extremes", "index_outside", "is_elsewhere", "is_split", "part_here",
    "values_everywhere",
]  # fmt: skip


@functools.cache
def _has_sharding(kind: Any) -> bool:
    """Return True for JAX's arrays that aren't traced, faster than `isinstance`."""
    return issubclass(kind, jax.Array) and not issubclass(kind, jax.core.Tracer)


def _may_be_split(x: Any) -> bool:
    """Return False for most arrays: the type of the sharding answers before JAX counts devices."""
    kind: Any = type(x)
    return _has_sharding(kind) and type(x.sharding) is not SingleDeviceSharding


def is_split(x: Any) -> bool:
    """Return True for an array on several devices, split or whole on each."""
    return _may_be_split(x) and len(x.sharding.device_set) > 1


@jax.jit
def _extremes(x: jax.Array) -> jax.Array:
    return jnp.stack([jnp.min(x), jnp.max(x)])


def extremes(x: Any) -> Any:
    """Return the least and the largest of the integers on several devices; other ones as they are.

    For checks of bounds these do as well as all of them.
    """
    return np.asarray(_extremes(x)) if is_split(x) and x.size else x


@jax.jit
def _any_outside(x: jax.Array, size: Any) -> Any:
    if x.dtype.kind == "u":
        return jnp.max(x).astype(jnp.uint64) >= size.astype(jnp.uint64)
    return (jnp.max(x).astype(jnp.int64) >= size) | (jnp.min(x).astype(jnp.int64) < -size)


def index_outside(x: Any, size: int) -> int | None:
    """Return an index out of the bounds of an axis, as NumPy reads indices; None: there is none.

    Of indices on several devices one bool is read, and none at all of those that a body made.
    """
    if not is_split(x):
        return first_outside(x, size)
    if not x.size or trust.given or not np.asarray(_any_outside(x, np.int64(size))):
        return None
    return first_outside(extremes(x), size)


def values_everywhere(x: Any) -> np.ndarray[Any, np.dtype[Any]]:
    """Return the values; parts in other processes are sent to all, each of which has to call."""
    if is_elsewhere(x) and not x.is_fully_replicated:
        mesh = jax.sharding.Mesh(np.array(sorted(x.sharding.device_set, key=lambda d: d.id)), "all")
        x = jax.jit(lambda y: y, out_shardings=split_over(mesh))(x)
    return np.asarray(x)


def is_elsewhere(x: Any) -> bool:
    """Return True for an array that lies in other processes, too."""
    return _may_be_split(x) and not x.is_fully_addressable


def part_here(function: str, argument: str, x: jax.Array) -> jax.Array:
    """Return the whole array that this process has of one in several; refuse a part of it."""
    check_here(function, argument, x)
    return x.addressable_data(0)


def check_here(function: str, argument: str, x: Any) -> None:
    """Refuse to read an array of which this process has a part only: the others would have to."""
    if not is_elsewhere(x) or x.is_fully_replicated:
        return
    count = len({device.process_index for device in x.sharding.device_set})
    remedy = "reduce it first, or call jax.experimental.multihost_utils.process_allgather in each"
    raise_elsewhere_error(function, argument, count, remedy)
