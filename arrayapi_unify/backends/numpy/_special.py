"""Elementwise functions where NumPy falls short of the standard in special values or accuracy.

Each calls NumPy first and looks for values that need more with one or two passes that cost little
beside the function itself. What is then computed again raises no warnings of its own; those that
NumPy gave stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from arrayapi_unify.backends.numpy._ufunc import Arr, Operand

__all__ = ["expm1", "floor_divide", "log1p", "pow", "reciprocal", "sign", "tan", "tanh"]

# Where |real(z)| is at least this, exp(z) - 1 is as accurate as expm1(z), for complex128 too.
_EXPM1_IS_EXP = 40.0
# Where |log|1 + z|| is below this, NumPy's log(hypot(1 + a, b)) has lost digits.
_LOG1P_CANCELS = 0.4
# From this size on, the memory that a pass reads costs more than the calls that start it.
_LARGE = 8192


_ARRAYS: Final[Any] = (np.ndarray, np.generic)
# Whether any element is true; on small arrays this takes half the time of `any`.
_any: Callable[[Any], int] = np.count_nonzero


def _has_infinity(x: Any) -> int:
    return _any(np.isinf(x)) if isinstance(x, np.ndarray) else math.isinf(x)


def surely_finite(x: Any, y: Any) -> bool:
    """Whether a sum of products is finite: with infinities, NaN or huge values it never is."""
    if type(y) is np.ndarray and y.ndim == 1 == x.ndim and y.size == x.size:
        return math.isfinite(x.dot(y))
    if not isinstance(y, _ARRAYS):
        return math.isfinite(y) and math.isfinite(np.vdot(x, x))
    finite = y.dtype.kind != "f" or math.isfinite(np.vdot(y, y))
    return finite and math.isfinite(np.vdot(x, x))


def _finite_without_zero(z: Arr) -> bool:
    """Whether surely no component of complex numbers is zero, infinite or NaN."""
    parts = z.ravel(order="K").view(z.real.dtype)
    with np.errstate(all="ignore"):
        return math.isfinite(np.dot(parts, parts)) and bool(parts.all())


def floor_divide(x1: Operand, x2: Operand) -> Arr:
    """Compute `floor(x1 / x2)`, as the standard prefers it where an operand is infinite.

    NumPy follows Python's pairing with `%` there: NaN for inf // 2, and -1 for 1 // -inf.
    """
    result: Arr = np.floor_divide(x1, x2)
    # An infinite x1 gives NaN, so that there is no need to look at it.
    if result.dtype.kind == "f" and not surely_finite(result, x2):
        # NumPy can't tell whether an integer beyond 64 bits is infinite.
        x1, x2 = (float(x) if isinstance(x, int) else x for x in (x1, x2))
        with np.errstate(all="ignore"):
            quotient = np.floor(np.divide(x1, x2))
        return np.where(np.isinf(x1) | np.isinf(x2), quotient, result)
    return result


def pow(x1: Operand, x2: Operand) -> Arr:
    """Compute `x1 ** x2`, where (-inf) ** 0.5 is +inf and (-0) ** 0.5 is +0.

    NumPy's inner loop takes the square root if the exponent is 0.5 and the same for all elements
    of the loop, which is NaN and -0 for these two (numpy/numpy#21213).
    """
    if type(x2) is float and x2 == 0.5 and cast(Arr, x1).dtype.kind != "c":
        return _square_root(cast(Arr, x1))
    if type(x2) is int:
        return cast(Arr, x1**x2)  # the operator knows shorter ways to 2, 1 and -1
    result: Arr = np.power(x1, x2)
    if isinstance(x2, np.ndarray) and result.dtype.kind == "f":
        repeats = x2.size != result.size or x2.size == 1 or 0 in x2.strides
        if repeats and _any(half := x2 == 0.5):
            special = np.signbit(x1) & ((x1 == 0) | np.isinf(x1))
            result = np.asarray(result)
            np.copyto(result, np.abs(x1), where=half & special)
    return result


def _square_root(x: Arr) -> Arr:
    """Compute `x ** 0.5` of a real array; adding 0.0 makes -0 be +0, integers be float64."""
    result = np.asarray(x + 0.0)
    np.sqrt(result, out=result)
    if _has_infinity(x):
        np.copyto(result, np.inf, where=np.isinf(x))
    return result


def reciprocal(x: Arr) -> Arr:
    """Compute `1 / x` of a complex array, where 1 / 0 and signs of zeros are those of `divide`."""
    result: Arr = np.divide(1.0, x)
    return result


def sign(x: Arr) -> Arr:
    """Compute `x / abs(x)`, and NaN + NaN j where a component is NaN.

    NumPy's is 1 + 0j for inf + NaN j, as abs(x) is infinite there.
    """
    result: Arr = np.sign(x)
    if result.dtype.kind == "c" and _any(missing := np.isnan(x)):
        result = np.asarray(result)
        result[missing] = complex(math.nan, math.nan)
    return result


def expm1(x: Arr) -> Arr:
    """Compute `exp(x) - 1` of a complex array.

    NumPy gives NaN at most infinities, overflows before the result does, and -0 + 0j for itself
    where the standard has 0 + 0j. Its exp is right, and far from zero expm1 is exp - 1.
    """
    result = np.asarray(np.expm1(x))
    if result.size >= _LARGE and _finite_without_zero(result):
        return result
    real = result.real
    real += 0.0
    far = ~(np.abs(x.real) < _EXPM1_IS_EXP)
    if _any(far):
        with np.errstate(all="ignore"):
            exp = np.exp(x[far])
            exp.real -= 1.0
        result[far] = exp
    return result


def log1p(x: Arr) -> Arr:
    """Compute `log(1 + x)` of a complex array, accurately also where it is small.

    With z = a + bj, log|1 + z| is log1p(|1 + z|**2 - 1) / 2, and |1 + z|**2 - 1 = a(a + 2) + bb.
    NumPy computes 1 + z first (numpy/numpy#22609).
    """
    result = np.asarray(np.log1p(x))
    near = np.abs(result.real) < _LOG1P_CANCELS
    if _any(near):
        z = x[near]
        a, b = z.real, z.imag
        with np.errstate(under="ignore"):
            result.real[near] = np.log1p(a * (a + 2.0) + b * b) / 2.0
    return result


def tanh(x: Arr) -> Arr:
    """Compute the hyperbolic tangent of a complex array.

    The C library takes the sign of the zero in tanh(inf + bj) = 1 + 0j from sin(2b); the standard
    takes it from b.
    """
    result: Arr = np.tanh(x)
    infinite = np.isinf(x.real)
    if _any(infinite):
        result = np.asarray(result)
        result.imag[infinite] = np.copysign(0.0, x.imag[infinite])
    return result


def tan(x: Arr) -> Arr:
    """Compute the tangent of a complex array, as -1j * tanh(x * 1j)."""
    result: Arr = np.tan(x)
    infinite = np.isinf(x.imag)
    if _any(infinite):
        result = np.asarray(result)
        result.real[infinite] = np.copysign(0.0, x.real[infinite])
    return result
