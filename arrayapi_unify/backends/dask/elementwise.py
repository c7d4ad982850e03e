"""Native elementwise functions on Dask arrays: NumPy's, block by block."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.backends.dask._lift import alias, elementwise
from arrayapi_unify.backends.dask._natives import DaskArray, native, of_blocks, one
from arrayapi_unify.backends.numpy import elementwise as numpy


def _unary(name: str) -> Any:
    def function(x: DaskArray, /) -> DaskArray:
        return elementwise(native("elementwise", name), x)

    return _named(function, name)


def _binary(name: str) -> Any:
    def function(x1: Any, x2: Any, /) -> DaskArray:
        return elementwise(native("elementwise", name), x1, x2)

    return _named(function, name)


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{name}` of the standard on Dask arrays."
    return function


# Arithmetic.
add = _binary("add")
subtract = _binary("subtract")
multiply = _binary("multiply")
divide = _binary("divide")
floor_divide = _binary("floor_divide")
remainder = _binary("remainder")
pow = _binary("pow")
negative = _unary("negative")
positive = _unary("positive")
abs = _unary("abs")
square = _unary("square")
reciprocal = _unary("reciprocal")
sign = _unary("sign")
maximum = _binary("maximum")
minimum = _binary("minimum")
fmax = _binary("fmax")
fmin = _binary("fmin")
heaviside = _binary("heaviside")

# Comparisons and logic.
equal = _binary("equal")
not_equal = _binary("not_equal")
less = _binary("less")
less_equal = _binary("less_equal")
greater = _binary("greater")
greater_equal = _binary("greater_equal")
logical_and = _binary("logical_and")
logical_or = _binary("logical_or")
logical_xor = _binary("logical_xor")
logical_not = _unary("logical_not")
isfinite = _unary("isfinite")
isinf = _unary("isinf")
isnan = _unary("isnan")
signbit = _unary("signbit")

# Bits.
bitwise_and = _binary("bitwise_and")
bitwise_or = _binary("bitwise_or")
bitwise_xor = _binary("bitwise_xor")
bitwise_left_shift = _binary("bitwise_left_shift")
bitwise_right_shift = _binary("bitwise_right_shift")
bitwise_invert = _unary("bitwise_invert")

# Rounding.
ceil = _unary("ceil")
floor = _unary("floor")
trunc = _unary("trunc")
round = _unary("round")

# Exponentials and logarithms.
exp = _unary("exp")
exp2 = _unary("exp2")
expm1 = _unary("expm1")
log = _unary("log")
log1p = _unary("log1p")
log2 = _unary("log2")
log10 = _unary("log10")
cbrt = _unary("cbrt")
logaddexp = _binary("logaddexp")
sqrt = _unary("sqrt")

# Trigonometry.
sin = _unary("sin")
cos = _unary("cos")
tan = _unary("tan")
asin = _unary("asin")
acos = _unary("acos")
atan = _unary("atan")
atan2 = _binary("atan2")
hypot = _binary("hypot")
sinh = _unary("sinh")
cosh = _unary("cosh")
tanh = _unary("tanh")
asinh = _unary("asinh")
acosh = _unary("acosh")
atanh = _unary("atanh")

# Floating-point representation.
copysign = _binary("copysign")
nextafter = _binary("nextafter")

conj = _unary("conj")


def real(x: DaskArray, /) -> DaskArray:
    """Return the real components; of a real array, itself."""
    return elementwise(of_blocks("real"), x) if x.dtype.kind == "c" else x


def imag(x: DaskArray, /) -> DaskArray:
    """Return the imaginary components; of a real array zeros."""
    return elementwise(of_blocks("imag"), x)


def clip(x: DaskArray, /, min: Any = None, max: Any = None) -> DaskArray:
    """Clamp to a range."""
    if min is None and max is None:
        numpy.clip(one(x))
        return alias(x)
    return elementwise(of_blocks("clip"), x, min, max)
