"""Contracts of the functions that count, or add up, by a number that each element has."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.segments import raise_negative_numbers_error
from arrayapi_unify.binding import DataDependent, compositional, mixed, primary
from arrayapi_unify.binding.annotations import ArrayIn, OptionalArray, Out, RealOperand
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, raise_argument_error
from arrayapi_unify.functional._common import BodyArray, floating, real

__all__ = ["bincount", "histogram", "segment_sum"]


class HistogramResult(NamedTuple):
    """The result of `histogram`."""

    counts: Array
    bin_edges: Array


def _check_weights(function: str, weights: BodyArray, shape: tuple[int, ...]) -> None:
    """Raise for weights that aren't one for each element."""
    if weights is not None and weights.shape != shape:
        raise_argument_error(
            UnifyValueError, function, "weights",
            f"has the shape {weights.shape} beside an array of shape {shape}",
            "pass one weight for each element",
        )  # fmt: skip


def _length(x: BodyArray, minlength: int) -> int:
    """Return one more than the largest number, which takes a look at the values."""
    if not x.size:
        return minlength
    xp = x.__array_namespace__()
    if int(xp.min(x)) < 0:
        raise_negative_numbers_error()
    return max(minlength, int(xp.max(x)) + 1)


_WITHOUT_LENGTH: Final = DataDependent(
    "calls without `length`", lambda x, /, *, length=None, **options: length is None
)


@mixed(data_dependent=_WITHOUT_LENGTH)
def bincount(
    x: ArrayIn,
    /,
    *,
    weights: OptionalArray = None,
    minlength: int = 0,
    length: int | None = None,
    out: Out = None,
) -> Array:
    """Count how often each number occurs, or add up the weights of its occurrences.

    Parameters
    ----------
    x
        Array of one axis, of integers that aren't negative.
    weights
        What each element counts, real. None counts one for each.
    minlength
        The least number of results.
    length
        Number of results, which needs no look at the values: calls with it trace. Elements that are
        negative, or as large, aren't counted. None makes as many as there are numbers up to the
        largest element.

    Returns
    -------
    Array of one axis: the counts, as int64, or sums of the floating-point data type of the weights;
    integers as weights give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` isn't of an integer data type, or `weights` is complex.
    UnifyValueError
        If `x` has more than one axis or, without `length`, a negative element, the weights have
        another shape, or a length is negative.

    References
    ----------
    NumPy's ``bincount``. `length` is an addition.

    Examples
    --------
    >>> unify.bincount(unify.array([1, 3, 1]))
    unify.array([0, 2, 0, 1])
    >>> unify.bincount(unify.array([1, 3, 1]), weights=unify.array([0.5, 1.0, 2.0]), length=3)
    unify.array([0. , 2.5, 0. ])
    """
    if x.dtype.kind not in "iu":
        problem, remedy = f"has data type {x.dtype}", "pass an array of integers"
        raise_argument_error(UnifyTypeError, "bincount", "x", problem, remedy)
    if x.ndim != 1:
        problem, remedy = f"has {x.ndim} axes", "flatten it first with reshape(x, -1)"
        raise_argument_error(UnifyValueError, "bincount", "x", problem, remedy)
    _check_weights("bincount", weights, x.shape)
    for name, value in (("minlength", minlength), ("length", length)):
        if value is not None and value < 0:
            raise_argument_error(UnifyValueError, "bincount", name, f"is {value}", "pass 0 or more")
    xp = x.__array_namespace__()
    if weights is None:
        counted = xp.ones(x.shape, dtype=xp.int64, device=x.device)
    else:
        counted = real("bincount", "weights", weights)
    return xp.segment_sum(counted, x, _length(x, minlength) if length is None else length)


def _check_bins(bins: int, limits: tuple[float, float] | None) -> None:
    """Raise for what makes no bins."""
    if bins < 1:
        raise_argument_error(
            UnifyValueError, "histogram", "bins", f"is {bins}", "pass one bin at least"
        )
    if limits is not None and not (-math.inf < limits[0] <= limits[1] < math.inf):
        raise_argument_error(
            UnifyValueError, "histogram", "range", f"is {limits}",
            "pass two finite numbers, the smaller one first",
        )  # fmt: skip


def _edges(x: Array, bins: int, limits: tuple[float, float] | None) -> Array:
    """Return the edges of bins of equal width between two numbers, or the extremes of x."""
    xp = x.__array_namespace__()
    if limits is None and x.size:
        low, high = xp.min(x), xp.max(x)
    else:
        ends = (0.0, 1.0) if limits is None else limits
        low, high = (xp.asarray(float(v), dtype=x.dtype, device=x.device) for v in ends)
    same = low == high
    low, high = xp.where(same, low - 0.5, low), xp.where(same, high + 0.5, high)
    steps = xp.astype(xp.arange(bins, device=x.device), x.dtype)
    inner = low + steps * ((high - low) / bins)
    return xp.concat([inner, xp.reshape(high, (1,))])


