"""Native elementwise functions on tensors: one table each of how every data type is computed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.arithmetic import by_squaring, is_small_power
from arrayapi_unify.backends._common.checks.arguments import UndefinedError
from arrayapi_unify.backends.tensorflow import _complex, _derivatives, _division, _real
from arrayapi_unify.backends.tensorflow._core import (
    LIMITS,
    SCALARS,
    Tensor,
    cast,
    common_dtype,
    const,
    kind_of,
    negated,
    operand,
    raw,
    tensor,
)
from arrayapi_unify.backends.tensorflow._factories import (
    FLOAT,
    binary,
    comparison,
    named,
    op1,
    op2,
    same,
    table,
    unary,
    via,
)
from arrayapi_unify.backends.tensorflow._unsigned import bits

_and, _or = op2(raw.LogicalAnd), op2(raw.LogicalOr)
_differ = op2(raw.NotEqual)


def _as_int8(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Compute bools as int8, which is what NumPy's result is, too."""
    return lambda *operands: function(*(cast(x, tf.int8) for x in operands))


def _constant(value: bool) -> Callable[[Tensor], Tensor]:
    """Make a test that all values of a data type answer alike."""
    return lambda x: raw.Fill(
        dims=raw.Shape(input=x, out_type=tf.int64), value=const(value, tf.bool)
    )


# Arithmetic.
add = binary(table("add", op2(raw.AddV2), b=_or))
subtract = binary(table("subtract", op2(raw.Sub), b=None))
multiply = binary(table("multiply", op2(raw.Mul), b=_and))
divide = binary(
    table("divide", _division.divide, b=FLOAT, u=FLOAT, i=FLOAT, c=_complex.divide), floating=True
)
floor_divide = binary(
    table(
        "floor_divide", _real.floor_divide_integers,
        b=_as_int8(_real.floor_divide_integers), f=_division.floor_divide, c=None,
    )
)  # fmt: skip
remainder = binary(
    table(
        "remainder", _real.remainder_integers,
        b=_as_int8(_real.remainder_integers), f=_real.remainder, c=None,
    )
)  # fmt: skip
_pow = op2(raw.Pow)
_power = binary(
    table(
        "pow",
        _pow,
        b=_as_int8(_pow),
        u=via(tf.int64, _pow),
        f=_real.power,
        uint64=_real.pow_unsigned,
        c=_derivatives.power,
    )
)


def pow(x1: Any, x2: Any, /) -> Tensor:
    """Compute the power; of complex numbers to a small integer, by multiplication."""
    if type(x2) is int and x2 == 2 and kind_of(x1) in "uif":
        return square(x1)
    if is_small_power(x2) and x2 and x1.dtype.is_complex:
        return by_squaring(x1, x2, op2(raw.Mul), _complex.reciprocal)
    return _power(x1, x2)


negative = unary(table("negative", op1(raw.Neg), b=None, u=bits(op1(raw.Neg))))
positive = unary(table("positive", same, b=None))
abs = unary(table("abs", op1(raw.Abs), b=same, u=same, c=_derivatives.magnitude))
square = unary(table("square", op1(raw.Square), b=_as_int8(op1(raw.Square))))
reciprocal = unary(
    table(
        "reciprocal", lambda x: _division.divide(const(1, x.dtype), x),
        b=FLOAT, u=FLOAT, i=FLOAT, c=_complex.reciprocal,
    )
)  # fmt: skip
sign = unary(
    table(
        "sign", op1(raw.Sign), b=None, u=lambda x: cast(cast(x, tf.bool), x.dtype),
        c=_complex.sign,
    )
)  # fmt: skip
maximum = binary(table("maximum", op2(raw.Maximum), b=_or, c=_complex.extreme(greatest=True)))
minimum = binary(table("minimum", op2(raw.Minimum), b=_and, c=_complex.extreme(greatest=False)))

# Comparisons and logic.
equal = comparison("equal", raw.Equal)
not_equal = comparison("not_equal", raw.NotEqual)
less = comparison("less", raw.Less)
less_equal = comparison("less_equal", raw.LessEqual)
greater = comparison("greater", raw.Greater)
greater_equal = comparison("greater_equal", raw.GreaterEqual)


