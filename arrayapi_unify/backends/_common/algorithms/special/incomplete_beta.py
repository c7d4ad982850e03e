"""The regularized incomplete beta function, in double precision.

With ``t / (1 - t) = x / (1 - x) * exp(-v)`` its integral has the integrand
``exp(-a * v) * (1 - x + x * exp(-v))**-(a + b)`` times the density at x. That is smooth, and has no
maximum between its ends where x is below ``a / (a + b)``. Gauss' quadrature with a fixed number of
nodes gives all digits of it, for small and large parameters, and in the tails. Where x is above,
the other tail is computed. `a` is raised to 8 by the recurrence (NIST Digital Library of
Mathematical Functions, 8.17.20), whose terms are positive.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from arrayapi_unify.backends._common.algorithms.special.formulas import choose
from arrayapi_unify.backends._common.algorithms.special.gamma import correction, gamma
from arrayapi_unify.backends._common.algorithms.special.incomplete_gamma import excess

Array: TypeAlias = Any

_START: Final = 8
_END: Final = 37.0
"""The integrand is ``exp(-37)`` where the quadrature ends."""
_GROUP: Final = 14
"""The nodes that are computed together."""
_LEAST, _MOST = 1e-280, 1e100
"""Limits of the parameters: the function is a step beyond these."""
_RATIO: Final = 1e-300
"""Limit of their ratio, which would be 0 for both limits."""


def _rule(nodes: Sequence[float], weights: Sequence[float]) -> list[tuple[float, float]]:
    """Return Gauss' quadrature on the interval from 0 to 1, given the half of it below 1/2."""
    half = list(zip(nodes, weights, strict=True))
    return half + [(1 - node, weight) for node, weight in reversed(half)]


_SHORT: Final = _rule(
    (
        0.001778751213022775, 0.009348417314563623, 0.022870359685530903, 0.04218348680393396,
        0.06705373871280247, 0.09717931454141042, 0.1321945609931841, 0.17167445298056752,
        0.21513976409429914, 0.2620628875224409, 0.31187424195546065, 0.363969186182411,
        0.41771535893330963, 0.47246035505798284,
    ),
    (
        0.0045621412965472586, 0.01056605629638563, 0.01645071389115219, 0.022136467379502114,
        0.027553672837858374, 0.0326364619834998, 0.03732310711728439, 0.041556708614450606,
        0.04528587219651642, 0.04846532899896496, 0.05105648378903038, 0.05302788296142321,
        0.05435559612914707, 0.0550235065082376,
    ),
)  # fmt: skip
"""Serves where the second parameter is at least 1."""
_LONG: Final = _rule(
    (
        0.0006144963737869407, 0.003234913866824621, 0.007937708138586571,
        0.014704203726876374, 0.02350614841978457, 0.034306654646722834, 0.04706043164221516,
        0.06171398986287606, 0.07820586918780323, 0.09646689798527869, 0.11642048374212983,
        0.13798293453809268, 0.16106381018366805, 0.1855663016117432, 0.21138763695801366,
        0.23841951263888347, 0.2665485476245208, 0.2956567590046416, 0.32562205685391965,
        0.3563187563222722, 0.38761810480265546, 0.41938882196555416, 0.4514976503952686,
        0.4838099145185653,
    ),
    (
        0.0015766730261529192, 0.0036637769506381312, 0.00573861728961727,
        0.007789657861471924, 0.009808080228677764, 0.01178538041966219, 0.013713254854178474,
        0.015583613916399045, 0.01738861128238522, 0.019120675532915354, 0.020772541471732374,
        0.02233728042834714, 0.02380832924624524, 0.025179517776927236, 0.026445094742596834,
        0.027599751849992082, 0.028638646050201607, 0.029557419849197818, 0.03035221958294694,
        0.031019711579946332, 0.03155709614312701, 0.03196211929232409, 0.032233082217975044,
        0.03236884840634196,
    ),
)  # fmt: skip
"""Serves where it is at least 1e-3."""


