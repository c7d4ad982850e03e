"""Devices: "cpu", "gpu:0", ... for TensorFlow's logical devices."""

from __future__ import annotations

import contextlib
import functools
from contextlib import AbstractContextManager
from typing import Any

import tensorflow as tf

from arrayapi_unify.backends._common.checks.arguments import raise_device_error
from arrayapi_unify.devices import OF_NATIVE, Device, preferred_device


@functools.cache
def _device(name: str) -> Device:
    """Return the device of a name such as "/job:localhost/.../device:GPU:0" or "GPU:0"."""
    if not name:
        # A traced tensor has no device yet.
        return devices()[0]
    kind, _, index = name.rpartition(":")
    kind = kind.rpartition(":")[2].rpartition("/")[2].lower()
    return Device("cpu" if (kind, index) == ("cpu", "0") else f"{kind}:{index}")


def device_of(x: Any) -> Device:
    """Return the device on which a tensor lives."""
    return _device(x.device)


def _of_native(device: object) -> Device | None:
    """Return the device of a tensor's own name: "/job:localhost/.../device:GPU:0", "" if traced."""
    named = isinstance(device, str) and (not device or device.startswith(("/job:", "/device:")))
    return _device(str(device)) if named else None


OF_NATIVE.append(_of_native)


@functools.cache
def devices() -> tuple[Device, ...]:
    """List the devices; the one on which TensorFlow computes unless told otherwise is first."""
    found = [_device(logical.name) for logical in tf.config.list_logical_devices()]
    return tuple(sorted(found, key=lambda device: device.kind == "cpu"))


def native_device(device: Device) -> str:
    """Return TensorFlow's name of a device."""
    if device not in devices():
        raise_device_error("tensorflow", device, devices())
    return f"{device.kind.upper()}:{device.index}"


def placed(device: str | None) -> AbstractContextManager[Any]:
    """Place what is created within on a device; None means the preferred one, if there is one."""
    if device is None:
        preferred = preferred_device.read().value
        if preferred is None or preferred not in devices():
            return contextlib.nullcontext()
        device = native_device(preferred)
    return tf.device(device)
