"""The regularized incomplete gamma functions, in double precision.

P(a, x) is computed where it is the smaller one of the two, as a series; where Q(a, x) is, it is a
continued fraction (NIST Handbook of Mathematical Functions, 2010, 8.11.4 and 8.9.2). Both have a
fixed number of terms. For large `a` and `x` near it, Temme's uniform expansion replaces them: SIAM
Journal on Mathematical Analysis 10 (1979), 757-766.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Final, TypeAlias

from arrayapi_unify.backends._common.algorithms.special.error_functions import erfc
from arrayapi_unify.backends._common.algorithms.special.formulas import Formula, choose, polynomial
from arrayapi_unify.backends._common.algorithms.special.gamma import (
    correction,
    gamma,
    log_gamma_share,
)

Array: TypeAlias = Any

_LARGE: Final = 20.0
"""Temme's expansion serves from here on, where `x` is within 0.3 of `a`, relative to it."""
_SMALL: Final = 2.0
"""The continued fraction converges slowly below."""
_SERIES: Final = 80
_FRACTION: Final = 60
_MOST: Final = 1e4
# The coefficients of powers of eta, one row for each power of 1 / a.
_TEMME: Final = (
    (
        -0.333333333333333333,
        0.0833333333333333333,
        -0.0148148148148148148,
        0.00115740740740740741,
        0.0003527336860670194,
        -0.000178755144032921811,
        0.0000391926317852243778,
        -2.18544851067999216e-6,
        -1.85406221071515996e-6,
        8.29671134095308601e-7,
        -1.76659527368260793e-7,
        6.70785354340149858e-9,
        1.0261809784240308e-8,
        -4.38203601845335319e-9,
        9.14769958223679023e-10,
        -2.55141939949462498e-11,
        -5.83077213255042507e-11,
        2.43619480206674162e-11,
    ),
    (
        -0.00185185185185185185,
        -0.00347222222222222222,
        0.0026455026455026455,
        -0.000990226337448559671,
        0.000205761316872427984,
        -4.01877572016460905e-7,
        -0.0000180985503344899778,
        7.64916091608111008e-6,
        -1.6120900894563446e-6,
        4.64712780280743434e-9,
        1.37863344691572096e-7,
        -5.75254560351770496e-8,
        1.19516285997781473e-8,
        -1.75432417197476476e-11,
        -1.00915437106004126e-9,
        4.16279299184258264e-10,
        -8.56390702649298064e-11,
    ),
    (
        0.0041335978835978836,
        -0.00268132716049382716,
        0.000771604938271604938,
        2.00938786008230453e-6,
        -0.000107366532263651605,
        0.0000529234488291201254,
        -0.0000127606351886187277,
        3.42357873409613807e-8,
        1.37219573090629332e-6,
        -6.29899213838005502e-7,
        1.42806142060642418e-7,
        -2.0477098421990866e-10,
        -1.40925299108675211e-8,
        6.22897408492202203e-9,
        -1.36704883966171135e-9,
        9.4283561590146782e-13,
    ),
    (
        0.000649434156378600823,
        0.000229472093621399177,
        -0.000469189494395255712,
        0.000267720632062838853,
        -0.0000756180167188397641,
        -2.39650511386729665e-7,
        0.0000110826541153473024,
        -5.67495282699159657e-6,
        1.42309007324358839e-6,
        -2.78610802915281422e-11,
        -1.69584040919302773e-7,
        8.09946490538808236e-8,
        -1.91111684859736541e-8,
        2.3928620439808118e-12,
        2.06201318154887984e-9,
    ),
    (
        -0.000861888290916711699,
        0.000784039221720066627,
        -0.00029907248030319018,
        -1.46384525788434182e-6,
        0.0000664149821546512219,
        -0.0000396836504717943466,
        0.0000113757269706784191,
        2.5074972262375328e-10,
        -1.6954149536558306e-6,
        8.90750753220530969e-7,
        -2.29293483400080487e-7,
        2.95679413754404905e-11,
        2.88658297427087836e-8,
        -1.41897394378032194e-8,
    ),
    (
        -0.00033679855336635815,
        -0.0000697281375836585777,
        0.000277275324495939208,
        -0.000199325705161888477,
        0.0000679778047793720784,
        1.41906292064396701e-7,
        -0.0000135940481897686933,
        8.01847025633420154e-6,
        -2.29148117650809517e-6,
        -3.25247355129845395e-10,
        3.4652846491085265e-7,
        -1.84471871911713433e-7,
        4.82409670378941808e-8,
    ),
    (
        0.000531307936463992223,
        -0.000592166437353693883,
        0.000270878209671804483,
        7.90235323266032787e-7,
        -0.0000815396936756196875,
        0.0000561168275310624965,
        -0.0000183291165828433756,
        -3.07961345060330478e-9,
        3.46515536880360909e-6,
        -2.02913273960586037e-6,
        5.78879286314900371e-7,
        2.33863067382665699e-13,
    ),
    (
        0.000344367606892377671,
        0.0000517179090826059219,
        -0.000334931610811422363,
        0.000281269515476323702,
        -0.00010976582244684731,
        -1.27410090954844854e-7,
        0.0000277444515115636442,
        -0.0000182634888057113327,
        5.7876949497350524e-6,
        4.9387589339362704e-10,
        -1.05953670140260427e-6,
    ),
    (
        -0.000652623918595309419,
        0.00083949872067208728,
        -0.000438297098541721005,
        -6.96909145842055197e-7,
        0.000166448466420675478,
        -0.000127835176797692186,
        0.0000462995326369130429,
        4.55790986792270771e-9,
        -0.0000105952711258051955,
        6.78334290486516662e-6,
    ),
    (
        -0.00059676129019274625,
        -0.0000720489541602001056,
        0.000678230883766732836,
        -0.000640147526026275845,
        0.000277501076343287045,
        1.8197008380465151e-7,
        -0.0000847950711706850318,
        0.0000610519208250153102,
        -0.0000210739201834048624,
    ),
)


