"""Contracts of the functions of series: running extremes, integrals and interpolation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axis, only_axis
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.binding.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.errors import UnifyValueError, raise_argument_error
from arrayapi_unify.functional._common import BodyArray, check_real, floating_together

__all__ = ["cummax", "cummin", "interp", "trapezoid"]


def _running(
    function: str, x: BodyArray, axis: int | None, extreme: Callable[[Any, Any], Array]
) -> Array:
    """Accumulate along an axis in steps of doubled length, each one operation of whole arrays."""
    check_real(function, "x", x)
    xp = x.__array_namespace__()
    if axis is None or x.ndim == 0:
        axis = only_axis(function, x.ndim, axis)
    axis = normalize_axis(function, axis, x.ndim)
    found, step = xp.asarray(xp.moveaxis(x, axis, 0), copy=True), 1
    while step < x.shape[axis]:
        later = extreme(found[step:, ...], found[:-step, ...])
        found = xp.concat([found[:step, ...], later], axis=0)
        step *= 2
    return xp.asarray(xp.moveaxis(found, 0, axis), copy=True)


@mixed
def cummax(x: ArrayIn, /, *, axis: int | None = None, out: Out = None) -> Array:
    """Largest of each element and all elements before it along an axis.

    Parameters
    ----------
    x
        Array of real data type with at least one axis.
    axis
        Axis to go along. Only for a one-dimensional array it may be None.

    Returns
    -------
    Array of x's shape and data type. From the first NaN on, all are NaN.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If `x` is zero-dimensional, or has several axes and `axis` is None.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``maximum.accumulate``.

    Examples
    --------
    >>> unify.cummax(unify.array([1, 3, 2, 5, 4]))
    unify.array([1, 3, 3, 5, 5])
    """
    return _running("cummax", x, axis, x.__array_namespace__().maximum)


@mixed
def cummin(x: ArrayIn, /, *, axis: int | None = None, out: Out = None) -> Array:
    """Smallest of each element and all elements before it along an axis.

    Parameters
    ----------
    x
        Array of real data type with at least one axis.
    axis
        Axis to go along. Only for a one-dimensional array it may be None.

    Returns
    -------
    Array of x's shape and data type. From the first NaN on, all are NaN.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If `x` is zero-dimensional, or has several axes and `axis` is None.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``minimum.accumulate``.

    Examples
    --------
    >>> unify.cummin(unify.array([4, 5, 2, 3, 1]))
    unify.array([4, 4, 2, 2, 1])
    """
    return _running("cummin", x, axis, x.__array_namespace__().minimum)


def _check_points(points: BodyArray, values: BodyArray) -> None:
    """Raise for points and values that don't belong together."""
    if points.ndim != 1 or values.shape != points.shape or not points.size:
        raise_argument_error(
            UnifyValueError, "interp", "points",
            f"has the shape {points.shape} beside values of shape {values.shape}",
            "pass two arrays of one axis, with as many values as points, and at least one",
        )  # fmt: skip


def _periodic(x: Array, points: Array, values: Array, period: float) -> tuple[Array, Array, Array]:
    """Bring points and places into one period, and add a point of the next one on either side."""
    xp = x.__array_namespace__()
    points = points % period
    order = xp.argsort(points)
    points, values = xp.take(points, order), xp.take(values, order)
    ends = [points[-1:] - period, points, points[:1] + period]
    return x % period, xp.concat(ends), xp.concat([values[-1:], values, values[:1]])


