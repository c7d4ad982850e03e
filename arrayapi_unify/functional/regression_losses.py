"""Contracts of the losses of numbers, and of the similarity of vectors.

As in `losses`, what is true comes first. The value of the side of a bend that isn't taken is a
number all the same, so that no derivative is NaN where a difference is infinite.
"""

from __future__ import annotations

import math
from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.binding.annotations import ArrayIn, Out
from arrayapi_unify.errors import UnifyValueError, raise_argument_error
from arrayapi_unify.functional._losses import check_reduction, reduced, together

__all__ = ["cosine_similarity", "huber", "mae", "mse", "poisson_nll", "smooth_l1"]


@compositional
def cosine_similarity(
    x1: ArrayIn, x2: ArrayIn, /, *, axis: int = -1, epsilon: float = 1e-8, out: Out = None
) -> Array:
    """Cosine of the angle between vectors: their product, divided by their lengths.

    Parameters
    ----------
    x1
        Array of real data type with at least one axis.
    x2
        Array that broadcasts with `x1`.
    axis
        Axis along which a vector lies, counted in the shape to which both broadcast.
    epsilon
        Lengths that are smaller are taken for this one, to prevent a division by zero.

    Returns
    -------
    Array without the axis, of the floating-point data type to which the arguments promote; integers
    give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    As in `linalg.vecdot`, the last axis is the usual one; PyTorch's is the second.

    References
    ----------
    PyTorch's ``cosine_similarity``.

    Examples
    --------
    >>> unify.cosine_similarity(unify.array([[3.0, 4.0], [0.0, 0.0]]), unify.array([3.0, -4.0]))
    unify.array([-0.28,  0.  ])
    """
    first, second = together("cosine_similarity", x1=x1, x2=x2)
    xp = first.__array_namespace__()
    product = first * second
    axis = normalize_axis("cosine_similarity", axis, product.ndim) - product.ndim

    def length(x: Array) -> Array:
        # The root of zero has no derivative: short vectors are replaced before it is taken.
        squares = xp.sum(xp.broadcast_to(x * x, product.shape), axis=axis)
        return xp.sqrt(xp.where(squares <= epsilon * epsilon, epsilon * epsilon, squares))

    return xp.sum(product, axis=axis) / (length(first) * length(second))


@mixed
def huber(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    delta: float = 1.0,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Loss of Huber: half the squared difference, a straight line beyond `delta`.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    delta
        Differences above this count as ``delta * (abs(true - pred) - delta / 2)``. It is positive.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, `reduction` is something else, or
        `delta` isn't positive.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``huber_loss``.

    Huber, "Robust Estimation of a Location Parameter", 1964.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 2.0]), unify.array([1.5, -2.0])
    >>> unify.huber(true, pred, reduction="none")
    unify.array([0.125, 3.5  ])
    """
    check_reduction("huber", reduction)
    if not 0 < delta < math.inf:
        problem, remedy = f"is {delta}", "pass a positive number"
        raise_argument_error(UnifyValueError, "huber", "delta", problem, remedy)
    t, p = together("huber", true=true, pred=pred)
    loss = _rounded_off(t - p, delta) * delta
    return reduced("huber", loss, reduction, axis)


@mixed
def mae(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Mean absolute error: differences without their sign.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, or `reduction` is something else.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``l1_loss``.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 2.0]), unify.array([1.5, -2.0])
    >>> unify.mae(true, pred, reduction="none")
    unify.array([0.5, 4. ])
    """
    check_reduction("mae", reduction)
    t, p = together("mae", true=true, pred=pred)
    loss = _absolute(t - p)
    return reduced("mae", loss, reduction, axis)


@mixed
def mse(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Mean squared error: the squares of the differences.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, or `reduction` is something else.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``mse_loss``.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 2.0]), unify.array([1.5, -2.0])
    >>> unify.mse(true, pred, reduction="none")
    unify.array([ 0.25, 16.  ])
    """
    check_reduction("mse", reduction)
    t, p = together("mse", true=true, pred=pred)
    loss = t.__array_namespace__().square(t - p)
    return reduced("mse", loss, reduction, axis)


@mixed
def poisson_nll(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-8,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Negative logarithm of the likelihood of counts under Poisson distributions.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    log_input
        Whether `pred` holds logarithms of the expected counts, for which the loss is
        ``exp(pred) - true * pred``, or the counts, for which it is
        ``pred - true * log(pred + epsilon)``.
    full
        Whether to add Stirling's approximation of ``log(true!)``, for counts above 1.
    epsilon
        What is added to expected counts, to prevent the logarithm of zero.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, or `reduction` is something else.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``poisson_nll_loss``.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 3.0]), unify.array([1.0, 2.0])
    >>> loss = unify.poisson_nll(true, pred, log_input=False, reduction="none")
    >>> unify.round(loss * 1e6)
    unify.array([1000000.,  -79442.])
    """
    check_reduction("poisson_nll", reduction)
    t, p = together("poisson_nll", true=true, pred=pred)
    xp = p.__array_namespace__()
    loss = xp.exp(p) - t * p if log_input else p - t * xp.log(p + epsilon)
    if full:
        many = t > 1
        count = xp.where(many, t, 1.0)
        stirling = count * xp.log(count) - count + xp.log(2 * math.pi * count) / 2
        loss = loss + xp.where(many, stirling, 0.0)
    return reduced("poisson_nll", loss, reduction, axis)


def _absolute(difference: Array) -> Array:
    """Return the absolute difference; its derivative at zero is zero, which JAX's isn't."""
    xp = difference.__array_namespace__()
    return xp.where(difference == 0, 0.0, xp.abs(difference))


def _rounded_off(difference: Array, width: float) -> Array:
    """Return the absolute difference, less half of the width, with a parabola within it."""
    xp = difference.__array_namespace__()
    size = xp.abs(difference)
    near = size <= width
    bowl = xp.where(near, difference, 0.0)
    return xp.where(near, bowl * bowl / (2 * width), size - width / 2)


@mixed
def smooth_l1(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    beta: float = 1.0,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Absolute difference, with a parabola in place of the bend at zero.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    beta
        Differences below this count as ``(true - pred)**2 / (2 * beta)``, larger ones as
        ``abs(true - pred) - beta / 2``. It isn't negative; zero gives the absolute difference.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, `reduction` is something else, or
        `beta` is negative.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``smooth_l1_loss``.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 2.0]), unify.array([1.5, -2.0])
    >>> unify.smooth_l1(true, pred, reduction="none")
    unify.array([0.125, 3.5  ])
    """
    check_reduction("smooth_l1", reduction)
    if not 0 <= beta < math.inf:
        problem, remedy = f"is {beta}", "pass zero or a positive number"
        raise_argument_error(UnifyValueError, "smooth_l1", "beta", problem, remedy)
    t, p = together("smooth_l1", true=true, pred=pred)
    difference = t - p
    loss = _rounded_off(difference, beta) if beta else _absolute(difference)
    return reduced("smooth_l1", loss, reduction, axis)
