"""Complex functions where TensorFlow falls short of the standard in special values or accuracy.

Most call the kernel first; `repaired` computes again only where a check finds a value that needs
it. Comparisons of complex numbers are NumPy's: by real part, then by imaginary part.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.arithmetic import square_beyond_one
from arrayapi_unify.backends.tensorflow._core import (
    COMPONENT,
    CPU,
    Tensor,
    cast,
    const,
    eager,
    ints,
    negated,
    raw,
    recorded,
    repaired,
)
from arrayapi_unify.backends.tensorflow._real import copysign, signed_zeros

# Below this |log|z||, the kernel has an error of more than 6 units in the last place.
_NEAR_ONE = 0.125
# From this |real(z)| on, exp(z) - 1 is as accurate as expm1(z), for complex128 too.
_EXPM1_IS_EXP = 40.0


# --- components -------------------------------------------------------------------------------


def real(x: Tensor) -> Tensor:
    """Return the real components."""
    return raw.Real(input=x, Tout=COMPONENT[x.dtype])


def imag(x: Tensor) -> Tensor:
    """Return the imaginary components."""
    return raw.Imag(input=x, Tout=COMPONENT[x.dtype])


def join(re: Tensor, im: Tensor) -> Tensor:
    """Return the complex numbers of these components."""
    kind = tf.complex64 if re.dtype is tf.float32 else tf.complex128
    return raw.Complex(real=re, imag=im, Tout=kind)


def componentwise(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """Apply a real function to each component."""
    return lambda x: join(function(real(x)), function(imag(x)))


def is_nan(x: Tensor) -> Tensor:
    """Find NaN in either component."""
    return raw.IsNan(x=real(x)) | raw.IsNan(x=imag(x))


def absolute(x: Tensor) -> Tensor:
    """Return the magnitude, without overflow on the way."""
    return raw.ComplexAbs(x=x, Tout=COMPONENT[x.dtype])


def _select(condition: Tensor, x: Any, y: Any) -> Tensor:
    """Choose between two tensors, one of which may be a number."""
    dtype = x.dtype if isinstance(x, tf.Tensor) else y.dtype
    x, y = (v if isinstance(v, tf.Tensor) else const(v, dtype) for v in (x, y))
    return raw.SelectV2(condition=condition, t=x, e=y)


def _infinite(x: Tensor) -> Tensor:
    return raw.IsInf(x=x)


def _readable(x: Tensor) -> bool:
    """Return True if NumPy can view the values in place: eagerly, in the CPU's memory."""
    return bool(eager() and x.device.endswith(CPU))


# --- arithmetic -------------------------------------------------------------------------------


def _either(test: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Callable[[], Tensor]]:
    """Find elements of which a component passes a test."""
    return lambda x: lambda: raw.LogicalOr(x=test(real(x)), y=test(imag(x)))


def _components(x: Tensor) -> Any:
    """Return the components in a row, uncopied; on the CPU for NumPy, whose passes are faster."""
    if x.device.endswith(CPU):
        return np.asarray(x).reshape(-1).view(COMPONENT[x.dtype].as_numpy_dtype)
    return raw.Reshape(tensor=raw.Bitcast(input=x, type=COMPONENT[x.dtype]), shape=ints((-1,)))


def _maybe_not_finite(x: Tensor) -> bool:
    """Return True if an element may be infinite or NaN, by one sum over all components."""
    parts = _components(x)
    if not isinstance(parts, np.ndarray):
        return not math.isfinite(float(raw.Sum(input=parts, axis=ints((0,)))))
    return not _is_finite(parts)


@np.errstate(all="ignore")
def _is_finite(parts: npt.NDArray[Any]) -> bool:
    return math.isfinite(np.dot(parts, parts))


def _maybe_odd(x: Tensor) -> bool:
    """Return True if a component is zero, or may be infinite or NaN."""
    if _maybe_not_finite(x):
        return True
    parts = _components(x)
    if isinstance(parts, np.ndarray):
        return not parts.all()
    return not bool(raw.All(input=cast(parts, tf.bool), axis=ints((0,))))


def _not_finite(x: Tensor) -> Tensor:
    return negated(raw.IsFinite(x=x))


def _odd(x: Tensor) -> Tensor:
    """Find zeros and what isn't finite."""
    return raw.LogicalOr(x=_not_finite(x), y=raw.Equal(x=x, y=const(0, x.dtype)))


