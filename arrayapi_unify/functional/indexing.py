"""Contracts of the indexing functions, and of what `x[key]` and `x[key] = value` go through."""

from __future__ import annotations

import math
from typing import Any, Final, cast

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import arrays_in, load, name_of
from arrayapi_unify.binding import compositional, primary
from arrayapi_unify.contracts import DataDependent
from arrayapi_unify.contracts.annotations import ArrayIn, Key, Operand, Out
from arrayapi_unify.errors import (
    raise_type_error,
    raise_value_error,
)


def _has_mask(x: Any, key: Any, /, *more: Any, **options: Any) -> bool:
    """Return True if a key holds an array of bools; Python's bools have no axes and don't count."""
    natives = [k._data if isinstance(k, Array) else k for k in arrays_in([key])]
    return any(load(cast(str, name_of(k))).dtype_of(k).kind == "b" for k in natives)


_MASKS: Final = DataDependent("keys with masks", _has_mask)


@primary(data_dependent=_MASKS)
def get_item(x: ArrayIn, key: Key, /, *, out: Out = None) -> Array:
    """Part of an array that an index selects: what ``x[key]`` computes.

    Parameters
    ----------
    x
        Array of any data type.
    key
        An integer, a slice with any step, an ellipsis, None for a new axis, an integer array, a
        boolean mask, or a tuple of those. Integer arrays and masks broadcast against one another,
        and select element by element.

    Returns
    -------
    Array of the data type of `x`. It is a view of `x`, except in two cases: a key with an array or
    a mask in it, and a key of one integer for each axis, select values.

    Raises
    ------
    UnifyIndexError
        If an index is out of bounds, the key has more parts than `x` has axes, a mask's shape isn't
        that of the axes it stands for, or a part of the key is no index.

    References
    ----------
    Array API standard 2025.12, "Indexing"; what the standard leaves open is as in NumPy.

    Examples
    --------
    >>> x = unify.array([[1, 2, 3], [4, 5, 6]])
    >>> unify.get_item(x, (0, slice(None, None, -1)))
    unify.array([3, 2, 1])
    >>> unify.get_item(x, x > 2)
    unify.array([3, 4, 5, 6])
    """


@primary(mutates=True, data_dependent=_MASKS)
def set_item(x: ArrayIn, key: Key, value: Operand, /) -> Array:
    """Assign to the part of an array that an index selects: what ``x[key] = value`` does.

    `value` broadcasts to the selected shape, and is cast to the data type of `x` as `astype` casts:
    an integer array truncates floats toward zero, a bool array compares with zero. All arrays that
    share memory with `x` see the change. An assignment that fails changes nothing.

    Parameters
    ----------
    x
        Array to change.
    key
        Index, as in `get_item`.
    value
        Value to store.

    Returns
    -------
    `x` itself, changed. A native array is never changed, on any backend: for it the result is a
    changed copy.

    Raises
    ------
    UnifyTypeError
        If `value` is complex and `x` isn't.
    UnifyValueError
        If `value` doesn't broadcast to the selected shape, or `x` is read-only.
    UnifyOverflowError
        If `value` is a Python integer that the data type of `x` can't hold.
    UnifyIndexError
        If the index doesn't fit `x`, as in `get_item`.

    References
    ----------
    Array API standard 2025.12, ``__setitem__``; what the standard leaves open is as in NumPy.

    Examples
    --------
    >>> unify.set_item(unify.array([1, 2, 3]), slice(1, None), 7.9)
    unify.array([1, 7, 7])
    """


@primary
def take(x: ArrayIn, indices: ArrayIn, /, *, axis: int | None = None, out: Out = None) -> Array:
    """Elements at given positions along one axis.

    Parameters
    ----------
    x
        Array of any data type.
    indices
        Integers; negative ones count from the end. In the standard they are one-dimensional. Here
        the axes of any array of integers take the place of `axis`.
    axis
        Axis along which to take. If None, the elements are those of the flattened `x`; the standard
        has this for one-dimensional arrays only.

    Returns
    -------
    Array of the data type of `x`, as long as `indices` along `axis`.

    Raises
    ------
    UnifyTypeError
        If `indices` aren't integers.
    UnifyIndexError
        If an index or `axis` is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``take``. NumPy's ``take``, for None.

    Examples
    --------
    >>> unify.take(unify.array([[1, 2, 3], [4, 5, 6]]), unify.array([2, 0]), axis=1)
    unify.array([[3, 1],
                 [6, 4]])
    """


@primary
def take_along_axis(x: ArrayIn, indices: ArrayIn, /, *, axis: int = -1, out: Out = None) -> Array:
    """Elements at positions along one axis, other positions for each vector.

    This takes what `argsort` and `argmax` return. For the last axis of a matrix, element ``[i, j]``
    of the result is ``x[i, indices[i, j]]``.

    Parameters
    ----------
    x
        Array of any data type.
    indices
        Integers; negative ones count from the end. They have as many axes as `x`, and those other
        than `axis` broadcast.
    axis
        Axis along which to select.

    Returns
    -------
    Array of the data type of `x` and of the broadcast shape, as long as `indices` along `axis`.

    Raises
    ------
    UnifyValueError
        If the numbers of axes differ, or the shapes don't broadcast.
    UnifyIndexError
        If an index or `axis` is out of bounds, or `indices` aren't integers.

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


@compositional
def unravel_index(indices: ArrayIn, /, shape: int | tuple[int, ...]) -> tuple[Array, ...]:
    """Turn indices into a flattened array into one index for each axis.

    Parameters
    ----------
    indices
        Array of integers of any shape, as `argmax` returns them.
    shape
        Shape of the array that was flattened. It has an element.

    Returns
    -------
    An array of int64 for each axis, of the shape of `indices`.

    Raises
    ------
    UnifyTypeError
        If `indices` aren't of an integer data type.
    UnifyValueError
        If an axis of the shape has no element.

    Notes
    -----
    Whether the indices are within the shape isn't checked, which would take their values: what is
    too large gives an index that is out of bounds for the first axis.

    References
    ----------
    NumPy's ``unravel_index``.

    Examples
    --------
    >>> unify.unravel_index(unify.array([1, 5]), (2, 3))
    (unify.array([0, 1]), unify.array([1, 2]))
    """
    if indices.dtype.kind not in "iu":
        problem, remedy = f"has data type {indices.dtype}", "pass an array of integers"
        raise_type_error("unravel_index", "indices", problem, remedy)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(size < 1 for size in sizes):
        problem, remedy = f"is {sizes}", "pass the shape of an array that has elements"
        raise_value_error("unravel_index", "shape", problem, remedy)
    xp = indices.__array_namespace__()
    whole = xp.astype(indices, xp.int64)
    found = []
    for axis, size in enumerate(sizes):
        place = whole // math.prod(sizes[axis + 1 :])
        found.append(place % size if axis else place)
    return tuple(found)
