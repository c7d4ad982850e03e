"""Arithmetic where JAX departs from the standard, or from NumPy where the standard is open."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify.backends.jax import _complex
from arrayapi_unify.backends.jax._kernels import Arr, refuse_complex
from arrayapi_unify.errors import UnifyTypeError, refuse

__all__ = ["abs", "divide", "floor_divide", "positive", "pow", "remainder", "sign"]


def abs(x: Arr) -> Arr:
    """Compute the absolute value."""
    return _complex.abs(x) if x.dtype.kind == "c" else jnp.abs(x)


def divide(x1: Arr, x2: Arr) -> Arr:
    """Divide floating-point numbers."""
    return _complex.divide(x1, x2) if x1.dtype.kind == "c" else jnp.divide(x1, x2)


def _bytes_of_bool(x: Arr) -> Arr:
    """Return int8 for bool, as NumPy computes these functions."""
    return lax.convert_element_type(x, np.dtype(np.int8)) if x.dtype.kind == "b" else x


def floor_divide(x1: Arr, x2: Arr) -> Arr:
    """Compute `floor(x1 / x2)`; integers divided by zero give 0."""
    refuse_complex("floor_divide", x1)
    x1, x2 = _bytes_of_bool(x1), _bytes_of_bool(x2)
    if x1.dtype.kind in "iu":
        return jnp.where(x2 == 0, 0, jnp.floor_divide(x1, jnp.where(x2 == 0, 1, x2)))
    quotient = x1 / x2
    result = _floor_of_quotient(x1, x2)
    # The standard prefers the floor of the quotient where an operand is infinite.
    return jnp.where(jnp.isinf(x1) | jnp.isinf(x2), jnp.floor(quotient), result)


def _floor_of_quotient(x1: Arr, x2: Arr) -> Arr:
    """Floor the exact quotient of finite numbers, as Python does (from the exact remainder)."""
    modulo = lax.rem(x1, x2)
    quotient = (x1 - modulo) / x2
    below = (modulo != 0) & ((x2 < 0) != (modulo < 0))
    quotient = jnp.where(below, quotient - 1, quotient)
    floor = jnp.floor(quotient)
    floor = jnp.where(quotient - floor > 0.5, floor + 1, floor)
    zero = jnp.copysign(jnp.zeros_like(floor), x1 / x2)
    return jnp.where(x2 == 0, x1 / x2, jnp.where(quotient == 0, zero, floor))


def remainder(x1: Arr, x2: Arr) -> Arr:
    """Compute the remainder with the sign of `x2`; of integers divided by zero it is 0."""
    refuse_complex("remainder", x1)
    x1, x2 = _bytes_of_bool(x1), _bytes_of_bool(x2)
    if x1.dtype.kind in "iu":
        return jnp.where(x2 == 0, 0, jnp.remainder(x1, jnp.where(x2 == 0, 1, x2)))
    modulo = lax.rem(x1, x2)
    other_sign = (modulo != 0) & ((x2 < 0) != (modulo < 0))
    modulo = jnp.where(other_sign, modulo + x2, modulo)
    return jnp.where(modulo == 0, jnp.copysign(modulo, x2), modulo)


def pow(x1: Arr, x2: Arr) -> Arr:
    """Compute the power."""
    return jnp.power(_bytes_of_bool(x1), _bytes_of_bool(x2))


def positive(x: Arr) -> Arr:
    """Return x; NumPy refuses bool."""
    if x.dtype.kind == "b":
        refuse(UnifyTypeError, "positive", "x", "is a boolean array", "cast it to integers")
    return x


def sign(x: Arr) -> Arr:
    """Compute `x / abs(x)`, and NaN + NaN j where a component is NaN."""
    if x.dtype.kind == "b":
        refuse(UnifyTypeError, "sign", "x", "is a boolean array", "cast it to integers")
    if x.dtype.kind != "c":
        # NumPy and the standard have no sign for zero.
        return jnp.where(x == 0, jnp.zeros_like(x), jnp.sign(x))
    return _complex.sign(x)
