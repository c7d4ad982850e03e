"""The linalg extension for the Dask backend: NumPy's functions of stacks of whole matrices."""

from __future__ import annotations

import operator
from typing import Any, Literal, TypeAlias

import dask.array as da
import numpy as np

from arrayapi_unify.backends._common.checks import linalg as common
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.dask import elementwise, statistical
from arrayapi_unify.backends.dask._core import cast
from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._lift import lazily, stacked
from arrayapi_unify.backends.dask._natives import DaskArray, native, of_blocks, one, small
from arrayapi_unify.backends.dask.linear_algebra import matmul
from arrayapi_unify.backends.dask.manipulation import stack
from arrayapi_unify.backends.numpy import linalg as numpy

__getattr__, __dir__ = make_extension_getattr(__name__)

Tolerance: TypeAlias = DaskArray | float | None


def _of_matrices(name: str, x: DaskArray, **options: Any) -> Any:
    """Call NumPy's function of stacks of matrices; it refuses what isn't one."""
    known_shape(x)
    if x.ndim < 2:
        getattr(numpy, name)(one(x), **options)
    return stacked(native("linalg", name, **options), [x], [2], f"linalg.{name}")


def _several(name: str, x: DaskArray, **options: Any) -> tuple[Any, ...]:
    return _of_matrices(name, x, **options)


# --- products ---------------------------------------------------------------------------------


def cross(x1: DaskArray, x2: DaskArray, /, *, axis: int = -1) -> DaskArray:
    """Multiply vectors of three elements, of which each is an array here."""
    axis = common.cross_axis(known_shape(x1), known_shape(x2), axis)
    x1, x2 = da.broadcast_arrays(x1, x2)
    first, second = (_elements(x, axis) for x in (x1, x2))

    def component(i: int, j: int) -> DaskArray:
        plus = elementwise.multiply(first[i], second[j])
        return elementwise.subtract(plus, elementwise.multiply(first[j], second[i]))

    return stack([component(1, 2), component(2, 0), component(0, 1)], axis=axis)


def _elements(x: DaskArray, axis: int) -> list[DaskArray]:
    before = (slice(None),) * (x.ndim + axis)
    return [x[(*before, i)] for i in range(3)]


def outer(x1: DaskArray, x2: DaskArray, /) -> DaskArray:
    """Multiply each element with each other."""
    common.check_outer(x1.shape, x2.shape)
    like = numpy.outer(one(x1), one(x2))
    return lazily(native("linalg", "outer"), (0, 1), [(x1, (0,)), (x2, (1,))], like.dtype)


def matrix_power(x: DaskArray, n: int, /) -> DaskArray:
    """Multiply."""
    known_shape(x)
    if x.ndim < 2:
        numpy.matrix_power(one(x), n)
    function = of_blocks("matrix_power", n=operator.index(n))
    return stacked(function, [x], [2], "linalg.matrix_power")


# --- parts of a matrix ------------------------------------------------------------------------


def diagonal(x: DaskArray, /, *, offset: int = 0) -> DaskArray:
    """Select the diagonal."""
    offset = common.diagonal_offset(known_shape(x), offset)
    return da.diagonal(x, offset, -2, -1)


def trace(x: DaskArray, /, *, offset: int = 0, dtype: np.dtype[Any] | None = None) -> DaskArray:
    """Sum the diagonal."""
    return statistical.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


# --- decompositions ---------------------------------------------------------------------------


def cholesky(x: DaskArray, /, *, upper: bool = False) -> DaskArray:
    """Decompose."""
    return _of_matrices("cholesky", x, upper=upper)


def eig(x: DaskArray, /) -> tuple[DaskArray, ...]:
    """Decompose."""
    return _several("eig", x)


def eigvals(x: DaskArray, /) -> DaskArray:
    """Find the eigenvalues."""
    return _of_matrices("eigvals", x)


def eigh(x: DaskArray, /) -> tuple[DaskArray, ...]:
    """Decompose."""
    return _several("eigh", x)


def eigvalsh(x: DaskArray, /) -> DaskArray:
    """Find the eigenvalues."""
    return _of_matrices("eigvalsh", x)


def _tall(x: DaskArray) -> DaskArray | None:
    """Return one matrix of several blocks of rows, which are decomposed apart, each of them tall.

    Dask's algorithm is that of Benson, Gleich and Demmel, "Direct QR factorizations for
    tall-and-skinny matrices in MapReduce architectures", IEEE Big Data, 2013. Blocks of fewer rows
    than columns are joined to their neighbours.
    """
    if x.ndim != 2 or x.dtype.kind != "f" or len(x.chunks[1]) > 1 or not x.shape[1]:
        return None
    heights: list[int] = []
    for rows in x.chunks[0]:
        if heights and heights[-1] < x.shape[1]:
            heights[-1] += rows
        else:
            heights.append(rows)
    if len(heights) > 1 and heights[-1] < x.shape[1]:
        heights[-2:] = [sum(heights[-2:])]
    if len(heights) < 2:
        return None
    return x if len(heights) == len(x.chunks[0]) else x.rechunk({0: tuple(heights)})


