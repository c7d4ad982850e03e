"""Contracts of the linear algebra functions of the main namespace; `linalg` has them too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends._common.checks.linalg import check_diagonal
from arrayapi_unify.binding import compositional, mixed, primary
from arrayapi_unify.contracts.annotations import ArrayIn, OptionalDType, Out
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import BodyArray
from arrayapi_unify.functional._einsum import contract


@primary
def matmul(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Matrix product: what ``x1 @ x2`` computes.

    The last two axes are those of matrices. All axes before them broadcast. A one-dimensional
    argument is a row vector on the left, or a column vector on the right; the result lacks its
    axis. Two vectors give their inner product. No argument is conjugated.

    Parameters
    ----------
    x1
        Array of shape (..., M, K) or (K,).
    x2
        Array of shape (..., K, N) or (K,).

    Returns
    -------
    Array of shape (..., M, N), of the data type to which the arguments promote. M or N is missing
    where an argument is one-dimensional. Integers wrap around.

    Raises
    ------
    UnifyValueError
        If an argument is zero-dimensional, or the shapes don't fit.

    References
    ----------
    Array API standard 2025.12, ``matmul``.

    Examples
    --------
    >>> x = unify.array([[1, 2], [3, 4]])
    >>> unify.matmul(x, unify.array([[0, 1], [1, 0]]))
    unify.array([[2, 1],
                 [4, 3]])
    >>> unify.matmul(x, unify.array([1, 1]))
    unify.array([3, 7])
    """


