"""Contracts of the order statistics: what stands where once the elements are sorted."""

from __future__ import annotations

import math
from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axes
from arrayapi_unify.binding import mixed
from arrayapi_unify.binding.annotations import ArrayIn, Out, RealOperand
from arrayapi_unify.functional._common import BodyArray, real
from arrayapi_unify.functional._quantiles import check_method, interpolated, positions

__all__ = ["median", "percentile", "quantile"]


def _columns(
    function: str, x: BodyArray, axis: int | tuple[int, ...] | None
) -> tuple[Array, list[int]]:
    """Return x sorted, of shape (reduced, kept), and the shape of the result with keepdims."""
    x = real(function, "x", x)
    xp, axes = x.__array_namespace__(), normalize_axes(function, axis, x.ndim)
    kept = [a for a in range(x.ndim) if a not in axes]
    reduced = math.prod([x.shape[a] for a in axes])
    columns = xp.reshape(
        xp.permute_dims(x, (*axes, *kept)), (reduced, math.prod([x.shape[a] for a in kept]))
    )
    return xp.sort(columns, axis=0), [1 if a in axes else n for a, n in enumerate(x.shape)]


def _shaped(
    result: Array, first: tuple[int, ...], shape: list[int], axis: object, keepdims: bool
) -> Array:
    """Give the result of `_columns` its axes."""
    xp = result.__array_namespace__()
    if not keepdims:
        axes = normalize_axes("quantile", axis, len(shape))
        shape = [n for a, n in enumerate(shape) if a not in axes]
    return xp.reshape(result, (*first, *shape))


def _quantiles(
    function: str,
    x: BodyArray,
    q: BodyArray,
    whole: int,
    axis: int | tuple[int, ...] | None,
    keepdims: bool,
    method: str,
) -> Array:
    """Return the quantiles of `quantile` or `percentile`; `whole` is what q is a share of."""
    check_method(function, method, q, whole)
    ordered, shape = _columns(function, x, axis)
    xp, count = ordered.__array_namespace__(), ordered.shape[0]
    if not isinstance(q, Array):
        q = xp.asarray(q, dtype=xp.float64, device=ordered.device)
    fractions = xp.reshape(real(function, "q", q), (-1, 1)).astype(xp.float64)
    fractions = fractions if whole == 1 else fractions / whole
    if count:
        low, high, share = positions(method, count, fractions)
        result = interpolated(ordered, low, high, share)
        invalid = xp.isnan(ordered[-1:, :]) | xp.logical_not((fractions >= 0) & (fractions <= 1))
        result = xp.where(invalid, math.nan, result)
    else:
        width = (fractions.shape[0], ordered.shape[1])
        result = xp.full(width, math.nan, dtype=ordered.dtype, device=ordered.device)
    return _shaped(result, q.shape, shape, axis, keepdims)


@mixed
def median(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Median: the middle one of the sorted elements, or the mean of the two in the middle.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is NaN where
    an element is NaN, and where there is no element.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``median``.

    Examples
    --------
    >>> unify.median(unify.array([[3, 1, 2], [9, 9, 0]]), axis=1)
    unify.array([2., 9.])
    >>> unify.median(unify.array([4.0, 1.0, 2.0, 10.0]))
    unify.array(3.)
    """
    ordered, shape = _columns("median", x, axis)
    xp, count = ordered.__array_namespace__(), ordered.shape[0]
    if count:
        # Halves add up to infinity only if the elements are infinite.
        middle = ordered[(count - 1) // 2, :] / 2 + ordered[count // 2, :] / 2
        middle = xp.where(xp.isnan(ordered[-1, :]), math.nan, middle)  # NaNs stand last
    else:
        middle = xp.full(ordered.shape[1], math.nan, dtype=ordered.dtype, device=ordered.device)
    return _shaped(middle, (), shape, axis, keepdims)


@mixed
def percentile(
    x: ArrayIn,
    q: RealOperand,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    method: Literal[
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "linear",
        "median_unbiased",
        "normal_unbiased",
        "lower",
        "higher",
        "midpoint",
        "nearest",
    ] = "linear",
    out: Out = None,
) -> Array:
    """Percentiles: the values below which given percentages of the elements lie.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    q
        Percentages from 0 to 100: a number, or an array of any shape.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        Whether the reduced axes stay, with size one.
    method
        Which value lies between two elements; the names are NumPy's.

    Returns
    -------
    Array of the shape of `q`, followed by x's shape without the reduced axes. It has x's
    floating-point data type, whatever the data type of `q`; integers and bools give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If there is no such method, `q` is a number that isn't between 0 and 100, or an axis is
        given twice.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    The result is NaN where an element is NaN, where there is no element, and where an element of
    the array `q` isn't between 0 and 100. Between two infinite elements of the same sign, every
    percentile is that infinity.

    References
    ----------
    NumPy's ``percentile``.

    Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996.

    Examples
    --------
    >>> unify.percentile(unify.array([10.0, 0.0, 20.0]), 25)
    unify.array(5.)
    >>> unify.percentile(unify.array([[1, 2], [3, 5]]), [0.0, 100.0], axis=0, method="lower")
    unify.array([[1., 2.],
                 [3., 5.]])
    """
    return _quantiles("percentile", x, q, 100, axis, keepdims, method)


@mixed
def quantile(
    x: ArrayIn,
    q: RealOperand,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    method: Literal[
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "linear",
        "median_unbiased",
        "normal_unbiased",
        "lower",
        "higher",
        "midpoint",
        "nearest",
    ] = "linear",
    out: Out = None,
) -> Array:
    """Quantiles: the values below which given fractions of the elements lie.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    q
        Fractions from 0 to 1: a number, or an array of any shape.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        Whether the reduced axes stay, with size one.
    method
        Which value lies between two elements; the names are NumPy's.

    Returns
    -------
    Array of the shape of `q`, followed by x's shape without the reduced axes. It has x's
    floating-point data type, whatever the data type of `q`; integers and bools give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If there is no such method, `q` is a number that isn't between 0 and 1, or an axis is given
        twice.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    The result is NaN where an element is NaN, where there is no element, and where an element of
    the array `q` isn't between 0 and 1. Between two infinite elements of the same sign, every
    quantile is that infinity.

    References
    ----------
    NumPy's ``quantile``.

    Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996.

    Examples
    --------
    >>> unify.quantile(unify.array([10.0, 0.0, 20.0]), 0.25)
    unify.array(5.)
    >>> unify.quantile(unify.array([[1, 2], [3, 5]]), [0.0, 1.0], axis=0, method="lower")
    unify.array([[1., 2.],
                 [3., 5.]])
    """
    return _quantiles("quantile", x, q, 1, axis, keepdims, method)