def _far(x: Tensor) -> Tensor:
    return negated(raw.Less(x=raw.Abs(x=x), y=const(_EXPM1_IS_EXP, x.dtype)))


def divide(x1: Tensor, x2: Tensor) -> Tensor:
    """Divide; the kernel has other zeros than NumPy, and NaN for all that isn't finite."""
    result = raw.RealDiv(x=x1, y=x2)
    return repaired(
        result, _either(_odd)(result), lambda: _smith(x1, x2), lambda: _maybe_odd(result)
    )


def _smith(x1: Tensor, x2: Tensor) -> Tensor:
    """Divide by Smith's algorithm (Communications of the ACM 5, 1962), as NumPy does."""
    a, b, c, d = real(x1), imag(x1), real(x2), imag(x2)
    by_real = raw.GreaterEqual(x=raw.Abs(x=c), y=raw.Abs(x=d))
    large, small = _select(by_real, c, d), _select(by_real, d, c)
    zero = raw.Equal(x=large, y=const(0, large.dtype))
    ratio = small / large
    scale = 1 / (large + small * ratio)
    re = _select(by_real, a + b * ratio, a * ratio + b) * scale
    im = _select(by_real, b - a * ratio, b * ratio - a) * scale
    # Elsewhere the divisor isn't c, which may be zero and would make the derivative NaN.
    nothing = _select(zero, raw.Abs(x=c), 1)
    return join(_select(zero, a / nothing, re), _select(zero, b / nothing, im))


def reciprocal(x: Tensor) -> Tensor:
    """Divide one by x; see `divide`."""
    result = raw.Reciprocal(x=x)
    bad = _either(_odd)(result)
    return repaired(result, bad, lambda: _smith(raw.OnesLike(x=x), x), lambda: _maybe_odd(result))


def sign(x: Tensor) -> Tensor:
    """Compute `x / abs(x)`; 0 for zero, a unit for one infinite component, NaN for two."""
    a, b, size = real(x), imag(x), absolute(x)
    # A divisor of zero would make the derivative NaN. Another one makes a zero finite, too; then
    # only a check of every element finds it.
    differentiated = recorded()
    divisor = _select(size == 0, 1, size) if differentiated else size
    result = join(raw.RealDiv(x=a, y=divisor), raw.RealDiv(x=b, y=divisor))
    return repaired(
        result,
        lambda: _odd(size),
        lambda: _special_sign(x, a, b, size),
        None if differentiated else lambda: _maybe_not_finite(result),
    )


def _special_sign(x: Tensor, a: Tensor, b: Tensor, size: Tensor) -> Tensor:
    """Find the sign of zero, infinity and NaN."""
    zero, infinite = size == 0, _infinite(size)
    divisor = _select(zero | infinite, 1, size)
    a_infinite, b_infinite = _infinite(a), _infinite(b)
    at_infinity = _select(a_infinite, raw.Sign(x=a), 0.0), _select(b_infinite, raw.Sign(x=b), 0.0)
    re, im = (
        _select(infinite, at_infinity[0], a / divisor),
        _select(infinite, at_infinity[1], b / divisor),
    )
    re, im = _select(zero, 0.0, re), _select(zero, 0.0, im)
    missing = is_nan(x) | (a_infinite & b_infinite)
    return join(_select(missing, math.nan, re), _select(missing, math.nan, im))


def sqrt(x: Tensor) -> Tensor:
    """Take the root; the kernel loses the sign of an imaginary zero or infinity.

    It also adds the real component to the absolute value, which overflows near the largest number.
    The root of a quarter of x doesn't.
    """
    result = raw.Sqrt(x=x)

    def repair() -> Tensor:
        lost = negated(_either(_not_finite)(x)()) & _either(_not_finite)(result)()
        half = raw.Sqrt(x=raw.Mul(x=x, y=const(0.25, x.dtype)))
        root = _select(lost, raw.Mul(x=half, y=const(2, x.dtype)), result)
        im = imag(root)
        return join(real(root), _select(im == 0, signed_zeros(im, imag(x)), copysign(im, imag(x))))

    return repaired(result, _either(_odd)(result), repair, lambda: _maybe_odd(result))