def lower(xp: Any, a: Array, x: Array) -> Array:
    """Return P(a, x)."""

    def rising(a: Array, x: Array, factor: Array) -> Array:
        return factor * _series(a, x)

    def falling(a: Array, x: Array, factor: Array) -> Array:
        return 1 - factor * _fraction(a, x)

    return _with_ends(xp, a, x, functools.partial(_inside, xp, -1, rising, falling), 1.0)


def upper(xp: Any, a: Array, x: Array) -> Array:
    """Return Q(a, x)."""

    def tiny(a: Array, x: Array, _: Array) -> Array:
        return _complement(xp, a, x)

    def usual(a: Array, x: Array, factor: Array) -> Array:
        return 1 - factor * _series(a, x)

    def rising(*arrays: Array) -> Array:
        few = [0.5, 1.0, 1.0]
        return choose(xp, arrays[0] < 1, arrays, (tiny, few), (usual, [2.0, 1.0, 1.0]))

    def falling(a: Array, x: Array, factor: Array) -> Array:
        return factor * _fraction(a, x)

    return _with_ends(xp, a, x, functools.partial(_inside, xp, 1, rising, falling), 0.0)


def _with_ends(xp: Any, a: Array, x: Array, compute: Formula, at_infinity: float) -> Array:
    """Compute inside of the domain; at its ends, one is infinite or zero, and the other decides."""
    inside = xp.logical_and(
        xp.logical_and(a > 0, a < math.inf), xp.logical_and(x > 0, x < math.inf)
    )
    found = compute(xp.where(inside, a, 1.0), xp.where(inside, x, 1.0))
    known = xp.logical_and(xp.logical_and(a >= 0, x >= 0), a != x)  # NaN is in neither
    one = 1 + 0 * found
    ends = xp.where(a < x, at_infinity * one, (1 - at_infinity) * one)
    return xp.where(inside, found, xp.where(known, ends, math.nan))


def _inside(xp: Any, side: int, rising: Formula, falling: Formula, a: Array, x: Array) -> Array:
    """Compute for positive finite numbers, in three parts of the plane."""

    def near(a: Array, x: Array) -> Array:
        return _uniform(xp, side, a, x)

    def elsewhere(a: Array, x: Array) -> Array:
        arrays = [a, x, _factor(xp, a, x)]
        rises = xp.logical_or(x < a, x < _SMALL)
        return choose(xp, rises, arrays, (rising, [2.0, 1.0, 1.0]), (falling, [1.0, _SMALL, 1.0]))

    large = xp.logical_and(a >= _LARGE, xp.abs(x - a) <= 0.3 * a)
    return choose(xp, large, [a, x], (near, [_LARGE, _LARGE]), (elsewhere, [1.0, 1.0]))


