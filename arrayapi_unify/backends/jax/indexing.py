"""Indexing functions of the JAX backend, and what `x[key]` and `x[key] = value` go through."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.backends.jax._kernels import Arr, cast
from arrayapi_unify.backends.jax._keys import check_bounds, extra_axis, prepared, whole_mask
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
    x, key = prepared("get_item", x, key)
    extra = extra_axis(key)
    return x[key] if extra is None else jnp.squeeze(x[key], extra)


def set_item(x: Arr, key: Any, value: Any, /) -> Arr:
    """Return x with the part replaced; `value` is cast to x's data type."""
    value = _assignable(value, x)
    mask = whole_mask(x, key)
    if mask is not None and value.ndim == 0:
        # Shapes don't depend on data here, so this also traces.
        return jnp.where(mask, value, x)
    expanded, key = prepared("set_item", x, key)
    selected = jax.eval_shape(lambda a: a[key], expanded).shape
    extra = extra_axis(key)
    if extra is not None:
        selected = selected[:extra] + selected[extra + 1 :]
    try:
        fits = np.broadcast_shapes(value.shape[max(value.ndim - len(selected), 0) :], selected)
        leading = value.shape[: max(value.ndim - len(selected), 0)]
    except ValueError:
        fits, leading = (), (2,)
    if fits != selected or any(size != 1 for size in leading):
        refuse(
            UnifyValueError,
            "set_item",
            "value",
            f"has shape {value.shape}, but the selected part has shape {selected}",
            "pass a value that broadcasts to it",
        )
    value = value.reshape(value.shape[len(leading) :])
    if extra is not None:
        value = jnp.expand_dims(jnp.broadcast_to(value, selected), extra)
    return expanded.at[key].set(value).reshape(x.shape)


def _assignable(value: Any, x: Arr) -> Any:
    """Return `value` as an array of x's data type, cast as `astype` would."""
    dtype = x.dtype
    if isinstance(value, int):
        return np.asarray(value, dtype)
    kind = value.dtype.kind if isinstance(value, jax.Array) else type(value).__name__[0]
    if kind == "c" and dtype.kind in "iuf":
        refuse(
            UnifyTypeError,
            "set_item",
            "value",
            f"is complex, so an array of {dtype} would lose its imaginary part",
            "take real(value) or abs(value) first",
        )
    return cast(value if isinstance(value, jax.Array) else jnp.asarray(value), dtype)
