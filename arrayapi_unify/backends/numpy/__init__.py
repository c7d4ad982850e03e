"""The NumPy backend: `np.ndarray` in, `np.ndarray` out."""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.in_place import derived
from arrayapi_unify.backends._common.interchange import dlpack, dlpack_device
from arrayapi_unify.backends.numpy.dtypes import DTYPES, as_dtype, dtype_of
from arrayapi_unify.devices import CPU, Device
from arrayapi_unify.errors import UnifyValueError

__all__ = [
    "CAPABILITIES",
    "DTYPES",
    "NAME",
    "RESULT_TYPE",
    "as_dtype",
    "canonical",
    "copy",
    "device_of",
    "devices",
    "dlpack",
    "dlpack_device",
    "dtype_of",
    "in_place",
    "native_device",
    "own",
    "owns",
    "quiet",
    "register_node",
    "shape_of",
    "to_numpy",
    "translate_error",
    "write",
]

NAME: Final = "numpy"
# Functions of 0-d arrays return NumPy scalars; `canonical` makes arrays of them again.
RESULT_TYPE: Final = np.ndarray
CAPABILITIES: Final = {
    "boolean indexing": True,
    "data-dependent shapes": True,
    "max dimensions": 64,
}

canonical = np.asarray
copy = np.copy


def owns(kind: type) -> bool:
    """Whether instances of `kind` are NumPy arrays."""
    return issubclass(kind, np.ndarray)


def device_of(x: npt.NDArray[Any]) -> Device:
    """Return the CPU, NumPy's only device."""
    return CPU


def devices() -> tuple[Device, ...]:
    """Return the CPU, NumPy's only device."""
    return (CPU,)


def native_device(device: Device) -> Device:
    """Return the device; anything but the CPU is refused."""
    if device is not CPU:
        raise UnifyValueError(f"the numpy backend has no device {device}; its only one is 'cpu'")
    return device


def quiet(body: Callable[..., Any]) -> Callable[..., Any]:
    """Return a body that runs without NumPy's warnings about special values."""
    return np.errstate(all="ignore")(body)


def shape_of(x: npt.NDArray[Any]) -> tuple[int, ...]:
    """Return the shape."""
    return x.shape


class _Holder:
    """Holds an array in a slot, as an Array does."""

    __slots__ = ("_data",)

    def __init__(self) -> None:
        self._data = np.empty(2)


def _references(x: Any) -> int:
    return getrefcount(x)


def _owner_references(x: npt.NDArray[Any]) -> int:
    owner = x.base
    return _references(owner)


# The counts that `own` finds where nobody else holds the array, or the owner of a view's memory.
# Interpreters differ in the references that a call itself holds, so they are measured.
_holder: Final = _Holder()
_ALONE: Final = _references(_holder._data)
_OWNER_ALONE: Final = _owner_references(np.empty(2)[:1])


def own(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the array if nobody else can see a write to it, else a copy.

    A view keeps the owner of its memory alive, so the owner's reference count tells whether there
    are views (or a user who holds the native array). Foreign memory always counts as shared.
    """
    if getrefcount(x) <= _ALONE:
        owner = x.base
        if owner is None:
            return x
        if (
            type(owner) is np.ndarray
            and owner.base is None
            and _references(owner) <= _OWNER_ALONE
            and x.flags.writeable  # broadcasting makes views that aren't
        ):
            return x
    return x.copy()


def translate_error(error: Exception) -> Exception:
    """Return the error: NumPy raises what NumPy users expect."""
    return error


def write(target: npt.NDArray[Any], value: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Store `value` in the memory of `target`."""
    np.copyto(target, value, casting="unsafe")
    return target


def in_place(native: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Derive `x op= y`; a plain ufunc writes into x itself, others compute first."""
    direct = getattr(native, "direct", None)
    if isinstance(direct, np.ufunc) and direct.signature is None:

        def update_directly(x: Any, y: Any) -> Any:
            # NumPy refuses a result of a higher kind or another shape before it writes.
            return direct(x, y, x)

        return update_directly

    return derived(lambda x, y: np.asarray(native(x, y)), shape_of, dtype_of, write)


def to_numpy(x: npt.NDArray[Any], /, *, copy: bool | None = None) -> npt.NDArray[Any]:
    """Return the array itself, or a copy of it."""
    return np.array(x, copy=True) if copy else x


def register_node(kind: type, flatten: Any, unflatten: Any) -> None:
    """Do nothing: NumPy has no transformations of nested values."""
