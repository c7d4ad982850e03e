"""Contracts of the sorting category: sorted copies, and the indices that sort."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.roles import ArrayIn, Out

__all__ = ["argsort", "sort"]


@primary
def argsort(
    x: ArrayIn,
    /,
    *,
    axis: int = -1,
    descending: bool = False,
    stable: bool = True,
    out: Out = None,
) -> Array:
    """Indices that sort an array along an axis.

    NaNs are larger than all numbers: last in ascending order, first in descending order.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis. Complex numbers compare by real part, then by
        imaginary part.
    axis
        Axis to sort along; -1 is the last.
    descending
        Whether to sort from the largest to the smallest.
    stable
        Whether equal elements keep their order, in descending order too. False may be faster.

    Returns
    -------
    int64 array of x's shape, for `take_along_axis`.

    Raises
    ------
    UnifyIndexError
        The axis is out of bounds; for a 0-d array every axis is.

    References
    ----------
    Array API standard 2025.12, ``argsort``.

    Examples
    --------
    >>> unify.argsort(unify.array([2, 1, 2, 3]))
    unify.array([1, 0, 2, 3])
    >>> unify.argsort(unify.array([2, 1, 2, 3]), descending=True)
    unify.array([3, 0, 2, 1])
    """


@primary
def sort(
    x: ArrayIn,
    /,
    *,
    axis: int = -1,
    descending: bool = False,
    stable: bool = True,
    out: Out = None,
) -> Array:
    """Sorted copy of an array along an axis.

    NaNs are larger than all numbers: last in ascending order, first in descending order.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis. Complex numbers compare by real part, then by
        imaginary part.
    axis
        Axis to sort along; -1 is the last.
    descending
        Whether to sort from the largest to the smallest.
    stable
        Whether equal elements keep their order, in descending order too; it shows in zeros of
        both signs only.

    Returns
    -------
    Array of x's shape and dtype.

    Raises
    ------
    UnifyIndexError
        The axis is out of bounds; for a 0-d array every axis is.

    References
    ----------
    Array API standard 2025.12, ``sort``.

    Examples
    --------
    >>> unify.sort(unify.array([[3, 1, 2], [0, 5, 4]]), descending=True)
    unify.array([[3, 2, 1],
                 [5, 4, 0]])
    """
