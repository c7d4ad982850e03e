"""Bodies of Hurwitz' zeta function and of the polygamma functions, for real arrays of one dtype.

Ten summands and the formula of Euler and Maclaurin give all digits, for every order: Johansson,
"Rigorous high-precision computation of the Hurwitz zeta function and its derivatives", 2015.
"""

from __future__ import annotations

import math
from typing import Any, Final

from arrayapi_unify.functional._common import BodyArray, is_surely
from arrayapi_unify.functional._special_gamma import BERNOULLI, digamma, gamma

_SUMMANDS: Final = 10
_COEFFICIENTS: Final = tuple(b / math.factorial(2 * k + 2) for k, b in enumerate(BERNOULLI))
# From this exponent on the integral is zero in every data type.
_MOST: Final = 400.0
_LAST_ORDER: Final = 169
"""The factorial of one more overflows beside its factors."""


def zeta(s: BodyArray, q: BodyArray) -> BodyArray:
    """Return the sum of all ``(q + k)**-s``."""
    return _scaled(s, q, 1.0)


def polygamma(n: BodyArray, x: BodyArray) -> BodyArray:
    """Return the derivative of the digamma function of the order `n`, in double precision.

    The factorial of a larger order would overflow in single precision.
    """
    xp = n.__array_namespace__()
    dtype, n, x = x.dtype, xp.astype(n, xp.float64), xp.astype(x, xp.float64)
    whole = xp.logical_and(n == xp.floor(n), n <= _LAST_ORDER)
    known = xp.logical_and(n > 0, whole)
    s = xp.where(known, n, 1.0) + 1
    # A power of two, near the factorial's root, keeps the powers from underflow.
    scale = xp.exp2(xp.round(xp.log2(s / math.e)))
    root = scale ** (-s / 2)
    found = root * gamma(s) * root * _scaled(s, x, scale)
    found = (1 - 2 * xp.remainder(s, 2.0)) * found
    found = xp.where(n == 0, digamma(x), xp.where(known, found, xp.nan))
    return xp.astype(found, dtype)


def _scaled(s: BodyArray, q: BodyArray, scale: Any) -> BodyArray:
    """Return the zeta function times ``scale**s``."""
    xp = s.__array_namespace__()
    pole = xp.logical_and(q <= 0, q == xp.floor(q))
    below = xp.logical_and(q < 0, xp.logical_not(pole))
    order = xp.where(s <= 1, 2.0, s)
    q = xp.where(pole, 1.0, q)
    found = _of_positive(xp, order, xp.where(below, 1.0, q), scale)
    if not is_surely(xp.all(xp.logical_not(below))):
        q = xp.where(below, q, -0.5)
        found = xp.where(below, _of_negative(xp, order, q, scale), found)
    found = xp.where(pole, xp.inf, found)
    return xp.where(s == 1, xp.inf, xp.where(s < 1, xp.nan, found))


def _of_positive(xp: Any, s: BodyArray, q: BodyArray, scale: Any) -> BodyArray:
    total = (q / scale) ** -s
    for k in range(1, _SUMMANDS):
        total = total + ((q + k) / scale) ** -s
    w = q + _SUMMANDS
    order = xp.where(s > _MOST, _MOST, s)
    series: Any = 0.0
    for k in reversed(range(len(_COEFFICIENTS))):
        series = series * ((order + (2 * k + 1)) / w) * ((order + (2 * k + 2)) / w)
        series = series + _COEFFICIENTS[k]
    integral = (w / scale) ** (1 - s) * scale / (s - 1)
    # The next summand would be subnormal before the sum is.
    return total + integral * (1 + (order - 1) / w * (0.5 + order / w * series))


def _of_negative(xp: Any, s: BodyArray, q: BodyArray, scale: Any) -> BodyArray:
    """Compute for negative `q`, which aren't integers: the sum over all integers has a period."""
    up, down = xp.ceil(q) - q, q - xp.floor(q)
    sign = 1 - 2 * xp.remainder(s, 2.0)
    sign = xp.where(s == xp.floor(s), sign, xp.nan)
    first, second = (_of_positive(xp, s, part, scale) for part in (down, up))
    # Half-integers have equal sums, of which kernels of TensorFlow's graphs make two numbers.
    equal = xp.logical_and(up == down, xp.isfinite(second))
    second = second + xp.stop_gradient(xp.where(equal, first - second, 0.0))
    both = first + sign * second
    return both - sign * _of_positive(xp, s, 1 - q, scale)
