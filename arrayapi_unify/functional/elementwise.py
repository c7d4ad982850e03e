"""Contracts of the elementwise functions: arithmetic, comparisons, logic, bits and mathematics."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.roles import (
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

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]


@primary
def abs(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Absolute value of each element; of a complex number, its magnitude.

    A magnitude is computed without overflow or underflow on the way. The smallest signed
    integer has no positive counterpart: the result is that integer itself.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape and data type; of the real data type of the same precision for complex x.

    Notes
    -----
    An infinite component makes the magnitude infinite, even beside NaN.

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

    Real results lie in [0, pi]. For complex numbers the branch cuts are the real axis below -1
    and above 1, and the sign of a zero imaginary component chooses the side.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

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

    For complex numbers the branch cut is the real axis below 1; the real component of a result
    is not negative, and the imaginary one lies in [-pi, pi].

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

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
def add(
    x1: NumericOperand,
    x2: NumericOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Sum of the elements of two arrays.

    Shapes broadcast. Integers wrap around at the limits of their data type; bool is added as
    logical or.

    Parameters
    ----------
    x1
        Numeric array or Python number.
    x2
        Numeric array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

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
    Array of x's shape and data type, float64 for bool and integers.

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

    For complex numbers the branch cuts are the imaginary axis below -1j and above 1j; the
    imaginary component of a result lies in [-pi/2, pi/2].

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

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
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    At plus and minus infinity the result is pi/2 and -pi/2.

    References
    ----------
    Array API standard 2025.12, ``atan``.

    Examples
    --------
    >>> unify.atan(unify.array([-1., 0., 1.]))
    unify.array([-0.78539816,  0.        ,  0.78539816])
    """


