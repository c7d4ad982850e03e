"""The body of linalg.lu: elimination in halves, whose steps depend on the shape alone."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.linalg import check_matrix, raise_not_finite_error
from arrayapi_unify.functional._common import BodyArray, floating, is_surely, unchecked
from arrayapi_unify.functional._linalg import triangular_solution

__all__ = ["lu"]


def lu(x: BodyArray, p_indices: bool) -> tuple[Array, Array, Array]:
    """Return the permutation, as matrices or as indices, and both factors."""
    xp, x = x.__array_namespace__(), floating(x)
    check_matrix("linalg.lu", x.shape)
    if is_surely(xp.any(xp.logical_not(xp.isfinite(x)))):
        raise_not_finite_error("lu")
    order, lower, upper = _factors(xp, x)
    if p_indices:
        return xp.argsort(order, axis=-1), lower, upper
    rows = xp.arange(x.shape[-2], dtype=order.dtype, device=x.device)
    places = rows[:, None] == order[..., None, :]
    return xp.astype(places, xp.real(x[..., :0, :0]).dtype), lower, upper


def _rows(xp: Any, x: BodyArray, order: BodyArray) -> Array:
    """Return the rows of matrices in an order of their own each."""
    return unchecked(xp.take_along_axis, x, xp.broadcast_to(order[..., None], x.shape), axis=-2)


def _factors(xp: Any, x: BodyArray) -> tuple[Array, Array, Array]:
    """Return the order in which ``x[order] == lower @ upper``, and the two factors.

    The left half of the columns is eliminated, then the right one below its rows. The order takes
    the first of the largest elements as the pivot, as LAPACK does.
    """
    *stack, rows, columns = x.shape
    half = min(rows, columns) // 2
    if min(rows, columns) < 2:
        return _column(xp, x)
    order, left, corner = _factors(xp, x[..., :half])
    right = _rows(xp, x[..., half:], order)
    top = right[..., :half, :]
    if half > 1:
        top = triangular_solution(left[..., :half, :], top, 0, lower=True, unit_diagonal=True)
    rest = right[..., half:, :] - xp.matmul(left[..., half:, :], top)
    below, lower, upper = _factors(xp, rest)
    beside = xp.zeros((*stack, half, lower.shape[-1]), dtype=x.dtype, device=x.device)
    under = xp.zeros((*stack, upper.shape[-2], half), dtype=x.dtype, device=x.device)
    head = xp.concat([left[..., :half, :], beside], axis=-1)
    tail = xp.concat([_rows(xp, left[..., half:, :], below), lower], axis=-1)
    first = xp.concat([corner, top], axis=-1)
    last = xp.concat([under, upper], axis=-1)
    later = unchecked(xp.take_along_axis, order[..., half:], below, axis=-1)
    return (
        xp.concat([order[..., :half], later], axis=-1),
        xp.concat([head, tail], axis=-2),
        xp.concat([first, last], axis=-2),
    )


def _column(xp: Any, x: BodyArray) -> tuple[Array, Array, Array]:
    """Return the factors of matrices of one column, of one row, or of nothing."""
    *stack, rows, columns = x.shape
    order = xp.arange(rows, dtype=xp.int64, device=x.device)
    if not rows or not columns:
        return xp.broadcast_to(order, (*stack, rows)), x[..., :0], x[..., :0, :]
    first = x[..., 0]
    size = xp.abs(first) if x.dtype.kind == "f" else xp.abs(xp.real(first)) + xp.abs(xp.imag(first))
    pivot = xp.argmax(size, axis=-1, keepdims=True)
    order = xp.where(order == pivot, 0, xp.where(order == 0, pivot, order))
    x = _rows(xp, x, order)
    top = x[..., :1, :1]
    multiples = x[..., 1:, :1] / xp.where(top == 0, 1, top)
    return order, xp.concat([xp.ones_like(top), multiples], axis=-2), x[..., :1, :]
