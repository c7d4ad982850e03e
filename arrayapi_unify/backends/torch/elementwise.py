"""Native elementwise functions on tensors: for each function, its kernels by data type."""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.algorithms.arithmetic import by_squaring, is_small_power
from arrayapi_unify.backends._common.algorithms.out import plain
from arrayapi_unify.backends._common.checks.arguments import UndefinedError
from arrayapi_unify.backends.kernel import FastKernel, kernel_of
from arrayapi_unify.backends.torch import _complex, _real
from arrayapi_unify.backends.torch._core import (
    Operand,
    fits,
    is_compiling,
    may_be_differentiated,
)
from arrayapi_unify.backends.torch._factories import (
    BOTH_ALIKE,
    Compute,
    arithmetic,
    as_float,
    as_truth,
    binary,
    comparison,
    identity,
    unary,
    via_float64,
    via_int8,
)
from arrayapi_unify.backends.torch._out import broadcast_shape, filled_by
from arrayapi_unify.backends.torch._unsigned import (
    bits,
    compare_via_ordered,
    compare_via_signed,
    via_ordered,
    via_signed,
)
from arrayapi_unify.backends.torch.dtypes import COMPLEX, INTEGERS, REAL_FLOATING

_REAL: Final = INTEGERS | REAL_FLOATING
_FLOATS: Final = {dtype: dtype for dtype in REAL_FLOATING}
_LARGEST: Final = {dtype: torch.finfo(dtype).max for dtype in REAL_FLOATING}


Tensor = torch.Tensor


def _everywhere(f: Compute, **others: Compute) -> dict[str, Compute]:
    """Assign PyTorch's function to all data types, up to those that say otherwise."""
    kinds = {"bool": f, "integer": f, "unsigned": via_signed(f), "real": f, "complex": f}
    return kinds | others


def _wherever(f: Compute, **others: Compute) -> dict[str, Compute]:
    """Assign a function to what isn't complex, up to those that say otherwise."""
    return {"bool": f, "integer": f, "unsigned": f, "real": f} | others


# Arithmetic.
add = arithmetic("add", torch.add, Tensor.add_, **_everywhere(torch.add, complex=_complex.add))
subtract = arithmetic(
    "subtract", torch.sub, Tensor.sub_,
    integer=torch.sub, unsigned=via_signed(torch.sub), real=torch.sub, complex=_complex.subtract,
)  # fmt: skip
multiply = arithmetic("multiply", torch.mul, Tensor.mul_, **_everywhere(torch.mul))
divide = arithmetic(
    "divide", torch.div, Tensor.div_, as_float,
    **_wherever(via_float64(torch.div), real=torch.div, complex=torch.div),
)  # fmt: skip
floor_divide = binary(
    "floor_divide",
    bool=via_int8(_real.exact_floor_divide), integer=_real.exact_floor_divide,
    unsigned=_real.via_int64(_real.exact_floor_divide), real=_real.floor_divide,
    uint64=_real.uint64_floor_divide,
)  # fmt: skip
remainder = binary(
    "remainder",
    bool=via_int8(_real.exact_remainder), integer=_real.exact_remainder,
    unsigned=_real.via_int64(_real.exact_remainder), real=_real.remainder,
    uint64=_real.uint64_remainder,
)  # fmt: skip
_pow: Compute = plain(binary(
    "pow",
    bool=via_int8(_real.exact_pow), integer=_real.exact_pow, unsigned=_real.via_int64(torch.pow),
    real=torch.pow, complex=_complex.pow, uint64=_real.uint64_pow, uint8=torch.pow,
))  # fmt: skip


# For these PyTorch has special formulas, which round differently or mishandle infinities.
_OTHER_POWERS: Final = frozenset({-2.0, -1.0, -0.5, 0.5, 2.0, 3.0})


def _is_direct_power(exponent: Any) -> bool:
    """Return True if PyTorch's power with a number is the same as with a tensor.

    A compiler may make the number a variable, so the answer is False while compiling.
    """
    return not is_compiling() and exponent not in _OTHER_POWERS


# A number has no items, so each power but the square raises, and is left to the native function.
@filled_by(
    lambda x1, x2, *, out: (
        torch.square(x1, out=out)
        if type(x2) is int and x2 == 2
        else torch.pow(x1[...], x2[...], out=out)
    ),
    broadcast_shape,
    _FLOATS,
    in_time=True,
)
def pow(x1: Operand, x2: Operand, /) -> Tensor:
    """Compute the power; of complex numbers to a small integer, by multiplication."""
    kind = type(x2)
    if kind is int and x2 == 2 and x1.dtype in _REAL:  # type: ignore[union-attr]
        return _square(x1)
    if (kind is int or kind is float) and x1.dtype is torch.float64 and _is_direct_power(x2):  # type: ignore[union-attr]
        return torch.pow(x1, float(x2))  # type: ignore[arg-type]
    if is_small_power(x2) and x2 and x1.dtype in COMPLEX:  # type: ignore[union-attr]
        # The first power of x1 is x1 itself, memory and all.
        x1 = x1.clone() if x2 == 1 else x1  # type: ignore[union-attr]
        return by_squaring(x1, x2, torch.mul, _complex.reciprocal)  # type: ignore[arg-type]
    return _pow(x1, x2)


