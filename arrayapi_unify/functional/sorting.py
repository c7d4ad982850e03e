"""Contracts of the sorting category: sorted copies, and the indices that sort."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.annotations import ArrayIn, Out


@primary
def argsort(
    x: ArrayIn, /, *, axis: int = -1, descending: bool = False, stable: bool = True, out: Out = None
) -> Array:
    """Indices that sort an array along an axis.

    NaN is larger than every number: it comes last in ascending order, and first in descending
    order. Complex numbers compare by real component, then by imaginary component.

    Parameters
    ----------
    x
        Array of any data type with at least one axis.
    axis
        Axis to sort along; -1 is the last.
    descending
        If True, sort from the largest to the smallest.
    stable
        If True, equal elements keep their order, also in descending order. False may be
        faster.

    Returns
    -------
    int64 array of x's shape, which `take_along_axis` takes.

    Raises
    ------
    UnifyIndexError
        If `axis` is out of bounds. A zero-dimensional array has no axis.

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
    x: ArrayIn, /, *, axis: int = -1, descending: bool = False, stable: bool = True, out: Out = None
) -> Array:
    """Sorted copy of an array along an axis.

    NaN is larger than every number: it comes last in ascending order, and first in descending
    order. Complex numbers compare by real component, then by imaginary component.

    Parameters
    ----------
    x
        Array of any data type with at least one axis.
    axis
        Axis to sort along; -1 is the last.
    descending
        If True, sort from the largest to the smallest.
    stable
        If True, equal elements keep their order, also in descending order. It makes a
        difference only for zeros of both signs.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyIndexError
        If `axis` is out of bounds. A zero-dimensional array has no axis.

    References
    ----------
    Array API standard 2025.12, ``sort``.

    Examples
    --------
    >>> unify.sort(unify.array([[3, 1, 2], [0, 5, 4]]), descending=True)
    unify.array([[3, 2, 1],
                 [5, 4, 0]])
    """
