"""TensorFlow's exceptions as the built-in ones that the other backends raise."""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from arrayapi_unify.backends._common.checks.arguments import TracedError

# Words of a kernel's message about an index; all other mismatches are those of shapes.
_INDEX_WORDS: Final = ("is not in [", "does not index into", "out of bounds")
_DTYPE_WORDS: Final = ("was expected to be a", "Could not find device", "Value for attr")


def translate_error(error: Exception) -> Exception:
    """Return an error of the class that NumPy would raise, the error itself if it is one."""
    if isinstance(error, tf.errors.OperatorNotAllowedInGraphError):
        return TracedError(str(error))
    if not isinstance(error, tf.errors.OpError):
        return error
    # The first line holds the name of a wrapping function, in double braces, before the message.
    message = str(error.message).rpartition("}} ")[2].partition(" [Op:")[0]
    if any(word in message for word in _INDEX_WORDS):
        return IndexError(message)
    if isinstance(error, tf.errors.UnimplementedError | tf.errors.NotFoundError):
        return TypeError(message)
    if any(word in message for word in _DTYPE_WORDS):
        return TypeError(message)
    if isinstance(error, tf.errors.ResourceExhaustedError):
        return MemoryError(message)
    return ValueError(message)
