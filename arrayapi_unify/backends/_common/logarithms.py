"""An accurate |z|**2 - 1, for log|z| = log1p(|z|**2 - 1) / 2 near the unit circle.

The formulas use operators only, which arrays of every library have.
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ["square_beyond_one"]

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
