"""Contracts of the linalg extension, and of NumPy's functions that it lacks.

Wherever a function wants a floating-point array, booleans and integers count as float64.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, mixed, primary
from arrayapi_unify.contracts.annotations import ArrayIn, OptionalDType, OptionalReal, Out
from arrayapi_unify.functional import _expm, _linalg, _lu


class EigResult(NamedTuple):
    """The result of `eig`."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """The result of `eigh`."""

    eigenvalues: Array
    eigenvectors: Array


class LstsqResult(NamedTuple):
    """The result of `lstsq`."""

    x: Array
    residuals: Array
    rank: Array
    s: Array


class LUResult(NamedTuple):
    """The result of `lu`."""

    P: Array
    L: Array
    U: Array


class QRResult(NamedTuple):
    """The result of `qr`."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """The result of `slogdet`."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """The result of `svd`."""

    U: Array
    S: Array
    Vh: Array


@primary
def cholesky(x: ArrayIn, /, *, upper: bool = False, out: Out = None) -> Array:
    """Cholesky factor of each positive-definite matrix, which is Hermitian or real symmetric.

    The lower factor L fulfils ``x == L @ conj(L).mT``, the upper factor U fulfils
    ``x == conj(U).mT @ U``. Only the lower triangle of `x` is read, or the upper one for U;
    symmetry isn't checked.

    Parameters
    ----------
    x
        Array of shape (..., M, M).
    upper
        If True, return the upper factor.

    Returns
    -------
    Triangular matrices of the shape and the floating-point data type of `x`.

    Raises
    ------
    UnifyLinAlgError
        If the matrices aren't square, or aren't positive-definite.

    References
    ----------
    Array API standard 2025.12, ``linalg.cholesky``.

    Examples
    --------
    >>> unify.linalg.cholesky(unify.array([[4., 2.], [2., 5.]]))
    unify.array([[2., 0.],
                 [1., 2.]])
    """


@compositional
def cond(
    x: ArrayIn,
    /,
    p: int | float | Literal["fro", "nuc"] | None = None,
    *,
    out: Out = None,
) -> Array:
    """Condition number of each matrix: its norm times that of its inverse.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    p
        Order of the norm, as in `norm`. None and 2: the largest singular value divided by the
        smallest one; -2: the inverse of that. These take matrices of any shape, the others square
        ones.

    Returns
    -------
    Real array of shape (...), of the precision of `x`. It is infinite for a singular matrix, apart
    from `p` = -2, and NaN for one with NaN.

    Raises
    ------
    UnifyLinAlgError
        If a matrix has no elements, or isn't square where it has to be.
    UnifyValueError
        If `p` is no order of a norm of matrices.

    References
    ----------
    NumPy's ``linalg.cond``.

    Examples
    --------
    >>> x = unify.array([[4., 0.], [0., 2.]])
    >>> unify.linalg.cond(x), unify.linalg.cond(x, -2)
    (unify.array(2.), unify.array(0.5))
    """
    return _linalg.condition(x, p)


@primary
def cross(x1: ArrayIn, x2: ArrayIn, /, *, axis: int = -1, out: Out = None) -> Array:
    """Cross product of vectors of three elements.

    Parameters
    ----------
    x1
        First array, of a numeric data type.
    x2
        Second array. The axes other than `axis` broadcast.
    axis
        Axis of the vectors, counted from the end of each array's shape: from
        ``-min(x1.ndim, x2.ndim)`` to -1. Where both arrays have the same number of axes, it may be
        positive too.

    Returns
    -------
    Array of the broadcast shape and of the data type to which the arguments promote.

    Raises
    ------
    UnifyTypeError
        If both arrays are bool.
    UnifyValueError
        If `axis` hasn't size 3 in both arrays, or the other axes don't broadcast.
    UnifyIndexError
        If `axis` is out of bounds.

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
    Array of shape (...), of the floating-point data type of `x`. The determinant of an empty matrix
    is 1.

    Raises
    ------
    UnifyLinAlgError
        If the matrices aren't square.

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
        Index of the diagonal: 0 is the main one, positive numbers lie above it, negative ones
        below. A diagonal outside of the matrix is empty.

    Returns
    -------
    Array of shape (..., K), where K is the length of the diagonal, and of the data type of `x`. It
    is a read-only view of `x`, as in NumPy: copy it to write to it.

    Raises
    ------
    UnifyValueError
        If `x` has fewer than two axes.

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

    Both are complex, even where `x` and all eigenvalues are real. Eigenvectors are unique only up
    to a complex factor. The backend decides in which order the eigenvalues come. For Hermitian
    matrices use `eigh`.

    Parameters
    ----------
    x
        Array of shape (..., M, M), of finite values.

    Returns
    -------
    ``eigenvalues`` of shape (..., M), and ``eigenvectors`` of shape (..., M, M) whose columns have
    length 1. Both have the complex data type of the precision of `x`.

    Raises
    ------
    UnifyLinAlgError
        If the matrices aren't square, or hold NaN or infinities.

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
    """Eigenvalues and eigenvectors of each Hermitian or real symmetric matrix.

    Only the lower triangle of `x` is read; symmetry isn't checked. Eigenvectors are unique only up
    to a factor of absolute value 1.

    Parameters
    ----------
    x
        Array of shape (..., M, M).

    Returns
    -------
    ``eigenvalues`` of shape (..., M), which are real and ascending, and ``eigenvectors`` of shape
    (..., M, M), whose columns are orthonormal and of the floating-point data type of `x`.

    Raises
    ------
    UnifyLinAlgError
        If the matrices aren't square, or their lower triangles hold NaN or infinities.

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
    eigenvalues are real. The backend decides in which order they come.

    Raises
    ------
    UnifyLinAlgError
        If the matrices aren't square, or hold NaN or infinities.

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
    """Eigenvalues of each Hermitian or real symmetric matrix.

    Only the lower triangle of `x` is read; symmetry isn't checked.

    Parameters
    ----------
    x
        Array of shape (..., M, M).

    Returns
    -------
    Real array of shape (..., M), of the precision of `x`, in ascending order.

    Raises
    ------
    UnifyLinAlgError
        If the matrices aren't square, or their lower triangles hold NaN or infinities.

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
    UnifyLinAlgError
        If the matrices aren't square, or one is singular.

    References
    ----------
    Array API standard 2025.12, ``linalg.inv``.

    Examples
    --------
    >>> unify.linalg.inv(unify.array([[2., 0.], [0., 4.]]))
    unify.array([[0.5 , 0.  ],
                 [0.  , 0.25]])
    """


@compositional
def expm(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Exponential of each square matrix: the sum of ``x**k / k!``, with powers of matrices.

    Parameters
    ----------
    x
        Array of shape (..., M, M).

    Returns
    -------
    Array of the shape and the floating-point data type of `x`. A matrix with NaN or infinities
    gives NaN, apart from a triangle of zeros, which remains; of a diagonal matrix it is `exp` of
    the diagonal, whatever its values.

    Raises
    ------
    UnifyLinAlgError
        If the matrices aren't square.

    Notes
    -----
    All backends take the same steps, in double precision, of which float32 and complex64 are
    rounded once: the matrix is balanced by powers of two, divided by a power of two that is chosen
    by the norms of its powers, approximated by the quotient of polynomials of degree 13, and
    squared. For the matrices of the tests, the error is below 1e-13 of the norm of the result, or
    below 5e-15 times the condition number of the exponential (SciPy's ``linalg.expm_cond``) if
    that is larger. It may exceed both where squares are much smaller than the square of the norm:
    for large matrices that are far from normal, and aren't triangular.

    Squaring is repeated 64 times at most. A larger matrix determines no digit and gives NaN; only
    on the diagonals of triangular ones are the elements exact, whatever their size.

    References
    ----------
    Al-Mohy and Higham, "A New Scaling and Squaring Algorithm for the Matrix Exponential",
    SIAM J. Matrix Anal. Appl. 31(3), 2009. SciPy's ``linalg.expm``.

    Examples
    --------
    >>> unify.linalg.expm(unify.array([[0., 1.], [0., 0.]]))
    unify.array([[1., 1.],
                 [0., 1.]])
    """
    return _expm.expm(x)


