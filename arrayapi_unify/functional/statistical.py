"""Contracts of the statistical category: sums, products, extremes, moments."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.roles import ArrayIn, OptionalDType, Out

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
    """Product of each element with all before it along an axis.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis.
    axis
        Axis to multiply along; may be None for a 1-d array only.
    dtype
        Dtype to which elements are cast first, and of the result. None keeps x's, except that
        integers narrower than the default integer dtype take that one (unsigned ones: the
        unsigned one of its width), and bool takes it too.
    include_initial
        Whether the result starts with 1, and so is longer by one.

    Returns
    -------
    Array of x's shape, but for the axis with `include_initial`.

    Raises
    ------
    UnifyValueError
        x has more than one axis and none is given, or x is 0-d.
    UnifyIndexError
        The axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``cumulative_prod``; it leaves 0-d and bool input open.

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
    """Sum of each element with all before it along an axis.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis.
    axis
        Axis to add along; may be None for a 1-d array only.
    dtype
        Dtype to which elements are cast first, and of the result. None keeps x's, except that
        integers narrower than the default integer dtype take that one (unsigned ones: the
        unsigned one of its width), and bool takes it too.
    include_initial
        Whether the result starts with 0, and so is longer by one.

    Returns
    -------
    Array of x's shape, but for the axis with `include_initial`.

    Raises
    ------
    UnifyValueError
        x has more than one axis and none is given, or x is 0-d.
    UnifyIndexError
        The axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``cumulative_sum``; it leaves 0-d and bool input open.

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

    A NaN among the elements gives NaN. Complex numbers compare by real part, then by imaginary
    part.

    Parameters
    ----------
    x
        Array of any dtype with at least one element along the axes.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's dtype.

    Raises
    ------
    UnifyValueError
        There are no elements to compare.
    UnifyIndexError
        An axis is out of bounds.

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
        Array of any dtype.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's dtype; for bool and integers, of the default floating-point dtype.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

    The mean of no elements is NaN. The components of complex numbers are averaged apart, so that
    a NaN in one leaves the other.

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

    A NaN among the elements gives NaN. Complex numbers compare by real part, then by imaginary
    part.

    Parameters
    ----------
    x
        Array of any dtype with at least one element along the axes.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's dtype.

    Raises
    ------
    UnifyValueError
        There are no elements to compare.
    UnifyIndexError
        An axis is out of bounds.

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
        Array of any dtype.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    dtype
        Dtype to which elements are cast first, and of the result. None keeps x's, except that
        integers narrower than the default integer dtype take that one (unsigned ones: the
        unsigned one of its width), and bool takes it too.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of the dtype described; the product of no elements is 1.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``prod``; it leaves bool input open.

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
        Array of any dtype.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    correction
        What to subtract from the number of elements in the divisor: 0 for a whole population, 1
        for a sample (Bessel's correction).
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's dtype; for bool and integers, of the default floating-point dtype; for complex
    numbers, of their components' dtype.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

    NaN where the divisor isn't positive, or an element is NaN.

    References
    ----------
    Array API standard 2025.12, ``std``; it leaves complex input open.

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
        Array of any dtype.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    dtype
        Dtype to which elements are cast first, and of the result. None keeps x's, except that
        integers narrower than the default integer dtype take that one (unsigned ones: the
        unsigned one of its width), and bool takes it too.
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of the dtype described; the sum of no elements is 0.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``sum``; it leaves bool input open.

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

    The sum of the squared distances is divided by the number of elements less `correction`. Of
    complex numbers the distance is the absolute value, so that the variance is real.

    Parameters
    ----------
    x
        Array of any dtype.
    axis
        Axis or axes to reduce. None reduces all, the empty tuple none.
    correction
        What to subtract from the number of elements in the divisor: 0 for a whole population, 1
        for a sample (Bessel's correction).
    keepdims
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array of x's dtype; for bool and integers, of the default floating-point dtype; for complex
    numbers, of their components' dtype.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

    NaN where the divisor isn't positive, or an element is NaN.

    References
    ----------
    Array API standard 2025.12, ``var``; it leaves complex input open.

    Examples
    --------
    >>> unify.var(unify.array([1., 2., 3., 6.]), correction=1)
    unify.array(4.66666667)
    """
