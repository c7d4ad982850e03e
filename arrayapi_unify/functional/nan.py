"""Contracts of the functions that deal with NaN: reductions that pass over it, replacements."""

from __future__ import annotations

import math
from typing import Any, cast

from arrayapi_unify import backends, limits
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import mixed
from arrayapi_unify.binding.annotations import ArrayIn, OptionalDType, Out
from arrayapi_unify.errors import UnifyTypeError, raise_argument_error
from arrayapi_unify.functional._common import BodyArray, floating

__all__ = [
    "nan_to_num",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]

Axis = int | tuple[int, ...] | None


def _replaced(x: BodyArray, value: complex) -> Array:
    """Return x with a value in place of NaN, which only floating-point numbers have."""
    xp = x.__array_namespace__()
    return xp.where(xp.isnan(x), value, x) if x.dtype.kind in "fc" else x


@mixed
def nan_to_num(
    x: ArrayIn,
    /,
    *,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    out: Out = None,
) -> Array:
    """Replace NaN and infinities by finite numbers.

    Parameters
    ----------
    x
        Array of any shape and data type. The components of complex numbers are replaced separately.
    nan
        What replaces NaN.
    posinf
        What replaces infinity; by default the largest number of x's data type.
    neginf
        What replaces minus infinity; by default the smallest number of x's data type.

    Returns
    -------
    Array of x's shape and data type.

    References
    ----------
    NumPy's ``nan_to_num``.

    Examples
    --------
    >>> unify.nan_to_num(unify.array([1.0, unify.nan, -unify.inf]), neginf=-100.0)
    unify.array([   1.,    0., -100.])
    """
    xp = x.__array_namespace__()
    if x.dtype.kind not in "fc":
        return xp.astype(x, x.dtype)
    info = limits.finfo(x.dtype)
    high = info.max if posinf is None else posinf
    low = info.min if neginf is None else neginf

    def finite(part: BodyArray) -> Array:
        part = xp.where(xp.isnan(part), nan, part)
        return xp.where(part == math.inf, high, xp.where(part == -math.inf, low, part))

    if x.dtype.kind == "f":
        return finite(x)
    changed = finite(xp.real(x)) + finite(xp.imag(x)) * 1j
    return xp.where(xp.isfinite(x), x, changed)


def _extreme(x: BodyArray, name: str, bound: float, axis: Axis, keepdims: bool) -> Array:
    xp = x.__array_namespace__()
    reduce = getattr(xp, name)
    if x.dtype.kind not in "fc":
        return reduce(x, axis=axis, keepdims=keepdims)
    value = bound if x.dtype.kind == "f" else complex(bound, bound)
    result = reduce(_replaced(x, value), axis=axis, keepdims=keepdims)
    nothing = xp.all(xp.isnan(x), axis=axis, keepdims=keepdims)
    return xp.where(nothing, math.nan, result)


