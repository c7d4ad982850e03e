"""NumPy's implementations of the set functions.

All unique_* functions return the values in ascending order: np.unique_values needn't (since NumPy
2.3 it hashes), and the same order everywhere makes results comparable across backends.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

NDArray = npt.NDArray[Any]

# The characters of int64 and uint64 (where C's long has 32 bits, of int32 and uint32 too).
_WIDE_INTEGERS = frozenset("lLqQ")


def beside(scalar: int, other: NDArray | int) -> NDArray:
    """Make an array of a scalar; next to integers an integer keeps its dtype: none overflows."""
    if isinstance(other, np.ndarray) and (other.dtype.kind in "fc" or not isinstance(scalar, int)):
        return np.asarray(scalar, dtype=np.result_type(other.dtype, scalar))
    made = np.asarray(scalar)
    if made.dtype.kind == "O":
        raise OverflowError("an integer beyond 64 bits")
    return made


def _within(x: NDArray, dtype: np.dtype[Any]) -> NDArray:
    """Cast integers to another integer dtype, dropping those that it can't hold."""
    info = np.iinfo(dtype)
    return x[(x >= info.min) & (x <= info.max)].astype(dtype)


def isin(x1: NDArray | int, x2: NDArray | int, /, *, invert: bool = False) -> NDArray:
    """Test for membership, exactly also between int64 and uint64.

    NumPy may compare these two as float64, in which neighbours above 2**53 are equal.
    """
    first = x1 if isinstance(x1, np.ndarray) else beside(x1, x2)
    second = x2 if isinstance(x2, np.ndarray) else beside(x2, x1)
    if first.dtype is not second.dtype and {first.dtype.char, second.dtype.char} <= _WIDE_INTEGERS:
        second = _within(second, first.dtype)
    return np.isin(first, second, invert=invert)


def unique_all(x: NDArray, /) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Values, first indices, inverse in x's shape, counts."""
    return np.unique(x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)


def unique_counts(x: NDArray, /) -> tuple[NDArray, NDArray]:
    """Values and counts."""
    return np.unique(x, return_counts=True, equal_nan=False)


def unique_inverse(x: NDArray, /) -> tuple[NDArray, NDArray]:
    """Values, and inverse in x's shape."""
    return np.unique(x, return_inverse=True, equal_nan=False)


def unique_values(x: NDArray, /) -> NDArray:
    """Values."""
    return np.unique(x, equal_nan=False)
