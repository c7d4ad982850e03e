"""Checks of the activation functions that natives and bodies share."""

from __future__ import annotations

from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.errors import UnifyValueError, raise_argument_error

__all__ = ["check_alpha", "check_approximation", "check_even"]


def check_alpha(function: str, alpha: float) -> None:
    """Raise for a width that isn't positive: it divides."""
    if not alpha > 0:
        problem, remedy = f"is {alpha}", "pass a positive number"
        raise_argument_error(UnifyValueError, function, "alpha", problem, remedy)


def check_approximation(approximate: str) -> None:
    """Raise for a word that names no approximation of `gelu`."""
    if approximate not in ("none", "tanh"):
        raise_argument_error(
            UnifyValueError, "gelu", "approximate", f"is {approximate!r}",
            "pass 'none' or 'tanh'",
        )  # fmt: skip


def check_even(function: str, axis: int, shape: tuple[int, ...]) -> tuple[int, int]:
    """Return an axis counted from 0 and half of its size; refuse what has no half."""
    axis = normalize_axis(function, axis, len(shape))
    if shape[axis] % 2:
        raise_argument_error(
            UnifyValueError, function, "x", f"has {shape[axis]} elements along axis {axis}",
            "pass an array that has an even number of them there",
        )  # fmt: skip
    return axis, shape[axis] // 2
