"""JAX's own functions for ours: what a graph calls, and shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax.numpy as jnp

__all__ = ["COMPOSED", "Found", "counterpart"]

Found = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
_FLOATS: Final = frozenset({"float32", "float64"})

# What jax.numpy computes as our functions do, for real floating-point arrays.
_UNARY: Final = {
    name: getattr(jnp, name)
    for name in (
        "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp",
        "expm1", "floor", "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2",
        "negative", "round", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc",
    )
}  # fmt: skip
_BINARY: Final = {
    name: getattr(jnp, name)
    for name in (
        "add", "subtract", "multiply", "divide", "equal", "not_equal", "less", "less_equal",
        "greater", "greater_equal", "maximum", "minimum", "logaddexp", "atan2", "hypot",
    )
}  # fmt: skip


def _is_real(x: Any) -> bool:
    return str(getattr(x, "dtype", "")) in _FLOATS


def _two(function: Any, x1: Any, x2: Any) -> Found | None:
    alike = _is_real(x1) and _is_real(x2) and x1.dtype == x2.dtype
    beside = (_is_real(x1) and _is_number(x2)) or (_is_real(x2) and _is_number(x1))
    strong = not any(getattr(x, "weak_type", False) for x in (x1, x2))
    return (function, (x1, x2), {}) if strong and (alike or beside) else None


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
        if any(more.values()):
            return None
        return function, (x,), {"axis": axis, "keepdims": keepdims}

    return find


def _joined(function: Any) -> Any:
    def find(arrays: Any, /, *, axis: int | None = 0) -> Found | None:
        alike = len({str(x.dtype) for x in arrays}) == 1 and all(map(_is_real, arrays))
        return (function, (list(arrays),), {"axis": axis}) if alike else None

    return find


_COUNTERPARTS: Final[dict[str, Any]] = {
    "sum": _reduced(jnp.sum), "mean": _reduced(jnp.mean), "max": _reduced(jnp.max),
    "min": _reduced(jnp.min), "var": _reduced(jnp.var), "std": _reduced(jnp.std),
    "prod": _reduced(jnp.prod), "concat": _joined(jnp.concatenate), "stack": _joined(jnp.stack),
    "matmul": lambda x1, x2, /: _two(jnp.matmul, x1, x2) if x1.ndim and x2.ndim else None,
    "where": lambda c, x1, x2, /: (
        (jnp.where, (c, x1, x2), {}) if _two(None, x1, x2) and str(c.dtype) == "bool" else None
    ),
    "diag": lambda x, /, *, offset=0: (
        (jnp.diag, (x,), {"k": offset}) if x.ndim == 1 and _is_real(x) else None
    ),
}  # fmt: skip

# Functions of ours that are made of others, where the library has one of the same meaning.
COMPOSED: Final = frozenset({"diag"})


def counterpart(name: str, args: Any, kwargs: dict[str, Any]) -> Found | None:
    """Return JAX's own function for a call of ours, where it gives the same in each call."""
    if name in _UNARY:
        return (_UNARY[name], tuple(args), kwargs) if _is_real(args[0]) and not kwargs else None
    if name in _BINARY:
        return _two(_BINARY[name], *args) if not kwargs else None
    find = _COUNTERPARTS.get(name)
    found: Found | None = find(*args, **kwargs) if find else None
    return found
