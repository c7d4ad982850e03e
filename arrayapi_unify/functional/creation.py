"""Contracts of the creation functions: arrays out of values, shapes and ranges."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.binding import body_namespace, compositional, mixed, primary
from arrayapi_unify.contracts.annotations import (
    ArrayIn,
    ArrayLike,
    ArrayOrArrays,
    ArrayOrFloat,
    Operand,
    OptionalDevice,
    OptionalDType,
    Out,
)
from arrayapi_unify.errors import (
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional._common import check_number, floating_together, is_number


@primary
def arange(
    start: int | float,
    /,
    stop: int | float | None = None,
    step: int | float = 1,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Evenly spaced numbers from `start` up to `stop`, which isn't included.

    There are ``ceil((stop - start) / step)`` of them, or none if that is negative. Element i is
    ``start + i * step``, so rounding errors don't add up.

    Parameters
    ----------
    start
        First number. If it is the only argument, it is `stop` instead, and the first number is 0.
    stop
        End of the interval, which isn't part of it.
    step
        Distance between neighbours. A negative one makes the numbers descend.
    dtype
        Data type of the result. By default it is the default integer one if `start`, `stop` and
        `step` are all integers, and the default real floating-point one otherwise.
    device
        Device to put the result on.

    Returns
    -------
    One-dimensional array.

    Raises
    ------
    UnifyTypeError
        If an argument is complex.
    UnifyValueError
        If `step` is 0.
    UnifyOverflowError
        If an integer data type can't hold one of the numbers.

    References
    ----------
    Array API standard 2025.12, ``arange``.

    Examples
    --------
    >>> unify.arange(3), unify.arange(5, 0, -2)
    (unify.array([0, 1, 2]), unify.array([5, 3, 1]))
    >>> unify.arange(0., 1., 0.25, dtype=unify.float32)
    unify.array([0.  , 0.25, 0.5 , 0.75], dtype=float32)
    """


@primary(passes_through=True)
def array(
    obj: ArrayLike,
    /,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    copy: bool | None = True,
) -> Array:
    """Make a new array of `obj`.

    This is `asarray`, except that it copies by default.

    Parameters
    ----------
    obj
        Whatever `asarray` takes.
    dtype
        Data type of the result; by default that of the data, as in `asarray`.
    device
        Device to put the result on.
    copy
        As in `asarray`, but True by default.

    Returns
    -------
    An array that shares no memory with `obj`. If `copy` isn't True: what `asarray` returns.

    Raises
    ------
    UnifyTypeError
        If `obj` or its data type is refused, as in `asarray`.
    UnifyValueError
        If nested lists are ragged, or `copy` is False and a copy is necessary.
    UnifyOverflowError
        If the data type can't hold a Python integer.

    References
    ----------
    NumPy's ``array``.

    Examples
    --------
    >>> unify.array([[1, 2], [3, 4]], dtype=unify.float32)
    unify.array([[1., 2.],
                 [3., 4.]], dtype=float32)
    """


@primary(passes_through=True)
def asarray(
    obj: ArrayLike,
    /,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    copy: bool | None = None,
) -> Array:
    """Make an array of `obj`, without a copy where memory can be shared.

    On NumPy and PyTorch the result shares memory with arrays of these two libraries and with
    buffers, if device and data type are the same. The arrays of JAX and TensorFlow never change, so
    there the result is a copy.

    Python values take the default data type of the highest kind among them (bool, integer, real,
    complex). Integers too large for int64 give uint64. Arrays keep their data type. The data types
    of arrays in a list are promoted, and Python scalars with them count as in arithmetic.

    Parameters
    ----------
    obj
        An array of any library that has `__array__` or DLPack, a Python or NumPy scalar, lists or
        tuples of those in any nesting, or an object with the buffer protocol.
    dtype
        Data type to cast to.
    device
        Device to put the result on.
    copy
        True always copies. False never copies, and raises where a copy is necessary. None copies
        only where it is necessary.

    Returns
    -------
    An array of the values of `obj`. It is `obj` itself, if that is an Array of this backend, data
    type and device, and `copy` isn't True.

    Raises
    ------
    UnifyTypeError
        If `obj` holds something else than numbers, has a data type that the standard lacks and that
        isn't float16 or bfloat16, or is complex while `dtype` isn't.
    UnifyValueError
        If nested lists are ragged, or `copy` is False and a copy is necessary.
    UnifyOverflowError
        If the data type can't hold a Python integer.

    References
    ----------
    Array API standard 2025.12, ``asarray``.

    Examples
    --------
    >>> unify.asarray([True, 2, 3.5])
    unify.array([1. , 2. , 3.5])
    >>> unify.asarray([[1, 2], [3, 4]], dtype=unify.int8)
    unify.array([[1, 2],
                 [3, 4]], dtype=int8)
    """


