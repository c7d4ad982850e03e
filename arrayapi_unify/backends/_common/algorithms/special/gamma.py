"""The gamma function, its logarithm, and the derivative of that, in double precision.

A number below 8 is reduced to the interval from 1 to 2 by the recurrence, without a rounding error,
and an approximation there shows the zeros of the function as factors, so that the digits near them
remain. Beyond 8 the asymptotic series is complete to the last digit. Negative numbers are
reflected: NIST Digital Library of Mathematical Functions, chapter 5. All branches are polynomials
and logarithms, and none is infinite where another one is selected: frameworks differentiate the
formulas themselves.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias

from arrayapi_unify.backends._common.algorithms.special.formulas import Formula, choose, polynomial

Array: TypeAlias = Any

_START: Final = 8
"""The asymptotic series begin here."""
_MOST: Final = 200.0
"""The gamma function of more is infinite."""

# log(gamma(1 + t)) / (t * (t - 1)) for t from 0 to 1, in powers of 2t - 1.
_LOG_GAMMA: Final = (
    0.483128950540980889, -0.0729799479571530433, 0.0157278502686412392, -0.00391356093762618265,
    0.00104981866444896562, -0.000294550701519647212, 8.51009038250770795e-5,
    -2.50943286689471938e-5, 7.51139113497975187e-6, -2.27424741023839365e-6,
    6.94846169508576164e-7, -2.13863233841155195e-7, 6.62289972382676248e-8,
    -2.06210274318542861e-8, 6.44853766000526156e-9, -2.01694795562398169e-9,
    6.34708063084356055e-10, -2.08746206939710928e-10, 6.65999498602033547e-11,
    -1.53957480064207858e-11, 4.70538781532822134e-12, -3.80361816662236403e-12,
    1.25104135996891934e-12,
)  # fmt: skip
# digamma(1 + t) / (t - _ROOT) for t from 0 to 1, in powers of 2t - 1.
_DIGAMMA: Final = (
    0.951055876031832879, -0.211813710640730301, 0.0601356210601968425, -0.0185506153817350084,
    0.00593679527830176124, -0.00193506666486130704, 0.000636888030386581667,
    -0.000210748411381755614, 6.99501882511279383e-5, -2.32582425191132855e-5,
    7.74123450863636361e-6, -2.57809395404577217e-6, 8.58906072193069426e-7,
    -2.86316116688319304e-7, 9.54329828827827398e-8, -3.16291114740845416e-8,
    1.05276924350266868e-8, -3.70837532428072759e-9, 1.24699846167074037e-9,
    -2.75809948143769984e-10, 8.73452842914295289e-11, -8.50550766013261025e-11,
    2.91862273216826115e-11,
)  # fmt: skip
# The zero of digamma(1 + t), which has more digits than one number.
_ROOT: Final = (0.46163214496836236, -1.5522348162858677e-17)
# Bernoulli numbers of the even orders from 2 on: DLMF, table 24.2.1.
BERNOULLI: Final = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798,
    -174611 / 330,
)  # fmt: skip
# DLMF 5.11.1 and 5.11.2, in powers of 1 / x**2.
_STIRLING: Final = tuple(b / ((2 * k + 2) * (2 * k + 1)) for k, b in enumerate(BERNOULLI))
_PSI: Final = tuple(b / (2 * k + 2) for k, b in enumerate(BERNOULLI))


def _fraction(xp: Any, x: Array) -> Array:
    """Return the distance of a number from the nearest integer."""
    return x - xp.round(x)


def _beyond_pole(xp: Any, x: Array) -> Array:
    """Return the same as `_fraction`, but NaN at the poles."""
    r = _fraction(xp, x)
    return xp.where(r == 0, math.nan, r)


def log_gamma_from_1(t: Array) -> Array:
    """Return the logarithm of the gamma function at 1 + t, for t from 0 to 1."""
    return t * log_gamma_share(t)


def log_gamma_share(t: Array) -> Array:
    """Return the same, divided by t."""
    return (t - 1) * polynomial(_LOG_GAMMA, 2 * t - 1)


def _product(xp: Any, y: Array) -> Array:
    """Return the product of all ``y - j`` that are at least one, for a number below 8."""
    total = 1.0
    for j in range(1, _START - 1):
        total = total * xp.where(y >= j + 1, y - j, 1.0)
    return total


def correction(z: Array) -> Array:
    """Return the difference of log(gamma(z)) and Stirling's formula for numbers beyond 8."""
    inverse = 1 / z
    return inverse * polynomial(_STIRLING, inverse * inverse)


