"""The device functions on TensorFlow."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.backends.tensorflow._core import Tensor, raw, tensor
from arrayapi_unify.backends.tensorflow._device import device_of, native_device, placed
from arrayapi_unify.errors import UnifyValueError, refuse

__all__ = ["to_device"]


def to_device(x: Tensor, device: str | None, /, *, stream: Any = None) -> Tensor:
    """Copy to a device; a tensor that is there already is returned."""
    if stream is not None:
        refuse(
            UnifyValueError,
            "to_device",
            "stream",
            f"is {stream!r}, but TensorFlow chooses its streams itself",
            "drop it",
        )
    if device is None or native_device(device_of(x)) == device:
        return tensor(x)
    with placed(device):
        return raw.Identity(input=x)
