"""Complex functions where NumPy falls short of the standard in special values or accuracy.

Each calls NumPy first, and finds values that need more in one or two passes, which are cheap
compared with the function itself. Recomputing these values raises no warnings; those of NumPy's
call stay.
"""

from __future__ import annotations

import math

import numpy as np

from arrayapi_unify.backends.numpy._core import NDArray, any_true

# From this |real(z)| on, exp(z) - 1 is as accurate as expm1(z), for complex128 too.
_EXPM1_IS_EXP = 40.0
# Below this |log|1 + z||, NumPy's log(hypot(1 + a, b)) has lost digits.
_LOG1P_CANCELS = 0.4
# From this size on, the memory that a pass reads costs more than the calls that start it.
_LARGE = 8192


@np.errstate(all="ignore")
def _finite_without_zero(z: NDArray) -> bool:
    """Return True only if no component of complex numbers is zero, infinite or NaN."""
    parts = z.ravel(order="K").view(z.real.dtype)
    return math.isfinite(np.dot(parts, parts)) and bool(parts.all())


def reciprocal(x: NDArray) -> NDArray:
    """Compute `1 / x` of a complex array, where 1 / 0 and signs of zeros are those of `divide`."""
    return np.divide(1.0, x)


def sign(x: NDArray) -> NDArray:
    """Compute `x / abs(x)`, and NaN + NaN j where a component is NaN.

    NumPy's is 1 + 0j for inf + NaN j, as abs(x) is infinite there.
    """
    result: NDArray = np.sign(x)
    if result.dtype.kind == "c" and any_true(missing := np.isnan(x)):
        result = np.asarray(result)
        result[missing] = complex(math.nan, math.nan)
    return result


def expm1(x: NDArray) -> NDArray:
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
    if any_true(far):
        result[far] = _exp_minus_one(x[far])
    return result


@np.errstate(all="ignore")
def _exp_minus_one(x: NDArray) -> NDArray:
    exp: NDArray = np.exp(x)
    exp.real -= 1.0
    return exp


def log1p(x: NDArray) -> NDArray:
    """Compute `log(1 + x)` of a complex array, accurately also where it is small.

    With z = a + bj, log|1 + z| is log1p(|1 + z|**2 - 1) / 2, and |1 + z|**2 - 1 = a(a + 2) + bb.
    NumPy computes 1 + z first (numpy/numpy#22609).
    """
    result = np.asarray(np.log1p(x))
    near = np.abs(result.real) < _LOG1P_CANCELS
    if any_true(near):
        z = x[near]
        a, b = z.real, z.imag
        result.real[near] = _half_log1p(a, b)
    return result


@np.errstate(under="ignore")
def _half_log1p(a: NDArray, b: NDArray) -> NDArray:
    return np.log1p(a * (a + 2.0) + b * b) / 2.0


def tanh(x: NDArray) -> NDArray:
    """Compute the hyperbolic tangent of a complex array.

    The C library takes the sign of the zero in tanh(inf + bj) = 1 + 0j from sin(2b); the standard
    takes it from b.
    """
    result: NDArray = np.tanh(x)
    infinite = np.isinf(x.real)
    if any_true(infinite):
        result = np.asarray(result)
        result.imag[infinite] = np.copysign(0.0, x.imag[infinite])
    return result


def tan(x: NDArray) -> NDArray:
    """Compute the tangent of a complex array, as -1j * tanh(x * 1j)."""
    result: NDArray = np.tan(x)
    infinite = np.isinf(x.imag)
    if any_true(infinite):
        result = np.asarray(result)
        result.real[infinite] = np.copysign(0.0, x.real[infinite])
    return result


@np.errstate(all="ignore")
def acosh_is_right() -> bool:
    """Return False if NumPy's arccosh of NaN j is all NaN, as that of 2.2 is."""
    return not math.isnan(complex(np.arccosh(complex(0.0, math.nan))).imag)


def acosh(x: NDArray) -> NDArray:
    """Compute the inverse hyperbolic cosine of a complex array, which is NaN + pi/2 j of NaN j."""
    result = np.asarray(np.arccosh(x))
    found = (x.real == 0) & np.isnan(x.imag)
    if any_true(found):
        result.imag[found] = math.pi / 2
    return result
