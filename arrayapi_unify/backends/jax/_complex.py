"""Complex functions by their components, where XLA's own miss the standard's special values.

XLA is wrong at infinities and NaNs and at zeros of negative sign, which decide the side of a branch
cut. The formulas are those of W. Kahan, "Branch cuts for complex elementary functions" (1987), with
the special values that C's Annex G and the standard share. `a + bj` is the argument throughout.

XLA makes a jump of a selection on which a division or a transcendental function depends, which
takes several times as long as computing both and selecting afterwards.
"""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify.backends._common.algorithms.arithmetic import square_beyond_one
from arrayapi_unify.backends.jax import _exponentials, _real
from arrayapi_unify.backends.jax._core import JaxArray, cast
from arrayapi_unify.backends.jax._derivatives import with_derivatives

# Beyond this, tanh is 1 within the precision of float64, and sinh(x)**2 could overflow.
_TANH_IS_ONE = 22.0
# From this |real(z)| on, exp(z) - 1 is as accurate as expm1(z), for complex128 too.
_EXPM1_IS_EXP = 40.0


def _parts(z: JaxArray) -> tuple[JaxArray, JaxArray]:
    return lax.real(z), lax.imag(z)


def _infinite(a: JaxArray, b: JaxArray) -> JaxArray:
    return jnp.isinf(a) | jnp.isinf(b)


def _times_i(z: JaxArray) -> JaxArray:
    a, b = _parts(z)
    return lax.complex(-b, a)


def _exchanged(z: JaxArray) -> JaxArray:
    a, b = _parts(z)
    return lax.complex(b, a)


def _over_i(z: JaxArray) -> JaxArray:
    a, b = _parts(z)
    return lax.complex(b, -a)


# --- arithmetic -------------------------------------------------------------------------------


def abs(z: JaxArray) -> JaxArray:
    """Compute the modulus, infinite also where the other component is NaN."""
    a, b = _parts(z)
    return jnp.where(_infinite(a, b), jnp.inf, lax.abs(z))


def _divisor(w: JaxArray) -> tuple[JaxArray, JaxArray, JaxArray, JaxArray]:
    """Return what Smith's method needs of a divisor c + dj.

    That is whether c is its larger component, the ratio of the components, the larger component
    with its share of the other, and whether both are zero.
    """
    c, d = _parts(w)
    wide = jnp.abs(c) >= jnp.abs(d)
    ratio = jnp.where(wide, d / c, c / d)
    size = jnp.where(wide, c + d * ratio, d + c * ratio)
    return wide, ratio, size, (c == 0) & (d == 0)


@with_derivatives(lambda _z, w, _: reciprocal(w), lambda _z, w, ratio: -ratio * reciprocal(w))
def divide(z: JaxArray, w: JaxArray) -> JaxArray:
    """Divide by Smith's method, as NumPy does; XLA treats infinities in another way."""
    a, b = _parts(z)
    wide, ratio, size, zero = _divisor(w)
    # Not times its reciprocal: that of a large number is subnormal, and XLA makes it zero.
    real = _real.quotient(jnp.where(wide, a + b * ratio, a * ratio + b), size)
    imag = _real.quotient(jnp.where(wide, b - a * ratio, b * ratio - a), size)
    # The result of a division by zero, at the price of a product.
    at_zero = a * jnp.inf, b * jnp.inf
    return lax.complex(jnp.where(zero, at_zero[0], real), jnp.where(zero, at_zero[1], imag))


@with_derivatives(lambda _, result: -result * result)
def reciprocal(z: JaxArray) -> JaxArray:
    """Compute `divide(1, z)`; written out, as XLA drops the sum with 0 that decides signs."""
    wide, ratio, size, zero = _divisor(z)
    scale = 1 / size
    lesser = jnp.where(ratio == 0, 0, jnp.where(wide, -ratio, ratio)) * scale
    real, imag = jnp.where(wide, scale, lesser), jnp.where(wide, lesser, -scale)
    return lax.complex(jnp.where(zero, jnp.inf, real), jnp.where(zero, jnp.nan, imag))


