"""Real elementwise functions that TensorFlow lacks, or whose special values aren't NumPy's."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.arithmetic import power_by_numpy
from arrayapi_unify.backends.tensorflow._core import (
    CPU,
    LIMITS,
    EagerTensor,
    NativeDType,
    Tensor,
    const,
    eager,
    hidden,
    ints,
    raw,
    repaired,
    taped,
)
from arrayapi_unify.backends.tensorflow._division import divide
from arrayapi_unify.backends.tensorflow._unsigned import signed

_UNSIGNED: Final = {
    tf.int8: tf.uint8, tf.int16: tf.uint16, tf.int32: tf.uint32, tf.int64: tf.uint64,
}  # fmt: skip
_BITS: Final = {tf.float32: tf.int32, tf.float64: tf.int64}


def _zero(x: Tensor) -> Tensor:
    return const(0, x.dtype)


def _is_zero(x: Tensor) -> Tensor:
    return raw.Equal(x=x, y=_zero(x))


def _select(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    return raw.SelectV2(condition=condition, t=x, e=y)


# --- signs ------------------------------------------------------------------------------------


def signbit(x: Tensor) -> Tensor:
    """Find negative elements, negative zeros and NaNs of negative sign among them."""
    whole = raw.Bitcast(input=x, type=_BITS[x.dtype])
    return raw.Less(x=whole, y=_zero(whole))


def copysign(x1: Tensor, x2: Tensor) -> Tensor:
    """Give x1 the sign of x2; the choice keeps gradients, which bits would lose.

    The derivative by x2 is zero, also where x1 has none.
    """
    size = raw.Abs(x=x1)
    result = _select(signbit(x2), raw.Neg(x=size), size)
    return raw.Sub(x=result, y=raw.MulNoNan(x=x2, y=_zero(x2))) if taped() else result


def signed_zeros(zeros: Tensor, x: Tensor) -> Tensor:
    """Give zeros the sign of x, and leave them the derivative that they have."""
    # The subtrahend is zero, too, with the derivative.
    nothing = raw.Sub(x=tf.stop_gradient(zeros), y=zeros)
    return raw.Sub(x=copysign(raw.ZerosLike(x=zeros), x), y=nothing)


def trunc(x: Tensor) -> Tensor:
    """Round toward zero, with the sign of x in a zero."""
    return _select(raw.Less(x=x, y=_zero(x)), raw.Ceil(x=x), raw.Floor(x=x))


# --- division ---------------------------------------------------------------------------------


def remainder(x1: Tensor, x2: Tensor) -> Tensor:
    """Compute the remainder, which has x2's sign also where it is zero."""
    result = raw.FloorMod(x=x1, y=x2)
    return repaired(result, lambda: _is_zero(result), lambda: signed_zeros(result, x2))


