"""Functions whose derivative TensorFlow gets wrong, or our repairs would.

Those are products with zeros, complex determinants and complex powers.

`tf.custom_gradient` costs as much as five small operations, so it is used where it is needed only.
"""

from __future__ import annotations

import math

import numpy as np
import tensorflow as tf

from arrayapi_unify.backends.tensorflow._complex import imag, log, real
from arrayapi_unify.backends.tensorflow._core import (
    COMPONENT,
    CPU,
    Tensor,
    cast,
    const,
    eager,
    raw,
    repaired,
)

__all__ = ["cumulative_product", "determinant", "power", "sign_and_log_determinant"]

_COMPLEX = frozenset({tf.complex64, tf.complex128})


def _conj(x: Tensor) -> Tensor:
    return raw.Conj(input=x) if x.dtype in _COMPLEX else x


# --- products ---------------------------------------------------------------------------------


def cumulative_product(x: Tensor, axis: Tensor) -> Tensor:
    """Multiply along an axis; TensorFlow's derivative is right of real numbers but zero."""
    if x.dtype not in _COMPLEX and (x.dtype not in COMPONENT or _no_zero(x)):
        return raw.Cumprod(x=x, axis=axis)

    @tf.custom_gradient  # type: ignore[untyped-decorator]  # TensorFlow has no types
    def through_zeros(x: Tensor) -> Tensor:
        result = raw.Cumprod(x=x, axis=axis)
        return result, lambda upstream: _product_gradient(x, axis, upstream)

    return through_zeros(x)


def _no_zero(x: Tensor) -> bool:
    """Whether no element is zero, where looking costs little."""
    return eager() and x.device.endswith(CPU) and bool(np.asarray(x).all())


def _product_gradient(x: Tensor, axis: Tensor, upstream: Tensor) -> Tensor:
    """Differentiate products that may contain zeros; TensorFlow's own rule divides by each factor.

    Up to the first zero that is right. For the first zero itself it counts in the products without
    it, and for what comes behind it all products are zero. The products are computed anew, so that
    the derivative of the derivative is right, too.
    """
    zero = raw.Equal(x=x, y=const(0, x.dtype))
    nonzero = cast(raw.LogicalNot(x=zero), x.dtype)
    reached = cast(raw.Cumprod(x=nonzero, axis=axis, exclusive=True), tf.bool)
    first = raw.LogicalAnd(x=zero, y=reached)
    one, none = raw.OnesLike(x=x), raw.ZerosLike(x=x)

    def from_here(product: Tensor) -> Tensor:
        return raw.Cumsum(x=raw.Mul(x=upstream, y=_conj(product)), axis=axis, reverse=True)

    result = cumulative_product(x, axis)
    without_first = cumulative_product(raw.SelectV2(condition=first, t=one, e=x), axis)
    factor = raw.SelectV2(condition=zero, t=one, e=x)
    before = raw.RealDiv(x=from_here(result), y=_conj(factor))
    before = raw.SelectV2(condition=raw.LogicalAnd(x=reached, y=~zero), t=before, e=none)
    return raw.SelectV2(condition=first, t=from_here(without_first), e=before)


# --- powers -----------------------------------------------------------------------------------


@tf.custom_gradient  # type: ignore[untyped-decorator]  # TensorFlow has no types
def power(x1: Tensor, x2: Tensor) -> Tensor:
    """Raise complex numbers to a power; that of zero is zero or NaN, the power of zero is one."""
    result = _power(x1, x2)

    def gradient(upstream: Tensor) -> tuple[Tensor, Tensor]:
        slope = raw.Mul(x=x2, y=_power(x1, raw.Sub(x=x2, y=const(1, x2.dtype))))
        zero = raw.Equal(x=x1, y=const(0, x1.dtype))
        logarithm = log(raw.SelectV2(condition=zero, t=const(1, x1.dtype), e=x1))
        shapes = raw.Shape(input=x1), raw.Shape(input=x2)
        over = raw.BroadcastGradientArgs(s0=shapes[0], s1=shapes[1])
        partial = slope, raw.Mul(x=result, y=logarithm)
        first, second = (
            raw.Reshape(
                tensor=raw.Sum(input=raw.Mul(x=upstream, y=_conj(d)), axis=axes), shape=shape
            )
            for d, axes, shape in zip(partial, over, shapes, strict=True)
        )
        return first, second

    return result, gradient


def _power(x1: Tensor, x2: Tensor) -> Tensor:
    result = raw.Pow(x=x1, y=x2)
    none, zero, one = x2 == 0, x1 == 0, x2 == 1

    def repair() -> Tensor:
        of_zero = raw.SelectV2(
            condition=real(x2) > 0,
            t=const(0, x1.dtype),
            e=const(complex(math.nan, math.nan), x1.dtype),
        )
        fixed = raw.SelectV2(condition=one, t=x1, e=result)
        fixed = raw.SelectV2(condition=zero, t=of_zero, e=fixed)
        return raw.SelectV2(condition=none, t=const(1, x1.dtype), e=fixed)

    return repaired(result, lambda: none | zero | one, repair)


# --- determinants -----------------------------------------------------------------------------


def _times_matrices(numbers: Tensor, matrices: Tensor) -> Tensor:
    return raw.Mul(x=numbers[..., tf.newaxis, tf.newaxis], y=matrices)


def _adjoint_inverse(x: Tensor) -> Tensor:
    """Invert and transpose complex matrices; of one kernel for both the derivative is wrong."""
    return tf.linalg.adjoint(raw.MatrixInverse(input=x))


def determinant(x: Tensor) -> Tensor:
    """Compute determinants; of complex matrices TensorFlow's derivative lacks a conjugation."""
    return _determinant(x) if x.dtype in _COMPLEX else raw.MatrixDeterminant(input=x)


@tf.custom_gradient  # type: ignore[untyped-decorator]  # TensorFlow has no types
def _determinant(x: Tensor) -> Tensor:
    result = raw.MatrixDeterminant(input=x)

    def gradient(upstream: Tensor) -> Tensor:
        # By our rule once more, where the derivative is differentiated itself.
        value = _determinant(x)
        return _times_matrices(raw.Mul(x=upstream, y=_conj(value)), _adjoint_inverse(x))

    return result, gradient


def sign_and_log_determinant(x: Tensor) -> tuple[Tensor, Tensor]:
    """Compute sign and log|det|; the sign of a complex one has a derivative as well."""
    if x.dtype in _COMPLEX:
        sign, logarithm = _complex_sign_and_log(x)
        return sign, logarithm
    found = raw.LogMatrixDeterminant(input=x)
    return found.sign, found.log_abs_determinant


@tf.custom_gradient  # type: ignore[untyped-decorator]  # TensorFlow has no types
def _complex_sign_and_log(x: Tensor) -> tuple[Tensor, Tensor]:
    """Write both with L = log(det): the sign is exp(i imag(L)), the logarithm real(L)."""
    found = raw.LogMatrixDeterminant(input=x)
    sign = found.sign
    logarithm = raw.Real(input=found.log_abs_determinant, Tout=COMPONENT[x.dtype])

    def gradient(of_sign: Tensor, of_logarithm: Tensor) -> Tensor:
        again, _ = _complex_sign_and_log(x)  # for who differentiates the derivative
        turning = -imag(raw.Mul(x=again, y=_conj(of_sign)))
        whole = raw.Complex(real=of_logarithm, imag=turning, Tout=x.dtype)
        return _times_matrices(whole, _adjoint_inverse(x))

    return (sign, logarithm), gradient