negative = unary(
    "negative", integer=torch.neg, unsigned=via_signed(torch.neg), real=torch.neg,
    complex=_complex.by_component(torch.neg),
)  # fmt: skip
positive = unary("positive", integer=identity, unsigned=identity, real=identity, complex=identity)
abs = unary("abs", **_everywhere(torch.abs, bool=identity, unsigned=identity))
square = unary("square", **_everywhere(torch.square, bool=via_int8(torch.square)))
_square = plain(square)


def _sign_unsigned(x: Tensor) -> Tensor:
    return (bits(x) != 0).to(x.dtype)


sign = unary(
    "sign", integer=torch.sign, unsigned=_sign_unsigned, real=_real.sign, complex=_complex.sign
)


def _extreme(name: str, f: Compute, complex: Compute) -> Any:
    native = binary(name, **_everywhere(f, unsigned=via_ordered(f), complex=complex))
    fast = FastKernel(f, argument=torch.float64, when=BOTH_ALIKE)
    return replace(kernel_of(native), fast_kernel=fast)(native)


maximum = _extreme("maximum", torch.maximum, _complex.maximum)
minimum = _extreme("minimum", torch.minimum, _complex.minimum)
_maximum, _minimum = plain(maximum), plain(minimum)


# Comparisons.
def _compare(name: str, f: Compute, complex: Compute, python: Any, unsigned: Compute) -> Any:
    return comparison(name, python, **_everywhere(f, unsigned=unsigned, complex=complex))


equal = _compare("equal", torch.eq, torch.eq, operator.eq, compare_via_signed(torch.eq))
not_equal = _compare("not_equal", torch.ne, torch.ne, operator.ne, compare_via_signed(torch.ne))
less = _compare("less", torch.lt, _complex.less, operator.lt, compare_via_ordered(torch.lt))
less_equal = _compare(
    "less_equal", torch.le, _complex.less_equal, operator.le, compare_via_ordered(torch.le)
)
greater = _compare(
    "greater", torch.gt, _complex.greater, operator.gt, compare_via_ordered(torch.gt)
)
greater_equal = _compare(
    "greater_equal", torch.ge, _complex.greater_equal, operator.ge, compare_via_ordered(torch.ge)
)


# Logic, and questions about a number.
def _truths(f: Compute) -> dict[str, Compute]:
    return _everywhere(f, unsigned=compare_via_signed(f))


logical_and = binary("logical_and", as_truth, **_truths(torch.logical_and))
logical_or = binary("logical_or", as_truth, **_truths(torch.logical_or))
logical_xor = binary("logical_xor", as_truth, **_truths(torch.logical_xor))
logical_not = unary("logical_not", **_truths(torch.logical_not))
isfinite = unary("isfinite", **_truths(torch.isfinite))
isinf = unary("isinf", **_truths(torch.isinf))
isnan = unary("isnan", **_truths(torch.isnan))


def _never(x: Tensor) -> Tensor:
    return torch.zeros(x.shape, dtype=torch.bool, device=x.device)


signbit = unary("signbit", bool=_never, integer=torch.signbit, unsigned=_never, real=torch.signbit)


# Bits.
def _bits(f: Compute) -> dict[str, Compute]:
    return {"bool": f, "integer": f, "unsigned": via_signed(f)}


bitwise_and = binary("bitwise_and", **_bits(torch.bitwise_and))
bitwise_or = binary("bitwise_or", **_bits(torch.bitwise_or))
bitwise_xor = binary("bitwise_xor", **_bits(torch.bitwise_xor))
bitwise_invert = unary("bitwise_invert", **_bits(torch.bitwise_not))


def _shift(name: str, f: Compute, uint64: Compute) -> Any:
    wide = _real.via_int64(f)
    return binary(name, bool=via_int8(f), integer=f, unsigned=wide, uint64=uint64)


bitwise_left_shift = _shift(
    "bitwise_left_shift", torch.bitwise_left_shift, via_signed(torch.bitwise_left_shift)
)
bitwise_right_shift = _shift(
    "bitwise_right_shift", torch.bitwise_right_shift, _real.uint64_shift_right
)

# Rounding.
ceil = unary("ceil", **_wherever(identity, real=torch.ceil))
floor = unary("floor", **_wherever(identity, real=torch.floor))
trunc = unary("trunc", **_wherever(identity, real=torch.trunc))
round = unary(
    "round", **_wherever(identity, real=torch.round, complex=_complex.by_component(torch.round))
)


