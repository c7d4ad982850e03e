"""Contracts of the linear algebra functions of the main namespace; `linalg` has them too."""

from __future__ import annotations

from collections.abc import Sequence

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, mixed, primary
from arrayapi_unify.binding.roles import ArrayIn, Out
from arrayapi_unify.errors import UnifyValueError, refuse
from arrayapi_unify.functional._einsum import contract

__all__ = ["diag", "einsum", "kron", "matmul", "matrix_transpose", "tensordot", "vecdot"]


@primary
def matmul(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Matrix product, what `x1 @ x2` computes.

    The last two axes are matrices, all others stacks of them, which broadcast. A one-dimensional
    argument is a row vector on the left and a column vector on the right, and its axis is gone
    from the result; two of them give their inner product. Nothing is conjugated.

    Parameters
    ----------
    x1
        Array of shape (..., M, K) or (K,).
    x2
        Array of shape (..., K, N) or (K,).

    Returns
    -------
    Array of shape (..., M, N), without M or N for a one-dimensional argument, and of the promoted
    data type; integers wrap around.

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
        Second array. Axes that are contracted have the same size in both; they don't broadcast.
    axes
        A number N contracts the last N axes of `x1` with the first N of `x2`, in order (0 gives
        the outer product); a tuple of two sequences names the axes of `x1` and of `x2`.

    Returns
    -------
    Array of the promoted data type, whose axes are those of `x1`, then those of `x2`, without the
    contracted ones. Nothing is conjugated.

    Raises
    ------
    UnifyValueError
        If a number of axes is negative, or sizes don't match.

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
def vecdot(
    x1: ArrayIn,
    x2: ArrayIn,
    /,
    *,
    axis: int = -1,
    out: Out = None,
) -> Array:
    """Inner product of vectors, ``sum(conj(x1) * x2)`` along one axis.

    Parameters
    ----------
    x1
        First array; complex values are conjugated.
    x2
        Second array. `axis` has the same size in both, the other axes broadcast.
    axis
        Axis of the vectors, counted from the end of each array's shape: from ``-min(ndim)`` to
        -1. A positive one is accepted where both arrays have the same rank.

    Returns
    -------
    Array of the broadcast shape without `axis`, of the promoted data type.

    Raises
    ------
    UnifyIndexError
        If `axis` is out of bounds.
    UnifyValueError
        If the vectors differ in size.

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


@compositional
def diag(x: ArrayIn, /, *, k: int = 0, out: Out = None) -> Array:
    """Square matrix with a given diagonal, or the diagonal of a given matrix.

    Parameters
    ----------
    x
        Array of one axis, the diagonal, or of two axes, the matrix.
    k
        Which diagonal: 0 is the main one, positive ones are above it, negative ones below.

    Returns
    -------
    Array of x's data type: of a vector a matrix that is zero elsewhere, of a matrix a vector. Both
    have their own memory; `linalg.diagonal` gives a view.

    Raises
    ------
    UnifyValueError
        If x has neither one nor two axes.

    Examples
    --------
    >>> unify.diag(unify.array([1, 2]), k=1)
    unify.array([[0, 1, 0],
                 [0, 0, 2],
                 [0, 0, 0]])
    >>> unify.diag(unify.array([[1, 2], [3, 4]]))
    unify.array([1, 4])
    """
    xp = x.__array_namespace__()
    if x.ndim == 2:
        return xp.astype(xp.linalg.diagonal(x, offset=k), x.dtype)  # a copy
    if x.ndim != 1:
        refuse(
            UnifyValueError, "diag", "x", f"has shape {x.shape}",
            "pass a vector or a matrix; linalg.diagonal takes stacks of matrices",
        )  # fmt: skip
    size = x.shape[0] + abs(k)
    gap = xp.zeros(abs(k), dtype=x.dtype, device=x.device)
    # Elements below the main diagonal stand in the columns from 0, those above in the rows from 0.
    filled = xp.concat([x, gap])
    place = xp.arange(size, device=x.device)
    on_it = place[None, :] - place[:, None] == k
    filled = filled[:, None] if k >= 0 else filled[None, :]
    return xp.where(on_it, filled, xp.zeros((), dtype=x.dtype, device=x.device))


@mixed
def einsum(equation: str, /, *operands: ArrayIn, out: Out = None) -> Array:
    """Sum of products that an equation in Einstein's notation describes.

    Each operand's axes get a letter. Elements are multiplied where letters are equal, and added up
    over the letters that the result hasn't: ``"ij,jk->ik"`` is the matrix product.

    Parameters
    ----------
    equation
        Letters for each operand, separated by commas; then, after ``"->"``, those of the result.
        Without that the result has the letters that occur once, in alphabetical order. A letter
        that an operand has twice takes its diagonal. ``"..."`` stands for axes that broadcast, and
        so do axes of size one. Spaces don't count.
    operands
        Arrays of numeric data types or bool, at least one.

    Returns
    -------
    Array of the data type to which the operands promote; integers wrap around, and of bools the
    product is "and", the sum "or".

    Raises
    ------
    UnifyValueError
        If the equation can't be read, or doesn't fit the operands.

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
        refuse(UnifyValueError, "einsum", "operands", "is empty", "pass at least one array")
    return contract(equation, operands)


@compositional
def kron(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Kronecker product: each element of `x1` multiplied with all of `x2`, as one block.

    Parameters
    ----------
    x1
        Array of any shape and numeric data type.
    x2
        Array of any shape and numeric data type. The array of fewer axes gets axes of size one in
        front.

    Returns
    -------
    Array whose sizes are the products of the sizes, of the promoted data type.

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
