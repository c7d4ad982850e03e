"""TensorFlow's own functions for ours: what a graph calls, and shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

__all__ = ["COMPOSED", "Found", "counterpart"]

Found = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
_FLOATS: Final = frozenset({tf.float32, tf.float64})

# What TensorFlow computes as our functions do, for real floating-point tensors.
_UNARY: Final = {
    name: getattr(tf.math, name)
    for name in (
        "acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "expm1", "floor", "log", "log1p",
        "negative", "sin", "sinh", "sqrt", "square", "tan", "tanh", "abs",
    )
}  # fmt: skip
_BINARY: Final = {
    name: getattr(tf.math, name)
    for name in (
        "add", "subtract", "multiply", "divide", "equal", "not_equal", "less", "less_equal",
        "greater", "greater_equal", "maximum", "minimum",
    )
}  # fmt: skip


def _is_real(x: Any) -> bool:
    return getattr(x, "dtype", None) in _FLOATS


def _two(function: Any, x1: Any, x2: Any) -> Found | None:
    alike = _is_real(x1) and _is_real(x2) and x1.dtype == x2.dtype
    beside = (_is_real(x1) and _is_number(x2)) or (_is_real(x2) and _is_number(x1))
    return (function, (x1, x2), {}) if alike or beside else None


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 2**24


def _reduced(function: Any) -> Any:
    def find(
        x: Any, /, *, axis: Any = None, keepdims: bool = False, dtype: Any = None, **more: Any
    ) -> Found | None:
        if (
            not _is_real(x)
            or dtype is not None
            or 0 in x.shape
            or (axis is not None and not x.ndim)
        ):
            return None
        given = {"axis": axis, "keepdims": keepdims}
        kept = {
            key: value for key, value in given.items() if value is not None and value is not False
        }
        return None if any(more.values()) else (function, (x,), kept)

    return find


def _joined(function: Any, whole: bool) -> Any:
    def find(arrays: Any, /, *, axis: int | None = 0) -> Found | None:
        alike = len({x.dtype for x in arrays}) == 1 and all(map(_is_real, arrays))
        more = (axis,) if whole else ()
        named = {"axis": axis} if axis and not whole else {}
        return (function, (list(arrays), *more), named) if alike and axis is not None else None

    return find


_COUNTERPARTS: Final[dict[str, Any]] = {
    "sum": _reduced(tf.reduce_sum), "mean": _reduced(tf.reduce_mean),
    "max": _reduced(tf.reduce_max), "min": _reduced(tf.reduce_min),
    "var": _reduced(tf.math.reduce_variance), "std": _reduced(tf.math.reduce_std),
    "concat": _joined(tf.concat, True), "stack": _joined(tf.stack, False),
    "matmul": lambda x1, x2, /: (
        _two(tf.matmul, x1, x2) if len(x1.shape) == len(x2.shape) == 2 else None
    ),
    "diag": lambda x, /, *, offset=0: (
        (tf.linalg.diag, (x,), {}) if len(x.shape) == 1 and not offset and _is_real(x) else None
    ),
}  # fmt: skip

# Functions of ours that are made of others, where the library has one of the same meaning.
COMPOSED: Final = frozenset({"diag"})


def counterpart(name: str, args: Any, kwargs: dict[str, Any]) -> Found | None:
    """Return TensorFlow's own function for a call of ours, where it gives the same each time."""
    if name in _UNARY:
        return (_UNARY[name], tuple(args), kwargs) if _is_real(args[0]) and not kwargs else None
    if name in _BINARY:
        return _two(_BINARY[name], *args) if not kwargs else None
    find = _COUNTERPARTS.get(name)
    found: Found | None = find(*args, **kwargs) if find else None
    return found
