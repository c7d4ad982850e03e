"""Exponential and hyperbolic functions, from a polynomial on a short interval.

XLA makes `exp(x) - 1` of its hyperbolic tangent, and the hyperbolic functions of exponentials: they
are off by five units in the last place, and by hundreds where x is large. Its exponential of
float32 is off by five units above 88.4.

All but the tangent are made of k and p, where x = k log(2) + r and p = exp(r) - 1, so that
exp(x) - 1 is 2**k p + (2**k - 1), in which nothing cancels and 2**k is exact (W. J. Cody and
W. Waite, "Software Manual for the Elementary Functions", 1980).
"""

from __future__ import annotations

import itertools
import math
from typing import Final, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax._derivatives import with_derivatives


class _Format(NamedTuple):
    """Constants of a data type."""

    high: float
    """The upper digits of log(2): its product with k is exact."""
    low: float
    """The lower digits."""
    degree: int
    """That of the Taylor polynomial, whose first omitted term is below a tenth of a unit."""
    largest: float
    """The hyperbolic sine of it is infinite, and 2**(k - 2) isn't."""
    whole: np.dtype[np.signedinteger]


_FORMATS: Final = {
    4: _Format(0.693145751953125, 1.4286068203094172e-06, 9, 89.5, np.dtype(np.int32)),
    8: _Format(0.6931471803691238, 1.9082149292705877e-10, 17, 710.5, np.dtype(np.int64)),
}
# From here downwards exp(x) - 1 rounds to -1.
_LOWEST: Final = -40.0
# k is 0 between it and its negative, where p is the result: the next k would double p's error.
_HALF: Final = 0.5
# To it, a half adds nothing.
_MUCH: Final = 1e30


def _polynomial(coefficients: list[float], x: JaxArray) -> JaxArray:
    """Sum the terms in groups of four, which don't wait for each other: 0.75 of Horner's time."""
    square = x * x
    fourth, total = square * square, 0.0
    for start in reversed(range(0, len(coefficients), 4)):
        a, b, c, d = coefficients[start : start + 4]
        total = total * fourth + ((a + b * x) + (c + d * x) * square)
    return total


def _horner(coefficients: list[float], x: JaxArray) -> JaxArray:
    """Sum the terms one after the other, which takes less time where there are few."""
    total = coefficients[-1]
    for c in coefficients[-2::-1]:
        total = total * x + c
    return total


def _parts(x: JaxArray) -> tuple[JaxArray, JaxArray, JaxArray]:
    """Return k, p, and 2**(k - 2)."""
    fmt = _FORMATS[x.dtype.itemsize]
    k = jnp.where(jnp.abs(x) < _HALF, 0, jnp.round(x * (1 / math.log(2))))
    r = (x - k * fmt.high) - k * fmt.low
    series = _polynomial([1 / math.factorial(n) for n in range(2, fmt.degree + 1)], r)
    digits = np.finfo(x.dtype).nmant
    exponent = k.astype(fmt.whole) + (np.finfo(x.dtype).maxexp - 3)
    return k, r + r * r * series, lax.bitcast_convert_type(exponent << digits, x.dtype)


def _itself_near_zero(x: JaxArray, result: JaxArray) -> JaxArray:
    """Select x where the result rounds to it, which XLA may have flushed to zero on the way."""
    return jnp.where(jnp.abs(x) < np.finfo(x.dtype).eps / 2, x, result)


# The bits of 2**0 in those of a sum with this number, whose lowest ones are an integer.
_ROUNDING: Final = np.float32(1.5 * 2**23)
_BITS_OF_ONE: Final = int(_ROUNDING.view(np.int32)) - 127
# To it, exp(x) is subnormal, which XLA flushes.
_LEAST: Final = np.float32(-87.336544)


