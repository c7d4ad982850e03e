"""The beta function and its logarithm, in double precision.

The logarithms of three gamma functions would lose the digits in which those of large numbers agree.
Their difference is formed in Stirling's formula instead: Didonato and Morris, "Algorithm 708",
1992. The smaller number is called p, the larger one q.
"""

from __future__ import annotations

import math
import sys
from typing import Any, Final, TypeAlias

from arrayapi_unify.backends._common.algorithms.special.formulas import choose
from arrayapi_unify.backends._common.algorithms.special.gamma import correction, gamma, log_gamma

Array: TypeAlias = Any

_START: Final = 8.0
"""Stirling's formula is used from here on."""


def log_beta(xp: Any, a: Array, b: Array) -> Array:
    """Return the logarithm of the absolute value of the beta function."""
    p, q, _, pole = _continued(xp, a, b)
    return xp.where(pole, math.inf, _log(xp, p, q))


def beta(xp: Any, a: Array, b: Array) -> Array:
    """Return the beta function."""

    def usual(p: Array, q: Array) -> Array:
        # The logarithm of a large result has fewer digits behind the point.
        rest, base = _rest(xp, p, q)
        return gamma(xp, p) * xp.exp(rest) * base**-p

    def far(p: Array, q: Array) -> Array:
        return xp.exp(_log(xp, p, q))

    p, q, sign, pole = _continued(xp, a, b)
    condition = xp.logical_and(p > 0, p < _START)
    found = choose(xp, condition, [p, q], (usual, [1.0, 1.0]), (far, [1.0, 1.0]))
    sign = sign * _sign(xp, p) * _sign(xp, q) * _sign(xp, p + q)
    return xp.where(pole, math.inf, sign * found)


def _continued(xp: Any, a: Array, b: Array) -> list[Array]:
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


def _sign(xp: Any, x: Array) -> Array:
    """Return the sign of the gamma function."""
    return 1 - 2 * xp.remainder(xp.floor(xp.where(x < 0, x, 0.0)), 2.0)


def _log(xp: Any, p: Array, q: Array) -> Array:
    def small(p: Array, q: Array) -> Array:
        rest, base = _rest(xp, p, q)
        return log_gamma(xp, p) + (rest - p * xp.log(base))

    def large(p: Array, q: Array) -> Array:
        found = -p * xp.log1p(q / p) - 0.5 * xp.log(p)
        found = found - _product(xp, p, xp.where(q == math.inf, sys.float_info.max, q))
        return found + (correction(p) + _change(p, q)) + 0.5 * math.log(2 * math.pi)

    start = [_START, _START]
    return choose(xp, p >= _START, [p, q], (large, start), (small, [1.0, _START]))


def _rest(xp: Any, p: Array, q: Array) -> list[Array]:
    """Return ``rest`` and ``base`` with ``gamma(q) / gamma(p + q) == exp(rest) * base**-p``.

    `p` is below 8.
    """

    def large(p: Array, q: Array, _: Array) -> Array:
        q = xp.where(q > 1e30, 1e30, q)  # the limit is reached, and p / q doesn't underflow
        return p - _product(xp, p, q) + _change(p, q)

    def small(_: Array, q: Array, total: Array) -> Array:
        return log_gamma(xp, q) - log_gamma(xp, total)

    total = p + q
    far = xp.logical_and(xp.logical_and(q >= _START, total >= _START), p > -_START)
    numbers = [1.0, _START, 2.0]
    rest = choose(xp, far, [p, q, total], (large, numbers), (small, [1.0, 2.0, 2.0]))
    return [rest, xp.where(far, total, 1.0)]


def _product(xp: Any, p: Array, q: Array) -> Array:
    return (q - 0.5) * xp.log1p(p / q)


def _change(p: Array, q: Array) -> Array:
    return correction(q) - correction(p + q)
