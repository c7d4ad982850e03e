"""Integer powers by multiplication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["by_squaring", "is_small_power"]

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