@with_derivatives(lambda _, result: result)
def _exp_single(x: JaxArray) -> JaxArray:
    """Compute the exponential of float32 in 1.1 times the time of XLA's.

    At the upper end k stays 127, and r is up to log(2): the polynomial has one more term for that.
    """
    fmt = _FORMATS[4]
    k = x * np.float32(1 / math.log(2))
    k = jnp.round(jnp.where(k < 127, k, np.float32(127)))
    r = (x - k * fmt.high) - k * fmt.low
    series = _horner([1 / math.factorial(n) for n in range(2, 9)], r)
    bits = lax.bitcast_convert_type(k + _ROUNDING, fmt.whole) - _BITS_OF_ONE
    power = lax.bitcast_convert_type(bits << np.finfo(x.dtype).nmant, x.dtype)
    return jnp.where(x < _LEAST, 0, (1 + (r + r * r * series)) * power)


def exp(x: JaxArray) -> JaxArray:
    """Compute the exponential."""
    return _exp_single(x) if x.dtype == jnp.float32 else jnp.exp(x)


@with_derivatives(lambda x, _: jnp.exp(x))
def expm1(x: JaxArray) -> JaxArray:
    """Compute `exp(x) - 1`."""
    k, p, quarter = _parts(jnp.clip(x, _LOWEST, _FORMATS[x.dtype.itemsize].largest))
    result = jnp.where(k == 0, p, (quarter * p + (quarter - 0.25)) * 4)
    return _itself_near_zero(x, result)


def sinh_cosh(x: JaxArray) -> tuple[JaxArray, JaxArray]:
    """Compute both: the sine from half of exp(|x|) - 1, which overflows no earlier than it does."""
    k, p, quarter = _parts(jnp.minimum(jnp.abs(x), _FORMATS[x.dtype.itemsize].largest))
    half = jnp.where(k == 0, 0.5 * p, (quarter * p + (quarter - 0.25)) * 2)
    sine = jnp.copysign(half + jnp.minimum(half, _MUCH) / (2 * half + 1), x)
    exponential = quarter * p + quarter
    return _itself_near_zero(x, sine), (exponential + 0.0625 / exponential) * 2


@with_derivatives(lambda x, _: cosh(x))
def sinh(x: JaxArray) -> JaxArray:
    """Compute the hyperbolic sine."""
    return sinh_cosh(x)[0]


@with_derivatives(lambda x, _: sinh(x))
def cosh(x: JaxArray) -> JaxArray:
    """Compute the hyperbolic cosine."""
    return sinh_cosh(x)[1]


class _Fraction(NamedTuple):
    """Coefficients, lowest first, of 2 tanh(x / 2) = x (1 + u R(u) / Q(u)), where u = x**2."""

    numerator: list[float]
    denominator: list[float]
    limit: float
    """Beyond it, the hyperbolic tangent is 1."""


def _lambert(terms: int, limit: float) -> _Fraction:
    """Expand Lambert's tanh(w) = w / (1 + w**2 / (3 + w**2 / (5 + ...))), in integers.

    So many terms are enough that tanh(2 w) is off by a unit at most.
    """
    above, below = [2 * terms - 1], [1]
    for odd in range(2 * terms - 3, 0, -2):
        shifted = [0, *below]
        added = itertools.zip_longest((odd * c for c in above), shifted, fillvalue=0)
        above, below = [a + b for a, b in added], above
    quarters = [
        ((p - q) / above[0] / 4**n, q / above[0] / 4**n)
        for n, (p, q) in enumerate(itertools.zip_longest(below, above, fillvalue=0))
    ]
    numerator, denominator = map(list, zip(*quarters, strict=True))
    return _Fraction(numerator[1:], denominator, limit)


_FRACTIONS: Final = {4: _lambert(7, 9.2), 8: _lambert(14, 19.2)}


@with_derivatives(lambda _, result: (1 - result) * (1 + result))
def tanh(x: JaxArray) -> JaxArray:
    """Compute the hyperbolic tangent, 2 t / (1 + t**2) where t is that of x / 2.

    The error of t vanishes where it is large, and all else is a small part of the result. XLA's
    quotient of polynomials takes as long, and is off by up to seven units.
    """
    numerator, denominator, limit = _FRACTIONS[x.dtype.itemsize]
    square = x * x
    twice = x + x * square * _horner(numerator, square) / _horner(denominator, square)
    part = 0.25 * (twice * twice)
    result = twice - twice * (part / (1 + part))
    result = jnp.where(x > limit, 1, jnp.where(x < -limit, -1, result))
    return _itself_near_zero(x, result)
