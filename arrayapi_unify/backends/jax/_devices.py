"""JAX's devices by our names: "cpu", or "cpu:1" and so on where there are several; "gpu:0"."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.checks.arguments import raise_copy_error, raise_device_error
from arrayapi_unify.devices import Device, preferred_device


@functools.cache
def _table() -> dict[Device, Any]:
    """Return JAX's device of each of ours, JAX's default one first."""
    found = list(jax.local_devices())
    if found[0].platform != "cpu":
        found += jax.local_devices(backend="cpu")
    table: dict[Device, Any] = {}
    for device in found:
        alike = [d for d in found if d.platform == device.platform]
        lone_cpu = device.platform == "cpu" and len(alike) == 1
        name = "cpu" if lone_cpu else f"{device.platform}:{alike.index(device)}"
        table[Device(name)] = device
    return table


@functools.cache
def _by_native() -> dict[Any, Device]:
    return {native: ours for ours, native in _table().items()}


def devices() -> tuple[Device, ...]:
    """List the devices, the one on which JAX creates arrays first."""
    return tuple(_table())


def native_device(device: Device) -> Any:
    """Return JAX's device; "cpu" and "gpu" alone mean the first of several."""
    found = _table().get(device) or _table().get(Device(f"{device}:0"))
    if found is None:
        raise_device_error("jax", device, devices())
    return found


def device_of(x: Any) -> Device:
    """Return the device of an array (of a sharded one, its first; of a traced one, the default)."""
    if isinstance(x, jax.core.Tracer):
        return preferred_device.read().value or devices()[0]
    ours = _by_native()
    found = x.devices()
    return ours[next(iter(found)) if len(found) == 1 else min(found, key=lambda d: d.id)]


def target_device(device: Any) -> Any:
    """Return where a new array goes: the device given, else the preferred one, else None."""
    if device is None:
        preferred = preferred_device.read().value
        return None if preferred is None else native_device(preferred)
    return device


def placed(x: Any, device: Any) -> Any:
    """Return x on a device, unmoved where that is None."""
    if device is None or (not isinstance(x, jax.core.Tracer) and x.devices() == {device}):
        return x
    return jax.device_put(x, device)


def placed_new(x: Any, device: Any) -> Any:
    """Move a new array to its device, the preferred one where none is given."""
    return placed(x, target_device(device))


def moved(function: str, x: Any, device: Any, copy: bool | None) -> Any:
    """Return x on a device, copied or not as asked."""
    moves = device is not None and not isinstance(x, jax.core.Tracer) and x.devices() != {device}
    if copy is False and moves:
        raise_copy_error(function, "another device needs a copy")
    return jnp.array(x, copy=True) if copy and not moves else placed(x, device)
