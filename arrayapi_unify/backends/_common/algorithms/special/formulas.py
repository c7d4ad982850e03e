"""Polynomials, and the choice between two formulas, without a computation that isn't needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Array: TypeAlias = Any
Formula = Callable[..., Array]


def choose(
    xp: Any,
    condition: Array,
    arrays: Sequence[Array],
    first: tuple[Formula, Sequence[float]],
    second: tuple[Formula, Sequence[float]],
) -> Array:
    """Return the first formula's result where a condition holds, and the second one's elsewhere.

    A formula comes with one number of its domain for each array, which it gets in place of the
    numbers of the other: what it computes of those could be infinite, or have NaN for a derivative.
    If the values are known, each formula gets its own elements only.
    """
    everywhere = xp.holds(condition)
    if everywhere is not None:
        return (first if everywhere else second)[0](*arrays)
    if xp.compresses(*arrays):
        found = xp.empty_like(arrays[0])
        for (formula, _), mask in ((first, condition), (second, ~condition)):
            found[mask] = formula(*(x[mask] for x in arrays))
        return found
    one, other = (
        formula(
            *(_replaced(xp, condition, *pair, kept) for pair in zip(arrays, numbers, strict=True))
        )
        for (formula, numbers), kept in ((first, True), (second, False))
    )
    return xp.where(condition, one, other)


def _replaced(xp: Any, condition: Array, x: Array, number: float, kept: bool) -> Array:
    return xp.where(condition, x, number) if kept else xp.where(condition, number, x)


def polynomial(coefficients: Sequence[float], x: Array) -> Array:
    """Return the polynomial with these coefficients, of the lowest power first."""
    *rest, last = coefficients
    total: Any = last
    for coefficient in reversed(rest):
        total = x * total + coefficient
    return total
