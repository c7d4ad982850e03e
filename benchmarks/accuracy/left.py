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
    ("acos", "float32", "tensorflow"): (_DOUBLE, "31"),
    ("asin", "float32", "tensorflow"): (_DOUBLE, "19"),
    ("atan", "float64", "tensorflow"): ("`asin(x / sqrt(1 + x * x))`", "10"),
    ("atan2", "float32", "tensorflow"): (_DOUBLE, "5.1"),
    ("atan2", "float64", "tensorflow"): ("`asin(y / sqrt(x * x + y * y))`", "31"),
    ("exp", "float32", "jax"): (_DOUBLE, "3.4"),
    ("expm1", "float32", "tensorflow"): (_DOUBLE, "3.4"),
    ("log1p", "float32", "tensorflow"): (_DOUBLE, "3.2"),
    ("log2", "float32", "jax"): (_DOUBLE, "12"),
    ("pow", "float32", "tensorflow"): (_DOUBLE, "4.1"),
    ("pow", "float64", "tensorflow"): ("a logarithm in two numbers", "not measured"),
    ("tanh", "float32", "jax"): (_DOUBLE, "2.9"),
    ("tanh", "float32", "tensorflow"): (_DOUBLE, "9.9"),
    ("tanh", "float64", "jax"): ("`expm1`: off by 4.8", "2.0"),
    ("tanh", "float64", "tensorflow"): ("`expm1`: off by 6.3", "8.9"),
}
"""What would mend a row, and its time as a multiple of the time of the library's function."""
