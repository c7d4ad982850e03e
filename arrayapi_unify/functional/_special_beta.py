"""Bodies of the beta function and of its logarithm, for real arrays of one data type.

The logarithms of three gamma functions would lose the digits in which those of large numbers agree.
Their difference is formed in Stirling's formula instead: Didonato and Morris, "Algorithm 708",
1992. The smaller number is called p, the larger one q.
"""

from __future__ import annotations

import math
from typing import Any, Final

from arrayapi_unify.functional._common import BodyArray
from arrayapi_unify.functional._special_gamma import correction, gamma, log_gamma

_START: Final = 8.0
"""Stirling's formula is used from here on."""


def log_beta(a: BodyArray, b: BodyArray) -> BodyArray:
    """Return the logarithm of the absolute value of the beta function."""
    xp = a.__array_namespace__()
    p, q, _, pole = _continued(xp, a, b)
    return xp.where(pole, xp.inf, _log(xp, p, q))


def beta(a: BodyArray, b: BodyArray) -> BodyArray:
    """Return the beta function."""
    xp = a.__array_namespace__()
    p, q, sign, pole = _continued(xp, a, b)
    usual = xp.logical_and(p > 0, p < _START)
    y = xp.where(usual, p, 1.0)
    rest, base = _rest(xp, y, q)
    # The logarithm of a large result has fewer digits behind the point.
    found = gamma(y) * xp.exp(rest) * base**-y
    sign = sign * _sign(xp, p) * _sign(xp, q) * _sign(xp, p + q)
    found = xp.where(usual, found, xp.exp(_log(xp, xp.where(usual, 1.0, p), q)))
    return xp.where(pole, xp.inf, sign * found)


def _continued(xp: Any, a: BodyArray, b: BodyArray) -> list[BodyArray]:
    """Return p and q, a sign, and True at the poles, instead of which the numbers are 1.

    If one of the poles of ``gamma(a)`` cancels with that of ``gamma(a + b)``, others have the same
    limit but for the sign.
    """
    sign: Any = 1.0
    poles = []
    for _ in range(2):
        below = xp.logical_and(a <= 0, a == xp.floor(a))
        whole = xp.logical_and(xp.logical_and(b > 0, b == xp.floor(b)), 1 - a > b)
        moved = xp.logical_and(xp.logical_and(below, xp.isfinite(a)), whole)
        odd = xp.remainder(xp.where(moved, b, 0.0), 2.0)
        sign = sign * (1 - 2 * odd)
        a = xp.where(moved, 1 - a - xp.where(moved, b, 0.0), a)
        poles.append(xp.logical_and(below, xp.logical_not(moved)))
        a, b = b, a
    pole = xp.logical_or(*poles)
    a, b = xp.where(pole, 1.0, a), xp.where(pole, 1.0, b)
    smaller = a <= b  # a minimum has no second derivative for equal numbers
    return [xp.where(smaller, a, b), xp.where(smaller, b, a), sign, pole]


def _sign(xp: Any, x: BodyArray) -> BodyArray:
    """Return the sign of the gamma function."""
    return 1 - 2 * xp.remainder(xp.floor(xp.where(x < 0, x, 0.0)), 2.0)


def _log(xp: Any, p: BodyArray, q: BodyArray) -> BodyArray:
    both = p >= _START
    y = xp.where(both, 1.0, p)
    rest, base = _rest(xp, y, q)
    found = log_gamma(y) + (rest - y * xp.log(base))
    p, q = xp.where(both, p, _START), xp.where(both, q, _START)
    large = -p * xp.log1p(q / p) - 0.5 * xp.log(p)
    large = large - _product(xp, p, xp.where(q == xp.inf, xp.finfo(q.dtype).max, q))
    large = large + (correction(p) + _change(p, q)) + 0.5 * math.log(2 * math.pi)
    return xp.where(both, large, found)


def _rest(xp: Any, p: BodyArray, q: BodyArray) -> list[BodyArray]:
    """Return ``rest`` and ``base`` with ``gamma(q) / gamma(p + q) == exp(rest) * base**-p``.

    `p` is below 8.
    """
    total = p + q
    far = xp.logical_and(xp.logical_and(q >= _START, total >= _START), p > -_START)
    near = log_gamma(xp.where(far, 2.0, q)) - log_gamma(xp.where(far, 2.0, total))
    p, q = xp.where(far, p, 1.0), xp.where(far, q, _START)
    q = xp.where(q > 1e30, 1e30, q)  # the limit is reached, and p / q doesn't underflow
    rest = p - _product(xp, p, q) + _change(p, q)
    return [xp.where(far, rest, near), xp.where(far, total, 1.0)]


def _product(xp: Any, p: BodyArray, q: BodyArray) -> BodyArray:
    return (q - 0.5) * xp.log1p(p / q)


def _change(p: BodyArray, q: BodyArray) -> BodyArray:
    return correction(q) - correction(p + q)
