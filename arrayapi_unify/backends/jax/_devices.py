"""JAX's devices by our names: "cpu", or "cpu:1" and so on where there are several; "gpu:0".

Arrays that lie on several devices are on a mesh; see `_meshes`.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.checks.arguments import raise_copy_error, raise_device_error
from arrayapi_unify.backends.jax._looks import is_elsewhere, part_here
from arrayapi_unify.backends.jax._meshes import fitted, mesh_of, sharding_of
from arrayapi_unify.devices import OF_NATIVE, Device, preferred_device


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
    """Return JAX's device, or sharding; "cpu" and "gpu" alone mean the first of several."""
    found = _table().get(device) or sharding_of(device) or _table().get(Device(f"{device}:0"))
    if found is None:
        raise_device_error("jax", device, devices())
    return found


def device_of(x: Any) -> Device:
    """Return the device of an array, of a traced one the default."""
    if isinstance(x, jax.core.Tracer):
        return preferred_device.read().value or devices()[0]
    found = x.sharding.device_set
    return _of_one(next(iter(found))) if len(found) == 1 else mesh_of(x.sharding)


def _of_one(device: Any) -> Device:
    """Return the name of JAX's device, which may be another process's."""
    found = _by_native().get(device)
    return Device(f"{device.platform}:{device.id}") if found is None else found


def _of_native(device: object) -> Device | None:
    """Return the device of JAX's own, or of a sharding that is one."""
    if isinstance(device, jax.sharding.SingleDeviceSharding):
        device = next(iter(device.device_set))
    return _of_one(device) if isinstance(device, jax.Device) else None


OF_NATIVE.append(_of_native)


def target_device(device: Any, shape: tuple[Any, ...]) -> Any:
    """Return where a new array goes: the device given, else the preferred one, else None."""
    if device is None:
        preferred = preferred_device.read().value
        if preferred is None:
            return None
        device = native_device(preferred)
    return fitted(device, shape)


def _is_on(x: Any, device: Any) -> bool:
    """Return True if an array is on a device already; of a traced one nobody knows."""
    if isinstance(x, jax.core.Tracer):
        return False
    if isinstance(device, jax.sharding.Sharding):
        return bool(x.sharding.is_equivalent_to(device, x.ndim))
    return bool(x.sharding.device_set == {device})


def placed(x: Any, device: Any) -> Any:
    """Return x on a device, unmoved where that is None."""
    if device is None:
        return x
    device = fitted(device, x.shape)
    if isinstance(device, jax.Device) and is_elsewhere(x):
        x = part_here("to_device", "x", x)
    return x if _is_on(x, device) else jax.device_put(x, device)


def placed_new(x: Any, device: Any) -> Any:
    """Move a new array to its device, the preferred one where none is given."""
    return placed(x, target_device(device, x.shape))


def moved(function: str, x: Any, device: Any, copy: bool | None) -> Any:
    """Return x on a device, copied or not as asked."""
    device, is_traced = fitted(device, x.shape), isinstance(x, jax.core.Tracer)
    moves = device is not None and not is_traced and not _is_on(x, device)
    if copy is False and moves:
        raise_copy_error(function, "another device needs a copy")
    return jnp.array(x, copy=True) if copy and not moves else placed(x, device)
