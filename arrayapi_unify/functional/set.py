"""Contracts of the set category: membership, and the different values of an array."""

from __future__ import annotations

from typing import NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import ALWAYS, primary
from arrayapi_unify.binding.annotations import ArrayIn, IntegerOperand, Out


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
