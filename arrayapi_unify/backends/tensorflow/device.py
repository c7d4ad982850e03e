"""The device functions on TensorFlow."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from tensorflow.python.client import device_lib

from arrayapi_unify.backends._common.algorithms import memory
from arrayapi_unify.backends._common.checks.arguments import raise_stream_error
from arrayapi_unify.backends.tensorflow._core import Tensor, raw, tensor
from arrayapi_unify.backends.tensorflow._devices import device_of, native_device, placed


def to_device(x: Tensor, device: str | None, /, *, stream: Any = None) -> Tensor:
    """Copy to a device; a tensor that is there already is returned."""
    if stream is not None:
        raise_stream_error(stream)
    if device is None or native_device(device_of(x)) == device:
        return tensor(x)
    with placed(device):
        return raw.Identity(input=x)


def total_mem_on_dev(device: str, /) -> int:
    """Return the memory of the host, or what TensorFlow may take of an accelerator."""
    if device.startswith("CPU"):
        return memory.total()
    found = [d for d in device_lib.list_local_devices() if d.name.endswith(device)]
    return int(found[0].memory_limit)


def used_mem_on_dev(device: str, /, *, process_specific: bool = False) -> int:
    """Return what is in use; of an accelerator TensorFlow knows its own part only."""
    if device.startswith("CPU"):
        return memory.used(process_specific)
    return int(tf.config.experimental.get_memory_info(device)["current"])