def sign(z: JaxArray) -> JaxArray:
    """Compute `z / abs(z)`, and NaN + NaN j where a component is NaN."""
    a, b = _parts(z)
    infinite = jnp.isinf(a), jnp.isinf(b)
    one, both = infinite[0] ^ infinite[1], infinite[0] & infinite[1]
    # An infinite component leaves only itself, unless the other one is NaN.
    a, b = (
        jnp.where(one, jnp.where(i, jnp.copysign(1, x), x - x), x)
        for i, x in zip(infinite, (a, b), strict=True)
    )
    size = lax.abs(lax.complex(a, b))
    zero = size == 0
    size = jnp.where(both, jnp.nan, jnp.where(zero, 1, size))
    return lax.complex(*(jnp.where(zero, 0, x / size) for x in (a, b)))


@with_derivatives(lambda _, result: 0.5 * reciprocal(result))
def sqrt(z: JaxArray) -> JaxArray:
    """Compute the square root; XLA's ignores the sign of a zero in b."""
    a, b = _parts(z)
    real, imag = _parts(lax.sqrt(z))
    missing = jnp.isinf(a) & jnp.isnan(b)
    real = jnp.where(missing, jnp.where(a > 0, jnp.inf, jnp.nan), real)
    imag = jnp.where(missing, jnp.where(a > 0, jnp.nan, jnp.inf), imag)
    infinite = jnp.isinf(b)
    real, imag = jnp.where(infinite, jnp.inf, real), jnp.where(infinite, jnp.inf, imag)
    return lax.complex(real, jnp.copysign(imag, b))


@with_derivatives(
    lambda z, w, _: w * pow(z, w - 1),
    lambda z, _w, result: result * log(jnp.where(z == 0, 1, z)),
)
def pow(z: JaxArray, w: JaxArray) -> JaxArray:
    """Compute `exp(w * log(z))`, exactly for w of 0, 1 and 2 and for z = 0."""
    a, b = _parts(w)
    # Errors of the logarithm grow with w, so single precision is computed in double.
    exponent, base = (lax.convert_element_type(x, np.complex128) for x in (w, z))
    result = cast(exp(exponent * log(jnp.where(base == 0, 1, base))), z.dtype)
    result = jnp.where(z == 0, jnp.where(a > 0, 0, complex(math.nan, math.nan)), result)
    for known, power in ((2, z * z), (1, z), (0, jnp.ones_like(z))):
        result = jnp.where((a == known) & (b == 0), power, result)
    return result


def _less(a: JaxArray, b: JaxArray, c: JaxArray, d: JaxArray) -> JaxArray:
    return (a < c) & ~jnp.isnan(b) & ~jnp.isnan(d)


def less(z: JaxArray, w: JaxArray) -> JaxArray:
    """Compare by the real, then by the imaginary components, as NumPy does."""
    (a, b), (c, d) = _parts(z), _parts(w)
    return _less(a, b, c, d) | ((a == c) & (b < d))


def less_equal(z: JaxArray, w: JaxArray) -> JaxArray:
    """Compare as `less` does."""
    (a, b), (c, d) = _parts(z), _parts(w)
    return _less(a, b, c, d) | ((a == c) & (b <= d))


def greater(z: JaxArray, w: JaxArray) -> JaxArray:
    """Compare as `less` does."""
    return less(w, z)


def greater_equal(z: JaxArray, w: JaxArray) -> JaxArray:
    """Compare as `less` does."""
    return less_equal(w, z)


# --- exponentials and logarithms --------------------------------------------------------------


@with_derivatives(lambda _, result: result)
def exp(z: JaxArray) -> JaxArray:
    """Compute the exponential."""
    a, b = _parts(z)
    return lax.complex(*_exponential(a, b, jnp.exp(a)))


def _exponential(a: JaxArray, b: JaxArray, of_a: JaxArray) -> tuple[JaxArray, JaxArray]:
    """Compute it by the square of exp(a / 2), which overflows only as the result.

    Where b is zero, the real part is `of_a`.
    """
    half = jnp.exp(a / 2)
    real = jnp.where(b == 0, of_a, half * jnp.cos(b) * half)
    imag = jnp.where(b == 0, b, half * jnp.sin(b) * half)
    lost = ~jnp.isfinite(b)
    zero = (a == -jnp.inf) & lost
    real = jnp.where((a == jnp.inf) & lost, jnp.inf, jnp.where(zero, 0, real))
    return real, jnp.where(zero, jnp.copysign(jnp.zeros_like(b), b), imag)


