"""The linalg extension for the NumPy backend."""

from __future__ import annotations

import operator
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks import linalg as common
from arrayapi_unify.backends._common.checks.axes import check_no_bool
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.numpy import statistical
from arrayapi_unify.backends.numpy._core import returns_array
from arrayapi_unify.backends.numpy._out import filled_by
from arrayapi_unify.backends.numpy.dtypes import BY_NAME

__getattr__, __dir__ = make_extension_getattr(__name__)

NDArray = npt.NDArray[Any]


def _floating(x: NDArray) -> NDArray:
    """Return a floating-point array as it is, others as float64."""
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _finite(function: str, x: NDArray, lower: bool = False) -> NDArray:
    """Return matrices; refuse NaN and infinities, in the lower triangle if no other is read.

    NumPy itself looks in `eig` and `eigvals` only, and can hang in others.
    """
    if not np.isfinite(x).all():
        common.check_matrix(f"linalg.{function}", x.shape)
        if not lower or not np.isfinite(np.tril(x)).all():
            common.raise_not_finite_error(function)
    return x


def _complex(x: NDArray) -> np.dtype[Any]:
    """Return the complex data type of x's precision."""
    return np.result_type(x.dtype, np.complex64) if x.dtype.kind in "fc" else np.dtype("c16")


# --- products ---------------------------------------------------------------------------------


def cross(x1: NDArray, x2: NDArray, /, *, axis: int = -1) -> Any:
    """Multiply; NumPy takes vectors of two elements too."""
    axis = common.cross_axis(x1.shape, x2.shape, axis)
    return np.cross(x1, x2, axis=axis)


@filled_by(
    lambda x1, x2, *, out: np.multiply.outer(x1, x2, out=out),
    shape=lambda x1, x2: x1.shape + x2.shape,
)
def outer(x1: NDArray, x2: NDArray, /) -> NDArray:
    """Multiply each element with each other; NumPy has a ufunc method for that."""
    common.check_outer(x1.shape, x2.shape)
    return np.multiply.outer(x1, x2)


def matrix_power(x: NDArray, n: int, /) -> NDArray:
    """Multiply; NumPy returns x itself for n = 1."""
    n = operator.index(n)
    result: NDArray = np.linalg.matrix_power(_floating(x), n)
    return result.copy() if result is x else result


# --- parts of a matrix ------------------------------------------------------------------------


def diagonal(x: NDArray, /, *, offset: int = 0) -> NDArray:
    """View the diagonal; NumPy's view refuses writes."""
    return np.diagonal(x, common.diagonal_offset(x.shape, offset), -2, -1)


@returns_array
def trace(x: NDArray, /, *, offset: int = 0, dtype: np.dtype[Any] | None = None) -> Any:
    """Sum the diagonal, in the data type of `sum`."""
    return statistical.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


# --- decompositions ---------------------------------------------------------------------------


def cholesky(x: NDArray, /, *, upper: bool = False) -> NDArray:
    """Decompose."""
    result = np.linalg.cholesky(x, upper=upper)
    if not np.isfinite(np.diagonal(result, 0, -2, -1)).all():
        common.raise_singular_error("linalg.cholesky")
    return result


def eig(x: NDArray, /) -> tuple[NDArray, NDArray]:
    """Decompose; NumPy returns real arrays where all eigenvalues are real, the standard never."""
    values, vectors = np.linalg.eig(_finite("eig", x))
    kind = _complex(x)
    return values.astype(kind, copy=False), vectors.astype(kind, copy=False)


def eigvals(x: NDArray, /) -> NDArray:
    """Find the eigenvalues; NumPy returns a real array where all of them are real."""
    return np.linalg.eigvals(_finite("eigvals", x)).astype(_complex(x), copy=False)


def eigh(x: NDArray, /) -> tuple[NDArray, NDArray]:
    """Decompose."""
    return np.linalg.eigh(_finite("eigh", x, lower=True))


def eigvalsh(x: NDArray, /) -> NDArray:
    """Find the eigenvalues."""
    return np.linalg.eigvalsh(_finite("eigvalsh", x, lower=True))


def qr(
    x: NDArray, /, *, mode: Literal["reduced", "complete"] = "reduced"
) -> tuple[NDArray, NDArray]:
    """Decompose, in one of the standard's modes; NumPy has others."""
    common.check_qr(mode)
    return np.linalg.qr(x, mode)


