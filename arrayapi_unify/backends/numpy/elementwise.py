"""Native elementwise functions on NumPy arrays."""

from __future__ import annotations

import operator
from typing import Any, NoReturn

import numpy as np

from arrayapi_unify.backends._common.checks.arguments import UndefinedError
from arrayapi_unify.backends.kernel import FastKernel, writes_out
from arrayapi_unify.backends.numpy import _complex, _real
from arrayapi_unify.backends.numpy._core import NDArray, returns_array
from arrayapi_unify.backends.numpy._factories import (
    binary,
    computed_binary,
    computed_unary,
    floating_binary,
    floating_unary,
    identity_except,
    logical,
    unary,
)
from arrayapi_unify.backends.numpy._out import broadcast_shape, check_shape, filled_by, store

# Arithmetic. `divide` gives float64 for integers of any size already.
add = binary(np.add)
subtract = binary(np.subtract)
multiply = binary(np.multiply)
divide = binary(np.divide)
floor_divide = computed_binary(_real.floor_divide, "floor_divide")
remainder = binary(np.remainder)
# The operator knows shorter ways to powers of 2, 1 and -1.
pow = filled_by(_real.power, _real.direct_power, broadcast_shape)(
    computed_binary(
        _real.pow, "pow",
        FastKernel(operator.pow, argument=np.dtype(np.float64), when="_type({1}) is int"),
    )
)  # fmt: skip
# In place, NumPy 2.4 negates wrongly where elements are 16 or 64 bytes apart.
negative = filled_by(np.negative, shape=broadcast_shape)(computed_unary(np.negative, "negative"))
positive = unary(np.positive)
abs = unary(np.absolute, "abs")
square = unary(np.square)
reciprocal = floating_unary(np.reciprocal, on_complex=_complex.reciprocal)
sign = filled_by(np.sign, lambda x: x.dtype if x.dtype.kind != "c" else None, broadcast_shape)(
    computed_unary(_complex.sign, "sign")
)
maximum = binary(np.maximum)
minimum = binary(np.minimum)
fmax = binary(np.fmax)
fmin = binary(np.fmin)
heaviside = floating_binary(np.heaviside)

# Comparisons and logic.
equal = binary(np.equal)
not_equal = binary(np.not_equal)
less = binary(np.less)
less_equal = binary(np.less_equal)
greater = binary(np.greater)
greater_equal = binary(np.greater_equal)
logical_and = logical(np.logical_and)
logical_or = logical(np.logical_or)
logical_xor = logical(np.logical_xor)
logical_not = unary(np.logical_not)
isfinite = unary(np.isfinite)
isinf = unary(np.isinf)
isnan = unary(np.isnan)
signbit = unary(np.signbit)

# Bits.
bitwise_and = binary(np.bitwise_and)
bitwise_or = binary(np.bitwise_or)
bitwise_xor = binary(np.bitwise_xor)
bitwise_left_shift = binary(np.left_shift, "bitwise_left_shift")
bitwise_right_shift = binary(np.right_shift, "bitwise_right_shift")
bitwise_invert = unary(np.invert, "bitwise_invert")

# Rounding. np.rint of small integers would be float16; floor, ceil and trunc keep integers.
ceil = unary(np.ceil)
floor = unary(np.floor)
trunc = unary(np.trunc)
round = identity_except("fc", np.rint, "round")

# Exponentials and logarithms.
exp = floating_unary(np.exp)
exp2 = floating_unary(np.exp2)
expm1 = floating_unary(np.expm1, on_complex=_complex.expm1)
log = floating_unary(np.log)
log1p = floating_unary(np.log1p, on_complex=_complex.log1p)
log2 = floating_unary(np.log2)
log10 = floating_unary(np.log10)
cbrt = floating_unary(np.cbrt)
logaddexp = floating_binary(np.logaddexp)
sqrt = floating_unary(np.sqrt)

# Trigonometry.
sin = floating_unary(np.sin)
cos = floating_unary(np.cos)
tan = floating_unary(np.tan, on_complex=_complex.tan)
asin = floating_unary(np.arcsin, "asin")
acos = floating_unary(np.arccos, "acos")
atan = floating_unary(np.arctan, "atan")
atan2 = floating_binary(np.arctan2, "atan2")
hypot = floating_binary(np.hypot)
sinh = floating_unary(np.sinh)
cosh = floating_unary(np.cosh)
tanh = floating_unary(np.tanh, on_complex=_complex.tanh)
asinh = floating_unary(np.arcsinh, "asinh")
acosh = floating_unary(
    np.arccosh, "acosh", on_complex=None if _complex.acosh_is_right() else _complex.acosh
)
atanh = floating_unary(np.arctanh, "atanh")

# Floating-point representation.
copysign = floating_binary(np.copysign)
nextafter = floating_binary(np.nextafter)

# Complex numbers. np.conjugate of bool would be int8.
conj = identity_except("c", np.conjugate, "conj")


def real(x: NDArray, /) -> NDArray:
    """Return the real components, as a view; of a real array, itself."""
    return x.real


def imag(x: NDArray, /) -> NDArray:
    """Return the imaginary components as a view; of a real array zeros, writable unlike NumPy's."""
    return x.imag if x.dtype.kind == "c" else np.zeros_like(x)


@writes_out
@returns_array
def clip(
    x: NDArray,
    /,
    min: NDArray | int | float | None = None,
    max: NDArray | int | float | None = None,
    *,
    out: NDArray | None = None,
) -> NDArray:
    """Clamp to a range; the method has less overhead than np.clip."""
    clamp: Any = x.clip  # NumPy's stubs lack one of the bounds being None
    if out is None:
        result: NDArray = x.copy() if min is None and max is None else clamp(min, max)
        return result if result.dtype.kind != "c" else _not_of_complex()
    bounds = [bound for bound in (min, max) if bound is not None]
    if any(map(np.iscomplexobj, (x, *bounds))):
        _not_of_complex()
    check_shape("clip", out, np.broadcast(x, *bounds).shape)
    if not bounds:
        return store("clip", x, out)
    return clamp(min, max, out=out, casting="safe")


def _not_of_complex() -> NoReturn:
    """Raise for complex numbers, which NumPy clips by their order."""
    raise UndefinedError("clip isn't defined for complex numbers")