@compositional
def lstsq(a: ArrayIn, b: ArrayIn, /, rcond: float | None = None) -> LstsqResult:
    """Solution x of ``a @ x == b`` with the least squares, and of these the shortest one.

    Parameters
    ----------
    a
        Matrices of any shape and rank, shape (..., M, N).
    b
        A vector of shape (M,), which is used with every matrix; or matrices of shape (..., M, K),
        in which each column is a right-hand side. Only a one-dimensional array is a vector.
    rcond
        Singular values up to `rcond` times the largest one count as zero. By default it is
        ``max(M, N) * eps``; if negative, it is eps.

    Returns
    -------
    ``x`` of shape (..., N) for a vector, of shape (..., N, K) otherwise, of the floating-point data
    type to which the arguments promote; the sums of squares ``residuals`` of ``b - a @ x`` for each
    column, of shape (..., K), or (..., 1) for a vector; the ``rank`` of `a`, of shape (...); and
    its singular values ``s`` of shape (..., min(M, N)), in descending order. There are no residuals
    if M <= N: their shape is (..., 0).

    Raises
    ------
    UnifyLinAlgError
        If `a` has fewer than two axes or holds NaN or infinities, or `b` hasn't its rows.

    Notes
    -----
    NumPy's takes no stacks, and returns no residuals of a matrix whose rank is below N.

    References
    ----------
    NumPy's ``linalg.lstsq``.

    Examples
    --------
    >>> a = unify.array([[0., 1.], [1., 1.], [2., 1.]])
    >>> x, residuals, rank, s = unify.linalg.lstsq(a, unify.array([1., 3., 5.]))
    >>> unify.round(x, decimals=6), rank
    (unify.array([2., 1.]), unify.array(2))
    """
    return LstsqResult(*_linalg.least_squares(a, b, rcond))


