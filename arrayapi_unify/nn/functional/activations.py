"""Activation functions: smooth ones, and those that are made of straight lines."""

from __future__ import annotations

import math
from typing import Final, Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.special.normal import upper_tail
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends._common.checks.nn import (
    check_alpha,
    check_approximation,
    check_even,
)
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.contracts.annotations import ArrayIn, Out
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import check_real, floating_together, real
from arrayapi_unify.nn.functional.norms import along_channels


@mixed
def gelu(x: ArrayIn, /, *, approximate: Literal["none", "tanh"] = "none", out: Out = None) -> Array:
    """Gaussian error linear unit: `x` times the probability that a normal variable is below it.

    The variable has mean 0 and variance 1.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    approximate
        ``"none"`` computes that probability itself, ``"tanh"`` the approximation
        ``(1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))) / 2``.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If `approximate` is neither of these.

    Notes
    -----
    Minus infinity gives NaN.

    References
    ----------
    Hendrycks and Gimpel, "Gaussian Error Linear Units", arXiv:1606.08415.

    Examples
    --------
    >>> unify.round(unify.nn.gelu(unify.array([-1.0, 0.0, 2.0])) * 1e6)
    unify.array([-158655.,       0., 1954500.])
    """
    xp = x.__array_namespace__()
    check_approximation(approximate)
    x = real("nn.gelu", "x", x)
    if approximate == "none":
        tail = upper_tail(xp, xp.abs(x))
        return x * xp.where(x < 0, tail, 1 - tail)
    # (1 + tanh(u)) / 2 is the logistic function of 2u, in which nothing cancels.
    u = math.sqrt(8 / math.pi) * (x + 0.044715 * x * x * x)
    return x * _logistic(u)


@mixed
def log_softmax(x: ArrayIn, /, *, axis: int = -1, out: Out = None) -> Array:
    """Logarithm of the softmax along an axis.

    It is exact even where the softmax itself underflows.

    Parameters
    ----------
    x
        Array of real data type with at least one axis.
    axis
        Axis along which the exponentials of the results add up to one.

    Returns
    -------
    Array of x's shape and floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 4.1.

    Examples
    --------
    >>> unify.nn.log_softmax(unify.array([0.0, 1000.0]))
    unify.array([-1000.,     0.])
    """
    xp = x.__array_namespace__()
    x, axis = real("nn.log_softmax", "x", x), normalize_axis("nn.log_softmax", axis, x.ndim)
    if not x.shape[axis]:
        return x
    shifted = x - xp.max(x, axis=axis, keepdims=True)
    return shifted - xp.log(xp.sum(xp.exp(shifted), axis=axis, keepdims=True))


