"""Memory shared with others: DLPack and NumPy."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.conversion import convert_array, shared
from arrayapi_unify.backends._common.checks.arguments import (
    TracedError,
    check_dlpack,
    raise_copy_error,
    raise_view_error,
)
from arrayapi_unify.backends._common.protocols import interchange
from arrayapi_unify.backends.tensorflow import _pullback
from arrayapi_unify.backends.tensorflow._core import EagerTensor, Tensor, raw, tensor
from arrayapi_unify.backends.tensorflow.dtypes import dtype_of
from arrayapi_unify.errors import UnifyBufferError

# TensorFlow ends the process where a kernel meets memory that isn't aligned to this
# (tensorflow/core/framework/tensor.cc, CheckTypeAndIsAligned).
_ALIGNMENT: Final = 64
# DLPack's codes of devices whose memory the CPU reaches: CPU, CUDA host, ROCm host, CUDA managed.
_HOST_DEVICES: Final = frozenset({1, 3, 11, 13})
_CODES: Final = {"CPU": 1, "GPU": 2}  # DLPack's codes of TensorFlow's kinds of devices


def copy(x: Tensor) -> Tensor:
    """Copy the memory: it may be shared with a library that writes to it."""
    return raw.DeepCopy(x=x)


@tf.RegisterGradient("DeepCopy")  # type: ignore[untyped-decorator]  # TensorFlow is untyped
def _copy_gradient(op: Any, gradient: Tensor) -> Tensor:
    """Pass the gradient on: TensorFlow defines none for its copy."""
    return gradient


def to_numpy(x: Tensor, /, *, copy: bool | None = None) -> npt.NDArray[Any]:
    """Return a read-only view of memory on the CPU, or a copy."""
    if _pullback.running:
        _pullback.check_undifferentiated(x)
    if copy is None and type(x) is EagerTensor:
        try:
            return np.asarray(x)
        except ValueError:
            pass  # NumPy makes no array of TensorFlow's scalars of bfloat16
    if not hasattr(x, "numpy"):
        raise TracedError("a tensor that is being traced has no values yet")
    if copy is False and not _on_cpu(x):
        raise_view_error(x.device)
    values = tensor(x)
    if values.dtype is tf.bfloat16:  # NumPy takes its bits: buffers have no name for it
        bits = tf.bitcast(values, tf.uint16)
        return np.array(bits, copy=copy or None).view(tf.bfloat16.as_numpy_dtype)
    return np.array(values, copy=True) if copy else np.asarray(values)


def _on_cpu(x: Tensor) -> bool:
    return int(dlpack_device(x)[0]) == 1


def dlpack_device(x: Tensor) -> tuple[Any, int]:
    """Return the device in DLPack's numbering; tensors of TensorFlow 2.19 don't tell theirs."""
    x = tensor(x)
    if hasattr(x, "__dlpack_device__"):
        return x.__dlpack_device__()
    device = tf.DeviceSpec.from_string(x.device)
    return _CODES[device.device_type], device.device_index


def dlpack(
    x: Tensor,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[Any, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """Export memory on the CPU as read-only; TensorFlow's own capsule permits writes.

    That capsule serves memory elsewhere, and consumers of DLPack before 1.0 with `copy=False`, for
    which the standard forbids a copy. TensorFlow itself refuses all options.
    """
    x = tensor(x)
    if dl_device is not None and tuple(map(int, dl_device)) != tuple(map(int, dlpack_device(x))):
        if int(dl_device[0]) != 1 or copy is False:
            raise UnifyBufferError(
                f"__dlpack__: the array lives on {x.device}, which dl_device={dl_device} isn't; "
                f"move it first with x.to_device"
            )
        with tf.device("CPU:0"):
            x = raw.Identity(input=x)
    told = copy is not False or interchange.is_told_read_only(max_version)
    if told and _on_cpu(x):
        return interchange.dlpack(to_numpy(x), max_version=max_version, copy=copy)
    if copy:
        x = raw.DeepCopy(x=x)
    return tf.experimental.dlpack.to_dlpack(x)


def imported(x: Any, copy: bool | None) -> Tensor:
    """Make a tensor of an object with DLPack; only memory that never changes is shared unasked."""
    check_dlpack(x)
    fixed = interchange.never_changes(x)
    given = interchange.native(x)
    if isinstance(given, tf.Tensor | tf.Variable):
        y: Tensor | None = tensor(given)
    elif int(x.__dlpack_device__()[0]) not in _HOST_DEVICES:
        y = tf.experimental.dlpack.from_dlpack(given.__dlpack__())
    else:
        y = _shared(given) if fixed or copy is False else None
        if y is None:
            _check_copy("from_dlpack", copy)
            return _constant(convert_array("from_dlpack", "x", shared(x, None), None, None))
    dtype_of(y)  # raises for data types outside the standard
    return raw.DeepCopy(x=y) if copy or (copy is None and not fixed) else y


def _constant(values: npt.NDArray[Any]) -> Tensor:
    """Copy memory of the CPU, and leave it there."""
    with tf.device("CPU:0"):
        return tf.constant(values)


def from_host(values: npt.NDArray[Any], copy: bool | None, function: str) -> Tensor:
    """Make a tensor of a NumPy array, which TensorFlow copies unless it mustn't."""
    y = _shared(values) if copy is False else None
    if y is None:
        _check_copy(function, copy)
        return tf.constant(values)
    return y


def _shared(x: Any) -> Tensor | None:
    """Share the memory of an object on the CPU; None where TensorFlow couldn't use it."""
    try:
        y = tf.experimental.dlpack.from_dlpack(x.__dlpack__())
    except (BufferError, tf.errors.InvalidArgumentError):  # read-only; not in row-major order
        return None
    # No kernel has seen it so far.
    usable = 0 in y.shape or np.asarray(y).ctypes.data % _ALIGNMENT == 0
    return y if usable else None


def _check_copy(function: str, copy: bool | None) -> None:
    if copy is False:
        why = (
            "TensorFlow can't share the memory (it must be writable, in row-major order and "
            f"aligned to {_ALIGNMENT} bytes)"
        )
        raise_copy_error(function, why, UnifyBufferError)
