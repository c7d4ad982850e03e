"""Contracts of the utility category: tests over axes, differences, closeness."""

from __future__ import annotations

from typing import cast

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, mixed, primary
from arrayapi_unify.contracts.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.functional._common import BodyArray


@primary
def all(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Test whether all elements are true.

    A number counts as true unless it is zero; NaN counts as true.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis or axes to test along. None tests all elements; the empty tuple tests each element by
        itself.
    keepdims
        If True, the tested axes remain, with size one.

    Returns
    -------
    Bool array; true where there are no elements.

    Raises
    ------
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``all``.

    Examples
    --------
    >>> unify.all(unify.array([[1, 2], [0, 4]]), axis=1)
    unify.array([ True, False])
    """


@primary
def any(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Test whether at least one element is true.

    A number counts as true unless it is zero; NaN counts as true.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis or axes to test along. None tests all elements; the empty tuple tests each element by
        itself.
    keepdims
        If True, the tested axes remain, with size one.

    Returns
    -------
    Bool array; false where there are no elements.

    Raises
    ------
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``any``.

    Examples
    --------
    >>> unify.any(unify.array([[0, 2], [0, 0]]), axis=1)
    unify.array([ True, False])
    """


@primary
def diff(
    x: ArrayIn,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: OptionalArray = None,
    append: OptionalArray = None,
    out: Out = None,
) -> Array:
    """Differences of neighbours along an axis, ``x[i + 1] - x[i]``.

    Parameters
    ----------
    x
        Array with at least one axis, of any data type.
    axis
        Axis along which elements are neighbours.
    n
        Number of times that differences are taken. With 0 the result is `x`, joined with `prepend`
        and `append`.
    prepend
        Array that is joined in front of `x` along the axis. Its shape is that of `x`, except along
        the axis. A zero-dimensional one stands for one slice.
    append
        Array that is joined behind `x`, in the same way.

    Returns
    -------
    Array of the data type to which the arguments promote. Along the axis it has n elements less
    than the joined arrays, or none.

    Raises
    ------
    UnifyValueError
        If `n` is negative, or the shapes don't fit.
    UnifyIndexError
        If `axis` is out of bounds. A zero-dimensional array has no axis.

    Notes
    -----
    Unsigned integers wrap around. The difference of bools is true where neighbours differ.

    References
    ----------
    Array API standard 2025.12, ``diff``.

    Examples
    --------
    >>> unify.diff(unify.array([1, 4, 9, 16]))
    unify.array([3, 5, 7])
    >>> unify.diff(unify.array([1, 4, 9, 16]), n=2, prepend=unify.array([0]))
    unify.array([2, 2, 2])
    """


def _floats(x1: BodyArray, x2: BodyArray) -> tuple[Array, Array]:
    """Return both in the data type to which they promote; of integers float64, the widest."""
    dtype = dtypes.promote(x1.dtype, x2.dtype)
    if dtype.kind not in "fc":
        dtype = dtypes.float64
    return x1.astype(dtype, copy=False), x2.astype(dtype, copy=False)


@mixed
def isclose(
    x1: ArrayIn,
    x2: ArrayIn,
    /,
    *,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
    out: Out = None,
) -> Array:
    """Test whether elements are equal within a tolerance.

    They are where ``abs(x1 - x2) <= atol + rtol * abs(x2)``. Integers are compared as
    floating-point numbers.

    Parameters
    ----------
    x1
        Array of any data type.
    x2
        Array of any data type, which broadcasts with `x1`. It is the reference to which `rtol`
        refers.
    rtol
        Tolerance relative to `x2`.
    atol
        Absolute tolerance.
    equal_nan
        If True, NaN is close to NaN.

    Returns
    -------
    Bool array of the broadcast shape.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.

    Notes
    -----
    An infinity is close to itself only.

    References
    ----------
    NumPy's ``isclose``.

    Examples
    --------
    >>> unify.isclose(unify.array([1.0, 2.0, unify.inf]), unify.array([1.0 + 1e-9, 2.1, unify.inf]))
    unify.array([ True, False,  True])
    """
    first, second = _floats(x1, x2)
    xp = first.__array_namespace__()
    # If an end is infinite, the distance is infinite or NaN, and only equality counts.
    near = (xp.abs(first - second) <= atol + rtol * xp.abs(second)) & xp.isfinite(second)
    result = near | (first == second)
    if not equal_nan:
        return result
    return result | (xp.isnan(first) & xp.isnan(second))


@compositional
def allclose(
    x1: ArrayIn,
    x2: ArrayIn,
    /,
    *,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
    out: Out = None,
) -> Array:
    """Test whether all elements are equal within a tolerance; see `isclose`.

    Parameters
    ----------
    x1
        Array of any data type.
    x2
        Array of any data type, which broadcasts with `x1`. It is the reference to which `rtol`
        refers.
    rtol
        Tolerance relative to `x2`.
    atol
        Absolute tolerance.
    equal_nan
        If True, NaN is close to NaN.

    Returns
    -------
    Zero-dimensional bool array; true where there are no elements.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.

    References
    ----------
    NumPy's ``allclose``.

    Examples
    --------
    >>> unify.allclose(unify.array([1.0, 2.0]), unify.array([1.0 + 1e-9, 2.0]))
    unify.array(True)
    """
    xp = x1.__array_namespace__()
    return xp.all(xp.isclose(x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan))


@compositional
def array_equal(a1: ArrayIn, a2: ArrayIn, /, equal_nan: bool = False, *, out: Out = None) -> Array:
    """Test whether two arrays have the same shape and equal elements.

    Parameters
    ----------
    a1
        Array of any shape and data type.
    a2
        Array of any shape and data type.
    equal_nan
        If True, NaN equals NaN.

    Returns
    -------
    Zero-dimensional bool array.

    References
    ----------
    NumPy's ``array_equal``.

    Examples
    --------
    >>> unify.array_equal(unify.array([1, 2]), unify.array([1.0, 2.0]))
    unify.array(True)
    >>> unify.array_equal(unify.array([1, 2]), unify.array([1]))
    unify.array(False)
    """
    first, second = cast(BodyArray, a1), cast(BodyArray, a2)
    xp = first.__array_namespace__()
    if first.shape != second.shape:
        return xp.asarray(False, device=first.device)
    same = xp.equal(first, second)
    if equal_nan and first.dtype.kind in "fc" and second.dtype.kind in "fc":
        same = same | (xp.isnan(first) & xp.isnan(second))
    return xp.all(same)
