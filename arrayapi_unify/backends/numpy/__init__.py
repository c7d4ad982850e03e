"""The NumPy backend: `np.ndarray` in, `np.ndarray` out."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from operator import setitem
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.memory import derived, each
from arrayapi_unify.backends._common.checks.arguments import raise_device_error
from arrayapi_unify.backends._common.protocols.defaults import (
    as_library_error,
    is_scattered,
    lazy,
    node_of,
    pickled,
    register_node,
)
from arrayapi_unify.backends._common.protocols.interchange import (
    dlpack,
    dlpack_device,
    is_writeable,
)
from arrayapi_unify.backends._common.protocols.module_getattr import make_getattr
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.backends.numpy._errors import translate_error
from arrayapi_unify.backends.numpy._interchange import to_numpy
from arrayapi_unify.backends.numpy._mutation import write
from arrayapi_unify.backends.numpy.dtypes import DTYPES, as_dtype, dtype_of
from arrayapi_unify.devices import CPU, Device

__getattr__, __dir__ = make_getattr(__name__)

NAME: Final = "numpy"
# Functions of 0-d arrays return NumPy scalars; `as_native_array` makes arrays of them again.
RESULT_TYPE: Final = np.ndarray
NATIVE_TYPE: type = np.ndarray
aliasing: Final = None
LAZY_REFRESH: Final = False
VIEW_EMULATION: Final = False
EAGER_BINDING: Final = False
CAPABILITIES: Final = {
    "boolean indexing": True,
    "data-dependent shapes": True,
    "max dimensions": 64,
}

as_native_array = np.asarray
copy = np.copy


def is_native_type(kind: type) -> bool:
    """Return True if instances of `kind` are NumPy arrays."""
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
        raise_device_error(NAME, device, devices())
    return device


def suppress_warnings(body: Callable[..., Any]) -> Callable[..., Any]:
    """Return a body that runs without NumPy's warnings about special values."""
    return np.errstate(all="ignore")(body)


def shape_of(x: npt.NDArray[Any]) -> tuple[int, ...]:
    """Return the shape."""
    return x.shape


def shares_memory(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> bool:
    """Return True if the memory of two arrays may overlap."""
    return np.may_share_memory(x, y)


def join_complex(real: npt.NDArray[Any], imag: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the complex array of two components."""
    joined = np.empty(real.shape, np.result_type(real, np.complex64))
    joined.real, joined.imag = real, imag
    return joined


def tracer_of(x: Any) -> None:
    """Return None: NumPy traces nothing."""


def version_of(x: Any) -> None:
    """Return None: NumPy doesn't tell."""


def is_compiling() -> bool:
    """Say no: nothing compiles Python with NumPy."""
    return False


write_through = write


def write_all(targets: Sequence[npt.NDArray[Any]], values: Sequence[npt.NDArray[Any]]) -> bool:
    """Store values in the memory of arrays, unless one of them is read-only."""
    if not all(map(is_writeable, targets)):
        return False
    each(setitem, targets, itertools.repeat(...), values)
    return True


def in_place(native: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Derive `x op= y`; a plain ufunc writes into x itself, others compute first."""
    fast_call = kernel_of(native).fast_call
    if isinstance(fast_call, np.ufunc) and fast_call.signature is None:

        def update_directly(x: Any, y: Any) -> Any:
            # NumPy refuses a result of a higher kind or another shape before it writes.
            return fast_call(x, y, x)

        return update_directly

    return derived(lambda x, y: np.asarray(native(x, y)), shape_of, dtype_of, write)