@primary
def atan2(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Angle of the point (x2, x1) from the positive first axis, in radians.

    That is the inverse tangent of x1 / x2 in the quadrant of the two signs, in [-pi, pi]. Note
    the order: y comes first. Shapes broadcast.

    Parameters
    ----------
    x1
        The y-coordinate. Real floating-point array or Python number; without any
        floating-point operand, the computation is in float64.
    x2
        The x-coordinate, likewise.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        For a complex operand.

    Notes
    -----
    The sign of a zero y says on which side of the cut along the negative x-axis the point lies;
    infinite coordinates give multiples of pi/4.

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

    For complex numbers the branch cuts are the real axis below -1 and above 1; the imaginary
    component of a result lies in [-pi/2, pi/2].

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    At -1 and 1 the result is minus and plus infinity; a real element beyond gives NaN.

    References
    ----------
    Array API standard 2025.12, ``atanh``.

    Examples
    --------
    >>> unify.atanh(unify.array([-0.5, 0., 0.5]))
    unify.array([-0.54930614,  0.        ,  0.54930614])
    """


@primary
def bitwise_and(
    x1: IntegerOrBoolOperand,
    x2: IntegerOrBoolOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Bitwise AND of the elements of two arrays.

    Shapes broadcast. For bool it is the logical operation; negative integers count in two's
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
        For a floating-point operand.

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

    Of bool that is logical not, of a signed integer n it is -n - 1.

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
        For a floating-point array.

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
def bitwise_left_shift(
    x1: IntegerOperand,
    x2: IntegerOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Each element with its bits moved to the left.

    Zeros come in from the right, and bits beyond the data type's width are lost. Shapes
    broadcast. The result for a negative number of places, or for the width and more, depends on
    the backend.

    Parameters
    ----------
    x1
        Integer array or Python integer.
    x2
        Number of places, not negative; integer array or Python integer.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        For a floating-point operand.

    References
    ----------
    Array API standard 2025.12, ``bitwise_left_shift``.

    Examples
    --------
    >>> unify.bitwise_left_shift(unify.array([1, 2, 3]), 2)
    unify.array([ 4,  8, 12])
    """


@primary
def bitwise_or(
    x1: IntegerOrBoolOperand,
    x2: IntegerOrBoolOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Bitwise OR of the elements of two arrays.

    Shapes broadcast. For bool it is the logical operation; negative integers count in two's
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
        For a floating-point operand.

    References
    ----------
    Array API standard 2025.12, ``bitwise_or``.

    Examples
    --------
    >>> unify.bitwise_or(unify.array([12, 10]), 6)
    unify.array([14, 14])
    """


@primary
def bitwise_right_shift(
    x1: IntegerOperand,
    x2: IntegerOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Each element with its bits moved to the right.

    The sign is kept, so this is the floor division by a power of two. Shapes broadcast. The
    result for a negative number of places, or for the width and more, depends on the backend.

    Parameters
    ----------
    x1
        Integer array or Python integer.
    x2
        Number of places, not negative; integer array or Python integer.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

    Raises
    ------
    UnifyTypeError
        For a floating-point operand.

    References
    ----------
    Array API standard 2025.12, ``bitwise_right_shift``.

    Examples
    --------
    >>> unify.bitwise_right_shift(unify.array([8, 9, -8]), 2)
    unify.array([ 2,  2, -2])
    """


@primary
def bitwise_xor(
    x1: IntegerOrBoolOperand,
    x2: IntegerOrBoolOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Bitwise XOR of the elements of two arrays.

    Shapes broadcast. For bool it is the logical operation; negative integers count in two's
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
        For a floating-point operand.

    References
    ----------
    Array API standard 2025.12, ``bitwise_xor``.

    Examples
    --------
    >>> unify.bitwise_xor(unify.array([12, 10]), 6)
    unify.array([10, 12])
    """


@primary
def ceil(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element rounded up to an integer value.

    Integers are returned as they are, in their data type.

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
        For a complex array.

    Notes
    -----
    Infinities, NaN and signed zeros stay.

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
    x: ArrayIn,
    /,
    min: OptionalReal = None,
    max: OptionalReal = None,
    *,
    out: Out = None,
) -> Array:
    """Each element clamped to the range from `min` to `max`.

    The shapes of all three broadcast. With neither bound the result is a copy. Where min is
    greater than max the result is max.

    Parameters
    ----------
    x
        Real-valued array.
    min
        Lower bound: array, Python number, or None for no bound.
    max
        Upper bound, likewise.

    Returns
    -------
    Array of the broadcast shape and x's data type; where a bound is of a higher data type, the
    one they promote to.

    Raises
    ------
    UnifyOverflowError
        For an integer x and a Python integer that its data type can't hold, unless no
        element can pass that bound.

    Notes
    -----
    NaN in x or in a bound gives NaN.

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

    Of a real array it is the array's values unchanged.

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
def copysign(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Each magnitude of `x1` with the sign of `x2`.

    Shapes broadcast. Only the sign bit of x2 counts, also that of zeros and NaN.

    Parameters
    ----------
    x1
        Magnitudes. Real floating-point array or Python number; without any floating-point
        operand, the computation is in float64.
    x2
        Signs, likewise.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        For a complex operand.

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
    Array of x's shape and data type, float64 for bool and integers.

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
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    Both real infinities give plus infinity.

    References
    ----------
    Array API standard 2025.12, ``cosh``.

    Examples
    --------
    >>> unify.cosh(unify.array([-1., 0., 1.]))
    unify.array([1.54308063, 1.        , 1.54308063])
    """


@primary
def divide(
    x1: NumericOperand,
    x2: NumericOperand,
    /,
    *,
    out: Out = None,
) -> Array:
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
    Array of the broadcast shape; the data type follows the promotion rules, float64 for bool
    and integers.

    Notes
    -----
    A nonzero number divided by zero is an infinity of the sign that both signs make; 0 / 0 and inf
    / inf are NaN.

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


@primary
def equal(
    x1: Operand,
    x2: Operand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Whether the elements of two arrays are equal.

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

    Notes
    -----
    NaN equals nothing; -0 equals +0.

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
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    At plus and minus infinity the result is infinity and 0.

    References
    ----------
    Array API standard 2025.12, ``exp``.

    Examples
    --------
    >>> unify.exp(unify.array([0., 1., 2.]))
    unify.array([1.        , 2.71828183, 7.3890561 ])
    """


@primary
def expm1(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Exponential of each element, minus 1.

    It is accurate near zero, where exp(x) - 1 would lose its digits; for complex numbers too.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    At plus and minus infinity the result is infinity and -1.

    References
    ----------
    Array API standard 2025.12, ``expm1``.

    Examples
    --------
    >>> unify.expm1(unify.array([0., 1e-10, 1.]))
    unify.array([0.00000000e+00, 1.00000000e-10, 1.71828183e+00])
    """


@primary
def floor(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Each element rounded down to an integer value.

    Integers are returned as they are, in their data type.

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
        For a complex array.

    Notes
    -----
    Infinities, NaN and signed zeros stay.

    References
    ----------
    Array API standard 2025.12, ``floor``.

    Examples
    --------
    >>> unify.floor(unify.array([-1.5, 0.2, 2.]))
    unify.array([-2.,  0.,  2.])
    """


@primary
def floor_divide(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Quotient of the elements of two arrays, rounded down.

    Shapes broadcast. Integer division by zero gives a value that depends on the backend.

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
        For a complex operand.

    Notes
    -----
    Where an operand is infinite the result is floor(x1 / x2), unlike in Python: inf // 2 is inf and
    1 // -inf is -0. Zero divided by zero is NaN.

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


@primary
def greater(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Whether each element of `x1` is greater than that of `x2`.

    Shapes broadcast. Complex numbers have no order; what they give depends on the backend.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Bool array of the broadcast shape.

    Notes
    -----
    Comparison with NaN is False.

    References
    ----------
    Array API standard 2025.12, ``greater``.

    Examples
    --------
    >>> unify.greater(unify.array([1, 2, 3]), 2)
    unify.array([False, False,  True])
    """


@primary
def greater_equal(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Whether each element of `x1` is greater than or equal to that of `x2`.

    Shapes broadcast. Complex numbers have no order; what they give depends on the backend.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Bool array of the broadcast shape.

    Notes
    -----
    Comparison with NaN is False.

    References
    ----------
    Array API standard 2025.12, ``greater_equal``.

    Examples
    --------
    >>> unify.greater_equal(unify.array([1, 2, 3]), 2)
    unify.array([False,  True,  True])
    """


@primary
def hypot(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Length of the hypotenuse over the legs `x1` and `x2`.

    It is computed without overflow or underflow on the way. Shapes broadcast.

    Parameters
    ----------
    x1
        Real floating-point array or Python number; without any floating-point operand, the
        computation is in float64.
    x2
        Likewise.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        For a complex operand.

    Notes
    -----
    An infinite leg makes the result infinite, even beside NaN.

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

    Of a real array it is zeros of its data type.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape, real-valued, of x's precision: a view of a complex x, else a new array.

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
    """Whether each element is neither infinite nor NaN.

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
    """Whether each element is plus or minus infinity.

    A complex number is infinite if a component is, even if the other one is NaN.

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
    """Whether each element is NaN.

    A complex number is NaN if a component is.

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


@primary
def less(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Whether each element of `x1` is less than that of `x2`.

    Shapes broadcast. Complex numbers have no order; what they give depends on the backend.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Bool array of the broadcast shape.

    Notes
    -----
    Comparison with NaN is False.

    References
    ----------
    Array API standard 2025.12, ``less``.

    Examples
    --------
    >>> unify.less(unify.array([1, 2, 3]), 2)
    unify.array([ True, False, False])
    """


@primary
def less_equal(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Whether each element of `x1` is less than or equal to that of `x2`.

    Shapes broadcast. Complex numbers have no order; what they give depends on the backend.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Bool array of the broadcast shape.

    Notes
    -----
    Comparison with NaN is False.

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

    For complex numbers the branch cut is the negative real axis, and the imaginary component of
    a result lies in [-pi, pi].

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    Zero gives minus infinity, a negative real number NaN.

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

    For complex numbers it is log(x) / log(10).

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    Zero gives minus infinity, a negative real number NaN.

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

    It is accurate near zero, where log(1 + x) would lose its digits; for complex numbers too.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    -1 gives minus infinity, a real number below NaN.

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

    For complex numbers it is log(x) / log(2).

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    Zero gives minus infinity, a negative real number NaN.

    References
    ----------
    Array API standard 2025.12, ``log2``.

    Examples
    --------
    >>> unify.log2(unify.array([1., 8.]))
    unify.array([0., 3.])
    """


@primary
def logaddexp(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Logarithm of the sum of exponentials, log(exp(x1) + exp(x2)).

    It is computed without overflow or underflow on the way. Shapes broadcast.

    Parameters
    ----------
    x1
        Real floating-point array or Python number; without any floating-point operand, the
        computation is in float64.
    x2
        Likewise.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        For a complex operand.

    References
    ----------
    Array API standard 2025.12, ``logaddexp``.

    Examples
    --------
    >>> unify.logaddexp(unify.array([0., -1000.]), unify.array([0., -1000.]))
    unify.array([ 6.93147181e-01, -9.99306853e+02])
    """


@primary
def logical_and(
    x1: BoolOperand,
    x2: BoolOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Whether the elements of two arrays are both true.

    Shapes broadcast. NaN is true.

    Parameters
    ----------
    x1
        Bool array or Python bool; numbers count as True unless they are zero.
    x2
        Likewise.

    Returns
    -------
    Bool array of the broadcast shape.

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
    """Whether each element is false.

    NaN is true.

    Parameters
    ----------
    x
        Bool array; numbers count as True unless they are zero.

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
def logical_or(
    x1: BoolOperand,
    x2: BoolOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Whether at least one of the elements of two arrays is true.

    Shapes broadcast. NaN is true.

    Parameters
    ----------
    x1
        Bool array or Python bool; numbers count as True unless they are zero.
    x2
        Likewise.

    Returns
    -------
    Bool array of the broadcast shape.

    References
    ----------
    Array API standard 2025.12, ``logical_or``.

    Examples
    --------
    >>> unify.logical_or(unify.array([True, True, False]), unify.array([True, False, False]))
    unify.array([ True,  True, False])
    """


@primary
def logical_xor(
    x1: BoolOperand,
    x2: BoolOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Whether exactly one of the elements of two arrays is true.

    Shapes broadcast. NaN is true.

    Parameters
    ----------
    x1
        Bool array or Python bool; numbers count as True unless they are zero.
    x2
        Likewise.

    Returns
    -------
    Bool array of the broadcast shape.

    References
    ----------
    Array API standard 2025.12, ``logical_xor``.

    Examples
    --------
    >>> unify.logical_xor(unify.array([True, True, False]), unify.array([True, False, False]))
    unify.array([False,  True, False])
    """


@primary
def maximum(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """The greater of the elements of two arrays.

    Shapes broadcast. Which zero is taken of -0 and +0 depends on the backend, and so does the
    result for complex numbers.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

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
def minimum(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """The smaller of the elements of two arrays.

    Shapes broadcast. Which zero is taken of -0 and +0 depends on the backend, and so does the
    result for complex numbers.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

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
def multiply(
    x1: NumericOperand,
    x2: NumericOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Product of the elements of two arrays.

    Shapes broadcast. Integers wrap around at the limits of their data type; bool is multiplied
    as logical and.

    Parameters
    ----------
    x1
        Numeric array or Python number.
    x2
        Numeric array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules.

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

    Unsigned integers, and the smallest signed one, wrap around.

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
        For a bool array; use logical_not.

    References
    ----------
    Array API standard 2025.12, ``negative``.

    Examples
    --------
    >>> unify.negative(unify.array([1., -2., 0.]))
    unify.array([-1.,  2., -0.])
    """


@primary
def nextafter(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Next representable number after each element of `x1` toward `x2`.

    Shapes broadcast. Both operands should have the same data type.

    Parameters
    ----------
    x1
        Starting points. Real floating-point array or Python number; without any
        floating-point operand, the computation is in float64.
    x2
        Directions, likewise.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, float64 for bool
    and integers.

    Raises
    ------
    UnifyTypeError
        For a complex operand.

    Notes
    -----
    NaN in either operand gives NaN. Equal operands give x2, with the sign of its zero.

    References
    ----------
    Array API standard 2025.12, ``nextafter``.

    Examples
    --------
    >>> unify.nextafter(unify.array([1., 1.]), unify.array([2., 0.])) - 1.
    unify.array([ 2.22044605e-16, -1.11022302e-16])
    """


@primary
def not_equal(
    x1: Operand,
    x2: Operand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Whether the elements of two arrays differ.

    Shapes broadcast. Complex numbers differ where a component does.

    Parameters
    ----------
    x1
        Array or Python scalar.
    x2
        Array or Python scalar.

    Returns
    -------
    Bool array of the broadcast shape.

    Notes
    -----
    NaN differs from everything; -0 does not differ from +0.

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
        For a bool array.

    References
    ----------
    Array API standard 2025.12, ``positive``.

    Examples
    --------
    >>> unify.positive(unify.array([1, -2]))
    unify.array([ 1, -2])
    """


@primary
def pow(
    x1: NumericOperand,
    x2: NumericOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Each element of `x1` raised to the power of that of `x2`.

    Shapes broadcast. Integers wrap around at the limits of their data type. Complex powers are
    exp(x2 * log(x1)), with the branch cut of `log`.

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
        For a negative exponent where both operands are integers; make one floating-point.

    Notes
    -----
    X ** 0 is 1 for every x, and 1 ** x too for every x but NaN. A negative finite base with an
    exponent that is not an integer gives NaN; (-inf) ** 0.5 is inf and (-0) ** 0.5 is +0.

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


@primary
def real(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Real component of each element.

    Of a real array it is the whole array.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    A view of x, of its shape, real-valued, of x's precision.

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

    This is `divide(1., x)`, also for integers.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

    References
    ----------
    Array API standard 2025.12, ``reciprocal``.

    Examples
    --------
    >>> unify.reciprocal(unify.array([1, 4, -5]))
    unify.array([ 1.  ,  0.25, -0.2 ])
    """


@primary
def remainder(
    x1: RealOperand,
    x2: RealOperand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Remainder of the floor division of the elements of two arrays.

    This is Python's x1 % x2: the result has the sign of x2, also where it is zero. Shapes
    broadcast. Integer division by zero gives a value that depends on the backend.

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
        For a complex operand.

    Notes
    -----
    A zero divisor or an infinite dividend gives NaN. For an infinite divisor the result is x1 where
    the signs agree, else x2.

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
    """Each element rounded to the nearest integer value.

    Halves are rounded to the even neighbor. Components of complex numbers are rounded
    separately; integers are returned as they are, in their data type.

    Parameters
    ----------
    x
        Numeric array.

    Returns
    -------
    Array of x's shape and data type.

    Notes
    -----
    Infinities, NaN and signed zeros stay.

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
    """Sign of each element: -1, 0 or 1; of a complex number, x / abs(x).

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
        For a bool array.

    Notes
    -----
    NaN gives NaN, and NaN + NaN j if a component of a complex number is NaN.

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
    """Whether the sign bit of each element is set.

    It is set for negative numbers, for -0, and for a NaN with a minus sign.

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
        For a complex array.

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
    Array of x's shape and data type, float64 for bool and integers.

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


@primary
def sinh(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Hyperbolic sine of each element.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

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

    Real roots are correctly rounded. For complex numbers the branch cut is the negative real
    axis, and the real component of a result is not negative.

    Parameters
    ----------
    x
        Floating-point array; bool and integers are computed in float64.

    Returns
    -------
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    A negative real number gives NaN; the root of -0 is -0.

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
def subtract(
    x1: NumericOperand,
    x2: NumericOperand,
    /,
    *,
    out: Out = None,
) -> Array:
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
        For two bool operands; use logical_xor.

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
    Array of x's shape and data type, float64 for bool and integers.

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
    Array of x's shape and data type, float64 for bool and integers.

    Notes
    -----
    At plus and minus infinity the result is 1 and -1. In tanh(inf + bj) = 1 + 0j the zero has the
    sign of b.

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

    Integers are returned as they are, in their data type.

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
        For a complex array.

    Notes
    -----
    Infinities, NaN and signed zeros stay.

    References
    ----------
    Array API standard 2025.12, ``trunc``.

    Examples
    --------
    >>> unify.trunc(unify.array([-1.5, 0.2, 2.]))
    unify.array([-1.,  0.,  2.])
    """