@mixed
def lu(x: ArrayIn, /, *, p_indices: bool = False) -> LUResult:
    """LU decomposition of each matrix with exchanged rows: ``x == P @ L @ U``.

    The pivot of a column is its first largest element; of complex numbers, the sum of the absolute
    values of both components counts. Matrices may be singular, and of any shape.

    Parameters
    ----------
    x
        Array of shape (..., M, N), of finite values.
    p_indices
        If True, ``P`` is the permutation as indices of rows: ``x == (L @ U)[P]`` for one matrix.

    Returns
    -------
    The permutation matrix ``P`` of shape (..., M, M) and of the real data type of the precision of
    `x`, or int64 indices of shape (..., M); the lower triangular ``L`` of shape (..., M, K), whose
    diagonal is 1, and the upper triangular ``U`` of shape (..., K, N), with K = min(M, N), both of
    the floating-point data type of `x`. ``P`` has no derivative.

    Raises
    ------
    UnifyLinAlgError
        If `x` has fewer than two axes, or holds NaN or infinities.

    References
    ----------
    SciPy's ``linalg.lu``.

    Examples
    --------
    >>> P, L, U = unify.linalg.lu(unify.array([[1., 2.], [4., 4.]]))
    >>> L, U
    (unify.array([[1.  , 0.  ],
                 [0.25, 1.  ]]), unify.array([[4., 4.],
                 [0., 1.]]))
    >>> unify.linalg.lu(unify.array([[1., 2.], [4., 4.]]), p_indices=True).P
    unify.array([1, 0])
    """
    return LUResult(*_lu.lu(x, p_indices))


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
        If True, the last two axes remain, with size one.
    ord
        ``"fro"`` and None: the Frobenius norm. ``"nuc"``: the sum of the singular values. 2 and -2:
        the largest and the smallest singular value. 1 and -1: the largest and the smallest sum of
        the absolute values of a column. inf and -inf: the same for rows.

    Returns
    -------
    Real array of shape (...), of the precision of `x`.

    Raises
    ------
    UnifyValueError
        If `x` has fewer than two axes, `ord` is none of these, or the smallest of no values is
        asked for; or if `x` holds NaN or infinities, and the norm needs singular values.

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
        Exponent. 0 gives identity matrices; a negative one gives powers of the inverse.

    Returns
    -------
    A new array of the shape and the floating-point data type of `x`.

    Raises
    ------
    UnifyTypeError
        If `n` isn't an integer.
    UnifyLinAlgError
        If the matrices aren't square; or if `n` is negative and a matrix is singular.

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
def matrix_rank(x: ArrayIn, /, *, rtol: OptionalReal = None, out: Out = None) -> Array:
    """Rank of each matrix: the number of its singular values that count as nonzero.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    rtol
        Relative tolerance, a number or an array that broadcasts with shape (...). Singular values
        up to `rtol` times the largest one count as zero. By default it is ``max(M, N) * eps`` for
        the precision of `x`.

    Returns
    -------
    int64 array of shape (...).

    Raises
    ------
    UnifyValueError
        If `x` has fewer than two axes, or holds NaN or infinities; or `rtol` doesn't broadcast.

    References
    ----------
    Array API standard 2025.12, ``linalg.matrix_rank``.

    Examples
    --------
    >>> unify.linalg.matrix_rank(unify.array([[1., 2.], [2., 4.]]))
    unify.array(1)
    """