@primary
def matrix_transpose(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Transpose of each matrix: the last two axes change places.

    Parameters
    ----------
    x
        Matrix or stack of matrices, shape (..., M, N), of any data type.

    Returns
    -------
    A view of `x`, of shape (..., N, M).

    Raises
    ------
    UnifyValueError
        If `x` has fewer than two axes.

    References
    ----------
    Array API standard 2025.12, ``matrix_transpose``.

    Examples
    --------
    >>> unify.matrix_transpose(unify.array([[1, 2, 3], [4, 5, 6]]))
    unify.array([[1, 4],
                 [2, 5],
                 [3, 6]])
    """


@primary
def tensordot(
    x1: ArrayIn,
    x2: ArrayIn,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
    out: Out = None,
) -> Array:
    """Sum of products over some axes of each array.

    Parameters
    ----------
    x1
        First array.
    x2
        Second array. The axes that are contracted have the same sizes in both arrays; they don't
        broadcast.
    axes
        A number N contracts the last N axes of `x1` with the first N of `x2`, in their order; 0
        gives the outer product. A tuple of two sequences names the axes of `x1` and those of `x2`.

    Returns
    -------
    Array of the data type to which the arguments promote. Its axes are those of `x1`, then those of
    `x2`, without the contracted ones. No argument is conjugated.

    Raises
    ------
    UnifyValueError
        If a number of axes is negative or too large, sequences name an axis twice or differ in
        length, or sizes don't match.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``tensordot``.

    Examples
    --------
    >>> x = unify.array([[1, 2], [3, 4]])
    >>> unify.tensordot(x, x)
    unify.array(30)
    >>> unify.tensordot(x, x, axes=((0,), (0,)))
    unify.array([[10, 14],
                 [14, 20]])
    """


@primary
def vecdot(x1: ArrayIn, x2: ArrayIn, /, *, axis: int = -1, out: Out = None) -> Array:
    """Inner product of vectors, ``sum(conj(x1) * x2)`` along one axis.

    Parameters
    ----------
    x1
        First array; complex values are conjugated.
    x2
        Second array. `axis` has the same size in both; the other axes broadcast.
    axis
        Axis of the vectors, counted from the end of each array's shape: from
        ``-min(x1.ndim, x2.ndim)`` to -1. Where both arrays have the same number of axes, it may be
        positive too.

    Returns
    -------
    Array of the broadcast shape without `axis`, of the data type to which the arguments promote.

    Raises
    ------
    UnifyValueError
        If the vectors differ in size, or the shapes don't broadcast.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``vecdot``.

    Examples
    --------
    >>> unify.vecdot(unify.array([[1, 2], [3, 4]]), unify.array([10, 1]))
    unify.array([12, 34])
    >>> unify.vecdot(unify.array([1j, 2.]), unify.array([1j, 2.]))
    unify.array(5.+0.j)
    """


@mixed
def diag(x: ArrayIn, /, *, k: int = 0, out: Out = None) -> Array:
    """Square matrix with a given diagonal, or the diagonal of a given matrix.

    Parameters
    ----------
    x
        Array of one axis, which is a diagonal, or of two axes, which is a matrix.
    k
        Index of the diagonal: 0 is the main one, positive numbers lie above it, negative ones
        below.

    Returns
    -------
    Array of x's data type. A vector gives a matrix that is zero off the diagonal, a matrix gives a
    vector. Neither shares memory with `x`; `linalg.diagonal` gives a view.

    Raises
    ------
    UnifyValueError
        If `x` has neither one nor two axes.

    References
    ----------
    NumPy's ``diag``.

    Examples
    --------
    >>> unify.diag(unify.array([1, 2]), k=1)
    unify.array([[0, 1, 0],
                 [0, 0, 2],
                 [0, 0, 0]])
    >>> unify.diag(unify.array([[1, 2], [3, 4]]))
    unify.array([1, 4])
    """
    xp, dtype = x.__array_namespace__(), cast(BodyArray, x).dtype
    k = check_diagonal(x.ndim, x.shape, k)
    if x.ndim == 2:
        return xp.astype(xp.linalg.diagonal(x, offset=k), dtype)  # a copy
    size = x.shape[0] + abs(k)
    gap = xp.zeros(abs(k), dtype=dtype, device=x.device)
    # Elements below the main diagonal stand in the columns from 0, those above in the rows from 0.
    filled = xp.concat([x, gap])
    place = xp.arange(size, device=x.device)
    on_it = place[None, :] - place[:, None] == k
    filled = filled[:, None] if k >= 0 else filled[None, :]
    return xp.where(on_it, filled, xp.zeros((), dtype=dtype, device=x.device))


@mixed
def einsum(equation: str, /, *operands: ArrayIn, out: Out = None) -> Array:
    """Sum of products, described by an equation in Einstein's notation.

    The axes of each operand are named by letters. Elements whose letters are equal are multiplied.
    Letters that the result doesn't name are summed over: ``"ij,jk->ik"`` is the matrix product.

    Parameters
    ----------
    equation
        Letters of each operand, separated by commas; then ``"->"`` and the letters of the result.
        Without an arrow, the result has the letters that occur once, in alphabetical order. A
        letter that an operand has twice takes its diagonal. ``"..."`` stands for axes that
        broadcast; axes of size one broadcast too. Spaces are ignored.
    operands
        Arrays of numeric data types or bool; at least one.

    Returns
    -------
    Array of the data type to which the operands promote. Integers wrap around. For bools the
    product is "and", and the sum is "or".

    Raises
    ------
    UnifyValueError
        If the equation can't be read, or doesn't fit the operands.

    References
    ----------
    NumPy's ``einsum``; the notation is that of Einstein, "Die Grundlage der allgemeinen
    Relativitätstheorie", 1916.

    Examples
    --------
    >>> x = unify.array([[1, 2], [3, 4]])
    >>> unify.einsum("ij,jk->ik", x, x)
    unify.array([[ 7, 10],
                 [15, 22]])
    >>> unify.einsum("ii", x), unify.einsum("...j->...", x)
    (unify.array(5), unify.array([3, 7]))
    """
    if not operands:
        raise_value_error("einsum", "operands", "is empty", "pass at least one array")
    return contract(equation, operands)


@mixed
def kron(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Kronecker product: each element of `x1`, multiplied with the whole of `x2` as one block.

    Parameters
    ----------
    x1
        Array of any shape and numeric data type.
    x2
        Array of any shape and numeric data type. The array with fewer axes gets axes of size one in
        front.

    Returns
    -------
    Array of the data type to which the arguments promote. The size of each axis is the product of
    the two sizes.

    References
    ----------
    NumPy's ``kron``.

    Examples
    --------
    >>> unify.kron(unify.array([1, 10]), unify.array([[1, 2], [3, 4]]))
    unify.array([[ 1,  2, 10, 20],
                 [ 3,  4, 30, 40]])
    """
    xp = x1.__array_namespace__()
    ndim = max(x1.ndim, x2.ndim)
    sides1 = (1,) * (ndim - x1.ndim) + x1.shape
    sides2 = (1,) * (ndim - x2.ndim) + x2.shape
    # Axes of x1 and of x2 take turns, then each pair becomes one.
    first = xp.reshape(x1, tuple(n for side in sides1 for n in (side, 1)))
    second = xp.reshape(x2, tuple(n for side in sides2 for n in (1, side)))
    shape = tuple(a * b for a, b in zip(sides1, sides2, strict=True))
    return xp.reshape(first * second, shape)


# --- NumPy's names ---------------------------------------------------------------------------


@compositional
def diagonal(
    x: ArrayIn, /, offset: int = 0, axis1: int = 0, axis2: int = 1, *, out: Out = None
) -> Array:
    """One diagonal of the matrices in the plane of two axes; by default of the first two.

    `linalg.diagonal` is that of the last two axes.

    Parameters
    ----------
    x
        Array with at least two axes, of any data type.
    offset
        Index of the diagonal: 0 is the main one, positive numbers lie above it, negative ones
        below. A diagonal outside of the matrix is empty.
    axis1
        Axis of the matrices' rows.
    axis2
        Axis of their columns.

    Returns
    -------
    A read-only view of `x`, without these axes, and with the diagonals along a new last one.

    Raises
    ------
    UnifyValueError
        If `x` has fewer than two axes, or the axes are the same.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``diagonal``.

    Examples
    --------
    >>> unify.diagonal(unify.array([[1, 2, 3], [4, 5, 6]]), 1)
    unify.array([2, 6])
    """
    xp = x.__array_namespace__()
    return xp.linalg.diagonal(_planes("diagonal", x, axis1, axis2), offset=offset)


def _planes(function: str, x: BodyArray, axis1: int, axis2: int) -> Array:
    """Return an array whose last two axes are those given."""
    xp = x.__array_namespace__()
    if x.ndim < 2:
        raise_value_error(function, "x", f"has shape {x.shape}", "pass at least two axes")
    first = normalize_axis(function, axis1, x.ndim, "axis1")
    second = normalize_axis(function, axis2, x.ndim, "axis2")
    if first == second:
        raise_value_error(function, "axis2", f"is {axis2}, as is axis1", "pass two axes")
    return xp.moveaxis(x, (first, second), (-2, -1))


@compositional
def trace(
    x: ArrayIn,
    /,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: OptionalDType = None,
    *,
    out: Out = None,
) -> Array:
    """Sum of one diagonal of the matrices in the plane of two axes; by default of the first two.

    `linalg.trace` is that of the last two axes.

    Parameters
    ----------
    x
        Array with at least two axes.
    offset
        Index of the diagonal: 0 is the main one, positive numbers lie above it, negative ones
        below. A diagonal outside of the matrix sums to 0.
    axis1
        Axis of the matrices' rows.
    axis2
        Axis of their columns.
    dtype
        Data type of the result, as in `linalg.trace`.

    Returns
    -------
    Array without these axes.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyValueError
        If `x` has fewer than two axes, or the axes are the same.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``trace``.

    Examples
    --------
    >>> unify.trace(unify.array([[1, 2], [3, 4]]))
    unify.array(5)
    """
    xp = x.__array_namespace__()
    return xp.linalg.trace(_planes("trace", x, axis1, axis2), offset=offset, dtype=dtype)


@compositional
def dot(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Product of two arrays: of vectors, matrices, or a number and an array.

    Parameters
    ----------
    x1
        Array of shape (..., K), or without axes.
    x2
        Array of shape (K,) or (..., K, N), or without axes. All axes but K
        stay, those of `x1` first.

    Returns
    -------
    Array of the data type to which the arguments promote. Integers wrap around.

    Raises
    ------
    UnifyValueError
        If the sizes of K differ.

    References
    ----------
    NumPy's ``dot``.

    Examples
    --------
    >>> x = unify.array([[1, 2], [3, 4]])
    >>> unify.dot(x, unify.array([1, 1])), unify.dot(x, 2)
    (unify.array([3, 7]), unify.array([[2, 4],
                 [6, 8]]))
    """
    xp = x1.__array_namespace__()
    if not (x1.ndim and x2.ndim):
        return xp.multiply(x1, x2)
    if x2.ndim <= 2:
        return xp.matmul(x1, x2)
    return xp.tensordot(x1, x2, axes=((-1,), (-2,)))


@compositional
def inner(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Sums of products over the last axes of two arrays.

    Parameters
    ----------
    x1
        Array of shape (..., K), or without axes.
    x2
        Array of shape (..., K), or without axes. No argument is conjugated.

    Returns
    -------
    Array with all other axes, those of `x1` first, and of the data type to which the arguments
    promote.

    Raises
    ------
    UnifyValueError
        If the sizes of K differ.

    References
    ----------
    NumPy's ``inner``.

    Examples
    --------
    >>> unify.inner(unify.array([1, 2]), unify.array([[1, 1], [3, 0]]))
    unify.array([3, 3])
    """
    xp = x1.__array_namespace__()
    if not (x1.ndim and x2.ndim):
        return xp.multiply(x1, x2)
    return xp.tensordot(x1, x2, axes=((-1,), (-1,)))


@compositional
def vdot(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Inner product of all elements, of which the first ones are conjugated.

    Parameters
    ----------
    x1
        Array of any shape; complex values are conjugated.
    x2
        Array with as many elements.

    Returns
    -------
    Zero-dimensional array of the data type to which the arguments promote.

    Raises
    ------
    UnifyValueError
        If the numbers of elements differ.

    References
    ----------
    NumPy's ``vdot``.

    Examples
    --------
    >>> unify.vdot(unify.array([[1, 2], [3, 4]]), unify.array([1, 1, 1, 1]))
    unify.array(10)
    """
    xp = x1.__array_namespace__()
    return xp.vecdot(xp.reshape(x1, (-1,)), xp.reshape(x2, (-1,)))


@mixed
def outer(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Products of each element of one array with each element of another one.

    `linalg.outer` takes vectors only.

    Parameters
    ----------
    x1
        Array of any shape, with N elements.
    x2
        Array of any shape, with M elements.

    Returns
    -------
    Array of shape (N, M), of the data type to which the arguments promote.

    References
    ----------
    NumPy's ``outer``.

    Examples
    --------
    >>> unify.outer(unify.array([1, 2]), unify.array([10, 20, 30]))
    unify.array([[10, 20, 30],
                 [20, 40, 60]])
    """
    xp = x1.__array_namespace__()
    return xp.multiply(xp.reshape(x1, (-1, 1)), xp.reshape(x2, (1, -1)))


@compositional
def cross(
    x1: ArrayIn,
    x2: ArrayIn,
    /,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
    *,
    out: Out = None,
) -> Array:
    """Cross product of vectors of two or three elements.

    `linalg.cross` takes vectors of three elements only.

    Parameters
    ----------
    x1
        First array, of a numeric data type.
    x2
        Second array. The axes other than those of the vectors broadcast.
    axisa
        Axis of the vectors in `x1`.
    axisb
        Axis of the vectors in `x2`.
    axisc
        Axis of the vectors in the result.
    axis
        If given, the axis of the vectors in all three.

    Returns
    -------
    Array of the data type to which the arguments promote. A vector of two elements lies in the
    plane. If all do, the result has no vectors, but the components perpendicular to it.

    Raises
    ------
    UnifyTypeError
        If both arrays are bool.
    UnifyValueError
        If vectors don't have two or three elements, or the other axes don't broadcast.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``cross``.

    Examples
    --------
    >>> unify.cross(unify.array([1, 0, 0]), unify.array([0, 1, 0]))
    unify.array([0, 0, 1])
    >>> unify.cross(unify.array([1, 2]), unify.array([3, 4]))
    unify.array(-2)
    """
    xp = x1.__array_namespace__()
    if axis is not None:
        axisa = axisb = axisc = axis
    vectors = [_vectors(x1, "axisa", axisa), _vectors(x2, "axisb", axisb)]
    if all(x.shape[-1] == 2 for x in vectors):
        a, b = vectors
        return xp.subtract(a[..., 0] * b[..., 1], a[..., 1] * b[..., 0])
    padded = [
        x if x.shape[-1] == 3 else xp.concat([x, xp.zeros_like(x[..., :1])], axis=-1)
        for x in vectors
    ]
    found = xp.linalg.cross(*padded)
    normalize_axis("cross", axisc, found.ndim, "axisc")
    return xp.moveaxis(found, -1, axisc)


def _vectors(x: BodyArray, name: str, axis: int) -> BodyArray:
    """Return an array with its vectors along the last axis."""
    xp = x.__array_namespace__()
    if not x.ndim:
        raise_value_error("cross", "x", "has no axis", "pass arrays of vectors")
    axis = normalize_axis("cross", axis, x.ndim, name)
    if x.shape[axis] not in (2, 3):
        problem, remedy = f"is {axis}, of size {x.shape[axis]}", "pass vectors of size 2 or 3"
        raise_value_error("cross", name, problem, remedy)
    return xp.moveaxis(x, axis, -1)
