"""The linalg extension for the JAX backend."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify import dtypes
from arrayapi_unify._core.lazy_access import trust
from arrayapi_unify.backends._common.checks import linalg as common
from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.jax import statistical
from arrayapi_unify.backends.jax._core import JaxArray, cast, floating, is_traced, promoted
from arrayapi_unify.backends.jax._derivatives import symmetric
from arrayapi_unify.backends.jax._looks import is_split
from arrayapi_unify.backends.jax._minmax import through_nan
from arrayapi_unify.backends.jax.dtypes import BY_NAME

__getattr__, __dir__ = make_extension_getattr(__name__)


def _finite_each(x: JaxArray, lower: bool) -> JaxArray:
    """Return a flag per matrix: True if it is finite, in its lower triangle for `lower`."""
    finite = jnp.isfinite(x)
    if lower:
        rows, columns = x.shape[-2:]
        finite |= ~jnp.tri(rows, columns, dtype=bool)
    return jnp.all(finite, axis=(-2, -1), keepdims=True)


def _finite_ones(x: JaxArray, lower: bool) -> tuple[JaxArray, JaxArray]:
    """Return the flags of finite matrices and one for all, in a single XLA call to save time."""
    finite = _finite_each(x, lower)
    return finite, jnp.all(finite)


_whole_ones, _lower_ones = (
    jax.jit(functools.partial(_finite_ones, lower=lower)) for lower in (False, True)
)


_all_finite = jax.jit(lambda x: jnp.all(jnp.isfinite(x)))


def _known_false(flag: JaxArray) -> bool:
    """Return True if a flag isn't traced and is False; NumPy reads it faster than JAX does.

    On several devices it isn't read where a body answers for the values.
    """
    if is_traced(flag) or (trust.given and is_split(flag)):
        return False
    return not np.asarray(flag)


def _checked(function: Callable[..., JaxArray]) -> Callable[..., tuple[JaxArray, JaxArray]]:
    """Compile a solution that also returns True if its result is finite."""

    @jax.jit
    def checked(*arrays: JaxArray) -> tuple[JaxArray, JaxArray]:
        result = function(*arrays)
        return result, jnp.all(jnp.isfinite(result))

    return checked


def _finite(function: str, x: JaxArray, lower: bool = False) -> JaxArray:
    """Return floating-point matrices; refuse NaN and infinities, with which LAPACK can hang.

    Of those that read the lower triangle only, the other one holds what it likes. Python waits for
    the matrices here, and not for what they are decomposed into: JAX computes that beside Python.

    Traced values aren't known: there a matrix with an infinity is one of NaN, which doesn't hang.
    """
    x = floating(x)
    finite, all_of_them = (_lower_ones if lower else _whole_ones)(x)
    if is_traced(finite):
        return jnp.where(finite, x, jnp.nan)
    if _known_false(all_of_them):
        common.raise_not_finite_error(function)
    return x


def _regular(
    function: str, result_and_finite: tuple[JaxArray, JaxArray], *arguments: JaxArray
) -> JaxArray:
    """Return the result; refuse a singular matrix, of which JAX makes NaN or infinity.

    Traced values aren't known, so there the result stays as it is.
    """
    result, finite = result_and_finite
    if not _known_false(finite):
        return result
    if all(map(_all_finite, arguments)):
        common.raise_singular_error(f"linalg.{function}", "x1" if function == "solve" else "x")
    return result


# --- products ---------------------------------------------------------------------------------


def cross(x1: JaxArray, x2: JaxArray, /, *, axis: int = -1) -> JaxArray:
    """Multiply."""
    axis = common.cross_axis(x1.shape, x2.shape, axis)
    first, second = jnp.broadcast_arrays(*promoted(x1, x2))
    return jnp.cross(first, second, axis=axis)


def outer(x1: JaxArray, x2: JaxArray, /) -> JaxArray:
    """Multiply each element with each other."""
    common.check_outer(x1.shape, x2.shape)
    return jnp.multiply(*promoted(x1[:, None], x2[None, :]))


def matrix_power(x: JaxArray, n: int, /) -> JaxArray:
    """Multiply."""
    common.check_matrix("linalg.matrix_power", x.shape, square=True)
    x, n = floating(x), operator.index(n)
    if n < 0:  # the inverse is looked at: its power may well overflow
        x, n = _regular("matrix_power", _inv(x), x), -n
    return jnp.linalg.matrix_power(x, n)


# --- parts of a matrix ------------------------------------------------------------------------


def diagonal(x: JaxArray, /, *, offset: int = 0) -> JaxArray:
    """Take the diagonal."""
    common.check_matrix("linalg.diagonal", x.shape)
    return jnp.diagonal(x, common.diagonal_offset(x.shape, offset), -2, -1)


def trace(x: JaxArray, /, *, offset: int = 0, dtype: np.dtype[Any] | None = None) -> JaxArray:
    """Sum the diagonal, in the data type of `sum`."""
    common.check_matrix("linalg.trace", x.shape)
    return statistical.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


# --- decompositions ---------------------------------------------------------------------------


def _square(function: str, x: JaxArray) -> JaxArray:
    common.check_matrix(f"linalg.{function}", x.shape, square=True)
    return floating(x)


def _finite_square(function: str, x: JaxArray, lower: bool = False) -> JaxArray:
    return _finite(function, _square(function, x), lower)


def _cholesky(x: JaxArray, upper: bool) -> tuple[JaxArray, JaxArray]:
    """Decompose, and say whether there was a result.

    JAX would average the two triangles, or read the lower one for both factors.
    """
    x = symmetric(x)
    source = jnp.conj(jnp.matrix_transpose(x)) if upper else x
    factor = lax.linalg.cholesky(source, symmetrize_input=False)
    result = jnp.conj(jnp.matrix_transpose(factor)) if upper else factor
    return result, jnp.all(jnp.isfinite(jnp.diagonal(result, 0, -2, -1)))


# One for each, as a static argument makes calls slower.
_lower, _upper = (jax.jit(functools.partial(_cholesky, upper=u)) for u in (False, True))


def cholesky(x: JaxArray, /, *, upper: bool = False) -> JaxArray:
    """Decompose."""
    result, finite = (_upper if upper else _lower)(_square("cholesky", x))
    if _known_false(finite):
        common.raise_singular_error("linalg.cholesky")
    return result


def eig(x: JaxArray, /) -> tuple[JaxArray, JaxArray]:
    """Decompose."""
    values, vectors = jnp.linalg.eig(_finite_square("eig", x))
    return values, vectors


def eigvals(x: JaxArray, /) -> JaxArray:
    """Find the eigenvalues."""
    return jnp.linalg.eigvals(_finite_square("eigvals", x))


# By the lower triangle, as NumPy.
_eigh = jax.jit(lambda x: jnp.linalg.eigh(symmetric(x), symmetrize_input=False))
_eigvalsh = jax.jit(lambda x: jnp.linalg.eigh(symmetric(x), symmetrize_input=False)[0])


def eigh(x: JaxArray, /) -> tuple[JaxArray, JaxArray]:
    """Decompose."""
    values, vectors = _eigh(_finite_square("eigh", x, lower=True))
    return values, vectors


def eigvalsh(x: JaxArray, /) -> JaxArray:
    """Find the eigenvalues."""
    return _eigvalsh(_finite_square("eigvalsh", x, lower=True))


def qr(
    x: JaxArray, /, *, mode: Literal["reduced", "complete"] = "reduced"
) -> tuple[JaxArray, JaxArray]:
    """Decompose."""
    common.check_qr(mode)
    common.check_matrix("linalg.qr", x.shape)
    q, r = _qr(floating(x), mode)
    return q, r


@functools.partial(jax.jit, static_argnums=1)
def _qr(x: JaxArray, mode: Literal["reduced", "complete"]) -> tuple[JaxArray, JaxArray]:
    plain, scaled = (functools.partial(f, mode=mode) for f in (_plain_qr, _scaled_qr))
    if x.size == 0:
        return plain(x)
    q, r = jax.lax.platform_dependent(x, cpu=plain, default=scaled)
    return q, r


def _plain_qr(x: JaxArray, mode: Literal["reduced", "complete"]) -> tuple[JaxArray, JaxArray]:
    q, r = jnp.linalg.qr(x, mode)
    return q, r


def _scaled_qr(x: JaxArray, mode: Literal["reduced", "complete"]) -> tuple[JaxArray, JaxArray]:
    """Decompose after a scaling by powers of two to elements below 8.

    CUDA squares the elements of stacks of matrices, so that elements above the root of the largest
    number would overflow.
    """
    larger = jnp.maximum(jnp.abs(x.real), jnp.abs(x.imag))
    size = jnp.max(jax.lax.stop_gradient(larger), (-2, -1), keepdims=True)
    size = jnp.maximum(size, 16 * float(np.finfo(size.dtype).tiny))
    scale = jnp.where(jnp.isfinite(size), 8 * jnp.frexp(size)[0] / size, 1.0)
    q, r = _plain_qr(x * scale, mode)
    return q, r / scale


def lu(x: JaxArray, /, *, p_indices: bool = False) -> tuple[JaxArray, JaxArray, JaxArray]:
    """Decompose."""
    common.check_matrix("linalg.lu", x.shape)
    p, lower, upper = _lu(_finite("lu", x), p_indices)
    return p, lower, upper


@functools.partial(jax.jit, static_argnums=1)
def _lu(x: JaxArray, p_indices: bool) -> tuple[JaxArray, JaxArray, JaxArray]:
    """Return the factors, and the permutation as matrices or as indices."""
    packed, _, order = jax.lax.linalg.lu(x)
    rows, columns = x.shape[-2:]
    k = min(rows, columns)
    lower = jnp.tril(packed[..., :k], -1) + jnp.eye(rows, k, dtype=x.dtype)
    upper = jnp.triu(packed[..., :k, :])
    if p_indices:
        return jnp.argsort(order).astype(jnp.int64), lower, upper
    p = jnp.arange(rows, dtype=order.dtype)[:, None] == order[..., None, :]
    return p.astype(x.real.dtype), lower, upper


def svd(x: JaxArray, /, *, full_matrices: bool = True) -> tuple[JaxArray, JaxArray, JaxArray]:
    """Decompose."""
    common.check_matrix("linalg.svd", x.shape)
    u, s, vh = jnp.linalg.svd(_finite("svd", x), full_matrices)
    return u, s, vh


def svdvals(x: JaxArray, /) -> JaxArray:
    """Find the singular values."""
    common.check_matrix("linalg.svdvals", x.shape)
    return jnp.linalg.svdvals(_finite("svdvals", x))


# --- solutions --------------------------------------------------------------------------------


_inv, _solve = _checked(jnp.linalg.inv), _checked(jnp.linalg.solve)


def inv(x: JaxArray, /) -> JaxArray:
    """Invert."""
    return _regular("inv", _inv(_square("inv", x)), x)


def pinv(x: JaxArray, /, *, rtol: JaxArray | float | None = None) -> JaxArray:
    """Invert."""
    common.check_matrix("linalg.pinv", x.shape)
    return jnp.linalg.pinv(_finite("pinv", x), rtol=common.check_tolerance(rtol))


def solve(x1: JaxArray, x2: JaxArray, /) -> JaxArray:
    """Solve."""
    common.check_solvable(x1.shape, x2.shape)
    x1, x2 = map(floating, promoted(x1, x2))
    if x2.ndim > 1 and not x2.shape[-1]:
        _regular("solve", _inv(x1), x1)  # there is no solution that says whether x1 is singular
    if 1 < x2.ndim < x1.ndim:
        # Some versions take matrices with one axis less for a stack of vectors.
        x2 = jnp.expand_dims(x2, tuple(range(x1.ndim - x2.ndim)))
    return _regular("solve", _solve(x1, x2), x1, x2)


# --- numbers ----------------------------------------------------------------------------------


def det(x: JaxArray, /) -> JaxArray:
    """Find the determinant."""
    x = _square("det", x)
    # JAX can't differentiate that of no elements.
    return jnp.linalg.det(x) if x.size else jnp.ones(x.shape[:-2], x.dtype)


def slogdet(x: JaxArray, /) -> tuple[JaxArray, JaxArray]:
    """Find the sign and logarithm of the determinant."""
    sign, logarithm = jnp.linalg.slogdet(_square("slogdet", x))
    return sign, logarithm


def matrix_rank(x: JaxArray, /, *, rtol: JaxArray | float | None = None) -> JaxArray:
    """Find the rank."""
    common.check_matrix("linalg.matrix_rank", x.shape)
    if (shape := common.ranks_of_nothing(x.shape, rtol)) is not None:
        return jnp.zeros(shape, BY_NAME[dtypes.held_int().value.name])
    tolerance = common.check_tolerance(rtol)
    rank = jnp.linalg.matrix_rank(_finite("matrix_rank", x), rtol=tolerance)
    return cast(rank, BY_NAME[dtypes.held_int().value.name])


def _flat_at_zero(x: JaxArray) -> JaxArray:
    """Return x, without derivatives at zeros: those of JAX's absolute value are 1 there."""
    return jnp.where(x == 0, jax.lax.stop_gradient(x), x) if is_traced(x) else x


