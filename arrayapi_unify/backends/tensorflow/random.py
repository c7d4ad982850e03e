"""Keys and random bits of the TensorFlow backend.

One by one, a hundred small operations would cost more than what they compute: XLA makes one kernel
of them. It makes one for each size, which is why there are few sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms import random as common
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.tensorflow._core import NativeDType, Tensor
from arrayapi_unify.backends.tensorflow.creation import asarray
from arrayapi_unify.backends.tensorflow.dtypes import DTYPES, as_dtype, dtype_of

__getattr__, __dir__ = make_extension_getattr(__name__)

_SMALLEST: Final = 256


def key(seed: int, /, *, device: Any = None) -> Tensor:
    """Return the words of a seed."""
    return asarray(common.seed_words(seed), dtype=tf.uint32, device=device)


def fold_in(key: Tensor, data: Tensor | int, /) -> Tensor:
    """Encrypt a number with a key: the result is a key."""
    common.check_key("random.fold_in", tuple(key.shape), dtype_of(key))
    data = common.folded(data, tf.Tensor, dtype_of)
    data = data if isinstance(data, tf.Tensor) else tf.constant(data, tf.uint32)
    number = tf.reshape(tf.cast(data, tf.uint32), (1,))
    return _folded_kernel(key, number)


def bits(
    key: Tensor, /, shape: int | Sequence[int] = (), *, dtype: NativeDType | None = None
) -> Tensor:
    """Encrypt the numbers of the elements, in one kernel."""
    common.check_key("random.bits", tuple(key.shape), dtype_of(key))
    plan = common.draw(shape, None if dtype is None else as_dtype(dtype))
    native = DTYPES[plan.dtype]
    size = max(_SMALLEST, 1 << (plan.size - 1).bit_length())
    return tf.reshape(_kernel(key, size, native)[: plan.size], plan.shape)


def _folded(key: Tensor, number: Tensor) -> Tensor:
    pair = tf.zeros((1,), tf.int32), tf.bitcast(number, tf.int32)
    pair = common.encrypted(_words(key), pair, _rotated)
    return tf.bitcast(tf.concat(pair, 0), tf.uint32)


def _drawn(key: Tensor, count: int, dtype: NativeDType) -> Tensor:
    """Encrypt the first `count` counters."""
    numbers = tf.range(count, dtype=tf.int64)
    high = tf.bitwise.right_shift(numbers, tf.constant(32, tf.int64))
    pair = tf.cast(high, tf.int32), tf.cast(numbers, tf.int32)
    x, y = common.encrypted(_words(key), pair, _rotated)
    if dtype.size == 8:
        wide, narrow = (tf.cast(tf.bitcast(word, tf.uint32), tf.uint64) for word in (x, y))
        return tf.bitwise.left_shift(wide, tf.constant(32, tf.uint64)) | narrow
    return tf.cast(tf.bitcast(tf.bitwise.bitwise_xor(x, y), tf.uint32), dtype)


def _words(key: Tensor) -> tuple[Tensor, Tensor]:
    signed = tf.bitcast(key, tf.int32)
    return signed[:1], signed[1:]


def _rotated(x: Tensor, by: int) -> Tensor:
    """Rotate words to the left."""
    left = tf.bitwise.left_shift(x, tf.constant(by, tf.int32))
    right = tf.bitwise.right_shift(x, tf.constant(32 - by, tf.int32))
    return left | (right & ((1 << by) - 1))


_folded_kernel: Final[Any] = tf.function(_folded, jit_compile=True)
_kernel: Final[Any] = tf.function(_drawn, jit_compile=True)