@compositional
def bartlett(
    M: int, *, dtype: OptionalDType = None, device: OptionalDevice = None, out: Out = None
) -> Array:
    """Bartlett's window: a triangle from 0 to 1 and back.

    Parameters
    ----------
    M
        Number of points; no point for zero or less.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (M,).

    References
    ----------
    NumPy's ``bartlett``.

    Examples
    --------
    >>> unify.bartlett(5)
    unify.array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _window(M, dtype, device, lambda xp, t: 1.0 - xp.abs(t))


@compositional
def blackman(
    M: int, *, dtype: OptionalDType = None, device: OptionalDevice = None, out: Out = None
) -> Array:
    """Blackman's window, of three terms of a cosine series.

    Parameters
    ----------
    M
        Number of points; no point for zero or less.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (M,).

    References
    ----------
    NumPy's ``blackman``.

    Examples
    --------
    >>> unify.round(unify.blackman(5), decimals=2)
    unify.array([-0.  ,  0.34,  1.  ,  0.34, -0.  ])
    """
    return _window(
        M,
        dtype,
        device,
        lambda xp, t: 0.42 + 0.5 * xp.cos(math.pi * t) + 0.08 * xp.cos(2 * math.pi * t),
    )


@primary
def empty(
    shape: int | Sequence[int],
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Array of a given shape, without any particular values.

    The values are what the memory happens to hold.

    Parameters
    ----------
    shape
        Sizes of all axes. An integer stands for one axis of that size.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of that shape.

    Raises
    ------
    UnifyValueError
        If a size is negative.

    References
    ----------
    Array API standard 2025.12, ``empty``.

    Examples
    --------
    >>> unify.empty((2, 3)).shape
    (2, 3)
    """


@primary
def empty_like(
    x: ArrayIn, /, *, dtype: OptionalDType = None, device: OptionalDevice = None, out: Out = None
) -> Array:
    """Array of the shape of `x`, without any particular values.

    The values are what the memory happens to hold.

    Parameters
    ----------
    x
        Array that gives shape, data type and device.
    dtype
        Data type of the result; that of `x` by default.
    device
        Device to put the result on; by default that of `x`.

    Returns
    -------
    Array of x's shape.

    References
    ----------
    Array API standard 2025.12, ``empty_like``.

    Examples
    --------
    >>> unify.empty_like(unify.zeros((2, 3)), dtype=unify.int16).dtype
    int16
    """


