"""Contracts of the device functions: where arrays are, where new ones go, what is in use."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arrayapi_unify import backends
from arrayapi_unify._core.settings import Change
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, primary, standalone
from arrayapi_unify.binding.modules import body_backend
from arrayapi_unify.contracts.annotations import ArrayIn, DeviceIn, OptionalDevice, Out
from arrayapi_unify.devices import Device, as_device, preferred_device
from arrayapi_unify.errors import describe, raise_type_error


@primary(passes_through=True)
def to_device(
    x: ArrayIn, device: OptionalDevice, /, *, stream: Any = None, out: Out = None
) -> Array:
    """Copy an array to a device.

    An array that is there already is returned itself.

    Parameters
    ----------
    x
        Array of any shape and data type.
    device
        A `Device` or its name.
    stream
        Stream of the target device on which to copy, for backends that have streams.

    Returns
    -------
    Array on that device.

    Raises
    ------
    UnifyValueError
        If the backend has no such device, or takes no stream and `stream` is given.

    References
    ----------
    Array API standard 2025.12, ``array.to_device``.

    Examples
    --------
    >>> unify.to_device(unify.array([1, 2]), "cpu")
    unify.array([1, 2])
    """


@standalone(convenience=True)
def dev(x: ArrayIn, /) -> Device:
    """Return the device of an array, native or wrapped.

    Parameters
    ----------
    x
        Array, native or wrapped.

    Returns
    -------
    The `Device`.

    Raises
    ------
    UnifyTypeError
        If `x` isn't an array.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.dev(unify.array([1, 2]))
    Device('cpu')
    """
    if isinstance(x, Array):
        return x.device
    name = backends.name_of(x)
    if name is None:
        raise_type_error("dev", "x", f"is {describe(x)}, no array", "pass an array")
    return backends.load(name).device_of(x)


@compositional(convenience=True, nestable=False)
def default_device(device: OptionalDevice = None, /) -> Device:
    """Return a device if one is given, else the one on which the current backend creates arrays.

    As a context manager, what it returns is the default device for the block, for the current
    thread or async task: ``with unify.default_device("cpu"):``.

    Parameters
    ----------
    device
        A `Device` or its name, or None.

    Returns
    -------
    The `Device`.

    Raises
    ------
    UnifyValueError
        If the current backend has no such device.

    References
    ----------
    B16 and B50: convenience functions, settings (docs/behaviours.md).

    Examples
    --------
    >>> unify.default_device()
    Device('cpu')
    >>> with unify.default_device("cpu"):
    ...     unify.zeros(2).device
    Device('cpu')
    """
    if device is not None:
        return _checked(device)
    chosen = preferred_device.get()
    if chosen is not None:
        return chosen
    return _backend().devices()[0]


def _checked(device: Device | str) -> Device:
    """Return a device that the current backend has."""
    wanted = as_device(device)
    _backend().native_device(wanted)
    return wanted


def _backend() -> backends.Backend:
    """Return the backend of the namespace whose function runs."""
    return backends.load(body_backend())


@compositional(convenience=True, nestable=False)
def set_default_device(device: DeviceIn, /) -> Change[Device]:
    """Set the device on which the current backend creates arrays.

    The setting holds at once, for the whole process, all threads included. It is no context
    manager: ``with unify.default_device(device):`` is a block, which holds for the current thread
    or async task and comes first.

    Parameters
    ----------
    device
        A `Device` or its name.

    Returns
    -------
    The change. Its method ``undo`` takes it back.

    Raises
    ------
    UnifyValueError
        If the current backend has no such device.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> change = unify.set_default_device("cpu")
    >>> unify.default_device()
    Device('cpu')
    >>> change.undo()
    """
    return Change(preferred_device, _checked(device), "set_default_device", "default_device")


@primary(convenience=True)
def total_mem_on_dev(device: DeviceIn, /) -> int:
    """Return how much memory a device of the current backend has, in bytes.

    Parameters
    ----------
    device
        A `Device` of the current backend, or its name.

    Returns
    -------
    Number of bytes.

    Raises
    ------
    UnifyValueError
        If the current backend has no such device.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.total_mem_on_dev("cpu") > 0
    True
    """


@primary(convenience=True)
def used_mem_on_dev(device: DeviceIn, /, *, process_specific: bool = False) -> int:
    """Return how much memory of a device is in use, in bytes.

    Parameters
    ----------
    device
        A `Device` of the current backend, or its name.
    process_specific
        If True, only the memory of this process counts. For an accelerator, JAX and TensorFlow know
        only that in any case.

    Returns
    -------
    Number of bytes.

    Raises
    ------
    UnifyValueError
        If the current backend has no such device.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> 0 < unify.used_mem_on_dev("cpu") < unify.total_mem_on_dev("cpu")
    True
    """


@compositional(convenience=True, nestable=False)
def num_gpus() -> int:
    """Return how many GPUs the current backend can use.

    Returns
    -------
    The number.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.num_gpus()
    0
    """
    return sum(device.kind == "gpu" for device in _backend().devices())


@standalone(convenience=True)
def num_cpu_cores(*, logical: bool = True) -> int:
    """Return how many cores the CPU has.

    Parameters
    ----------
    logical
        If True, each thread of execution counts as a core. If the operating system doesn't say
        which threads share a core, all of them count.

    Returns
    -------
    The number.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.num_cpu_cores() >= unify.num_cpu_cores(logical=False) >= 1
    True
    """
    count = os.cpu_count() or 1
    if logical:
        return count
    files = Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/thread_siblings_list")
    return len({file.read_text(encoding="ascii") for file in files}) or count


def _arrays_on(device: DeviceIn) -> Iterator[Array]:
    wanted = as_device(device)
    for found in gc.get_objects():
        # By type: `isinstance` would ask proxies and mocks for their `__class__`.
        if issubclass(type(found), Array):
            try:
                data = getattr(found, "_data", None)
            except Exception:
                continue  # a view of an Array whose trace is over
            if data is None:
                continue  # an Array that is being made
            # The Array's own attribute: an Array may outlive the registration of its backend.
            name = found.__unify_backend__
            if name not in backends.REGISTRY or backends.name_of(data) != name:
                continue  # what a tracer describes an Array by holds no data
            if backends.load(name).device_of(data) == wanted:
                yield found


@standalone(convenience=True)
def get_all_arrays_on_dev(device: DeviceIn, /) -> tuple[Array, ...]:
    """Return all Arrays of this process that are on a device, of whatever backend.

    They are found by a search among all objects, so that making an array costs nothing for it.
    Native arrays that no Array wraps aren't found. The tuple keeps the arrays alive, as any tuple
    does.

    Parameters
    ----------
    device
        A `Device` or its name.

    Returns
    -------
    The Arrays.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.array([1, 2])
    >>> any(found is x for found in unify.get_all_arrays_on_dev("cpu"))
    True
    """
    # All objects are a tuple in the making, too, which then couldn't be cut to its length.
    found = list(_arrays_on(device))
    return tuple(found)


@standalone(convenience=True)
def num_arrays_on_dev(device: DeviceIn, /) -> int:
    """Return how many Arrays of this process are on a device, of whatever backend.

    None of them is kept alive.

    Parameters
    ----------
    device
        A `Device` or its name.

    Returns
    -------
    The number.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> before = unify.num_arrays_on_dev("cpu")
    >>> x = unify.array([1, 2])
    >>> unify.num_arrays_on_dev("cpu") - before
    1
    """
    return sum(1 for _ in _arrays_on(device))
