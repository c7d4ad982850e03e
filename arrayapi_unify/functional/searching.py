"""Contracts of the searching category: where elements are, and which to take."""

from __future__ import annotations

from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.roles import ArrayIn, Operand, OptionalArray, Out, RealOperand

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


@primary
def argmax(
    x: ArrayIn,
    /,
    *,
    axis: int | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Index of the largest element, the first of equal ones.

    A NaN counts as largest. Complex numbers compare by real part, then by imaginary part.

    Parameters
    ----------
    x
        Array of any dtype with at least one element along the axis.
    axis
        Axis to search along. None searches the flattened array.
    keepdims
        Whether the searched axes stay, with size one.

    Returns
    -------
    int64 array of indices; 0-d where `axis` is None and `keepdims` is false.

    Raises
    ------
    UnifyValueError
        There is nothing to search.
    UnifyIndexError
        The axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``argmax``.

    Examples
    --------
    >>> unify.argmax(unify.array([[1, 5, 5], [9, 0, 2]]), axis=1)
    unify.array([1, 0])
    """


@primary
def argmin(
    x: ArrayIn,
    /,
    *,
    axis: int | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Index of the smallest element, the first of equal ones.

    A NaN counts as smallest. Complex numbers compare by real part, then by imaginary part.

    Parameters
    ----------
    x
        Array of any dtype with at least one element along the axis.
    axis
        Axis to search along. None searches the flattened array.
    keepdims
        Whether the searched axes stay, with size one.

    Returns
    -------
    int64 array of indices; 0-d where `axis` is None and `keepdims` is false.

    Raises
    ------
    UnifyValueError
        There is nothing to search.
    UnifyIndexError
        The axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``argmin``.

    Examples
    --------
    >>> unify.argmin(unify.array([[1, 5, 5], [9, 0, 2]]))
    unify.array(4)
    """


@primary
def count_nonzero(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Count the elements that aren't zero.

    True and NaN aren't zero, nor is a complex number with one component that isn't.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        Axis or axes to count along. None counts over all, the empty tuple each element apart.
    keepdims
        Whether the counted axes stay, with size one.

    Returns
    -------
    int64 array of counts.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``count_nonzero``.

    Examples
    --------
    >>> unify.count_nonzero(unify.array([[1, 0, 3], [0, 0, 6]]), axis=1)
    unify.array([2, 1])
    """


@primary
def nonzero(x: ArrayIn, /) -> tuple[Array, ...]:
    """Indices of the elements that aren't zero.

    The result's shape depends on data, which on accelerators waits for the device and under jit
    can't be compiled. True and NaN aren't zero, nor is a complex number with one component that
    isn't.

    Parameters
    ----------
    x
        Array with at least one axis, of any dtype.

    Returns
    -------
    One 1-d int64 array for each axis of x: together they index the elements in row-major order,
    as in ``x[unify.nonzero(x)]``.

    Raises
    ------
    UnifyValueError
        x is zero-dimensional.

    References
    ----------
    Array API standard 2025.12, ``nonzero``.

    Examples
    --------
    >>> unify.nonzero(unify.array([[1, 0], [0, 2]]))
    (unify.array([0, 1]), unify.array([0, 1]))
    """


@primary
def searchsorted(
    x1: ArrayIn,
    x2: RealOperand,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: OptionalArray = None,
    out: Out = None,
) -> Array:
    """Find where values belong in a sorted array.

    Inserting each value before its index keeps the array sorted. The order is that of `sort`:
    NaNs are largest, and zeros of both signs are equal.

    Parameters
    ----------
    x1
        1-d array in ascending order, or in the order that `sorter` makes ascending.
    x2
        Values to look for: an array of any shape, or a scalar, which takes the dtype it would
        have as an operand of x1.
    side
        Where an equal element of x1 stands: ``"left"`` gives the first index that fits
        (``x1[i-1] < v <= x1[i]``), ``"right"`` the last (``x1[i-1] <= v < x1[i]``).
    sorter
        Integer array of x1's shape whose indices sort x1, as `argsort` returns it.

    Returns
    -------
    int64 array of x2's shape with indices from 0 to the size of x1.

    Raises
    ------
    UnifyValueError
        x1 isn't 1-d, `sorter` has another size, or `side` is something else.
    UnifyOverflowError
        The integer x2 is out of the bounds of x1's dtype.

    References
    ----------
    Array API standard 2025.12, ``searchsorted``.

    Examples
    --------
    >>> unify.searchsorted(unify.array([1, 3, 3, 5]), unify.array([0, 3, 9]))
    unify.array([0, 1, 4])
    >>> unify.searchsorted(unify.array([1, 3, 3, 5]), 3, side="right")
    unify.array(3)
    """


@primary
def where(
    condition: ArrayIn,
    x1: Operand,
    x2: Operand,
    /,
    *,
    out: Out = None,
) -> Array:
    """Choose elements of one array or another.

    Parameters
    ----------
    condition
        Array, normally of bool; in another dtype, everything but zero counts as true.
    x1
        What to take where the condition is true.
    x2
        What to take elsewhere. All three broadcast against one another.

    Returns
    -------
    Array of the broadcast shape and the dtype to which x1 and x2 promote. A scalar takes the
    array's dtype unless it is of a higher kind. Of two scalars, the one of the higher kind gives
    its default dtype.

    Raises
    ------
    UnifyValueError
        The shapes don't broadcast.
    UnifyOverflowError
        An integer scalar is out of the bounds of its dtype.

    References
    ----------
    Array API standard 2025.12, ``where``; it leaves two scalars open.

    Examples
    --------
    >>> unify.where(unify.array([True, False, True]), unify.array([1, 2, 3]), 0)
    unify.array([1, 0, 3])
    """
