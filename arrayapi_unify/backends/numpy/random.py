"""Keys and random bits of the NumPy backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arrayapi_unify.backends._common.algorithms import random as common
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.numpy.dtypes import as_dtype, dtype_of

__getattr__, __dir__ = make_extension_getattr(__name__)

NDArray = np.ndarray[Any, Any]

# Counters that are encrypted at once: what is computed on then stays in the cache.
_BLOCK: Final = 32768


def key(seed: int, /, *, device: object = None) -> NDArray:
    """Return the words of a seed."""
    return np.array(common.seed_words(seed), np.uint32)


def fold_in(key: NDArray, data: NDArray | int, /) -> NDArray:
    """Encrypt a number with a key: the result is a key."""
    common.check_key("random.fold_in", key.shape, dtype_of(key))
    number = common.folded(data, np.ndarray, dtype_of)
    count = np.asarray(number).astype(np.uint32).reshape(1)
    return np.concatenate(_encrypted(key, np.zeros_like(count), count))


def bits(
    key: NDArray, /, shape: int | Sequence[int] = (), *, dtype: np.dtype[Any] | None = None
) -> NDArray:
    """Encrypt the numbers of the elements, block by block."""
    common.check_key("random.bits", key.shape, dtype_of(key))
    plan = common.draw(shape, None if dtype is None else as_dtype(dtype))
    result = np.empty(plan.size, plan.dtype.name)
    for start in range(0, plan.size, _BLOCK):
        counts = np.arange(start, min(start + _BLOCK, plan.size), dtype=np.uint64)
        _encrypt_into(result[start : start + _BLOCK], key, counts)
    return result.reshape(plan.shape)


def encrypted_counts(key: NDArray, counts: NDArray, dtype: np.dtype[Any]) -> NDArray:
    """Encrypt numbers, in their shape: those of some elements of a larger array."""
    result = np.empty(counts.size, dtype)
    flat = counts.reshape(-1)
    for start in range(0, counts.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        _encrypt_into(result[part], key, flat[part])
    return result.reshape(counts.shape)


def _encrypt_into(block: NDArray, key: NDArray, counts: NDArray) -> None:
    x, y = _encrypted(key, (counts >> np.uint64(32)).astype(np.uint32), counts.astype(np.uint32))
    if block.itemsize == 8:
        block[...] = x
        block <<= 32
        block |= y
    else:
        x ^= y
        np.copyto(block, x, casting="unsafe")


def _encrypted(key: NDArray, high: NDArray, low: NDArray) -> tuple[NDArray, NDArray]:
    # The words of the key are arrays: sums of NumPy's scalars warn where they wrap around.
    return common.encrypted((key[:1], key[1:]), (high, low), _rotated)


def _rotated(x: NDArray, by: int) -> NDArray:
    """Rotate unsigned words to the left."""
    left = x << by
    x >>= 32 - by
    left |= x
    return left