@compositional
def norm(
    x: ArrayIn,
    /,
    ord: int | float | Literal["f", "fro", "nuc"] | None = None,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    *,
    out: Out = None,
) -> Array:
    """Norm of vectors or of matrices, by the number of axes.

    Parameters
    ----------
    x
        Array of any shape; without `axis`, a vector or a matrix if `ord` is given.
    ord
        Order of the norm, as in `vector_norm` and `matrix_norm`. None gives the root of the sum of
        squares, as 2 for vectors and ``"fro"`` and ``"f"`` for matrices.
    axis
        Axis of the vectors, or both axes of the matrices, rows first. By default all axes; without
        `ord`, they make one vector together.
    keepdims
        If True, these axes remain, with size one.

    Returns
    -------
    Real array of the shape of `x` without `axis`, of the precision of `x`.

    Raises
    ------
    UnifyValueError
        If there are more than two axes or none, an axis is given twice, `ord` is no order of such a
        norm, or the smallest of no values is asked for; or if matrices hold NaN or infinities, and
        the norm needs singular values.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``linalg.norm``.

    Examples
    --------
    >>> x = unify.array([[3., 0.], [0., -4.]])
    >>> unify.linalg.norm(x), unify.linalg.norm(x, 1), unify.linalg.norm(x, axis=1)
    (unify.array(5.), unify.array(4.), unify.array([3., 4.]))
    """
    return _linalg.norm(x, ord, axis, keepdims)


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
    Array of shape (N, M), of the data type to which the arguments promote. No argument is
    conjugated.

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
def pinv(x: ArrayIn, /, *, rtol: OptionalReal = None, out: Out = None) -> Array:
    """Moore-Penrose pseudo-inverse of each matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    rtol
        Relative tolerance, a number or an array that broadcasts with shape (...). Singular values
        up to `rtol` times the largest one count as zero. By default it is ``max(M, N) * eps`` for
        the precision of `x`.

    Returns
    -------
    Array of shape (..., N, M), of the floating-point data type of `x`.

    Raises
    ------
    UnifyLinAlgError
        If `x` has fewer than two axes, or holds NaN or infinities.
    UnifyValueError
        If `rtol` doesn't broadcast.

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
    """QR decomposition of each matrix: ``x == Q @ R``.

    It is unique only up to the signs (for complex matrices, the phases) of the diagonal of R.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    mode
        ``"reduced"``: Q is (..., M, K) and R is (..., K, N), with K = min(M, N).
        ``"complete"``: Q is (..., M, M) and R is (..., M, N).

    Returns
    -------
    ``Q``, whose columns are orthonormal, and the upper triangular ``R``, both of the floating-point
    data type of `x`.

    Raises
    ------
    UnifyLinAlgError
        If `x` has fewer than two axes.
    UnifyValueError
        If `mode` is something else.

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
    """Sign of the determinant of each square matrix, and the logarithm of its absolute value.

    The determinant is ``sign * exp(logabsdet)``. In this form it neither overflows nor underflows.

    Parameters
    ----------
    x
        Array of shape (..., M, M).

    Returns
    -------
    ``sign`` and ``logabsdet``, both of shape (...). The sign has the floating-point data type of
    `x`, and absolute value 1; the logarithm is real and of the precision of `x`. A determinant of
    zero gives 0 and minus infinity.

    Raises
    ------
    UnifyLinAlgError
        If the matrices aren't square.

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
        A vector of shape (M,), which is used with every matrix; or matrices of shape (..., M, K),
        in which each column is a right-hand side. Only a one-dimensional array is a vector.

    Returns
    -------
    Array of shape (..., M) for a vector, of shape (..., M, K) otherwise, where the stacks
    broadcast. It has the floating-point data type to which the arguments promote.

    Raises
    ------
    UnifyLinAlgError
        If `x1` doesn't hold square matrices, or holds a singular one.
    UnifyValueError
        If the shapes don't fit.

    References
    ----------
    Array API standard 2025.12, ``linalg.solve``.

    Examples
    --------
    >>> unify.linalg.solve(unify.array([[2., 0.], [0., 4.]]), unify.array([1., 2.]))
    unify.array([0.5, 0.5])
    """


