"""Contracts of the device functions: where arrays are and where new ones go."""

from __future__ import annotations

from typing import Any

from arrayapi_unify import backends
from arrayapi_unify.array_object import Array, NativeArray
from arrayapi_unify.backends import handler
from arrayapi_unify.binding import primary, standalone
from arrayapi_unify.devices import DefaultDevice, Device, as_device, preferred_device
from arrayapi_unify.errors import UnifyTypeError, describe, refuse

__all__ = ["default_device", "dev", "set_default_device", "to_device"]


@primary(passes_through=True)
def to_device(
    x: Array | NativeArray,
    device: Device | str | None,
    /,
    *,
    stream: Any = None,
    out: Array | None = None,
) -> Array:
    """Copy an array to a device; an array that is there already is returned without a copy.

    Parameters
    ----------
    x
        Array of any shape and data type.
    device
        A `Device` or its name.
    stream
        Stream of the target device on which to copy, for backends that have streams.
    out
        Array on that device to write the result into.

    Source: Array API standard 2025.12, ``array.to_device``.

    Examples
    --------
    >>> unify.to_device(unify.array([1, 2]), "cpu")
    unify.array([1, 2])
    """


@standalone(convenience=True)
def dev(x: Array | NativeArray, /) -> Device:
    """Return the device of an array, native or wrapped.

    Examples
    --------
    >>> unify.dev(unify.array([1, 2]))
    Device('cpu')
    """
    if isinstance(x, Array):
        return x.device
    name = backends.name_of(x)
    if name is None:
        refuse(UnifyTypeError, "dev", "x", f"is {describe(x)}, no array", "pass an array")
    return backends.load(name).device_of(x)


@standalone(convenience=True)
def default_device() -> Device:
    """Return the device on which the current backend creates arrays.

    Examples
    --------
    >>> unify.default_device()
    Device('cpu')
    """
    chosen = preferred_device.get()
    if chosen is not None:
        return chosen
    return backends.load(handler.explicit() or backends.DEFAULT).devices()[0]


@standalone(convenience=True)
def set_default_device(device: Device | str, /) -> DefaultDevice:
    """Make a device the one on which the current backend creates arrays.

    It takes effect at once, for the current thread or async task; as a context manager it ends
    with the block.

    Raises
    ------
    UnifyValueError
        If the current backend has no such device.

    Examples
    --------
    >>> with unify.set_default_device("cpu"):
    ...     unify.default_device()
    Device('cpu')
    """
    wanted = as_device(device)
    backends.load(handler.explicit() or backends.DEFAULT).native_device(wanted)
    return DefaultDevice(wanted)
