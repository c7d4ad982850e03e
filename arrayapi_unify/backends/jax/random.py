"""Keys and random bits of the JAX backend, on JAX's own kernel of Threefry."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.random import threefry_2x32

from arrayapi_unify.backends._common.algorithms import random as common
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax._looks import is_split
from arrayapi_unify.backends.jax.creation import asarray
from arrayapi_unify.backends.jax.dtypes import DTYPES, as_dtype, dtype_of

__getattr__, __dir__ = make_extension_getattr(__name__)


def key(seed: int, /, *, device: Any = None) -> JaxArray:
    """Return the words of a seed."""
    return asarray(np.array(common.seed_words(seed), np.uint32), device=device)


def fold_in(key: JaxArray, data: JaxArray | int, /) -> JaxArray:
    """Encrypt a number with a key: the result is a key."""
    common.check_key("random.fold_in", key.shape, dtype_of(key))
    number = jnp.asarray(common.folded(data, jax.Array, dtype_of)).astype(jnp.uint32)
    if is_split(number) and not is_split(key):
        number = jax.device_put(number, key.sharding)
    return _folded(key, number)


def bits(
    key: JaxArray, /, shape: int | Sequence[int] = (), *, dtype: np.dtype[Any] | None = None
) -> JaxArray:
    """Encrypt the numbers of the elements, in one kernel."""
    common.check_key("random.bits", key.shape, dtype_of(key))
    plan = common.draw(shape, None if dtype is None else as_dtype(dtype))
    return _drawn(key, plan.shape, DTYPES[plan.dtype])


@jax.jit
def _folded(key: JaxArray, number: JaxArray) -> JaxArray:
    return threefry_2x32(key, jnp.stack([jnp.zeros_like(number), number]))


@functools.partial(jax.jit, static_argnums=(1, 2))
def _drawn(key: JaxArray, shape: tuple[int, ...], dtype: np.dtype[Any]) -> JaxArray:
    count = jax.lax.iota(np.uint64, int(np.prod(shape)))
    pair = [(count >> 32).astype(np.uint32), count.astype(np.uint32)]
    x, y = jnp.split(threefry_2x32(key, jnp.concatenate(pair)), 2)
    if dtype.itemsize == 8:
        words = (x.astype(dtype) << 32) | y.astype(dtype)
    else:
        words = (x ^ y).astype(dtype)
    return words.reshape(shape)
