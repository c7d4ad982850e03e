"""Indexing functions of the JAX backend, and what `x[key]` and `x[key] = value` go through."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import (
    check_element,
    check_integer,
    check_rank_of_indices,
    check_within,
    raise_indices_error,
    raise_no_axis_error,
    trimmed_shape,
)
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends.jax._core import JaxArray, is_traced
from arrayapi_unify.backends.jax._devices import placed
from arrayapi_unify.backends.jax._gather_scatter import (
    assign,
    assign_where,
    assignable,
    select,
)
from arrayapi_unify.backends.jax._keys import NEW, host_key, parse, whole_mask
from arrayapi_unify.backends.jax._looks import index_outside, is_split
from arrayapi_unify.backends.jax.dtypes import as_dtype

_SHORTEST_INFINITE = 127  # bits; integers of no more are finite in all floating-point data types


def _check(function: str, indices: JaxArray, axis: int, size: int) -> None:
    """Raise for indices out of bounds, except while tracing, without values."""
    if indices.dtype.kind not in "iu":
        raise_indices_error(function, indices.dtype)
    if not is_traced(indices):
        wrong = index_outside(indices, size)
        if wrong is not None:
            check_within(function, wrong, axis, size)


def take(x: JaxArray, indices: JaxArray, /, *, axis: int | None = None) -> JaxArray:
    """Select; JAX would give NaN for an index out of bounds."""
    if axis is None and x.ndim != 1:
        raise_no_axis_error(x.shape)
    axis = normalize_axis("take", 0 if axis is None else axis, x.ndim)
    _check("take", indices, axis, x.shape[axis])
    if 0 in x.shape or 0 in indices.shape:  # of which jnp.take mistakes the shape
        return jnp.zeros((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]), x.dtype)
    if x.shape[axis] >> (8 * indices.dtype.itemsize - 1):
        indices = indices.astype(np.int64)  # jnp.take adds the size to -1 in their own data type
    return jnp.take(x, indices, axis)


def take_along_axis(x: JaxArray, indices: JaxArray, /, *, axis: int = -1) -> JaxArray:
    """Select along each vector."""
    check_rank_of_indices(indices.shape, x.shape)
    axis = normalize_axis("take_along_axis", axis, x.ndim)
    _check("take_along_axis", indices, axis, x.shape[axis])
    return jnp.take_along_axis(x, indices, axis)


def get_item(x: JaxArray, key: Any, /) -> JaxArray:
    """Select as the subscript does in NumPy."""
    plan, starts, arrays = parse(x.shape, key)
    if not arrays:
        whole = not starts and NEW not in plan
        return x if whole else select(plan, x, starts, ())
    on_host = host_key(key) if _is_on_host(x) else None
    if on_host is None:
        found = select(plan, x, starts, arrays)
        # A kernel whose result is empty doesn't read x, and JAX puts it on the first device.
        return placed(found, x.sharding) if not found.size and is_split(x) else found
    return _from_host(np.asarray(x)[on_host], x)


def set_item(x: JaxArray, key: Any, value: Any, /) -> JaxArray:
    """Return x with the part replaced; `value` is cast to x's data type."""
    value = _operand(value, x.dtype)
    if value.ndim:
        check_element(value.shape, key, x.ndim)
    mask = whole_mask(x, key)
    if mask is not None and value.ndim == 0:
        # Shapes don't depend on data here, so this also traces.
        return assign_where(mask, value, x)
    plan, starts, arrays = parse(x.shape, key)
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
        if value.bit_length() > _SHORTEST_INFINITE and dtype.kind in "fcV":
            check_integer(value, as_dtype(dtype) or dtypes.float64)
        return np.asarray(value, dtype)
    if isinstance(value, float):
        return np.float64(value)
    return np.complex128(value) if isinstance(value, complex) else jnp.asarray(value)


def _is_on_host(x: JaxArray) -> bool:
    """Return True if NumPy reads the values of x without a copy: not traced, and on the CPU."""
    return not is_traced(x) and getattr(x.device, "platform", "") == "cpu"


def _from_host(values: Any, like: JaxArray) -> JaxArray:
    """Return NumPy's values, which have no other references, on the device of an array."""
    result = jnp.asarray(values)
    if is_traced(result) or result.device == like.device:  # within a traced function it's traced
        return result
    return jax.device_put(result, like.device)


def _assigned_on_host(x: JaxArray, key: tuple[Any, ...], value: Any) -> JaxArray:
    value = assignable(value, x.dtype)
    result = np.array(x)
    selected = result[key].shape
    trimmed = trimmed_shape(value.shape, selected)
    result[key] = np.asarray(value).reshape(trimmed)
    return _from_host(result, x)
