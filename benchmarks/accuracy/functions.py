"""The elementwise functions of the standard, each with NumPy's and mpmath's of the same meaning.

NumPy's, in a wider data type, tells the truth for whole blocks of numbers: float64 for the values
of float32 and smaller ones, x87's extended precision (64 bits) for float64. mpmath tells it at the
worst points that are found.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import mpmath
import numpy as np

__all__ = ["EXACT", "FUNCTIONS", "Function", "in_double", "true_value"]


@dataclass(frozen=True, slots=True)
class Function:
    """An elementwise function that rounds: its wide reference, and mpmath's."""

    name: str
    wide: Callable[..., Any]
    exact: Callable[..., Any]
    arity: int = 1


def _logaddexp(x: Any, y: Any) -> Any:
    return mpmath.log(mpmath.exp(x) + mpmath.exp(y))


_UNARY: Final = {
    "acos": (np.arccos, mpmath.acos),
    "acosh": (np.arccosh, mpmath.acosh),
    "asin": (np.arcsin, mpmath.asin),
    "asinh": (np.arcsinh, mpmath.asinh),
    "atan": (np.arctan, mpmath.atan),
    "atanh": (np.arctanh, mpmath.atanh),
    "cos": (np.cos, mpmath.cos),
    "cosh": (np.cosh, mpmath.cosh),
    "exp": (np.exp, mpmath.exp),
    "expm1": (np.expm1, mpmath.expm1),
    "log": (np.log, mpmath.log),
    "log1p": (np.log1p, mpmath.log1p),
    "log2": (np.log2, lambda x: mpmath.log(x, 2)),
    "log10": (np.log10, mpmath.log10),
    "reciprocal": (np.reciprocal, lambda x: 1 / x),
    "sin": (np.sin, mpmath.sin),
    "sinh": (np.sinh, mpmath.sinh),
    "sqrt": (np.sqrt, mpmath.sqrt),
    "square": (np.square, lambda x: x * x),
    "tan": (np.tan, mpmath.tan),
    "tanh": (np.tanh, mpmath.tanh),
}
_BINARY: Final = {
    "add": (np.add, lambda x, y: x + y),
    "atan2": (np.arctan2, mpmath.atan2),
    "divide": (np.divide, lambda x, y: x / y),
    "hypot": (np.hypot, mpmath.hypot),
    "logaddexp": (np.logaddexp, _logaddexp),
    "multiply": (np.multiply, lambda x, y: x * y),
    "pow": (np.power, mpmath.power),
    "subtract": (np.subtract, lambda x, y: x - y),
}
FUNCTIONS: Final = {
    name: Function(name, wide, exact, arity)
    for arity, table in ((1, _UNARY), (2, _BINARY))
    for name, (wide, exact) in table.items()
}
EXACT: Final = (
    "abs", "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "ceil", "clip", "conj", "copysign", "equal", "floor",
    "floor_divide", "greater", "greater_equal", "imag", "isfinite", "isinf", "isnan", "less",
    "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum",
    "negative", "nextafter", "not_equal", "positive", "real", "remainder", "round", "sign",
    "signbit", "trunc",
)  # fmt: skip
"""Functions whose results are numbers of the data type, so that nothing is rounded."""


_AS_GOOD_IN_TORCH: Final = frozenset({
    "atanh", "cos", "cosh", "exp", "expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan",
    "tanh",
})  # fmt: skip


@np.errstate(all="ignore")
def in_double(function: Function, *arguments: Any) -> Any:
    """Return the values in float64, within two units of it: 2**-28 of a unit of float32.

    PyTorch computes some functions in half of NumPy's time, as precisely.
    """
    doubles = [x.astype(np.float64) for x in arguments]
    if function.name not in _AS_GOOD_IN_TORCH:
        return function.wide(*doubles)
    torch = importlib.import_module("torch")
    return getattr(torch, function.name)(*map(torch.from_numpy, doubles)).numpy()


def true_value(function: Function, arguments: list[float]) -> Any:
    """Return the true value with 60 digits, more where the arguments are far apart."""
    with mpmath.workdps(60):
        spread = [abs(mpmath.frexp(mpmath.mpf(x))[1]) for x in arguments]
        with mpmath.workdps(60 + sum(spread) // 3):
            found = function.exact(*map(mpmath.mpf, arguments))
            # Outside of the domain of a real function mpmath continues it into the complex plane.
            return mpmath.nan if mpmath.im(found) else mpmath.re(found)
