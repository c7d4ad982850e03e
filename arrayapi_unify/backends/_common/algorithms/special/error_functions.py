"""The error functions and the normal distribution, in double precision, on any backend.

They are made of two smooth functions: near zero, the Taylor series of the error function
(Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 7.1.5), and beyond, the scaled
tail of the normal distribution (`normal`). The inverses are quantiles (`normal_quantile`).
Derivatives of any order are those of the formulas. Each of these gets a number of its own domain,
so that none has NaN or infinity for a derivative.

The arrays are those of the namespace `xp`: ours, or a library's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from arrayapi_unify.backends._common.algorithms.special.normal import (
    gaussian,
    scaled_tail,
    upper_tail,
)
from arrayapi_unify.backends._common.algorithms.special.normal_quantile import quantile

__all__ = [
    "FUNCTIONS", "erf", "erfc", "erfcx", "erfinv", "log_ndtr", "ndtr", "ndtri",
]  # fmt: skip

Array: TypeAlias = Any

_NEAR: Final = 0.5  # below it, erf and erfc don't cancel where they are made of the series
_TAYLOR: Final = tuple(
    2 / math.sqrt(math.pi) * (-1) ** n / (math.factorial(n) * (2 * n + 1)) for n in range(14)
)
_ZERO: Final = 28.0  # beyond it, erfc is zero in double precision
_ZERO_TAIL: Final = 40.0  # beyond it, so is the tail of the normal distribution
_INFINITE: Final = -26.7  # below it, erfcx is infinite
_LARGE: Final = 1e160  # the square is infinite, the number isn't


def _series(x: Array) -> Array:
    """Return the error function of numbers near zero."""
    square, total = x * x, 0 * x + _TAYLOR[-1]
    for coefficient in _TAYLOR[-2::-1]:
        total = total * square + coefficient
    return x * total


def _parts(xp: Any, x: Array) -> tuple[Array, Array, Array]:
    """Return the numbers near zero, the error function of these, and erfc of absolute values."""
    size = xp.where(x < 0, -x, x)
    near = size < _NEAR
    size = xp.where(size > _ZERO, _ZERO, size)
    far = 2 * gaussian(xp, size, -1.0) * scaled_tail(xp, math.sqrt(2) * size)
    return near, _series(xp.where(near, x, 0.0)), far


def erf(xp: Any, x: Array) -> Array:
    """Return the error function."""
    near, small, far = _parts(xp, x)
    return xp.where(near, small, xp.where(x < 0, far - 1, 1 - far))


def erfc(xp: Any, x: Array) -> Array:
    """Return the complement of the error function."""
    near, small, far = _parts(xp, x)
    return xp.where(near, 1 - small, xp.where(x < 0, 2 - far, far))


def erfcx(xp: Any, x: Array) -> Array:
    """Return the complement of the error function, times ``exp(x**2)``."""
    tail = 2 * scaled_tail(xp, math.sqrt(2) * xp.where(x < 0, -x, x))
    # Of the half of the square, whose exponential doesn't overflow before the result does.
    below = xp.where(x < _INFINITE, _INFINITE, xp.where(x < 0, x, 0.0))
    root = gaussian(xp, below, 0.5)
    return xp.where(x < 0, 2 * root * root - tail, tail)


def ndtr(xp: Any, x: Array) -> Array:
    """Return the probability that a normal variable is below x."""
    tail = upper_tail(xp, xp.where(x < 0, -x, x))
    return xp.where(x < 0, tail, 1 - tail)


def log_ndtr(xp: Any, x: Array) -> Array:
    """Return the logarithm of `ndtr`."""
    size = xp.where(x < 0, -x, x)
    size = xp.where(size > _LARGE, _LARGE, size)
    scaled = scaled_tail(xp, size)
    above = xp.log1p(-scaled * gaussian(xp, xp.where(size > _ZERO_TAIL, _ZERO_TAIL, size), -0.5))
    return xp.where(x < 0, xp.log(scaled) - size * size / 2, above)


def erfinv(xp: Any, x: Array) -> Array:
    """Return the inverse of the error function."""
    size = xp.abs(x)
    inside = size < 1
    y = xp.where(inside, x, 0.0)
    found = math.sqrt(0.5) * quantile(xp, y / 2, xp.where(inside, (1 - size) / 2, 0.5))
    edges = xp.where(x == 1, math.inf, xp.where(x == -1, -math.inf, math.nan))
    return xp.where(inside, found, edges)


def ndtri(xp: Any, x: Array) -> Array:
    """Return the inverse of `ndtr`."""
    inside = xp.logical_and(x > 0, x < 1)
    p = xp.where(inside, x, 0.5)
    found = quantile(xp, p - 0.5, xp.where(p < 0.5, p, 1 - p))
    edges = xp.where(x == 0, -math.inf, xp.where(x == 1, math.inf, math.nan))
    return xp.where(inside, found, edges)


FUNCTIONS: Final[dict[str, Callable[[Any, Array], Array]]] = {
    "erf": erf, "erfc": erfc, "erfcx": erfcx, "erfinv": erfinv, "log_ndtr": log_ndtr,
    "ndtr": ndtr, "ndtri": ndtri,
}  # fmt: skip
"""The functions of a namespace and of an array of float64."""
