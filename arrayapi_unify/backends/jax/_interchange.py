"""Memory shared with others: DLPack and NumPy."""

from __future__ import annotations

from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.algorithms.conversion import convert, convert_array, shared
from arrayapi_unify.backends._common.checks.arguments import (
    TrackedError,
    check_dlpack,
    raise_copy_error,
    raise_dtype_error,
    raise_parts_error,
    raise_view_error,
)
from arrayapi_unify.backends._common.protocols import interchange
from arrayapi_unify.backends.jax._core import JaxArray, is_traced
from arrayapi_unify.backends.jax._devices import moved, target_device
from arrayapi_unify.backends.jax._looks import check_here, is_split
from arrayapi_unify.backends.jax.dtypes import as_dtype, dtype_of
from arrayapi_unify.errors import UnifyBufferError

# JAX refuses consumers of older versions; the capsule without a version, which it makes, is theirs.
_OLDEST = (0, 5)
_CPU: Final = 1  # DLPack's code


def dlpack(x: Any, **options: Any) -> Any:
    """Export memory on the CPU as read-only; JAX's own capsule lets everybody write.

    That capsule is the only one that there is of memory elsewhere, and for an old consumer who
    asks for this very memory: the standard forbids a copy then.
    """
    _check_one_memory("__dlpack__", x)
    if is_traced(x):
        host_values(x)
    version = options.get("max_version")
    told = options.get("copy") is not False or interchange.is_told_read_only(version)
    if told and int(x.__dlpack_device__()[0]) == _CPU:
        return interchange.dlpack(host_values(x), **options)
    if version is not None and version < _OLDEST:
        options["max_version"] = None
    return x.__dlpack__(**options)


def dlpack_device(x: Any) -> tuple[Any, int]:
    """Return JAX's answer; arrays on several devices have none."""
    _check_one_memory("__dlpack_device__", x)
    return interchange.dlpack_device(x)


def _check_one_memory(method: str, x: Any) -> None:
    if is_split(x):
        raise_parts_error(method)


def to_numpy(x: Any, /, *, copy: bool | None = None) -> Any:
    """Return the values; on the CPU a read-only view unless a copy is asked for."""
    check_here("to_numpy", "x", x)
    if copy is False and not _on_one_cpu(x):
        raise_view_error(x.devices())
    values = host_values(x)
    return np.array(values) if copy else values


def host_values(x: Any) -> Any:
    """Return NumPy's view of an array; of what is differentiated JAX gives none."""
    try:
        return np.asarray(x)
    except jax.errors.JAXTypeError:
        inner: Any = x
        while isinstance(inner, jax.core.Tracer):
            inner = getattr(inner, "primal", None)
        if inner is None:
            raise
        raise TrackedError("JAX differentiates by the array") from None


def _on_one_cpu(x: jax.Array) -> bool:
    # A tracer is on no device; NumPy raises JAX's own error for it.
    devices = () if isinstance(x, jax.core.Tracer) else x.devices()
    return len(devices) < 2 and all(d.platform == "cpu" for d in devices)


def from_host(values: Any, device: Any) -> JaxArray:
    """Copy a NumPy array: JAX's memory must not change with it."""
    made = _copied_to(device, values)
    if not is_traced(made):
        return made
    with jax.ensure_compile_time_eval():  # a constant, of whose values masks make positions
        return _copied_to(device, values)


def _copied_to(device: Any, values: Any) -> JaxArray:
    target = target_device(device, values.shape)
    if target is None:
        return copied(values)
    if isinstance(target, jax.sharding.Sharding):
        return jax.device_put(copied(values), target)
    with jax.default_device(target):
        return jax.device_put(copied(values), target)


def copied(values: Any) -> JaxArray:
    """Copy now: JAX copies in the background, and a trace refers to NumPy's memory as it is."""
    made = jnp.array(values)
    return jnp.array(np.array(values)) if is_traced(made) else made.block_until_ready()


def imported(x: Any, device: Any, copy: bool | None) -> JaxArray:
    """Make an array of an object with DLPack; only memory that never changes is shared unasked."""
    check_dlpack(x)
    if isinstance(x, np.ndarray) and as_dtype(x.dtype) is None:
        raise_dtype_error("from_dlpack", "x", x.dtype)
    try:
        if copy is False or interchange.never_changes(x):
            return _shared(interchange.native(x), device, copy)
        return _copy_of(x, device)
    except (BufferError, RuntimeError, ValueError) as error:
        # Such as strides that XLA doesn't know, read-only memory, or an exporter without bool.
        if copy is False:
            why = f"the memory can't be shared with JAX ({error})"
            raise_copy_error("from_dlpack", why, UnifyBufferError)
        if not hasattr(x, "__array__"):
            raise
        return from_host(convert("from_dlpack", "x", x, None, None), device)


def _shared(x: Any, device: Any, copy: bool | None) -> JaxArray:
    if isinstance(x, jax.Array):
        dtype_of(x)  # raises for data types outside the standard
        return moved("from_dlpack", x, device, copy)
    result = jnp.from_dlpack(x, device=device, copy=copy)
    dtype_of(result)
    return result


def _copy_of(x: Any, device: Any) -> JaxArray:
    """Copy memory that others write to; NumPy reads what is on the CPU, whatever its strides."""
    if int(x.__dlpack_device__()[0]) != 1:
        return jnp.array(_shared(x, device, None), copy=True).block_until_ready()
    values = convert_array("from_dlpack", "x", shared(x, None), None, None)
    return from_host(values, jax.devices("cpu")[0] if device is None else device)
