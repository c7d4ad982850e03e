"""Oracles of linear algebra.

Products are summed in extended precision. Factorizations are those of NumPy's LAPACK in double
precision, which has twice the digits of float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg

from tests.differential.oracle._registry import ORACLES, floating, floats, narrow, oracle, wide
from tests.differential.oracle.promotion import promoted
from tests.differential.oracle.statistical import _summed

__all__ = ["products"]


def products(name: str) -> Callable[..., Any]:
    """Return a sum of products of two arrays, rounded once; integers wrap around as NumPy's."""
    function = getattr(np, name, None) or getattr(np.linalg, name)

    def computed(x1: Any, x2: Any, /, **kwargs: Any) -> Any:
        common = np.dtype(promoted(x1.dtype.name, x2.dtype.name))
        if common.kind in "fc":
            return narrow(function(wide(x1), wide(x2), **kwargs), common)
        return function(x1.astype(common), x2.astype(common), **kwargs)

    return computed


ORACLES.update({n: products(n) for n in ("matmul", "tensordot", "vecdot")})
ORACLES.update({f"linalg.{n}": products(n) for n in ("cross", "outer")})


@oracle("kron")
def _kron(x1: Any, x2: Any, /) -> Any:
    # One product each, without a sum: in the data type itself, so that nothing is rounded twice.
    common = promoted(x1.dtype.name, x2.dtype.name)
    return np.kron(x1.astype(common), x2.astype(common))


@oracle("einsum")
def _einsum(equation: str, /, *operands: Any) -> Any:
    common = np.dtype(promoted(*(x.dtype.name for x in operands)))
    if common.kind in "fc":
        return narrow(np.einsum(equation, *map(wide, operands)), common)
    return np.einsum(equation, *(x.astype(common) for x in operands))


@oracle("diag")
def _diag(x: Any, /, *, k: int = 0) -> Any:
    return np.diag(x, k)


def _within(offset: int) -> int:
    """Return an offset within a C int; any larger one is beyond the matrix, too."""
    return max(min(offset, 2**30), -(2**30))


@oracle("linalg.diagonal")
def _diagonal(x: Any, /, *, offset: int = 0) -> Any:
    return np.linalg.diagonal(x, offset=_within(offset))


@oracle("linalg.trace")
def _trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    return _summed(np.sum, _diagonal(x, offset=offset), dtype, axis=-1)


# --- factorizations -----------------------------------------------------------------------------


def doubled(x: Any) -> Any:
    """Return an array in double precision, which LAPACK supports."""
    x = floats(x)
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _rounded(found: Any, x: Any) -> Any:
    """Round to the precision of x, real numbers to real ones."""
    single = floats(x).dtype in (np.float32, np.complex64)
    if isinstance(found, tuple):
        parts = [_rounded(part, x) for part in found]
        return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
    kind = np.asarray(found).dtype.kind
    return np.asarray(found).astype({"f": "f4", "c": "c8"}[kind] if single else found.dtype)


def _decomposed(name: str) -> Callable[..., Any]:
    function = getattr(np.linalg, name)
    return lambda x, /, *args, **kwargs: _rounded(function(doubled(x), *args, **kwargs), x)


ORACLES.update(
    {
        f"linalg.{n}": _decomposed(n)
        for n in (
            "cholesky", "det", "eigh", "eigvalsh", "inv", "matrix_norm", "norm", "qr",
            "slogdet", "svd", "svdvals",
        )
    }
)  # fmt: skip


@oracle("linalg.cond")
def _cond(x: Any, /, p: Any = None) -> Any:
    # NumPy 2.2's norms of complex matrices may be complex.
    return _rounded(np.linalg.cond(doubled(x), p).real, x)


class LUResult(NamedTuple):
    """The result of `lu`, for which SciPy has a plain tuple."""

    P: Any
    L: Any
    U: Any


@oracle("linalg.lu")
def _lu(x: Any, /, *, p_indices: bool = False) -> Any:
    # SciPy's permutation of a matrix of one element is complex, and that of no columns is empty.
    rows, wanted = x.shape[-2], doubled(x)
    p, lower, upper = scipy.linalg.lu(wanted, p_indices=p_indices)
    if not x.size:
        p = np.arange(rows) if p_indices else np.eye(rows)
        p = np.broadcast_to(p, (*x.shape[:-2], *p.shape))
        wide, k = wanted.dtype, min(x.shape[-2:])
        lower, upper = np.eye(rows, k, dtype=wide), np.zeros((k, x.shape[-1]), wide)
        lower, upper = (np.broadcast_to(f, (*x.shape[:-2], *f.shape)) for f in (lower, upper))
    p = p.astype(np.int64) if p_indices else _rounded(p.real, x)
    return LUResult(p, _rounded(lower, x), _rounded(upper, x))


