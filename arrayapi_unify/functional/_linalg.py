"""Bodies of the functions of linalg that the standard lacks."""

from __future__ import annotations

import math
from typing import Any, Final

from arrayapi_unify import errors, limits
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.backends._common.checks.linalg import (
    check_matrix,
    check_norm,
    check_order,
    check_solvable,
    raise_not_finite_error,
    raise_singular_error,
)
from arrayapi_unify.errors import raise_argument_error, raise_value_error
from arrayapi_unify.functional._common import (
    BodyArray,
    floating,
    floating_together,
    is_surely,
    unchecked,
)

__all__ = ["condition", "least_squares", "norm", "triangular_solution"]


def norm(x: BodyArray, ord: Any, axis: Any, keepdims: bool) -> Array:
    """Return the norm of vectors (one axis) or of matrices (two axes)."""
    linalg = x.__array_namespace__().linalg
    if ord is axis is None and not keepdims:
        return linalg.vector_norm(x)
    check_order(ord)
    axes = normalize_axes("linalg.norm", axis, x.ndim)
    if ord is None and (axis is None or len(axes) in (1, 2)):
        return linalg.vector_norm(x, axis=axes, keepdims=keepdims)
    if len(axes) == 1:
        if isinstance(ord, str):
            problem = f"is {ord!r}, and the norm is one of vectors"
            raise_value_error("linalg.norm", "ord", problem, "pass a number")
        return linalg.vector_norm(x, axis=axes, keepdims=keepdims, ord=ord)
    if len(axes) != 2:
        problem = f"names {len(axes)} axes" if axis is not None else f"is None for {x.ndim} axes"
        remedy = "name one axis for vectors or two for matrices"
        raise_value_error("linalg.norm", "axis", problem, remedy)
    return _matrix_norm(x, "fro" if ord == "f" else ord, axes, keepdims)


def _matrix_norm(x: BodyArray, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Array:
    """Return the norm of matrices in the plane of two axes."""
    xp = x.__array_namespace__()
    check_norm([x.shape[a] for a in axes], ord, "linalg.norm")
    if ord == "fro":
        return xp.linalg.vector_norm(x, axis=axes, keepdims=keepdims)
    found = xp.linalg.matrix_norm(xp.moveaxis(x, axes, (-2, -1)), ord=ord)
    return xp.expand_dims(found, axis=tuple(sorted(axes))) if keepdims else found


_BY_SINGULAR_VALUES: Final = (None, 2, -2)


def condition(x: BodyArray, p: Any) -> Array:
    """Return the condition number, for which matrices that have none are replaced by ones."""
    by_values = p in _BY_SINGULAR_VALUES
    check_matrix("linalg.cond", x.shape, square=not by_values)
    if 0 in x.shape[-2:]:
        problem, remedy = f"has shape {tuple(x.shape)}", "pass matrices with elements"
        raise_argument_error(errors.UnifyLinAlgError, "linalg.cond", "x", problem, remedy)
    check_norm(x.shape, p, "linalg.cond", "p")
    xp, x = x.__array_namespace__(), floating(x)
    finite = xp.all(xp.isfinite(x), axis=(-2, -1), keepdims=True)
    found = (_ratio if by_values else _product)(xp, x, finite, p)
    missing = xp.any(xp.isnan(x), axis=(-2, -1))
    return xp.where(missing, math.nan, xp.where(finite[..., 0, 0], found, math.inf))


def _ratio(xp: Any, x: BodyArray, finite: BodyArray, p: Any) -> Array:
    """Return a quotient of the extreme singular values."""
    values = xp.linalg.svdvals(xp.where(finite, x, 1))
    ends = (values[..., 0], values[..., -1])
    over, under = ends[::-1] if p == -2 else ends
    zero = under == 0
    return xp.where(zero, math.inf, over / xp.where(zero, 1, under))


def _product(xp: Any, x: BodyArray, finite: BodyArray, p: Any) -> Array:
    """Return the norm times the norm of the inverse; infinity for a singular matrix."""
    unit = xp.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    x = xp.where(finite, x, unit)
    singular = xp.linalg.slogdet(x).sign == 0
    inverse = xp.linalg.inv(xp.where(singular[..., None, None], unit, x))
    found = xp.linalg.matrix_norm(x, ord=p) * xp.linalg.matrix_norm(inverse, ord=p)
    return xp.where(singular, math.inf, found)


_TRANSPOSED: Final = {0: 0, "N": 0, 1: 1, "T": 1, 2: 2, "C": 2}


def triangular_solution(
    a: BodyArray, b: BodyArray, trans: Any, lower: bool, unit_diagonal: bool
) -> Array:
    """Solve by `solve`, whose pivots are the diagonal for an upper triangular matrix.

    No rows are exchanged then, so that it substitutes only. A lower triangular matrix is an upper
    one in the other order of rows and columns.
    """
    function, xp = "linalg.solve_triangular", a.__array_namespace__()
    if trans not in _TRANSPOSED:
        raise_value_error(function, "trans", f"is {trans!r}", "pass 0, 1, 2, 'N', 'T' or 'C'")
    check_solvable(a.shape, b.shape, function, ("a", "b"))
    a, b = floating_together(a, b)
    a = xp.tril(a) if lower else xp.triu(a)
    if unit_diagonal:
        a = xp.where(xp.eye(a.shape[-1], dtype=xp.bool, device=a.device), 1, a)
    elif is_surely(xp.any(xp.linalg.diagonal(a) == 0)):
        raise_singular_error(function, "a")
    if transposed := _TRANSPOSED[trans]:
        a = xp.matrix_transpose(xp.conj(a) if transposed == 2 else a)
    if bool(lower) == bool(transposed):
        return xp.linalg.solve(a, b)
    rows = -1 if b.ndim == 1 else -2
    found = xp.linalg.solve(xp.flip(a, axis=(-2, -1)), xp.flip(b, axis=rows))
    return xp.flip(found, axis=rows)


def least_squares(a: BodyArray, b: BodyArray, rcond: Any) -> tuple[Array, Array, Array, Array]:
    """Return the solution by the pseudo-inverse, the residuals, the rank and singular values."""
    function, xp = "linalg.lstsq", a.__array_namespace__()
    check_matrix(function, a.shape, argument="a")
    rows, columns = a.shape[-2:]
    vector = b.ndim == 1
    if not b.ndim or b.shape[-1 if vector else -2] != rows:
        problem = f"has shape {tuple(b.shape)}, but a has shape {tuple(a.shape)}"
        raise_argument_error(
            errors.UnifyLinAlgError, function, "b", problem, f"pass {rows} rows"
        )  # fmt: skip
    a, b = floating_together(a, b)
    if is_surely(xp.any(xp.logical_not(xp.isfinite(a)))):
        raise_not_finite_error("lstsq", "a")
    eps = limits.finfo(a.dtype).eps
    rcond = max(rows, columns) * eps if rcond is None else eps if rcond < 0 else float(rcond)
    s = unchecked(xp.linalg.svdvals, a)
    rank = xp.sum(s > rcond * s[..., :1], axis=-1)
    b = xp.expand_dims(b, axis=-1) if vector else b
    x = xp.matmul(unchecked(xp.linalg.pinv, a, rtol=rcond), b)
    left = xp.abs(b - xp.matmul(a, x)) ** 2
    residuals = xp.sum(left if rows > columns else left[..., :0], axis=-2)
    return x[..., 0] if vector else x, residuals, rank, s