@with_derivatives(lambda z, _: exp(z))
def expm1(z: JaxArray) -> JaxArray:
    """Compute `exp(z) - 1`; its real part is expm1(a) cos(b) - (1 - cos(b))."""
    a, b = _parts(z)
    whole = _exponentials.expm1(a)
    real, imag = _exponential(a, b, whole + 1)
    sin, cos = jnp.sin(b), jnp.cos(b)
    # Nothing cancels in sin(b)**2 / (1 + cos(b)) where cos(b) is positive.
    versine = jnp.where(cos > 0, sin * sin / (1 + cos), 1 - cos)
    real = jnp.where(jnp.abs(a) < _EXPM1_IS_EXP, whole * cos - versine, real - 1)
    real = jnp.where(b == 0, whole, real)
    # The standard has no -0 here.
    return lax.complex(jnp.where(real == 0, 0, real), imag)


@with_derivatives(lambda z, _: reciprocal(z))
def log(z: JaxArray) -> JaxArray:
    """Compute the logarithm."""
    a, b = _parts(z)
    x, y = jnp.maximum(jnp.abs(a), jnp.abs(b)), jnp.minimum(jnp.abs(a), jnp.abs(b))
    beyond = _beyond_one(x, y)
    near = (beyond > -0.5) & (beyond < 1)
    # For abs(z) near one, the two logarithms would cancel each other.
    ratio = y / jnp.where(x == 0, 1, x)
    real = 0.5 * _real.log1p(jnp.where(near, beyond, ratio * ratio))
    real = real + jnp.where(near, 0, jnp.log(x))
    return lax.complex(jnp.where(_infinite(a, b), jnp.inf, real), lax.atan2(b, a))


def _beyond_one(x: JaxArray, y: JaxArray) -> JaxArray:
    """Compute `x**2 + y**2 - 1` for x > y; float64 holds the squares of float32 numbers."""
    if x.dtype.itemsize == 8:
        return square_beyond_one(x, y)
    x, y = (lax.convert_element_type(v, np.float64) for v in (x, y))
    return lax.convert_element_type((x * x - 1) + y * y, np.float32)


def _log_to(base: float, z: JaxArray) -> JaxArray:
    a, b = _parts(log(z))
    factor = 1 / math.log(base)
    return lax.complex(a * factor, b * factor)


@with_derivatives(lambda z, _: reciprocal(z) / math.log(2))
def log2(z: JaxArray) -> JaxArray:
    """Compute the logarithm to base 2."""
    return _log_to(2, z)


@with_derivatives(lambda z, _: reciprocal(z) / math.log(10))
def log10(z: JaxArray) -> JaxArray:
    """Compute the logarithm to base 10."""
    return _log_to(10, z)


@with_derivatives(lambda z, _: reciprocal(1 + z))
def log1p(z: JaxArray) -> JaxArray:
    """Compute `log(1 + z)`; XLA's underflows close to -1, and loses digits within its circle."""
    a, b = _parts(z)
    real, imag = _parts(lax.log1p(z))
    beyond = a * (a + 2) + b * b
    within = (beyond > -0.75) & (beyond < -0.25)
    real = jnp.where(within, 0.5 * _real.log1p(jnp.where(within, beyond, 0)), real)
    close = (real < -1) | ((a == -1) & (b == 0))  # JAX 0.4 has 0 for the logarithm of 0
    # Here the jump helps: the logarithm of one is soon found.
    near = lax.complex(jnp.where(close, 1 + a, 1), jnp.where(close, b, 0))
    real = jnp.where(close, jnp.log(lax.abs(near)), real)
    return lax.complex(jnp.where(_infinite(a, b), jnp.inf, real), imag)


# --- hyperbolic and trigonometric functions ---------------------------------------------------