def _factor(xp: Any, a: Array, x: Array) -> Array:
    """Return ``x**a * exp(-x) / gamma(a + 1)``."""

    def large(a: Array, x: Array) -> Array:
        exponent = a * _excess(xp, a, x)
        return xp.exp(-exponent - correction(a)) / xp.sqrt(2 * math.pi * a)

    def small(a: Array, x: Array) -> Array:
        # Larger numbers give zero anyway, and no factor of smaller ones overflows.
        y = xp.where(x > _MOST, _MOST, x)
        root = xp.exp(-y / 2)
        eight = xp.where(y > 8, 8.0, 1.0 + 0 * y)
        return (y / eight) ** a * (eight**a / gamma(xp, a + 1)) * root * root

    return choose(xp, a >= _LARGE, [a, x], (large, [_LARGE, _LARGE]), (small, [1.0, 1.0]))


def _excess(xp: Any, a: Array, x: Array) -> Array:
    """Return ``m - log(1 + m)`` for ``m = (x - a) / a``."""
    return excess(xp, (x - a) / a, x / a)


def excess(xp: Any, m: Array, ratio: Array) -> Array:
    """Return ``m - log(1 + m)``, given ``1 + m`` with the digits that the sum loses."""

    def near(m: Array, _: Array) -> Array:
        z = m / (2 + m)
        return z * (m - 2 * z * z * _atanh(z))

    def far(m: Array, ratio: Array) -> Array:
        return m - xp.log(ratio)

    # The series of a number of up to one half; for larger ones the difference cancels little.
    close = xp.abs(m) < 0.5 * (2 + m)
    return choose(xp, close, [m, ratio], (near, [0.0, 1.0]), (far, [0.0, 1.0]))


def _curvature(m: Array) -> Array:
    """Return ``2 * (m - log(1 + m)) / m**2`` for a small number."""
    z = m / (2 + m)
    return 4 * (1 / (1 - z) - z * _atanh(z)) / ((2 + m) * (2 + m))


def _atanh(z: Array) -> Array:
    """Return ``(atanh(z) - z) / z**3`` by its series."""
    return polynomial([1 / k for k in range(3, 63, 2)], z * z)


def _uniform(xp: Any, side: int, a: Array, x: Array) -> Array:
    """Return Q (the side 1) or P (-1) by Temme's expansion."""
    m = (x - a) / a
    eta = m * xp.sqrt(_curvature(m))
    total: Any = 0.0
    for row in reversed(_TEMME):
        total = total / a + polynomial(row, eta)
    rest = xp.exp(-0.5 * a * eta * eta) / xp.sqrt(2 * math.pi * a) * total
    return 0.5 * erfc(xp, side * eta * xp.sqrt(a / 2)) + side * rest


def _series(a: Array, x: Array) -> Array:
    """Return ``1 + x / (a + 1) * (1 + x / (a + 2) * ...)``, with a geometric series as the rest."""
    last = a + (_SERIES + 1)
    total = last / (last - x)
    for k in range(_SERIES, 0, -1):
        total = 1 + x / (a + k) * total
    return total


def _fraction(a: Array, x: Array) -> Array:
    """Return the continued fraction of Q, for the same factor as that of the series."""
    start = x - a
    total = start + (2 * _FRACTION + 1)
    for k in range(_FRACTION, 0, -1):
        total = start + (2 * k - 1) - k * (k - a) / total
    return a / total


def _complement(xp: Any, a: Array, x: Array) -> Array:
    """Return Q of small numbers, where 1 - P would lose digits."""
    power = a * (xp.log(x) - log_gamma_share(a))
    series: Any = 0.0
    for k in range(30, 0, -1):
        series = -x / k * (series + 1 / (a + k))
    return -xp.expm1(power) - xp.exp(power) * a * series