def _triangle(x: DaskArray) -> DaskArray:
    """Return the triangular factor of a tall matrix, of the same singular values, or the matrix."""
    known_shape(x)
    tall = _tall(x)
    return x if tall is None else da.linalg.tsqr(tall)[1]


def _tolerance(x: DaskArray, rtol: Tolerance) -> Tolerance:
    """Return the tolerance for a part of a matrix: the default depends on the size of the whole."""
    return max(x.shape) * np.finfo(x.dtype).eps if rtol is None else rtol


def qr(
    x: DaskArray, /, *, mode: Literal["reduced", "complete"] = "reduced"
) -> tuple[DaskArray, ...]:
    """Decompose; a matrix of many rows block by block."""
    common.check_qr(mode)
    known_shape(x)
    tall = _tall(x) if mode == "reduced" else None
    if tall is not None:
        return tuple(da.linalg.tsqr(tall))
    return _several("qr", x, mode=mode)


def svd(x: DaskArray, /, *, full_matrices: bool = True) -> tuple[DaskArray, ...]:
    """Decompose; a matrix of many rows block by block."""
    known_shape(x)
    tall = None if full_matrices else _tall(x)
    if tall is not None:
        return tuple(da.linalg.tsqr(tall, compute_svd=True))
    return _several("svd", x, full_matrices=full_matrices)


def svdvals(x: DaskArray, /) -> DaskArray:
    """Find the singular values."""
    return _of_matrices("svdvals", _triangle(x))


# --- solutions --------------------------------------------------------------------------------


def inv(x: DaskArray, /) -> DaskArray:
    """Invert."""
    return _of_matrices("inv", x)


def pinv(x: DaskArray, /, *, rtol: Tolerance = None) -> DaskArray:
    """Invert; the inverse of a matrix of many rows has blocks of columns."""
    known_shape(x)
    tall = _tall(x)
    if tall is None or isinstance(rtol, da.Array):
        return _with_tolerance("pinv", x, rtol)
    common.check_tolerance(rtol)
    left, right = da.linalg.tsqr(tall)
    return matmul(_with_tolerance("pinv", right, _tolerance(x, rtol)), left.T)


def _with_tolerance(name: str, x: DaskArray, rtol: Tolerance) -> DaskArray:
    common.check_tolerance(rtol)
    if not isinstance(rtol, da.Array):
        return _of_matrices(name, x, rtol=rtol)
    known_shape(x)
    if x.ndim < 2:
        getattr(numpy, name)(one(x))
    return stacked(of_blocks(name), [x, rtol], [2, 0], f"linalg.{name}")


def solve(x1: DaskArray, x2: DaskArray, /) -> DaskArray:
    """Solve."""
    common.check_solvable(known_shape(x1), known_shape(x2))
    if x2.ndim == 1:
        return stacked(of_blocks("solve_vector"), [x1, x2], [2, 1], "linalg.solve")
    return stacked(native("linalg", "solve"), [x1, x2], [2, 2], "linalg.solve")


# --- numbers ----------------------------------------------------------------------------------


def det(x: DaskArray, /) -> DaskArray:
    """Find the determinant."""
    return _of_matrices("det", x)


def slogdet(x: DaskArray, /) -> tuple[DaskArray, ...]:
    """Find the sign and logarithm of the determinant."""
    return _several("slogdet", x)


def matrix_rank(x: DaskArray, /, *, rtol: Tolerance = None) -> DaskArray:
    """Find the rank."""
    part = _triangle(x)
    return _with_tolerance("matrix_rank", part, rtol if part is x else _tolerance(x, rtol))


def matrix_norm(
    x: DaskArray, /, *, keepdims: bool = False, ord: float | Literal["fro", "nuc"] | None = "fro"
) -> DaskArray:
    """Find the norm of each matrix."""
    part = _triangle(x) if ord in ("nuc", 2, -2) else x
    return _of_matrices("matrix_norm", part, keepdims=keepdims, ord=ord)


def vector_norm(
    x: DaskArray,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> DaskArray:
    """Find the norm of each vector, by a sum of powers or an extreme."""
    like = numpy.vector_norm(small(x), axis=axis, keepdims=keepdims, ord=ord)
    size = elementwise.abs(x if x.dtype.kind in "fc" else cast(x, np.dtype(np.float64)))
    along: Any = tuple(axis) if isinstance(axis, list) else axis
    options = {"axis": along, "keepdims": keepdims}
    return cast(_norm(size, ord, options), like.dtype)


def _norm(size: DaskArray, ord: float, options: dict[str, Any]) -> DaskArray:
    if ord == 1 or common.is_norm_of_nothing(size.shape, ord):
        return statistical.sum(size, **options)
    if ord == np.inf:
        return statistical.max(size, **options)
    if ord == -np.inf:
        return statistical.min(size, **options)
    if ord == 0:
        return statistical.sum(cast(elementwise.not_equal(size, 0), size.dtype), **options)
    if ord == 2:
        return elementwise.sqrt(statistical.sum(elementwise.square(size), **options))
    powers = statistical.sum(elementwise.pow(size, float(ord)), **options)
    return elementwise.pow(powers, 1.0 / ord)