@compositional
def histogram(
    x: ArrayIn,
    /,
    *,
    bins: RealOperand = 10,
    range: tuple[float, float] | None = None,
    weights: OptionalArray = None,
    density: bool = False,
) -> HistogramResult:
    """Count how many elements lie in each bin.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    bins
        Number of bins of equal width, or an array of their edges in increasing order.
    range
        The first and the last edge of bins of equal width. None takes the extremes of `x`, which
        are finite.
    weights
        What each element counts. None counts one for each.
    density
        Whether to divide by the sum of all counts and the width of each bin, so that the integral
        is one.

    Returns
    -------
    A named tuple ``(counts, bin_edges)``. The counts are int64, or of the data type of the weights,
    and floating-point with `density`. The edges have x's floating-point data type; integers and
    bools give the default one. float16 and bfloat16 beside complex weights give float32.

    Raises
    ------
    UnifyTypeError
        If `x` is complex, or the weights are bools.
    UnifyValueError
        If there is no bin, `range` isn't two finite numbers in order, or the weights have another
        shape.

    Notes
    -----
    An element at an edge counts for the bin behind it, one at the last edge for the last bin.
    Elements outside of all bins and NaN don't count. That edges are in order, and extremes finite,
    isn't checked.

    References
    ----------
    NumPy's ``histogram``.

    Examples
    --------
    >>> found = unify.histogram(unify.array([0.0, 1.0, 2.0, 4.0]), bins=2)
    >>> found.counts, found.bin_edges
    (unify.array([2, 2]), unify.array([0., 2., 4.]))
    """
    _check_weights("histogram", weights, x.shape)
    values = real("histogram", "x", x)
    xp = values.__array_namespace__()
    values = xp.reshape(values, (-1,))
    if isinstance(bins, Array) and bins.ndim:
        edges = real("histogram", "bins", bins)
        if edges.ndim != 1 or edges.shape[0] < 2:
            problem, remedy = f"has the shape {edges.shape}", "pass two edges at least, in one axis"
            raise_argument_error(UnifyValueError, "histogram", "bins", problem, remedy)
        edges = xp.astype(edges, values.dtype)
    else:
        given: BodyArray = bins
        count = int(given)
        _check_bins(count, range)
        edges = _edges(values, count, range)
    place = xp.searchsorted(edges, values, side="right") - 1
    place = xp.where(values == edges[-1], edges.shape[0] - 2, place)
    if weights is None:
        counted = xp.ones(values.shape, dtype=xp.int64, device=values.device)
    else:
        counted = xp.reshape(_weights(weights), (-1,))
    counts = xp.segment_sum(counted, place, edges.shape[0] - 1)
    if density:
        share = floating(counts)
        counts = share / xp.astype(edges[1:] - edges[:-1], share.dtype) / xp.sum(share)
    return HistogramResult(counts, edges)


def _weights(weights: BodyArray) -> BodyArray:
    """Raise for bools, of which there is no sum of the same data type."""
    if weights.dtype.kind == "b":
        problem, remedy = "has data type bool", "cast it to a numeric data type first"
        raise_argument_error(UnifyTypeError, "histogram", "weights", problem, remedy)
    return weights


@primary
def segment_sum(
    x: ArrayIn, segment_ids: ArrayIn, num_segments: int, /, *, out: Out = None
) -> Array:
    """Add up the elements along the first axis that have the same number.

    Parameters
    ----------
    x
        Array of numeric data type with at least one axis.
    segment_ids
        The number of each element along the first axis: an array of integers with one axis.
    num_segments
        How many sums there are. Elements whose number is negative, or as large, aren't added.

    Returns
    -------
    Array of x's data type, with `num_segments` sums along the first axis. A number that nothing has
    gives zero. Sums of integers wrap around.

    Raises
    ------
    UnifyTypeError
        If `x` is an array of bools, or `segment_ids` isn't of an integer data type.
    UnifyValueError
        If `x` has no axis, there isn't one number for each element, or `num_segments` is negative.

    References
    ----------
    TensorFlow's ``tf.math.unsorted_segment_sum``.

    Examples
    --------
    >>> unify.segment_sum(unify.array([1, 2, 4, 8]), unify.array([0, 2, 0, -1]), 3)
    unify.array([5, 0, 2])
    """
