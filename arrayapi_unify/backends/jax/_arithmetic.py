"""Arithmetic where JAX departs from the standard, or from NumPy where the standard is open."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import (
    UndefinedError,
    raise_negative_powers_error,
)
from arrayapi_unify.backends.jax import _complex, _real
from arrayapi_unify.backends.jax._core import JaxArray, is_traced
from arrayapi_unify.backends.jax._factories import check_not_complex
from arrayapi_unify.backends.jax._looks import extremes
from arrayapi_unify.backends.jax.dtypes import dtype_of

_SIX_BITS = 63


def abs(x: JaxArray) -> JaxArray:
    """Compute the absolute value, whose derivative at zero is 0 (that of jnp.abs: 1)."""
    if x.dtype.kind == "c":
        return _complex.abs(x)
    size = jnp.abs(x)
    return size if x.dtype.kind in "iub" else jnp.where(x == 0, lax.stop_gradient(size), size)


def divide(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Divide floating-point numbers."""
    return _complex.divide(x1, x2) if x1.dtype.kind == "c" else _real.quotient(x1, x2)


def _bytes_of_bool(x: JaxArray) -> JaxArray:
    """Return int8 for bool, as NumPy computes these functions."""
    return lax.convert_element_type(x, np.dtype(np.int8)) if x.dtype.kind == "b" else x


def floor_divide(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Compute `floor(x1 / x2)`; integers divided by zero give 0."""
    check_not_complex(x1)
    x1, x2 = _bytes_of_bool(x1), _bytes_of_bool(x2)
    if x1.dtype.kind in "iu":
        return jnp.where(x2 == 0, 0, jnp.floor_divide(x1, jnp.where(x2 == 0, 1, x2)))
    return _floor_of_quotient(x1, x2)


def _floor_of_quotient(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Floor the exact quotient, as Python does; of infinities and zeros, the quotient as it is.

    Rounding may have made an integer of a quotient that is a little less. Then nearly the whole
    divisor remains.
    """
    quotient = _real.quotient(x1, x2)
    floor = jnp.floor(quotient)
    rest = _modulo(x1, x2)
    rounded_up = (quotient == floor) & (jnp.abs(rest + rest) > jnp.abs(x2)) & jnp.isfinite(x2)
    return jnp.where(rounded_up, floor - 1, floor)


def _modulo(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Compute the remainder of floating-point numbers, with the sign of `x2` but for zeros."""
    modulo = lax.rem(*jnp.broadcast_arrays(x1, x2))
    other_sign = (modulo != 0) & ((x2 < 0) != (modulo < 0))
    return jnp.where(other_sign, modulo + x2, modulo)


def remainder(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Compute the remainder with the sign of `x2`; of integers divided by zero it is 0."""
    check_not_complex(x1)
    x1, x2 = _bytes_of_bool(x1), _bytes_of_bool(x2)
    if x1.dtype.kind in "iu":
        return jnp.where(x2 == 0, 0, jnp.remainder(x1, jnp.where(x2 == 0, 1, x2)))
    modulo = _modulo(x1, x2)
    # A zero with the derivative of the remainder, which `copysign` doesn't have.
    nothing = lax.stop_gradient(modulo) - modulo
    return jnp.where(modulo == 0, jnp.copysign(0.0, x2) - nothing, modulo)


def pow(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Compute the power of two arrays of one data type."""
    if x1.dtype.kind == "c":
        return _complex.pow(x1, x2)
    if x1.dtype.kind == "f":
        return _real.power(x1, x2)
    # jnp.power reads the last six bits of the exponent only.
    far = jnp.any(x2 > _SIX_BITS)
    operands = jnp.broadcast_arrays(_bytes_of_bool(x1), _bytes_of_bool(x2))
    return lax.cond(far, _by_squaring, jnp.power, *operands)


def short_pow(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Compute the power of integers to exponents that are known to be `short`."""
    return jnp.power(x1, x2)


def _by_squaring(base: JaxArray, exponent: JaxArray) -> JaxArray:
    """Square and multiply."""

    def more(state: tuple[JaxArray, JaxArray, JaxArray]) -> JaxArray:
        return jnp.any(state[2] > 0)

    def step(state: tuple[JaxArray, JaxArray, JaxArray]) -> tuple[JaxArray, JaxArray, JaxArray]:
        result, square, left = state
        result = jnp.where(left & 1 == 1, result * square, result)
        return result, square * square, left >> 1

    return lax.while_loop(more, step, (jnp.ones_like(base), base, exponent))[0]


def _known_exponents(x1: Any, x2: Any) -> Any:
    """Return the exponents of integers as a NumPy array; None where they aren't known or needed.

    Of those on several devices it has the extremes alone, which decide as all of them do.
    """
    operands = [dtype_of(x) if hasattr(x, "dtype") else dtypes.of_scalar(x) for x in (x1, x2)]
    if dtypes.promote(*operands).kind not in "iu" or is_traced(x2) or 0 in np.shape(x1):
        return None
    return np.asarray(extremes(x2))


def short(x1: Any, x2: Any) -> bool:
    """Return True if these are integers with known exponents of six bits at most."""
    exponents = _known_exponents(x1, x2)
    if exponents is None or exponents.dtype.kind == "b":
        return exponents is not None
    # Viewed as unsigned, negative numbers are large, so that one pass checks both bounds.
    return bool(np.max(exponents.view(f"u{exponents.itemsize}"), initial=0) <= _SIX_BITS)


def check_no_negative(x1: Any, x2: Any) -> None:
    """Raise for negative exponents of integers where they are known, as NumPy does."""
    exponents = _known_exponents(x1, x2)
    if exponents is not None and np.min(exponents, initial=0) < 0:
        raise_negative_powers_error()


def positive(x: JaxArray) -> JaxArray:
    """Return x; NumPy refuses bool."""
    if x.dtype.kind == "b":
        raise UndefinedError
    return x


def left_shift(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Shift bits up."""
    return jnp.left_shift(_bytes_of_bool(x1), _bytes_of_bool(x2))


def right_shift(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Shift bits down."""
    return jnp.right_shift(_bytes_of_bool(x1), _bytes_of_bool(x2))


def square(x: JaxArray) -> JaxArray:
    """Compute the square; of bool as int8, like NumPy."""
    x = _bytes_of_bool(x)
    return x * x


def maximum(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Return the larger one; NaNs propagate."""
    if x1.dtype.kind != "c":
        return jnp.maximum(x1, x2)
    return jnp.where(jnp.isnan(x1) | _complex.greater_equal(x1, x2), x1, x2)


def minimum(x1: JaxArray, x2: JaxArray) -> JaxArray:
    """Return the smaller one; NaNs propagate."""
    if x1.dtype.kind != "c":
        return jnp.minimum(x1, x2)
    return jnp.where(jnp.isnan(x1) | _complex.greater_equal(x2, x1), x1, x2)


def sign(x: JaxArray) -> JaxArray:
    """Compute `x / abs(x)`, and NaN + NaN j where a component is NaN."""
    if x.dtype.kind == "b":
        raise UndefinedError
    if x.dtype.kind != "c":
        # NumPy and the standard have no sign for zero.
        return jnp.where(x == 0, jnp.zeros_like(x), jnp.sign(x))
    return _complex.sign(x)