@mixed
def nanmax(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Largest element that isn't NaN.

    Parameters
    ----------
    x
        Array of any shape and data type. Complex numbers compare by real component, then by
        imaginary component. A complex number with a NaN in it counts as NaN.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's data type. Where every element is NaN, so is the result.

    Raises
    ------
    UnifyValueError
        If there is no element to choose from, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nanmax``.

    Examples
    --------
    >>> unify.nanmax(unify.array([1.0, unify.nan, 3.0]))
    unify.array(3.)
    """
    return _extreme(x, "max", -math.inf, axis, keepdims)


@mixed
def nanmean(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: OptionalDType = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Mean of the elements that aren't NaN.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis or axes to reduce. None reduces all.
    dtype
        Floating-point data type in which it is computed. By default it is x's, and the default one
        for integers and bools.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of the data type that it is computed in. Where every
    element is NaN, so is the result.

    Raises
    ------
    UnifyTypeError
        If `dtype` isn't floating-point, or `x` is complex and `dtype` isn't.
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nanmean``.

    Examples
    --------
    >>> unify.nanmean(unify.array([[1.0, unify.nan], [3.0, 5.0]]), axis=0)
    unify.array([2., 5.])
    """
    x = _cast("nanmean", x, dtype)
    xp = x.__array_namespace__()
    if x.dtype.kind not in "fc":
        return xp.mean(x, axis=axis, keepdims=keepdims)
    total = xp.sum(_replaced(x, 0.0), axis=axis, keepdims=keepdims)
    return total / _count(x, axis, keepdims)


def _cast(function: str, x: BodyArray, given: Any) -> BodyArray:
    """Return x in the data type in which to compute; refuse one that can't hold a mean of it."""
    if given is None:
        return x
    dtype = backends.as_dtype(given)
    if dtype.kind not in "fc" or (x.dtype.kind == "c" and dtype.kind != "c"):
        problem = f"is {dtype}, and x has dtype {x.dtype}"
        remedy = "pass a floating-point data type, a complex one for complex numbers"
        raise_argument_error(UnifyTypeError, function, "dtype", problem, remedy)
    return cast(BodyArray, x.__array_namespace__().astype(x, dtype, copy=False))


def _count(x: BodyArray, axis: Axis, keepdims: bool) -> Array:
    """Count what isn't NaN, as floating-point numbers of x's precision."""
    xp = x.__array_namespace__()
    present = xp.astype(xp.logical_not(xp.isnan(x)), limits.finfo(x.dtype).dtype)
    return xp.sum(present, axis=axis, keepdims=keepdims)


@mixed
def nanmin(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Smallest element that isn't NaN.

    Parameters
    ----------
    x
        Array of any shape and data type. Complex numbers compare by real component, then by
        imaginary component. A complex number with a NaN in it counts as NaN.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's data type. Where every element is NaN, so is the result.

    Raises
    ------
    UnifyValueError
        If there is no element to choose from, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nanmin``.

    Examples
    --------
    >>> unify.nanmin(unify.array([1.0, unify.nan, 3.0]))
    unify.array(1.)
    """
    return _extreme(x, "min", math.inf, axis, keepdims)


@mixed
def nanprod(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: OptionalDType = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Product of the elements that aren't NaN.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis or axes to reduce. None reduces all.
    dtype
        Data type of the result, in which it is computed. By default it is the one that `prod`
        gives.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of the products. Where every element is NaN, the result is 1.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nanprod``.

    Examples
    --------
    >>> unify.nanprod(unify.array([2.0, unify.nan, 3.0]))
    unify.array(6.)
    """
    xp = x.__array_namespace__()
    return xp.prod(_replaced(x, 1.0), axis=axis, dtype=dtype, keepdims=keepdims)


@mixed
def nanstd(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: OptionalDType = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Standard deviation of the elements that aren't NaN.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis or axes to reduce. None reduces all.
    dtype
        Floating-point data type in which it is computed. By default it is x's, and the default one
        for integers and bools.
    correction
        The sum of squares is divided by the number of elements that aren't NaN, less this
        correction.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of the real component's data type that it is computed in. Where no
    more elements than `correction` are left, the result is NaN.

    Raises
    ------
    UnifyTypeError
        If `dtype` isn't floating-point, or `x` is complex and `dtype` isn't.
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nanstd``.

    Examples
    --------
    >>> unify.nanstd(unify.array([1.0, unify.nan, 3.0]))
    unify.array(1.)
    """
    xp = x.__array_namespace__()
    x = _cast("nanstd", x, dtype)
    return xp.sqrt(xp.nanvar(x, axis=axis, correction=correction, keepdims=keepdims))


@mixed
def nansum(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: OptionalDType = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Sum of the elements that aren't NaN.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis or axes to reduce. None reduces all.
    dtype
        Data type of the result, in which it is computed. By default it is the one that `sum` gives.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of the sums. Where every element is NaN, the result is 0.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nansum``.

    Examples
    --------
    >>> unify.nansum(unify.array([[1.0, unify.nan], [3.0, 5.0]]), axis=1)
    unify.array([1., 8.])
    """
    xp = x.__array_namespace__()
    return xp.sum(_replaced(x, 0.0), axis=axis, dtype=dtype, keepdims=keepdims)


@mixed
def nanvar(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: OptionalDType = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Variance of the elements that aren't NaN.

    Parameters
    ----------
    x
        Array of any shape and data type. The squared distances of complex numbers are real.
    axis
        Axis or axes to reduce. None reduces all.
    dtype
        Floating-point data type in which it is computed. By default it is x's, and the default one
        for integers and bools.
    correction
        The sum of squares is divided by the number of elements that aren't NaN, less this
        correction.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of the real component's data type that it is computed in. Where no
    more elements than `correction` are left, the result is NaN.

    Raises
    ------
    UnifyTypeError
        If `dtype` isn't floating-point, or `x` is complex and `dtype` isn't.
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nanvar``.

    Examples
    --------
    >>> unify.nanvar(unify.array([[1.0, unify.nan], [3.0, 5.0]]), axis=0, correction=1)
    unify.array([ 2., nan])
    """
    x = floating(_cast("nanvar", x, dtype))
    xp = x.__array_namespace__()
    distance = _replaced(x - xp.nanmean(x, axis=axis, keepdims=True), 0.0)
    # Results that are NaN because of infinities, not of NaN, stay.
    distance = xp.where(xp.isfinite(x) | xp.isnan(x), distance, math.nan)
    if x.dtype.kind == "c":
        squares = xp.real(distance) ** 2 + xp.imag(distance) ** 2
    else:
        squares = distance * distance
    freedom = _count(x, axis, keepdims) - correction
    total = xp.sum(squares, axis=axis, keepdims=keepdims)
    positive = freedom > 0
    return xp.where(positive, total / xp.where(positive, freedom, 1.0), math.nan)