def matrix_norm(
    x: JaxArray, /, *, keepdims: bool = False, ord: float | Literal["fro", "nuc"] | None = "fro"
) -> JaxArray:
    """Find the norm of each matrix."""
    order: Any = ord  # JAX's hints lack floats
    common.check_matrix("linalg.matrix_norm", x.shape)
    x = _finite("matrix_norm", x) if ord in common.BY_SINGULAR_VALUES else floating(x)
    if common.is_norm_of_nothing(x.shape, ord):
        return jnp.sum(jnp.abs(x), axis=(-2, -1), keepdims=keepdims)
    if ord not in (1, -1, math.inf, -math.inf):
        return jnp.linalg.matrix_norm(x, keepdims=keepdims, ord=order)
    result = jnp.linalg.matrix_norm(_flat_at_zero(x), keepdims=keepdims, ord=order)
    # The largest of the sums, of which XLA loses NaN: see `through_nan`.
    missing = jnp.any(jnp.isnan(jnp.abs(x)), axis=(-2, -1), keepdims=keepdims)
    return jnp.where(missing, jnp.nan, result)


def vector_norm(
    x: JaxArray,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> JaxArray:
    """Find the norm of each vector."""
    common.check_order(ord)
    axes = normalize_axes("linalg.vector_norm", axis, x.ndim)
    order: Any = ord
    x = floating(x)
    if common.is_norm_of_nothing(x.shape, ord):
        return jnp.sum(jnp.abs(x), axis=axes, keepdims=keepdims)
    if order != 2:
        x = _flat_at_zero(x)
    elif is_traced(
        x
    ):  # elements that are zero have a second derivative; a vector of zeros has none
        nothing = jnp.all(x == 0, axis=axes, keepdims=True)
        x = jnp.where(nothing, jax.lax.stop_gradient(x), x)
    if x.size and order in (math.inf, -math.inf):
        extreme = through_nan(jnp.max if order > 0 else jnp.min)
        return extreme(jnp.abs(x), axis=axes, keepdims=keepdims)
    return jnp.linalg.vector_norm(x, axis=axes, keepdims=keepdims, ord=order)
