"""Arrays out of values, and onto devices: what `asarray`, `full` and `from_dlpack` share."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common import nesting
from arrayapi_unify.backends._common.creation import check_fill
from arrayapi_unify.backends._common.host import convert, convert_array, shared
from arrayapi_unify.backends._common.interchange import native, never_changes
from arrayapi_unify.backends.jax._devices import placed, target_device
from arrayapi_unify.backends.jax._kernels import Arr, cast, is_traced
from arrayapi_unify.backends.jax.dtypes import DTYPES, as_dtype, dtype_of
from arrayapi_unify.errors import UnifyBufferError, UnifyTypeError, UnifyValueError, refuse

__all__ = ["convert_any", "from_host", "imported", "placed_new"]

NativeDType = np.dtype[Any]


def placed_new(x: Arr, device: Any) -> Arr:
    """Move a new array to its device, the preferred one where none is given."""
    return placed(x, target_device(device))


def from_host(values: Any, device: Any) -> Arr:
    """Copy a NumPy array: JAX's memory must not change with it."""
    target = target_device(device)
    if target is None:
        return _copied(values)
    with jax.default_device(target):
        return jax.device_put(_copied(values), target)


def _copied(values: Any) -> Arr:
    """Copy now: JAX copies in the background, and a trace refers to NumPy's memory as it is."""
    made = jnp.array(values)
    return jnp.array(np.array(values)) if is_traced(made) else made.block_until_ready()


def convert_any(
    function: str, obj: Any, dtype: NativeDType | None, device: Any, copy: bool | None
) -> Arr:
    """Make an array of whatever `asarray` takes; JAX's own arrays don't leave JAX."""
    if isinstance(obj, jax.Array):
        return _from_array(function, obj, dtype, device, copy)
    if nesting.contains(obj, _is_native):
        return placed(_from_nested(function, obj, dtype, copy), device)
    values = convert(function, "obj", obj, dtype, copy)
    if copy is False:
        # Sharing memory that others can write to is what was asked for.
        try:
            return imported(values, device, False)
        except UnifyBufferError as error:
            problem = f"is False, but the memory can't be shared with JAX ({error.__cause__})"
            refuse(UnifyValueError, function, "copy", problem, "pass copy=None")
    return from_host(values, device)


def _is_native(value: Any) -> bool:
    return isinstance(value, jax.Array)


def _from_array(
    function: str, x: Arr, dtype: NativeDType | None, device: Any, copy: bool | None
) -> Arr:
    target = x.dtype if dtype is None else dtype
    check_fill(function, dtype_of(x), as_dtype(target) or dtypes.float64, "obj")
    moves = device is not None and not is_traced(x) and x.devices() != {device}
    if copy is False and (moves or target != x.dtype):
        refuse(
            UnifyValueError,
            function,
            "copy",
            f"is False, but {'another device' if moves else f'a cast to {target}'} needs a copy",
            "pass copy=None, or drop dtype and device",
        )
    if copy and target == x.dtype and not moves:
        return jnp.array(x, copy=True)
    return placed(cast(x, target), device)


def _from_nested(function: str, obj: Any, dtype: NativeDType | None, copy: bool | None) -> Arr:
    """Stack nested lists that hold JAX arrays."""
    if copy is False:
        refuse(
            UnifyValueError,
            function,
            "copy",
            "is False, but arrays in a list have to be copied into one",
            "pass copy=None or copy=True",
        )
    natural = nesting.natural_dtype(obj, _dtype_of_leaf)
    target = natural if dtype is None else as_dtype(dtype) or natural
    check_fill(function, natural, target, "obj")
    native = DTYPES[target]

    def leaf(value: Any) -> Arr:
        if isinstance(value, jax.Array):
            return cast(value, native)
        return _copied(convert(function, "obj", value, native, None))

    return nesting.stacked(function, obj, leaf, jnp.stack, lambda x: x.shape)


def _dtype_of_leaf(value: Any) -> dtypes.DType:
    if isinstance(value, jax.Array):
        return dtype_of(value)
    return dtype_of(convert("asarray", "obj", value, None, None))


def imported(x: Any, device: Any, copy: bool | None) -> Arr:
    """Make an array of an object with DLPack; only memory that never changes is shared unasked."""
    if not (hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__")):
        refuse(UnifyTypeError, "from_dlpack", "x", "doesn't support DLPack", "use asarray(x)")
    if isinstance(x, np.ndarray) and as_dtype(x.dtype) is None:
        dtypes.as_dtype(x.dtype)  # raises, and lists the dtypes there are
    try:
        if copy is False or never_changes(x):
            return _shared(native(x), device, copy)
        return _copy_of(x, device)
    except (BufferError, RuntimeError, ValueError) as error:
        # Such as strides that XLA doesn't know, read-only memory, or an exporter without bool.
        if copy is False:
            raise UnifyBufferError(
                f"from_dlpack: argument 'x' can't be shared with JAX ({error}); pass copy=None"
            ) from error
        if not hasattr(x, "__array__"):
            raise
        return from_host(convert("from_dlpack", "x", x, None, None), device)


def _shared(x: Any, device: Any, copy: bool | None) -> Arr:
    if isinstance(x, jax.Array):
        return _from_array("from_dlpack", x, None, device, copy)
    result = jnp.from_dlpack(x, device=device, copy=copy)
    dtype_of(result)
    return result


def _copy_of(x: Any, device: Any) -> Arr:
    """Copy memory that others write to; NumPy reads what is on the CPU, whatever its strides."""
    if int(x.__dlpack_device__()[0]) != 1:
        return jnp.array(_shared(x, device, None), copy=True).block_until_ready()
    values = convert_array("from_dlpack", "x", shared(x, None), None, None)
    return from_host(values, jax.devices("cpu")[0] if device is None else device)