def log_gamma(xp: Any, x: Array) -> Array:
    """Return the logarithm of the absolute value of the gamma function."""

    def near(y: Array) -> Array:
        t, below = y - xp.floor(y), y < 1
        factor = xp.log(xp.where(below, y, _product(xp, y)))
        return log_gamma_from_1(t) + xp.where(below, -factor, factor)

    def far(z: Array) -> Array:
        half = 0.5 * math.log(2 * math.pi) - 0.5
        return (z - 0.5) * (xp.log(z) - 1) + half + correction(z)

    def reflected(x: Array, found: Array) -> Array:
        sine = xp.abs(xp.sin(math.pi * _fraction(xp, x))) / math.pi
        found = -xp.log(-x) - xp.log(sine) - found
        return xp.where(x == -math.inf, x, xp.where(sine == 0, math.inf, found))

    return _reflected(xp, x, near, far, reflected)


def digamma(xp: Any, x: Array) -> Array:
    """Return the derivative of the logarithm of the gamma function."""

    def near(y: Array) -> Array:
        t = y - xp.floor(y)
        slope = polynomial(_DIGAMMA, 2 * t - 1)
        found = (t - _ROOT[0]) * slope - _ROOT[1] * slope  # XLA adds both constants otherwise
        found = found - 1 / xp.where(y < 1, y, math.inf)
        for j in range(1, _START - 1):
            found = found + 1 / xp.where(y >= j + 1, y - j, math.inf)
        return found

    def far(z: Array) -> Array:
        inverse = 1 / z
        square = inverse * inverse
        return xp.log(z) - 0.5 * inverse - square * polynomial(_PSI, square)

    def reflected(x: Array, found: Array) -> Array:
        r = _fraction(xp, x)
        angle = math.pi * r  # of tan at pi / 2, no second derivative is left
        found = found - 1 / x - math.pi * xp.cos(angle) / xp.sin(angle)
        return xp.where(r == 0, math.nan, found)  # the sum, so that no part has a derivative

    return xp.where(x == 0, -1 / x, _reflected(xp, x, near, far, reflected))


def gamma(xp: Any, x: Array) -> Array:
    """Return the gamma function."""

    def near(y: Array) -> Array:
        t = y - xp.floor(y)
        return xp.exp(log_gamma_from_1(t)) * _product(xp, y) / xp.where(y < 1, y, 1.0)

    def far(z: Array) -> Array:
        z = xp.where(z > _MOST, _MOST, z)
        root = z ** (0.5 * z - 0.25)  # the power itself may overflow
        return root * (math.sqrt(2 * math.pi) * xp.exp(correction(z)) * xp.exp(-z)) * root

    def reflected(x: Array, found: Array) -> Array:
        odd = xp.remainder(xp.round(x), 2.0)
        sine = (1 - 2 * odd) * xp.sin(math.pi * _beyond_pole(xp, x))
        return math.pi / sine / (-x * found)

    return xp.where(x == 0, 1 / x, _reflected(xp, x, near, far, reflected))


def _reflected(xp: Any, x: Array, near: Formula, far: Formula, reflected: Formula) -> Array:
    """Compute of an absolute value below 8, or beyond, and then of a negative number.

    NaN counts as one beyond.
    """
    a = xp.abs(x)
    found = choose(xp, a < _START, [a], (near, [1.0]), (far, [float(_START)]))
    unchanged = (lambda _, found: found), (0.0, 1.0)
    return choose(xp, x < 0, [x, found], (reflected, (-0.5, 1.0)), unchanged)