def _by_zero_is_zero(operation: Callable[..., Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Make a division of integers in which a division by zero gives zero, as it does in NumPy.

    The kernel of the CPU raises for it, so that eagerly it needn't be looked for.
    """

    def compute(x1: Tensor, x2: Tensor) -> Tensor:
        if eager() and x2.device.endswith(CPU):
            try:
                return operation(x=x1, y=x2)
            except tf.errors.InvalidArgumentError as error:
                if "zero" not in str(error):
                    raise
        zero = _is_zero(x2)
        result = operation(x=x1, y=_select(zero, const(1, x2.dtype), x2))
        return _select(zero, _zero(result), result)

    return compute


floor_divide_integers = _by_zero_is_zero(raw.FloorDiv)
remainder_integers = _by_zero_is_zero(raw.FloorMod)


# --- powers -----------------------------------------------------------------------------------


def power(x1: Tensor, x2: Tensor) -> Tensor:
    """Raise to a power; of tensors on the CPU by NumPy, beside which TensorFlow's is off by 100.

    NumPy takes a half of the time for float32, and a third for float64.
    """
    if eager() and x1.dtype in _BITS and x1.device.endswith(CPU) and x2.device.endswith(CPU):
        return _by_numpy(power_by_numpy, _recorded_power, x1, x2)
    return _recorded_power(x1, x2)


@np.errstate(all="ignore")
def _by_numpy(
    function: Callable[..., Any], recorded: Callable[..., Tensor], *arrays: Tensor
) -> Tensor:
    """Return NumPy's values of tensors on the CPU, with the derivatives of another function."""
    device = arrays[0].device
    values = np.asarray(function(*map(np.asarray, arrays)))
    if not taped():
        return EagerTensor(values, device, None)
    result = recorded(*arrays)
    step = np.asarray(values - np.asarray(result))
    step[~np.isfinite(step)] = 0
    return raw.AddV2(x=result, y=EagerTensor(step, device, None))


def _recorded_power(x1: Tensor, x2: Tensor) -> Tensor:
    """Raise to a power; at zero TensorFlow's derivative of x**0 is NaN, that of 1**0 isn't."""
    if eager() and x2.device.endswith(CPU) and np.asarray(x2).all():
        return raw.Pow(x=x1, y=x2)
    base = _select(_is_zero(x1) & _is_zero(x2), const(1, x1.dtype), x1)
    return raw.Pow(x=base, y=_exponent(x2))


def _exponent(x: Tensor) -> Tensor:
    """Hide the exponents from which a graph would make a square root, or a reciprocal."""
    known = None if eager() else tf.get_static_value(x)
    return x if known is None or not np.isin(known, (0.5, -0.5, -1.0)).all() else hidden(x)


def pow_unsigned(x1: Tensor, x2: Tensor) -> Tensor:
    """Raise uint64 to a power, modulo 2**64, by the kernel for int64.

    That refuses exponents with the highest bit set. The powers of an odd number have the period
    2**62 and those of an even one are zero from the exponent 64 on, so 2**62 may take its place.
    """
    exponent = signed(x2)
    period = const(2**62, tf.int64)
    short = raw.BitwiseOr(x=raw.BitwiseAnd(x=exponent, y=const(2**62 - 1, tf.int64)), y=period)
    exponent = _select(exponent < 0, short, exponent)
    return tf.bitcast(raw.Pow(x=signed(x1), y=exponent), tf.uint64)


# --- bits -------------------------------------------------------------------------------------


def _none_beyond(x: Tensor) -> bool:
    """Return True if all shifts are known, and by fewer bits than there are.

    As unsigned integers, negative shifts are large, so that one reduction is enough.
    """
    if not eager():
        return False
    kind = _UNSIGNED.get(x.dtype, x.dtype)
    if x.device.endswith(CPU):
        largest = np.asarray(x).view(kind.as_numpy_dtype).max(initial=0)
    else:
        axes = ints(tuple(range(x.shape.rank)))
        largest = 0 if 0 in x.shape else raw.Max(input=raw.Bitcast(input=x, type=kind), axis=axes)
    width: int = x.dtype.size * 8
    return int(largest) < width


def _beyond(x: Tensor) -> tuple[Tensor, Tensor]:
    """Find shifts by all bits of the data type or more; negative ones count as such."""
    width = const(x.dtype.size * 8, x.dtype)
    beyond = raw.GreaterEqual(x=x, y=width)
    if LIMITS[x.dtype][0] < 0:
        beyond = beyond | raw.Less(x=x, y=_zero(x))
    return beyond, width - const(1, x.dtype)


def shift_left(x1: Tensor, x2: Tensor) -> Tensor:
    """Shift; all bits are lost by a shift of their number (the kernel stops one before)."""
    if _none_beyond(x2):
        return raw.LeftShift(x=x1, y=x2)
    beyond, _ = _beyond(x2)
    result = raw.LeftShift(x=x1, y=_select(beyond, _zero(x2), x2))
    return _select(beyond, _zero(result), result)


def shift_right(x1: Tensor, x2: Tensor) -> Tensor:
    """Shift; a shift by the number of bits or more leaves only the sign."""
    if _none_beyond(x2):
        return raw.RightShift(x=x1, y=x2)
    beyond, last = _beyond(x2)
    result = raw.RightShift(x=x1, y=_select(beyond, last, x2))
    if LIMITS[x1.dtype][0] < 0:
        return result
    return _select(beyond, _zero(result), result)


# --- floating-point functions -----------------------------------------------------------------


def logaddexp(x1: Tensor, x2: Tensor) -> Tensor:
    """Compute `log(exp(x1) + exp(x2))`; equal infinities have no difference."""
    difference = raw.Sub(x=x1, y=x2)
    equal = raw.Equal(x=x1, y=x2)
    infinite = raw.LogicalAnd(x=equal, y=raw.IsNan(x=difference))
    difference = _select(infinite, _zero(difference), difference)
    more = raw.Log1p(x=raw.Exp(x=raw.Neg(x=raw.Abs(x=difference))))
    # For equal operands the absolute value has no derivative; the series of log(2 cosh(d / 2)) has
    # one. It sees no other difference: an infinite one would spoil the derivative.
    least = _select(equal, difference, _zero(difference))
    square = raw.Mul(x=raw.Square(x=least), y=const(0.125, x1.dtype))
    series = raw.AddV2(x=square, y=const(math.log(2.0), x1.dtype))
    more = _select(equal, series, more)
    # The gradient of a maximum of equals would go to the first alone.
    half = const(0.5, x1.dtype)
    mean = raw.AddV2(x=raw.Mul(x=x1, y=half), y=raw.Mul(x=x2, y=half))
    larger = _select(equal, mean, raw.Maximum(x=x1, y=x2))
    return raw.AddV2(x=larger, y=more)


def log2(x: Tensor) -> Tensor:
    """Take the logarithm to base 2."""
    return _logarithm(2.0, np.log2, x)


def log10(x: Tensor) -> Tensor:
    """Take the logarithm to base 10."""
    return _logarithm(10.0, np.log10, x)


def _in_double_precision(function: Callable[..., Any], x: npt.NDArray[Any]) -> Any:
    return function(x, dtype=np.float64).astype(x.dtype)


def _logarithm(base: float, by_numpy: Callable[..., Any], x: Tensor) -> Tensor:
    """Take a logarithm, of tensors on the CPU by NumPy: a quotient is off by up to 5 ulp.

    It computes in double precision: its float32 kernels for AVX-512 aren't exact at powers.
    """
    by_base = functools.partial(_of_base, base)
    if eager() and x.dtype in _BITS and x.device.endswith(CPU):
        return _by_numpy(functools.partial(_in_double_precision, by_numpy), by_base, x)
    return by_base(x)


def _of_base(base: float, x: Tensor) -> Tensor:
    """Take a logarithm; one that is next to an integer, as that of a power is, becomes it.

    It is a quotient of two rounded numbers: that of 8 to base 2 was below 3. A product with
    1 / log(base) would be off by more.
    """
    result = divide(raw.Log(x=x), const(math.log(base), x.dtype))
    nearest = raw.Rint(x=result)
    step = raw.Sub(x=nearest, y=result)
    apart = const(_apart(base, result.dtype), result.dtype)
    close = raw.Abs(x=step) <= raw.Abs(x=nearest) * apart
    return raw.AddV2(x=result, y=tf.stop_gradient(_select(close, step, _zero(result))))


@functools.cache
def _apart(base: float, dtype: NativeDType) -> float:
    """Return by how much, divided by itself, the logarithm of a power may be off; a little more."""
    units = 1.75 if base > 2 and dtype is tf.float64 else 1.25
    return units * float(np.finfo(dtype.as_numpy_dtype).eps)


def nextafter(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the neighbour of x1 towards x2; TensorFlow's kernel knows no 16-bit numbers.

    The bits of a floating-point number without its sign are ordered as an integer.
    """
    if x1.dtype.size != 2:
        return raw.NextAfter(x1=x1, x2=x2)
    x1, x2 = x1 * tf.ones_like(x2), x2 * tf.ones_like(x1)  # a sum would lose the sign of zero
    bits = tf.bitcast(x1, tf.int16)
    outwards = tf.equal(x2 > x1, x1 > 0)
    stepped = tf.bitcast(tf.where(outwards, bits + 1, bits - 1), x1.dtype)
    smallest = tf.bitcast(tf.ones_like(bits), x1.dtype)
    moved = tf.where(tf.equal(x1, 0), tf.where(x2 > 0, smallest, -smallest), stepped)
    unordered = tf.math.is_nan(x1) | tf.math.is_nan(x2)
    return tf.where(unordered, x1 + x2, tf.where(tf.equal(x1, x2), x2, moved))
