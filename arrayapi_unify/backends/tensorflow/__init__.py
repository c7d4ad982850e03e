"""The TensorFlow backend: `tf.Tensor` or `tf.Variable` in, `tf.Tensor` out.

Nothing global in TensorFlow is changed; in particular its NumPy behaviour stays off.
"""

from __future__ import annotations

import os

# TensorFlow logs about its build at import; whoever wants to read that sets the level.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends.tensorflow._core import cast, shape_of, tensor
from arrayapi_unify.backends.tensorflow._device import device_of, devices, native_device
from arrayapi_unify.backends.tensorflow._errors import translate_error
from arrayapi_unify.backends.tensorflow._interchange import copy, dlpack, dlpack_device, to_numpy
from arrayapi_unify.backends.tensorflow.dtypes import DTYPES, as_dtype, dtype_of
from arrayapi_unify.dtypes import same_kind
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError

__all__ = [
    "CAPABILITIES",
    "DTYPES",
    "NAME",
    "RESULT_TYPE",
    "as_dtype",
    "canonical",
    "copy",
    "device_of",
    "devices",
    "dlpack",
    "dlpack_device",
    "dtype_of",
    "in_place",
    "native_device",
    "owns",
    "shape_of",
    "to_numpy",
    "translate_error",
    "write",
]

NAME: Final = "tensorflow"
RESULT_TYPE: Final = None
CAPABILITIES: Final = {
    "boolean indexing": True,
    "data-dependent shapes": True,
    # Many kernels, such as those of slices and broadcasting, stop at eight dimensions.
    "max dimensions": 8,
}

canonical = tensor


def owns(kind: type) -> bool:
    """Whether instances of `kind` are tensors (traced ones too) or variables."""
    return issubclass(kind, tf.Tensor | tf.Variable)


def write(target: Any, value: Any) -> Any:
    """Return `value` cast to the data type of `target`: tensors don't change."""
    return cast(value, target.dtype)


def in_place(native: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Derive `x op= y`, which keeps x's data type and shape."""

    def update(x: Any, y: Any) -> Any:
        result = native(x, y)
        if result.shape.as_list() != x.shape.as_list():
            raise UnifyValueError(
                f"the result has shape {shape_of(result)}, the array {shape_of(x)}; "
                f"an in-place operation can't change an array's shape"
            )
        if result.dtype is x.dtype:
            return result
        if not same_kind(dtype_of(result), dtype_of(x)):
            raise UnifyTypeError(
                f"the result has data type {result.dtype.name}, which the array of "
                f"{x.dtype.name} can't store; write x = x op y instead"
            )
        return cast(result, x.dtype)

    return update
