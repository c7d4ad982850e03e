"""Hyperbolic functions and `exp(x) - 1`, from a polynomial on a short interval.

XLA makes `exp(x) - 1` of its hyperbolic tangent, and the hyperbolic functions of exponentials: they
are off by five units in the last place, and by hundreds where x is large.

All are made of k and p, where x = k log(2) + r and p = exp(r) - 1, so that exp(x) - 1 is
2**k p + (2**k - 1), in which nothing cancels and 2**k is exact (W. J. Cody and W. Waite, "Software
Manual for the Elementary Functions", 1980).
"""

from __future__ import annotations

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
