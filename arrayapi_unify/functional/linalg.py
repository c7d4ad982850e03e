"""Contracts of the linalg extension.

Wherever a function wants a floating-point array, booleans and integers count as float64.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.roles import ArrayIn, OptionalDType, OptionalReal, Out
from arrayapi_unify.functional.linear_algebra import matmul, matrix_transpose, tensordot, vecdot

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


class EigResult(NamedTuple):
    """What `eig` returns."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """What `eigh` returns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """What `qr` returns."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """What `slogdet` returns."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """What `svd` returns."""

    U: Array
    S: Array
    Vh: Array


@primary
def cholesky(x: ArrayIn, /, *, upper: bool = False, out: Out = None) -> Array:
    """Cholesky factor of each Hermitian (or real symmetric) positive-definite matrix.

    The lower factor L has ``x == L @ conj(L).mT``, the upper one U has ``x == conj(U).mT @ U``.
    Only the triangle of `x` in question is read; symmetry isn't checked.

    Parameters
    ----------
    x
        Array of shape (..., M, M).
    upper
        Whether to return the upper factor.

    Returns
    -------
    Triangular matrices of the shape and the floating-point data type of `x`.

    Raises
    ------
    UnifyValueError
        If a matrix isn't positive-definite.

    References
    ----------
    Array API standard 2025.12, ``linalg.cholesky``.

    Examples
    --------
    >>> unify.linalg.cholesky(unify.array([[4., 2.], [2., 5.]]))
    unify.array([[2., 0.],
                 [1., 2.]])
    """


@primary
def cross(
    x1: ArrayIn,
    x2: ArrayIn,
    /,
    *,
    axis: int = -1,
    out: Out = None,
) -> Array:
    """Cross product of vectors of three elements.

    Parameters
    ----------
    x1
        First array, of a numeric data type.
    x2
        Second array. The axes other than `axis` broadcast.
    axis
        Axis of the vectors, counted from the end of each array's shape: from ``-min(ndim)`` to
        -1. A positive one is accepted where both arrays have the same rank.

    Returns
    -------
    Array of the broadcast shape and the promoted data type.

    Raises
    ------
    UnifyIndexError
        If `axis` is out of bounds.
    UnifyValueError
        If `axis` hasn't size 3 in both arrays.

    References
    ----------
    Array API standard 2025.12, ``linalg.cross``.

    Examples
    --------
    >>> unify.linalg.cross(unify.array([1, 0, 0]), unify.array([0, 1, 0]))
    unify.array([0, 0, 1])
    """


@primary
def det(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Determinant of each square matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, M).

    Returns
    -------
    Array of shape (...) and of the floating-point data type of `x`; 1 for empty matrices.

    References
    ----------
    Array API standard 2025.12, ``linalg.det``.

    Examples
    --------
    >>> unify.linalg.det(unify.array([[2., 0.], [1., 3.]]))
    unify.array(6.)
    """


@primary
def diagonal(x: ArrayIn, /, *, offset: int = 0, out: Out = None) -> Array:
    """One diagonal of each matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, N), of any data type.
    offset
        Which diagonal: 0 is the main one, positive numbers lie above it, negative ones below. One
        outside of the matrix is empty.

    Returns
    -------
    Array of shape (..., K), where K is the length of the diagonal, of the data type of `x`. It is
    a view of `x` that refuses to be written to, as NumPy's: copy it to write to it.

    References
    ----------
    Array API standard 2025.12, ``linalg.diagonal``.

    Examples
    --------
    >>> unify.linalg.diagonal(unify.array([[1, 2, 3], [4, 5, 6]]), offset=1)
    unify.array([2, 6])
    """


@primary
def eig(x: ArrayIn, /) -> EigResult:
    """Eigenvalues and eigenvectors of each square matrix.

    Both are complex even where `x` is real and so are its eigenvalues. Eigenvectors are unique
    only up to a complex factor, and the order of eigenvalues is up to the backend. For Hermitian
    matrices use `eigh`.

    Parameters
    ----------
    x
        Array of shape (..., M, M), of finite values.

    Returns
    -------
    ``eigenvalues`` of shape (..., M) and ``eigenvectors`` of shape (..., M, M), whose columns have
    length 1, in the complex data type of the precision of `x`.

    References
    ----------
    Array API standard 2025.12, ``linalg.eig``.

    Examples
    --------
    >>> unify.linalg.eig(unify.array([[2., 0.], [0., 3.]])).eigenvalues
    unify.array([2.+0.j, 3.+0.j])
    """


