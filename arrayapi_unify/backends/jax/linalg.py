"""The linalg extension for the JAX backend."""

from __future__ import annotations

import operator
from typing import Any, Literal

import jax.numpy as jnp
import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common import linalg as common
from arrayapi_unify.backends._common.axes import normalize_axes
from arrayapi_unify.backends.jax import statistical
from arrayapi_unify.backends.jax._core import Arr, cast, floating, is_traced, promoted
from arrayapi_unify.backends.jax.dtypes import DTYPES

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


def _regular(function: str, result: Arr, *arguments: Arr) -> Arr:
    """Return the result; refuse a singular matrix, of which JAX makes NaN or infinity.

    Traced values aren't known, so there the result stays as it is.
    """
    if any(map(is_traced, (result, *arguments))) or bool(jnp.all(jnp.isfinite(result))):
        return result
    if all(bool(jnp.all(jnp.isfinite(x))) for x in arguments):
        common.refuse_singular(f"linalg.{function}", "x1" if function == "solve" else "x")
    return result


# --- products ---------------------------------------------------------------------------------


def cross(x1: Arr, x2: Arr, /, *, axis: int = -1) -> Arr:
    """Multiply."""
    axis = common.cross_axis(x1.shape, x2.shape, axis)
    first, second = jnp.broadcast_arrays(*promoted(x1, x2))
    return jnp.cross(first, second, axis=axis)


def outer(x1: Arr, x2: Arr, /) -> Arr:
    """Multiply each element with each other."""
    common.check_outer(x1.shape, x2.shape)
    return jnp.multiply(*promoted(x1[:, None], x2[None, :]))


def matrix_power(x: Arr, n: int, /) -> Arr:
    """Multiply."""
    common.check_matrix("linalg.matrix_power", x.shape, square=True)
    result = jnp.linalg.matrix_power(floating(x), operator.index(n))
    return _regular("matrix_power", result, x) if n < 0 else result


# --- parts of a matrix ------------------------------------------------------------------------


def diagonal(x: Arr, /, *, offset: int = 0) -> Arr:
    """Take the diagonal."""
    common.check_matrix("linalg.diagonal", x.shape)
    return jnp.diagonal(x, common.diagonal_offset(x.shape, offset), -2, -1)


def trace(x: Arr, /, *, offset: int = 0, dtype: np.dtype[Any] | None = None) -> Arr:
    """Sum the diagonal, in the data type of `sum`."""
    return statistical.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


# --- decompositions ---------------------------------------------------------------------------


def _square(function: str, x: Arr) -> Arr:
    common.check_matrix(f"linalg.{function}", x.shape, square=True)
    return floating(x)


def cholesky(x: Arr, /, *, upper: bool = False) -> Arr:
    """Decompose; JAX would average the two triangles."""
    result = jnp.linalg.cholesky(_square("cholesky", x), upper=upper, symmetrize_input=False)
    return _regular("cholesky", result, x)


def eig(x: Arr, /) -> tuple[Arr, Arr]:
    """Decompose."""
    values, vectors = jnp.linalg.eig(_square("eig", x))
    return values, vectors


def eigvals(x: Arr, /) -> Arr:
    """Find the eigenvalues."""
    return jnp.linalg.eigvals(_square("eigvals", x))


def eigh(x: Arr, /) -> tuple[Arr, Arr]:
    """Decompose, by the lower triangle as NumPy."""
    values, vectors = jnp.linalg.eigh(_square("eigh", x), symmetrize_input=False)
    return values, vectors


def eigvalsh(x: Arr, /) -> Arr:
    """Find the eigenvalues."""
    return jnp.linalg.eigvalsh(_square("eigvalsh", x), symmetrize_input=False)


def qr(x: Arr, /, *, mode: Literal["reduced", "complete"] = "reduced") -> tuple[Arr, Arr]:
    """Decompose."""
    common.check_qr(mode)
    common.check_matrix("linalg.qr", x.shape)
    q, r = jnp.linalg.qr(floating(x), mode)
    return q, r


def svd(x: Arr, /, *, full_matrices: bool = True) -> tuple[Arr, Arr, Arr]:
    """Decompose."""
    common.check_matrix("linalg.svd", x.shape)
    u, s, vh = jnp.linalg.svd(floating(x), full_matrices)
    return u, s, vh


def svdvals(x: Arr, /) -> Arr:
    """Find the singular values."""
    common.check_matrix("linalg.svdvals", x.shape)
    return jnp.linalg.svdvals(floating(x))


# --- solutions --------------------------------------------------------------------------------


def inv(x: Arr, /) -> Arr:
    """Invert."""
    return _regular("inv", jnp.linalg.inv(_square("inv", x)), x)


def pinv(x: Arr, /, *, rtol: Arr | float | None = None) -> Arr:
    """Invert."""
    common.check_matrix("linalg.pinv", x.shape)
    return jnp.linalg.pinv(floating(x), rtol=rtol)


def solve(x1: Arr, x2: Arr, /) -> Arr:
    """Solve."""
    common.check_solvable(x1.shape, x2.shape)
    x1, x2 = map(floating, promoted(x1, x2))
    return _regular("solve", jnp.linalg.solve(x1, x2), x1, x2)


# --- numbers ----------------------------------------------------------------------------------


def det(x: Arr, /) -> Arr:
    """Find the determinant."""
    x = _square("det", x)
    # JAX can't differentiate that of no elements.
    return jnp.linalg.det(x) if x.size else jnp.ones(x.shape[:-2], x.dtype)


def slogdet(x: Arr, /) -> tuple[Arr, Arr]:
    """Find the sign and logarithm of the determinant."""
    sign, logarithm = jnp.linalg.slogdet(_square("slogdet", x))
    return sign, logarithm


def matrix_rank(x: Arr, /, *, rtol: Arr | float | None = None) -> Arr:
    """Find the rank."""
    common.check_matrix("linalg.matrix_rank", x.shape)
    if 0 in x.shape[-2:]:
        return jnp.zeros(x.shape[:-2], DTYPES[dtypes.default_int()])
    rank = jnp.linalg.matrix_rank(floating(x), rtol=rtol)
    return cast(rank, DTYPES[dtypes.default_int()])


def matrix_norm(
    x: Arr,
    /,
    *,
    keepdims: bool = False,
    ord: float | Literal["fro", "nuc"] | None = "fro",
) -> Arr:
    """Find the norm of each matrix."""
    order: Any = ord  # JAX's hints lack floats
    common.check_matrix("linalg.matrix_norm", x.shape)
    return jnp.linalg.matrix_norm(floating(x), keepdims=keepdims, ord=order)


def vector_norm(
    x: Arr,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Arr:
    """Find the norm of each vector."""
    axes = normalize_axes("linalg.vector_norm", axis, x.ndim)
    order: Any = ord
    return jnp.linalg.vector_norm(floating(x), axis=axes, keepdims=keepdims, ord=order)
