"""Functions whose derivative TensorFlow gets wrong, or our repairs would.

Those are products with zeros, complex determinants, pseudoinverses, powers, magnitudes of small
numbers, and what reads one triangle of a symmetric matrix.

`tf.custom_gradient` costs as much as five small operations, so it is used where it is needed only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from arrayapi_unify.backends.tensorflow._complex import absolute, imag, join, log, real, sign
from arrayapi_unify.backends.tensorflow._core import (
    COMPONENT,
    CPU,
    Tensor,
    cast,
    const,
    eager,
    raw,
    recorded,
    repaired,
)
from arrayapi_unify.backends.tensorflow._pullback import custom_gradient
from arrayapi_unify.backends.tensorflow._real import signbit

_COMPLEX = frozenset({tf.complex64, tf.complex128})


def _conj(x: Tensor) -> Tensor:
    return raw.Conj(input=x) if x.dtype in _COMPLEX else x


# --- products ---------------------------------------------------------------------------------


def cumulative_product(x: Tensor, axis: Tensor) -> Tensor:
    """Multiply along an axis; TensorFlow's derivative is right of real numbers but zero."""
    if _as_it_is(x):
        return raw.Cumprod(x=x, axis=axis)
    axis = _known(axis)

    @custom_gradient
    def through_zeros(x: Tensor) -> Tensor:
        result = raw.Cumprod(x=x, axis=axis)
        return result, lambda upstream: _product_gradient(_here(x), axis, upstream)

    return through_zeros(x)


def _here(x: Tensor) -> Tensor:
    """Return a tensor of this graph: rules inside of rules lose those of other graphs."""
    return x if eager() else raw.Identity(input=x)


def _known(axis: Tensor) -> Any:
    """Return axes as numbers: a constant of one graph is out of scope in a second derivative."""
    value = tf.get_static_value(axis)
    return axis if value is None else value


def _as_it_is(x: Tensor) -> bool:
    """Return True if TensorFlow's derivative of a product is right, or never needed."""
    if x.dtype not in COMPONENT or not recorded():
        return True
    return x.dtype not in _COMPLEX and _no_zero(x)


def _no_zero(x: Tensor) -> bool:
    """Return True if no element is zero; False also if a check is costly or impossible."""
    return eager() and x.device.endswith(CPU) and bool(np.asarray(x).all())


def _product_gradient(x: Tensor, axis: Tensor, upstream: Tensor, behind: bool = True) -> Tensor:
    """Differentiate products that may contain zeros; TensorFlow's own rule divides by each factor.

    Up to the first zero that is right. For the first zero itself it counts in the products without
    it. What comes behind has a derivative of zero, which is the first zero times the derivative
    without it: that says what the derivative of the derivative is (`behind`). The products are
    computed anew for the same reason.
    """
    zero = raw.Equal(x=x, y=const(0, x.dtype))
    nonzero = cast(raw.LogicalNot(x=zero), x.dtype)
    reached = cast(raw.Cumprod(x=nonzero, axis=axis, exclusive=True), tf.bool)
    first = raw.LogicalAnd(x=zero, y=reached)
    one, none = raw.OnesLike(x=x), raw.ZerosLike(x=x)

    def from_here(product: Tensor) -> Tensor:
        return raw.Cumsum(x=raw.Mul(x=upstream, y=_conj(product)), axis=axis, reverse=True)

    result = cumulative_product(x, axis)
    others = raw.SelectV2(condition=first, t=one, e=x)
    factor = raw.SelectV2(condition=zero, t=one, e=x)
    before = raw.RealDiv(x=from_here(result), y=_conj(factor))
    rest = none
    if behind:
        only = raw.SelectV2(condition=first, t=x, e=none)
        factor = _conj(raw.Sum(input=only, axis=axis, keep_dims=True))
        rest = _times(_product_gradient(others, axis, upstream, behind=False), factor)
    before = raw.SelectV2(condition=raw.LogicalAnd(x=reached, y=~zero), t=before, e=rest)
    here = from_here(cumulative_product(others, axis))
    return raw.SelectV2(condition=first, t=here, e=before)


