"""Contracts of the set category: membership, and the different values of an array."""

from __future__ import annotations

from typing import NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.roles import ArrayIn, IntegerOperand, Out

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAllResult(NamedTuple):
    """What `unique_all` returns."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` returns."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` returns."""

    values: Array
    inverse_indices: Array


@primary
def isin(
    x1: IntegerOperand,
    x2: IntegerOperand,
    /,
    *,
    invert: bool = False,
    out: Out = None,
) -> Array:
    """Test for each element of one array whether it is in another.

    Elements match as `equal` finds them: NaN matches nothing, zeros of both signs match.

    Parameters
    ----------
    x1
        Elements to test: an array of any shape and dtype, or an integer.
    x2
        Elements to look among: an array of any shape and dtype, or an integer. One of the two
        must be an array.
    invert
        Whether to test for absence instead.

    Returns
    -------
    bool array of x1's shape; 0-d where x1 is an integer.

    References
    ----------
    Array API standard 2025.12, ``isin``.

    Examples
    --------
    >>> unify.isin(unify.array([1, 2, 3]), unify.array([3, 1]))
    unify.array([ True, False,  True])
    """


@primary
def unique_all(x: ArrayIn, /) -> UniqueAllResult:
    """Different values of an array, where they first occur, where each goes, and how often.

    Values are in ascending order. Every NaN (of a complex number: every number with a NaN
    component) is a value of its own with count one; zeros of both signs are one value. The
    results' shapes depend on data, which under jit can't be compiled.

    Parameters
    ----------
    x
        Array of any shape and dtype; it is taken as flattened.

    Returns
    -------
    Named tuple of

    - ``values``: 1-d array of x's dtype,
    - ``indices``: int64, for each value the first index into the flattened x,
    - ``inverse_indices``: int64 of x's shape, so that ``values[inverse_indices]`` equals x,
    - ``counts``: int64, how often each value occurs.

    References
    ----------
    Array API standard 2025.12, ``unique_all``; it leaves the order open.

    Examples
    --------
    >>> values, indices, inverse, counts = unify.unique_all(unify.array([[5, 2], [5, 5]]))
    >>> values, indices, counts
    (unify.array([2, 5]), unify.array([1, 0]), unify.array([1, 3]))
    >>> inverse
    unify.array([[1, 0],
                 [1, 1]])
    """


@primary
def unique_counts(x: ArrayIn, /) -> UniqueCountsResult:
    """Different values of an array, and how often each occurs.

    Values are in ascending order. Every NaN (of a complex number: every number with a NaN
    component) is a value of its own with count one; zeros of both signs are one value. The
    results' shapes depend on data, which under jit can't be compiled.

    Parameters
    ----------
    x
        Array of any shape and dtype; it is taken as flattened.

    Returns
    -------
    Named tuple of ``values``, a 1-d array of x's dtype, and ``counts``, int64 of the same shape.

    References
    ----------
    Array API standard 2025.12, ``unique_counts``; it leaves the order open.

    Examples
    --------
    >>> unify.unique_counts(unify.array([5, 2, 5]))
    UniqueCountsResult(values=unify.array([2, 5]), counts=unify.array([1, 2]))
    """


@primary
def unique_inverse(x: ArrayIn, /) -> UniqueInverseResult:
    """Different values of an array, and the indices that build it from them.

    Values are in ascending order. Every NaN (of a complex number: every number with a NaN
    component) is a value of its own; zeros of both signs are one value. The shape of the values
    depends on data, which under jit can't be compiled.

    Parameters
    ----------
    x
        Array of any shape and dtype; the values are those of the flattened array.

    Returns
    -------
    Named tuple of ``values``, a 1-d array of x's dtype, and ``inverse_indices``, int64 of x's
    shape, so that ``values[inverse_indices]`` equals x.

    References
    ----------
    Array API standard 2025.12, ``unique_inverse``; it leaves the order open.

    Examples
    --------
    >>> unify.unique_inverse(unify.array([5, 2, 5]))
    UniqueInverseResult(values=unify.array([2, 5]), inverse_indices=unify.array([1, 0, 1]))
    """


@primary
def unique_values(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Different values of an array.

    Values are in ascending order. Every NaN (of a complex number: every number with a NaN
    component) is a value of its own; zeros of both signs are one value. The result's shape
    depends on data, which under jit can't be compiled.

    Parameters
    ----------
    x
        Array of any shape and dtype; it is taken as flattened.

    Returns
    -------
    1-d array of x's dtype.

    References
    ----------
    Array API standard 2025.12, ``unique_values``; it leaves the order open.

    Examples
    --------
    >>> unify.unique_values(unify.array([[5, 2], [5, 5]]))
    unify.array([2, 5])
    """
