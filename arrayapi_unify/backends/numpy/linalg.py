"""The linalg extension for the NumPy backend."""

from __future__ import annotations

import operator
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common import linalg as common
from arrayapi_unify.backends._common.axes import check_no_bool
from arrayapi_unify.backends._common.flat import below
from arrayapi_unify.backends.numpy import statistical
from arrayapi_unify.backends.numpy._core import arrays_out
from arrayapi_unify.backends.numpy.dtypes import DTYPES

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
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "trace",
    "vector_norm",
]

__getattr__, __dir__ = below(__name__)

Arr = npt.NDArray[Any]


def _floating(x: Arr) -> Arr:
    """Return a floating-point array as it is, others as float64."""
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _finite(function: str, x: Arr, lower: bool = False) -> Arr:
    """Return matrices; refuse NaN and infinities, in the lower triangle if no other is read.

    NumPy itself looks in `eig` and `eigvals` only, and can hang in others.
    """
    if not np.isfinite(x).all():
        common.check_matrix(f"linalg.{function}", x.shape)
        if not lower or not np.isfinite(np.tril(x)).all():
            common.raise_not_finite_error(function)
    return x


def _complex(x: Arr) -> np.dtype[Any]:
    """Return the complex data type of x's precision."""
    return np.result_type(x.dtype, np.complex64) if x.dtype.kind in "fc" else np.dtype("c16")


# --- products ---------------------------------------------------------------------------------


def cross(x1: Arr, x2: Arr, /, *, axis: int = -1) -> Any:
    """Multiply; NumPy takes vectors of two elements too."""
    axis = common.cross_axis(x1.shape, x2.shape, axis)
    return np.cross(x1, x2, axis=axis)


def outer(x1: Arr, x2: Arr, /) -> Arr:
    """Multiply each element with each other; NumPy has a ufunc method for that."""
    common.check_outer(x1.shape, x2.shape)
    return np.multiply.outer(x1, x2)


def matrix_power(x: Arr, n: int, /) -> Arr:
    """Multiply; NumPy returns x itself for n = 1."""
    n = operator.index(n)
    result: Arr = np.linalg.matrix_power(_floating(x), n)
    return result.copy() if result is x else result


# --- parts of a matrix ------------------------------------------------------------------------


def diagonal(x: Arr, /, *, offset: int = 0) -> Arr:
    """View the diagonal; NumPy's view refuses writes."""
    return np.diagonal(x, common.diagonal_offset(x.shape, offset), -2, -1)


@arrays_out
def trace(x: Arr, /, *, offset: int = 0, dtype: np.dtype[Any] | None = None) -> Any:
    """Sum the diagonal, in the data type of `sum`."""
    return statistical.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


# --- decompositions ---------------------------------------------------------------------------


def cholesky(x: Arr, /, *, upper: bool = False) -> Arr:
    """Decompose."""
    result = np.linalg.cholesky(x, upper=upper)
    if not np.isfinite(np.diagonal(result, 0, -2, -1)).all():
        common.raise_singular_error("linalg.cholesky")
    return result


def eig(x: Arr, /) -> tuple[Arr, Arr]:
    """Decompose; NumPy returns real arrays where all eigenvalues are real, the standard never."""
    values, vectors = np.linalg.eig(_finite("eig", x))
    kind = _complex(x)
    return values.astype(kind, copy=False), vectors.astype(kind, copy=False)


def eigvals(x: Arr, /) -> Arr:
    """Find the eigenvalues; NumPy returns a real array where all of them are real."""
    return np.linalg.eigvals(_finite("eigvals", x)).astype(_complex(x), copy=False)


def eigh(x: Arr, /) -> tuple[Arr, Arr]:
    """Decompose."""
    return np.linalg.eigh(_finite("eigh", x, lower=True))


def eigvalsh(x: Arr, /) -> Arr:
    """Find the eigenvalues."""
    return np.linalg.eigvalsh(_finite("eigvalsh", x, lower=True))


def qr(x: Arr, /, *, mode: Literal["reduced", "complete"] = "reduced") -> tuple[Arr, Arr]:
    """Decompose, in one of the standard's modes; NumPy has others."""
    common.check_qr(mode)
    return np.linalg.qr(x, mode)


def svd(x: Arr, /, *, full_matrices: bool = True) -> tuple[Arr, Arr, Arr]:
    """Decompose."""
    return np.linalg.svd(_finite("svd", x), full_matrices)


def svdvals(x: Arr, /) -> Arr:
    """Find the singular values."""
    return np.linalg.svdvals(_finite("svdvals", x))


# --- solutions --------------------------------------------------------------------------------


def inv(x: Arr, /) -> Arr:
    """Invert."""
    return np.linalg.inv(x)


def pinv(x: Arr, /, *, rtol: Arr | float | None = None) -> Arr:
    """Invert; NumPy knows the default tolerance of floating-point data types only."""
    common.check_tolerance(rtol)
    stack = np.shape(rtol) if rtol is not None else ()
    if stack and x.ndim > 1:
        x = np.broadcast_to(x, np.broadcast_shapes(stack, x.shape[:-2]) + x.shape[-2:])
    result: Arr = np.linalg.pinv(_floating(_finite("pinv", x)), rtol=cast(Any, rtol))
    return result


def solve(x1: Arr, x2: Arr, /) -> Arr:
    """Solve; NumPy computes every mix with an integer array in double precision."""
    if x1.dtype != x2.dtype:
        kind = np.promote_types(x1.dtype, x2.dtype)
        x1, x2 = x1.astype(kind, copy=False), x2.astype(kind, copy=False)
    return np.linalg.solve(x1, x2)


# --- numbers ----------------------------------------------------------------------------------


@arrays_out
def det(x: Arr, /) -> Any:
    """Find the determinant."""
    return np.linalg.det(x)


@arrays_out
def slogdet(x: Arr, /) -> tuple[Any, Any]:
    """Find the sign and logarithm of the determinant."""
    return np.linalg.slogdet(x)


def matrix_rank(x: Arr, /, *, rtol: Arr | float | None = None) -> Arr:
    """Find the rank; NumPy takes vectors too, and before 2.4.5 no matrix without elements."""
    common.check_matrix("linalg.matrix_rank", x.shape)
    common.check_tolerance(rtol)
    dtype = DTYPES[dtypes.held_int().value]
    if (shape := common.ranks_of_nothing(x.shape, rtol)) is not None:
        return np.zeros(shape, dtype)
    rank = np.asarray(np.linalg.matrix_rank(_finite("matrix_rank", x), rtol=rtol))
    return rank.astype(dtype, copy=False)


@arrays_out
def matrix_norm(
    x: Arr,
    /,
    *,
    keepdims: bool = False,
    ord: float | Literal["fro", "nuc"] | None = "fro",
) -> Any:
    """Find the norm of each matrix."""
    common.check_matrix("linalg.matrix_norm", x.shape)
    if not isinstance(ord, str | int | float | np.generic | None):
        raise TypeError("an order is a number or a word")
    if ord in common.BY_SINGULAR_VALUES:
        _finite("matrix_norm", x)
    return np.linalg.matrix_norm(x, keepdims=keepdims, ord=ord)


@arrays_out
def vector_norm(
    x: Arr,
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
    return np.linalg.vector_norm(x, axis=cast(Any, axis), keepdims=keepdims, ord=ord)
