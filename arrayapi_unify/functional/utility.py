"""Contracts of the utility category: tests over axes, differences, closeness."""

from __future__ import annotations

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, primary
from arrayapi_unify.binding.roles import ArrayIn, OptionalArray, Out
from arrayapi_unify.functional._bodies import Given

__all__ = ["all", "allclose", "any", "diff", "isclose"]


@primary
def all(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
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

    Returns
    -------
    bool array; true where there are no elements.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

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

    Returns
    -------
    bool array; false where there are no elements.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

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


def _floats(x1: Given, x2: Given) -> tuple[Array, Array]:
    """Return both in the data type to which they promote; of integers float64, the widest."""
    dtype = dtypes.promote(x1.dtype, x2.dtype)
    if dtype.kind not in "fc":
        dtype = dtypes.float64
    return x1.astype(dtype, copy=False), x2.astype(dtype, copy=False)


@compositional
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
    """Whether elements are equal within a tolerance: ``abs(x1 - x2) <= atol + rtol * abs(x2)``.

    Parameters
    ----------
    x1
        Array of any data type.
    x2
        Array of any data type, which broadcasts with `x1`: the reference, to which `rtol` refers.
    rtol
        Tolerance relative to `x2`.
    atol
        Tolerance that doesn't depend on `x2`.
    equal_nan
        Whether NaN is close to NaN.

    Returns
    -------
    bool array. Infinities are close to themselves only. Integers are compared as floating-point
    numbers.

    Examples
    --------
    >>> unify.isclose(unify.array([1.0, 2.0, unify.inf]), unify.array([1.0 + 1e-9, 2.1, unify.inf]))
    unify.array([ True, False,  True])
    """
    first, second = _floats(x1, x2)
    xp = first.__array_namespace__()
    # Where an end is infinite the distance is too, or NaN, and only equality counts.
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
    """Whether all elements are equal within a tolerance; see `isclose`.

    Parameters
    ----------
    x1
        Array of any data type.
    x2
        Array of any data type, which broadcasts with `x1`: the reference, to which `rtol` refers.
    rtol
        Tolerance relative to `x2`.
    atol
        Tolerance that doesn't depend on `x2`.
    equal_nan
        Whether NaN is close to NaN.

    Returns
    -------
    0-d bool array; true where there are no elements.

    Examples
    --------
    >>> unify.allclose(unify.array([1.0, 2.0]), unify.array([1.0 + 1e-9, 2.0]))
    unify.array(True)
    """
    xp = x1.__array_namespace__()
    return xp.all(xp.isclose(x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan))