@compositional
def solve_triangular(
    a: ArrayIn,
    b: ArrayIn,
    /,
    trans: int | Literal["N", "T", "C"] = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    *,
    out: Out = None,
) -> Array:
    """Solution x of the linear equations ``a @ x == b`` of a triangular matrix.

    Parameters
    ----------
    a
        Matrices of shape (..., M, M). Only the upper triangle is read, or the lower one.
    b
        A vector of shape (M,), which is used with every matrix; or matrices of shape (..., M, K),
        in which each column is a right-hand side. Only a one-dimensional array is a vector.
    trans
        1 or ``"T"``: the transposed matrix is that of the equations; 2 or ``"C"``: its conjugate.
        0 and ``"N"``: the matrix itself.
    lower
        If True, read the lower triangle.
    unit_diagonal
        If True, the diagonal isn't read, and counts as ones.

    Returns
    -------
    Array of shape (..., M) for a vector, of shape (..., M, K) otherwise, where the stacks
    broadcast. It has the floating-point data type to which the arguments promote.

    Raises
    ------
    UnifyLinAlgError
        If `a` doesn't hold square matrices, or one has a zero on its diagonal.
    UnifyValueError
        If the shapes don't fit, or `trans` is something else.

    References
    ----------
    SciPy's ``linalg.solve_triangular``.

    Examples
    --------
    >>> a = unify.array([[2., 1.], [0., 4.]])
    >>> unify.linalg.solve_triangular(a, unify.array([4., 8.]))
    unify.array([1., 2.])
    """
    return _linalg.triangular_solution(a, b, trans, lower, unit_diagonal)


@primary
def svd(x: ArrayIn, /, *, full_matrices: bool = True) -> SVDResult:
    """Singular value decomposition of each matrix: ``x == U @ diag(S) @ Vh``.

    Singular vectors are unique only up to a factor of absolute value 1.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    full_matrices
        If True, U has shape (..., M, M) and Vh has shape (..., N, N). Otherwise they have shapes
        (..., M, K) and (..., K, N), where K is min(M, N).

    Returns
    -------
    ``U`` and ``Vh`` of the floating-point data type of `x`, and the singular values ``S`` of shape
    (..., K), which are real, of the precision of `x`, and in descending order.

    Raises
    ------
    UnifyLinAlgError
        If `x` has fewer than two axes, holds NaN or infinities, or the computation doesn't
        converge.

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
    Real array of shape (..., min(M, N)), of the precision of `x`, in descending order.

    Raises
    ------
    UnifyLinAlgError
        If `x` has fewer than two axes, holds NaN or infinities, or the computation doesn't
        converge.

    References
    ----------
    Array API standard 2025.12, ``linalg.svdvals``.

    Examples
    --------
    >>> unify.linalg.svdvals(unify.array([[3., 0.], [0., -4.]]))
    unify.array([4., 3.])
    """


@primary
def trace(x: ArrayIn, /, *, offset: int = 0, dtype: OptionalDType = None, out: Out = None) -> Array:
    """Sum of one diagonal of each matrix.

    Parameters
    ----------
    x
        Array of shape (..., M, N).
    offset
        Index of the diagonal: 0 is the main one, positive numbers lie above it, negative ones
        below. A diagonal outside of the matrix sums to 0.
    dtype
        Data type of the result, in which the sum is computed. By default it is that of `sum`: x's
        own, but for integers at least as wide as the default integer data type.

    Returns
    -------
    Array of shape (...).

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't.
    UnifyValueError
        If `x` has fewer than two axes.

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
        Axis of the vectors. Several axes make one vector together, and so do all of them by
        default.
    keepdims
        If True, these axes remain, with size one.
    ord
        Any number. 2 gives the Euclidean norm, inf the largest absolute value, -inf the smallest
        one, and 0 the number of elements other than zero.

    Returns
    -------
    Real array of the shape of `x` without `axis`, of the precision of `x`.

    Raises
    ------
    UnifyValueError
        If the smallest of no values is asked for, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

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
