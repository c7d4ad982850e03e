"""The Dask backend: `dask.array.Array` in, `dask.array.Array` out; blocks are NumPy's.

Each native function adds to a graph, and computes nothing. What runs on blocks are the NumPy
backend's native functions, lifted by the rules of `_lift`, so that values, data types and errors
are NumPy's. Graphs don't change: a write to an Array gives it another graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast as cast_to

import dask.array as da

from arrayapi_unify.backends._common.algorithms.memory import derived
from arrayapi_unify.backends._common.algorithms.numpy_dtypes import (
    DTYPES as DTYPES,
    as_dtype as as_dtype,
    dtype_of as dtype_of,
)
from arrayapi_unify.backends._common.checks.arguments import raise_device_error
from arrayapi_unify.backends._common.protocols.defaults import (
    as_library_error as as_library_error,
    is_scattered as is_scattered,
    node_of as node_of,
    register_node as register_node,
)
from arrayapi_unify.backends._common.protocols.module_getattr import make_getattr
from arrayapi_unify.backends.dask import _lazy as lazy, _lift
from arrayapi_unify.backends.dask._core import cast
from arrayapi_unify.backends.dask._interchange import (
    dlpack as dlpack,
    dlpack_device as dlpack_device,
    to_numpy as to_numpy,
)
from arrayapi_unify.backends.dask._natives import of_blocks
from arrayapi_unify.backends.numpy import (
    device_of as device_of,
    devices as devices,
    suppress_warnings as suppress_warnings,
)
from arrayapi_unify.backends.numpy._errors import translate_error as translate_error
from arrayapi_unify.devices import CPU, Device

__getattr__, __dir__ = make_getattr(__name__)

NAME: Final = "dask"
RESULT_TYPE: Final = None
NATIVE_TYPE: type = da.Array
aliasing: Final = None
LAZY_REFRESH: Final = True
VIEW_EMULATION: Final = True
EAGER_BINDING: Final = False
CAPABILITIES: Final = {
    "boolean indexing": True,
    "data-dependent shapes": True,
    "max dimensions": 64,
    "lazy": True,
}


def as_native_array(value: Any) -> Any:
    """Return the value: natives return nothing else."""
    return value


def is_native_type(kind: type) -> bool:
    """Return True if instances of `kind` are Dask arrays."""
    return issubclass(kind, da.Array)


def shape_of(x: da.Array) -> tuple[int, ...]:
    """Return the shape; a size that isn't known is None, as the standard has it."""
    shape: Any = x.shape
    if any(size != size for size in shape):  # Dask writes NaN
        shape = tuple(None if size != size else size for size in shape)
    return cast_to("tuple[int, ...]", shape)


def native_device(device: Device) -> Device:
    """Return the device; anything but the CPU is refused."""
    if device is not CPU:
        raise_device_error(NAME, device, devices())
    return device


def copy(x: da.Array) -> Any:
    """Return another array of the same graph, which doesn't change."""
    return _lift.alias(x)


def pickled(x: da.Array) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return what makes the array again: its graph."""
    make, arguments = x.__reduce__()
    return make, arguments


def shares_memory(x: da.Array, y: da.Array) -> bool:
    """Return False: no write to a native array is visible in another one."""
    return False


def join_complex(real: da.Array, imag: da.Array) -> Any:
    """Return the complex array of two components."""
    return _lift.elementwise(of_blocks("join_complex"), real, imag)


def tracer_of(x: Any) -> None:
    """Return None: an array stands for its own values, although they aren't computed yet."""


def version_of(x: Any) -> None:
    """Return None: natives never change."""


def is_compiling() -> bool:
    """Say no: nothing compiles Python with Dask."""
    return False


def write(target: da.Array, value: da.Array) -> Any:
    """Return `value` in the data type of `target`."""
    return cast(value, target.dtype)


write_through = write


def write_all(targets: Sequence[Any], values: Sequence[Any]) -> bool:
    """Say no: no memory is written to."""
    return False


def in_place(native: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Derive `x op= y`, which gives the array that takes the place of x; its sizes have to fit."""
    return derived(native, lazy.known_shape, dtype_of, write)
