"""The TensorFlow backend: `tf.Tensor` or `tf.Variable` in, `tf.Tensor` out.

Nothing global in TensorFlow is changed; in particular its NumPy behaviour stays off.
"""

from __future__ import annotations

import os

from arrayapi_unify.backends import _triton_first

# isort: split
# TensorFlow logs about its build at import; a level set by the user is kept.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.memory import derived
from arrayapi_unify.backends._common.protocols.defaults import (
    as_library_error,
    is_scattered,
    lazy,
    node_of,
    pickled,
)
from arrayapi_unify.backends._common.protocols.module_getattr import make_getattr
from arrayapi_unify.backends.tensorflow._core import EagerTensor, cast, shape_of, tensor
from arrayapi_unify.backends.tensorflow._devices import device_of, devices, native_device
from arrayapi_unify.backends.tensorflow._errors import translate_error
from arrayapi_unify.backends.tensorflow._interchange import copy, dlpack, dlpack_device, to_numpy
from arrayapi_unify.backends.tensorflow._pytree import convert_explicitly, register_node
from arrayapi_unify.backends.tensorflow.dtypes import DTYPES, as_dtype, dtype_of

__getattr__, __dir__ = make_getattr(__name__)

NAME: Final = "tensorflow"
convert_explicitly(NAME)
RESULT_TYPE: Final = None
NATIVE_TYPE: type = EagerTensor
aliasing: Final = None
LAZY_REFRESH: Final = True
VIEW_EMULATION: Final = True
EAGER_BINDING: Final = False
CAPABILITIES: Final = {
    "boolean indexing": True,
    "data-dependent shapes": True,
    # Many kernels, such as those of slices and broadcasting, stop at eight dimensions.
    "max dimensions": 8,
}

as_native_array = tensor


def is_native_type(kind: type) -> bool:
    """Return True if instances of `kind` are tensors (traced ones too) or variables."""
    return issubclass(kind, tf.Tensor | tf.Variable)


def suppress_warnings(body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the body: nothing here warns about special values."""
    return body


def tracer_of(x: Any) -> Any:
    """Return the graph of a symbolic tensor, None for one with values."""
    return None if type(x) is EagerTensor else getattr(x, "graph", None)


def join_complex(real: Any, imag: Any) -> Any:
    """Return the complex array of two components."""
    return tf.complex(real, imag)


def shares_memory(x: Any, y: Any) -> bool:
    """Return False: no visible write goes to memory."""
    return False


def version_of(x: Any) -> None:
    """Return None: native arrays never change."""


def is_compiling() -> bool:
    """Say no: this library's tracers let Python run."""
    return False


def write(target: Any, value: Any) -> Any:
    """Return `value` cast to the data type of `target`: tensors don't change."""
    dtype = target.dtype
    return value if value.dtype is dtype else cast(value, dtype)


write_through = write


def write_all(targets: Sequence[Any], values: Sequence[Any]) -> bool:
    """Say no: no memory is written to."""
    return False


in_place = functools.partial(derived, shape_of=shape_of, dtype_of=dtype_of, write=write)