# --- exponentials and logarithms --------------------------------------------------------------


def exp(x: Tensor) -> Tensor:
    """Compute the exponential; the kernel's special values depend on the position in the array."""
    result = raw.Exp(x=x)
    checks = _either(_not_finite)(x), lambda: _maybe_not_finite(x)
    return repaired(result, checks[0], lambda: _exp_special(x), checks[1])


def _exp_special(x: Tensor) -> Tensor:
    """Compute exp(x) where a component isn't finite."""
    a, b = real(x), imag(x)
    size, finite = raw.Exp(x=a), raw.IsFinite(x=b)
    angle = _select(finite, b, 1.0)
    re, im = size * raw.Cos(x=angle), size * raw.Sin(x=angle)
    re, im = _select(finite, re, math.nan), _select(finite, im, math.nan)
    # exp(-inf + NaN j) is a zero, exp(inf + NaN j) an infinity, of any sign.
    wild = ~finite
    re = _select(wild & (a == -math.inf), 0.0, _select(wild & (a == math.inf), math.inf, re))
    im = _select(wild & (a == -math.inf), copysign(raw.ZerosLike(x=b), b), im)
    return join(re, _select(b == 0, b, im))


def expm1(x: Tensor) -> Tensor:
    """Compute `exp(x) - 1`.

    The kernel gives NaN at most infinities, overflows before the result does, and -0 + 0j for
    itself where the standard has 0 + 0j.
    """
    result = raw.Expm1(x=x)

    def bad() -> Tensor:
        return _far(real(x)) | _not_finite(imag(x)) | (real(result) == 0)

    def repair() -> Tensor:
        whole, far = exp(x), _far(real(x)) | _not_finite(imag(x))
        re = real(result)
        # The difference is the zero without a sign, and with the derivative.
        re = _select(re == 0, re - tf.stop_gradient(re), re)
        re = _select(far, real(whole) - 1, re)
        return join(re, _select(far, imag(whole), imag(result)))

    return repaired(result, bad, repair, lambda: _maybe_odd(result))


def _log_abs(large: Tensor, small: Tensor) -> Tensor:
    """Compute the logarithm of a hypotenuse far from 1, without overflow on the way."""
    plain = raw.IsFinite(x=large) & (large > 0)
    ratio = _select(plain, small, 0.0) / _select(plain, large, 1.0)
    result = raw.Log(x=large) + raw.Log1p(x=ratio * ratio) / 2
    return _select(_infinite(large) | _infinite(small), math.inf, result)


def log(x: Tensor) -> Tensor:
    """Take the logarithm.

    The kernel is NaN where abs(x)**2 over- or underflows, and loses digits where abs(x) is near 1.
    """
    result = raw.Log(x=x)

    def repair() -> Tensor:
        a, b = real(x), imag(x)
        return join(_log_abs(*_by_size(a, b)), raw.Atan2(y=b, x=a))

    checks = _either(_not_finite)(result), lambda: _maybe_not_finite(result)
    result = repaired(result, checks[0], repair, checks[1])
    return _near_one_by_numpy(x, result) if _readable(result) else _near_one(x, result)


def _near_one_by_numpy(x: Tensor, result: Tensor) -> Tensor:
    """Correct what is near 1, in as many elements as that is; a sum keeps the derivative."""
    values = np.asarray(result).reshape(-1).real
    near = np.flatnonzero(np.abs(values) < _NEAR_ONE)
    if not near.size:
        return result
    z = np.asarray(x).reshape(-1)[near].astype(np.complex128, copy=False)
    a, b = np.abs(z.real), np.abs(z.imag)
    logarithm = np.log1p(square_beyond_one(np.maximum(a, b), np.minimum(a, b))) / 2
    # Added to a zero, -0 leaves its sign.
    error = np.full(result.shape, complex(-0.0, -0.0), result.dtype.as_numpy_dtype)
    error.reshape(-1).real[near] = logarithm - values[near]
    return raw.AddV2(x=result, y=tf.constant(error))