def svd(x: NDArray, /, *, full_matrices: bool = True) -> tuple[NDArray, NDArray, NDArray]:
    """Decompose."""
    return np.linalg.svd(_finite("svd", x), full_matrices)


def svdvals(x: NDArray, /) -> NDArray:
    """Find the singular values."""
    return np.linalg.svdvals(_finite("svdvals", x))


# --- solutions --------------------------------------------------------------------------------


def inv(x: NDArray, /) -> NDArray:
    """Invert."""
    return np.linalg.inv(x)


def pinv(x: NDArray, /, *, rtol: NDArray | float | None = None) -> NDArray:
    """Invert; NumPy knows the default tolerance of floating-point data types only."""
    common.check_tolerance(rtol)
    stack = np.shape(rtol) if rtol is not None else ()
    if stack and x.ndim > 1:
        x = np.broadcast_to(x, np.broadcast_shapes(stack, x.shape[:-2]) + x.shape[-2:])
    return np.linalg.pinv(_floating(_finite("pinv", x)), rtol=cast(Any, rtol))


def solve(x1: NDArray, x2: NDArray, /) -> NDArray:
    """Solve; NumPy computes every mix with an integer array in double precision."""
    if x1.dtype != x2.dtype:
        kind = np.promote_types(x1.dtype, x2.dtype)
        x1, x2 = x1.astype(kind, copy=False), x2.astype(kind, copy=False)
    if x2.ndim > 1 and not x2.shape[-1]:
        np.linalg.inv(x1)  # NumPy before 2.4 doesn't say whether x1 is singular
    return np.linalg.solve(x1, x2)


# --- numbers ----------------------------------------------------------------------------------


@returns_array
def det(x: NDArray, /) -> Any:
    """Find the determinant."""
    return np.linalg.det(x)


@returns_array
def slogdet(x: NDArray, /) -> tuple[Any, Any]:
    """Find the sign and logarithm of the determinant."""
    return np.linalg.slogdet(x)


def matrix_rank(x: NDArray, /, *, rtol: NDArray | float | None = None) -> NDArray:
    """Find the rank; NumPy takes vectors too, and before 2.4.5 no matrix without elements."""
    common.check_matrix("linalg.matrix_rank", x.shape)
    common.check_tolerance(rtol)
    dtype = BY_NAME[dtypes.held_int().value.name]
    if (shape := common.ranks_of_nothing(x.shape, rtol)) is not None:
        return np.zeros(shape, dtype)
    rank = np.asarray(np.linalg.matrix_rank(_finite("matrix_rank", x), rtol=rtol))
    return rank.astype(dtype, copy=False)


@returns_array
def matrix_norm(
    x: NDArray, /, *, keepdims: bool = False, ord: float | Literal["fro", "nuc"] | None = "fro"
) -> Any:
    """Find the norm of each matrix."""
    common.check_matrix("linalg.matrix_norm", x.shape)
    if not isinstance(ord, str | int | float | np.generic | None):
        raise TypeError("an order is a number or a word")
    if ord in common.BY_SINGULAR_VALUES:
        _finite("matrix_norm", x)
    if common.is_norm_of_nothing(x.shape, ord):
        return np.abs(_floating(x)).sum(axis=(-2, -1), keepdims=keepdims)
    return np.linalg.matrix_norm(x, keepdims=keepdims, ord=ord)


def _length(x: NDArray) -> Any:
    """Find the norm of all elements as `np.linalg.vector_norm` does, without its checks."""
    x = x.ravel()
    return np.sqrt(np.add.reduce(x * x))


@returns_array
@Kernel(fast_kernel=FastKernel(_length, argument=np.dtype(np.float64)))
def vector_norm(
    x: NDArray,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Any:
    """Find the norm of each vector."""
    check_no_bool("linalg.vector_norm", axis)
    common.check_order(ord)
    if isinstance(axis, list):
        axis = tuple(axis)
    if common.is_norm_of_nothing(x.shape, ord):
        return np.abs(_floating(x)).sum(axis=axis, keepdims=keepdims)
    return np.linalg.vector_norm(x, axis=cast(Any, axis), keepdims=keepdims, ord=ord)
