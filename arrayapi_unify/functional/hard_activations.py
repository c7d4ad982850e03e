"""Contracts of the activation functions that are made of straight lines, and of one parabola.

Each says on which side of a bend its derivative is taken. The value of the side that isn't taken
is a number all the same, so that no derivative is NaN where `x` is infinite.
"""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.binding.annotations import ArrayIn, Out
from arrayapi_unify.errors import UnifyValueError, raise_argument_error
from arrayapi_unify.functional._channels import along_channels
from arrayapi_unify.functional._common import check_real, floating_together, real

__all__ = ["hardsigmoid", "hardswish", "hardtanh", "leaky_relu", "prelu", "relu6", "threshold"]


@mixed
def hardsigmoid(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Straight line in place of the logistic function: ``(x + 3) / 6``, kept between 0 and 1.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    NaN stays NaN. The derivative at -3 and 3 is zero.

    References
    ----------
    PyTorch's ``hardsigmoid``.

    Examples
    --------
    >>> unify.hardsigmoid(unify.array([-4.0, 0.0, 1.5, 4.0]))
    unify.array([0.  , 0.5 , 0.75, 1.  ])
    """
    x = real("hardsigmoid", "x", x)
    xp = x.__array_namespace__()
    return xp.where(x <= -3, 0.0, xp.where(x >= 3, 1.0, (x + 3) / 6))


@compositional
def hardswish(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Product of `x` and its `hardsigmoid`.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    NaN stays NaN, and minus infinity gives zero. The derivative is zero at -3, and one at 3.

    References
    ----------
    Howard et al., "Searching for MobileNetV3", arXiv:1905.02244.

    Examples
    --------
    >>> unify.hardswish(unify.array([-4.0, -1.5, 0.0, 4.0]))
    unify.array([ 0.   , -0.375,  0.   ,  4.   ])
    """
    x = real("hardswish", "x", x)
    xp = x.__array_namespace__()
    below, above = x <= -3, x >= 3
    near = xp.where(below | above, 0.0, x)
    return xp.where(below, 0.0, xp.where(above, x, near * (near + 3) / 6))


@mixed
def hardtanh(
    x: ArrayIn, /, *, min_val: float = -1.0, max_val: float = 1.0, out: Out = None
) -> Array:
    """Identity between two numbers, constant outside of them.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    min_val
        The least result.
    max_val
        The largest result. It isn't less than `min_val`.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If `min_val` is larger than `max_val`.

    Notes
    -----
    NaN stays NaN. The derivative at both bounds is zero; that of `clip` is one.

    References
    ----------
    PyTorch's ``hardtanh``.

    Examples
    --------
    >>> unify.hardtanh(unify.array([-1.5, 0.5, 2.0]))
    unify.array([-1. ,  0.5,  1. ])
    """
    if min_val > max_val:
        raise_argument_error(
            UnifyValueError, "hardtanh", "min_val", f"is {min_val}, which is more than {max_val}",
            "pass the smaller bound first",
        )  # fmt: skip
    x = real("hardtanh", "x", x)
    xp = x.__array_namespace__()
    return xp.where(x <= min_val, min_val, xp.where(x >= max_val, max_val, x))


@mixed
def leaky_relu(x: ArrayIn, /, *, negative_slope: float = 0.01, out: Out = None) -> Array:
    """Rectified linear unit that lets a share of negative numbers through.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    negative_slope
        Factor of negative numbers.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    The derivative at zero is `negative_slope`.

    References
    ----------
    PyTorch's ``leaky_relu``.

    Examples
    --------
    >>> unify.leaky_relu(unify.array([-2.0, 0.0, 3.0]), negative_slope=0.25)
    unify.array([-0.5,  0. ,  3. ])
    """
    x = real("leaky_relu", "x", x)
    return x.__array_namespace__().where(x > 0, x, x * negative_slope)


@mixed
def prelu(x: ArrayIn, slope: ArrayIn, /, *, axis: int = 1, out: Out = None) -> Array:
    """Rectified linear unit whose slope for negative numbers is learned, one for each channel.

    Parameters
    ----------
    x
        Array of real data type.
    slope
        Factors of negative numbers: one number for all, or an array of one axis with one for each
        channel.
    axis
        Axis of the channels. One factor needs none.

    Returns
    -------
    Array of x's shape, of the floating-point data type to which the arguments promote; integers
    and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If `slope` has several axes, or another size than the axis of the channels.
    UnifyIndexError
        If `axis` is out of bounds, and `slope` has more than one element.

    Notes
    -----
    The derivative at zero is the factor.

    References
    ----------
    He, Zhang, Ren and Sun, "Delving Deep into Rectifiers", arXiv:1502.01852.

    Examples
    --------
    >>> unify.prelu(unify.array([[-1.0, -1.0], [2.0, -4.0]]), unify.array([0.5, 0.25]))
    unify.array([[-0.5 , -0.25],
                 [ 2.  , -1.  ]])
    """
    check_real("prelu", "x", x)
    check_real("prelu", "slope", slope)
    x, slope = floating_together(x, slope)
    xp = x.__array_namespace__()
    if slope.size == 1 and slope.ndim < 2:
        slope = xp.reshape(slope, ())
    else:
        slope = along_channels("prelu", "slope", slope, x.shape, axis)
    return xp.where(x > 0, x, x * slope)


@mixed
def relu6(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Rectified linear unit that is kept below 6.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's data type. Bools give integers.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    NaN stays NaN. The derivative at 0 and 6 is zero.

    References
    ----------
    Howard et al., "MobileNets", arXiv:1704.04861.

    Examples
    --------
    >>> unify.relu6(unify.array([-1.5, 2.5, 8.0]))
    unify.array([0. , 2.5, 6. ])
    """
    check_real("relu6", "x", x)
    xp = x.__array_namespace__()
    return xp.where(xp.less_equal(x, 0), 0, xp.where(xp.greater_equal(x, 6), 6, x))


@mixed
def threshold(x: ArrayIn, threshold: float, value: float, /, *, out: Out = None) -> Array:
    """Keep what is above a threshold, and put a number in place of the rest.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    threshold
        Numbers up to this one, itself among them, are replaced.
    value
        What takes their place.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    NaN stays NaN. The derivative at the threshold is zero.

    References
    ----------
    PyTorch's ``threshold``.

    Examples
    --------
    >>> unify.threshold(unify.array([0.5, 1.0, 1.5]), 1.0, -2.0)
    unify.array([-2. , -2. ,  1.5])
    """
    x = real("threshold", "x", x)
    return x.__array_namespace__().where(x <= threshold, value, x)
