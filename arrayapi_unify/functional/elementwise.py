"""Contracts of the elementwise functions: arithmetic, comparisons, logic, bits and mathematics."""

from __future__ import annotations

import math
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, mixed, primary
from arrayapi_unify.contracts.annotations import (
    ArrayIn,
    BoolOperand,
    IntegerOperand,
    IntegerOrBoolOperand,
    NumericOperand,
    Operand,
    OptionalReal,
    Out,
    RealOperand,
)
from arrayapi_unify.dtypes import DType
from arrayapi_unify.functional._common import BodyArray, floating, is_number, real as _real


def _namespace(x1: BodyArray, x2: BodyArray) -> Any:
    """Return the namespace of two operands, of which one may be a scalar."""
    return (x2 if is_number(x1) else x1).__array_namespace__()


def _without_nan(function: str, x1: BodyArray, x2: BodyArray) -> Array:
    """Call a function of two operands, of which one takes the place of the other's NaN."""
    xp = _namespace(x1, x2)
    second = xp.where(x2 != x2, x1, x2)
    return getattr(xp, function)(xp.where(x1 != x1, second, x1), second)


@primary
def abs(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Absolute value of each element; for a complex number, its magnitude.

    Magnitudes neither overflow nor underflow on the way to the result. The smallest signed integer
    has no positive counterpart: its absolute value is that integer itself.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape and data type. For complex `x` the data type is the real one of the same
    precision.

    Notes
    -----
    A complex number with an infinite component has an infinite magnitude, even if the other
    component is NaN.

    References
    ----------
    Array API standard 2025.12, ``abs``.

    Examples
    --------
    >>> unify.abs(unify.array([-2, 0, 3]))
    unify.array([2, 0, 3])
    >>> unify.abs(unify.array([3.+4.j]))
    unify.array([5.])
    """


@primary
def acos(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Inverse cosine of each element, in radians.

    Real results lie in [0, pi]. For complex numbers the branch cuts are the real axis below -1 and
    above 1. On a cut, the sign of a zero imaginary component chooses the side.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    A real element outside [-1, 1] gives NaN.

    References
    ----------
    Array API standard 2025.12, ``acos``.

    Examples
    --------
    >>> unify.acos(unify.array([1., 0., -1.]))
    unify.array([0.        , 1.57079633, 3.14159265])
    """


@primary
def acosh(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Inverse hyperbolic cosine of each element.

    For complex numbers the branch cut is the real axis below 1. The real component of a result is
    not negative, and the imaginary component lies in [-pi, pi].

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    A real element below 1 gives NaN.

    References
    ----------
    Array API standard 2025.12, ``acosh``.

    Examples
    --------
    >>> unify.acosh(unify.array([1., 2.]))
    unify.array([0.       , 1.3169579])
    """


@primary
def add(x1: NumericOperand, x2: NumericOperand, /, *, out: Out = None) -> Array:
    """Sum of the elements of two arrays.

    Shapes broadcast. Integers wrap around at the limits of their data type. The sum of two bools is
    their logical or.

    Parameters
    ----------
    x1
        Numeric array or Python number.
    x2
        Numeric array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    Notes
    -----
    Infinities of opposite signs add to NaN.

    References
    ----------
    Array API standard 2025.12, ``add``.

    Examples
    --------
    >>> unify.add(unify.array([1, 2, 3]), unify.array([10, 20, 30]))
    unify.array([11, 22, 33])
    >>> unify.add(unify.array([1, 2], dtype=unify.int8), 1)
    unify.array([2, 3], dtype=int8)
    """


@compositional
def angle(z: ArrayIn, /, deg: bool = False, *, out: Out = None) -> Array:
    """Angle of complex numbers in the complex plane, from -pi to pi.

    Parameters
    ----------
    z
        Array of any shape and data type. A real number has the angle 0, or pi if it is negative or
        -0.
    deg
        If True, return degrees, not radians.

    Returns
    -------
    Array of z's shape, of the data type of z's components; bool and integers give the default
    floating-point data type.

    References
    ----------
    NumPy's ``angle``.

    Examples
    --------
    >>> unify.angle(unify.array([1 + 1j, -2 + 0j]), deg=True)
    unify.array([ 45., 180.])
    """
    z = floating(z)
    xp = z.__array_namespace__()
    if z.dtype.kind == "c":
        found = xp.atan2(xp.imag(z), xp.real(z))
    else:
        found = xp.where(xp.signbit(z), math.pi, xp.zeros_like(z))
        found = xp.where(xp.isnan(z), z, found)
    return found * (180 / math.pi) if deg else found


@primary
def asin(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Inverse sine of each element, in radians.

    Real results lie in [-pi/2, pi/2]. For complex numbers the branch cuts are the real axis
    below -1 and above 1.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    A real element outside [-1, 1] gives NaN.

    References
    ----------
    Array API standard 2025.12, ``asin``.

    Examples
    --------
    >>> unify.asin(unify.array([-1., 0., 1.]))
    unify.array([-1.57079633,  0.        ,  1.57079633])
    """


@primary
def asinh(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Inverse hyperbolic sine of each element.

    For complex numbers the branch cuts are the imaginary axis below -1j and above 1j. The imaginary
    component of a result lies in [-pi/2, pi/2].

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    References
    ----------
    Array API standard 2025.12, ``asinh``.

    Examples
    --------
    >>> unify.asinh(unify.array([-1., 0., 1.]))
    unify.array([-0.88137359,  0.        ,  0.88137359])
    """


@primary
def atan(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Inverse tangent of each element, in radians.

    Real results lie in [-pi/2, pi/2]. For complex numbers the branch cuts are the imaginary
    axis below -1j and above 1j.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    Plus and minus infinity give pi/2 and -pi/2.

    References
    ----------
    Array API standard 2025.12, ``atan``.

    Examples
    --------
    >>> unify.atan(unify.array([-1., 0., 1.]))
    unify.array([-0.78539816,  0.        ,  0.78539816])
    """


@primary
def atan2(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Angle between the positive first axis and the point (x2, x1), in radians.

    This is the inverse tangent of x1 / x2, in the quadrant that the two signs choose; it lies in
    [-pi, pi]. Note the order: the y-coordinate comes first. Shapes broadcast.

    Parameters
    ----------
    x1
        The y-coordinate: real floating-point array or Python number. Without a floating-point
        operand, the computation is in float64.
    x2
        The x-coordinate: real floating-point array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    Where y is zero and x is negative, the sign of the zero decides between pi and -pi. Two infinite
    coordinates give an odd multiple of pi/4.

    References
    ----------
    Array API standard 2025.12, ``atan2``.

    Examples
    --------
    >>> unify.atan2(unify.array([1., -1., 0.]), unify.array([1., 1., -1.]))
    unify.array([ 0.78539816, -0.78539816,  3.14159265])
    """


@primary
def atanh(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Inverse hyperbolic tangent of each element.

    For complex numbers the branch cuts are the real axis below -1 and above 1. The imaginary
    component of a result lies in [-pi/2, pi/2].

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    -1 and 1 give minus and plus infinity. A real element outside [-1, 1] gives NaN.

    References
    ----------
    Array API standard 2025.12, ``atanh``.

    Examples
    --------
    >>> unify.atanh(unify.array([-0.5, 0., 0.5]))
    unify.array([-0.54930614,  0.        ,  0.54930614])
    """


@primary
def bitwise_and(x1: IntegerOrBoolOperand, x2: IntegerOrBoolOperand, /, *, out: Out = None) -> Array:
    """Bitwise AND of the elements of two arrays.

    Shapes broadcast. For bool this is the logical operation. Negative integers are taken in two's
    complement.

    Parameters
    ----------
    x1
        Integer or bool array, or Python integer or bool.
    x2
        Integer or bool array, or Python integer or bool.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If an operand is neither integer nor bool.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    References
    ----------
    Array API standard 2025.12, ``bitwise_and``.

    Examples
    --------
    >>> unify.bitwise_and(unify.array([12, 10]), 6)
    unify.array([4, 2])
    """


@primary
def bitwise_invert(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element with all of its bits flipped.

    For bool this is logical not; for a signed integer n it is -n - 1.

    Parameters
    ----------
    x
        Integer or bool array.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyTypeError
        If `x` is neither integer nor bool.

    References
    ----------
    Array API standard 2025.12, ``bitwise_invert``.

    Examples
    --------
    >>> unify.bitwise_invert(unify.array([0, 5, -1]))
    unify.array([-1, -6,  0])
    >>> unify.bitwise_invert(unify.array([True, False]))
    unify.array([False,  True])
    """


@primary
def bitwise_left_shift(x1: IntegerOperand, x2: IntegerOperand, /, *, out: Out = None) -> Array:
    """Each element with its bits moved to the left.

    Zeros come in from the right, and bits beyond the width of the data type are lost. Shapes
    broadcast. The number of places should be from 0 to the width of the data type less 1; what any
    other number gives depends on the backend.

    Parameters
    ----------
    x1
        Integer array or Python integer.
    x2
        Number of places: integer array or Python integer.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If an operand is floating-point.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    References
    ----------
    Array API standard 2025.12, ``bitwise_left_shift``.

    Examples
    --------
    >>> unify.bitwise_left_shift(unify.array([1, 2, 3]), 2)
    unify.array([ 4,  8, 12])
    """


@primary
def bitwise_or(x1: IntegerOrBoolOperand, x2: IntegerOrBoolOperand, /, *, out: Out = None) -> Array:
    """Bitwise OR of the elements of two arrays.

    Shapes broadcast. For bool this is the logical operation. Negative integers are taken in two's
    complement.

    Parameters
    ----------
    x1
        Integer or bool array, or Python integer or bool.
    x2
        Integer or bool array, or Python integer or bool.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If an operand is neither integer nor bool.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    References
    ----------
    Array API standard 2025.12, ``bitwise_or``.

    Examples
    --------
    >>> unify.bitwise_or(unify.array([12, 10]), 6)
    unify.array([14, 14])
    """


@primary
def bitwise_right_shift(x1: IntegerOperand, x2: IntegerOperand, /, *, out: Out = None) -> Array:
    """Each element with its bits moved to the right.

    The sign is kept, so this is floor division by a power of two. Shapes broadcast. The number of
    places should be from 0 to the width of the data type less 1; what any other number gives
    depends on the backend.

    Parameters
    ----------
    x1
        Integer array or Python integer.
    x2
        Number of places: integer array or Python integer.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If an operand is floating-point.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    References
    ----------
    Array API standard 2025.12, ``bitwise_right_shift``.

    Examples
    --------
    >>> unify.bitwise_right_shift(unify.array([8, 9, -8]), 2)
    unify.array([ 2,  2, -2])
    """


@primary
def bitwise_xor(x1: IntegerOrBoolOperand, x2: IntegerOrBoolOperand, /, *, out: Out = None) -> Array:
    """Bitwise XOR of the elements of two arrays.

    Shapes broadcast. For bool this is the logical operation. Negative integers are taken in two's
    complement.

    Parameters
    ----------
    x1
        Integer or bool array, or Python integer or bool.
    x2
        Integer or bool array, or Python integer or bool.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If an operand is neither integer nor bool.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    References
    ----------
    Array API standard 2025.12, ``bitwise_xor``.

    Examples
    --------
    >>> unify.bitwise_xor(unify.array([12, 10]), 6)
    unify.array([10, 12])
    """


@mixed
def cbrt(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Cube root.

    Parameters
    ----------
    x
        Array of real data type.

    Returns
    -------
    Array of x's shape and data type; bool and integers give the default floating-point data type.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    NumPy's ``cbrt``.

    Examples
    --------
    >>> unify.cbrt(unify.array([8.0, -27.0]))
    unify.array([ 2., -3.])
    """
    x = _real("cbrt", "x", x)
    xp = x.__array_namespace__()
    ordinary = xp.isfinite(x) & (x != 0)
    inner = xp.where(ordinary, x, 1.0)
    root = xp.copysign(xp.pow(xp.abs(inner), 1 / 3), inner)
    # One step of Newton's method: the exponent is rounded, and exact cubes have exact roots.
    root = root - (root - inner / (root * root)) / 3
    # The square root has the same zeros, and the same slope there.
    others = xp.where(x == 0, xp.sqrt(xp.where(x == 0, x, 1.0)), x)
    return xp.where(ordinary, root, others)


@primary
def ceil(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element rounded up to an integer value.

    Integers stay as they are, in their data type.

    Parameters
    ----------
    x
        Real-valued array.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    Infinities and NaN stay as they are, and zeros keep their signs.

    References
    ----------
    Array API standard 2025.12, ``ceil``.

    Examples
    --------
    >>> unify.ceil(unify.array([-1.5, 0.2, 2.]))
    unify.array([-1.,  1.,  2.])
    """


@primary
def clip(
    x: ArrayIn, /, min: OptionalReal = None, max: OptionalReal = None, *, out: Out = None
) -> Array:
    """Each element, limited to the range from `min` to `max`.

    The shapes of all three broadcast. Without bounds the result is a copy. Where `min` is greater
    than `max`, the result is `max`.

    Parameters
    ----------
    x
        Real-valued array.
    min
        Lower bound: an array, a Python number, or None for no bound.
    max
        Upper bound: an array, a Python number, or None for no bound.

    Returns
    -------
    Array of the broadcast shape. It has x's data type, or the one to which `x` and the bounds
    promote if that is a higher one.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If `x` holds integers and a bound is a Python integer that their data type can't hold. A
        bound that no element can pass is accepted.

    Notes
    -----
    NaN in `x` or in a bound gives NaN.

    References
    ----------
    Array API standard 2025.12, ``clip``.

    Examples
    --------
    >>> unify.clip(unify.array([-1., 0.5, 2.]), 0., 1.)
    unify.array([0. , 0.5, 1. ])
    >>> unify.clip(unify.array([1, 2, 3]), max=unify.array([3, 1, 2]))
    unify.array([1, 1, 2])
    """


@primary
def conj(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Complex conjugate of each element.

    Real numbers are their own conjugates.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape and data type.

    References
    ----------
    Array API standard 2025.12, ``conj``.

    Examples
    --------
    >>> unify.conj(unify.array([1.+2.j, 3.-4.j]))
    unify.array([1.-2.j, 3.+4.j])
    """


@primary
def copysign(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Magnitude of each element of `x1`, with the sign of `x2`.

    Shapes broadcast. Only the sign bit of `x2` counts; zeros and NaN have one, too.

    Parameters
    ----------
    x1
        Magnitudes: real floating-point array or Python number. Without a floating-point operand,
        the computation is in float64.
    x2
        Signs: real floating-point array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    References
    ----------
    Array API standard 2025.12, ``copysign``.

    Examples
    --------
    >>> unify.copysign(unify.array([1., -2., 3.]), unify.array([-1., 1., -0.]))
    unify.array([-1.,  2., -3.])
    """


@primary
def cos(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Cosine of each element.

    Parameters
    ----------
    x
        Angles in radians. Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    A real infinity gives NaN.

    References
    ----------
    Array API standard 2025.12, ``cos``.

    Examples
    --------
    >>> unify.cos(unify.array([0., 1., 2.]))
    unify.array([ 1.        ,  0.54030231, -0.41614684])
    """


@primary
def cosh(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Hyperbolic cosine of each element.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    Plus and minus infinity both give plus infinity.

    References
    ----------
    Array API standard 2025.12, ``cosh``.

    Examples
    --------
    >>> unify.cosh(unify.array([-1., 0., 1.]))
    unify.array([1.54308063, 1.        , 1.54308063])
    """


@compositional
def deg2rad(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Angles in radians of angles in degrees.

    Parameters
    ----------
    x
        Real array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    NumPy's ``deg2rad``.

    Examples
    --------
    >>> unify.deg2rad(unify.array([0., 90., 180.]))
    unify.array([0.        , 1.57079633, 3.14159265])
    """
    xp = x.__array_namespace__()
    return xp.multiply(_real("deg2rad", "x", x), math.pi / 180)


@primary
def divide(x1: NumericOperand, x2: NumericOperand, /, *, out: Out = None) -> Array:
    """Quotient of the elements of two arrays.

    This is true division, also for integers. Shapes broadcast.

    Parameters
    ----------
    x1
        Dividend. Numeric array or Python number.
    x2
        Divisor. Numeric array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is float64 for bool
    and integers.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    A nonzero number divided by zero is infinite; the signs of both, zero included, give its sign. 0
    / 0 and inf / inf are NaN.

    References
    ----------
    Array API standard 2025.12, ``divide``.

    Examples
    --------
    >>> unify.divide(unify.array([1, 2, 3]), 2)
    unify.array([0.5, 1. , 1.5])
    >>> unify.divide(1., unify.array([2., float('inf')]))
    unify.array([0.5, 0. ])
    """


@compositional
def divmod(x1: RealOperand, x2: RealOperand, /) -> tuple[Array, Array]:
    """Quotient rounded down, and remainder; see `floor_divide` and `remainder`.

    Parameters
    ----------
    x1
        Dividends: real-valued array or Python number.
    x2
        Divisors: real-valued array or Python number.

    Returns
    -------
    A tuple of two arrays of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    References
    ----------
    NumPy's ``divmod``.

    Examples
    --------
    >>> unify.divmod(unify.array([7, -7]), 3)
    (unify.array([ 2, -3]), unify.array([1, 2]))
    """
    xp = _namespace(x1, x2)
    return xp.floor_divide(x1, x2), xp.remainder(x1, x2)


@primary
def equal(x1: Operand, x2: Operand, /, *, out: Out = None) -> Array:
    """Test whether the elements of two arrays are equal.

    Shapes broadcast. Complex numbers are equal where both of their components are.

    Parameters
    ----------
    x1
        Array or Python scalar.
    x2
        Array or Python scalar.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    NaN equals nothing, itself included. -0 equals +0.

    References
    ----------
    Array API standard 2025.12, ``equal``.

    Examples
    --------
    >>> unify.equal(unify.array([1., 2., 0.]), unify.array([1., 3., -0.]))
    unify.array([ True, False,  True])
    """


@primary
def exp(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Exponential function of each element.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    Plus infinity gives infinity, minus infinity gives 0.

    References
    ----------
    Array API standard 2025.12, ``exp``.

    Examples
    --------
    >>> unify.exp(unify.array([0., 1., 2.]))
    unify.array([1.        , 2.71828183, 7.3890561 ])
    """


@mixed
def exp2(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Power of two.

    Parameters
    ----------
    x
        Exponents: array of any data type.

    Returns
    -------
    Array of x's shape and data type; bool and integers give the default floating-point data type.

    References
    ----------
    NumPy's ``exp2``.

    Examples
    --------
    >>> unify.exp2(unify.array([0, 1, 3]))
    unify.array([1., 2., 8.])
    """
    x = floating(x)
    xp = x.__array_namespace__()
    if x.dtype.kind != "c":
        return xp.pow(2.0, x)
    # Component by component, since a product with a complex number has NaN for infinity. Where the
    # imaginary component isn't finite, its size doesn't matter.
    angle = xp.imag(x) * math.log(2)
    known = xp.isfinite(angle)
    exponent = xp.real(x) * math.log(2) + xp.where(known, angle, 0.0) * 1j
    return xp.where(known, xp.exp(exponent), xp.exp(x))


@primary
def expm1(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Exponential of each element, minus 1.

    It is accurate near zero, where ``exp(x) - 1`` would lose digits; this holds for complex
    numbers, too.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    Plus infinity gives infinity, minus infinity gives -1.

    References
    ----------
    Array API standard 2025.12, ``expm1``.

    Examples
    --------
    >>> unify.expm1(unify.array([0., 1e-10, 1.]))
    unify.array([0.00000000e+00, 1.00000000e-10, 1.71828183e+00])
    """


@compositional
def float_power(x1: NumericOperand, x2: NumericOperand, /, *, out: Out = None) -> Array:
    """Powers in double precision: `x1` to the power of `x2`, also of integers.

    Shapes broadcast. Negative powers of integers are fractions, which `pow` refuses.

    Parameters
    ----------
    x1
        Bases: numeric array or Python number.
    x2
        Exponents: numeric array or Python number.

    Returns
    -------
    Array of the broadcast shape and of data type float64, or complex128 where an operand is
    complex.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.

    References
    ----------
    NumPy's ``float_power``.

    Examples
    --------
    >>> unify.float_power(unify.array([1, 2, 4]), -2)
    unify.array([1.    , 0.25  , 0.0625])
    """
    xp = _namespace(x1, x2)
    kinds = [type(x) is complex if is_number(x) else x.dtype.kind == "c" for x in (x1, x2)]
    wide = xp.complex128 if any(kinds) else xp.float64
    base, exponent = (x if is_number(x) else xp.astype(x, wide) for x in (x1, x2))
    return xp.pow(base, exponent)


@primary
def floor(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element rounded down to an integer value.

    Integers stay as they are, in their data type.

    Parameters
    ----------
    x
        Real-valued array.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    Infinities and NaN stay as they are, and zeros keep their signs.

    References
    ----------
    Array API standard 2025.12, ``floor``.

    Examples
    --------
    >>> unify.floor(unify.array([-1.5, 0.2, 2.]))
    unify.array([-2.,  0.,  2.])
    """


@primary
def floor_divide(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Quotient of the elements of two arrays, rounded down.

    Shapes broadcast. What the division of an integer by zero gives depends on the backend.

    Parameters
    ----------
    x1
        Dividend. Real-valued array or Python number.
    x2
        Divisor. Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    Notes
    -----
    Where an operand is infinite, the result is ``floor(x1 / x2)``. This differs from Python: inf //
    2 is inf, and 1 // -inf is -0. Zero divided by zero is NaN.

    References
    ----------
    Array API standard 2025.12, ``floor_divide``.

    Examples
    --------
    >>> unify.floor_divide(unify.array([7, -7]), 2)
    unify.array([ 3, -4])
    >>> unify.floor_divide(unify.array([7.5, -7.5]), float('inf'))
    unify.array([ 0., -0.])
    """


@mixed
def fmax(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """The greater of the elements of two arrays, where NaN counts as missing.

    Shapes broadcast.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules. It is NaN where both
    operands are; `maximum` is where one is.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    References
    ----------
    NumPy's ``fmax``.

    Examples
    --------
    >>> unify.fmax(unify.array([1., unify.nan]), unify.array([3., 2.]))
    unify.array([3., 2.])
    """
    return _without_nan("maximum", x1, x2)


@mixed
def fmin(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """The lesser of the elements of two arrays, where NaN counts as missing.

    Shapes broadcast.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules. It is NaN where both
    operands are; `minimum` is where one is.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    References
    ----------
    NumPy's ``fmin``.

    Examples
    --------
    >>> unify.fmin(unify.array([1., unify.nan]), unify.array([3., 2.]))
    unify.array([1., 2.])
    """
    return _without_nan("minimum", x1, x2)


@compositional
def fmod(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Rest of a division whose quotient is rounded towards zero: it has the sign of `x1`.

    Shapes broadcast. `remainder` has the sign of `x2`.

    Parameters
    ----------
    x1
        Dividends: real-valued array or Python number.
    x2
        Divisors: real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If an operand is complex, or both are bools.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    Notes
    -----
    Of floating-point numbers, the rest of an infinite `x1`, or of a division by zero, is NaN, and
    that of a division by an infinity is `x1`. Of integers, that of a division by zero is 0.

    References
    ----------
    NumPy's ``fmod``.

    Examples
    --------
    >>> unify.fmod(unify.array([-7, 7, -7]), unify.array([3, -3, -3]))
    unify.array([-1,  1, -1])
    >>> unify.fmod(unify.array([-7.5]), 2.0)
    unify.array([-1.5])
    """
    xp = _namespace(x1, x2)
    rest = xp.remainder(x1, x2)
    if rest.dtype.kind != "f":
        operands: list[BodyArray] = [x1, x2]
        first, second = (x < 0 for x in operands)
        # PyTorch's compiler subtracts no bools.
        divisor: BodyArray = x2
        divisor = divisor * 1 if is_number(x2) else xp.astype(x2, rest.dtype, copy=False)
        return xp.where(xp.not_equal(first, second) & (rest != 0), rest - divisor, rest)
    # The remainder of magnitudes is exact. They are products, whose derivative is 1 at 0, too.
    (first, sign), (second, other) = (_with_sign(xp, x, rest.dtype) for x in (x1, x2))
    return xp.remainder(first * sign, second * other) * sign


def _with_sign(xp: Any, x: BodyArray, dtype: DType) -> tuple[Any, Any]:
    """Return an operand in a data type, and 1 or -1 of its sign."""
    if is_number(x):
        return x, math.copysign(1.0, x)
    x = xp.astype(x, dtype, copy=False)
    return x, xp.copysign(1.0, x)


@primary
def greater(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Test whether each element of `x1` is greater than the one of `x2`.

    Shapes broadcast. Complex numbers have no order: what they give depends on the backend.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    Every comparison with NaN is false.

    References
    ----------
    Array API standard 2025.12, ``greater``.

    Examples
    --------
    >>> unify.greater(unify.array([1, 2, 3]), 2)
    unify.array([False, False,  True])
    """


@primary
def greater_equal(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Test whether each element of `x1` is greater than or equal to the one of `x2`.

    Shapes broadcast. Complex numbers have no order: what they give depends on the backend.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    Every comparison with NaN is false.

    References
    ----------
    Array API standard 2025.12, ``greater_equal``.

    Examples
    --------
    >>> unify.greater_equal(unify.array([1, 2, 3]), 2)
    unify.array([False,  True,  True])
    """


@mixed
def heaviside(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Heaviside's step function: 0 for negative numbers, 1 for positive ones.

    Shapes broadcast.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Values where `x1` is zero: real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers. It is NaN where `x1` is.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    References
    ----------
    NumPy's ``heaviside``.

    Examples
    --------
    >>> unify.heaviside(unify.array([-1.5, 0.0, 2.0]), 0.5)
    unify.array([0. , 0.5, 1. ])
    """
    operands: list[BodyArray] = [x1, x2]
    kinds = [x.dtype.kind for x in operands if not is_number(x)]
    if "f" not in kinds and "c" not in kinds:
        operands = [x if is_number(x) else floating(x) for x in operands]
    xp, step, x2 = _namespace(x1, x2), *operands
    found = _real("heaviside", "x1", xp.where(step == 0, x2, step))
    return xp.where(step < 0, 0.0, xp.where(step > 0, 1.0, found))


@primary
def hypot(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Length of the hypotenuse over the legs `x1` and `x2`.

    It neither overflows nor underflows on the way to the result. Shapes broadcast.

    Parameters
    ----------
    x1
        One leg: real floating-point array or Python number. Without a floating-point operand, the
        computation is in float64.
    x2
        The other leg: real floating-point array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    An infinite leg makes the result infinite, even if the other leg is NaN.

    References
    ----------
    Array API standard 2025.12, ``hypot``.

    Examples
    --------
    >>> unify.hypot(unify.array([3., 5.]), unify.array([4., 12.]))
    unify.array([ 5., 13.])
    """


@primary
def imag(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Imaginary component of each element.

    For real numbers it is zero.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Real-valued array of x's shape and precision: a view of a complex `x`, a new array otherwise.

    References
    ----------
    Array API standard 2025.12, ``imag``.

    Examples
    --------
    >>> unify.imag(unify.array([1.+2.j, 3.-4.j]))
    unify.array([ 2., -4.])
    """


@primary
def isfinite(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Test whether each element is neither infinite nor NaN.

    A complex number is finite if both components are.

    Parameters
    ----------
    x
        Array of any data type.

    Returns
    -------
    Bool array of x's shape.

    References
    ----------
    Array API standard 2025.12, ``isfinite``.

    Examples
    --------
    >>> unify.isfinite(unify.array([1., float('inf'), float('nan')]))
    unify.array([ True, False, False])
    """


@primary
def isinf(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Test whether each element is plus or minus infinity.

    A complex number is infinite if one of its components is, even if the other one is NaN.

    Parameters
    ----------
    x
        Array of any data type.

    Returns
    -------
    Bool array of x's shape.

    References
    ----------
    Array API standard 2025.12, ``isinf``.

    Examples
    --------
    >>> unify.isinf(unify.array([1., float('-inf'), float('nan')]))
    unify.array([False,  True, False])
    """


@primary
def isnan(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Test whether each element is NaN.

    A complex number is NaN if one of its components is.

    Parameters
    ----------
    x
        Array of any data type.

    Returns
    -------
    Bool array of x's shape.

    References
    ----------
    Array API standard 2025.12, ``isnan``.

    Examples
    --------
    >>> unify.isnan(unify.array([1., float('inf'), float('nan')]))
    unify.array([False, False,  True])
    """


@compositional
def isneginf(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Test whether each element is minus infinity.

    Parameters
    ----------
    x
        Array of any real data type.

    Returns
    -------
    Bool array of x's shape.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    NumPy's ``isneginf``.

    Examples
    --------
    >>> unify.isneginf(unify.array([1., float('-inf'), float('inf'), float('nan')]))
    unify.array([False,  True, False, False])
    """
    xp = x.__array_namespace__()
    values = _real("isneginf", "x", x)
    return xp.isinf(values) & (values < 0)


@compositional
def isposinf(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Test whether each element is plus infinity.

    Parameters
    ----------
    x
        Array of any real data type.

    Returns
    -------
    Bool array of x's shape.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    NumPy's ``isposinf``.

    Examples
    --------
    >>> unify.isposinf(unify.array([1., float('-inf'), float('inf'), float('nan')]))
    unify.array([False, False,  True, False])
    """
    xp = x.__array_namespace__()
    values = _real("isposinf", "x", x)
    return xp.isinf(values) & (values > 0)


@primary
def less(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Test whether each element of `x1` is less than the one of `x2`.

    Shapes broadcast. Complex numbers have no order: what they give depends on the backend.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    Every comparison with NaN is false.

    References
    ----------
    Array API standard 2025.12, ``less``.

    Examples
    --------
    >>> unify.less(unify.array([1, 2, 3]), 2)
    unify.array([ True, False, False])
    """


@primary
def less_equal(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Test whether each element of `x1` is less than or equal to the one of `x2`.

    Shapes broadcast. Complex numbers have no order: what they give depends on the backend.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    Every comparison with NaN is false.

    References
    ----------
    Array API standard 2025.12, ``less_equal``.

    Examples
    --------
    >>> unify.less_equal(unify.array([1, 2, 3]), 2)
    unify.array([ True,  True, False])
    """


@primary
def log(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Natural logarithm of each element.

    For complex numbers the branch cut is the negative real axis. The imaginary component of a
    result lies in [-pi, pi].

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    Zero gives minus infinity. A negative real number gives NaN.

    References
    ----------
    Array API standard 2025.12, ``log``.

    Examples
    --------
    >>> unify.log(unify.array([1., 10.]))
    unify.array([0.        , 2.30258509])
    """


@primary
def log10(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Logarithm to base 10 of each element.

    For complex numbers this is log(x) / log(10).

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    Zero gives minus infinity. A negative real number gives NaN.

    References
    ----------
    Array API standard 2025.12, ``log10``.

    Examples
    --------
    >>> unify.log10(unify.array([1., 1000.]))
    unify.array([0., 3.])
    """


@primary
def log1p(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Natural logarithm of 1 plus each element.

    It is accurate near zero, where ``log(1 + x)`` would lose digits; this holds for complex
    numbers, too.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    -1 gives minus infinity. A real element below -1 gives NaN.

    References
    ----------
    Array API standard 2025.12, ``log1p``.

    Examples
    --------
    >>> unify.log1p(unify.array([0., 1e-10, 1.]))
    unify.array([0.00000000e+00, 1.00000000e-10, 6.93147181e-01])
    """


@primary
def log2(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Logarithm to base 2 of each element.

    For complex numbers this is log(x) / log(2).

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    Zero gives minus infinity. A negative real number gives NaN.

    References
    ----------
    Array API standard 2025.12, ``log2``.

    Examples
    --------
    >>> unify.log2(unify.array([1., 8.]))
    unify.array([0., 3.])
    """


@primary
def logaddexp(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Logarithm of the sum of the exponentials, ``log(exp(x1) + exp(x2))``.

    It neither overflows nor underflows on the way to the result. Shapes broadcast.

    Parameters
    ----------
    x1
        Real floating-point array or Python number. Without a floating-point operand, the
        computation is in float64.
    x2
        Real floating-point array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    References
    ----------
    Array API standard 2025.12, ``logaddexp``.

    Examples
    --------
    >>> unify.logaddexp(unify.array([0., -1000.]), unify.array([0., -1000.]))
    unify.array([ 6.93147181e-01, -9.99306853e+02])
    """


@primary
def logical_and(x1: BoolOperand, x2: BoolOperand, /, *, out: Out = None) -> Array:
    """Test whether the elements of two arrays are both true.

    Shapes broadcast.

    Parameters
    ----------
    x1
        Bool array or Python bool. A number counts as true unless it is zero; NaN counts as true.
    x2
        Bool array or Python bool. A number counts as true unless it is zero; NaN counts as true.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.

    References
    ----------
    Array API standard 2025.12, ``logical_and``.

    Examples
    --------
    >>> unify.logical_and(unify.array([True, True, False]), unify.array([True, False, False]))
    unify.array([ True, False, False])
    """


@primary
def logical_not(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Test whether each element is false.

    Parameters
    ----------
    x
        Bool array. A number counts as true unless it is zero; NaN counts as true.

    Returns
    -------
    Bool array of x's shape.

    References
    ----------
    Array API standard 2025.12, ``logical_not``.

    Examples
    --------
    >>> unify.logical_not(unify.array([True, False]))
    unify.array([False,  True])
    """


@primary
def logical_or(x1: BoolOperand, x2: BoolOperand, /, *, out: Out = None) -> Array:
    """Test whether at least one of the elements of two arrays is true.

    Shapes broadcast.

    Parameters
    ----------
    x1
        Bool array or Python bool. A number counts as true unless it is zero; NaN counts as true.
    x2
        Bool array or Python bool. A number counts as true unless it is zero; NaN counts as true.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.

    References
    ----------
    Array API standard 2025.12, ``logical_or``.

    Examples
    --------
    >>> unify.logical_or(unify.array([True, True, False]), unify.array([True, False, False]))
    unify.array([ True,  True, False])
    """


@primary
def logical_xor(x1: BoolOperand, x2: BoolOperand, /, *, out: Out = None) -> Array:
    """Test whether exactly one of the elements of two arrays is true.

    Shapes broadcast.

    Parameters
    ----------
    x1
        Bool array or Python bool. A number counts as true unless it is zero; NaN counts as true.
    x2
        Bool array or Python bool. A number counts as true unless it is zero; NaN counts as true.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.

    References
    ----------
    Array API standard 2025.12, ``logical_xor``.

    Examples
    --------
    >>> unify.logical_xor(unify.array([True, True, False]), unify.array([True, False, False]))
    unify.array([False,  True, False])
    """


@primary
def maximum(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """The greater of the elements of two arrays.

    Shapes broadcast. The backend decides whether -0 or +0 is the greater, and what complex numbers
    give.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    Notes
    -----
    NaN in either operand gives NaN.

    References
    ----------
    Array API standard 2025.12, ``maximum``.

    Examples
    --------
    >>> unify.maximum(unify.array([1., 5.]), unify.array([3., float('nan')]))
    unify.array([ 3., nan])
    """


@primary
def minimum(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """The smaller of the elements of two arrays.

    Shapes broadcast. The backend decides whether -0 or +0 is the smaller, and what complex numbers
    give.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    Notes
    -----
    NaN in either operand gives NaN.

    References
    ----------
    Array API standard 2025.12, ``minimum``.

    Examples
    --------
    >>> unify.minimum(unify.array([1., 5.]), unify.array([3., float('nan')]))
    unify.array([ 1., nan])
    """


@primary
def multiply(x1: NumericOperand, x2: NumericOperand, /, *, out: Out = None) -> Array:
    """Product of the elements of two arrays.

    Shapes broadcast. Integers wrap around at the limits of their data type. The product of two
    bools is their logical and.

    Parameters
    ----------
    x1
        Numeric array or Python number.
    x2
        Numeric array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    Notes
    -----
    Zero times infinity is NaN.

    References
    ----------
    Array API standard 2025.12, ``multiply``.

    Examples
    --------
    >>> unify.multiply(unify.array([1, 2, 3]), unify.array([[10], [20]]))
    unify.array([[10, 20, 30],
                 [20, 40, 60]])
    """


@primary
def negative(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element with its sign changed.

    Unsigned integers wrap around, and so does the smallest signed integer.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyTypeError
        If `x` is bool: use `logical_not`.

    References
    ----------
    Array API standard 2025.12, ``negative``.

    Examples
    --------
    >>> unify.negative(unify.array([1., -2., 0.]))
    unify.array([-1.,  2., -0.])
    """


@primary
def nextafter(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Next number after each element of `x1` in the direction of `x2`.

    It is the next one that the data type can represent. Both operands should have the same data
    type. Shapes broadcast.

    Parameters
    ----------
    x1
        Starting points: real floating-point array or Python number. Without a floating-point
        operand, the computation is in float64.
    x2
        Directions: real floating-point array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    NaN in either operand gives NaN. Where the operands are equal the result is that of `x2`, which
    matters for the signs of zeros.

    References
    ----------
    Array API standard 2025.12, ``nextafter``.

    Examples
    --------
    >>> unify.nextafter(unify.array([1., 1.]), unify.array([2., 0.])) - 1.
    unify.array([ 2.22044605e-16, -1.11022302e-16])
    """


@primary
def not_equal(x1: Operand, x2: Operand, /, *, out: Out = None) -> Array:
    """Test whether the elements of two arrays differ.

    Shapes broadcast. Complex numbers differ if one of their components does.

    Parameters
    ----------
    x1
        Array or Python scalar.
    x2
        Array or Python scalar.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    NaN differs from everything, itself included. -0 does not differ from +0.

    References
    ----------
    Array API standard 2025.12, ``not_equal``.

    Examples
    --------
    >>> unify.not_equal(unify.array([1., 2., 0.]), unify.array([1., 3., -0.]))
    unify.array([False,  True, False])
    """


@primary
def positive(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element as it is, in a new array.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyTypeError
        If `x` is bool.

    References
    ----------
    Array API standard 2025.12, ``positive``.

    Examples
    --------
    >>> unify.positive(unify.array([1, -2]))
    unify.array([ 1, -2])
    """


@primary
def pow(x1: NumericOperand, x2: NumericOperand, /, *, out: Out = None) -> Array:
    """Each element of `x1`, raised to the power of the element of `x2`.

    Shapes broadcast. Integers wrap around at the limits of their data type. Complex powers are
    ``exp(x2 * log(x1))``, with the branch cut of `log`.

    Parameters
    ----------
    x1
        Base. Numeric array or Python number.
    x2
        Exponent. Numeric array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast, or if both operands are integers and an exponent is negative:
        make one of them floating-point.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    Notes
    -----
    ``x ** 0`` is 1 for every x. ``1 ** x`` is 1 for every x but NaN. A negative finite base gives
    NaN with an exponent that isn't an integer; (-inf) ** 0.5 is inf, and (-0) ** 0.5 is +0.

    References
    ----------
    Array API standard 2025.12, ``pow``.

    Examples
    --------
    >>> unify.pow(unify.array([1, 2, 3]), 2)
    unify.array([1, 4, 9])
    >>> unify.pow(2., unify.array([-1., 0.5]))
    unify.array([0.5       , 1.41421356])
    """


@compositional
def rad2deg(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Angles in degrees of angles in radians.

    Parameters
    ----------
    x
        Real array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    NumPy's ``rad2deg``.

    Examples
    --------
    >>> unify.rad2deg(unify.array([0., 1., 2.]))
    unify.array([  0.        ,  57.29577951, 114.59155903])
    """
    xp = x.__array_namespace__()
    return xp.multiply(_real("rad2deg", "x", x), 180 / math.pi)


@primary
def real(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Real component of each element.

    A real number is its own real component.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    A real-valued view of `x`, with its shape and precision.

    References
    ----------
    Array API standard 2025.12, ``real``.

    Examples
    --------
    >>> unify.real(unify.array([1.+2.j, 3.-4.j]))
    unify.array([1., 3.])
    """


@primary
def reciprocal(x: ArrayIn, /, *, out: Out = None) -> Array:
    """One divided by each element.

    This is ``divide(1., x)``, also for integers.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    References
    ----------
    Array API standard 2025.12, ``reciprocal``.

    Examples
    --------
    >>> unify.reciprocal(unify.array([1, 4, -5]))
    unify.array([ 1.  ,  0.25, -0.2 ])
    """


@primary
def remainder(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Remainder of the floor division of the elements of two arrays.

    This is Python's ``x1 % x2``: the result has the sign of `x2`, even where it is zero. Shapes
    broadcast. What the division of an integer by zero gives depends on the backend.

    Parameters
    ----------
    x1
        Dividend. Real-valued array or Python number.
    x2
        Divisor. Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    Notes
    -----
    A zero divisor or an infinite dividend gives NaN. For an infinite divisor the result is `x1`
    where the signs agree, and `x2` otherwise.

    References
    ----------
    Array API standard 2025.12, ``remainder``.

    Examples
    --------
    >>> unify.remainder(unify.array([7, -7]), 3)
    unify.array([1, 2])
    >>> unify.remainder(unify.array([5.5, -0.]), 2.)
    unify.array([1.5, 0. ])
    """


@primary
def round(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element, rounded to the nearest integer value.

    Halves are rounded to the even neighbour. The components of complex numbers are rounded
    separately. Integers stay as they are, in their data type.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape and data type.

    Notes
    -----
    Infinities and NaN stay as they are, and zeros keep their signs.

    References
    ----------
    Array API standard 2025.12, ``round``.

    Examples
    --------
    >>> unify.round(unify.array([0.5, 1.5, -1.7]))
    unify.array([ 0.,  2., -2.])
    """


@primary
def sign(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Sign of each element: -1, 0 or 1.

    For a complex number it is ``x / abs(x)``, and 0 for zero.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyTypeError
        If `x` is bool.

    Notes
    -----
    NaN gives NaN. A complex number with a NaN in it gives NaN + NaN j.

    References
    ----------
    Array API standard 2025.12, ``sign``.

    Examples
    --------
    >>> unify.sign(unify.array([-2.5, 0., 3.]))
    unify.array([-1.,  0.,  1.])
    >>> unify.sign(unify.array([3.+4.j]))
    unify.array([0.6+0.8j])
    """


@primary
def signbit(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Test whether the sign bit of each element is set.

    It is set for negative numbers, for -0, and for NaN with a minus sign.

    Parameters
    ----------
    x
        Real-valued array.

    Returns
    -------
    Bool array of x's shape.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Array API standard 2025.12, ``signbit``.

    Examples
    --------
    >>> unify.signbit(unify.array([-1., -0., 0.]))
    unify.array([ True,  True, False])
    """


@primary
def sin(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Sine of each element.

    Parameters
    ----------
    x
        Angles in radians. Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    A real infinity gives NaN.

    References
    ----------
    Array API standard 2025.12, ``sin``.

    Examples
    --------
    >>> unify.sin(unify.array([0., 1., 2.]))
    unify.array([0.        , 0.84147098, 0.90929743])
    """


@compositional
def sinc(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Normalized sinc function: ``sin(pi * x) / (pi * x)``, and 1 at zero.

    Parameters
    ----------
    x
        Array of any shape and data type.

    Returns
    -------
    Array of x's shape and data type; bool and integers give the default floating-point data type.

    References
    ----------
    NumPy's ``sinc``.

    Examples
    --------
    >>> unify.sinc(unify.array([0.0, 0.5]))
    unify.array([1.        , 0.63661977])
    """
    x = floating(x) * math.pi
    xp = x.__array_namespace__()
    zero = x == 0
    near, far = xp.where(zero, x, 0.0), xp.where(zero, 1.0, x)
    # The series has the right derivatives.
    return xp.where(zero, 1 - near * near / 6, xp.sin(far) / far)


@primary
def sinh(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Hyperbolic sine of each element.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    References
    ----------
    Array API standard 2025.12, ``sinh``.

    Examples
    --------
    >>> unify.sinh(unify.array([-1., 0., 1.]))
    unify.array([-1.17520119,  0.        ,  1.17520119])
    """


@primary
def sqrt(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Principal square root of each element.

    Real roots are correctly rounded. For complex numbers the branch cut is the negative real axis,
    and the real component of a result is not negative.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    A negative real number gives NaN. The root of -0 is -0.

    References
    ----------
    Array API standard 2025.12, ``sqrt``.

    Examples
    --------
    >>> unify.sqrt(unify.array([0., 2., 4.]))
    unify.array([0.        , 1.41421356, 2.        ])
    """


@primary
def square(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element multiplied by itself.

    Integers wrap around at the limits of their data type.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape and data type.

    References
    ----------
    Array API standard 2025.12, ``square``.

    Examples
    --------
    >>> unify.square(unify.array([1, 2, 3]))
    unify.array([1, 4, 9])
    """


@primary
def subtract(x1: NumericOperand, x2: NumericOperand, /, *, out: Out = None) -> Array:
    """Difference of the elements of two arrays.

    Shapes broadcast. Integers wrap around at the limits of their data type.

    Parameters
    ----------
    x1
        Numeric array or Python number.
    x2
        Numeric array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        If both operands are bool: use `logical_xor`.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the array.

    Notes
    -----
    Infinities of the same sign subtract to NaN.

    References
    ----------
    Array API standard 2025.12, ``subtract``.

    Examples
    --------
    >>> unify.subtract(unify.array([10, 20]), unify.array([1, 2]))
    unify.array([ 9, 18])
    """


@primary
def tan(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Tangent of each element.

    Parameters
    ----------
    x
        Angles in radians. Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    A real infinity gives NaN.

    References
    ----------
    Array API standard 2025.12, ``tan``.

    Examples
    --------
    >>> unify.tan(unify.array([0., 1., 2.]))
    unify.array([ 0.        ,  1.55740772, -2.18503986])
    """


@primary
def tanh(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Hyperbolic tangent of each element.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type; float64 for bool and integers.

    Notes
    -----
    Plus and minus infinity give 1 and -1. In tanh(inf + bj) = 1 + 0j the zero has the sign of b.

    References
    ----------
    Array API standard 2025.12, ``tanh``.

    Examples
    --------
    >>> unify.tanh(unify.array([-1., 0., 1.]))
    unify.array([-0.76159416,  0.        ,  0.76159416])
    """


@primary
def trunc(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element rounded toward zero to an integer value.

    Integers stay as they are, in their data type.

    Parameters
    ----------
    x
        Real-valued array.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    Infinities and NaN stay as they are, and zeros keep their signs.

    References
    ----------
    Array API standard 2025.12, ``trunc``.

    Examples
    --------
    >>> unify.trunc(unify.array([-1.5, 0.2, 2.]))
    unify.array([-1.,  0.,  2.])
    """
