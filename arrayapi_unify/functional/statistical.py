"""The statistical functions: the standard's, and those of NumPy beyond it."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, cast

from arrayapi_unify import backends, limits
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.axes import normalize_axes, normalize_axis, only_axis
from arrayapi_unify.backends._common.checks.statistical import raise_negative_numbers_error
from arrayapi_unify.binding import compositional, mixed, primary
from arrayapi_unify.contracts import DataDependent
from arrayapi_unify.contracts.annotations import (
    ArrayIn,
    ArrayOrArrays,
    ArrayOrFloat,
    OptionalArray,
    OptionalDType,
    OptionalNumeric,
    Out,
    RealOperand,
)
from arrayapi_unify.errors import (
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional._common import (
    BodyArray,
    check_real,
    floating,
    floating_together,
    is_number,
    is_surely,
    known,
    real,
    unchecked,
)
from arrayapi_unify.functional._differences import check_spacing, slopes
from arrayapi_unify.functional._quantiles import check_method, interpolated, positions, present


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
        If True, the result starts with 1, which makes it longer by one.

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
        If True, the result starts with 0, which makes it longer by one.

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


def _cumulated(
    function: str, name: str, x: BodyArray, axis: int | None, dtype: Any, nan: float | None = None
) -> Array:
    """Accumulate along an axis or the flattened array, with a number in place of NaN."""
    xp = x.__array_namespace__()
    x = x if nan is None else _replaced(x, nan)
    if axis is None:
        x, axis = xp.reshape(x, (-1,)), 0
    axis = normalize_axis(function, axis, x.ndim)
    return getattr(xp, name)(x, axis=axis, dtype=dtype)


@compositional
def cumprod(
    x: ArrayIn, /, axis: int | None = None, dtype: OptionalDType = None, *, out: Out = None
) -> Array:
    """Product of each element with all elements before it.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis to multiply along. None multiplies along the flattened array.
    dtype
        Data type of the result, in which it is computed. By default it is the one that
        `cumulative_prod` gives.

    Returns
    -------
    Array of x's shape; without `axis` of one axis.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``cumprod``.

    Examples
    --------
    >>> unify.cumprod(unify.array([[1, 2], [3, 4]]))
    unify.array([ 1,  2,  6, 24])
    """
    return _cumulated("cumprod", "cumulative_prod", x, axis, dtype)


@compositional
def cumsum(
    x: ArrayIn, /, axis: int | None = None, dtype: OptionalDType = None, *, out: Out = None
) -> Array:
    """Sum of each element and all elements before it.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis to add along. None adds along the flattened array.
    dtype
        Data type of the result, in which it is computed. By default it is the one that
        `cumulative_sum` gives.

    Returns
    -------
    Array of x's shape; without `axis` of one axis.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``cumsum``.

    Examples
    --------
    >>> unify.cumsum(unify.array([[1, 2], [3, 4]]))
    unify.array([ 1,  3,  6, 10])
    """
    return _cumulated("cumsum", "cumulative_sum", x, axis, dtype)


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
        If True, the reduced axes remain, with size one.

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


@compositional
def average(
    x: ArrayIn,
    /,
    axis: int | tuple[int, ...] | None = None,
    weights: OptionalArray = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
) -> ArrayOrArrays:
    """Weighted mean.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis or axes to reduce. None reduces all.
    weights
        Weights of x's shape, or of the shape that `x` has along `axis`. None weighs all elements
        alike.
    returned
        If True, the sum of the weights is returned, too.
    keepdims
        If True, the reduced axes remain, with size one.

    Returns
    -------
    Array of the floating-point data type to which `x` and the weights promote; integers give the
    default one. With `returned`, a tuple of it and of the sums of weights, of the same shape.

    Raises
    ------
    UnifyTypeError
        If the weights have another shape, and there is no axis.
    UnifyValueError
        If the weights don't have the shape of the axes, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    If weights add up to zero, the result isn't finite. NumPy raises then, which would take a look
    at the values.

    References
    ----------
    NumPy's ``average``.

    Examples
    --------
    >>> unify.average(unify.array([1.0, 5.0]), weights=unify.array([3.0, 1.0]))
    unify.array(2.)
    """
    values: BodyArray = x
    axes = normalize_axes("average", axis, values.ndim)
    xp = values.__array_namespace__()
    if weights is None:
        found = xp.mean(values, axis=axes, keepdims=keepdims)
        total = xp.full_like(found, float(math.prod([values.shape[a] for a in axes])))
    else:
        values, shares = floating_together(values, weights)
        shares = _weights_of_axes(values, shares, axis, axes)
        total = xp.sum(shares, axis=axes, keepdims=keepdims)
        found = xp.sum(values * shares, axis=axes, keepdims=keepdims) / total
    return (found, xp.zeros_like(found) + total) if returned else found


def _weights_of_axes(
    x: BodyArray, weights: BodyArray, axis: object, axes: tuple[int, ...]
) -> BodyArray:
    """Give weights along some axes the number of axes of an array."""
    if weights.shape == x.shape:
        return weights
    problem = f"has the shape {weights.shape}, but the array has {x.shape}"
    if axis is None:
        raise_type_error("average", "weights", problem, "pass the axis, too")
    if weights.shape != tuple([x.shape[a] for a in axes]):
        raise_value_error("average", "weights", problem, "pass one weight for each element")
    xp, order = x.__array_namespace__(), [axes.index(a) for a in sorted(axes)]
    shape = [n if a in axes else 1 for a, n in enumerate(x.shape)]
    return xp.reshape(xp.permute_dims(weights, tuple(order)), tuple(shape))


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
        If True, the reduced axes remain, with size one.

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
        If True, the reduced axes remain, with size one.

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
        If True, the reduced axes remain, with size one.

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


@compositional
def ptp(
    x: ArrayIn,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Range of the elements: the largest less the smallest ("peak to peak").

    Parameters
    ----------
    x
        Array of numeric data type, with at least one element along the axes.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        If True, the reduced axes remain, with size one.

    Returns
    -------
    Array of x's data type. If an element is NaN, so is the result; integers wrap around.

    Raises
    ------
    UnifyTypeError
        If `x` is an array of bools.
    UnifyValueError
        If there is no element to choose from, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``ptp``.

    Examples
    --------
    >>> unify.ptp(unify.array([[1, 5], [7, 2]]), axis=1)
    unify.array([4, 5])
    """
    xp = x.__array_namespace__()
    if x.dtype.kind == "b":
        raise_type_error("ptp", "x", "has data type bool", "cast it to a numeric one first")
    largest = xp.max(x, axis=axis, keepdims=keepdims)
    return largest - xp.min(x, axis=axis, keepdims=keepdims)


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
        Number subtracted from the number of elements in the divisor: 0 for a whole population, 1
        for a sample (Bessel's correction).
    keepdims
        If True, the reduced axes remain, with size one.

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
        If True, the reduced axes remain, with size one.

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
        Number subtracted from the number of elements in the divisor: 0 for a whole population, 1
        for a sample (Bessel's correction).
    keepdims
        If True, the reduced axes remain, with size one.

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


def _variables(function: str, x: BodyArray, y: BodyArray, rowvar: bool) -> Array:
    """Return a matrix with one row for each variable of both arrays."""
    given = {name: array for name, array in (("x", x), ("y", y)) if array is not None}
    rows: list[Array] = []
    for name, array in zip(given, floating_together(*given.values()), strict=True):
        if array.ndim > 2:
            problem, remedy = f"has {array.ndim} axes", "pass a vector or a matrix"
            raise_value_error(function, name, problem, remedy)
        xp = array.__array_namespace__()
        matrix = xp.reshape(array, (1, -1)) if array.ndim < 2 else array
        transposed = not rowvar and array.ndim == 2 and (name == "x" or matrix.shape[0] != 1)
        rows.append(xp.matrix_transpose(matrix) if transposed else matrix)
    if len({row.shape[1] for row in rows}) > 1:
        raise_value_error(
            function, "y", f"has {rows[1].shape[1]} observations where x has {rows[0].shape[1]}",
            "pass as many of both",
        )  # fmt: skip
    return rows[0] if len(rows) == 1 else xp.concat(rows, axis=0)


def _check_observation_weights(function: str, name: str, weights: BodyArray, count: int) -> None:
    """Raise for weights that aren't one real number for each observation."""
    if weights is None:
        return
    if weights.dtype.kind not in ("iu" if name == "fweights" else "iuf"):
        raise_type_error(
            function, name, f"has data type {weights.dtype}",
            "pass integers" if name == "fweights" else "pass real numbers",
        )  # fmt: skip
    if weights.shape != (count,):
        problem = f"has the shape {weights.shape} where there are {count} observations"
        raise_value_error(function, name, problem, "pass one weight for each")


def _covariance(
    variables: Array, correction: float, fweights: BodyArray = None, aweights: BodyArray = None
) -> Array:
    """Return the covariances of the rows."""
    xp, count = variables.__array_namespace__(), variables.shape[1]
    number = xp.real(variables).dtype if variables.dtype.kind == "c" else variables.dtype
    given = [xp.astype(w, number) for w in (fweights, aweights) if w is not None]
    if not given:
        centred = variables - xp.mean(variables, axis=1, keepdims=True)
        weighed, degrees = centred, xp.asarray(
            float(builtins.max(count - correction, 0)), dtype=number, device=variables.device
        )  # fmt: skip
    else:
        weights = given[0] if len(given) == 1 else given[0] * given[1]
        total = xp.sum(weights)
        mean = xp.sum(variables * weights, axis=1, keepdims=True) / total
        centred = variables - mean
        weighed = centred * weights
        lost = xp.sum(weights * given[-1]) / total if aweights is not None else 1.0
        degrees = total - correction * lost
        degrees = xp.where(degrees <= 0, 0.0, degrees)
    transposed = xp.matrix_transpose(weighed)
    product = xp.matmul(centred, xp.conj(transposed) if centred.dtype.kind == "c" else transposed)
    found = product / degrees
    return xp.reshape(found, ()) if found.shape == (1, 1) else found


@mixed
def convolve(
    x1: ArrayIn,
    x2: ArrayIn,
    /,
    mode: Literal["full", "same", "valid"] = "full",
    *,
    out: Out = None,
) -> Array:
    """Discrete convolution of two sequences.

    Parameters
    ----------
    x1
        Array of one axis, or zero-dimensional, with at least one element.
    x2
        Array of one axis, or zero-dimensional, with at least one element.
    mode
        ``"full"``: every overlap. ``"same"``: as many in the middle as the longer sequence has.
        ``"valid"``: those where the sequences overlap completely.

    Returns
    -------
    Array of one axis, of the data type to which the arguments promote. Bools are combined by *and*
    and *or*.

    Raises
    ------
    UnifyValueError
        If an array has more than one axis, or no element.

    Notes
    -----
    On backends other than NumPy it takes memory for the products of blocks of 64 elements.

    References
    ----------
    NumPy's ``convolve``.

    Examples
    --------
    >>> unify.convolve(unify.array([1, 2, 3]), unify.array([1, 10]))
    unify.array([ 1, 12, 23, 30])
    """
    first, second = _sequence("x1", x1), _sequence("x2", x2)
    if second.shape[0] > first.shape[0]:
        first, second = second, first
    xp, long, short = first.__array_namespace__(), first.shape[0], second.shape[0]
    parts = [
        xp.pad(_overlaps(first, second[i : i + _BLOCK]), (i, builtins.max(short - i - _BLOCK, 0)))
        for i in range(0, short, _BLOCK)
    ]
    found = parts[0] if len(parts) == 1 else _added(xp.stack(parts))
    start = {"full": 0, "same": (short - 1) // 2, "valid": short - 1}[mode]
    size = {"full": long + short - 1, "same": long, "valid": long - short + 1}[mode]
    return xp.asarray(found[start : start + size], copy=True)


_BLOCK: Final = 64


def _overlaps(long: BodyArray, short: BodyArray) -> BodyArray:
    """Return the sums of the products of each overlap of two sequences."""
    xp, count = long.__array_namespace__(), short.shape[0]
    flags = long.dtype.kind == short.dtype.kind == "b"
    product = xp.logical_and if flags else xp.multiply
    # With the rows one element longer than the result, each begins one place after the other.
    products = xp.pad(product(xp.expand_dims(short, axis=1), long), ((0, 0), (0, count)))
    flat = xp.reshape(products, (-1,))[:-count]
    return _added(xp.reshape(flat, (count, long.shape[0] + count - 1)))


def _added(rows: BodyArray) -> BodyArray:
    """Add rows in their own data type; bools by *or*."""
    xp = rows.__array_namespace__()
    return (
        xp.any(rows, axis=0) if rows.dtype.kind == "b" else xp.sum(rows, axis=0, dtype=rows.dtype)
    )


def _sequence(name: str, x: BodyArray) -> BodyArray:
    """Return an array with one axis; refuse others, and empty ones."""
    if x.ndim > 1:
        problem, remedy = f"has {x.ndim} axes", "flatten it first with reshape(x, -1)"
        raise_value_error("convolve", name, problem, remedy)
    if 0 in x.shape:
        raise_value_error("convolve", name, "is empty", "pass at least one element")
    return x.__array_namespace__().reshape(x, (-1,))


@mixed
def corrcoef(
    x: ArrayIn, y: OptionalArray = None, /, *, rowvar: bool = True, out: Out = None
) -> Array:
    """Correlation coefficients of variables, by Pearson.

    Parameters
    ----------
    x
        Array of observations, of numeric data type: a vector of one variable, or a matrix.
    y
        More variables, with as many observations.
    rowvar
        Whether each row of a matrix is a variable and each column an observation, and not the other
        way round.

    Returns
    -------
    Matrix of the coefficients, a number for one variable. It has the floating-point data type to
    which the arguments promote; integers and bools give the default one.

    Raises
    ------
    UnifyValueError
        If an array has more than two axes, or the numbers of observations differ.

    Notes
    -----
    A variable that is the same in all observations has coefficients that are NaN.

    References
    ----------
    NumPy's ``corrcoef``.

    Examples
    --------
    >>> unify.corrcoef(unify.array([[1.0, 2.0, 3.0], [5.0, 3.0, 1.0]]))
    unify.array([[ 1., -1.],
                 [-1.,  1.]])
    """
    found = _covariance(_variables("corrcoef", x, y, rowvar), 1)
    xp = found.__array_namespace__()
    if not found.ndim:
        return found / found
    diagonal = xp.linalg.diagonal(found)
    widths = xp.sqrt(xp.real(diagonal) if found.dtype.kind == "c" else diagonal)
    found = found / xp.expand_dims(widths, axis=1) / xp.expand_dims(widths, axis=0)
    if found.dtype.kind != "c":
        return xp.clip(found, -1.0, 1.0)
    return xp.clip(xp.real(found), -1.0, 1.0) + 1j * xp.clip(xp.imag(found), -1.0, 1.0)


@mixed
def cov(
    x: ArrayIn,
    y: OptionalArray = None,
    /,
    *,
    rowvar: bool = True,
    correction: float = 1.0,
    fweights: OptionalArray = None,
    aweights: OptionalArray = None,
    out: Out = None,
) -> Array:
    """Covariances of variables, estimated from observations.

    Parameters
    ----------
    x
        Array of observations, of numeric data type: a vector of one variable, or a matrix.
    y
        More variables, with as many observations.
    rowvar
        Whether each row of a matrix is a variable and each column an observation, and not the other
        way round.
    correction
        Number subtracted from the number of observations in the divisor, as in `var`. The usual
        one gives an estimate without bias.
    fweights
        Frequency of each observation: an array of integers with one axis.
    aweights
        Weight of each observation: an array of real numbers with one axis.

    Returns
    -------
    Matrix of the covariances, a number for one variable. It has the floating-point data type to
    which x and y promote; integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `fweights` aren't integers, or `aweights` aren't real numbers.
    UnifyValueError
        If an array has more than two axes, or the numbers of observations differ.

    Notes
    -----
    That no weight is negative isn't checked, which would take their values.

    References
    ----------
    NumPy's ``cov``, which names ``ddof`` what is `correction` in the standard.

    Examples
    --------
    >>> unify.cov(unify.array([[1.0, 2.0, 3.0], [5.0, 3.0, 1.0]]))
    unify.array([[ 1., -2.],
                 [-2.,  4.]])
    """
    variables = _variables("cov", x, y, rowvar)
    _check_observation_weights("cov", "fweights", fweights, variables.shape[1])
    _check_observation_weights("cov", "aweights", aweights, variables.shape[1])
    return _covariance(variables, correction, fweights, aweights)


class HistogramResult(NamedTuple):
    """The result of `histogram`."""

    counts: Array
    bin_edges: Array


def _check_weights(function: str, weights: BodyArray, shape: tuple[int, ...]) -> None:
    """Raise for weights that aren't one for each element."""
    if weights is not None and weights.shape != shape:
        raise_value_error(
            function, "weights", f"has the shape {weights.shape}, but the array has {shape}",
            "pass one weight for each element",
        )  # fmt: skip


def _length(x: BodyArray, minlength: int) -> int:
    """Return one more than the largest number, which takes a look at the values."""
    if 0 in x.shape:
        return minlength
    xp = x.__array_namespace__()
    if int(xp.to_scalar(xp.min(x))) < 0:
        raise_negative_numbers_error()
    return builtins.max(minlength, int(xp.to_scalar(xp.max(x))) + 1)


_WITHOUT_LENGTH: Final = DataDependent(
    "calls without `length`", lambda x, /, *, length=None, **options: length is None
)


@mixed(data_dependent=_WITHOUT_LENGTH)
def bincount(
    x: ArrayIn,
    /,
    *,
    weights: OptionalArray = None,
    minlength: int = 0,
    length: int | None = None,
    out: Out = None,
) -> Array:
    """Count how often each number occurs, or add up the weights of its occurrences.

    Parameters
    ----------
    x
        Array of one axis, of integers that aren't negative.
    weights
        Real weight of each element; None means one for each.
    minlength
        The least number of results.
    length
        Number of results, which needs no look at the values: calls with it trace. Elements that are
        negative, or as large, aren't counted. None makes as many as there are numbers up to the
        largest element.

    Returns
    -------
    Array of one axis: the counts, as int64, or sums of the floating-point data type of the weights;
    integers as weights give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` isn't of an integer data type, or `weights` is complex.
    UnifyValueError
        If `x` has more than one axis or, without `length`, a negative element, the weights have
        another shape, or a length is negative.

    References
    ----------
    NumPy's ``bincount``. `length` is an addition.

    Examples
    --------
    >>> unify.bincount(unify.array([1, 3, 1]))
    unify.array([0, 2, 0, 1])
    >>> unify.bincount(unify.array([1, 3, 1]), weights=unify.array([0.5, 1.0, 2.0]), length=3)
    unify.array([0. , 2.5, 0. ])
    """
    if x.dtype.kind not in "iu":
        problem, remedy = f"has data type {x.dtype}", "pass an array of integers"
        raise_type_error("bincount", "x", problem, remedy)
    if x.ndim != 1:
        problem, remedy = f"has {x.ndim} axes", "flatten it first with reshape(x, -1)"
        raise_value_error("bincount", "x", problem, remedy)
    _check_weights("bincount", weights, x.shape)
    for name, value in (("minlength", minlength), ("length", length)):
        if value is not None and value < 0:
            raise_value_error("bincount", name, f"is {value}", "pass 0 or more")
    xp = x.__array_namespace__()
    if weights is None:
        counted = xp.ones(x.shape, dtype=xp.int64, device=x.device)
    else:
        counted = real("bincount", "weights", weights)
    return xp.segment_sum(counted, x, _length(x, minlength) if length is None else length)


def _check_bins(function: str, bins: int, limits: tuple[float, float] | None) -> None:
    """Raise for what makes no bins."""
    if bins < 1:
        raise_value_error(function, "bins", f"is {bins}", "pass one bin at least")
    if limits is not None and not (-math.inf < limits[0] <= limits[1] < math.inf):
        raise_value_error(
            function, "range", f"is {limits}", "pass two finite numbers, the smaller one first"
        )


def _edges(x: Array, bins: int, limits: tuple[float, float] | None) -> Array:
    """Return the edges of bins of equal width between two numbers, or the extremes of x."""
    xp = x.__array_namespace__()
    if limits is None and 0 not in x.shape:
        low, high = xp.min(x), xp.max(x)
    else:
        ends = (0.0, 1.0) if limits is None else limits
        low, high = (xp.asarray(float(v), dtype=x.dtype, device=x.device) for v in ends)
    same = low == high
    low, high = xp.where(same, low - 0.5, low), xp.where(same, high + 0.5, high)
    steps = xp.astype(xp.arange(bins, device=x.device), x.dtype)
    inner = low + steps * ((high - low) / bins)
    return xp.concat([inner, xp.reshape(high, (1,))])


def _edges_of(function: str, bins: BodyArray, values: Array, limits: Any) -> Array:
    """Return the given edges, or the edges of a number of bins of equal width."""
    xp = values.__array_namespace__()
    if not is_number(bins) and not isinstance(bins, Array):
        bins = xp.asarray(bins, device=values.device)
    if is_number(bins) or not bins.ndim:
        count = int(bins)
        _check_bins(function, count, limits)
        return _edges(values, count, limits)
    edges = real(function, "bins", bins)
    if edges.ndim != 1 or edges.shape[0] < 2:
        problem, remedy = f"has the shape {edges.shape}", "pass two edges at least, in one axis"
        raise_value_error(function, "bins", problem, remedy)
    return xp.astype(edges, values.dtype)


def _places_in(values: Array, edges: Array) -> Array:
    """Return the bin of each value, -1 or more bins than there are for one outside of all."""
    xp = values.__array_namespace__()
    place = xp.searchsorted(edges, values, side="right") - 1
    return xp.where(values == edges[-1], edges.shape[0] - 2, place)


def _grid(bins: Any, limits: Any, rank: int) -> Any:
    """Return the bins and the limits of each axis."""
    each = [bins] * rank if is_number(bins) or getattr(bins, "ndim", 1) == 0 else bins
    ends = [None] * rank if limits is None else limits
    for argument, found in (("bins", each), ("range", ends)):
        if len(found) != rank:
            raise_value_error(
                "histogramdd", argument, f"has {len(found)} items for points of {rank} coordinates",
                "pass one for each coordinate",
            )  # fmt: skip
    return zip(each, ends, strict=True)


@compositional
def digitize(x: RealOperand, /, bins: ArrayIn, right: bool = False, *, out: Out = None) -> Array:
    """Index of the bin to which each number belongs.

    Parameters
    ----------
    x
        Numbers: real-valued array of any shape, or a number.
    bins
        Edges of the bins: array of one axis, in ascending or descending order.
    right
        If True, a bin includes its right edge, not its left one.

    Returns
    -------
    int64 array of x's shape: 0 before the first edge, the number of edges behind the last one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If `bins` doesn't have one axis, or isn't in order.

    Notes
    -----
    While a compiler traces, and on several devices, the order isn't checked.

    References
    ----------
    NumPy's ``digitize``.

    Examples
    --------
    >>> unify.digitize(unify.array([0.2, 6.4, 3.0]), unify.array([0.0, 1.0, 2.5, 4.0]))
    unify.array([1, 4, 3])
    """
    edges: BodyArray = bins
    xp = edges.__array_namespace__()
    for name, array in (("x", x), ("bins", edges)):
        if not is_number(array):
            check_real("digitize", name, array)
    if edges.ndim != 1:
        problem, remedy = f"has {edges.ndim} axes", "pass an array of one axis"
        raise_value_error("digitize", "bins", problem, remedy)
    rising = xp.all(edges[1:] >= edges[:-1])
    if known(xp.logical_not(rising) & xp.any(edges[1:] > edges[:-1])):
        raise_value_error("digitize", "bins", "isn't in order", "sort the edges first")
    ascending = xp.where(rising, edges, xp.flip(edges))
    found = xp.searchsorted(ascending, x, side="left" if right else "right")
    return xp.where(rising, found, edges.shape[0] - found)


@compositional
def ediff1d(
    x: ArrayIn,
    /,
    to_end: OptionalNumeric = None,
    to_begin: OptionalNumeric = None,
    *,
    out: Out = None,
) -> Array:
    """Differences of neighbours in the flattened array.

    Parameters
    ----------
    x
        Array of any shape and numeric data type.
    to_end
        Number or array that is appended.
    to_begin
        Number or array that is put in front.

    Returns
    -------
    Array of one axis, of x's data type.

    Raises
    ------
    UnifyTypeError
        If `x` is an array of bools, or `to_end` or `to_begin` is of a higher kind than `x`.

    References
    ----------
    NumPy's ``ediff1d``.

    Examples
    --------
    >>> unify.ediff1d(unify.array([1, 2, 4, 7]), to_begin=-99)
    unify.array([-99,   1,   2,   3])
    """
    given: BodyArray = x
    if given.dtype.kind == "b":
        raise_type_error("ediff1d", "x", "has data type bool", "cast it to a numeric one first")
    xp = given.__array_namespace__()
    flat = xp.reshape(given, (-1,))
    parts = [_end("to_begin", to_begin, flat), xp.diff(flat), _end("to_end", to_end, flat)]
    return xp.concat([part for part in parts if part is not None])


def _end(name: str, value: BodyArray, like: BodyArray) -> BodyArray:
    """Return the elements at an end, in the data type of the others."""
    if value is None:
        return None
    xp = like.__array_namespace__()
    if is_number(value) or isinstance(value, list | tuple):
        value = xp.asarray(value, device=like.device)
    if "buifc".index(value.dtype.kind) > "buifc".index(like.dtype.kind):
        problem = f"has data type {value.dtype}, and x has {like.dtype}"
        raise_type_error("ediff1d", name, problem, "cast one of them first")
    return xp.reshape(value.astype(like.dtype, copy=False), (-1,))


@compositional
def gradient(
    f: ArrayIn,
    /,
    *varargs: ArrayOrFloat,
    axis: int | tuple[int, ...] | None = None,
    edge_order: int = 1,
) -> ArrayOrArrays:
    """Slopes along axes, by differences of neighbours.

    They are central differences, of second order, and at the ends one-sided ones.

    Parameters
    ----------
    f
        Array of samples, of any shape and data type.
    varargs
        Distances: none (1 along each axis), a number for all axes, or for each axis a number or an
        array of the positions.
    axis
        Axis or axes to differentiate along. None takes all.
    edge_order
        Order of the differences at the ends, 1 or 2.

    Returns
    -------
    Array of f's shape and floating-point data type (integers and bools give the default one), or a
    tuple of such arrays, if there isn't exactly one axis.

    Raises
    ------
    UnifyTypeError
        If there are neither none, one or as many distances as axes.
    UnifyValueError
        If positions don't fit the axis, `edge_order` is greater than 2, an axis has fewer than
        ``edge_order + 1`` elements, or is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``gradient``.

    Examples
    --------
    >>> unify.gradient(unify.array([1.0, 2.0, 4.0, 7.0]), 2.0)
    unify.array([0.5 , 0.75, 1.25, 1.5 ])
    """
    values = floating(f)
    axes = normalize_axes("gradient", axis, values.ndim)
    spacing = check_spacing(values, varargs, axes, edge_order)
    found = [slopes(values, d, a, edge_order) for d, a in zip(spacing, axes, strict=True)]
    return found[0] if len(found) == 1 else tuple(found)


@compositional
def histogram(
    x: ArrayIn,
    /,
    *,
    bins: RealOperand = 10,
    range: tuple[float, float] | None = None,
    weights: OptionalArray = None,
    density: bool = False,
) -> HistogramResult:
    """Count how many elements lie in each bin.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    bins
        Number of bins of equal width, or an array of their edges in increasing order.
    range
        The first and the last edge of bins of equal width. None takes the extremes of `x`, which
        are finite.
    weights
        Weight of each element; None means one for each.
    density
        If True, divide by the sum of all counts and the width of each bin, so that the integral
        is one.

    Returns
    -------
    A named tuple ``(counts, bin_edges)``. The counts are int64, or of the data type of the weights,
    and floating-point with `density`. The edges have x's floating-point data type; integers and
    bools give the default one. float16 and bfloat16 with complex weights give float32.

    Raises
    ------
    UnifyTypeError
        If `x` is complex, or the weights are bools.
    UnifyValueError
        If there is no bin, `range` isn't two finite numbers in order, or the weights have another
        shape.

    Notes
    -----
    An element at an edge counts for the bin behind it, one at the last edge for the last bin.
    Elements outside of all bins and NaN don't count. That edges are in order, and extremes finite,
    isn't checked.

    References
    ----------
    NumPy's ``histogram``.

    Examples
    --------
    >>> found = unify.histogram(unify.array([0.0, 1.0, 2.0, 4.0]), bins=2)
    >>> found.counts, found.bin_edges
    (unify.array([2, 2]), unify.array([0., 2., 4.]))
    """
    _check_weights("histogram", weights, x.shape)
    values = real("histogram", "x", x)
    xp = values.__array_namespace__()
    values = xp.reshape(values, (-1,))
    edges = _edges_of("histogram", bins, values, range)
    place = _places_in(values, edges)
    if weights is None:
        counted = xp.ones(values.shape, dtype=xp.int64, device=values.device)
    else:
        counted = xp.reshape(_weights(weights), (-1,))
    counts = xp.segment_sum(counted, place, edges.shape[0] - 1)
    if density:
        share = floating(counts)
        counts = share / xp.astype(edges[1:] - edges[:-1], share.dtype) / xp.sum(share)
    return HistogramResult(counts, edges)


def _weights(weights: BodyArray) -> BodyArray:
    """Raise for bools, of which there is no sum of the same data type."""
    if weights.dtype.kind == "b":
        problem, remedy = "has data type bool", "cast it to a numeric data type first"
        raise_type_error("histogram", "weights", problem, remedy)
    return weights


@compositional
def histogram2d(
    x: ArrayIn,
    y: ArrayIn,
    /,
    *,
    bins: Any = 10,
    range: Any = None,
    density: bool = False,
    weights: OptionalArray = None,
) -> tuple[Array, Array, Array]:
    """Count how many points lie in each rectangle of a grid.

    Parameters
    ----------
    x
        First coordinates of the points: real-valued array of one axis.
    y
        Second coordinates, as many.
    bins
        Number of bins of equal width, the same for both axes; or an array of edges for both; or a
        pair of either.
    range
        A pair of the first and the last edge of bins of equal width, for each axis. None takes the
        extremes of the points, which are finite.
    density
        If True, divide by the sum of all counts and the area of each rectangle.
    weights
        Weight of each point; None means one for each.

    Returns
    -------
    The counts, with an axis for each coordinate, and the edges along both, as of `histogramdd`.

    Raises
    ------
    UnifyTypeError
        If an array is complex, or the weights are bools.
    UnifyValueError
        If the arrays differ in length, or an option doesn't fit them, as of `histogramdd`.

    References
    ----------
    NumPy's ``histogram2d``.

    Examples
    --------
    >>> unify.histogram2d(unify.array([0.0, 1.0, 1.0]), unify.array([0.0, 3.0, 4.0]), bins=2)[0]
    unify.array([[1, 0],
                 [0, 2]])
    """
    xp = x.__array_namespace__()
    if x.ndim != 1 or x.shape != y.shape:
        problem = f"has the shape {y.shape}, and x {x.shape}"
        raise_value_error("histogram2d", "y", problem, "pass two arrays of one axis and one size")
    several = isinstance(bins, list | tuple) or getattr(bins, "ndim", 0) == 1
    if several and len(bins) != 2:  # two are the bins of either axis, also in an array
        bins = (bins, bins)
    counts, (first, second) = xp.histogramdd(
        xp.stack([x, y], axis=1), bins=bins, range=range, density=density, weights=weights
    )
    return counts, first, second


@compositional
def histogramdd(
    sample: ArrayIn,
    /,
    *,
    bins: Any = 10,
    range: Any = None,
    density: bool = False,
    weights: OptionalArray = None,
) -> tuple[Array, tuple[Array, ...]]:
    """Count how many points lie in each cell of a grid.

    Parameters
    ----------
    sample
        Points: real-valued array of shape (number of points, number of axes), or of one axis; or a
        list with an array for each coordinate.
    bins
        Number of bins of equal width, the same for all axes; or, for each axis, a number or an
        array of edges in increasing order.
    range
        For each axis, a pair of the first and the last edge of bins of equal width. None takes the
        extremes of the points, which are finite.
    density
        If True, divide by the sum of all counts and the volume of each cell.
    weights
        Weight of each point; None means one for each.

    Returns
    -------
    The counts, with an axis for each axis of the points, and a tuple of the edges. The counts are
    int64, or of the data type of the weights, and floating-point with `density`.

    Raises
    ------
    UnifyTypeError
        If `sample` is complex, or the weights are bools.
    UnifyValueError
        If there is no bin, a pair in `range` isn't of two finite numbers in order, or there isn't
        one of `bins`, `range` or `weights` for each axis or point.

    Notes
    -----
    Edges count as in `histogram`: points outside of the grid, and NaN, don't count. NumPy's counts
    are float64.

    References
    ----------
    NumPy's ``histogramdd``.

    Examples
    --------
    >>> counts, edges = unify.histogramdd(unify.array([[0.0, 0.0], [1.0, 3.0], [1.0, 4.0]]), bins=2)
    >>> counts, edges[1]
    (unify.array([[1, 0],
                 [0, 2]]), unify.array([0., 2., 4.]))
    """
    points = real("histogramdd", "sample", sample)
    xp = points.__array_namespace__()
    points = xp.reshape(points, (-1, 1)) if points.ndim < 2 else points
    count, rank = points.shape
    _check_weights("histogramdd", weights, (count,))
    edges: list[Array] = []
    flat = xp.zeros((count,), dtype=xp.int64, device=points.device)
    outside = flat < 0
    for axis, (given, ends) in enumerate(_grid(bins, range, rank)):
        values = points[:, axis]
        along = _edges_of("histogramdd", given, values, ends)
        place, size = _places_in(values, along), along.shape[0] - 1
        outside = outside | (place < 0) | (place >= size)
        flat, edges = flat * size + place, [*edges, along]
    shape = tuple(one.shape[0] - 1 for one in edges)
    flat = xp.where(outside, -1, flat)
    counted = xp.ones((count,), dtype=xp.int64, device=points.device)
    counted = counted if weights is None else _weights(weights)
    counts = xp.reshape(xp.segment_sum(counted, flat, math.prod(shape)), shape)
    if density:
        share = floating(counts)
        for axis, one in enumerate(edges):
            width = xp.astype(one[1:] - one[:-1], share.dtype)
            share = share / xp.reshape(width, (-1,) + (1,) * (rank - axis - 1))
        counts = share / xp.sum(floating(counts))
    return counts, tuple(edges)


@primary
def segment_sum(
    x: ArrayIn, segment_ids: ArrayIn, num_segments: int, /, *, out: Out = None
) -> Array:
    """Add up the elements along the first axis that have the same number.

    Parameters
    ----------
    x
        Array of numeric data type with at least one axis.
    segment_ids
        The number of each element along the first axis: an array of integers with one axis.
    num_segments
        How many sums there are. Elements whose number is negative, or as large, aren't added.

    Returns
    -------
    Array of x's data type, with `num_segments` sums along the first axis. A number that nothing has
    gives zero. Sums of integers wrap around.

    Raises
    ------
    UnifyTypeError
        If `x` is an array of bools, or `segment_ids` isn't of an integer data type.
    UnifyValueError
        If `x` has no axis, there isn't one number for each element, or `num_segments` is negative.

    References
    ----------
    TensorFlow's ``tf.math.unsorted_segment_sum``.

    Examples
    --------
    >>> unify.segment_sum(unify.array([1, 2, 4, 8]), unify.array([0, 2, 0, -1]), 3)
    unify.array([5, 0, 2])
    """


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
        Replacement of NaN.
    posinf
        Replacement of infinity; by default the largest number of x's data type.
    neginf
        Replacement of minus infinity; by default the smallest number of x's data type.

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
    xp, given = x.__array_namespace__(), cast(BodyArray, x)
    if x.dtype.kind not in "fc":
        return xp.astype(x, given.dtype)
    info = limits.finfo(given.dtype)
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


@compositional
def nanargmax(
    x: ArrayIn, /, axis: int | None = None, *, keepdims: bool = False, out: Out = None
) -> Array:
    """Index of the largest element that isn't NaN.

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
        If there is no element to choose from, or all elements of a slice are NaN.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    While a compiler traces, a slice of nothing but NaN gives an index of one of them.

    References
    ----------
    NumPy's ``nanargmax``.

    Examples
    --------
    >>> unify.nanargmax(unify.array([[unify.nan, 4.0], [2.0, 3.0]]), axis=1)
    unify.array([1, 1])
    """
    return _index_of_extreme("nanargmax", "argmax", -math.inf, x, axis, keepdims)


def _index_of_extreme(
    function: str, name: str, bound: float, x: BodyArray, axis: int | None, keepdims: bool
) -> Array:
    """Search for an extreme, with a bound in place of NaN."""
    xp = x.__array_namespace__()
    if x.dtype.kind in "fc" and 0 not in x.shape:
        axis = None if axis is None else normalize_axis(function, axis, x.ndim)
        if is_surely(xp.any(xp.all(xp.isnan(x), axis=axis))):
            raise_value_error(function, "x", "has nothing but NaN in a slice", "leave it out")
    return getattr(xp, name)(_replaced(x, bound), axis=axis, keepdims=keepdims)


@compositional
def nanargmin(
    x: ArrayIn, /, axis: int | None = None, *, keepdims: bool = False, out: Out = None
) -> Array:
    """Index of the smallest element that isn't NaN.

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
        If there is no element to choose from, or all elements of a slice are NaN.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    While a compiler traces, a slice of nothing but NaN gives an index of one of them.

    References
    ----------
    NumPy's ``nanargmin``.

    Examples
    --------
    >>> unify.nanargmin(unify.array([[unify.nan, 4.0], [2.0, 3.0]]), axis=1)
    unify.array([1, 0])
    """
    return _index_of_extreme("nanargmin", "argmin", math.inf, x, axis, keepdims)


@compositional
def nancumprod(
    x: ArrayIn, /, axis: int | None = None, dtype: OptionalDType = None, *, out: Out = None
) -> Array:
    """Product of each element with all elements before it, NaN counting as 1.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis to multiply along. None multiplies along the flattened array.
    dtype
        Data type of the result, in which it is computed. By default it is the one that
        `cumulative_prod` gives.

    Returns
    -------
    Array of x's shape; without `axis` of one axis.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``nancumprod``.

    Examples
    --------
    >>> unify.nancumprod(unify.array([[1, 2], [3, 4]]))
    unify.array([ 1,  2,  6, 24])
    """
    return _cumulated("nancumprod", "cumulative_prod", x, axis, dtype, 1.0)


@compositional
def nancumsum(
    x: ArrayIn, /, axis: int | None = None, dtype: OptionalDType = None, *, out: Out = None
) -> Array:
    """Sum of each element and all elements before it, NaN counting as 0.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis to add along. None adds along the flattened array.
    dtype
        Data type of the result, in which it is computed. By default it is the one that
        `cumulative_sum` gives.

    Returns
    -------
    Array of x's shape; without `axis` of one axis.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``nancumsum``.

    Examples
    --------
    >>> unify.nancumsum(unify.array([[1, 2], [3, 4]]))
    unify.array([ 1,  3,  6, 10])
    """
    return _cumulated("nancumsum", "cumulative_sum", x, axis, dtype, 0.0)


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
        If True, the reduced axes remain, with size one.

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
        If True, the reduced axes remain, with size one.

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
        raise_type_error(function, "dtype", problem, remedy)
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
        If True, the reduced axes remain, with size one.

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
        If True, the reduced axes remain, with size one.

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
        If True, the reduced axes remain, with size one.

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
        If True, the reduced axes remain, with size one.

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
        If True, the reduced axes remain, with size one.

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


def _columns(
    function: str, x: BodyArray, axis: int | tuple[int, ...] | None
) -> tuple[Array, list[int]]:
    """Return x sorted, of shape (reduced, kept), and the shape of the result with keepdims."""
    x = real(function, "x", x)
    xp, axes = x.__array_namespace__(), normalize_axes(function, axis, x.ndim)
    kept = [a for a in range(x.ndim) if a not in axes]
    reduced = math.prod([x.shape[a] for a in axes])
    columns = xp.reshape(
        xp.permute_dims(x, (*axes, *kept)), (reduced, math.prod([x.shape[a] for a in kept]))
    )
    return xp.sort(columns, axis=0), [1 if a in axes else n for a, n in enumerate(x.shape)]


def _shaped(
    result: Array, first: tuple[int, ...], shape: list[int], axis: object, keepdims: bool
) -> Array:
    """Give the result of `_columns` its axes."""
    xp = result.__array_namespace__()
    if not keepdims:
        axes = normalize_axes("quantile", axis, len(shape))
        shape = [n for a, n in enumerate(shape) if a not in axes]
    return xp.reshape(result, (*first, *shape))


def _quantiles(
    function: str,
    x: BodyArray,
    q: BodyArray,
    whole: int,
    axis: int | tuple[int, ...] | None,
    keepdims: bool,
    method: str,
    skip_nan: bool = False,
) -> Array:
    """Return the quantiles of `quantile` or `percentile`; `whole` is what q is a share of."""
    check_method(function, method, q, whole)
    ordered, shape = _columns(function, x, axis)
    xp, count = ordered.__array_namespace__(), ordered.shape[0]
    if is_number(q):
        q = xp.asarray(q, dtype=xp.float64, device=ordered.device)
    fractions = xp.reshape(real(function, "q", q), (-1, 1)).astype(xp.float64)
    fractions = fractions if whole == 1 else fractions / whole
    if count:
        number: BodyArray = present(ordered) if skip_nan else count
        nothing = number == 0 if skip_nan else xp.isnan(ordered[-1:, :])
        if skip_nan:
            number = xp.astype(xp.maximum(number, 1), xp.float64)
        result = interpolated(ordered, *positions(method, number, fractions))
        invalid = nothing | xp.logical_not((fractions >= 0) & (fractions <= 1))
        result = xp.where(invalid, math.nan, result)
    else:
        width = (fractions.shape[0], ordered.shape[1])
        result = xp.full(width, math.nan, dtype=ordered.dtype, device=ordered.device)
    return _shaped(result, q.shape, shape, axis, keepdims)


@mixed
def median(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Median: the middle one of the sorted elements, or the mean of the two in the middle.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        If True, the reduced axes remain, with size one.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is NaN where
    an element is NaN, and where there is no element.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``median``.

    Examples
    --------
    >>> unify.median(unify.array([[3, 1, 2], [9, 9, 0]]), axis=1)
    unify.array([2., 9.])
    >>> unify.median(unify.array([4.0, 1.0, 2.0, 10.0]))
    unify.array(3.)
    """
    ordered, shape = _columns("median", x, axis)
    xp, count = ordered.__array_namespace__(), ordered.shape[0]
    if count:
        # Halves add up to infinity only if the elements are infinite.
        middle = ordered[(count - 1) // 2, :] / 2 + ordered[count // 2, :] / 2
        middle = xp.where(xp.isnan(ordered[-1, :]), math.nan, middle)  # NaNs stand last
    else:
        middle = xp.full(ordered.shape[1], math.nan, dtype=ordered.dtype, device=ordered.device)
    return _shaped(middle, (), shape, axis, keepdims)


@compositional
def nanmedian(
    x: ArrayIn,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Median of the elements that aren't NaN; see `median`.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        If True, the reduced axes remain, with size one.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is NaN where
    every element is.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nanmedian``.

    Examples
    --------
    >>> unify.nanmedian(unify.array([[3.0, unify.nan, 2.0], [9.0, 9.0, 0.0]]), axis=1)
    unify.array([2.5, 9. ])
    """
    ordered, shape = _columns("nanmedian", x, axis)
    xp = ordered.__array_namespace__()
    if ordered.shape[0]:
        count = present(ordered)
        # A column of NaN alone has a count of 0, and an element of it is the result.
        low = unchecked(xp.take_along_axis, ordered, xp.maximum(count - 1, 0) // 2, axis=0)
        middle = low / 2 + unchecked(xp.take_along_axis, ordered, count // 2, axis=0) / 2
    else:
        middle = xp.full(ordered.shape[1], math.nan, dtype=ordered.dtype, device=ordered.device)
    return _shaped(middle, (), shape, axis, keepdims)


@compositional
def nanpercentile(
    x: ArrayIn,
    /,
    q: RealOperand,
    axis: int | tuple[int, ...] | None = None,
    *,
    method: Literal[
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "linear",
        "median_unbiased",
        "normal_unbiased",
        "lower",
        "higher",
        "midpoint",
        "nearest",
    ] = "linear",
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Percentiles of the elements that aren't NaN; see `percentile`.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    q
        Percentages from 0 to 100: a number, or an array of any shape.
    axis
        Axis or axes to reduce. None reduces all.
    method
        Interpolation between two elements; the names are NumPy's.
    keepdims
        If True, the reduced axes remain, with size one.

    Returns
    -------
    Array of the shape of `q`, followed by x's shape without the reduced axes. It has x's
    floating-point data type; integers and bools give the default one. It is NaN where every
    element is, and where an element of the array `q` isn't between 0 and 100.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If there is no such method, `q` is a number that isn't between 0 and 100, or an axis is
        given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nanpercentile``.

    Examples
    --------
    >>> unify.nanpercentile(unify.array([10.0, 0.0, unify.nan, 20.0]), 25)
    unify.array(5.)
    """
    return _quantiles("nanpercentile", x, q, 100, axis, keepdims, method, skip_nan=True)


@compositional
def nanquantile(
    x: ArrayIn,
    /,
    q: RealOperand,
    axis: int | tuple[int, ...] | None = None,
    *,
    method: Literal[
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "linear",
        "median_unbiased",
        "normal_unbiased",
        "lower",
        "higher",
        "midpoint",
        "nearest",
    ] = "linear",
    keepdims: bool = False,
    out: Out = None,
) -> Array:
    """Quantiles of the elements that aren't NaN; see `quantile`.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    q
        Fractions from 0 to 1: a number, or an array of any shape.
    axis
        Axis or axes to reduce. None reduces all.
    method
        Interpolation between two elements; the names are NumPy's.
    keepdims
        If True, the reduced axes remain, with size one.

    Returns
    -------
    Array of the shape of `q`, followed by x's shape without the reduced axes. It has x's
    floating-point data type; integers and bools give the default one. It is NaN where every
    element is, and where an element of the array `q` isn't between 0 and 1.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If there is no such method, `q` is a number that isn't between 0 and 1, or an axis is
        given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``nanquantile``.

    Examples
    --------
    >>> unify.nanquantile(unify.array([10.0, 0.0, unify.nan, 20.0]), 0.25)
    unify.array(5.)
    """
    return _quantiles("nanquantile", x, q, 1, axis, keepdims, method, skip_nan=True)


@mixed
def percentile(
    x: ArrayIn,
    /,
    q: RealOperand,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    method: Literal[
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "linear",
        "median_unbiased",
        "normal_unbiased",
        "lower",
        "higher",
        "midpoint",
        "nearest",
    ] = "linear",
    out: Out = None,
) -> Array:
    """Percentiles: the values below which given percentages of the elements lie.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    q
        Percentages from 0 to 100: a number, or an array of any shape.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        If True, the reduced axes remain, with size one.
    method
        Interpolation between two elements; the names are NumPy's.

    Returns
    -------
    Array of the shape of `q`, followed by x's shape without the reduced axes. It has x's
    floating-point data type, whatever the data type of `q`; integers and bools give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If there is no such method, `q` is a number that isn't between 0 and 100, or an axis is
        given twice.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    The result is NaN where an element is NaN, where there is no element, and where an element of
    the array `q` isn't between 0 and 100. Between two infinite elements of the same sign, every
    percentile is that infinity.

    References
    ----------
    NumPy's ``percentile``.

    Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996.

    Examples
    --------
    >>> unify.percentile(unify.array([10.0, 0.0, 20.0]), 25)
    unify.array(5.)
    >>> unify.percentile(unify.array([[1, 2], [3, 5]]), [0.0, 100.0], axis=0, method="lower")
    unify.array([[1., 2.],
                 [3., 5.]])
    """
    return _quantiles("percentile", x, q, 100, axis, keepdims, method)


@mixed
def quantile(
    x: ArrayIn,
    /,
    q: RealOperand,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    method: Literal[
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "linear",
        "median_unbiased",
        "normal_unbiased",
        "lower",
        "higher",
        "midpoint",
        "nearest",
    ] = "linear",
    out: Out = None,
) -> Array:
    """Quantiles: the values below which given fractions of the elements lie.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    q
        Fractions from 0 to 1: a number, or an array of any shape.
    axis
        Axis or axes to reduce. None reduces all.
    keepdims
        If True, the reduced axes remain, with size one.
    method
        Interpolation between two elements; the names are NumPy's.

    Returns
    -------
    Array of the shape of `q`, followed by x's shape without the reduced axes. It has x's
    floating-point data type, whatever the data type of `q`; integers and bools give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If there is no such method, `q` is a number that isn't between 0 and 1, or an axis is given
        twice.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    The result is NaN where an element is NaN, where there is no element, and where an element of
    the array `q` isn't between 0 and 1. Between two infinite elements of the same sign, every
    quantile is that infinity.

    References
    ----------
    NumPy's ``quantile``.

    Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996.

    Examples
    --------
    >>> unify.quantile(unify.array([10.0, 0.0, 20.0]), 0.25)
    unify.array(5.)
    >>> unify.quantile(unify.array([[1, 2], [3, 5]]), [0.0, 1.0], axis=0, method="lower")
    unify.array([[1., 2.],
                 [3., 5.]])
    """
    return _quantiles("quantile", x, q, 1, axis, keepdims, method)


def _running(
    function: str, x: BodyArray, axis: int | None, extreme: Callable[[Any, Any], Array]
) -> Array:
    """Accumulate along an axis in steps of doubled length, each one operation of whole arrays."""
    check_real(function, "x", x)
    xp = x.__array_namespace__()
    if axis is None or x.ndim == 0:
        axis = only_axis(function, x.ndim, axis)
    axis = normalize_axis(function, axis, x.ndim)
    found, step = xp.asarray(xp.moveaxis(x, axis, 0), copy=True), 1
    while step < x.shape[axis]:
        later = extreme(found[step:, ...], found[:-step, ...])
        found = xp.concat([found[:step, ...], later], axis=0)
        step *= 2
    return xp.asarray(xp.moveaxis(found, 0, axis), copy=True)


@mixed
def cummax(x: ArrayIn, /, *, axis: int | None = None, out: Out = None) -> Array:
    """Largest of each element and all elements before it along an axis.

    Parameters
    ----------
    x
        Array of real data type with at least one axis.
    axis
        Axis to go along. Only for a one-dimensional array it may be None.

    Returns
    -------
    Array of x's shape and data type. From the first NaN on, all are NaN.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If `x` is zero-dimensional, or has several axes and `axis` is None.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``maximum.accumulate``.

    Examples
    --------
    >>> unify.cummax(unify.array([1, 3, 2, 5, 4]))
    unify.array([1, 3, 3, 5, 5])
    """
    return _running("cummax", x, axis, x.__array_namespace__().maximum)


@mixed
def cummin(x: ArrayIn, /, *, axis: int | None = None, out: Out = None) -> Array:
    """Smallest of each element and all elements before it along an axis.

    Parameters
    ----------
    x
        Array of real data type with at least one axis.
    axis
        Axis to go along. Only for a one-dimensional array it may be None.

    Returns
    -------
    Array of x's shape and data type. From the first NaN on, all are NaN.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If `x` is zero-dimensional, or has several axes and `axis` is None.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``minimum.accumulate``.

    Examples
    --------
    >>> unify.cummin(unify.array([4, 5, 2, 3, 1]))
    unify.array([4, 4, 2, 2, 1])
    """
    return _running("cummin", x, axis, x.__array_namespace__().minimum)


def _check_points(points: BodyArray, values: BodyArray) -> None:
    """Raise for points and values that don't belong together."""
    if points.ndim != 1 or values.shape != points.shape or 0 in points.shape:
        raise_value_error(
            "interp", "xp",
            f"has the shape {points.shape}, but the values have {values.shape}",
            "pass two arrays of one axis, with as many values as points, and at least one",
        )  # fmt: skip


def _periodic(x: Array, points: Array, values: Array, period: float) -> tuple[Array, Array, Array]:
    """Bring points and places into one period, and add a point of the next one on either side."""
    xp = x.__array_namespace__()
    points = points % period
    order = xp.argsort(points)
    points, values = unchecked(xp.take, points, order), unchecked(xp.take, values, order)
    ends = [points[-1:] - period, points, points[:1] + period]
    return x % period, xp.concat(ends), xp.concat([values[-1:], values, values[:1]])


def _interpolated(place: Array, knots: Array, heights: Array, left: Any, right: Any) -> Array:
    """Interpolate between knots in increasing order, and take the ends' heights outside."""
    xp, last = place.__array_namespace__(), knots.shape[0] - 1
    flat = xp.reshape(place, (-1,))
    low = xp.clip(xp.searchsorted(knots, flat, side="right") - 1, 0, builtins.max(last - 1, 0))
    high = xp.minimum(low + 1, last)
    start, end = unchecked(xp.take, knots, low), unchecked(xp.take, knots, high)
    first, second = unchecked(xp.take, heights, low), unchecked(xp.take, heights, high)
    # Points that stand at one place, and a point alone, have no line between them.
    slope = (second - first) / xp.where(end <= start, 1.0, end - start)
    found = first + slope * (flat - start)
    # Beside infinities, NumPy reckons from the other point, and keeps what both points have.
    broken = xp.isnan(found)
    found = xp.where(broken, second + slope * (flat - end), found)
    found = xp.where(broken & ((flat == start) | (first == second)), first, found)
    found = xp.where(flat >= end, second, found)
    found = xp.where(flat < knots[0], heights[0] if left is None else left, found)
    if right is not None:
        found = xp.where(flat > knots[last], right, found)
    # It is neither before a point nor behind one.
    return xp.reshape(xp.where(xp.isnan(flat), math.nan, found), place.shape)


@compositional
def interp(
    x: ArrayIn,
    /,
    xp: ArrayIn,
    fp: ArrayIn,
    *,
    left: float | complex | None = None,
    right: float | complex | None = None,
    period: float | None = None,
    out: Out = None,
) -> Array:
    """Interpolate on straight lines between points.

    Parameters
    ----------
    x
        Positions to interpolate at: an array of any shape and real data type.
    xp
        Points: an array of one axis with at least one element, in increasing order. With `period`
        the order is free.
    fp
        Value at each point, real or complex.
    left
        Result before the first point. None takes the first value.
    right
        Result behind the last point. None takes the last value.
    period
        Period of `x` and `xp`; `left` and `right` then have no meaning. It isn't zero.

    Returns
    -------
    Array of x's shape, of the floating-point data type to which the arguments promote; integers
    give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` or `xp` is complex.
    UnifyValueError
        If `xp` and `fp` don't have one axis of the same size, there is no point, or
        `period` is zero.

    Notes
    -----
    The order of the points isn't checked, because that would need their values.

    References
    ----------
    NumPy's ``interp``.

    Examples
    --------
    >>> points, values = unify.array([1.0, 2.0, 4.0]), unify.array([10.0, 20.0, 0.0])
    >>> unify.interp(unify.array([0.0, 1.5, 3.0, 9.0]), points, values, right=-1.0)
    unify.array([10., 15., 10., -1.])
    """
    check_real("interp", "x", x)
    check_real("interp", "xp", xp)
    _check_points(xp, fp)
    complexes = fp.dtype.kind == "c"
    given: BodyArray = fp
    part = given.__array_namespace__().real(given) if complexes else given
    place, knots, heights = floating_together(x, xp, part)
    heights = given if complexes else heights
    if period is not None:
        if not period:
            raise_value_error("interp", "period", "is 0", "pass a number that isn't zero")
        place, knots, heights = _periodic(place, knots, heights, abs(period))
        left = right = None
    if not complexes:
        return _interpolated(place, knots, heights, left, right)
    # Apart, because an infinity times a real number is NaN in the other component.
    space, ends = given.__array_namespace__(), (left, right)
    # A copy, because PyTorch's compiler fails where it meets a component of an argument twice.
    heights = space.astype(heights, given.dtype, copy=True)
    real = [None if end is None else complex(end).real for end in ends]
    imag = [None if end is None else complex(end).imag for end in ends]
    found: BodyArray = space.astype(
        _interpolated(place, knots, space.real(heights), *real), given.dtype
    )
    parts = _interpolated(place, knots, space.imag(heights), *imag)
    if not isinstance(found, Array):
        return found + _imaginary(parts, given.dtype)
    found.imag = parts
    return found


def _imaginary(x: BodyArray, dtype: Any) -> BodyArray:
    """Return x times the imaginary unit, whose real part is 0 also for infinities and NaN."""
    xp = x.__array_namespace__()
    found = xp.astype(xp.where(xp.isfinite(x), x, 0), dtype) * 1j
    for value in (math.inf, -math.inf, math.nan):
        special = xp.isnan(x) if value != value else x == value
        made = xp.asarray(complex(0, value), dtype=dtype, device=x.device)
        found = xp.where(special, made, found)
    return found


@mixed
def trapezoid(
    y: ArrayIn, x: OptionalArray = None, /, *, dx: float = 1.0, axis: int = -1, out: Out = None
) -> Array:
    """Integrate along an axis by the trapezoidal rule.

    Parameters
    ----------
    y
        Array of values, of numeric data type, with at least one axis.
    x
        Positions of the values: an array of one axis, or one that broadcasts with `y`. None puts
        them `dx` apart.
    dx
        Distance of the values without `x`.
    axis
        Axis of `y` to integrate along.

    Returns
    -------
    Array without the axis, of the floating-point data type to which the arguments promote; integers
    give the default one.

    Raises
    ------
    UnifyValueError
        If the shapes don't fit.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``trapezoid``.

    Examples
    --------
    >>> unify.trapezoid(unify.array([1.0, 2.0, 5.0]))
    unify.array(5.)
    >>> unify.trapezoid(unify.array([1.0, 2.0, 5.0]), unify.array([0.0, 2.0, 3.0]))
    unify.array(6.5)
    """
    axis = normalize_axis("trapezoid", axis, y.ndim)
    values, *places = floating_together(*(array for array in (y, x) if array is not None))
    xp = values.__array_namespace__()
    moved = xp.moveaxis(values, axis, -1)
    means = (moved[..., 1:] + moved[..., :-1]) / 2
    if not places:
        return xp.sum(means, axis=-1) * dx
    place = places[0]
    if place.ndim not in (1, y.ndim):
        raise_value_error(
            "trapezoid", "x", f"has {place.ndim} axes where y has {y.ndim}",
            "pass an array of one axis, or of as many axes",
        )  # fmt: skip
    place = place if place.ndim == 1 else xp.moveaxis(place, axis, -1)
    return xp.sum(means * (place[..., 1:] - place[..., :-1]), axis=-1)
