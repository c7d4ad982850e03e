"""The rows that are behind others and stay, each with what would mend it and the cost of that."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["BEYOND_BARE", "BAD", "GOOD", "LEFT"]

BEYOND_BARE: Final = 0.5
"""Units by which ours may be worse than the bare library."""
BAD: Final = 4
GOOD: Final = 2

_DOUBLE: Final = "float64, rounded"
LEFT: Final[dict[tuple[Any, ...], tuple[str, str]]] = {
    ("acos", "float32", "tensorflow"): (_DOUBLE, "30"),
    ("asin", "float32", "tensorflow"): (_DOUBLE, "28"),
    ("atan", "float32", "tensorflow"): (_DOUBLE, "17"),
    ("atan", "float64", "tensorflow"): ("`asin(x / sqrt(1 + x * x))`", "6.2"),
    ("atan2", "float32", "tensorflow"): (_DOUBLE, "5.3"),
    ("atan2", "float64", "tensorflow"): ("`asin(y / sqrt(x * x + y * y))`", "10"),
    ("expm1", "float32", "tensorflow"): (_DOUBLE, "3.6"),
    ("log1p", "float32", "tensorflow"): (_DOUBLE, "4.8"),
    ("tanh", "float32", "tensorflow"): (_DOUBLE, "8.1"),
    ("tanh", "float64", "tensorflow"): ("`expm1`: off by 6.3", "8.6"),
}
"""Mends, and their time as a multiple of that of the library's function, by `mends` on one core."""
