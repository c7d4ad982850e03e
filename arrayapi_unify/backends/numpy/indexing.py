"""Indexing functions of the NumPy backend, and what `x[key]` and `x[key] = value` go through."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.axes import refuse_axis
from arrayapi_unify.errors import UnifyOverflowError, UnifyTypeError, UnifyValueError, refuse

__all__ = ["get_item", "set_item", "take", "take_along_axis"]

Arr = npt.NDArray[Any]


def take(x: Arr, indices: Arr, /, *, axis: int | None = None) -> Any:
    """Select; NumPy flattens x where no axis is given, and reads a mask as the indices 0 and 1."""
    if axis is None and x.ndim != 1:
        refuse(
            UnifyValueError,
            "take",
            "axis",
            f"is None, but x has shape {x.shape}",
            "say along which axis to take",
        )
    if indices.dtype.kind == "b":
        refuse(
            UnifyTypeError,
            "take",
            "indices",
            "is a boolean array",
            "pass integers; a mask selects with x[mask]",
        )
    if x.ndim == 0:
        refuse_axis("take", axis)
    return np.take(x, indices, axis)


def take_along_axis(x: Arr, indices: Arr, /, *, axis: int = -1) -> Arr:
    """Select along each vector."""
    return np.take_along_axis(x, indices, axis)


def get_item(x: Arr, key: Any, /) -> Any:
    """Select as the subscript does."""
    return x[key]


vars(get_item).update(direct=operator.getitem, takes_lists=True)


def set_item(x: Arr, key: Any, value: Any, /) -> Arr:
    """Assign; NumPy drops imaginary parts, and refuses or warns of NaN in integer arrays."""
    value = _assignable(value, x.dtype)
    try:
        x[key] = value
    except TypeError:
        # Where a mask of x's own shape selects, NumPy takes no value of two axes or more.
        if np.ndim(value) < 2:
            raise
        x[key] = _of_one_axis(value)
    return x


vars(set_item).update(sure=np.dtype(np.float64))


def _of_one_axis(value: Arr) -> Arr:
    """Drop leading axes of size one; what has more than one axis left doesn't broadcast."""
    if any(size != 1 for size in value.shape[:-1]):
        raise ValueError(f"a value of shape {value.shape} doesn't broadcast to what a mask selects")
    return value.reshape(value.shape[-1])


def _assignable(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return `value` such that NumPy stores it as `astype(value, dtype)` would give it.

    Whatever can fail does so here, before NumPy writes the first element.
    """
    if isinstance(value, np.ndarray):
        if value.dtype == dtype:
            return value
        source = value.dtype.kind
    elif type(value) is float and dtype.char == "d":
        return value
    elif isinstance(value, int):
        # NumPy checks the range of integer data types itself, but makes float32 of 2**200 inf.
        if value.bit_length() > 127 and dtype.kind in "fc":
            _check_range(value, dtype)
        return value
    else:
        source = "c" if isinstance(value, complex) else "f"
    if source == "c" and dtype.kind in "iuf":
        refuse(
            UnifyTypeError,
            "set_item",
            "value",
            f"is complex, so an array of {dtype} would lose its imaginary part",
            "take real(value) or abs(value) first",
        )
    # NaN and infinities become whatever astype makes of them, large numbers infinite in float32,
    # without a warning.
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(value).astype(dtype)


def _check_range(value: int, dtype: np.dtype[Any]) -> None:
    """Refuse an integer larger than the largest finite value of a floating-point data type."""
    if abs(value) > int(np.finfo(dtype).max):
        refuse(
            UnifyOverflowError,
            "set_item",
            "value",
            f"is an integer of {value.bit_length()} bits, which {dtype} can't hold",
            "use a wider data type",
        )
