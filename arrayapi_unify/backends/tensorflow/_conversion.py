"""Tensors out of anything that holds values: what `asarray` and `full` share."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.conversion import convert
from arrayapi_unify.backends._common.algorithms.nested_lists import contains, natural_dtype, stacked
from arrayapi_unify.backends._common.checks.arguments import (
    VALUES_ARE_COPIED,
    check_complex,
    raise_copy_error,
)
from arrayapi_unify.backends.tensorflow._core import (
    SCALARS,
    NativeDType,
    Tensor,
    cast,
    raw,
    shape_of,
    tensor,
)
from arrayapi_unify.backends.tensorflow._devices import device_of, native_device, placed
from arrayapi_unify.backends.tensorflow._interchange import copy as copy_memory, from_host, imported
from arrayapi_unify.backends.tensorflow.dtypes import DTYPES, as_dtype, dtype_of


def _is_tensor(value: Any) -> bool:
    return isinstance(value, tf.Tensor | tf.Variable)


def converted(
    function: str,
    argument: str,
    obj: Any,
    dtype: NativeDType | None,
    device: str | None,
    copy: bool | None,
) -> Tensor:
    """Make a tensor of whatever `asarray` takes."""
    if _is_tensor(obj):
        return _from_tensor(function, argument, obj, dtype, device, copy)
    if isinstance(obj, list | tuple) and contains(obj, _is_tensor):
        if copy is False:
            raise_copy_error(function, VALUES_ARE_COPIED)
        with placed(device):
            return _from_nested(function, argument, obj, dtype)
    if _only_dlpack(obj):
        return _from_tensor(function, argument, imported(obj, copy), dtype, device, None)
    target = None if dtype is None else np.dtype(dtype.as_numpy_dtype)
    values = convert(function, argument, obj, target, False if copy is False else None)
    with placed(device):
        return from_host(values, False, function) if copy is False else tf.constant(values)


def _only_dlpack(obj: Any) -> bool:
    """Return True if only DLPack can import an object: it is on a device that NumPy can't reach."""
    return (
        type(obj) not in SCALARS
        and hasattr(obj, "__dlpack_device__")
        and hasattr(obj, "__dlpack__")
        and not isinstance(obj, np.ndarray | np.generic)
        and int(obj.__dlpack_device__()[0]) != 1
    )


def _from_tensor(
    function: str,
    argument: str,
    x: Tensor,
    dtype: NativeDType | None,
    device: str | None,
    copy: bool | None,
) -> Tensor:
    """Cast, copy and move a tensor as requested."""
    source = dtype_of(x)
    target = source if dtype is None else as_dtype(dtype)
    assert target is not None
    check_complex(function, argument, source, target)
    moves = device is not None and native_device(device_of(x)) != device
    if target is source and not moves:
        return copy_memory(x) if copy else tensor(x)
    if copy is False:
        why = f"a cast from {source} to {target}" if target is not source else "another device"
        raise_copy_error(function, f"{why} needs a copy")
    with placed(device):
        return cast(raw.Identity(input=x) if moves else x, DTYPES[target])


def _from_nested(function: str, argument: str, obj: Any, dtype: NativeDType | None) -> Tensor:
    """Stack nested lists that hold tensors, which may be traced."""

    def leaf_dtype(leaf: Any) -> Any:
        return dtype_of(leaf if _is_tensor(leaf) else converted(function, argument, leaf, *_NONE))

    natural = natural_dtype(obj, leaf_dtype)
    target = natural if dtype is None else as_dtype(dtype)
    assert target is not None
    check_complex(function, argument, natural, target)
    return stacked(
        function,
        obj,
        lambda leaf: converted(function, argument, leaf, DTYPES[target], None, None),
        lambda parts: raw.Pack(values=list(parts), axis=0),
        shape_of,
    )


_NONE = (None, None, None)