# Floating-point functions of the standard; bool and integers are computed in float64.
def _floating(name: str, f: Compute, complex: Compute | None = None) -> Any:
    return unary(name, **_wherever(via_float64(f), real=f, complex=complex or f))


def _floating_binary(name: str, f: Compute) -> Any:
    return binary(name, as_float, **_wherever(via_float64(f), real=f))


reciprocal = _floating("reciprocal", torch.reciprocal, _complex.reciprocal)
exp = _floating("exp", torch.exp)
expm1 = _floating("expm1", _real.expm1, _complex.expm1)
log = _floating("log", torch.log)
log1p = _floating("log1p", torch.log1p, _complex.log1p)
log2 = _floating("log2", torch.log2)
log10 = _floating("log10", torch.log10)
logaddexp = _floating_binary("logaddexp", torch.logaddexp)
sqrt = _floating("sqrt", torch.sqrt)
sin = _floating("sin", torch.sin)
cos = _floating("cos", torch.cos)
tan = _floating("tan", torch.tan, _complex.tan)
asin = _floating("asin", torch.asin, _complex.asin)
acos = _floating("acos", torch.acos, _complex.acos)
atan = _floating("atan", torch.atan)
atan2 = _floating_binary("atan2", torch.atan2)
hypot = _floating_binary("hypot", torch.hypot)
sinh = _floating("sinh", _real.sinh, torch.sinh)
cosh = _floating("cosh", _real.cosh, torch.cosh)
tanh = _floating("tanh", torch.tanh, _complex.tanh)
asinh = _floating("asinh", torch.asinh, _complex.asinh)
acosh = _floating("acosh", torch.acosh, _complex.acosh)
atanh = _floating("atanh", torch.atanh)
copysign = _floating_binary("copysign", torch.copysign)
nextafter = _floating_binary("nextafter", torch.nextafter)


# Complex numbers. torch.conj is lazy, and other libraries can't read what it returns.
conj = unary("conj", **_wherever(identity, complex=torch.conj_physical))


def real(x: Tensor, /) -> Tensor:
    """Return the real components, as a view; of a real tensor, itself."""
    return x.real


def imag(x: Tensor, /) -> Tensor:
    """Return the imaginary components as a view; of a real tensor zeros."""
    return x.imag if x.dtype in COMPLEX else torch.zeros_like(x)


def _clipped(x: Tensor, min: Any = None, max: Any = None) -> Any:
    plain = all(_plain(bound, _LARGEST[x.dtype]) for bound in (min, max))
    return x.shape if plain and (min, max) != (None, None) else None


@filled_by(torch.clamp, _clipped, _FLOATS, in_time=True)
def clip(
    x: Tensor, /, min: Tensor | int | float | None = None, max: Tensor | int | float | None = None
) -> Tensor:
    """Clamp to a range; torch.clamp is right where it gets numbers that fit the data type."""
    largest = _LARGEST.get(x.dtype)
    if largest is not None and _plain(min, largest) and _plain(max, largest):
        if min is None and max is None:
            return x.clone()
        if _STOPS_AT_BOUNDS and may_be_differentiated(x):
            return _selected(x, min, max)
        return torch.clamp(x, min, max)  # type: ignore[arg-type]
    if min is not None:
        x = _bounded(_maximum, x, min, "min")
    if max is not None:
        x = _bounded(_minimum, x, max, "max")
    if x.is_complex():
        raise UndefinedError(f"clip isn't defined for {x.dtype}")
    return x.clone() if min is None and max is None else x


# After PyTorch 2.13 the derivative of a clamp is zero at its bounds; seen with 2.15.
_STOPS_AT_BOUNDS: Final = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 14)


def _selected(x: Tensor, low: Any, high: Any) -> Tensor:
    """Clamp to a range within which, and at whose ends, the derivative is one."""
    if low is not None:
        x = torch.where(x < low, low, x)
    return x if high is None else torch.where(x > high, high, x)


def _plain(bound: Any, largest: float) -> bool:
    """Return True if torch.clamp takes a bound: None, or a number in range, or an infinity.

    It refuses finite numbers that the data type rounds to infinity.
    """
    if bound is None:
        return True
    if type(bound) is not int and type(bound) is not float:
        return False
    return -largest <= bound <= largest or bound in (math.inf, -math.inf)


def _bounded(choose: Any, x: Tensor, bound: Any, name: str) -> Tensor:
    """Apply one bound; an integer that x's data type can't hold is fine where it never binds."""
    if type(bound) is int and not fits(bound, x.dtype) and (bound < 0) == (name == "min"):
        return x.clone()
    return choose(x, bound)