@primary
def eigh(x: ArrayIn, /) -> EighResult:
    """Eigenvalues and eigenvectors of each Hermitian (or real symmetric) matrix.

    Only the lower triangle of `x` is read; symmetry isn't checked. Eigenvectors are unique only
    up to a factor of absolute value 1.

    Parameters
    ----------
    x
        Array of shape (..., M, M).

    Returns
    -------
    ``eigenvalues`` of shape (..., M), real, in ascending order, and ``eigenvectors`` of shape
    (..., M, M), orthonormal columns in the floating-point data type of `x`.

    References
    ----------
    Array API standard 2025.12, ``linalg.eigh``.

    Examples
    --------
    >>> values, vectors = unify.linalg.eigh(unify.array([[2., 0.], [0., 1.]]))
    >>> values
    unify.array([1., 2.])
    """


@primary
def eigvals(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Eigenvalues of each square matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, M), of finite values.

    Returns
    -------
    Array of shape (..., M), of the complex data type of the precision of `x`, even where all
    eigenvalues are real; their order is up to the backend.

    References
    ----------
    Array API standard 2025.12, ``linalg.eigvals``.

    Examples
    --------
    >>> unify.linalg.eigvals(unify.array([[2., 0.], [0., 3.]], dtype=unify.float32))
    unify.array([2.+0.j, 3.+0.j], dtype=complex64)
    """


@primary
def eigvalsh(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Eigenvalues of each Hermitian (or real symmetric) matrix.

    Only the lower triangle of `x` is read; symmetry isn't checked.

    Parameters
    ----------
    x
        Array of shape (..., M, M).

    Returns
    -------
    Array of shape (..., M), real, of the precision of `x`, in ascending order.

    References
    ----------
    Array API standard 2025.12, ``linalg.eigvalsh``.

    Examples
    --------
    >>> unify.linalg.eigvalsh(unify.array([[2., 0.], [0., 1.]]))
    unify.array([1., 2.])
    """


