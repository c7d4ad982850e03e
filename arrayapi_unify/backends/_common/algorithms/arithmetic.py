"""Arithmetic that libraries round or lack: powers, casts, logarithms, and sums' data types."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType


def accumulator(dtype: DType, default: DType) -> DType:
    """Return the data type of sums and products: their own unless the default int is wider.

    The standard: signed ones take the default, unsigned ones the unsigned dtype of its width.
    It leaves bool open, which takes the default too. Floats keep their data type.
    """
    if dtype.kind == "b":
        return default
    if dtype.kind in "fc":
        return dtype
    return dtype if dtype.bits >= default.bits else _wide_integer(dtype.kind, default.bits)


@functools.cache
def _wide_integer(kind: str, bits: int) -> DType:
    """Return the integer data type of a kind and a size."""
    return dtypes.as_dtype(f"{'uint' if kind == 'u' else 'int'}{bits}")


# A product with it, less what it is more than x, leaves the upper 26 of the 53 digits of x.
_SPLITTER: Final = 2.0**27 + 1


def square_beyond_one(x: Any, y: Any) -> Any:
    """Compute `x**2 + y**2 - 1` of float64 numbers, x >= y >= 0, with its digits near zero, too.

    Products of numbers of half the digits are exact, and so are differences of what is nearly
    equal (T. J. Dekker, "A floating-point technique for extending the available precision", 1971).
    Only the sum of the mixed products loses digits; these come last. It is written with
    differences of negative terms, as TensorFlow's compiler adds up sums in another order. The
    derivative is right as well: the upper half has all of it, the lower half none.
    """
    (high_x, minus_low_x), (high_y, minus_low_y) = _halves(x), _halves(y)
    squares = (high_x * high_x - 1.0) - high_y * -high_y
    first, second = high_x * minus_low_x, high_y * -minus_low_y
    mixed = first - second
    lost = (first - (mixed - (mixed - first))) - (second - (first - mixed))
    low = minus_low_x * minus_low_x - minus_low_y * -minus_low_y
    return (squares - 2.0 * mixed) - (2.0 * lost - low)


def _halves(x: Any) -> tuple[Any, Any]:
    """Return the upper half of the digits, and the lower half with the other sign."""
    scaled = x * _SPLITTER
    high = scaled - (scaled - x)
    return high, high - x


def power_by_numpy(x1: Any, x2: Any) -> Any:
    """Compute `x1 ** x2`, where (-inf) ** 0.5 is +inf and (-0) ** 0.5 is +0.

    NumPy's inner loop takes the square root if the exponent is 0.5 and the same for all elements
    of the loop, which is NaN and -0 for these two (numpy/numpy#21213).
    """
    result = np.power(x1, x2)
    if isinstance(x2, np.ndarray) and result.dtype.kind == "f":
        repeats = x2.size != result.size or x2.size == 1 or 0 in x2.strides
        if repeats and np.count_nonzero(half := x2 == 0.5):
            special = np.signbit(x1) & ((x1 == 0) | np.isinf(x1))
            result = np.asarray(result)
            np.copyto(result, np.abs(x1), where=half & special)
    return result


_FEW = 100


def is_small_power(exponent: Any) -> bool:
    """Return True for small integers, where products are more accurate than exp and log."""
    return type(exponent) is int and -_FEW < exponent < _FEW


def by_squaring(
    x: Any, exponent: int, multiply: Callable[[Any, Any], Any], reciprocal: Callable[[Any], Any]
) -> Any:
    """Compute `x ** exponent` of an exponent that isn't zero."""
    square, left = x, abs(exponent)
    result = None
    while left:
        if left & 1:
            result = square if result is None else multiply(result, square)
        left >>= 1
        square = multiply(square, square) if left else square
    return reciprocal(result) if exponent < 0 else result


# Bits of a float64: those beyond the precision of a float32, and the last one within it.
CUT: Final = 2**29 - 1
LAST: Final = 2**29