@primary
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Matrix with ones on one diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows
        Number of rows.
    n_cols
        Number of columns; as many as rows by default.
    k
        Index of the diagonal: 0 is the main one, positive numbers lie above it, negative ones
        below. With a diagonal outside of the matrix, all elements are zero.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (n_rows, n_cols).

    Raises
    ------
    UnifyValueError
        If a number of rows or columns is negative.

    References
    ----------
    Array API standard 2025.12, ``eye``.

    Examples
    --------
    >>> unify.eye(2, 3, k=1)
    unify.array([[0., 1., 0.],
                 [0., 0., 1.]])
    """


@primary(overridable=True)
def from_dlpack(x: object, /, *, device: OptionalDevice = None, copy: bool | None = None) -> Array:
    """Array of the data of another library's array, taken through DLPack.

    Parameters
    ----------
    x
        Object with `__dlpack__` and `__dlpack_device__`.
    device
        Device to put the data on; by default that of `x`, if the backend reaches it.
    copy
        True always copies. False never copies, and raises where a copy is necessary. None shares
        the memory where possible.

    Returns
    -------
    An array of the data type and shape of `x`.

    Raises
    ------
    UnifyTypeError
        If `x` doesn't support DLPack, or has a data type that the standard lacks.
    UnifyBufferError
        If the data can't be shared and `copy` forbids copying, or the backend can't reach its
        device.

    Notes
    -----
    The arrays of JAX and TensorFlow never change. With ``copy=None`` they therefore share memory
    only with each other. With ``copy=False`` they also share memory that others can write to, and a
    NumPy array that shares theirs is read-only. Memory that is read-only may stay so in the result.

    References
    ----------
    Array API standard 2025.12, ``from_dlpack``.

    Examples
    --------
    >>> unify.from_dlpack(unify.array([True, False]).data)
    unify.array([ True, False])
    """


@primary
def full(
    shape: int | Sequence[int],
    fill_value: Operand,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Array of a shape, filled with one value.

    Parameters
    ----------
    shape
        Sizes of all axes. An integer stands for one axis of that size.
    fill_value
        The value: a scalar or a zero-dimensional array.
    dtype
        Data type of the result. By default it is that of an array `fill_value`; a Python scalar
        gives the default one of its kind.
    device
        Device to put the result on.

    Returns
    -------
    Array of that shape.

    Raises
    ------
    UnifyTypeError
        If `fill_value` is complex and `dtype` isn't.
    UnifyValueError
        If a size is negative, or `fill_value` is several numbers.
    UnifyOverflowError
        If the data type can't hold an integer `fill_value`.

    References
    ----------
    Array API standard 2025.12, ``full``.

    Examples
    --------
    >>> unify.full(3, 7), unify.full((1, 2), 0.5)
    (unify.array([7, 7, 7]), unify.array([[0.5, 0.5]]))
    """


