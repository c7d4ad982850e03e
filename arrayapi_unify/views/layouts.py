"""Layouts, which model NumPy's memory.

A layout is an array with the shape and strides that an Array has in NumPy; its elements are never
read or written. The result of NumPy's function on it is a view or not, and tells the place of the
view in memory.
"""

from __future__ import annotations

import math
import operator
from array import array
from itertools import accumulate
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

__all__ = [
    "Layout", "between", "bounds", "is_item", "is_layout", "is_plain", "new", "numbers", "of_parts",
    "place",
]  # fmt: skip

# Up to here a loop over intervals takes less time than NumPy's.
_FEW: Final = 16
# Up to so many elements a layout has memory of its own, which takes less time to get than views of
# none take to make. No element is read, so that there may be an array of petabytes.
_MEMORY: Final = 2**22

Layout = npt.NDArray[Any]


def new(shape: tuple[int, ...], kind: str, strides: tuple[int, ...] | None = None) -> Layout:
    """Return the layout of an array of a kind of data type; it takes no memory of its own.

    It lies in the order of C, unless there are strides, in elements.
    """
    dtype = np.dtype(np.complex64 if kind == "c" else np.int8)
    if strides is None or 0 in shape:
        return _contiguous(shape, dtype)
    last = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    steps = tuple(dtype.itemsize * stride for stride in strides)
    if last > _MEMORY:
        return as_strided(np.empty(1, dtype), shape, steps)
    return np.ndarray(shape, dtype, np.empty(last + 1, dtype), 0, steps)


def of_parts(shape: tuple[int, ...]) -> Layout:
    """Return the layout of the parts of complex numbers."""
    return _contiguous(shape, np.dtype(np.float32))


def _contiguous(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Layout:
    """Return an array in C's order, beyond some size without memory behind it."""
    if math.prod(shape) <= _MEMORY:
        return np.empty(shape, dtype)
    steps = list(accumulate(shape[:0:-1], operator.mul, initial=dtype.itemsize))
    return as_strided(np.empty(1, dtype), shape, steps[::-1])


def numbers(shape: tuple[int, ...]) -> Layout:
    """Return an array whose elements say at which place each of them is, in C's order."""
    return np.arange(math.prod(shape)).reshape(shape)


def is_layout(value: Any) -> bool:
    """Return True if NumPy made an array of a layout: neither a scalar nor None."""
    return isinstance(value, np.ndarray)


def is_item(layout: Layout, source: Layout, key: Any) -> bool:
    """Return True if a layout is the part of its source that integers and slices select."""
    parts = key if isinstance(key, tuple) else (key,)
    # With an ellipsis it is an array, of one element too, of which nothing is read.
    item = source[parts if any(part is Ellipsis for part in parts) else (*parts, ...)]
    if not is_layout(item) or item.dtype != layout.dtype:  # real parts are no complex numbers
        return False
    alike = item.shape == layout.shape and item.strides == layout.strides
    return alike and _address(item) == _address(layout)


def is_plain(layout: Layout) -> bool:
    """Return True if an array is C-contiguous, as a new one is."""
    return layout.flags.c_contiguous


def place(layout: Layout, root: Layout) -> tuple[Any, ...]:
    """Return where a layout lies in that of the whole memory; equal ones are the same part."""
    offset = _address(layout) - _address(root) if layout.size else 0
    return offset, layout.shape, layout.strides, layout.dtype.str


def _address(layout: Layout) -> int:
    """Return where the first element lies, in half the time that `ctypes.data` takes."""
    address, _ = layout.__array_interface__["data"]
    return int(address)


def bounds(layout: Layout) -> tuple[int, int]:
    """Return the addresses between which the elements lie; two equal ones for none."""
    if layout.flags.c_contiguous:
        begin = _address(layout)
        return (begin, begin + layout.nbytes) if layout.size else (0, 0)
    return np.lib.array_utils.byte_bounds(layout) if layout.size else (0, 0)


def between(low: int, high: int, lows: array[int], highs: array[int]) -> list[int]:
    """Return the numbers of the intervals that overlap with one, without a loop over thousands."""
    if len(lows) <= _FEW:
        pairs = enumerate(zip(lows, highs, strict=True))
        return [number for number, (begin, end) in pairs if begin < high and end > low]
    begins, ends = np.frombuffer(lows, np.int64), np.frombuffer(highs, np.int64)
    return np.flatnonzero((begins < high) & (ends > low)).tolist()
