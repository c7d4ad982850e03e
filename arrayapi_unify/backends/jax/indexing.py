"""Indexing functions of the JAX backend, and what `x[key]` and `x[key] = value` go through."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.backends.jax._core import Arr, is_traced
from arrayapi_unify.backends.jax._keys import NEW, check_bounds, host_key, parse, whole_mask
from arrayapi_unify.backends.jax._selection import (
    assign,
    assign_where,
    assignable,
    fitting,
    select,
)
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, refuse

__all__ = ["get_item", "set_item", "take", "take_along_axis"]


def _index_array(function: str, indices: Arr) -> None:
    if indices.dtype.kind not in "iu":
        refuse(
            UnifyTypeError,
            function,
            "indices",
            f"is an array of {indices.dtype}",
            "pass integers; a mask selects with x[mask]",
        )


def take(x: Arr, indices: Arr, /, *, axis: int | None = None) -> Arr:
    """Select; JAX would give NaN for an index out of bounds."""
    if axis is None and x.ndim != 1:
        refuse(
            UnifyValueError,
            "take",
            "axis",
            f"is None, but x has shape {x.shape}",
            "say along which axis to take",
        )
    _index_array("take", indices)
    axis = normalize_axis("take", 0 if axis is None else axis, x.ndim)
    check_bounds("take", indices, x.shape[axis], axis)
    if 0 in x.shape or 0 in indices.shape:  # of which jnp.take mistakes the shape
        return jnp.zeros((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]), x.dtype)
    return jnp.take(x, indices, axis)


def take_along_axis(x: Arr, indices: Arr, /, *, axis: int = -1) -> Arr:
    """Select along each vector."""
    _index_array("take_along_axis", indices)
    axis = normalize_axis("take_along_axis", axis, x.ndim)
    if indices.ndim != x.ndim:
        refuse(
            UnifyValueError,
            "take_along_axis",
            "indices",
            f"has shape {indices.shape}, but x has shape {x.shape}",
            "pass indices of x's rank",
        )
    check_bounds("take_along_axis", indices, x.shape[axis], axis)
    return jnp.take_along_axis(x, indices, axis)


def get_item(x: Arr, key: Any, /) -> Arr:
    """Select as the subscript does in NumPy."""
    plan, starts, arrays = parse("get_item", x.shape, key)
    if not arrays:
        whole = not starts and NEW not in plan
        return x if whole else select(plan, x, starts, ())
    on_host = host_key(key) if _is_on_host(x) else None
    if on_host is None:
        return select(plan, x, starts, arrays)
    return _from_host(np.asarray(x)[on_host], x)


def set_item(x: Arr, key: Any, value: Any, /) -> Arr:
    """Return x with the part replaced; `value` is cast to x's data type."""
    value = _operand(value, x.dtype)
    mask = whole_mask(x, key)
    if mask is not None and value.ndim == 0:
        # Shapes don't depend on data here, so this also traces.
        return assign_where(mask, value, x)
    plan, starts, arrays = parse("set_item", x.shape, key)
    if arrays and _is_on_host(x) and not is_traced(value):
        on_host = host_key(key)
        if on_host is not None:
            return _assigned_on_host(x, on_host, value)
    return assign(plan, x, value, starts, arrays)


def _operand(value: Any, dtype: Any) -> Any:
    """Return `value` as an array, one of NumPy's of few data types where it is a Python scalar.

    A compiled function takes these as they are; for each data type there is a kernel.
    """
    if isinstance(value, jax.Array):
        return value
    if isinstance(value, int):
        return np.asarray(value, dtype)
    if isinstance(value, float):
        return np.float64(value)
    return np.complex128(value) if isinstance(value, complex) else jnp.asarray(value)


def _is_on_host(x: Arr) -> bool:
    """Whether NumPy sees the values of x without a copy."""
    return not is_traced(x) and getattr(x.device, "platform", "") == "cpu"


def _from_host(values: Any, like: Arr) -> Arr:
    """Return NumPy's values, which nobody else holds, on the device of an array."""
    result = jnp.asarray(values)
    if is_traced(result) or result.device == like.device:  # within a traced function it's traced
        return result
    return jax.device_put(result, like.device)


def _assigned_on_host(x: Arr, key: tuple[Any, ...], value: Any) -> Arr:
    value = assignable(value, x.dtype)
    result = np.array(x)
    result[key] = fitting(np.asarray(value), result[key].shape)
    return _from_host(result, x)
