"""Bodies of the regularized incomplete gamma functions, for real arrays of one data type.

P(a, x) is computed where it is the smaller one of the two, as a series; where Q(a, x) is, it is a
continued fraction (NIST Handbook of Mathematical Functions, 2010, 8.11.4 and 8.9.2). Both have a
fixed number of terms. For large `a` and `x` near it, Temme's uniform expansion replaces them: SIAM
Journal on Mathematical Analysis 10 (1979), 757-766.
"""

from __future__ import annotations

import math
from typing import Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify.functional._common import BodyArray
from arrayapi_unify.functional._special_gamma import (
    correction,
    gamma,
    log_gamma_share,
    polynomial,
)

_LARGE: Final = 20.0
"""Temme's expansion serves from here on, where `x` is within 0.3 of `a`, relative to it."""
_SMALL: Final = 2.0
"""The continued fraction converges slowly below."""
_SERIES: Final = 80
_FRACTION: Final = 60
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


def lower(a: BodyArray, x: BodyArray) -> BodyArray:
    """Return P(a, x)."""
    return _both(a, x)[0]


def upper(a: BodyArray, x: BodyArray) -> BodyArray:
    """Return Q(a, x)."""
    return _both(a, x)[1]


def _both(a: BodyArray, x: BodyArray) -> list[BodyArray]:
    """Return both functions, with their values at the ends of the domain."""
    xp = a.__array_namespace__()
    a, x = xp.broadcast_arrays(a, x)
    inside = xp.logical_and(xp.logical_and(a > 0, a < xp.inf), xp.logical_and(x > 0, x < xp.inf))
    p, q = _inside(xp, xp.where(inside, a, 1.0), xp.where(inside, x, 1.0))
    # One of them is infinite, or one is zero: the other decides; NaN is in neither.
    one = xp.astype(a < x, a.dtype)
    known = xp.logical_and(xp.logical_and(a >= 0, x >= 0), a != x)
    ends = xp.where(known, one, xp.nan)
    return [xp.where(inside, p, ends), xp.where(inside, q, 1 - ends)]


def _inside(xp: Any, a: BodyArray, x: BodyArray) -> list[BodyArray]:
    """Return both functions of positive finite numbers."""
    near = xp.logical_and(a >= _LARGE, xp.abs(x - a) <= 0.3 * a)
    p, q = _uniform(xp, xp.where(near, a, _LARGE), xp.where(near, x, _LARGE))
    factor = _factor(xp, xp.where(near, 1.0, a), xp.where(near, 1.0, x))
    rising = xp.logical_and(xp.logical_or(x < a, x < _SMALL), xp.logical_not(near))
    falling = xp.logical_not(xp.logical_or(rising, near))
    below = factor * _series(xp.where(rising, a, 2.0), xp.where(rising, x, 1.0))
    above = factor * _fraction(xp.where(falling, a, 1.0), xp.where(falling, x, _SMALL))
    tiny = xp.logical_and(rising, a < 1)
    rest = _complement(xp, xp.where(tiny, a, 0.5), xp.where(tiny, x, 1.0))
    p = xp.where(near, p, xp.where(rising, below, 1 - above))
    q = xp.where(near, q, xp.where(rising, xp.where(tiny, rest, 1 - below), above))
    return [p, q]


def _factor(xp: Any, a: BodyArray, x: BodyArray) -> BodyArray:
    """Return ``x**a * exp(-x) / gamma(a + 1)``."""
    large = a >= _LARGE
    b = xp.where(large, 1.0, a)
    # Larger numbers give zero anyway, and no factor of smaller ones overflows.
    most = 1e4 if x.dtype is dtypes.float64 else 200.0
    y = xp.where(xp.logical_or(large, x > most), most, x)
    root = xp.exp(-y / 2)
    eight = xp.where(y > 8, 8.0, 1.0 + 0 * y)
    power = (y / eight) ** b * (eight**b / gamma(b + 1)) * root * root
    c, z = xp.where(large, a, _LARGE), xp.where(large, x, _LARGE)
    exponent = c * _excess(xp, c, z)
    return xp.where(large, xp.exp(-exponent - correction(c)) / xp.sqrt(2 * math.pi * c), power)


def _excess(xp: Any, a: BodyArray, x: BodyArray) -> BodyArray:
    """Return ``m - log(1 + m)`` for ``m = (x - a) / a``."""
    m = (x - a) / a
    near = xp.abs(m) < 0.6
    y = xp.where(near, m, 0.0)
    ratio = xp.where(near, 1.0, x / a)
    return xp.where(near, y * y * _curvature(y) / 2, m - xp.log(ratio))


def _curvature(m: BodyArray) -> BodyArray:
    """Return ``2 * (m - log(1 + m)) / m**2`` for a small number, by the series of atanh."""
    z = m / (2 + m)
    series = polynomial([1 / k for k in range(3, 63, 2)], z * z)
    return 4 * (1 / (1 - z) - z * series) / ((2 + m) * (2 + m))


def _uniform(xp: Any, a: BodyArray, x: BodyArray) -> list[BodyArray]:
    """Return both functions by Temme's expansion."""
    m = (x - a) / a
    eta = m * xp.sqrt(_curvature(m))
    total: Any = 0.0
    for row in reversed(_TEMME):
        total = total / a + polynomial(row, eta)
    rest = xp.exp(-0.5 * a * eta * eta) / xp.sqrt(2 * math.pi * a) * total
    y = eta * xp.sqrt(a / 2)
    return [0.5 * xp.special.erfc(-y) - rest, 0.5 * xp.special.erfc(y) + rest]


def _series(a: BodyArray, x: BodyArray) -> BodyArray:
    """Return ``1 + x / (a + 1) * (1 + x / (a + 2) * ...)``, with a geometric series as the rest."""
    last = a + (_SERIES + 1)
    total = last / (last - x)
    for k in range(_SERIES, 0, -1):
        total = 1 + x / (a + k) * total
    return total


def _fraction(a: BodyArray, x: BodyArray) -> BodyArray:
    """Return the continued fraction of Q, for the same factor as that of the series."""
    start = x - a
    total = start + (2 * _FRACTION + 1)
    for k in range(_FRACTION, 0, -1):
        total = start + (2 * k - 1) - k * (k - a) / total
    return a / total


def _complement(xp: Any, a: BodyArray, x: BodyArray) -> BodyArray:
    """Return Q of small numbers, where 1 - P would lose digits."""
    power = a * (xp.log(x) - log_gamma_share(a))
    series: Any = 0.0
    for k in range(30, 0, -1):
        series = -x / k * (series + 1 / (a + k))
    return -xp.expm1(power) - xp.exp(power) * a * series
