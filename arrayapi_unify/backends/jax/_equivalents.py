"""JAX's own functions for ours: what a graph calls, and shows."""

from __future__ import annotations

from typing import Any, Final

import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.algorithms.equivalents import Equivalents, Finder, NativeCall

_FLOATS: Final = frozenset({"float32", "float64"})

# Functions of jax.numpy that agree with ours for real floating-point arrays. `_real` and
# `_exponentials` have those that lose digits.
_UNARY: Final = {
    name: getattr(jnp, name)
    for name in (
        "abs", "acos", "asinh", "atan", "ceil", "cos", "floor", "isfinite",
        "isinf", "isnan", "log", "negative", "round", "sin", "sqrt", "square", "tan", "trunc",
    )
}  # fmt: skip
_BINARY: Final = {
    name: getattr(jnp, name)
    for name in (
        "add", "subtract", "multiply", "equal", "not_equal", "less", "less_equal",
        "greater", "greater_equal", "maximum", "minimum", "logaddexp", "atan2", "hypot",
    )
}  # fmt: skip


def _is_real(x: Any) -> bool:
    return str(getattr(x, "dtype", "")) in _FLOATS


_OWN: Final = Equivalents(
    _UNARY, _BINARY, is_real=_is_real, is_weakly_typed=lambda x: getattr(x, "weak_type", False)
)


def _joined(function: Any) -> Finder:
    def find(arrays: Any, /, *, axis: int | None = 0) -> NativeCall | None:
        return (function, (list(arrays),), {"axis": axis}) if _OWN.are_alike(arrays) else None

    return find


_OWN.others.update({
    # XLA rounds a quotient twice where the divisor is broadcast.
    "divide": lambda x1, x2, /: (
        _OWN.two(jnp.divide, x1, x2) if np.shape(x1) == np.shape(x2) else None
    ),
    # XLA's exponential of float32 loses digits where it is large.
    "exp": lambda x, /: (
        (jnp.exp, (x,), {}) if _is_real(x) and str(x.dtype) == "float64" else None
    ),
    "sum": _OWN.reduced(jnp.sum), "mean": _OWN.reduced(jnp.mean), "max": _OWN.reduced(jnp.max),
    "min": _OWN.reduced(jnp.min), "var": _OWN.reduced(jnp.var), "std": _OWN.reduced(jnp.std),
    "prod": _OWN.reduced(jnp.prod), "concat": _joined(jnp.concatenate), "stack": _joined(jnp.stack),
    "matmul": lambda x1, x2, /: _OWN.two(jnp.matmul, x1, x2) if x1.ndim and x2.ndim else None,
    "where": lambda c, x1, x2, /: (
        (jnp.where, (c, x1, x2), {}) if _OWN.two(None, x1, x2) and str(c.dtype) == "bool" else None
    ),
    "diag": lambda x, /, *, k=0: (
        (jnp.diag, (x,), {"k": k}) if x.ndim == 1 and _is_real(x) else None
    ),
})  # fmt: skip
equivalent: Final = _OWN.find