def _times(x: Tensor, factor: Tensor) -> Tensor:
    """Multiply by a factor of zero, which makes zero of infinities and NaN, too."""
    if x.dtype in _COMPLEX:  # of which MulNoNan's own derivative lacks the conjugation
        return raw.Mul(x=x, y=factor)
    return raw.MulNoNan(x=x, y=factor)


def product(*, input: Tensor, axis: Tensor, keep_dims: bool) -> Tensor:
    """Multiply along axes, as `raw.Prod` does.

    TensorFlow's second derivative is wrong of complex numbers, and where a number is zero.
    """
    if _as_it_is(input):
        return raw.Prod(input=input, axis=axis, keep_dims=keep_dims)
    axis = _known(axis)

    @custom_gradient
    def with_gradient(x: Tensor) -> Tensor:
        def gradient(upstream: Tensor) -> Tensor:
            kept = raw.Shape(input=raw.Prod(input=x, axis=axis, keep_dims=True))
            upstream = raw.Reshape(tensor=upstream, shape=kept)
            return raw.Mul(x=upstream, y=_conj(_without_each(x, axis)))

        return raw.Prod(input=x, axis=axis, keep_dims=keep_dims), gradient

    return with_gradient(input)


def _without_each(x: Tensor, axes: Tensor) -> Tensor:
    """Return the product along axes of all elements but each one: of those before and behind."""
    front, last, shape = const(0, tf.int32), const((-1,), tf.int32), raw.Shape(input=x)
    places = raw.Range(start=front, limit=raw.Rank(input=x), delta=const(1, tf.int32))
    kept, _ = raw.ListDiff(x=places, y=axes)
    order = raw.ConcatV2(values=[kept, axes], axis=front)
    moved = raw.Transpose(x=x, perm=order)
    sizes = [raw.GatherV2(params=shape, indices=which, axis=front) for which in (kept, axes)]
    sizes[1] = raw.Prod(input=sizes[1], axis=front, keep_dims=True)
    rows = raw.Reshape(tensor=moved, shape=raw.ConcatV2(values=sizes, axis=front))
    behind = raw.ReverseV2(tensor=_before(raw.ReverseV2(tensor=rows, axis=last)), axis=last)
    others = raw.Reshape(tensor=raw.Mul(x=_before(rows), y=behind), shape=raw.Shape(input=moved))
    return raw.Transpose(x=others, perm=raw.InvertPermutation(x=order))


def _before(x: Tensor) -> Tensor:
    """Return the product along the last axis of all elements before each one."""
    one = raw.OnesLike(x=x[..., :1])
    shifted = raw.ConcatV2(values=[one, x[..., :-1]], axis=const(-1, tf.int32))
    return cumulative_product(shifted, const(-1, tf.int32))


# --- matrices ---------------------------------------------------------------------------------


def symmetric(x: Tensor) -> Tensor:
    """Return Hermitian matrices, of which the lower triangle is read, as they are.

    TensorFlow's derivative by them is a lower triangle, too. This one is Hermitian: a change of one
    element changes the one across as well.
    """
    return _symmetric(x) if recorded() else x


@custom_gradient
def _symmetric(x: Tensor) -> Tensor:
    half = const(0.5, x.dtype)
    return raw.Identity(input=x), lambda u: raw.Mul(x=u + tf.linalg.adjoint(u), y=half)


