"""Contracts of the searching category: where elements are, and which to take."""

from __future__ import annotations

from typing import Any, Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, primary
from arrayapi_unify.contracts import ALWAYS
from arrayapi_unify.contracts.annotations import (
    ArrayIn,
    ArrayLike,
    Arrays,
    Operand,
    OptionalArray,
    Out,
    RealOperand,
)
from arrayapi_unify.errors import raise_type_error, raise_value_error
from arrayapi_unify.functional._common import is_number


@primary
def argmax(
    x: ArrayIn, /, *, axis: int | None = None, keepdims: bool = False, out: Out = None
) -> Array:
    """Index of the largest element.

    Of equal elements the first one counts. NaN counts as largest. Complex numbers compare by real
    component, then by imaginary component.

    Parameters
    ----------
    x
        Array of any data type, with at least one element along the axis.
    axis
        Axis to search along. None searches the flattened array.
    keepdims
        If True, the searched axes remain, with size one.

    Returns
    -------
    int64 array of indices.

    Raises
    ------
    UnifyValueError
        If there is no element to choose from.
    UnifyIndexError
        If `axis` is out of bounds.

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
    x: ArrayIn, /, *, axis: int | None = None, keepdims: bool = False, out: Out = None
) -> Array:
    """Index of the smallest element.

    Of equal elements the first one counts. NaN counts as smallest. Complex numbers compare by real
    component, then by imaginary component.

    Parameters
    ----------
    x
        Array of any data type, with at least one element along the axis.
    axis
        Axis to search along. None searches the flattened array.
    keepdims
        If True, the searched axes remain, with size one.

    Returns
    -------
    int64 array of indices.

    Raises
    ------
    UnifyValueError
        If there is no element to choose from.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``argmin``.

    Examples
    --------
    >>> unify.argmin(unify.array([[1, 5, 5], [9, 0, 2]]))
    unify.array(4)
    """


@compositional(data_dependent=ALWAYS)
def argwhere(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Indices of the elements that aren't zero, in a row for each; see `nonzero`.

    Parameters
    ----------
    x
        Array of any shape and data type.

    Returns
    -------
    int64 array with a row for each such element, and a column for each axis.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    NumPy's ``argwhere``.

    Examples
    --------
    >>> unify.argwhere(unify.array([[1, 0], [0, 2]]))
    unify.array([[0, 0],
                 [1, 1]])
    """
    xp = x.__array_namespace__()
    if x.ndim:
        return xp.stack(xp.nonzero(x), axis=1)
    return xp.expand_dims(xp.nonzero(xp.reshape(x, (1,)))[0], axis=1)[:, 1:]


