"""Indexing functions of the NumPy backend, and what `x[key]` and `x[key] = value` go through."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import (
    check_element,
    check_integer,
    raise_complex_error,
    raise_indices_error,
    raise_no_axis_error,
    trimmed_shape,
)
from arrayapi_unify.backends._common.checks.axes import check_axis_of_0d, whole
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.numpy._core import returns_array
from arrayapi_unify.backends.numpy._errstate import without_warnings
from arrayapi_unify.backends.numpy._mutation import elsewhere
from arrayapi_unify.backends.numpy.dtypes import as_dtype

NDArray = npt.NDArray[Any]

_BOOL = np.dtype(np.bool_)


@returns_array
@Kernel(fast_kernel=FastKernel(
    operator.getitem, when="{0}.ndim == 1 and {1}.dtype.kind in 'iu'"
))  # fmt: skip
def take(x: NDArray, indices: NDArray, /, *, axis: int | None = None) -> Any:
    """Select; NumPy flattens x where no axis is given, and reads a mask as the indices 0 and 1."""
    if axis is None and x.ndim != 1:
        raise_no_axis_error(x.shape)
    if indices.dtype.kind not in "iu":
        raise_indices_error("take", indices.dtype)
    if x.ndim == 0:
        check_axis_of_0d("take", axis)
    return x.take(indices, axis)


def take_along_axis(x: NDArray, indices: NDArray, /, *, axis: int = -1) -> NDArray:
    """Select along each vector."""
    axis = whole("take_along_axis", "axis", axis)
    return np.take_along_axis(x, indices, axis)


@Kernel(fast_call=operator.getitem, accepts_index_lists=True)
@returns_array
def get_item(x: NDArray, key: Any, /) -> Any:
    """Select as the subscript does."""
    return x[key]


@Kernel(guard_dtype=np.dtype(np.float64), fill=operator.setitem)
def set_item(x: NDArray, key: Any, value: Any, /) -> NDArray:
    """Assign; NumPy drops imaginary parts, and refuses or warns of NaN in integer arrays."""
    dtype = x.dtype
    if not isinstance(value, np.ndarray):
        value = stored(value, dtype)
    elif value.dtype is not dtype and value.dtype != dtype:
        value = _cast(value, dtype, value.dtype.kind)
    elif value.base is not None or x.base is not None or value is x:
        # Else each has memory of its own. Python runs `x[1:3] += 1` as `x[1:3] = ` its own view.
        kind = type(key)
        if (kind is slice and key.step is None and value.strides == x.strides) or (
            kind is int and value.strides == x.strides[1:]
        ):
            x[key] = value
            return x
        value = elsewhere(x, value, key)
    if dtype is _BOOL and type(key) is not slice:
        key = _lasting(x, key)
        if type(value) is np.ndarray:  # NumPy takes one of one element for a bool
            check_element(value.shape, key, x.ndim)
    elif not x.ndim:
        check_element(np.shape(value), key, 0)
    try:
        x[key] = value
    except TypeError:
        # For a mask of x's own shape, NumPy accepts no value of two axes or more.
        if np.ndim(value) < 2:
            raise
        x[key] = value.reshape(trimmed_shape(value.shape, x[key].shape))
    return x


def _lasting(x: NDArray, key: Any) -> Any:
    """Return a key whose masks aren't written to; NumPy reads one while it writes."""
    if type(key) is tuple:
        return tuple(_lasting(x, part) for part in key)
    return key.copy() if isinstance(key, np.ndarray) and np.may_share_memory(x, key) else key


def stored(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a Python scalar such that NumPy stores it as `astype(value, dtype)` would give it.

    Whatever can fail does so here, before NumPy writes the first element.
    """
    if type(value) is float and dtype.char == "d":
        return value
    if isinstance(value, int):
        # NumPy checks the range of integer data types itself, but makes float32 of 2**200 inf.
        if value.bit_length() > 127 and dtype.kind in "fcV":
            check_integer(value, as_dtype(dtype) or dtypes.float64)
        return value
    return _cast(value, dtype, "c" if isinstance(value, complex) else "f")


def _cast(value: Any, dtype: np.dtype[Any], source: str) -> NDArray:
    """Cast a value of a kind of data type as `astype` does."""
    if source == "c" and dtype.kind in "iufV":
        raise_complex_error("set_item", "value", dtype)
    # NaN and infinities become whatever astype makes of them, large numbers infinite in float32,
    # without a warning.
    return without_warnings(np.asarray(value).astype, dtype)