def _logical(name: str, function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a logical function of all data types; each operand is tested on its own."""

    def truth(x: Any) -> Tensor:
        return const(x, tf.bool) if type(x) in SCALARS else cast(x, tf.bool)

    return named(lambda x1, x2, /: function(truth(x1), truth(x2)), name)


logical_and = _logical("logical_and", _and)
logical_or = _logical("logical_or", _or)
logical_xor = _logical("logical_xor", _differ)
logical_not = unary(table("logical_not", lambda x: raw.Equal(x=x, y=const(0, x.dtype)), b=negated))
isfinite = unary(
    table(
        "isfinite", _constant(True), f=op1(raw.IsFinite),
        c=lambda x: raw.LogicalAnd(
            x=raw.IsFinite(x=_complex.real(x)), y=raw.IsFinite(x=_complex.imag(x))
        ),
    )
)  # fmt: skip
isinf = unary(
    table(
        "isinf", _constant(False), f=op1(raw.IsInf),
        c=lambda x: raw.LogicalOr(
            x=raw.IsInf(x=_complex.real(x)), y=raw.IsInf(x=_complex.imag(x))
        ),
    )
)  # fmt: skip
isnan = unary(table("isnan", _constant(False), f=op1(raw.IsNan), c=_complex.is_nan))
signbit = unary(
    table(
        "signbit", _constant(False), f=_real.signbit, c=None,
        i=lambda x: raw.Less(x=x, y=const(0, x.dtype)),
    )
)  # fmt: skip

# Bits.
bitwise_and = binary(table("bitwise_and", op2(raw.BitwiseAnd), b=_and, f=None, c=None))
bitwise_or = binary(table("bitwise_or", op2(raw.BitwiseOr), b=_or, f=None, c=None))
bitwise_xor = binary(table("bitwise_xor", op2(raw.BitwiseXor), b=_differ, f=None, c=None))
bitwise_invert = unary(table("bitwise_invert", op1(raw.Invert), b=negated, f=None, c=None))
bitwise_left_shift = binary(
    table("bitwise_left_shift", _real.shift_left, b=_as_int8(_real.shift_left), f=None, c=None)
)
bitwise_right_shift = binary(
    table("bitwise_right_shift", _real.shift_right, b=_as_int8(_real.shift_right), f=None, c=None)
)

# Rounding: integers stay as they are.
ceil = unary(table("ceil", same, f=op1(raw.Ceil), c=None))
floor = unary(table("floor", same, f=op1(raw.Floor), c=None))
trunc = unary(table("trunc", same, f=_real.trunc, c=None))
_rint = op1(raw.Rint)
round = unary(table("round", same, f=_rint, c=_complex.componentwise(_rint)))


def _floating(name: str, function: Callable[..., Tensor], **given: Any) -> Callable[..., Tensor]:
    """Make a function of one operand that is floating-point only in the standard."""
    return unary(table(name, function, **{"b": FLOAT, "u": FLOAT, "i": FLOAT, **given}))


def _floating2(name: str, function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a function of two real operands that is floating-point only in the standard."""
    return binary(table(name, function, b=FLOAT, u=FLOAT, i=FLOAT, c=None), floating=True)


# Exponentials and logarithms.
exp = _floating("exp", op1(raw.Exp), c=_complex.exp)
expm1 = _floating("expm1", op1(raw.Expm1), c=_complex.expm1)
log = _floating("log", op1(raw.Log), c=_complex.log)
log1p = _floating("log1p", op1(raw.Log1p), c=_complex.log1p)
log2 = _floating("log2", _real.log2, c=_complex.log2)
log10 = _floating("log10", _real.log10, c=_complex.log10)
logaddexp = _floating2("logaddexp", _real.logaddexp)
sqrt = _floating("sqrt", op1(raw.Sqrt), c=_complex.sqrt)

# Trigonometry.
sin = _floating("sin", op1(raw.Sin))
cos = _floating("cos", op1(raw.Cos))
tan = _floating("tan", op1(raw.Tan), c=_complex.tan)
asin = _floating("asin", op1(raw.Asin), c=_derivatives.on_the_right_side(op1(raw.Asin)))
acos = _floating("acos", op1(raw.Acos), c=_derivatives.on_the_right_side(op1(raw.Acos)))
atan = _floating("atan", op1(raw.Atan))
atan2 = _floating2("atan2", lambda y, x: raw.Atan2(y=y, x=x))
hypot = _floating2("hypot", _derivatives.hypot)
sinh = _floating("sinh", op1(raw.Sinh))
cosh = _floating("cosh", op1(raw.Cosh))
tanh = _floating("tanh", op1(raw.Tanh), c=_complex.tanh)
asinh = _floating("asinh", op1(raw.Asinh))
acosh = _floating("acosh", op1(raw.Acosh))
atanh = _floating("atanh", op1(raw.Atanh))

# Floating-point representation.
copysign = _floating2("copysign", _real.copysign)
nextafter = _floating2("nextafter", _real.nextafter)

# Complex numbers.
conj = unary(table("conj", same, c=lambda x: raw.Conj(input=x)))


def real(x: Tensor, /) -> Tensor:
    """Return the real components; of a real array, itself."""
    return _complex.real(x) if kind_of(x) == "c" else tensor(x)


def imag(x: Tensor, /) -> Tensor:
    """Return the imaginary components; of a real array zeros."""
    return _complex.imag(x) if kind_of(x) == "c" else raw.ZerosLike(x=x)


def clip(x: Tensor, /, min: Any = None, max: Any = None) -> Tensor:
    """Clamp to a range; of bounds in the wrong order the upper one holds, as in NumPy."""
    bounds = [bound for bound in (min, max) if type(bound) is int]
    if x.dtype is tf.bool and any(not -(2**63) <= bound < 2**63 for bound in bounds):
        raise OverflowError("an integer beyond 64 bits")
    dtype = common_dtype(v for v in (x, min, max) if v is not None)
    if dtype.is_complex:
        raise UndefinedError(f"clip isn't defined for {dtype.name}")
    x = tensor(cast(x, dtype))
    # A Python integer beyond the data type, on the side where it doesn't bind, is no bound.
    low, high = LIMITS.get(dtype, (-math.inf, math.inf))
    if min is not None and not (type(min) is int and min < low):
        x = maximum(x, operand(min, dtype))
    if max is not None and not (type(max) is int and max > high):
        x = minimum(x, operand(max, dtype))
    return x