def _near_one(x: Tensor, result: Tensor) -> Tensor:
    """Correct what is near 1 where values can't be read, or lie on another device."""
    near = raw.Less(x=raw.Abs(x=real(result)), y=const(_NEAR_ONE, COMPONENT[x.dtype]))

    def precise() -> Tensor:
        safe = _select(near, x, 1.0)  # elsewhere nothing may overflow, nor be infinite
        large, small = _by_size(real(safe), imag(safe))
        kind = large.dtype
        if kind is tf.float32:
            large, small = cast(large, tf.float64), cast(small, tf.float64)
        return join(raw.Log1p(x=cast(square_beyond_one(large, small), kind)) / 2, imag(result))

    return repaired(result, lambda: near, precise)


def _by_size(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Return the larger absolute value and the smaller one; of equal ones each has a derivative.

    NaN counts as larger: the logarithm of the larger one is NaN then, whatever the smaller one is.
    """
    a, b = raw.Abs(x=a), raw.Abs(x=b)
    wide = raw.LogicalOr(x=raw.GreaterEqual(x=a, y=b), y=raw.IsNan(x=a))
    return _select(wide, a, b), _select(wide, b, a)


def log1p(x: Tensor) -> Tensor:
    """Compute `log(1 + x)`, accurately also where it is small.

    With z = a + bj, log|1 + z| is log1p(|1 + z|**2 - 1) / 2, and |1 + z|**2 - 1 = a(a + 2) + bb.
    """
    a, b = real(x), imag(x)
    one, two = const(1, a.dtype), const(2, a.dtype)
    shifted = raw.AddV2(x=a, y=one)
    excess = raw.AddV2(x=raw.Mul(x=a, y=raw.AddV2(x=a, y=two)), y=raw.Mul(x=b, y=b))
    size = raw.Mul(x=raw.Log1p(x=excess), y=const(0.5, a.dtype))
    # Near -1 the excess is no longer accurate, and it may overflow.
    far = negated(raw.LogicalAnd(x=excess > const(-0.5, a.dtype), y=raw.IsFinite(x=excess)))
    size = repaired(size, lambda: far, lambda: _log_abs(*_by_size(shifted, b)))
    return join(size, raw.Atan2(y=b, x=shifted))


def _log_of_base(base: float) -> Callable[[Tensor], Tensor]:
    def function(x: Tensor) -> Tensor:
        # Component by component: a complex factor would turn infinities into NaN.
        scale = 1 / math.log(base)
        whole = log(x)
        return join(real(whole) * scale, imag(whole) * scale)

    return function


log2 = _log_of_base(2.0)
log10 = _log_of_base(10.0)


# --- trigonometry -----------------------------------------------------------------------------


def tanh(x: Tensor) -> Tensor:
    """Compute the hyperbolic tangent.

    The C library takes the sign of the zero in tanh(inf + bj) = 1 + 0j from sin(2b); the standard
    takes it from b.
    """
    result = raw.Tanh(x=x)

    def repair() -> Tensor:
        b = imag(x)
        return join(real(result), copysign(raw.ZerosLike(x=b), b))

    return repaired(result, lambda: _infinite(real(x)), repair, lambda: _maybe_not_finite(x))


def tan(x: Tensor) -> Tensor:
    """Compute the tangent, which is -1j * tanh(x * 1j)."""
    result = raw.Tan(x=x)

    def repair() -> Tensor:
        a = real(x)
        return join(copysign(raw.ZerosLike(x=a), a), imag(result))

    return repaired(result, lambda: _infinite(imag(x)), repair, lambda: _maybe_not_finite(x))


# --- order ------------------------------------------------------------------------------------


def less(strict: bool) -> Callable[[Tensor, Tensor], Tensor]:
    """Make `x1 < x2` or `x1 <= x2`, by real part, then by imaginary part."""

    def compare(x1: Tensor, x2: Tensor) -> Tensor:
        a, b, c, d = real(x1), imag(x1), real(x2), imag(x2)
        ordered = ~(raw.IsNan(x=b) | raw.IsNan(x=d))
        tie = b < d if strict else b <= d
        return ((a < c) & ordered) | ((a == c) & tie)

    return compare


def extreme(greatest: bool) -> Callable[[Tensor, Tensor], Tensor]:
    """Make the maximum or minimum; a NaN in either operand propagates."""
    at_most = less(strict=False)

    def choose(x1: Tensor, x2: Tensor) -> Tensor:
        first = at_most(x2, x1) if greatest else at_most(x1, x2)
        return raw.SelectV2(condition=first | is_nan(x1), t=x1, e=x2)

    return choose
