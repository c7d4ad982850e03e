"""Contracts of the indexing functions, and of what `x[key]` and `x[key] = value` go through."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.roles import ArrayIn, Key, Operand, Out

__all__ = ["get_item", "set_item", "take", "take_along_axis"]


@primary
def get_item(x: ArrayIn, key: Key, /, *, out: Out = None) -> Array:
    """Part of an array that an index selects, what `x[key]` computes.

    Parameters
    ----------
    x
        Array of any data type.
    key
        An integer, a slice (with any step), an ellipsis, None for a new axis, an integer array,
        a boolean mask, or a tuple of those. Integer arrays and masks broadcast against each
        other; they select element by element.

    Returns
    -------
    Array of the data type of `x`. It is a view of `x`, unless the key has an array or a mask in it,
    or is an integer for each axis and nothing else: these select values.

    Raises
    ------
    UnifyIndexError
        If an index is out of bounds, the key has more parts than `x` axes, or a mask's shape
        isn't that of the axes it stands for.

    References
    ----------
    Array API standard 2025.12, "Indexing"; beyond it, as NumPy does.

    Examples
    --------
    >>> x = unify.array([[1, 2, 3], [4, 5, 6]])
    >>> unify.get_item(x, (0, slice(None, None, -1)))
    unify.array([3, 2, 1])
    >>> unify.get_item(x, x > 2)
    unify.array([3, 4, 5, 6])
    """


@primary(mutates=True)
def set_item(
    x: ArrayIn,
    key: Key,
    value: Operand,
    /,
) -> Array:
    """Assign to the part of an array that an index selects, what `x[key] = value` does.

    `value` broadcasts to the selected shape and is cast to the data type of `x` as `astype` does:
    floats are truncated toward zero in an integer array, everything becomes bool by comparison
    with zero. Whatever shares memory with `x` sees it. An assignment that fails changes nothing.

    Parameters
    ----------
    x
        Array to change.
    key
        Index, as for `get_item`.
    value
        What to store.

    Returns
    -------
    `x` itself, changed. A native array stays as it is, on every backend: the result is a changed
    copy of it.

    Raises
    ------
    UnifyTypeError
        If `value` is complex and `x` is real.
    UnifyOverflowError
        If `value` is a Python integer that the data type of `x` can't hold.
    UnifyIndexError
        If the index is out of bounds.
    UnifyValueError
        If `value` doesn't broadcast to the selected shape, or `x` is read-only.

    References
    ----------
    Array API standard 2025.12, ``__setitem__``; beyond it, as NumPy does.

    Examples
    --------
    >>> unify.set_item(unify.array([1, 2, 3]), slice(1, None), 7.9)
    unify.array([1, 7, 7])
    """


@primary
def take(
    x: ArrayIn,
    indices: ArrayIn,
    /,
    *,
    axis: int | None = None,
    out: Out = None,
) -> Array:
    """Elements at given positions along one axis.

    Parameters
    ----------
    x
        Array of any data type.
    indices
        Integers, one-dimensional in the standard; negative ones count from the end. Arrays of
        other ranks put their own axes in the place of `axis`.
    axis
        Axis along which to take; it may be left out for one-dimensional `x` only.

    Returns
    -------
    Array of the data type of `x`, as long as `indices` along `axis`.

    Raises
    ------
    UnifyIndexError
        If an index or `axis` is out of bounds.
    UnifyValueError
        If `axis` is missing and `x` isn't one-dimensional.
    UnifyTypeError
        If `indices` aren't integers.

    References
    ----------
    Array API standard 2025.12, ``take``.

    Examples
    --------
    >>> unify.take(unify.array([[1, 2, 3], [4, 5, 6]]), unify.array([2, 0]), axis=1)
    unify.array([[3, 1],
                 [6, 4]])
    """


@primary
def take_along_axis(
    x: ArrayIn,
    indices: ArrayIn,
    /,
    *,
    axis: int = -1,
    out: Out = None,
) -> Array:
    """Elements at positions along one axis that differ from vector to vector.

    The companion of `argsort` and `argmax`: element ``[i, j]`` of the result is
    ``x[i, indices[i, j]]``, for the last axis of a matrix.

    Parameters
    ----------
    x
        Array of any data type.
    indices
        Integers, of the same rank as `x`; the axes other than `axis` broadcast. Negative ones
        count from the end.
    axis
        Axis along which to select.

    Returns
    -------
    Array of the data type of `x` and of the broadcast shape, as long as `indices` along `axis`.

    Raises
    ------
    UnifyIndexError
        If an index or `axis` is out of bounds.
    UnifyValueError
        If the ranks differ or the shapes don't broadcast.

    References
    ----------
    Array API standard 2025.12, ``take_along_axis``.

    Examples
    --------
    >>> x = unify.array([[30, 10, 20], [5, 6, 4]])
    >>> unify.take_along_axis(x, unify.array([[1, 2, 0], [2, 0, 1]]))
    unify.array([[10, 20, 30],
                 [ 4,  5,  6]])
    """