@primary
def count_nonzero(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Number of the elements that aren't zero.

    True and NaN aren't zero. A complex number isn't zero if one of its components isn't.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis or axes to count along. None counts all elements; the empty tuple counts each element
        by itself.
    keepdims
        If True, the counted axes remain, with size one.

    Returns
    -------
    int64 array of counts.

    Raises
    ------
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``count_nonzero``.

    Examples
    --------
    >>> unify.count_nonzero(unify.array([[1, 0, 3], [0, 0, 6]]), axis=1)
    unify.array([2, 1])
    """


@compositional(data_dependent=ALWAYS)
def flatnonzero(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Indices of the elements of the flattened array that aren't zero; see `nonzero`.

    Parameters
    ----------
    x
        Array of any shape and data type.

    Returns
    -------
    int64 array with one axis.

    Notes
    -----
    The shape of the result depends on data, so jit can't compile the call.

    References
    ----------
    NumPy's ``flatnonzero``.

    Examples
    --------
    >>> unify.flatnonzero(unify.array([[0, 4], [0, 2]]))
    unify.array([1, 3])
    """
    xp = x.__array_namespace__()
    return xp.nonzero(xp.reshape(x, (-1,)))[0]


@primary(data_dependent=ALWAYS)
def nonzero(x: ArrayIn, /) -> tuple[Array, ...]:
    """Indices of the elements that aren't zero.

    True and NaN aren't zero. A complex number isn't zero if one of its components isn't.

    Parameters
    ----------
    x
        Array with at least one axis, of any data type.

    Returns
    -------
    One int64 array for each axis of `x`. Together they index the elements in row-major order, as in
    ``x[unify.nonzero(x)]``.

    Raises
    ------
    UnifyValueError
        If `x` is zero-dimensional.

    Notes
    -----
    The shape of the results depends on data. Such a call waits for an accelerator, and jit can't
    compile it.

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
    """Indices at which values can be inserted into a sorted array.

    The array stays sorted if each value is inserted before the element at its index. The order is
    that of `sort`: NaN is largest, and zeros of both signs are equal.

    Parameters
    ----------
    x1
        One-dimensional array in ascending order, or in the order that `sorter` makes ascending.
    x2
        Values to insert: an array of any shape, or a scalar, which takes the data type it would
        have as an operand with `x1`.
    side
        Where elements of `x1` equal the value: ``"left"`` gives the index of the first of them,
        ``"right"`` the index behind the last.
    sorter
        Integer array of x1's shape, whose indices sort `x1`; `argsort` returns one.

    Returns
    -------
    int64 array of x2's shape with indices from 0 to the size of x1.

    Raises
    ------
    UnifyTypeError
        If `sorter` isn't of integers.
    UnifyValueError
        If `x1` isn't one-dimensional, `sorter` has another size, or `side` is something else.
    UnifyOverflowError
        If `x2` is a Python integer that the data type of `x1` can't hold.

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
def where(condition: ArrayIn, x1: Operand, x2: Operand, /, *, out: Out = None) -> Array:
    """Elements of one array where a condition is true, of another elsewhere.

    Parameters
    ----------
    condition
        Array, usually of bool. A number counts as true unless it is zero.
    x1
        Values where the condition is true.
    x2
        Values where it is false. All three broadcast against one another.

    Returns
    -------
    Array of the broadcast shape, of the data type to which `x1` and `x2` promote. A scalar takes
    the array's data type, unless it is of a higher kind. Of two scalars, the one of the higher kind
    gives its default data type.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer doesn't fit the data type of the result.

    References
    ----------
    Array API standard 2025.12, ``where``. The standard leaves two scalars open.

    Examples
    --------
    >>> unify.where(unify.array([True, False, True]), unify.array([1, 2, 3]), 0)
    unify.array([1, 0, 3])
    """


@compositional
def select(
    condlist: Arrays, /, choicelist: ArrayLike, default: Operand = 0, *, out: Out = None
) -> Array:
    """Elements of several arrays, each of the first one whose condition is true.

    Parameters
    ----------
    condlist
        List or tuple of bool arrays.
    choicelist
        List or tuple of as many arrays or numbers.
    default
        Array or number for elements without a true condition.

    Returns
    -------
    Array of the shape to which all broadcast, and of the data type to which the choices and
    `default` promote.

    Raises
    ------
    UnifyTypeError
        If a condition isn't bool.
    UnifyValueError
        If there is no condition, the lists differ in length, or the shapes don't broadcast.

    References
    ----------
    NumPy's ``select``.

    Examples
    --------
    >>> x = unify.array([1, 2, 3])
    >>> unify.select([x < 2, x > 2], [x, 10 * x], 0)
    unify.array([ 1,  0, 30])
    """
    xp = condlist[0].__array_namespace__()
    if not isinstance(choicelist, list | tuple) or len(condlist) != len(choicelist):
        problem, remedy = "isn't a list as long as condlist", "pass one choice for each condition"
        raise_value_error("select", "choicelist", problem, remedy)
    for condition in condlist:
        if condition.dtype.kind != "b":
            problem = f"holds a condition of data type {condition.dtype}"
            raise_type_error("select", "condlist", problem, "compare it with something")
    choices = [xp.asarray(x) if isinstance(x, list) else x for x in choicelist]
    given: list[Any] = [x if is_number(x) else x.dtype for x in (*choices, default)]
    target = xp.result_type(*given)
    device = condlist[0].device
    found, *choices = (xp.asarray(x, dtype=target, device=device) for x in (default, *choices))
    for condition, choice in reversed(list(zip(condlist, choices, strict=True))):
        found = xp.where(condition, choice, found)
    return found
