"""Contracts of the set category: membership, and the different values of an array."""

from __future__ import annotations

import math
from typing import NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, primary
from arrayapi_unify.contracts import ALWAYS
from arrayapi_unify.contracts.annotations import ArrayIn, ArrayOrArrays, IntegerOperand, Out
from arrayapi_unify.functional._common import BodyArray, unchecked


class UniqueAllResult(NamedTuple):
    """The result of `unique_all`."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """The result of `unique_counts`."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """The result of `unique_inverse`."""

    values: Array
    inverse_indices: Array


@compositional(data_dependent=ALWAYS)
def intersect1d(
    ar1: ArrayIn,
    ar2: ArrayIn,
    /,
    assume_unique: bool = False,
    return_indices: bool = False,
) -> ArrayOrArrays:
    """Different values that are in both of two arrays.

    NaN is in no other array.

    Parameters
    ----------
    ar1
        Array of any shape and data type. It is flattened first.
    ar2
        Array of any shape and data type. It is flattened first.
    assume_unique
        If True, no value occurs twice in one array, which saves time.
    return_indices
        If True, the indices of the values' first occurrences are returned, too.

    Returns
    -------
    Array with one axis in ascending order, of the data type to which the arrays promote. With
    `return_indices`, a tuple of it and of the indices in either flattened array.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    NumPy's ``intersect1d``.

    Examples
    --------
    >>> unify.intersect1d(unify.array([1, 3, 4, 3]), unify.array([3, 1, 2, 1]))
    unify.array([1, 3])
    """
    given: list[BodyArray] = [ar1, ar2]
    xp = given[0].__array_namespace__()
    parts = [xp.reshape(x, (-1,)) for x in given]
    places = [xp.arange(x.shape[0], device=x.device) for x in parts]
    if not assume_unique:
        found = [xp.unique(x, return_index=True) for x in parts]
        parts, places = [values for values, _ in found], [indices for _, indices in found]
    both = xp.concat(parts)
    order = xp.argsort(both)
    ascending = unchecked(xp.take, both, order)
    twice = ascending[1:] == ascending[:-1]
    values = ascending[:-1][twice]
    if not return_indices:
        return values
    # While TensorFlow traces, no size of what is unique is known.
    second = order[1:][twice] - xp.sum(xp.ones_like(places[0]))
    first = unchecked(xp.take, places[0], order[:-1][twice])
    return values, first, unchecked(xp.take, places[1], second)


@primary
def isin(
    x1: IntegerOperand, x2: IntegerOperand, /, *, invert: bool = False, out: Out = None
) -> Array:
    """Test whether each element of one array is in another array.

    Elements match if `equal` finds them equal: NaN matches nothing, and zeros of both signs match.

    Parameters
    ----------
    x1
        Elements to test: an array of any shape and data type, or an integer.
    x2
        Elements to look among: an array of any shape and data type, or an integer.
    invert
        If True, test that the elements are not in the other array.

    Returns
    -------
    Bool array of x1's shape. It is zero-dimensional if `x1` is an integer.

    References
    ----------
    Array API standard 2025.12, ``isin``.

    Examples
    --------
    >>> unify.isin(unify.array([1, 2, 3]), unify.array([3, 1]))
    unify.array([ True, False,  True])
    """


@compositional(data_dependent=ALWAYS)
def setdiff1d(
    ar1: ArrayIn, ar2: ArrayIn, /, assume_unique: bool = False, *, out: Out = None
) -> Array:
    """Different values of one array that aren't in another one.

    NaN is in no other array.

    Parameters
    ----------
    ar1
        Array of any shape and data type. It is flattened first.
    ar2
        Array of any shape and data type.
    assume_unique
        If True, no value occurs twice in one array: the values stay in their order.

    Returns
    -------
    Array with one axis, of ar1's data type, in ascending order without `assume_unique`.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    NumPy's ``setdiff1d``.

    Examples
    --------
    >>> unify.setdiff1d(unify.array([1, 2, 3, 2, 4]), unify.array([3, 4, 5]))
    unify.array([1, 2])
    """
    xp = ar1.__array_namespace__()
    values = xp.reshape(ar1, (-1,)) if assume_unique else xp.unique(ar1)
    return values[xp.isin(values, ar2, invert=True)]


@compositional(data_dependent=ALWAYS)
def union1d(ar1: ArrayIn, ar2: ArrayIn, /, *, out: Out = None) -> Array:
    """Different values that are in one of two arrays; see `unique`.

    Parameters
    ----------
    ar1
        Array of any shape and data type. It is flattened first.
    ar2
        Array of any shape and data type. It is flattened first.

    Returns
    -------
    Array with one axis in ascending order, of the data type to which the arrays promote.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    NumPy's ``union1d``.

    Examples
    --------
    >>> unify.union1d(unify.array([2, 1]), unify.array([[3, 2]]))
    unify.array([1, 2, 3])
    """
    xp = ar1.__array_namespace__()
    return xp.unique(xp.concat((ar1, ar2), axis=None))


def _sorted_rows(rows: BodyArray, indices: bool) -> tuple[BodyArray, BodyArray]:
    """Sort rows by their first element, then by the next; return the order, too, if needed."""
    xp, columns = rows.__array_namespace__(), rows.shape[1]
    if columns == 1 and not indices:
        return xp.sort(rows, axis=0), None
    if columns:
        order = xp.lexsort([rows[:, i] for i in range(columns - 1, -1, -1)])
    else:
        order = xp.arange(rows.shape[0], device=rows.device)
    return unchecked(xp.take, rows, order, axis=0), order


@compositional(data_dependent=ALWAYS)
def unique(
    x: ArrayIn,
    /,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> ArrayOrArrays:
    """Different values of an array, or different slices along an axis.

    Zeros of both signs are one value.

    Parameters
    ----------
    x
        Array of any shape and data type.
    return_index
        If True, the index of the first occurrence of each value is returned, too.
    return_inverse
        If True, the indices that build `x` from the values are returned, too.
    return_counts
        If True, the number of occurrences of each value is returned, too.
    axis
        Axis whose slices are compared. None compares the elements of the flattened array.
    equal_nan
        If True, NaN equals NaN. Within slices, it never does.
    sorted
        The values are in ascending order in any case.

    Returns
    -------
    Array of x's data type, or a tuple of it and of the int64 arrays that are asked for. The inverse
    has x's shape without `axis`, and one axis with it.

    Raises
    ------
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    NumPy's ``unique``.

    Examples
    --------
    >>> unify.unique(unify.array([5, 2, 5]), return_counts=True)
    (unify.array([2, 5]), unify.array([1, 2]))
    >>> unify.unique(unify.array([[1, 0], [1, 0], [0, 1]]), axis=0)
    unify.array([[0, 1],
                 [1, 0]])
    """
    xp = x.__array_namespace__()
    slices = xp.reshape(x, (-1,)) if axis is None else xp.moveaxis(x, axis, 0)
    count, shape = slices.shape[0], slices.shape[1:]
    rows = xp.reshape(slices, (count, math.prod(shape)))
    ordered, order = _sorted_rows(rows, return_index or return_inverse)
    differs = ordered[1:, :] != ordered[:-1, :]
    if (axis is None or x.ndim == 1) and equal_nan and x.dtype.kind in "fc":
        differs = differs & xp.logical_not(xp.isnan(ordered[1:, :]) & xp.isnan(ordered[:-1, :]))
    start = xp.ones((min(count, 1),), dtype=xp.bool, device=x.device)
    first = xp.concat((start, xp.any(differs, axis=1)))
    kept = ordered[first, :]
    values = xp.reshape(kept, (kept.shape[0] if 0 in shape else -1, *shape))
    found = [values if axis is None else xp.asarray(xp.moveaxis(values, 0, axis), copy=True)]
    if return_index:
        found.append(order[first])
    if return_inverse:
        number = xp.astype(xp.cumsum(first), xp.int64) - 1
        inverse = unchecked(xp.take, number, xp.argsort(order))
        found.append(xp.reshape(inverse, x.shape) if axis is None else inverse)
    if return_counts:
        starts = xp.concat((xp.nonzero(first)[0], xp.asarray([count], device=x.device)))
        found.append(starts[1:] - starts[:-1])
    return tuple(found) if len(found) > 1 else found[0]


@primary(data_dependent=ALWAYS)
def unique_all(x: ArrayIn, /) -> UniqueAllResult:
    """Different values of an array: where each first occurs, where each goes, and how often.

    Values are in ascending order. Each NaN is a value of its own, and so is each complex number
    with a NaN in it. Zeros of both signs are one value.

    Parameters
    ----------
    x
        Array of any shape and data type. It is flattened first.

    Returns
    -------
    A named tuple of arrays. The indices and counts are of int64.

    - ``values``: one-dimensional, of x's data type.
    - ``indices``: for each value, its first index in the flattened `x`.
    - ``inverse_indices``: of x's shape, so that ``values[inverse_indices]`` equals `x`.
    - ``counts``: how often each value occurs.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    Array API standard 2025.12, ``unique_all``. The standard leaves the order open.

    Examples
    --------
    >>> values, indices, inverse, counts = unify.unique_all(unify.array([[5, 2], [5, 5]]))
    >>> values, indices, counts
    (unify.array([2, 5]), unify.array([1, 0]), unify.array([1, 3]))
    >>> inverse
    unify.array([[1, 0],
                 [1, 1]])
    """


@primary(data_dependent=ALWAYS)
def unique_counts(x: ArrayIn, /) -> UniqueCountsResult:
    """Different values of an array, and how often each occurs.

    Values are in ascending order. Each NaN is a value of its own, and so is each complex number
    with a NaN in it. Zeros of both signs are one value.

    Parameters
    ----------
    x
        Array of any shape and data type. It is flattened first.

    Returns
    -------
    A named tuple of ``values``, a one-dimensional array of x's data type, and ``counts``, an int64
    array of the same shape.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    Array API standard 2025.12, ``unique_counts``. The standard leaves the order open.

    Examples
    --------
    >>> unify.unique_counts(unify.array([5, 2, 5]))
    UniqueCountsResult(values=unify.array([2, 5]), counts=unify.array([1, 2]))
    """


@primary(data_dependent=ALWAYS)
def unique_inverse(x: ArrayIn, /) -> UniqueInverseResult:
    """Different values of an array, and the indices that build the array from them.

    Values are in ascending order. Each NaN is a value of its own, and so is each complex number
    with a NaN in it. Zeros of both signs are one value.

    Parameters
    ----------
    x
        Array of any shape and data type. It is flattened first.

    Returns
    -------
    A named tuple of ``values``, a one-dimensional array of x's data type, and ``inverse_indices``,
    an int64 array of x's shape, so that ``values[inverse_indices]`` equals `x`.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    Array API standard 2025.12, ``unique_inverse``. The standard leaves the order open.

    Examples
    --------
    >>> unify.unique_inverse(unify.array([5, 2, 5]))
    UniqueInverseResult(values=unify.array([2, 5]), inverse_indices=unify.array([1, 0, 1]))
    """


@primary(data_dependent=ALWAYS)
def unique_values(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Different values of an array.

    Values are in ascending order. Each NaN is a value of its own, and so is each complex number
    with a NaN in it. Zeros of both signs are one value.

    Parameters
    ----------
    x
        Array of any shape and data type. It is flattened first.

    Returns
    -------
    One-dimensional array of x's data type.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    Array API standard 2025.12, ``unique_values``. The standard leaves the order open.

    Examples
    --------
    >>> unify.unique_values(unify.array([[5, 2], [5, 5]]))
    unify.array([2, 5])
    """
