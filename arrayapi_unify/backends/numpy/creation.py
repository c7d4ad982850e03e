"""Creation functions of the NumPy backend."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from arrayapi_unify import dtypes
from arrayapi_unify.backends.numpy._conversion import castable, convert, imported
from arrayapi_unify.backends.numpy.dtypes import DTYPES
from arrayapi_unify.devices import Device
from arrayapi_unify.errors import UnifyOverflowError, UnifyValueError, refuse

__all__ = [
    "arange",
    "array",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

Arr = npt.NDArray[Any]
NativeDType = np.dtype[Any]
Shape = int | Sequence[int]

_LIMITS: Final = {
    DTYPES[d]: (dtypes.iinfo(d).min, dtypes.iinfo(d).max) for d in dtypes.KINDS["integral"]
}


def _float(dtype: NativeDType | None) -> NativeDType:
    """Return `dtype`, the default real floating one where none is given."""
    return DTYPES[dtypes.default_float()] if dtype is None else dtype


# --- from values ------------------------------------------------------------------------------


def asarray(
    obj: Any,
    /,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
    copy: bool | None = None,
) -> Arr:
    """Convert; NumPy's own inference is replaced where it departs, see `_conversion`."""
    return convert("asarray", "obj", obj, dtype, copy)


def array(
    obj: Any,
    /,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
    copy: bool | None = True,
) -> Arr:
    """Convert, with a copy unless told otherwise."""
    return convert("array", "obj", obj, dtype, copy)


def from_dlpack(x: Any, /, *, device: Device | None = None, copy: bool | None = None) -> Arr:
    """Import; NumPy reaches only memory that the CPU does."""
    return imported(x, device is not None, copy)


# --- from a shape -----------------------------------------------------------------------------


def empty(shape: Shape, *, dtype: NativeDType | None = None, device: Device | None = None) -> Arr:
    """Make an array of arbitrary values."""
    return np.empty(shape, _float(dtype))


def ones(shape: Shape, *, dtype: NativeDType | None = None, device: Device | None = None) -> Arr:
    """Make an array of ones."""
    return np.ones(shape, _float(dtype))


def zeros(shape: Shape, *, dtype: NativeDType | None = None, device: Device | None = None) -> Arr:
    """Make an array of zeros."""
    return np.zeros(shape, _float(dtype))


def full(
    shape: Shape,
    fill_value: Any,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> Arr:
    """Make an array of one value, which NumPy infers in another way (see `_conversion`)."""
    value = convert("full", "fill_value", fill_value, dtype, None)
    return np.full(shape, value, value.dtype)


def empty_like(x: Arr, /, *, dtype: NativeDType | None = None, device: Device | None = None) -> Arr:
    """Make an array of arbitrary values and of x's shape."""
    return np.empty_like(x, dtype)


def ones_like(x: Arr, /, *, dtype: NativeDType | None = None, device: Device | None = None) -> Arr:
    """Make an array of ones and of x's shape."""
    return np.ones_like(x, dtype)


def zeros_like(x: Arr, /, *, dtype: NativeDType | None = None, device: Device | None = None) -> Arr:
    """Make an array of zeros and of x's shape."""
    return np.zeros_like(x, dtype)


def full_like(
    x: Arr,
    /,
    fill_value: Any,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> Arr:
    """Make an array of one value and of x's shape; NumPy would drop an imaginary part."""
    value = convert("full_like", "fill_value", fill_value, dtype or x.dtype, None)
    return np.full_like(x, value, value.dtype)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> Arr:
    """Make a matrix with one diagonal of ones."""
    return np.eye(n_rows, n_cols, k, _float(dtype))


# --- ranges and grids -------------------------------------------------------------------------


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> Arr:
    """Count; np.arange is left to integers.

    It takes the difference of the first two elements, rounded to dtype, as the step of floats,
    so that its error grows with each element.
    """
    first, last = (0, start) if stop is None else (start, stop)
    bounds = [_number(value) for value in (first, last, step)]
    if bounds[2] == 0:
        refuse(UnifyValueError, "arange", "step", "is 0", "pass the distance of two elements")
    if isinstance(bounds[0], int) and isinstance(bounds[1], int) and isinstance(bounds[2], int):
        return _integers(range(*bounds), dtype)
    length = max(0, math.ceil((bounds[1] - bounds[0]) / bounds[2]))
    values = np.arange(length, dtype=np.float64)
    values *= bounds[2]
    values += bounds[0]
    return values.astype(_float(dtype), copy=False)


def _number(value: Any) -> Any:
    """Return the Python number of a scalar of any sort."""
    if isinstance(value, int | float):
        return value
    try:
        return operator.index(value)
    except TypeError:
        return float(value)


def _integers(values: range, dtype: NativeDType | None) -> Arr:
    """Make an array of a range, with its exact length (NumPy's comes from a float division)."""
    target = DTYPES[dtypes.default_int()] if dtype is None else dtype
    if not values:
        return np.empty(0, target)
    exact = target if target in _LIMITS else DTYPES[dtypes.int64]
    low, high = _LIMITS[exact]
    if low <= values[0] <= high and low <= values[-1] <= high:
        stop = values.start + len(values) * values.step
        result = np.arange(values.start, stop, values.step, dtype=exact)
        return result if exact is target else result.astype(target)
    if exact is target:
        refuse(
            UnifyOverflowError,
            "arange",
            "stop",
            f"leads to {values[0]} ... {values[-1]}, which {target} can't hold",
            "use a wider data type",
        )
    return (np.arange(len(values), dtype=np.float64) * values.step + values.start).astype(target)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
    endpoint: bool = True,
) -> Arr:
    """Divide an interval; complex ends never lose their imaginary part."""
    # Integers above 64 bits would be objects to NumPy.
    first, last = (float(v) if isinstance(v, int) else v for v in (start, stop))
    complexes = (complex, np.complexfloating)
    is_complex = isinstance(first, complexes) or isinstance(last, complexes)
    if dtype is None:
        dtype = DTYPES[dtypes.default_complex()] if is_complex else _float(None)
    elif is_complex:
        castable("linspace", "start", np.dtype(np.complex128), dtype)
    return np.linspace(first, last, num, endpoint=endpoint, dtype=dtype)


def meshgrid(*arrays: Arr, indexing: Literal["xy", "ij"] = "xy") -> tuple[Arr, ...]:
    """Make a grid; NumPy would flatten arrays of more than one dimension."""
    for x in arrays:
        if x.ndim > 1:
            refuse(
                UnifyValueError,
                "meshgrid",
                "arrays",
                f"holds an array of shape {x.shape}",
                "pass one-dimensional arrays",
            )
    return tuple(np.meshgrid(*arrays, indexing=indexing))


# --- triangles --------------------------------------------------------------------------------


def _triangle(part: Callable[[Arr, int], Arr], x: Arr, k: int) -> Arr:
    if x.ndim < 2:
        refuse(
            UnifyValueError,
            part.__name__,
            "x",
            f"has shape {x.shape}",
            "pass a matrix or a stack of matrices",
        )
    rows, columns = x.shape[-2:]
    # Diagonals outside of the matrix are all alike; NumPy takes no k beyond 64 bits.
    return part(x, max(-rows, min(k, columns)))


def tril(x: Arr, /, *, k: int = 0) -> Arr:
    """Keep the lower triangle."""
    return _triangle(np.tril, x, k)


def triu(x: Arr, /, *, k: int = 0) -> Arr:
    """Keep the upper triangle."""
    return _triangle(np.triu, x, k)