@primary
def inv(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Inverse of each square matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, M).

    Returns
    -------
    Array of the shape and the floating-point data type of `x`.

    Raises
    ------
    UnifyValueError
        If a matrix is singular, where the backend checks that.

    References
    ----------
    Array API standard 2025.12, ``linalg.inv``.

    Examples
    --------
    >>> unify.linalg.inv(unify.array([[2., 0.], [0., 4.]]))
    unify.array([[0.5 , 0.  ],
                 [0.  , 0.25]])
    """


@primary
def matrix_norm(
    x: ArrayIn,
    /,
    *,
    keepdims: bool = False,
    ord: int | float | Literal["fro", "nuc"] | None = "fro",
    out: Out = None,
) -> Array:
    """Norm of each matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    keepdims
        Whether the last two axes stay, with size 1.
    ord
        ``"fro"`` (or None): Frobenius norm. ``"nuc"``: sum of the singular values. 2 and -2:
        largest and smallest singular value. 1 and -1: largest and smallest column sum of absolute
        values. inf and -inf: the same of rows.

    Returns
    -------
    Array of shape (...), real, of the precision of `x`.

    Raises
    ------
    UnifyValueError
        If `ord` is none of these, or asks for the smallest of no values.

    References
    ----------
    Array API standard 2025.12, ``linalg.matrix_norm``.

    Examples
    --------
    >>> x = unify.array([[3., 0.], [0., -4.]])
    >>> unify.linalg.matrix_norm(x), unify.linalg.matrix_norm(x, ord="nuc")
    (unify.array(5.), unify.array(7.))
    """


@primary
def matrix_power(x: ArrayIn, n: int, /, *, out: Out = None) -> Array:
    """Integer power of each square matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, M).
    n
        Exponent: 0 gives identity matrices, a negative one powers of the inverse.

    Returns
    -------
    A new array of the shape and the floating-point data type of `x`.

    Raises
    ------
    UnifyValueError
        If `n` is negative and a matrix is singular, where the backend checks that.

    References
    ----------
    Array API standard 2025.12, ``linalg.matrix_power``.

    Examples
    --------
    >>> unify.linalg.matrix_power(unify.array([[1., 1.], [0., 1.]]), 5)
    unify.array([[1., 5.],
                 [0., 1.]])
    """


@primary
def matrix_rank(
    x: ArrayIn,
    /,
    *,
    rtol: OptionalReal = None,
    out: Out = None,
) -> Array:
    """Rank of each matrix: how many of its singular values aren't negligible.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    rtol
        Singular values up to `rtol` times the largest count as zero; a number, or an array that
        broadcasts with shape (...). ``max(M, N) * eps`` of the precision of `x` by default.

    Returns
    -------
    Array of shape (...), of the default integer data type.

    References
    ----------
    Array API standard 2025.12, ``linalg.matrix_rank``.

    Examples
    --------
    >>> unify.linalg.matrix_rank(unify.array([[1., 2.], [2., 4.]]))
    unify.array(1)
    """


@primary
def outer(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Outer product of two vectors: element ``[i, j]`` is ``x1[i] * x2[j]``.

    Parameters
    ----------
    x1
        One-dimensional array of size N.
    x2
        One-dimensional array of size M.

    Returns
    -------
    Array of shape (N, M), of the promoted data type. Nothing is conjugated.

    Raises
    ------
    UnifyValueError
        If an argument isn't one-dimensional.

    References
    ----------
    Array API standard 2025.12, ``linalg.outer``.

    Examples
    --------
    >>> unify.linalg.outer(unify.array([1, 2]), unify.array([10, 20, 30]))
    unify.array([[10, 20, 30],
                 [20, 40, 60]])
    """


@primary
def pinv(
    x: ArrayIn,
    /,
    *,
    rtol: OptionalReal = None,
    out: Out = None,
) -> Array:
    """Moore-Penrose pseudo-inverse of each matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    rtol
        Singular values up to `rtol` times the largest count as zero; a number, or an array that
        broadcasts with shape (...). ``max(M, N) * eps`` of the precision of `x` by default.

    Returns
    -------
    Array of shape (..., N, M), of the floating-point data type of `x`.

    References
    ----------
    Array API standard 2025.12, ``linalg.pinv``.

    Examples
    --------
    >>> unify.linalg.pinv(unify.array([[2., 0.], [0., 0.]]))
    unify.array([[0.5, 0. ],
                 [0. , 0. ]])
    """