def pseudo_inverse(x: Tensor, inverse: Callable[[Tensor], Tensor]) -> Tensor:
    """Invert matrices of constant rank.

    Of a complex SVD TensorFlow's second derivative is wrong, and of equal singular values the first
    one, as it is for the identity.

    The rule is that of Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973), 413-432. It inverts anew,
    so that it can be differentiated itself.
    """

    @custom_gradient
    def with_gradient(x: Tensor) -> Tensor:
        def gradient(upstream: Tensor) -> Tensor:
            p = pseudo_inverse(_here(x), inverse)
            q, g = (tf.linalg.adjoint(v) for v in (p, upstream))
            left = g - tf.matmul(x, tf.matmul(p, g))  # (I - x p) g
            right = g - tf.matmul(tf.matmul(g, p), x)  # g (I - p x)
            return (
                tf.matmul(tf.matmul(left, p), q)
                + tf.matmul(tf.matmul(q, p), right)
                - tf.matmul(tf.matmul(q, upstream), q)
            )

        return inverse(x), gradient

    return with_gradient(x)


# --- inverse functions ------------------------------------------------------------------------


def on_the_right_side(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """Make an inverse sine or cosine whose derivative is right on its branch cuts, too.

    TensorFlow's formula loses the sign of a zero, which says on which side a number is. Where that
    is the wrong one, the conjugate is on the right one, and so is the derivative of the result's.
    """

    def compute(x: Tensor) -> Tensor:
        if not recorded():
            return function(x)
        a, b = real(x), imag(x)
        other = (b == 0) & (abs(a) > 1) & raw.NotEqual(x=signbit(a), y=signbit(b))
        result = function(raw.SelectV2(condition=other, t=_conj(x), e=x))
        return raw.SelectV2(condition=other, t=_conj(result), e=result)

    return compute


# --- magnitudes -------------------------------------------------------------------------------


def magnitude(x: Tensor) -> Tensor:
    """Return the magnitudes of complex numbers.

    TensorFlow's derivative divides by their squares, so that it is zero of small ones.
    """
    return _magnitude(x) if recorded() else absolute(x)


@custom_gradient
def _magnitude(x: Tensor) -> Tensor:
    return absolute(x), lambda upstream: raw.Mul(
        x=join(upstream, raw.ZerosLike(x=upstream)), y=sign(x)
    )


def hypot(x1: Tensor, x2: Tensor) -> Tensor:
    """Compute `sqrt(x1**2 + x2**2)` without overflow on the way, as the size of x1 + x2 j."""
    return magnitude(join(x1, x2))


# --- powers -----------------------------------------------------------------------------------


@custom_gradient
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


@custom_gradient
def _determinant(x: Tensor) -> Tensor:
    result = raw.MatrixDeterminant(input=x)

    def gradient(upstream: Tensor) -> Tensor:
        # By our rule once more, where the derivative is differentiated itself.
        value = _determinant(_here(x))
        return _times_matrices(raw.Mul(x=upstream, y=_conj(value)), _adjoint_inverse(x))

    return result, gradient


def sign_and_log_determinant(x: Tensor) -> tuple[Tensor, Tensor]:
    """Compute sign and log|det|; the sign of a complex one has a derivative as well."""
    if x.dtype in _COMPLEX:
        sign, logarithm = _complex_sign_and_log(x)
        return sign, logarithm
    found = raw.LogMatrixDeterminant(input=x)
    return found.sign, found.log_abs_determinant


@custom_gradient
def _complex_sign_and_log(x: Tensor) -> tuple[Tensor, Tensor]:
    """Write both with L = log(det): the sign is exp(i imag(L)), the logarithm real(L)."""
    found = raw.LogMatrixDeterminant(input=x)
    sign = found.sign
    logarithm = raw.Real(input=found.log_abs_determinant, Tout=COMPONENT[x.dtype])

    def gradient(of_sign: Tensor, of_logarithm: Tensor) -> Tensor:
        again, _ = _complex_sign_and_log(_here(x))  # for second derivatives
        turning = -imag(raw.Mul(x=again, y=_conj(of_sign)))
        whole = raw.Complex(real=of_logarithm, imag=turning, Tout=x.dtype)
        return _times_matrices(whole, _adjoint_inverse(x))

    return (sign, logarithm), gradient
