"""Contracts of the linear algebra functions of the main namespace; `linalg` has them too."""

from __future__ import annotations

from collections.abc import Sequence

from arrayapi_unify.array_object import Array, NativeArray
from arrayapi_unify.binding import primary

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


@primary
def matmul(
    x1: Array | NativeArray, x2: Array | NativeArray, /, *, out: Array | None = None
) -> Array:
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
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    Array of shape (..., M, N), without M or N for a one-dimensional argument, and of the promoted
    data type; integers wrap around.

    Raises
    ------
    UnifyValueError
        If an argument is zero-dimensional, or the shapes don't fit.

    Source: Array API standard 2025.12, ``matmul``.

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
def matrix_transpose(x: Array | NativeArray, /, *, out: Array | None = None) -> Array:
    """Transpose of each matrix: the last two axes change places.

    Parameters
    ----------
    x
        Matrix or stack of matrices, shape (..., M, N), of any data type.
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    Array of shape (..., N, M) and of the data type of `x`; it may share memory with `x`.

    Source: Array API standard 2025.12, ``matrix_transpose``.

    Examples
    --------
    >>> unify.matrix_transpose(unify.array([[1, 2, 3], [4, 5, 6]]))
    unify.array([[1, 4],
                 [2, 5],
                 [3, 6]])
    """


@primary
def tensordot(
    x1: Array | NativeArray,
    x2: Array | NativeArray,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
    out: Array | None = None,
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
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    Array of the promoted data type, whose axes are those of `x1`, then those of `x2`, without the
    contracted ones. Nothing is conjugated.

    Raises
    ------
    UnifyValueError
        If a number of axes is negative, or sizes don't match.

    Source: Array API standard 2025.12, ``tensordot``.

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
    x1: Array | NativeArray,
    x2: Array | NativeArray,
    /,
    *,
    axis: int = -1,
    out: Array | None = None,
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
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    Array of the broadcast shape without `axis`, of the promoted data type.

    Raises
    ------
    UnifyIndexError
        If `axis` is out of bounds.
    UnifyValueError
        If the vectors differ in size.

    Source: Array API standard 2025.12, ``vecdot``.

    Examples
    --------
    >>> unify.vecdot(unify.array([[1, 2], [3, 4]]), unify.array([10, 1]))
    unify.array([12, 34])
    >>> unify.vecdot(unify.array([1j, 2.]), unify.array([1j, 2.]))
    unify.array(5.+0.j)
    """
