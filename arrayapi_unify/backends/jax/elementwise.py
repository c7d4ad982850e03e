"""Native elementwise functions on JAX arrays."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify.backends._common.algorithms.arithmetic import is_small_power
from arrayapi_unify.backends.jax import _arithmetic, _complex, _exponentials, _real
from arrayapi_unify.backends.jax._core import JaxArray, Operand, promoted, scalar_beside
from arrayapi_unify.backends.jax._factories import (
    binary,
    check_not_complex,
    comparison,
    floating_binary,
    floating_unary,
    identity_except,
    logical,
    real_binary,
    real_unary,
    unary,
)
from arrayapi_unify.backends.jax._looks import is_split

# Arithmetic.
add = binary("add", jnp.add, inline=True)
subtract = binary("subtract", jnp.subtract, inline=True)
multiply = binary("multiply", jnp.multiply)
divide = floating_binary("divide", _arithmetic.divide)
floor_divide = binary("floor_divide", _arithmetic.floor_divide)
remainder = binary("remainder", _arithmetic.remainder)
negative = unary("negative", jnp.negative)
positive = unary("positive", _arithmetic.positive, inline=True)
abs = unary("abs", _arithmetic.abs)
square = unary("square", _arithmetic.square)
reciprocal = floating_unary("reciprocal", lambda x: 1 / x, _complex.reciprocal)
sign = unary("sign", _arithmetic.sign)
maximum = binary("maximum", _arithmetic.maximum)
minimum = binary("minimum", _arithmetic.minimum)


# Comparisons and logic.
def _ordered(name: str) -> Callable[[JaxArray, JaxArray], JaxArray]:
    """Choose the comparison of complex numbers, in which JAX differs at NaN."""
    real, on_complex = getattr(jnp, name), getattr(_complex, name)
    return lambda x1, x2: (on_complex if x1.dtype.kind == "c" else real)(x1, x2)


equal = comparison("equal", jnp.equal, False, False)
not_equal = comparison("not_equal", jnp.not_equal, True, True)
less = comparison("less", _ordered("less"), True, False)
less_equal = comparison("less_equal", _ordered("less_equal"), True, False)
greater = comparison("greater", _ordered("greater"), False, True)
greater_equal = comparison("greater_equal", _ordered("greater_equal"), False, True)
logical_and = logical("logical_and", jnp.logical_and)
logical_or = logical("logical_or", jnp.logical_or)
logical_xor = logical("logical_xor", jnp.logical_xor)
logical_not = unary("logical_not", jnp.logical_not)
isfinite = unary("isfinite", jnp.isfinite)
isinf = unary("isinf", jnp.isinf)
isnan = unary("isnan", jnp.isnan)
signbit = real_unary("signbit", jnp.signbit)

# Bits.
bitwise_and = binary("bitwise_and", jnp.bitwise_and)
bitwise_or = binary("bitwise_or", jnp.bitwise_or)
bitwise_xor = binary("bitwise_xor", jnp.bitwise_xor)
bitwise_left_shift = binary("bitwise_left_shift", _arithmetic.left_shift)
bitwise_right_shift = binary("bitwise_right_shift", _arithmetic.right_shift)
bitwise_invert = unary("bitwise_invert", jnp.invert)

# Rounding.
ceil = identity_except("fc", "ceil", jnp.ceil)
floor = identity_except("fc", "floor", jnp.floor)
trunc = identity_except("fc", "trunc", jnp.trunc)
round = identity_except("fc", "round", jnp.round)

# Exponentials and logarithms.
exp = floating_unary("exp", _exponentials.exp, _complex.exp)
expm1 = floating_unary("expm1", _exponentials.expm1, _complex.expm1)
log = floating_unary("log", jnp.log, _complex.log)
log1p = floating_unary("log1p", _real.log1p, _complex.log1p)
log2 = floating_unary("log2", _real.log2, _complex.log2)
log10 = floating_unary("log10", _real.log10, _complex.log10)
logaddexp = real_binary("logaddexp", _real.logaddexp)
sqrt = floating_unary("sqrt", jnp.sqrt, _complex.sqrt)

# Trigonometry.
sin = floating_unary("sin", jnp.sin, _complex.sin)
cos = floating_unary("cos", jnp.cos, _complex.cos)
tan = floating_unary("tan", jnp.tan, _complex.tan)
asin = floating_unary("asin", _real.asin, _complex.asin)
acos = floating_unary("acos", jnp.arccos, _complex.acos)
atan = floating_unary("atan", jnp.arctan, _complex.atan)
atan2 = real_binary("atan2", jnp.arctan2)
hypot = real_binary("hypot", _real.hypot)
sinh = floating_unary("sinh", _exponentials.sinh, _complex.sinh)
cosh = floating_unary("cosh", _exponentials.cosh, _complex.cosh)
tanh = floating_unary("tanh", _exponentials.tanh, _complex.tanh)
asinh = floating_unary("asinh", jnp.arcsinh, _complex.asinh)
acosh = floating_unary("acosh", _real.acosh, _complex.acosh)
atanh = floating_unary("atanh", _real.atanh, _complex.atanh)

# Floating-point representation.
copysign = real_binary("copysign", _real.copysign)
nextafter = real_binary("nextafter", _real.nextafter)

# Complex numbers.
conj = identity_except("c", "conj", jnp.conj)
real = identity_except("c", "real", jnp.real)
_imag = unary("imag", jnp.imag)


def imag(x: JaxArray, /) -> JaxArray:
    """Take the imaginary part; JAX makes the zeros of real numbers on its first device."""
    return jnp.zeros_like(x) if x.dtype.kind != "c" and is_split(x) else _imag(x)


_power = binary("pow", _arithmetic.pow)
_short_power = binary("pow", _arithmetic.short_pow)
_integer_power = jax.jit(lax.integer_pow, static_argnums=1)
# At most four products of these: the relative error is below four times the dtype's epsilon.
_PRODUCTS: Final = range(2, 9)


def pow(x1: Operand, x2: Operand, /) -> JaxArray:
    """Compute the power; small ones, and complex ones to an integer, are products."""
    if is_small_power(x2):
        # XLA makes such products, too, where the exponent is part of a program.
        if x2 in _PRODUCTS and x1.dtype.kind in "uif":
            return _integer_power(x1, x2)
        if x1.dtype.kind == "c":
            product = _integer_power(x1, builtins.abs(x2))
            return reciprocal(product) if x2 < 0 else product
    if type(x2) is int:
        x2 = scalar_beside(x2, x1)  # whose error comes first, as with the other backends
    if _arithmetic.short(x1, x2):
        return _short_power(x1, x2)
    _arithmetic.check_no_negative(x1, x2)
    return _power(x1, x2)


@jax.jit
def _clip(x: JaxArray, low: JaxArray | None, high: JaxArray | None) -> JaxArray:
    x, *bounds = promoted(*(b for b in (x, low, high) if b is not None))
    check_not_complex(x)
    # At a bound the derivative is x's. That of a maximum of equals is shared.
    if low is not None:
        bound = bounds.pop(0)
        x = jnp.where(x == bound, x, _arithmetic.maximum(x, bound))
    if high is not None:
        bound = bounds.pop()
        x = jnp.where(x == bound, x, _arithmetic.minimum(x, bound))
    return x


def clip(
    x: JaxArray,
    /,
    min: JaxArray | int | float | None = None,
    max: JaxArray | int | float | None = None,
) -> Any:
    """Clamp to a range, of the data type that all promote to."""
    return _clip(x, _bound(min, x, -1), _bound(max, x, 1))


def _bound(bound: Any, x: JaxArray, side: int) -> Any:
    """Return one bound; an integer beyond x's data type that never binds is none."""
    if not isinstance(bound, int | float | complex):
        return bound
    if type(bound) is int and bound * side > 0 and x.dtype.kind in "iu":
        limits = np.iinfo(x.dtype)
        if not limits.min <= bound <= limits.max:
            return None
    return scalar_beside(bound, x)