@with_derivatives(lambda z, _: cosh(z))
def sinh(z: JaxArray) -> JaxArray:
    """Compute sinh(a) cos(b) + i cosh(a) sin(b)."""
    a, b = _parts(z)
    s, c = _exponentials.sinh_cosh(a)
    # If sinh overflows but the product needn't, the square root of the factor is multiplied twice.
    half = jnp.exp(jnp.abs(a) / 2)
    large = jnp.abs(a) > _TANH_IS_ONE
    cos, sin = jnp.cos(b), jnp.sin(b)
    real = jnp.where(large, jnp.copysign(half / 2, a) * cos * half, s * cos)
    imag = jnp.where(large, half / 2 * sin * half, c * sin)
    real = jnp.where((b == 0) | ~jnp.isfinite(b) & (a == 0), s, real)
    # The sign of this infinity is open; it is positive everywhere.
    real = jnp.where(~jnp.isfinite(b) & jnp.isinf(a), jnp.inf, real)
    return lax.complex(real, jnp.where(b == 0, b, imag))


@with_derivatives(lambda z, _: sinh(z))
def cosh(z: JaxArray) -> JaxArray:
    """Compute cosh(a) cos(b) + i sinh(a) sin(b)."""
    a, b = _parts(z)
    s, c = _exponentials.sinh_cosh(a)
    half = jnp.exp(jnp.abs(a) / 2)
    large = jnp.abs(a) > _TANH_IS_ONE
    cos, sin = jnp.cos(b), jnp.sin(b)
    real = jnp.where(large, half / 2 * cos * half, c * cos)
    imag = jnp.where(large, jnp.copysign(half / 2, a) * sin * half, s * sin)
    real = jnp.where((b == 0) | jnp.isinf(a) & ~jnp.isfinite(b), c, real)
    signed = jnp.copysign(jnp.zeros_like(a), a) * jnp.copysign(jnp.ones_like(b), b)
    imag = jnp.where(b == 0, jnp.where(jnp.isnan(a), b, signed), imag)
    # The sign of this zero is open; it is positive everywhere.
    return lax.complex(real, jnp.where((a == 0) & ~jnp.isfinite(b), 0.0, imag))


@with_derivatives(lambda _, result: 1 - result * result)
def tanh(z: JaxArray) -> JaxArray:
    """Compute (t + i tan(b)) / (1 + i t tan(b)), where t = tanh(a), without the pole of tan."""
    a, b = _parts(z)
    size = jnp.abs(a)
    u = jnp.exp(-2 * size)
    t = jnp.where(size < 1, -_exponentials.expm1(-2 * jnp.minimum(size, 1)), 1 - u) / (1 + u)
    sin, cos = jnp.sin(b), jnp.cos(b)
    below = cos * cos + t * t * sin * sin
    # 1 - t**2 is 4u / (1 + u)**2, in which nothing cancels.
    imag = 4 * u / ((1 + u) * (1 + u)) * sin * cos / below
    one = (size > _TANH_IS_ONE) & jnp.isfinite(b) | jnp.isinf(a)
    real = jnp.copysign(jnp.where(one, 1, t / below), a)
    zero = jnp.copysign(jnp.zeros_like(b), b)
    imag = jnp.where(b == 0, b, jnp.where(jnp.isinf(a), zero, imag))
    return lax.complex(jnp.where(a == 0, a, real), imag)


@with_derivatives(lambda z, _: cos(z))
def sin(z: JaxArray) -> JaxArray:
    """Compute the sine, which is sinh with the components exchanged on both sides."""
    return _exchanged(sinh(_exchanged(z)))


@with_derivatives(lambda z, _: -sin(z))
def cos(z: JaxArray) -> JaxArray:
    """Compute the cosine."""
    return cosh(_times_i(z))


@with_derivatives(lambda _, result: 1 + result * result)
def tan(z: JaxArray) -> JaxArray:
    """Compute the tangent."""
    return _over_i(tanh(_times_i(z)))


# --- their inverses ---------------------------------------------------------------------------


