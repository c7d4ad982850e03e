"""Bodies of the functions of linalg that the standard lacks."""

from __future__ import annotations

import math
from typing import Any, Final

from arrayapi_unify import errors
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.backends._common.checks.linalg import check_matrix, check_norm, check_order
from arrayapi_unify.errors import raise_argument_error, raise_value_error
from arrayapi_unify.functional._common import BodyArray, floating

__all__ = ["condition", "norm"]


def norm(x: BodyArray, ord: Any, axis: Any, keepdims: bool) -> Array:
    """Return the norm of vectors (one axis) or of matrices (two axes)."""
    linalg = x.__array_namespace__().linalg
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