def incomplete_beta(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Return the regularized function, with its values at the ends of the domain."""
    inside = xp.logical_and(
        xp.logical_and(a > 0, a < math.inf), xp.logical_and(b > 0, b < math.inf)
    )
    inside = xp.logical_and(inside, xp.logical_and(x > 0, x < 1))
    found = _inside(xp, *(xp.where(inside, v, c) for v, c in ((a, 1.0), (b, 1.0), (x, 0.5))))
    # One parameter is infinite, or one is zero: the other decides, unless x does.
    known = xp.logical_and(xp.logical_and(a >= 0, b >= 0), xp.logical_and(x >= 0, x <= 1))
    odd = xp.logical_or(a != b, xp.logical_and(a > 0, a < math.inf))
    full = xp.logical_or(x == 1, xp.logical_and(x > 0, xp.logical_or(a == 0, b == math.inf)))
    ends = xp.where(full, 1 + 0 * found, 0 * found)
    return xp.where(inside, found, xp.where(xp.logical_and(known, odd), ends, math.nan))


def _inside(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Compute for positive finite parameters and x between 0 and 1."""
    a, b = _moderate(xp, a, b)
    total = a + b
    y = 1 - x
    rounded = (1 - y) - x  # what 1 - x has beyond y
    above = x > a / total
    p, q = xp.where(above, b, a), xp.where(above, a, b)
    u, w = xp.where(above, y, x), xp.where(above, x, y)
    more = [xp.where(above, rounded, 0.0), xp.where(above, 0.0, rounded)]
    mean, rest = (xp.where(v < _RATIO, _RATIO, v) for v in (p / total, q / total))
    distance = (u - mean) + more[0]
    errors = [_remainder(p, mean, q, total), _remainder(q, rest, p, total)]
    # Stirling's formula; the means cancel to the first order, but for their rounding errors.
    exponent = p * excess(xp, distance / mean, u / mean)
    exponent = exponent + q * excess(xp, ((w - rest) + more[1]) / rest, w / rest)
    exponent = exponent + total * distance * (errors[1] / q - errors[0] / p)
    stirling = _stirling(xp, total) / (_stirling(xp, p) * _stirling(xp, q))
    density = xp.sqrt(p * rest / (2 * math.pi)) * stirling * xp.exp(-exponent)
    found = density * _integral(xp, p, q, u, w, errors[0] - total * distance)
    return xp.where(above, 1 - found, found)


def _moderate(xp: Any, a: Array, b: Array) -> list[Array]:
    """Scale huge parameters down, which keeps their mean, and bound tiny ones."""
    largest = xp.where(a > b, a, b)
    huge = largest > _MOST
    scale = xp.where(huge, _MOST / xp.where(huge, largest, 1.0), 1.0)
    return [xp.where(v * scale < _LEAST, _LEAST, v * scale) for v in (a, b)]


def _remainder(p: Array, mean: Array, q: Array, total: Array) -> Array:
    """Return ``p - mean * (p + q)``, where the mean and the total are rounded."""
    larger, smaller = _split(total), _split(mean)
    found = ((p - smaller[0] * larger[0]) - smaller[0] * larger[1]) - smaller[1] * larger[0]
    more = total - p
    missing = (p - (total - more)) + (q - more)
    return (found - smaller[1] * larger[1]) - mean * missing


def _split(x: Array) -> list[Array]:
    """Return two parts, whose products are exact."""
    shift = x * 2.0**27
    high = (x + shift) - shift
    return [high, x - high]


def _stirling(xp: Any, z: Array) -> Array:
    """Return the gamma function, divided by Stirling's formula without its corrections."""

    def small(z: Array) -> Array:
        return gamma(xp, z) * xp.exp(z) * z ** (0.5 - z) / math.sqrt(2 * math.pi)

    def large(z: Array) -> Array:
        return xp.exp(correction(z))

    return choose(xp, z < _START, [z], (small, [1.0]), (large, [float(_START)]))


def _integral(xp: Any, p: Array, q: Array, u: Array, w: Array, slope: Array) -> Array:
    """Return the function, divided by the density; ``slope`` is ``p - (p + q) * u``."""

    def small(p: Array, q: Array, u: Array, w: Array, slope: Array) -> Array:
        found = _quadrature(xp, p + _START, q, u, w, slope + _START * w)
        for k in reversed(range(_START)):
            found = (1 + u * (p + q + k) * found) / (p + k)
        return found

    def large(*arrays: Array) -> Array:
        return _quadrature(xp, *arrays)

    arrays = [p, q, u, w, slope]
    few, many = [1.0, 1.0, 0.5, 0.5, 0.0], [float(_START), float(_START), 0.5, 0.5, 0.0]
    return choose(xp, p < _START, arrays, (small, few), (large, many))


def _quadrature(xp: Any, *arrays: Array) -> Array:
    """Integrate over v from 0 on."""
    long = functools.partial(_by_rule, xp, _LONG), [float(_START), 0.5, 0.5, 0.5, 0.0]
    if not xp.compresses(*arrays):
        return long[0](*arrays)
    short = functools.partial(_by_rule, xp, _SHORT), [float(_START), 1.0, 0.5, 0.5, 0.0]
    return choose(xp, arrays[1] >= 1, arrays, short, long)


def _by_rule(
    xp: Any, rule: list[tuple[float, float]], p: Array, q: Array, u: Array, w: Array, slope: Array
) -> Array:
    below = u <= 0.5
    part, sign = xp.where(below, u, w), xp.where(below, -1.0, 1.0 + 0 * u)
    total = p + q
    end = _end(xp, *map(xp.stop_gradient, (p, total, u, w, slope, part, sign)))
    found: Any = 0.0
    for start in range(0, len(rule), _GROUP):
        nodes, weights = zip(*rule[start : start + _GROUP], strict=True)
        v = end[..., None] * xp.constants(nodes, end)
        exponent = _exponent(xp, v, *(x[..., None] for x in (total, slope, part, sign)))
        found = found + xp.sum(xp.exp(exponent) * xp.constants(weights, end), axis=-1)
    return end * found


def _exponent(xp: Any, v: Array, total: Array, slope: Array, part: Array, sign: Array) -> Array:
    """Return the logarithm of the integrand: a linear function, and a concave one."""
    v, tangent = sign * v, sign * v * part
    return -slope * (sign * v) - total * (xp.log1p(part * xp.expm1(v)) - tangent)


def _end(
    xp: Any, p: Array, total: Array, u: Array, w: Array, slope: Array, part: Array, sign: Array
) -> Array:
    """Return a number beyond which the integrand is negligible.

    That is an upper bound for the zero of the exponent beyond 37, improved by a step of Newton's
    method, which stays above: the exponent is concave.
    """
    slope = xp.where(slope < 0, 0.0, slope)
    curve = 2 * _END * total * u * w
    v = 2 * _END / (slope + xp.sqrt(slope * slope + curve))
    most = xp.log1p(2 * u * total / (w * p)) + 2 * _END / p
    v = xp.where(v > most, most, v)
    for _ in range(2):  # fast where q is small
        nearer = xp.log1p(xp.expm1((_END + (total - p) * v) / total) / w)
        v = xp.where(v > nearer, nearer, v)
    value = _exponent(xp, v, total, slope, part, sign) + _END
    growth = xp.expm1(sign * v)
    # The difference of x and t there.
    change = sign * part * (growth / (1 + part * growth) * (1 - part))
    return v + value / (slope + total * change)
