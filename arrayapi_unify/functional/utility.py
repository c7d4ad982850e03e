"""Contracts of the utility category: tests over axes, and differences."""

from __future__ import annotations

from arrayapi_unify.array_object import Array, NativeArray
from arrayapi_unify.binding import primary

__all__ = ["all", "any", "diff"]


@primary
def all(
    x: Array | NativeArray,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Whether all elements are true.

    Everything but zero is true, NaN too, and a complex number with one component that isn't zero.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        Axis or axes to test along. None tests over all, the empty tuple each element apart.
    keepdims
        Whether the tested axes stay, with size one.
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    bool array; true where there are no elements.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

    Source: Array API standard 2025.12, ``all``.

    Examples
    --------
    >>> unify.all(unify.array([[1, 2], [0, 4]]), axis=1)
    unify.array([ True, False])
    """


@primary
def any(
    x: Array | NativeArray,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Whether any element is true.

    Everything but zero is true, NaN too, and a complex number with one component that isn't zero.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        Axis or axes to test along. None tests over all, the empty tuple each element apart.
    keepdims
        Whether the tested axes stay, with size one.
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    bool array; false where there are no elements.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

    Source: Array API standard 2025.12, ``any``.

    Examples
    --------
    >>> unify.any(unify.array([[0, 2], [0, 0]]), axis=1)
    unify.array([ True, False])
    """


@primary
def diff(
    x: Array | NativeArray,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Array | NativeArray | None = None,
    append: Array | NativeArray | None = None,
    out: Array | None = None,
) -> Array:
    """Difference of neighbours along an axis, ``x[i+1] - x[i]``, taken n times.

    Parameters
    ----------
    x
        Array with at least one axis, of any dtype. Unsigned integers wrap around; bool gives
        where neighbours differ.
    axis
        Axis along which elements are neighbours.
    n
        How many times; 0 gives x with what is to be joined to it.
    prepend
        Array to join before x along the axis, of x's shape but for that axis. A 0-d one stands
        for one slice.
    append
        Array to join after x, in the same way.
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    Array of the dtype to which the inputs promote. Along the axis it has n elements less than
    the joined inputs, and none where there are no more than n.

    Raises
    ------
    UnifyValueError
        n is negative, or the shapes don't fit.
    UnifyIndexError
        The axis is out of bounds.

    Source: Array API standard 2025.12, ``diff``.

    Examples
    --------
    >>> unify.diff(unify.array([1, 4, 9, 16]))
    unify.array([3, 5, 7])
    >>> unify.diff(unify.array([1, 4, 9, 16]), n=2, prepend=unify.array([0]))
    unify.array([2, 2, 2])
    """