@primary
def qr(x: ArrayIn, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """QR decomposition of each matrix, ``x == Q @ R``.

    It is unique only up to the signs (phases) of the diagonal of R.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    mode
        ``"reduced"``: Q is (..., M, K) and R is (..., K, N), with K = min(M, N).
        ``"complete"``: Q is (..., M, M) and R is (..., M, N).

    Returns
    -------
    ``Q`` with orthonormal columns and the upper triangular ``R``, of the floating-point data type
    of `x`.

    References
    ----------
    Array API standard 2025.12, ``linalg.qr``.

    Examples
    --------
    >>> Q, R = unify.linalg.qr(unify.ones((3, 2)), mode="complete")
    >>> Q.shape, R.shape
    ((3, 3), (3, 2))
    """


@primary
def slogdet(x: ArrayIn, /) -> SlogdetResult:
    """Sign and logarithm of the absolute value of each square matrix's determinant.

    ``sign * exp(logabsdet)`` is the determinant; this form neither over- nor underflows.

    Parameters
    ----------
    x
        Array of shape (..., M, M).

    Returns
    -------
    ``sign`` of the floating-point data type of `x`, 0 or of absolute value 1, and ``logabsdet``,
    real, of the precision of `x`; both of shape (...). A determinant of zero gives 0 and -inf.

    References
    ----------
    Array API standard 2025.12, ``linalg.slogdet``.

    Examples
    --------
    >>> unify.linalg.slogdet(unify.array([[0., 1.], [1., 0.]]))
    SlogdetResult(sign=unify.array(-1.), logabsdet=unify.array(0.))
    """


@primary
def solve(x1: ArrayIn, x2: ArrayIn, /, *, out: Out = None) -> Array:
    """Solution X of the linear equations ``x1 @ X == x2``.

    Parameters
    ----------
    x1
        Square matrices of full rank, shape (..., M, M).
    x2
        A vector of shape (M,), used with every matrix, or matrices of shape (..., M, K), each
        column a right-hand side. Only a one-dimensional array is a vector.

    Returns
    -------
    Array of shape (..., M) for a vector, else (..., M, K), where the stacks broadcast; of the
    promoted floating-point data type.

    Raises
    ------
    UnifyValueError
        If a matrix is singular, where the backend checks that.

    References
    ----------
    Array API standard 2025.12, ``linalg.solve``.

    Examples
    --------
    >>> unify.linalg.solve(unify.array([[2., 0.], [0., 4.]]), unify.array([1., 2.]))
    unify.array([0.5, 0.5])
    """


@primary
def svd(x: ArrayIn, /, *, full_matrices: bool = True) -> SVDResult:
    """Singular value decomposition of each matrix, ``x == U @ diag(S) @ Vh``.

    Singular vectors are unique only up to a factor of absolute value 1.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    full_matrices
        Whether U is (..., M, M) and Vh is (..., N, N); otherwise they are (..., M, K) and
        (..., K, N), with K = min(M, N).

    Returns
    -------
    ``U`` and ``Vh`` of the floating-point data type of `x`; ``S`` of shape (..., K), real, of the
    precision of `x`, in descending order.

    References
    ----------
    Array API standard 2025.12, ``linalg.svd``.

    Examples
    --------
    >>> U, S, Vh = unify.linalg.svd(unify.array([[3., 0., 0.], [0., 4., 0.]]))
    >>> S
    unify.array([4., 3.])
    >>> U.shape, Vh.shape
    ((2, 2), (3, 3))
    """


@primary
def svdvals(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Singular values of each matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, N).

    Returns
    -------
    Array of shape (..., min(M, N)), real, of the precision of `x`, in descending order.

    References
    ----------
    Array API standard 2025.12, ``linalg.svdvals``.

    Examples
    --------
    >>> unify.linalg.svdvals(unify.array([[3., 0.], [0., -4.]]))
    unify.array([4., 3.])
    """


@primary
def trace(
    x: ArrayIn,
    /,
    *,
    offset: int = 0,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Sum of one diagonal of each matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    offset
        Which diagonal: 0 is the main one, positive numbers lie above it, negative ones below. One
        outside of the matrix sums to 0.
    dtype
        Data type to sum in, and of the result; by default as for `sum`: that of `x`, but for
        integers at least the default integer width.

    Returns
    -------
    Array of shape (...).

    References
    ----------
    Array API standard 2025.12, ``linalg.trace``.

    Examples
    --------
    >>> unify.linalg.trace(unify.array([[1, 2], [3, 4]]))
    unify.array(5)
    """


@primary
def vector_norm(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: int | float = 2,
    out: Out = None,
) -> Array:
    """Norm of vectors, ``sum(abs(x) ** ord) ** (1 / ord)``.

    Parameters
    ----------
    x
        Array of any shape.
    axis
        Axis of the vectors; several axes together, or by default all of them, make one vector.
    keepdims
        Whether these axes stay, with size 1.
    ord
        Any number: 2 is the Euclidean norm, inf the largest absolute value, -inf the smallest, 0
        the number of elements other than zero.

    Returns
    -------
    Array of the shape of `x` without `axis`, real, of the precision of `x`.

    Raises
    ------
    UnifyValueError
        If the smallest of no values is asked for.

    References
    ----------
    Array API standard 2025.12, ``linalg.vector_norm``.

    Examples
    --------
    >>> x = unify.array([[3., 4.], [6., 8.]])
    >>> unify.linalg.vector_norm(x, axis=1)
    unify.array([ 5., 10.])
    >>> unify.linalg.vector_norm(x, ord=float("inf"))
    unify.array(8.)
    """
