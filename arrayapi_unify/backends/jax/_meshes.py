"""JAX's shardings as devices: a mesh, and the axes of it over which those of arrays are split."""

from __future__ import annotations

import ast
import functools
import math
import re
from collections.abc import Collection, Iterable
from typing import Any, Final

import jax
from jax.sharding import NamedSharding, PartitionSpec, Sharding

from arrayapi_unify.devices import NATIVES, OF_NATIVE, Device

__all__ = ["fitted", "whole_along", "mesh_of", "sharding_of", "split_over"]

_NAME: Final = re.compile(r"mesh\[(?P<axes>[^\]]*)\](?P<split>\(.*\))")


def split_over(mesh: Any, split: Iterable[Any] = ()) -> NamedSharding:
    """Return the sharding of arrays whose axes are split over axes of a mesh."""
    spec: Any = PartitionSpec
    return NamedSharding(mesh, spec(*split))


def mesh_of(sharding: Sharding) -> Device:
    """Return the device of a sharding over several devices, the same one for equal shardings."""
    return _interned(_whole_ranks(sharding))


def _whole_ranks(sharding: Sharding) -> Sharding:
    """Return a sharding without the trailing axes that aren't split, in memory of any kind."""
    if not isinstance(sharding, NamedSharding):
        return sharding
    split = list(sharding.spec)
    while split and split[-1] is None:
        split.pop()
    return split_over(sharding.mesh, split)


@functools.lru_cache(maxsize=1024)
def _interned(sharding: Sharding) -> Device:
    """Name a sharding; one over the same axes of other devices has a number behind its name."""
    if isinstance(sharding, NamedSharding):
        axes = ", ".join(f"{name}={size}" for name, size in sharding.mesh.shape.items())
        name = f"mesh[{axes}]{tuple(sharding.spec)!r}"
        usual = sharding_of(Device(name))
        if usual is not None and usual != sharding:
            name = _numbered(name, sharding)
    else:
        name = _numbered(f"mesh[{len(sharding.device_set)}]", sharding)
    NATIVES.setdefault(name, sharding)
    return Device(name)


def _numbered(name: str, sharding: Sharding) -> str:
    others = [known for known in NATIVES if known.partition("#")[0] == name and "#" in known]
    same = [known for known in others if NATIVES[known] == sharding]
    return same[0] if same else f"{name}#{len(others) + 1}"


def sharding_of(device: Device) -> Sharding | None:
    """Return the sharding of a mesh; one that only its name tells is made of all devices."""
    if device.kind != "mesh":
        return None
    if device.name not in NATIVES:
        made = _made(device.name)
        if made is not None:
            NATIVES.setdefault(device.name, made)
    return NATIVES.get(device.name)


def _made(name: str) -> Sharding | None:
    """Make a sharding as a name says, of the first devices; None if it can't be."""
    parts = _NAME.fullmatch(name)
    if parts is None:
        return None
    try:
        axes = dict(part.split("=") for part in parts["axes"].split(", "))
        sizes = {axis: int(size) for axis, size in axes.items()}
        split = ast.literal_eval(parts["split"])
        devices = jax.devices()[: math.prod(sizes.values())]
        mesh = jax.make_mesh(
            tuple(sizes.values()), tuple(sizes), devices=devices,
            axis_types=(jax.sharding.AxisType.Auto,) * len(sizes),
        )  # fmt: skip
        return split_over(mesh, split)
    except (ValueError, SyntaxError, TypeError):
        return None


def fitted(device: Any, shape: tuple[Any, ...]) -> Any:
    """Return where an array of a shape goes: of a mesh, axes that don't divide evenly are whole."""
    if not isinstance(device, NamedSharding):
        return device
    parts = [_parts(device, names) for names in device.spec]
    split = [
        names if size and size % part == 0 else None
        for names, size, part in zip(device.spec, shape, parts, strict=False)
    ]
    return split_over(device.mesh, split)


def whole_along(x: Any, axes: Collection[int]) -> Any:
    """Return an array on several devices with some axes whole on each of them.

    XLA's Fourier transforms take no axis in parts: unless each part divides by the number of parts
    again, they end the process or fail to compile.
    """
    sharding = x.sharding
    if not isinstance(sharding, NamedSharding):
        return x
    kept = [None if axis in axes else names for axis, names in enumerate(sharding.spec)]
    return jax.device_put(x, split_over(sharding.mesh, kept))


def _parts(sharding: NamedSharding, names: Any) -> int:
    """Return into how many parts an axis of an array is split."""
    group = names if isinstance(names, tuple) else () if names is None else (names,)
    return math.prod(sharding.mesh.shape[name] for name in group)


def _of_native(device: object) -> Device | None:
    """Return the device of a sharding that a caller gives."""
    if not isinstance(device, Sharding) or len(device.device_set) == 1:
        return None
    return mesh_of(device)


OF_NATIVE.append(_of_native)
