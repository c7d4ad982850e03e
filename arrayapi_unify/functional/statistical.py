"""Contracts of the statistical category: sums, products, extremes, moments."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.annotations import ArrayIn, OptionalDType, Out

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]


@primary
def cumulative_prod(
    x: ArrayIn,
    /,
    *,
    axis: int | None = None,
    dtype: OptionalDType = None,
    include_initial: bool = False,
    out: Out = None,
) -> Array:
    """Product of each element with all elements before it along an axis.

    Parameters
    ----------
    x
        Array of any data type with at least one axis.
    axis
        Axis to multiply along. Only for a one-dimensional array it may be None.
    dtype
        Data type of the result, to which the elements are cast first. By default it is x's own, but
        bool and narrow integers are widened: unsigned integers to the unsigned data type as wide as
        the default integer one, all others to the default integer one.
    include_initial
        Whether the result starts with 1, which makes it longer by one.

    Returns
    -------
    Array of x's shape; with `include_initial`, the axis is longer by one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyValueError
        If `x` is zero-dimensional, or has several axes and `axis` is None.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``cumulative_prod``. The standard leaves bool and zero-dimensional
    input open.

    Examples
    --------
    >>> unify.cumulative_prod(unify.array([1, 2, 3, 4]))
    unify.array([ 1,  2,  6, 24])
    """


@primary
def cumulative_sum(
    x: ArrayIn,
    /,
    *,
    axis: int | None = None,
    dtype: OptionalDType = None,
    include_initial: bool = False,
    out: Out = None,
) -> Array:
    """Sum of each element and all elements before it along an axis.

    Parameters
    ----------
    x
        Array of any data type with at least one axis.
    axis
        Axis to add along. Only for a one-dimensional array it may be None.
    dtype
        Data type of the result, to which the elements are cast first. By default it is x's own, but
        bool and narrow integers are widened: unsigned integers to the unsigned data type as wide as
        the default integer one, all others to the default integer one.
    include_initial
        Whether the result starts with 0, which makes it longer by one.

    Returns
    -------
    Array of x's shape; with `include_initial`, the axis is longer by one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyValueError
        If `x` is zero-dimensional, or has several axes and `axis` is None.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``cumulative_sum``. The standard leaves bool and zero-dimensional
    input open.

    Examples
    --------
    >>> unify.cumulative_sum(unify.array([1, 2, 3, 4]), include_initial=True)
    unify.array([ 0,  1,  3,  6, 10])
    """


@primary
def max(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Largest element.

    If an element is NaN, so is the result. Complex numbers compare by real component, then by
    imaginary component.

    Parameters
    ----------
    x
        Array of any data type, with at least one element along the axes.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's data type.

    Raises
    ------
    UnifyValueError
        If there is no element to choose from, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``max``.

    Examples
    --------
    >>> unify.max(unify.array([[1, 5], [7, 2]]), axis=1)
    unify.array([5, 7])
    """


@primary
def mean(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Arithmetic mean.

    Parameters
    ----------
    x
        Array of any data type.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's data type; bool and integers give the default floating-point data type.

    Raises
    ------
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    The mean of no elements is NaN. The components of complex numbers are averaged separately: a NaN
    in one leaves the other as it is.

    References
    ----------
    Array API standard 2025.12, ``mean``.

    Examples
    --------
    >>> unify.mean(unify.array([[1, 2], [3, 6]]), axis=0)
    unify.array([2., 4.])
    """


@primary
def min(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Smallest element.

    If an element is NaN, so is the result. Complex numbers compare by real component, then by
    imaginary component.

    Parameters
    ----------
    x
        Array of any data type, with at least one element along the axes.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's data type.

    Raises
    ------
    UnifyValueError
        If there is no element to choose from, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``min``.

    Examples
    --------
    >>> unify.min(unify.array([[1, 5], [7, 2]]), axis=1)
    unify.array([1, 2])
    """


@primary
def prod(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: OptionalDType = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Product of the elements.

    Parameters
    ----------
    x
        Array of any data type.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    dtype
        Data type of the result, to which the elements are cast first. By default it is x's own, but
        bool and narrow integers are widened: unsigned integers to the unsigned data type as wide as
        the default integer one, all others to the default integer one.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of that data type. The product of no elements is 1.

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
    Array API standard 2025.12, ``prod``. The standard leaves bool input open.

    Examples
    --------
    >>> unify.prod(unify.array([[1, 2], [3, 4]]), axis=0)
    unify.array([3, 8])
    """


@primary
def std(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Standard deviation: the square root of the variance, see `var`.

    Parameters
    ----------
    x
        Array of any data type.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    correction
        What is subtracted from the number of elements in the divisor: 0 for a whole population, 1
        for a sample (Bessel's correction).
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's data type. Bool and integers give the default floating-point data type, complex
    numbers the data type of their components.

    Raises
    ------
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    The result is NaN if an element is, or if the divisor isn't positive.

    References
    ----------
    Array API standard 2025.12, ``std``. The standard leaves complex input open.

    Examples
    --------
    >>> unify.std(unify.array([1., 3.]))
    unify.array(1.)
    """


@primary
def sum(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: OptionalDType = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Sum of the elements.

    Parameters
    ----------
    x
        Array of any data type.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    dtype
        Data type of the result, to which the elements are cast first. By default it is x's own, but
        bool and narrow integers are widened: unsigned integers to the unsigned data type as wide as
        the default integer one, all others to the default integer one.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of that data type. The sum of no elements is 0.

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
    Array API standard 2025.12, ``sum``. The standard leaves bool input open.

    Examples
    --------
    >>> unify.sum(unify.array([[1, 2], [3, 4]]), axis=1, keepdims=True)
    unify.array([[3],
                 [7]])
    >>> unify.sum(unify.array([200, 100], dtype="uint8"))
    unify.array(300, dtype=uint64)
    """


@primary
def var(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Variance: the mean squared distance from the mean.

    The sum of the squared distances is divided by the number of elements less `correction`. The
    distance of complex numbers is the absolute value, so the variance is real.

    Parameters
    ----------
    x
        Array of any data type.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    correction
        What is subtracted from the number of elements in the divisor: 0 for a whole population, 1
        for a sample (Bessel's correction).
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's data type. Bool and integers give the default floating-point data type, complex
    numbers the data type of their components.

    Raises
    ------
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    The result is NaN if an element is, or if the divisor isn't positive.

    References
    ----------
    Array API standard 2025.12, ``var``. The standard leaves complex input open.

    Examples
    --------
    >>> unify.var(unify.array([1., 2., 3., 6.]), correction=1)
    unify.array(4.66666667)
    """