def _over_roots(z: JaxArray, w: JaxArray) -> JaxArray:
    """Compute `1 / sqrt(z * w)`, in which their product could overflow."""
    return reciprocal(sqrt(z) * sqrt(w))


def _plus(z: JaxArray, number: int) -> JaxArray:
    """Add a real number; adding a complex one would lose the sign of a zero, which is the side."""
    a, b = _parts(z)
    return lax.complex(a + number, b)


@with_derivatives(lambda z, _: _over_roots(_plus(-z, 1), _plus(z, 1)))
def asin(z: JaxArray) -> JaxArray:
    """Compute the arc sine, in the first quadrant; it is odd, and conjugates with z."""
    a, b = _parts(z)
    real, imag = _parts(jnp.arcsin(lax.complex(jnp.abs(a), jnp.abs(b))))
    real = jnp.where((a == 0) & jnp.isnan(b), a, real)
    missing = (jnp.isnan(b) & jnp.isfinite(a) & (a != 0)) | (
        jnp.isnan(a) & jnp.isfinite(b) & (b != 0)
    )
    real, imag = jnp.where(missing, jnp.nan, real), jnp.where(missing, jnp.nan, imag)
    return lax.complex(jnp.copysign(real, a), jnp.copysign(imag, b))


@with_derivatives(lambda z, _: _over_roots(_plus(_over_i(z), 1), _plus(_times_i(z), 1)))
def asinh(z: JaxArray) -> JaxArray:
    """Compute the inverse hyperbolic sine."""
    return _times_i(asin(_over_i(z)))


@with_derivatives(lambda z, _: -_over_roots(_plus(-z, 1), _plus(z, 1)))
def acos(z: JaxArray) -> JaxArray:
    """Compute the arc cosine, in the upper half plane; it conjugates with z."""
    a, b = _parts(z)
    real, imag = _parts(jnp.arccos(lax.complex(a, jnp.abs(b))))
    real = jnp.where((a == 0) & jnp.isnan(b), math.pi / 2, real)
    missing = (jnp.isnan(b) & jnp.isfinite(a)) | (jnp.isnan(a) & jnp.isfinite(b))
    return lax.complex(real, jnp.copysign(jnp.where(missing, jnp.nan, imag), -b))


@with_derivatives(lambda z, _: _over_roots(_plus(z, -1), _plus(z, 1)))
def acosh(z: JaxArray) -> JaxArray:
    """Compute the inverse hyperbolic cosine."""
    real, imag = _parts(acos(z))
    return lax.complex(jnp.abs(imag), jnp.copysign(real, lax.imag(z)))


@with_derivatives(lambda z, _: reciprocal((1 - z) * (1 + z)))
def atanh(z: JaxArray) -> JaxArray:
    """Compute the inverse hyperbolic tangent, in the first quadrant; odd, conjugates with z."""
    a, b = _parts(z)
    x, y = jnp.abs(a), jnp.abs(b)
    real, imag = _parts(jnp.arctanh(lax.complex(x, y)))
    # XLA takes the other side of the branch cut, y = 0 beyond 1.
    imag = jnp.abs(imag)
    # Near the pole at 1, y**2 would underflow.
    beside = (x == 1) & (y > 0) & (y < np.finfo(x.dtype).eps)
    real = jnp.where(beside, (math.log(2) - jnp.log(jnp.where(beside, y, 1))) / 2, real)
    infinite = _infinite(x, y)
    missing = jnp.isnan(x) | jnp.isnan(y)
    real = jnp.where(infinite, 0, jnp.where(missing & (x != 0), jnp.nan, real))
    real = jnp.where((x == 0) | (y == jnp.inf), 0, real)
    imag = jnp.where(infinite, math.pi / 2, jnp.where(missing, jnp.nan, imag))
    imag = jnp.where(jnp.isnan(y), jnp.nan, imag)
    return lax.complex(jnp.copysign(real, a), jnp.copysign(imag, b))


@with_derivatives(lambda z, _: reciprocal((1 - _times_i(z)) * (1 + _times_i(z))))
def atan(z: JaxArray) -> JaxArray:
    """Compute the arc tangent."""
    return _over_i(atanh(_times_i(z)))
