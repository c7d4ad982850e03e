"""Devices: "cpu", "gpu:0", ... for PyTorch's own."""

from __future__ import annotations

import functools
from typing import Final

import torch

from arrayapi_unify.backends._common.checks.arguments import raise_device_error
from arrayapi_unify.backends.torch._defaults import settled
from arrayapi_unify.devices import CPU, OF_NATIVE, Device, preferred_device

Tensor = torch.Tensor

_CPU: Final = torch.device("cpu")
_watching = torch._C._len_torch_function_stack


@functools.cache
def _named(device: torch.device) -> Device:
    kind = "gpu" if device.type == "cuda" else device.type
    return Device(f"{kind}:{device.index or 0}")


def device_of(x: Tensor) -> Device:
    """Return the device, under its name that all frameworks share."""
    # torch.compile warns of what is cached.
    return CPU if x.is_cpu else _named(x.device)


def _of_native(device: object) -> Device | None:
    """Return the device of PyTorch's own."""
    if not isinstance(device, torch.device):
        return None
    return CPU if device.type == "cpu" else _named(device)


OF_NATIVE.append(_of_native)


@settled
def _accelerators() -> tuple[str, ...]:
    found = [f"gpu:{i}" for i in range(torch.cuda.device_count())]
    return (*found, *["mps:0"] * torch.backends.mps.is_available())


def devices() -> tuple[Device, ...]:
    """List the CPU and the accelerators of this machine."""
    return (CPU, *map(Device, _accelerators()))


def native_device(device: Device) -> torch.device:
    """Return PyTorch's device."""
    if device is CPU:
        return torch.device("cpu")
    # The index may be left out, as PyTorch's users do.
    if Device(f"{device.kind}:{device.index}") not in devices():
        raise_device_error("torch", device, devices())
    return torch.device("cuda" if device.kind == "gpu" else device.kind, device.index)


@settled
def _chosen() -> torch.device | None:
    chosen = preferred_device.read().value
    return None if chosen is None else native_device(chosen)


def placing(device: torch.device | None) -> torch.device | None:
    """Return what PyTorch's own functions take for a new tensor's device: None leaves it to them.

    They know their default without being told, in less time than it takes to tell them.
    """
    return _chosen() if device is None else device


@settled
def _preferred() -> torch.device:
    chosen = _chosen()
    if chosen is not None:
        return chosen
    # A default device is a mode that watches every call, and asking for it takes microseconds.
    unset = not _watching() and not vars(torch._GLOBAL_DEVICE_CONTEXT)
    return _CPU if unset else torch.get_default_device()


def placed(device: torch.device | None) -> torch.device:
    """Return the device of a new tensor: the one given, the preferred one, or PyTorch's default."""
    return _preferred() if device is None else device
