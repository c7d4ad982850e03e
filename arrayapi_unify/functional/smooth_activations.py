"""Contracts of the activation functions with exponentials, and of `softsign`.

An infinite `x` gives the limit. The value of a side that isn't taken is a number all the same, so
that no derivative is NaN there.
"""

from __future__ import annotations

from typing import Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.activations import check_alpha, check_even
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.binding.annotations import ArrayIn, Out
from arrayapi_unify.functional._common import real

__all__ = ["celu", "elu", "glu", "logsigmoid", "mish", "selu", "silu", "softsign"]

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
    >>> unify.round(unify.celu(unify.array([-1.0, 0.0, 2.0]), alpha=2.0) * 1e6)
    unify.array([-786939.,       0., 2000000.])
    """
    check_alpha("celu", alpha)
    return _exponential_unit(real("celu", "x", x), 1, alpha, alpha)


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
    >>> unify.round(unify.elu(unify.array([-1.0, 0.0, 2.0])) * 1e6)
    unify.array([-632121.,       0., 2000000.])
    """
    return _exponential_unit(real("elu", "x", x), 1, alpha, 1)


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
    >>> unify.glu(unify.array([1.0, 2.0, 1000.0, 0.0]))
    unify.array([1., 1.])
    """
    x = real("glu", "x", x)
    axis, half = check_even("glu", axis, x.shape)
    xp = x.__array_namespace__()
    first, gate = xp.split(x, num_or_size_splits=[half, half], axis=axis)
    return first * xp.sigmoid(gate)


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
    >>> unify.logsigmoid(unify.array([-1000.0, 1000.0]))
    unify.array([-1000.,     0.])
    """
    x = real("logsigmoid", "x", x)
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
    >>> unify.round(unify.mish(unify.array([-1000.0, -1.0, 0.0, 2.0])) * 1e6)
    unify.array([     -0., -303401.,       0., 1943959.])
    """
    x = real("mish", "x", x)
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
    >>> unify.round(unify.selu(unify.array([-1.0, 0.0, 2.0])) * 1e6)
    unify.array([-1111331.,        0.,  2101402.])
    """
    return _exponential_unit(real("selu", "x", x), _SELU_SCALE, _SELU_SCALE * _SELU_ALPHA, 1)


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
    >>> unify.round(unify.silu(unify.array([-1000.0, -1.0, 0.0, 2.0])) * 1e6)
    unify.array([     -0., -268941.,       0., 1761594.])
    """
    x = real("silu", "x", x)
    xp = x.__array_namespace__()
    infinite, near = _at_infinity(x)
    return xp.where(infinite, xp.where(x > 0, x, 0.0), near * xp.sigmoid(near))


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
    >>> unify.softsign(unify.array([-1.0, 0.0, 3.0, float('inf')]))
    unify.array([-0.5 ,  0.  ,  0.75,  1.  ])
    """
    x = real("softsign", "x", x)
    xp = x.__array_namespace__()
    infinite, near = _at_infinity(x)
    return xp.where(infinite, xp.sign(x), near / (1 + xp.abs(near)))