@oracle("linalg.expm")
def _expm(x: Any, /) -> Any:
    # The Taylor series of a small fraction of the matrix, squared again in extended precision.
    a = wide(x)
    n = a.shape[-1]
    size = float(np.max(np.sum(np.abs(a), axis=-1), initial=0.0))
    squarings = max(0, math.ceil(math.log2(size)) + 3) if size else 0
    found = term = np.broadcast_to(np.eye(n, dtype=a.dtype), a.shape)
    for k in range(1, 20):  # 8**-20 / 20! is far below the rounding errors
        term = term @ a / 2**squarings / k
        found = found + term
    for _ in range(squarings):
        found = found @ found
    return narrow(found, floating(x))


def _complex(x: Any) -> Any:
    """Return complex numbers: eigenvalues are complex even if all are real."""
    return doubled(x).astype(np.complex128)


@oracle("linalg.eig")
def _eig(x: Any, /) -> Any:
    found = np.linalg.eig(doubled(x))
    return _rounded(type(found)(*(v.astype(np.complex128) for v in found)), x)


@oracle("linalg.eigvals")
def _eigvals(x: Any, /) -> Any:
    return _rounded(np.linalg.eigvals(doubled(x)).astype(np.complex128), x)


@oracle("linalg.matrix_power")
def _matrix_power(x: Any, n: int, /) -> Any:
    return _rounded(np.linalg.matrix_power(doubled(x), n), x)


@oracle("linalg.matrix_rank")
def _matrix_rank(x: Any, /, *, rtol: Any = None) -> Any:
    x = floats(x)
    if rtol is None:
        rtol = max(x.shape[-2:]) * np.finfo(x.dtype).eps
    if 0 in x.shape[-2:]:  # NumPy 2.2 refuses them
        return np.zeros(np.broadcast_shapes(x.shape[:-2], np.shape(rtol)), np.int64)
    return np.linalg.matrix_rank(doubled(x), rtol=rtol)


@oracle("linalg.pinv")
def _pinv(x: Any, /, *, rtol: Any = None) -> Any:
    x = floats(x)
    if rtol is None:
        rtol = max(x.shape[-2:]) * np.finfo(x.dtype).eps
    return _rounded(np.linalg.pinv(doubled(x), rtol=rtol), x)


@oracle("linalg.solve")
def _solve(x1: Any, x2: Any, /) -> Any:
    common = floating(x1, x2)
    found = np.linalg.solve(doubled(x1), doubled(x2))
    return narrow(found, common)


@oracle("linalg.solve_triangular")
def _solve_triangular(
    a: Any, b: Any, /, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False
) -> Any:
    common, wanted = floating(a, b), np.tril(doubled(a)) if lower else np.triu(doubled(a))
    if unit_diagonal:
        wanted[..., range(a.shape[-1]), range(a.shape[-1])] = 1
    if trans not in (0, "N"):
        wanted = np.swapaxes(wanted if trans in (1, "T") else np.conj(wanted), -1, -2)
    return narrow(np.linalg.solve(wanted, doubled(b)), common)


class LstsqResult(NamedTuple):
    """The result of `lstsq`, for which NumPy has a plain tuple."""

    x: Any
    residuals: Any
    rank: Any
    s: Any


@oracle("linalg.lstsq")
def _lstsq(a: Any, b: Any, /, rcond: Any = None) -> Any:
    a, b, common = doubled(a), doubled(b), floating(a, b)
    columns = b[:, None] if b.ndim == 1 else b
    s = np.linalg.svd(a, compute_uv=False)
    eps = np.finfo(common).eps
    rcond = max(a.shape[-2:]) * eps if rcond is None else eps if rcond < 0 else rcond
    x = np.linalg.pinv(a, rcond) @ columns
    squares = np.abs(columns - a @ x) ** 2
    residuals = np.sum(squares[..., : squares.shape[-1] * (a.shape[-2] > a.shape[-1])], axis=-2)
    rank = np.sum(s > rcond * s[..., :1], axis=-1)
    real = np.finfo(common).dtype
    x = narrow(x[..., 0] if b.ndim == 1 else x, common)
    return LstsqResult(x, narrow(residuals, real), rank, narrow(s, real))


@oracle("linalg.vector_norm")
def _vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    found = np.linalg.vector_norm(wide(x), axis=axis, keepdims=keepdims, ord=ord)
    return narrow(found, np.finfo(floats(x).dtype).dtype)
