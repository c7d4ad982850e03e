"""The error functions and the normal distribution, on any backend, in double precision.

All of them are made of two smooth functions: near zero, the Taylor series of the error function
(Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 7.1.5), and beyond, the scaled
tail of the normal distribution (`_normal`). Derivatives of any order are those of the formulas.
Each of these gets a number of its own domain, so that none has NaN or infinity for a derivative.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.functional._common import BodyArray, real
from arrayapi_unify.functional._normal import gaussian, scaled_tail, upper_tail
from arrayapi_unify.functional._normal_quantile import quantile

__all__ = ["erf", "erfc", "erfcx", "erfinv", "log_ndtr", "ndtr", "ndtri"]

_NEAR: Final = 0.5  # below it, erf and erfc don't cancel where they are made of the series
_TAYLOR: Final = tuple(
    2 / math.sqrt(math.pi) * (-1) ** n / (math.factorial(n) * (2 * n + 1)) for n in range(14)
)
_ZERO: Final = 28.0  # beyond it, erfc is zero in double precision
_INFINITE: Final = -26.7  # below it, erfcx is infinite
_LARGE: Final = 1e160  # the square is infinite, the number isn't


def _in_double_precision(body: Callable[[Any, Array], Array]) -> Callable[[str, BodyArray], Array]:
    """Make a body of a function of float64 arrays, which narrower ones become and come back."""

    @functools.wraps(body)
    def rounded(function: str, x: BodyArray) -> Array:
        x = real(function, "x", x)
        xp = x.__array_namespace__()
        return body(xp, x.astype(xp.float64, copy=False)).astype(x.dtype, copy=False)

    return rounded


def _series(xp: Any, x: Array) -> Array:
    """Return the error function of numbers near zero."""
    square, total = x * x, 0 * x + _TAYLOR[-1]
    for coefficient in _TAYLOR[-2::-1]:
        total = total * square + coefficient
    return x * total


def _parts(xp: Any, x: Array) -> tuple[Array, Array, Array]:
    """Return the numbers near zero, the error function of these, and erfc of absolute values."""
    near = xp.abs(x) < _NEAR
    size = xp.minimum(xp.where(x < 0, -x, x), _ZERO)
    far = 2 * gaussian(size, -1.0) * scaled_tail(math.sqrt(2) * size)
    return near, _series(xp, xp.where(near, x, 0.0)), far


@_in_double_precision
def erf(xp: Any, x: Array) -> Array:
    """Return the error function."""
    near, small, far = _parts(xp, x)
    return xp.where(near, small, xp.where(x < 0, far - 1, 1 - far))


@_in_double_precision
def erfc(xp: Any, x: Array) -> Array:
    """Return the complement of the error function."""
    near, small, far = _parts(xp, x)
    return xp.where(near, 1 - small, xp.where(x < 0, 2 - far, far))


@_in_double_precision
def erfcx(xp: Any, x: Array) -> Array:
    """Return the complement of the error function, times ``exp(x**2)``."""
    tail = 2 * scaled_tail(math.sqrt(2) * xp.where(x < 0, -x, x))
    # Of the half of the square, whose exponential doesn't overflow before the result does.
    root = gaussian(xp.maximum(xp.where(x < 0, x, 0.0), _INFINITE), 0.5)
    return xp.where(x < 0, 2 * root * root - tail, tail)


@_in_double_precision
def ndtr(xp: Any, x: Array) -> Array:
    """Return the probability that a normal variable is below x."""
    tail = upper_tail(xp.where(x < 0, -x, x))
    return xp.where(x < 0, tail, 1 - tail)


@_in_double_precision
def log_ndtr(xp: Any, x: Array) -> Array:
    """Return the logarithm of `ndtr`."""
    below = xp.minimum(xp.where(x < 0, -x, 0.0), _LARGE)
    above = upper_tail(xp.where(x < 0, 0.0, x))
    return xp.where(x < 0, xp.log(scaled_tail(below)) - below * below / 2, xp.log1p(-above))


@_in_double_precision
def erfinv(xp: Any, x: Array) -> Array:
    """Return the inverse of the error function."""
    inside = xp.abs(x) < 1
    y = xp.where(inside, x, 0.0)
    found = math.sqrt(0.5) * quantile(y / 2, (1 - xp.abs(y)) / 2)
    edges = xp.where(x == 1, xp.inf, xp.where(x == -1, -xp.inf, xp.nan))
    return xp.where(inside, found, edges)


@_in_double_precision
def ndtri(xp: Any, x: Array) -> Array:
    """Return the inverse of `ndtr`."""
    inside = xp.logical_and(x > 0, x < 1)
    p = xp.where(inside, x, 0.5)
    edges = xp.where(x == 0, -xp.inf, xp.where(x == 1, xp.inf, xp.nan))
    return xp.where(inside, quantile(p - 0.5, xp.minimum(p, 1 - p)), edges)
