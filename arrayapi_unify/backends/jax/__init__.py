"""The JAX backend: `jax.Array` in, `jax.Array` out.

Loading it switches JAX's 64-bit data types on (`jax_enable_x64`), for the whole process: the
standard's default data types are float64 and int64.

Every native function also takes tracers, so that functions written with `Array` go through
`jax.jit`, `jax.grad` and `jax.vmap`. Most of them are one compiled function each: what a patch adds
is fused into the same kernel, and a call costs one dispatch.

XLA's CPU compiler treats subnormal numbers as zeros, which is the one way in which results differ
from the other backends.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.algorithms.memory import derived
from arrayapi_unify.backends._common.protocols.defaults import as_library_error, lazy, pickled
from arrayapi_unify.backends._common.protocols.module_getattr import make_getattr
from arrayapi_unify.backends.jax._core import cast
from arrayapi_unify.backends.jax._devices import device_of, devices, native_device
from arrayapi_unify.backends.jax._errors import translate_error
from arrayapi_unify.backends.jax._interchange import dlpack, dlpack_device, to_numpy
from arrayapi_unify.backends.jax._looks import is_split
from arrayapi_unify.backends.jax._pytree import node_of, register_node
from arrayapi_unify.backends.jax.dtypes import DTYPES, as_dtype, dtype_of

__getattr__, __dir__ = make_getattr(__name__)

NAME: Final = "jax"
RESULT_TYPE: Final = None
# JAX names this class nowhere in public, and an array of it would start up its devices.
NATIVE_TYPE: type | None = getattr(sys.modules.get("jax._src.array"), "ArrayImpl", None)
aliasing: Final = None
LAZY_REFRESH: Final = True
VIEW_EMULATION: Final = True
EAGER_BINDING: Final = False
CAPABILITIES: Final = {
    "boolean indexing": True,
    "data-dependent shapes": True,
    "max dimensions": None,
}


def as_native_array(value: Any) -> Any:
    """Return the value: JAX's functions always give arrays."""
    return value


def is_native_type(kind: type) -> bool:
    """Return True if instances of `kind` are JAX arrays or tracers of them."""
    return issubclass(kind, jax.Array | jax.core.Tracer)


def shape_of(x: Any) -> tuple[int, ...]:
    """Return the shape."""
    return x.shape


def copy(x: Any) -> Any:
    """Copy the array; JAX's arrays never change, but the memory of a copy is its own."""
    return jnp.array(x, copy=True)


def suppress_warnings(body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the body: nothing here warns about special values."""
    return body


def write(target: Any, value: Any) -> Any:
    """Return `value` in the data type of `target`."""
    return cast(value, target.dtype)


write_through = write


def write_all(targets: Sequence[Any], values: Sequence[Any]) -> bool:
    """Say no: no memory is written to."""
    return False


def in_place(native: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Derive `x op= y`, which gives the array that takes the place of x."""
    return derived(native, shape_of, dtype_of, write)


def tracer_of(x: Any) -> Any:
    """Return the trace of a tracer, None for an array with values."""
    return getattr(x, "_trace", None)


def is_scattered(x: Any) -> bool:
    """Return True for an array of which each device has a part."""
    return is_split(x) and not x.is_fully_replicated


def join_complex(real: Any, imag: Any) -> Any:
    """Return the complex array of two components."""
    return jax.lax.complex(real, imag)


def shares_memory(x: Any, y: Any) -> bool:
    """Return False: no write to a native array is visible in another one."""
    return False


def version_of(x: Any) -> None:
    """Return None: there is nothing to look at, natives never change."""


def is_compiling() -> bool:
    """Say no: this library's tracers let Python run."""
    return False
