"""Real functions that XLA computes with a loss of digits, or beyond the range of their results."""

from __future__ import annotations

import math
from typing import Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax._derivatives import with_derivatives

# Beside its square, and beside the other, 1 is nothing.
_LARGE: Final = 2.0**28
_VERY_LARGE: Final = 2.0**60
_WHOLE: Final[dict[int, type[np.unsignedinteger]]] = {4: np.uint32, 8: np.uint64}


def quotient(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Divide floating-point numbers, each with one rounding."""
    return x1 / x2 if x1.shape == x2.shape else _quotient_of_broadcast(x1, x2)


@jax.custom_jvp
def _quotient_of_broadcast(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Divide by what is broadcast, and no longer looks so.

    XLA would multiply by its reciprocal: that rounds twice, and makes zero of what is subnormal.
    """
    return x1 / jnp.where(jnp.isnan(x1), x1, x2)


@_quotient_of_broadcast.defjvp
def _(
    values: tuple[JaxArray, JaxArray], tangents: tuple[JaxArray, JaxArray]
) -> tuple[JaxArray, JaxArray]:
    """Differentiate the quotient; a derivative may be rounded twice."""
    (x1, x2), (first, second) = values, tangents
    result = _quotient_of_broadcast(x1, x2)
    return result, first / x2 - second * (result / x2)


def copysign(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Give x1 the sign of x2; at zero, where that is a kink, the derivative is 0."""
    found = jnp.copysign(x1, x2)
    return jnp.where(x1 == 0, lax.stop_gradient(found), found)


def _share_of_sum(x: JaxArray, other: JaxArray) -> JaxArray:
    """Return the share of exp(x) in exp(x) + exp(other): a half of equals, infinities too."""
    alike = (x == other) & jnp.isinf(x)
    return jax.nn.sigmoid(jnp.where(alike, 0, x - other))


@with_derivatives(lambda x1, x2, _: _share_of_sum(x1, x2), lambda x1, x2, _: _share_of_sum(x2, x1))
def logaddexp(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Compute `log(exp(x1) + exp(x2))`; JAX's own derivative is e or 1 where it is infinite."""
    return jnp.logaddexp(x1, x2)


@with_derivatives(lambda x, _: 1 / (x * math.log(2)))
def log2(x: JaxArray) -> JaxArray:
    """Take the logarithm to base 2; that of a power, which has no digit but the first, is whole.

    It is a quotient of two rounded numbers: that of 8 was below 3.
    """
    result = jnp.log2(x)
    bits = lax.bitcast_convert_type(x, _WHOLE[x.dtype.itemsize])
    digits = bits & (2 ** np.finfo(x.dtype).nmant - 1)
    return jnp.where(digits == 0, jnp.round(result), result)


def log10(x: JaxArray) -> JaxArray:
    """Take the logarithm to base 10; one that is next to an integer, as those of powers are, is it.

    It is a product of two rounded numbers, which for powers is off by 0.92 epsilon at most; older
    versions of JAX divide, which is off by 1.21.
    """
    logarithm = jnp.log(x) * math.log10(math.e)
    nearest = jnp.round(logarithm)
    step = nearest - logarithm
    close = jnp.abs(step) <= np.finfo(step.dtype).eps * jnp.abs(nearest)
    return logarithm + lax.stop_gradient(jnp.where(close, step, 0))


@with_derivatives(lambda x, _: 1 / (1 + x))
def log1p(x: JaxArray) -> JaxArray:
    """Compute `log(1 + x)`, and what rounding 1 + x has lost.

    XLA's polynomial takes twice the time, and is off by up to 120 units in the last place.
    """
    large = x > _VERY_LARGE  # chosen before 1 is subtracted again, which XLA would simplify
    whole = jnp.where(large, x, 1 + x)
    lost = jnp.where(large, 0, x - (whole - 1))
    result = jnp.log(whole) + lost / jnp.where(whole == 0, 1, whole)
    return jnp.where(jnp.abs(x) < np.finfo(x.dtype).eps / 2, x, result)


@with_derivatives(lambda x, _: 1 / (jnp.sqrt(x - 1) * jnp.sqrt(x + 1)))
def acosh(x: JaxArray) -> JaxArray:
    """Compute the inverse hyperbolic cosine, log(x + sqrt(x**2 - 1)), as a logarithm of 1 + y.

    That is log(2 x) where x is so large that 1 is nothing beside its square.
    """
    large = x > _LARGE
    beyond = jnp.where(x < 1, jnp.nan, x - 1)
    y = beyond + jnp.sqrt(beyond * (beyond + 2))
    whole = jnp.where(large, x, 1 + y)
    return jnp.log(whole) + jnp.where(large, math.log(2), (y - (whole - 1)) / whole)


@with_derivatives(lambda x, slope: x * slope * slope * slope)
def _slope_of_asin(x: JaxArray) -> JaxArray:
    """Differentiate; the derivative of this product would cancel near zero."""
    return 1 / jnp.sqrt((1 - x) * (1 + x))


@with_derivatives(lambda x, _: _slope_of_asin(x))
def asin(x: JaxArray) -> JaxArray:
    """Compute the inverse sine, which is x near zero.

    XLA's is twice the angle at x / 2, which it takes for zero where x is below 2**-1021.
    """
    return jnp.where(jnp.abs(x) < np.finfo(x.dtype).eps, x, jnp.arcsin(x))


@with_derivatives(lambda x, slope: 2 * x * slope * slope)
def _slope_of_atanh(x: JaxArray) -> JaxArray:
    """Differentiate, as `_slope_of_asin` does."""
    return 1 / ((1 - x) * (1 + x))


@with_derivatives(lambda x, _: _slope_of_atanh(x))
def atanh(x: JaxArray) -> JaxArray:
    """Compute the inverse hyperbolic tangent, from a logarithm that only sees positive numbers."""
    size = jnp.abs(x)
    return jnp.copysign(0.5 * log1p(2 * size / (1 - size)), x)


@with_derivatives(
    lambda _x1, _x2, result: jnp.ones_like(result), lambda _x1, _x2, result: jnp.zeros_like(result)
)
def nextafter(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Return the neighbour of x1 towards x2; JAX has no derivative for it."""
    return jnp.nextafter(x1, x2)


def _share(x: JaxArray, result: JaxArray) -> JaxArray:
    """Divide an operand of `hypot` by the result: 0 where that is zero or infinite."""
    none = (result == 0) | jnp.isinf(result)
    return jnp.where(none, 0, x / jnp.where(none, 1, result))


@with_derivatives(
    lambda x1, _x2, result: _share(x1, result), lambda _x1, x2, result: _share(x2, result)
)
def hypot(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Compute `sqrt(x1**2 + x2**2)`; JAX's derivative of equals is that of a maximum."""
    return jnp.hypot(x1, x2)


def _power_slope(x1: JaxArray, x2: JaxArray, _: JaxArray) -> JaxArray:
    """Differentiate by the base; at zero JAX's derivative of x**0 is NaN."""
    none = x2 == 0
    return jnp.where(none, 0, x2 * jnp.power(x1, jnp.where(none, 1, x2 - 1)))


@with_derivatives(_power_slope, lambda x1, _x2, result: result * jnp.log(jnp.where(x1 == 0, 1, x1)))
def power(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Raise to a power."""
    return jnp.power(x1, x2)