@mixed
def relu(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Rectified linear unit: `x` where it is positive, zero elsewhere.

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
    NaN stays NaN. The gradient at zero is zero.

    References
    ----------
    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 6.3.

    Examples
    --------
    >>> unify.nn.relu(unify.array([-1.5, 0.0, 2.0]))
    unify.array([0., 0., 2.])
    """
    check_real("nn.relu", "x", x)
    return x.__array_namespace__().maximum(x, 0)


def _logistic(x: Array) -> Array:
    xp = x.__array_namespace__()
    # The exponential of a negative number never overflows.
    small = xp.exp(-xp.abs(x))
    return xp.where(x >= 0, 1.0, small) / (1 + small)


@mixed
def sigmoid(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Logistic function, ``1 / (1 + exp(-x))``.

    It is computed without overflow.

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

    References
    ----------
    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 3.10.

    Examples
    --------
    >>> unify.nn.sigmoid(unify.array([-1000.0, 0.0, 1000.0]))
    unify.array([0. , 0.5, 1. ])
    """
    return _logistic(real("nn.sigmoid", "x", x))


@mixed
def softmax(x: ArrayIn, /, *, axis: int = -1, out: Out = None) -> Array:
    """Exponentials along an axis, divided by their sum.

    The exponentials don't overflow.

    Parameters
    ----------
    x
        Array of real data type with at least one axis.
    axis
        Axis along which the results add up to one.

    Returns
    -------
    Array of x's shape and floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    Where all elements along the axis are minus infinity, the results are NaN.

    References
    ----------
    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 4.1.

    Examples
    --------
    >>> unify.nn.softmax(unify.array([[1000.0, 1000.0], [0.0, -1000.0]]), axis=1)
    unify.array([[0.5, 0.5],
                 [1. , 0. ]])
    """
    xp = x.__array_namespace__()
    x, axis = real("nn.softmax", "x", x), normalize_axis("nn.softmax", axis, x.ndim)
    if not x.shape[axis]:
        return x
    # The largest exponential is 1: none overflows, and the sum isn't zero.
    powers = xp.exp(x - xp.max(x, axis=axis, keepdims=True))
    return powers / xp.sum(powers, axis=axis, keepdims=True)


@mixed
def softplus(
    x: ArrayIn, /, *, beta: float = 1.0, threshold: float | None = None, out: Out = None
) -> Array:
    """Smooth approximation to `relu`: ``log(1 + exp(beta * x)) / beta``.

    It is computed without overflow.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    beta
        Sharpness of the bend; not zero.
    threshold
        Where ``beta * x`` is above this, the result is `x` itself. By default there is no such
        threshold.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 3.10.

    Examples
    --------
    >>> unify.nn.softplus(unify.array([-1000.0, 1000.0]))
    unify.array([   0., 1000.])
    """
    xp = x.__array_namespace__()
    x = real("nn.softplus", "x", x)
    scaled = x * beta
    # Not `abs` and `maximum`, whose derivatives at zero aren't those of one side.
    positive = scaled >= 0
    distance = xp.where(positive, scaled, -scaled)
    result = (xp.where(positive, scaled, 0.0) + xp.log1p(xp.exp(-distance))) / beta
    return result if threshold is None else xp.where(scaled > threshold, x, result)


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
    >>> unify.nn.hardsigmoid(unify.array([-4.0, 0.0, 1.5, 4.0]))
    unify.array([0.  , 0.5 , 0.75, 1.  ])
    """
    x = real("nn.hardsigmoid", "x", x)
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
    >>> unify.nn.hardswish(unify.array([-4.0, -1.5, 0.0, 4.0]))
    unify.array([ 0.   , -0.375,  0.   ,  4.   ])
    """
    x = real("nn.hardswish", "x", x)
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
    >>> unify.nn.hardtanh(unify.array([-1.5, 0.5, 2.0]))
    unify.array([-1. ,  0.5,  1. ])
    """
    if min_val > max_val:
        raise_value_error(
            "nn.hardtanh", "min_val", f"is {min_val}, which is more than {max_val}",
            "pass the smaller bound first",
        )  # fmt: skip
    x = real("nn.hardtanh", "x", x)
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
    >>> unify.nn.leaky_relu(unify.array([-2.0, 0.0, 3.0]), negative_slope=0.25)
    unify.array([-0.5,  0. ,  3. ])
    """
    x = real("nn.leaky_relu", "x", x)
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
    >>> unify.nn.prelu(unify.array([[-1.0, -1.0], [2.0, -4.0]]), unify.array([0.5, 0.25]))
    unify.array([[-0.5 , -0.25],
                 [ 2.  , -1.  ]])
    """
    check_real("nn.prelu", "x", x)
    check_real("nn.prelu", "slope", slope)
    x, slope = floating_together(x, slope)
    xp = x.__array_namespace__()
    if slope.ndim < 2 and math.prod(slope.shape) == 1:
        slope = xp.reshape(slope, ())
    else:
        slope = along_channels("nn.prelu", "slope", slope, x.shape, axis)
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
    >>> unify.nn.relu6(unify.array([-1.5, 2.5, 8.0]))
    unify.array([0. , 2.5, 6. ])
    """
    check_real("nn.relu6", "x", x)
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
        Replacement.

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
    >>> unify.nn.threshold(unify.array([0.5, 1.0, 1.5]), 1.0, -2.0)
    unify.array([-2. , -2. ,  1.5])
    """
    x = real("nn.threshold", "x", x)
    return x.__array_namespace__().where(x <= threshold, value, x)


# The fixed point of means and variances: Klambauer et al., equation 14.
_SELU_ALPHA: Final = 1.6732632423543772
_SELU_SCALE: Final = 1.0507009873554805


def _exponential_unit(x: Array, scale: float, alpha: float, width: float) -> Array:
    """Return `scale * x` of positive numbers, `alpha * (exp(x / width) - 1)` of the others."""
    xp = x.__array_namespace__()
    positive = x > 0
    negative = alpha * xp.expm1(xp.where(positive, 0.0, x) / width)
    return xp.where(positive, x if scale == 1 else scale * x, negative)


@mixed
def celu(x: ArrayIn, /, *, alpha: float = 1.0, out: Out = None) -> Array:
    """Exponential linear unit without a bend: ``alpha * (exp(x / alpha) - 1)`` of negative numbers.

    Positive numbers stay as they are.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    alpha
        Minus the limit towards minus infinity. It is positive.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If `alpha` isn't positive.

    References
    ----------
    Barron, "Continuously Differentiable Exponential Linear Units", arXiv:1704.07483.

    Examples
    --------
    >>> unify.round(unify.nn.celu(unify.array([-1.0, 0.0, 2.0]), alpha=2.0) * 1e6)
    unify.array([-786939.,       0., 2000000.])
    """
    check_alpha("nn.celu", alpha)
    return _exponential_unit(real("nn.celu", "x", x), 1, alpha, alpha)


@mixed
def elu(x: ArrayIn, /, *, alpha: float = 1.0, out: Out = None) -> Array:
    """Exponential linear unit: ``alpha * (exp(x) - 1)`` of negative numbers.

    Positive numbers stay as they are.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    alpha
        Minus the limit towards minus infinity.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    The derivative at zero is `alpha`.

    References
    ----------
    Clevert, Unterthiner and Hochreiter, "Fast and Accurate Deep Network Learning by Exponential
    Linear Units (ELUs)", arXiv:1511.07289.

    Examples
    --------
    >>> unify.round(unify.nn.elu(unify.array([-1.0, 0.0, 2.0])) * 1e6)
    unify.array([-632121.,       0., 2000000.])
    """
    return _exponential_unit(real("nn.elu", "x", x), 1, alpha, 1)


@mixed
def glu(x: ArrayIn, /, *, axis: int = -1, out: Out = None) -> Array:
    """Gated linear unit: the first half of `x` times the `sigmoid` of the second half.

    Parameters
    ----------
    x
        Array of real data type with at least one axis.
    axis
        Axis that is halved. Its size is even.

    Returns
    -------
    Array of x's floating-point data type, with half as many elements along the axis. Integers and
    bools give the default data type.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If the size of the axis is odd.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Dauphin, Fan, Auli and Grangier, "Language Modeling with Gated Convolutional Networks",
    arXiv:1612.08083.

    Examples
    --------
    >>> unify.nn.glu(unify.array([1.0, 2.0, 1000.0, 0.0]))
    unify.array([1., 1.])
    """
    x = real("nn.glu", "x", x)
    axis, half = check_even("nn.glu", axis, x.shape)
    xp = x.__array_namespace__()
    first, gate = xp.split(x, num_or_size_splits=[half, half], axis=axis)
    return first * xp.nn.sigmoid(gate)


@mixed
def logsigmoid(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Logarithm of the logistic function, ``-log(1 + exp(-x))``.

    It is exact even where the logistic function underflows.

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

    References
    ----------
    PyTorch's ``logsigmoid``.

    Examples
    --------
    >>> unify.nn.logsigmoid(unify.array([-1000.0, 1000.0]))
    unify.array([-1000.,     0.])
    """
    x = real("nn.logsigmoid", "x", x)
    xp = x.__array_namespace__()
    negative = x < 0
    # Not `abs` and `minimum`, whose derivatives at zero aren't those of one side.
    distance = xp.where(negative, -x, x)
    return xp.where(negative, x, 0.0) - xp.log1p(xp.exp(-distance))


def _at_infinity(x: Array) -> tuple[Array, Array]:
    """Return where x is infinite, and x with a number in these places."""
    xp = x.__array_namespace__()
    infinite = xp.isinf(x)
    return infinite, xp.where(infinite, 1.0, x)


@mixed
def mish(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Product of `x` and the hyperbolic tangent of its `softplus`.

    It is computed without overflow.

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
    Minus infinity gives the limit, zero, and plus infinity itself.

    References
    ----------
    Misra, "Mish: A Self Regularized Non-Monotonic Activation Function", arXiv:1908.08681.

    Examples
    --------
    >>> unify.round(unify.nn.mish(unify.array([-1000.0, -1.0, 0.0, 2.0])) * 1e6)
    unify.array([     -0., -303401.,       0., 1943959.])
    """
    x = real("nn.mish", "x", x)
    xp = x.__array_namespace__()
    infinite, near = _at_infinity(x)
    positive = near >= 0
    # tanh(log(1 + e)) is ((1 + e)**2 - 1) / ((1 + e)**2 + 1), where e doesn't overflow.
    e = xp.exp(xp.where(positive, -near, near))
    part = xp.where(positive, 1 + 2 * e, e * (e + 2))
    share = part / (part + xp.where(positive, 2 * e * e, 2.0))
    return xp.where(infinite, xp.where(x > 0, x, 0.0), near * share)


@mixed
def selu(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Exponential linear unit, scaled so that mean 0 and variance 1 of its inputs are kept.

    It is `elu` with ``alpha=1.6732632423543772``, times 1.0507009873554805.

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
    The derivative at zero is 1.7580993408473766, that of the side of the negative numbers.

    References
    ----------
    Klambauer, Unterthiner, Mayr and Hochreiter, "Self-Normalizing Neural Networks",
    arXiv:1706.02515.

    Examples
    --------
    >>> unify.round(unify.nn.selu(unify.array([-1.0, 0.0, 2.0])) * 1e6)
    unify.array([-1111331.,        0.,  2101402.])
    """
    return _exponential_unit(real("nn.selu", "x", x), _SELU_SCALE, _SELU_SCALE * _SELU_ALPHA, 1)


@mixed
def silu(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Sigmoid linear unit, also called swish: `x` times its `sigmoid`.

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
    Minus infinity gives the limit, zero, and plus infinity itself.

    References
    ----------
    Hendrycks and Gimpel, "Gaussian Error Linear Units", arXiv:1606.08415.

    Examples
    --------
    >>> unify.round(unify.nn.silu(unify.array([-1000.0, -1.0, 0.0, 2.0])) * 1e6)
    unify.array([     -0., -268941.,       0., 1761594.])
    """
    x = real("nn.silu", "x", x)
    xp = x.__array_namespace__()
    infinite, near = _at_infinity(x)
    return xp.where(infinite, xp.where(x > 0, x, 0.0), near * xp.nn.sigmoid(near))


@compositional
def softsign(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Quotient ``x / (1 + abs(x))``, which lies between -1 and 1.

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
    An infinity gives the limit, 1 or -1.

    References
    ----------
    PyTorch's ``softsign``.

    Examples
    --------
    >>> unify.nn.softsign(unify.array([-1.0, 0.0, 3.0, float('inf')]))
    unify.array([-0.5 ,  0.  ,  0.75,  1.  ])
    """
    x = real("nn.softsign", "x", x)
    xp = x.__array_namespace__()
    infinite, near = _at_infinity(x)
    return xp.where(infinite, xp.sign(x), near / (1 + xp.abs(near)))