@primary
def full_like(
    x: ArrayIn,
    /,
    fill_value: Operand,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Array of the shape of `x`, filled with one value.

    Parameters
    ----------
    x
        Array that gives shape, data type and device.
    fill_value
        The value: a scalar or a zero-dimensional array. It is cast to the data type of the result;
        an integer data type truncates it toward zero.
    dtype
        Data type of the result; that of `x` by default.
    device
        Device to put the result on; by default that of `x`.

    Returns
    -------
    Array of x's shape.

    Raises
    ------
    UnifyTypeError
        If `fill_value` is complex and the data type isn't.
    UnifyValueError
        If `fill_value` is several numbers.
    UnifyOverflowError
        If the data type can't hold an integer `fill_value`.

    References
    ----------
    Array API standard 2025.12, ``full_like``.

    Examples
    --------
    >>> unify.full_like(unify.array([1, 2, 3]), 9)
    unify.array([9, 9, 9])
    """


@compositional
def hamming(
    M: int, *, dtype: OptionalDType = None, device: OptionalDevice = None, out: Out = None
) -> Array:
    """Hamming's window: a raised cosine that ends at 0.08.

    Parameters
    ----------
    M
        Number of points; no point for zero or less.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (M,).

    References
    ----------
    NumPy's ``hamming``.

    Examples
    --------
    >>> unify.hamming(5)
    unify.array([0.08, 0.54, 1.  , 0.54, 0.08])
    """
    return _window(M, dtype, device, lambda xp, t: 0.54 + 0.46 * xp.cos(math.pi * t))


@compositional
def hanning(
    M: int, *, dtype: OptionalDType = None, device: OptionalDevice = None, out: Out = None
) -> Array:
    """Hann's window: a raised cosine that ends at zero.

    Parameters
    ----------
    M
        Number of points; no point for zero or less.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (M,).

    References
    ----------
    NumPy's ``hanning``.

    Examples
    --------
    >>> unify.hanning(5)
    unify.array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _window(M, dtype, device, lambda xp, t: 0.5 + 0.5 * xp.cos(math.pi * t))


@compositional
def identity(
    n: int, dtype: OptionalDType = None, *, device: OptionalDevice = None, out: Out = None
) -> Array:
    """Square matrix with ones on the main diagonal, and zeros elsewhere.

    Parameters
    ----------
    n
        Number of rows and columns.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (n, n).

    References
    ----------
    NumPy's ``identity``.

    Examples
    --------
    >>> unify.identity(2)
    unify.array([[1., 0.],
                 [0., 1.]])
    """
    return body_namespace().eye(n, dtype=dtype, device=device)


@compositional
def indices(
    dimensions: Sequence[int],
    dtype: OptionalDType = None,
    sparse: bool = False,
    *,
    device: OptionalDevice = None,
) -> ArrayOrArrays:
    """Indices of the elements of an array: a grid for each axis.

    Parameters
    ----------
    dimensions
        Shape of the array.
    dtype
        Data type of the result; the default integer one by default.
    sparse
        If True, return a tuple of arrays, each of length 1 along all axes but its own.
    device
        Device to put the result on.

    Returns
    -------
    Array with one more axis in front, or a tuple of arrays.

    References
    ----------
    NumPy's ``indices``.

    Examples
    --------
    >>> unify.indices((2, 2))
    unify.array([[[0, 0],
                  [1, 1]],
    <BLANKLINE>
                 [[0, 1],
                  [0, 1]]])
    """
    xp, rank = body_namespace(), len(dimensions)
    dtype = dtypes.default_int() if dtype is None else dtype
    axes = [
        xp.reshape(
            xp.arange(size, dtype=dtype, device=device),
            tuple(-1 if i == axis else 1 for i in range(rank)),
        )
        for axis, size in enumerate(dimensions)
    ]
    if sparse:
        return tuple(axes)
    if not axes:
        return xp.empty((0,), dtype=dtype, device=device)
    return xp.stack([xp.broadcast_to(one, tuple(dimensions)) for one in axes])


@compositional
def kaiser(
    M: int,
    beta: float,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Kaiser's window: a ratio of Bessel functions, narrower for a larger `beta`.

    Parameters
    ----------
    M
        Number of points; no point for zero or less.
    beta
        Shape of the window: 0 is a rectangle, 14 is close to a Gaussian.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (M,).

    References
    ----------
    NumPy's ``kaiser``.

    Examples
    --------
    >>> unify.round(unify.kaiser(5, 2.0), decimals=3)
    unify.array([0.439, 0.835, 1.   , 0.835, 0.439])
    """

    def formula(xp: Any, t: Array) -> Array:
        i0 = xp.special.i0
        return i0(beta * xp.sqrt(xp.maximum(1.0 - t * t, 0.0))) / i0(xp.full_like(t, beta))

    return _window(M, dtype, device, formula)


@primary
def linspace(
    start: int | float | complex,
    stop: int | float | complex,
    /,
    num: int,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    endpoint: bool = True,
    out: Out = None,
) -> Array:
    """A given number of evenly spaced values over an interval.

    Parameters
    ----------
    start
        First value.
    stop
        End of the interval. It is the last value; without `endpoint` it would be the one after the
        last.
    num
        Number of values.
    dtype
        Data type of the result. By default it is the default complex one if `start` or `stop` is
        complex, and the default real floating-point one otherwise. Integer data types round down.
    device
        Device to put the result on.
    endpoint
        If True, `stop` is the last value. The distance of the values depends on it.

    Returns
    -------
    Array of shape (num,).

    Raises
    ------
    UnifyTypeError
        If `start` or `stop` is complex and `dtype` isn't.
    UnifyValueError
        If `num` is negative.

    References
    ----------
    Array API standard 2025.12, ``linspace``.

    Examples
    --------
    >>> unify.linspace(0, 1, 5)
    unify.array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> unify.linspace(0, 2j, 2, endpoint=False)
    unify.array([0.+0.j, 0.+1.j])
    """


@primary
def meshgrid(*arrays: ArrayIn, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    """Coordinates of all points of a grid, from the coordinates along each axis.

    Parameters
    ----------
    arrays
        N one-dimensional arrays of coordinates.
    indexing
        ``"ij"``: axis i of the results belongs to array i, so their shape is (n0, n1, n2, ...).
        ``"xy"``: the first two axes change places, so it is (n1, n0, n2, ...). For N < 2 they are
        the same.

    Returns
    -------
    N arrays with N axes. Each has the values and the data type of the argument in its place.

    Raises
    ------
    UnifyValueError
        If an array isn't one-dimensional, or `indexing` is something else.

    References
    ----------
    Array API standard 2025.12, ``meshgrid``.

    Examples
    --------
    >>> x, y = unify.meshgrid(unify.array([1, 2, 3]), unify.array([10, 20]))
    >>> x
    unify.array([[1, 2, 3],
                 [1, 2, 3]])
    >>> y
    unify.array([[10, 10, 10],
                 [20, 20, 20]])
    """


@primary
def ones(
    shape: int | Sequence[int],
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Array of a shape, filled with ones.

    Parameters
    ----------
    shape
        Sizes of all axes. An integer stands for one axis of that size.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of that shape.

    Raises
    ------
    UnifyValueError
        If a size is negative.

    References
    ----------
    Array API standard 2025.12, ``ones``.

    Examples
    --------
    >>> unify.ones((2, 2), dtype=unify.int8)
    unify.array([[1, 1],
                 [1, 1]], dtype=int8)
    """


@primary
def ones_like(
    x: ArrayIn, /, *, dtype: OptionalDType = None, device: OptionalDevice = None, out: Out = None
) -> Array:
    """Array of the shape of `x`, filled with ones.

    Parameters
    ----------
    x
        Array that gives shape, data type and device.
    dtype
        Data type of the result; that of `x` by default.
    device
        Device to put the result on; by default that of `x`.

    Returns
    -------
    Array of x's shape.

    References
    ----------
    Array API standard 2025.12, ``ones_like``.

    Examples
    --------
    >>> unify.ones_like(unify.array([5, 6]))
    unify.array([1, 1])
    """


@primary
def tril(x: ArrayIn, /, *, k: int = 0, out: Out = None) -> Array:
    """Lower triangle of each matrix, zeros above it.

    Parameters
    ----------
    x
        Matrix or stack of matrices, shape (..., M, N), of any data type.
    k
        Last diagonal to keep: 0 is the main one, positive numbers lie above it, negative ones
        below.

    Returns
    -------
    A new array of the shape and data type of `x`.

    Raises
    ------
    UnifyValueError
        If `x` has fewer than two axes.

    References
    ----------
    Array API standard 2025.12, ``tril``.

    Examples
    --------
    >>> unify.tril(unify.array([[1, 2, 3], [4, 5, 6]]))
    unify.array([[1, 0, 0],
                 [4, 5, 0]])
    """


@primary
def triu(x: ArrayIn, /, *, k: int = 0, out: Out = None) -> Array:
    """Upper triangle of each matrix, zeros below it.

    Parameters
    ----------
    x
        Matrix or stack of matrices, shape (..., M, N), of any data type.
    k
        First diagonal to keep: 0 is the main one, positive numbers lie above it, negative ones
        below.

    Returns
    -------
    A new array of the shape and data type of `x`.

    Raises
    ------
    UnifyValueError
        If `x` has fewer than two axes.

    References
    ----------
    Array API standard 2025.12, ``triu``.

    Examples
    --------
    >>> unify.triu(unify.array([[1, 2, 3], [4, 5, 6]]), k=1)
    unify.array([[0, 2, 3],
                 [0, 0, 6]])
    """


@primary
def zeros(
    shape: int | Sequence[int],
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Array of a shape, filled with zeros.

    Parameters
    ----------
    shape
        Sizes of all axes. An integer stands for one axis of that size.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of that shape.

    Raises
    ------
    UnifyValueError
        If a size is negative.

    References
    ----------
    Array API standard 2025.12, ``zeros``.

    Examples
    --------
    >>> unify.zeros(3)
    unify.array([0., 0., 0.])
    """


@primary
def zeros_like(
    x: ArrayIn, /, *, dtype: OptionalDType = None, device: OptionalDevice = None, out: Out = None
) -> Array:
    """Array of the shape of `x`, filled with zeros.

    Parameters
    ----------
    x
        Array that gives shape, data type and device.
    dtype
        Data type of the result; that of `x` by default.
    device
        Device to put the result on; by default that of `x`.

    Returns
    -------
    Array of x's shape.

    References
    ----------
    Array API standard 2025.12, ``zeros_like``.

    Examples
    --------
    >>> unify.zeros_like(unify.array([True, True]))
    unify.array([False, False])
    """


@mixed
def logspace(
    start: ArrayOrFloat,
    stop: ArrayOrFloat,
    num: int,
    base: ArrayOrFloat = 10.0,
    axis: int = 0,
    *,
    endpoint: bool = True,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Powers of a base with evenly spaced exponents.

    Parameters
    ----------
    start
        First exponent: a number, or an array for several sequences at once.
    stop
        End of the interval of exponents: a number or an array. It broadcasts with `start`.
    num
        Number of values.
    base
        Base of the powers; it broadcasts with the exponents.
    axis
        Axis of the result along which the values lie, if an argument is an array.
    endpoint
        If True, `stop` is the last exponent. The distance of the exponents depends on it.
    dtype
        Data type of the result. By default it is the one to which `start` and `stop` promote, and
        the default floating-point one for integers. A number counts as an array of its own default
        data type.
    device
        Device to put the result on; that of the arrays by default.

    Returns
    -------
    Array of the shape to which the arguments broadcast, with one more axis of size `num`.

    Raises
    ------
    UnifyValueError
        If `num` is negative, or the shapes don't broadcast.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    B18: logspace (docs/behaviours.md).

    Examples
    --------
    >>> unify.logspace(0, 2, 3)
    unify.array([  1.,  10., 100.])
    >>> unify.logspace(unify.array([0.0, 1.0]), 2.0, 2, base=4.0, axis=1, endpoint=False)
    unify.array([[1., 4.],
                 [4., 8.]])
    """
    if num < 0:
        raise_value_error("logspace", "num", f"is {num}", "pass 0 or more")
    first, last = floating_together(start, stop)
    xp = first.__array_namespace__()
    if device is not None:
        first, last = xp.to_device(first, device), xp.to_device(last, device)
    first, last = xp.broadcast_arrays(first, last)
    axis = normalize_axis("logspace", axis, first.ndim + 1)
    steps = max(num - 1 if endpoint else num, 1)
    counts = xp.arange(num, dtype=xp.float64, device=first.device).astype(first.dtype)
    counts = xp.reshape(counts, (num, *[1] * first.ndim))
    exponents = first + counts * ((last - first) / steps)
    if endpoint and num > 1:
        exponents = xp.where(counts == steps, last, exponents)  # no rounding error there
    roots: Any = base
    roots = float(roots) if is_number(roots) else xp.astype(roots, first.dtype)
    powers = xp.moveaxis(xp.pow(roots, exponents), 0, axis)
    return powers if dtype is None else xp.astype(powers, dtype)


@mixed
def one_hot(
    indices: ArrayIn,
    depth: int,
    /,
    *,
    on_value: int | float | complex | None = None,
    off_value: int | float | complex | None = None,
    axis: int = -1,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Vectors in which one element is set: the one at a given index.

    Parameters
    ----------
    indices
        Integer array of any shape. For an index outside of ``[0, depth)`` no element is set.
    depth
        Length of the vectors.
    on_value
        The element that is set; 1 by default.
    off_value
        All other elements; 0 by default.
    axis
        Axis of the result along which the vectors lie.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on; that of the indices by default.

    Returns
    -------
    Array of the shape of `indices`, with one more axis of size `depth`.

    Raises
    ------
    UnifyTypeError
        If `indices` aren't integers.
    UnifyValueError
        If `depth` is negative.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    TensorFlow's ``tf.one_hot``.

    Examples
    --------
    >>> unify.one_hot(unify.array([2, 0]), 3)
    unify.array([[0., 0., 1.],
                 [1., 0., 0.]])
    """
    if indices.dtype.kind not in "iu":
        raise_type_error(
            "one_hot", "indices", f"has data type {indices.dtype}",
            "cast it to integers with astype(x, unify.int64)",
        )  # fmt: skip
    if depth < 0:
        raise_value_error("one_hot", "depth", f"is {depth}", "pass 0 or more")
    xp = indices.__array_namespace__()
    indices = indices if device is None else xp.to_device(indices, device)
    axis = normalize_axis("one_hot", axis, indices.ndim + 1)
    places = xp.arange(depth, dtype=xp.int64, device=indices.device)
    places = xp.reshape(places, (depth, *[1] * (indices.ndim - axis)))
    chosen = xp.expand_dims(indices, axis=axis) == places
    target = dtypes.default_float() if dtype is None else dtype
    check_number("one_hot", "on_value", 1 if on_value is None else on_value)
    check_number("one_hot", "off_value", 0 if off_value is None else off_value)
    on, off = (
        xp.full((), value, dtype=target, device=indices.device)
        for value in (1 if on_value is None else on_value, 0 if off_value is None else off_value)
    )
    return xp.where(chosen, on, off)


# --- NumPy's names ---------------------------------------------------------------------------


@compositional
def copy(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Copy of an array.

    Parameters
    ----------
    x
        Array of any shape and data type.

    Returns
    -------
    Array with its own memory, of x's data type and device.

    References
    ----------
    NumPy's ``copy``.

    Examples
    --------
    >>> x = unify.array([1, 2])
    >>> y = unify.copy(x)
    >>> y[0] = 7
    >>> x
    unify.array([1, 2])
    """
    xp = x.__array_namespace__()
    return xp.asarray(x, copy=True)


@compositional
def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: OptionalDType = None,
    *,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Matrix with ones on and below a diagonal, and zeros above it.

    Parameters
    ----------
    N
        Number of rows.
    M
        Number of columns; as many as rows by default.
    k
        Index of the diagonal: 0 is the main one, positive numbers lie above it, negative ones
        below.
    dtype
        Data type of the result; the default real floating-point one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (N, M).

    References
    ----------
    NumPy's ``tri``.

    Examples
    --------
    >>> unify.tri(2, 3, 1, dtype=unify.int64)
    unify.array([[1, 1, 0],
                 [1, 1, 1]])
    """
    xp = body_namespace()
    rows = xp.arange(k, k + N, device=device)
    columns = xp.arange(N if M is None else M, device=device)
    ones = xp.greater_equal(rows[:, None], columns[None, :])
    return xp.astype(ones, dtypes.default_float() if dtype is None else dtype)


def _places(mask: Array, count: int) -> tuple[Array, ...]:
    """Return the indices of the true elements of a matrix, whose number is known."""
    xp = mask.__array_namespace__()
    flat = xp.reshape(mask, (-1,))
    # The shape of `nonzero` depends on values, so that it can't be traced; a stable sort can.
    order = xp.argsort(xp.astype(flat, xp.int8), descending=True)[:count]
    columns = max(mask.shape[1], 1)
    return xp.floor_divide(order, columns), xp.remainder(order, columns)


def _window(count: int, dtype: Any, device: Any, formula: Callable[[Any, Array], Array]) -> Array:
    """Return a formula's values at equal distances from -1 to 1, in double precision."""
    xp, given = body_namespace(), dtypes.default_float() if dtype is None else dtype
    if count < 2:
        return xp.ones((max(count, 0),), dtype=given, device=device)
    steps = xp.arange(1 - count, count, 2, dtype=xp.float64, device=device)
    return xp.astype(formula(xp, steps / (count - 1)), given)


@compositional
def tril_indices(
    n: int, k: int = 0, m: int | None = None, *, device: OptionalDevice = None
) -> tuple[Array, ...]:
    """Indices of the elements on and below a diagonal of a matrix.

    Parameters
    ----------
    n
        Number of rows.
    k
        Index of the diagonal: 0 is the main one, positive numbers lie above it, negative ones
        below.
    m
        Number of columns; as many as rows by default.
    device
        Device to put the indices on.

    Returns
    -------
    The indices of the rows, and those of the columns, row by row.

    References
    ----------
    NumPy's ``tril_indices``.

    Examples
    --------
    >>> unify.tril_indices(2)
    (unify.array([0, 1, 1]), unify.array([0, 0, 1]))
    """
    xp = body_namespace()
    width = n if m is None else m
    count = sum(min(max(i + k + 1, 0), width) for i in range(n))
    return _places(xp.tri(n, width, k, dtype=xp.bool, device=device), count)


@compositional
def triu_indices(
    n: int, k: int = 0, m: int | None = None, *, device: OptionalDevice = None
) -> tuple[Array, ...]:
    """Indices of the elements on and above a diagonal of a matrix.

    Parameters
    ----------
    n
        Number of rows.
    k
        Index of the diagonal: 0 is the main one, positive numbers lie above it, negative ones
        below.
    m
        Number of columns; as many as rows by default.
    device
        Device to put the indices on.

    Returns
    -------
    The indices of the rows, and those of the columns, row by row.

    References
    ----------
    NumPy's ``triu_indices``.

    Examples
    --------
    >>> unify.triu_indices(2)
    (unify.array([0, 0, 1]), unify.array([0, 1, 1]))
    """
    xp = body_namespace()
    width = n if m is None else m
    count = sum(width - min(max(i + k, 0), width) for i in range(n))
    return _places(xp.logical_not(xp.tri(n, width, k - 1, dtype=xp.bool, device=device)), count)


@compositional
def geomspace(
    start: ArrayOrFloat,
    stop: ArrayOrFloat,
    num: int = 50,
    endpoint: bool = True,
    dtype: OptionalDType = None,
    axis: int = 0,
    *,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Numbers of a geometric progression: each is a constant multiple of the one before it.

    Parameters
    ----------
    start
        First number, or an array for several sequences at once; not zero.
    stop
        End of the interval: a number or an array, not zero. It broadcasts with `start`.
    num
        Number of values.
    endpoint
        If True, `stop` is the last value. The ratio depends on it.
    dtype
        Data type of the result. By default it is the one to which `start` and `stop` promote, and
        the default floating-point one for integers.
    axis
        Axis of the result along which the values lie, if an argument is an array.
    device
        Device to put the result on; that of the arrays by default.

    Returns
    -------
    Array of the shape to which the arguments broadcast, with one more axis of size `num`. Zeros,
    and a real interval that contains zero, give NaN.

    Raises
    ------
    UnifyValueError
        If `num` is negative, or the shapes don't broadcast.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``geomspace``.

    Examples
    --------
    >>> unify.geomspace(1, 1000, 4)
    unify.array([   1.,   10.,  100., 1000.])
    """
    first, last = floating_together(start, stop)
    xp = first.__array_namespace__()
    if device is not None:
        first, last = xp.to_device(first, device), xp.to_device(last, device)
    if dtype is not None:  # a wider data type is the one in which NumPy computes, too
        wide = dtypes.promote(first.dtype, dtype)
        first, last = (xp.astype(x, wide, copy=False) for x in (first, last))
    first, last = xp.broadcast_arrays(first, last)
    axis = normalize_axis("geomspace", axis, first.ndim + 1)
    sign = xp.sign(first)
    lower, upper = (xp.log10(xp.divide(x, sign)) for x in (first, last))
    found = xp.multiply(xp.logspace(lower, upper, num, endpoint=endpoint), sign)
    steps = xp.reshape(xp.arange(num, device=first.device), (num, *[1] * first.ndim))
    found = xp.where(xp.equal(steps, 0), first, found)  # no rounding errors at the ends
    if endpoint and num > 1:
        found = xp.where(xp.equal(steps, num - 1), last, found)
    found = xp.moveaxis(found, 0, axis)
    return found if dtype is None else xp.astype(found, dtype)
