"""Arrays out of anything that holds values: what `asarray` and `array` share."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms import nested_lists
from arrayapi_unify.backends._common.algorithms.conversion import convert
from arrayapi_unify.backends._common.checks.arguments import (
    VALUES_ARE_COPIED,
    check_complex,
    raise_copy_error,
)
from arrayapi_unify.backends.jax._core import JaxArray, cast
from arrayapi_unify.backends.jax._devices import moved, placed
from arrayapi_unify.backends.jax._interchange import copied, from_host, imported
from arrayapi_unify.backends.jax.dtypes import DTYPES, as_dtype, dtype_of
from arrayapi_unify.errors import UnifyBufferError

NativeDType = np.dtype[Any]


def converted(
    function: str, obj: Any, dtype: NativeDType | None, device: Any, copy: bool | None
) -> JaxArray:
    """Make an array of whatever `asarray` takes; JAX's own arrays don't leave JAX."""
    if isinstance(obj, jax.Array):
        return _from_array(function, obj, dtype, device, copy)
    if nested_lists.contains(obj, _is_native):
        return placed(_from_nested(function, obj, dtype, copy), device)
    values = convert(function, "obj", obj, dtype, copy)
    if copy is False:
        # The caller requested memory that others can write to.
        try:
            return imported(values, device, False)
        except UnifyBufferError as error:
            raise_copy_error(function, f"the memory can't be shared with JAX ({error.__context__})")
    return from_host(values, device)


def _is_native(value: Any) -> bool:
    return isinstance(value, jax.Array)


def _from_array(
    function: str, x: JaxArray, dtype: NativeDType | None, device: Any, copy: bool | None
) -> JaxArray:
    target = x.dtype if dtype is None else dtype
    check_complex(function, "obj", dtype_of(x), as_dtype(target) or dtypes.float64)
    if target == x.dtype:
        return moved(function, x, device, copy)
    if copy is False:
        raise_copy_error(function, f"a cast from {x.dtype} to {target} needs a copy")
    return placed(cast(x, target), device)


def _from_nested(function: str, obj: Any, dtype: NativeDType | None, copy: bool | None) -> JaxArray:
    """Stack nested lists that hold JAX arrays."""
    if copy is False:
        raise_copy_error(function, VALUES_ARE_COPIED)
    natural = nested_lists.natural_dtype(obj, _dtype_of_leaf)
    target = natural if dtype is None else as_dtype(dtype) or natural
    check_complex(function, "obj", natural, target)
    native = DTYPES[target]

    def leaf(value: Any) -> JaxArray:
        if isinstance(value, jax.Array):
            return cast(value, native)
        return copied(convert(function, "obj", value, native, None))

    return nested_lists.stacked(function, obj, leaf, jnp.stack, lambda x: x.shape)


def _dtype_of_leaf(value: Any) -> dtypes.DType:
    if isinstance(value, jax.Array):
        return dtype_of(value)
    return dtype_of(convert("asarray", "obj", value, None, None))