@compositional
def interp(
    x: ArrayIn,
    points: ArrayIn,
    values: ArrayIn,
    /,
    *,
    left: float | complex | None = None,
    right: float | complex | None = None,
    period: float | None = None,
    out: Out = None,
) -> Array:
    """Interpolate on straight lines between points.

    Parameters
    ----------
    x
        Where to interpolate: an array of any shape and real data type.
    points
        Array of one axis with at least one point, in increasing order. With `period` the order is
        free.
    values
        What stands at each point, real or complex.
    left
        Result before the first point. None takes the first value.
    right
        Result behind the last point. None takes the last value.
    period
        Period of `x` and `points`; `left` and `right` then have no meaning. It isn't zero.

    Returns
    -------
    Array of x's shape, of the floating-point data type to which the arguments promote; integers
    give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` or `points` is complex.
    UnifyValueError
        If `points` and `values` don't have one axis of the same size, there is no point, or
        `period` is zero.

    Notes
    -----
    Whether the points are in order isn't checked, which would take their values.

    References
    ----------
    NumPy's ``interp``, where `points` is named ``xp`` and `values` ``fp``.

    Examples
    --------
    >>> points, values = unify.array([1.0, 2.0, 4.0]), unify.array([10.0, 20.0, 0.0])
    >>> unify.interp(unify.array([0.0, 1.5, 3.0, 9.0]), points, values, right=-1.0)
    unify.array([10., 15., 10., -1.])
    """
    check_real("interp", "x", x)
    check_real("interp", "points", points)
    _check_points(points, values)
    complexes = values.dtype.kind == "c"
    given: BodyArray = values
    part = given.__array_namespace__().real(given) if complexes else given
    place, knots, heights = floating_together(x, points, part)
    heights = given if complexes else heights
    if period is not None:
        if not period:
            raise_argument_error(
                UnifyValueError, "interp", "period", "is 0", "pass a number that isn't zero"
            )
        place, knots, heights = _periodic(place, knots, heights, abs(period))
        left = right = None
    xp, last = place.__array_namespace__(), knots.shape[0] - 1
    flat = xp.reshape(place, (-1,))
    low = xp.clip(xp.searchsorted(knots, flat, side="right") - 1, 0, max(last - 1, 0))
    high = xp.minimum(low + 1, last)
    start, end = xp.take(knots, low), xp.take(knots, high)
    first, second = xp.take(heights, low), xp.take(heights, high)
    # Points that stand at one place, and a point alone, have no line between them.
    gap = xp.where(end > start, end - start, 1.0)
    found = first + (second - first) * ((flat - start) / gap)
    # From infinity no line leads away, but its own point has it.
    found = xp.where((flat == start) & xp.logical_not(xp.isfinite(first)), first, found)
    found = xp.where(flat >= end, second, found)
    found = xp.where(flat < knots[0], heights[0] if left is None else left, found)
    found = xp.where(flat > knots[last], heights[last] if right is None else right, found)
    # It is neither before a point nor behind one.
    return xp.reshape(xp.where(xp.isnan(flat), math.nan, found), place.shape)


@mixed
def trapezoid(
    y: ArrayIn,
    x: OptionalArray = None,
    /,
    *,
    dx: float = 1.0,
    axis: int = -1,
    out: Out = None,
) -> Array:
    """Integrate along an axis by the trapezoidal rule.

    Parameters
    ----------
    y
        Array of values, of numeric data type, with at least one axis.
    x
        Where the values stand: an array of one axis, or one that broadcasts with `y`. None puts
        them `dx` apart.
    dx
        Distance of the values without `x`.
    axis
        Axis of `y` to integrate along.

    Returns
    -------
    Array without the axis, of the floating-point data type to which the arguments promote; integers
    give the default one.

    Raises
    ------
    UnifyValueError
        If the shapes don't fit.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``trapezoid``.

    Examples
    --------
    >>> unify.trapezoid(unify.array([1.0, 2.0, 5.0]))
    unify.array(5.)
    >>> unify.trapezoid(unify.array([1.0, 2.0, 5.0]), unify.array([0.0, 2.0, 3.0]))
    unify.array(6.5)
    """
    axis = normalize_axis("trapezoid", axis, y.ndim)
    values, *places = floating_together(*(array for array in (y, x) if array is not None))
    xp = values.__array_namespace__()
    moved = xp.moveaxis(values, axis, -1)
    means = (moved[..., 1:] + moved[..., :-1]) / 2
    if not places:
        return xp.sum(means, axis=-1) * dx
    place = places[0]
    if place.ndim not in (1, y.ndim):
        raise_argument_error(
            UnifyValueError, "trapezoid", "x", f"has {place.ndim} axes where y has {y.ndim}",
            "pass an array of one axis, or of as many axes",
        )  # fmt: skip
    place = place if place.ndim == 1 else xp.moveaxis(place, axis, -1)
    return xp.sum(means * (place[..., 1:] - place[..., :-1]), axis=-1)
