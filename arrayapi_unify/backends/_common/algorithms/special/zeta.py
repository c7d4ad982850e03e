"""Hurwitz' zeta function and the polygamma functions, in double precision.

Ten summands and the formula of Euler and Maclaurin give all digits, for every order: Johansson,
"Rigorous high-precision computation of the Hurwitz zeta function and its derivatives", 2015.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Final, TypeAlias

from arrayapi_unify.backends._common.algorithms.special.formulas import choose
from arrayapi_unify.backends._common.algorithms.special.gamma import BERNOULLI, digamma, gamma

Array: TypeAlias = Any

_SUMMANDS: Final = 10
_COEFFICIENTS: Final = tuple(b / math.factorial(2 * k + 2) for k, b in enumerate(BERNOULLI))
# From this exponent on the integral is zero in every data type.
_MOST: Final = 400.0
# From here on the summands are equal.
_LARGEST: Final = 2.0**60
_LAST_ORDER: Final = 169
"""The factorial of one more overflows beside its factors."""


def zeta(xp: Any, x: Array, q: Array) -> Array:
    """Return the sum of all ``(q + k)**-x``."""
    return _scaled(xp, x, q)


def polygamma(xp: Any, n: Array, x: Array) -> Array:
    """Return the derivative of the digamma function of the order `n`."""

    def of_higher_order(n: Array, x: Array) -> Array:
        whole = xp.logical_and(n == xp.floor(n), n <= _LAST_ORDER)
        known = xp.logical_and(n > 0, whole)
        s = xp.where(known, n, 1.0) + 1
        # A power of two, near the factorial's root, keeps the powers from underflow.
        scale = xp.exp2(xp.round(xp.log2(s / math.e)))
        root = scale ** (-s / 2)
        found = root * gamma(xp, s) * root * _scaled(xp, s, x, scale)
        return xp.where(known, (1 - 2 * xp.remainder(s, 2.0)) * found, math.nan)

    def of_order_zero(_: Array, x: Array) -> Array:
        return digamma(xp, x)

    zero = of_order_zero, [0.0, 1.0]
    return choose(xp, n == 0, [n, x], zero, (of_higher_order, [1.0, 1.0]))


def _scaled(xp: Any, s: Array, q: Array, *scale: Array) -> Array:
    """Return the zeta function, times ``scale**s`` if that is given."""
    pole = xp.logical_and(q <= 0, q == xp.floor(q))
    below = xp.logical_and(q < 0, xp.logical_not(pole))
    arrays = [xp.where(s <= 1, 2.0, s), xp.where(pole, 1.0, q), *scale]
    ones = [1.0] * len(scale)
    negative = functools.partial(_of_negative, xp), [2.0, -0.5, *ones]
    positive = functools.partial(_of_positive, xp), [2.0, 1.0, *ones]
    found = choose(xp, below, arrays, negative, positive)
    found = xp.where(pole, math.inf, found)
    return xp.where(s == 1, math.inf, xp.where(s < 1, math.nan, found))


def _of_positive(xp: Any, s: Array, q: Array, scale: Any = 1.0) -> Array:
    order = xp.where(s > _MOST, _MOST, s)
    total = (q / scale) ** -s
    for k in range(1, _SUMMANDS):
        base, lost = _sum(xp, q, float(k))
        total = total + (base / scale) ** -s * (1 - order * lost / base)
    w = q + _SUMMANDS
    series: Any = 0.0
    for k in reversed(range(len(_COEFFICIENTS))):
        series = series * ((order + (2 * k + 1)) / w) * ((order + (2 * k + 2)) / w)
        series = series + _COEFFICIENTS[k]
    integral = (w / scale) ** (1 - s) * scale / (s - 1)
    # The next summand would be subnormal before the sum is.
    return total + integral * (1 + (order - 1) / w * (0.5 + order / w * series))


def _sum(xp: Any, q: Array, k: float) -> tuple[Array, Array]:
    """Return ``q + k``, and what its rounding has lost: an error that a power multiplies by `s`."""
    large = q > _LARGEST
    base = xp.where(large, q, q + k)  # XLA would simplify the differences of a plain sum
    back = base - q
    return base, xp.where(large, 0.0, (q - (base - back)) + (k - back))


def _of_negative(xp: Any, s: Array, q: Array, scale: Any = 1.0) -> Array:
    """Compute for negative `q`, which aren't integers: the sum over all integers has a period."""
    up, down = xp.ceil(q) - q, q - xp.floor(q)
    sign = 1 - 2 * xp.remainder(s, 2.0)
    sign = xp.where(s == xp.floor(s), sign, math.nan)
    first, second = (_of_positive(xp, s, part, scale) for part in (down, up))
    # Half-integers have equal sums, of which kernels of TensorFlow's graphs make two numbers.
    equal = xp.logical_and(up == down, xp.isfinite(second))
    second = second + xp.stop_gradient(xp.where(equal, first - second, 0.0))
    both = first + sign * second
    return both - sign * _of_positive(xp, s, 1 - q, scale)
