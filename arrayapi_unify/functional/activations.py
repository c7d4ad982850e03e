"""Contracts of the activation functions of neural networks."""

from __future__ import annotations

import math
from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.activations import check_approximation
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.binding import mixed
from arrayapi_unify.binding.annotations import ArrayIn, Out
from arrayapi_unify.functional._common import check_real, real
from arrayapi_unify.functional._normal import upper_tail

__all__ = ["gelu", "log_softmax", "relu", "sigmoid", "softmax", "softplus"]


@mixed
def gelu(
    x: ArrayIn,
    /,
    *,
    approximate: Literal["none", "tanh"] = "none",
    out: Out = None,
) -> Array:
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
    >>> unify.round(unify.gelu(unify.array([-1.0, 0.0, 2.0])) * 1e6)
    unify.array([-158655.,       0., 1954500.])
    """
    xp = x.__array_namespace__()
    check_approximation(approximate)
    x = real("gelu", "x", x)
    if approximate == "none":
        tail = upper_tail(xp.abs(x))
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
    >>> unify.log_softmax(unify.array([0.0, 1000.0]))
    unify.array([-1000.,     0.])
    """
    xp = x.__array_namespace__()
    x, axis = real("log_softmax", "x", x), normalize_axis("log_softmax", axis, x.ndim)
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
    >>> unify.relu(unify.array([-1.5, 0.0, 2.0]))
    unify.array([0., 0., 2.])
    """
    check_real("relu", "x", x)
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
    >>> unify.sigmoid(unify.array([-1000.0, 0.0, 1000.0]))
    unify.array([0. , 0.5, 1. ])
    """
    return _logistic(real("sigmoid", "x", x))


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
    >>> unify.softmax(unify.array([[1000.0, 1000.0], [0.0, -1000.0]]), axis=1)
    unify.array([[0.5, 0.5],
                 [1. , 0. ]])
    """
    xp = x.__array_namespace__()
    x, axis = real("softmax", "x", x), normalize_axis("softmax", axis, x.ndim)
    if not x.shape[axis]:
        return x
    # The largest exponential is 1: none overflows, and the sum isn't zero.
    powers = xp.exp(x - xp.max(x, axis=axis, keepdims=True))
    return powers / xp.sum(powers, axis=axis, keepdims=True)


@mixed
def softplus(
    x: ArrayIn,
    /,
    *,
    beta: float = 1.0,
    threshold: float | None = None,
    out: Out = None,
) -> Array:
    """Smooth approximation to `relu`: ``log(1 + exp(beta * x)) / beta``.

    It is computed without overflow.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    beta
        How sharp the bend is. It isn't zero.
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
    >>> unify.softplus(unify.array([-1000.0, 1000.0]))
    unify.array([   0., 1000.])
    """
    xp = x.__array_namespace__()
    x = real("softplus", "x", x)
    scaled = x * beta
    # Not `abs` and `maximum`, whose derivatives at zero aren't those of one side.
    positive = scaled >= 0
    distance = xp.where(positive, scaled, -scaled)
    result = (xp.where(positive, scaled, 0.0) + xp.log1p(xp.exp(-distance))) / beta
    return result if threshold is None else xp.where(scaled > threshold, x, result)
