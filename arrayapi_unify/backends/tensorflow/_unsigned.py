"""Unsigned integers carried by signed ones, where TensorFlow lacks kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import tensorflow as tf

from arrayapi_unify.backends.tensorflow._core import Tensor

# The signed integers of the same bits: two's complement adds, multiplies and shifts left alike.
_SIGNED: Final = {
    tf.uint8: tf.int8,
    tf.uint16: tf.int16,
    tf.uint32: tf.int32,
    tf.uint64: tf.int64,
}


def signed(x: Tensor) -> Tensor:
    """Return unsigned integers as the signed ones of the same bits."""
    return tf.bitcast(x, _SIGNED[x.dtype])


def bits(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Carry unsigned integers as the signed ones of the same bits."""

    def carried(x: Tensor, *rest: Tensor) -> Tensor:
        result = function(signed(x), *map(signed, rest))
        return tf.bitcast(result, x.dtype)

    return carried
