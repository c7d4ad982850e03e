"""Contracts of the sorting category: sorted copies, and the indices that sort."""

from __future__ import annotations

from typing import Literal, NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.axes import check_selection, normalize_axis
from arrayapi_unify.binding import compositional, mixed, primary
from arrayapi_unify.contracts.annotations import ArrayIn, Arrays, Out
from arrayapi_unify.errors import raise_type_error, raise_value_error
from arrayapi_unify.functional._common import BodyArray, unchecked


class TopKResult(NamedTuple):
    """The result of `top_k`."""

    values: Array
    indices: Array


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


@compositional
def lexsort(keys: Arrays, /, axis: int = -1, *, out: Out = None) -> Array:
    """Indices that sort by several keys, of which the last one comes first.

    Parameters
    ----------
    keys
        Arrays of one shape, of any data types, or an array of them along its first axis.
    axis
        Axis to sort along; -1 is the last.

    Returns
    -------
    int64 array of the keys' shape.

    Raises
    ------
    UnifyTypeError
        If there is no key.
    UnifyValueError
        If the keys have different shapes.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``lexsort``.

    Examples
    --------
    >>> surnames, names = unify.array([2, 1, 2]), unify.array([5, 4, 3])
    >>> unify.lexsort([names, surnames])
    unify.array([1, 2, 0])
    """
    if not len(keys):
        raise_type_error("lexsort", "keys", "is empty", "pass at least one key")
    given: list[BodyArray] = list(keys)
    shapes = [key.shape for key in given]
    if len(set(shapes)) > 1:
        raise_value_error("lexsort", "keys", f"have the shapes {shapes}", "pass keys of one shape")
    xp = given[0].__array_namespace__()
    if not shapes[0]:
        return xp.zeros((), dtype=xp.int64, device=given[0].device)
    axis = normalize_axis("lexsort", axis, len(shapes[0]))
    order = xp.argsort(given[0], axis=axis)
    for key in given[1:]:
        later = xp.argsort(unchecked(xp.take_along_axis, key, order, axis=axis), axis=axis)
        order = unchecked(xp.take_along_axis, order, later, axis=axis)
    return order


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


@mixed
def top_k(
    x: ArrayIn, k: int, /, *, axis: int = -1, mode: Literal["largest", "smallest"] = "largest"
) -> TopKResult:
    """The k largest or smallest elements along an axis, and their indices.

    The elements are in the order of `sort`, from the largest or smallest one on; of equal elements
    the first ones are taken, in their order. NaN is larger than every number.

    Parameters
    ----------
    x
        Array of any data type with at least one axis.
    k
        Number of elements to take, from 0 to the size of the axis.
    axis
        Axis to select along; -1 is the last.
    mode
        The ``"largest"`` or the ``"smallest"`` elements.

    Returns
    -------
    ``values`` of x's data type, and int64 ``indices``, which `take_along_axis` takes. Both have
    x's shape, but for the size k along `axis`.

    Raises
    ------
    UnifyIndexError
        If `axis` is out of bounds. A zero-dimensional array has no axis.
    UnifyTypeError
        If `k` is no integer.
    UnifyValueError
        If `k` is negative or above the size of the axis, or `mode` is another word.

    Notes
    -----
    The standard leaves the order of the elements, and the indices of equal ones, open.

    References
    ----------
    Draft of the Array API standard 2026.12, ``top_k``. B65: top_k (docs/behaviours.md).

    Examples
    --------
    >>> unify.top_k(unify.array([2, 1, 2, 3]), 2)
    TopKResult(values=unify.array([3, 2]), indices=unify.array([3, 0]))
    >>> unify.top_k(unify.array([2, 1, 2, 3]), 1, mode="smallest").indices
    unify.array([1])
    """
    k, axis = check_selection("top_k", k, axis, mode, x.shape)
    xp = x.__array_namespace__()
    order = xp.argsort(x, axis=axis, descending=mode == "largest")
    indices = order[(*[slice(None)] * axis, slice(0, k))]
    return TopKResult(unchecked(xp.take_along_axis, x, indices, axis=axis), indices)
