"""TensorFlow's own functions for ours: what a graph calls, and shows."""

from __future__ import annotations

from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.equivalents import Equivalents, NativeCall

_FLOATS: Final = frozenset({tf.float32, tf.float64})

# TensorFlow's functions that compute as ours do for real floating-point tensors.
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


_OWN: Final = Equivalents(_UNARY, _BINARY, is_real=_is_real)


def _concat(arrays: Any, /, *, axis: int | None = 0) -> NativeCall | None:
    alike = axis is not None and _OWN.are_alike(arrays)
    return (tf.concat, (list(arrays), axis), {}) if alike else None


def _stack(arrays: Any, /, *, axis: int = 0) -> NativeCall | None:
    named = {"axis": axis} if axis else {}
    plain = _OWN.are_alike(arrays) and arrays[0].dtype is not tf.uint16
    return (tf.stack, (list(arrays),), named) if plain else None


_OWN.others.update({
    "sum": _OWN.reduced(tf.reduce_sum), "mean": _OWN.reduced(tf.reduce_mean),
    "max": _OWN.reduced(tf.reduce_max), "min": _OWN.reduced(tf.reduce_min),
    "var": _OWN.reduced(tf.math.reduce_variance), "std": _OWN.reduced(tf.math.reduce_std),
    "concat": _concat, "stack": _stack,
    "matmul": lambda x1, x2, /: (
        _OWN.two(tf.matmul, x1, x2) if len(x1.shape) == len(x2.shape) == 2 else None
    ),
    "diag": lambda x, /, *, k=0: (
        (tf.linalg.diag, (x,), {}) if len(x.shape) == 1 and not k and _is_real(x) else None
    ),
})  # fmt: skip
equivalent: Final = _OWN.find
