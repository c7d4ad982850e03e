"""Checks of the functions of networks that natives and bodies share."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.errors import raise_value_error


def check_alpha(function: str, alpha: float) -> None:
    """Raise for a width that isn't positive: it divides."""
    if not alpha > 0:
        problem, remedy = f"is {alpha}", "pass a positive number"
        raise_value_error(function, "alpha", problem, remedy)


def check_approximation(approximate: str) -> None:
    """Raise for a word that names no approximation of `gelu`."""
    if approximate not in ("none", "tanh"):
        raise_value_error("nn.gelu", "approximate", f"is {approximate!r}", "pass 'none' or 'tanh'")


def check_even(function: str, axis: int, shape: tuple[int, ...]) -> tuple[int, int]:
    """Return an axis counted from 0 and half of its size; refuse what has no half."""
    axis = normalize_axis(function, axis, len(shape))
    if shape[axis] % 2:
        raise_value_error(
            function, "x", f"has {shape[axis]} elements along axis {axis}",
            "pass an array that has an even number of them there",
        )  # fmt: skip
    return axis, shape[axis] // 2


def check_batch(function: str, shape: tuple[int, ...], axis: int) -> int:
    """Return the axis of the channels, counted from 0; refuse the first one, which is the batch."""
    axis = normalize_axis(function, axis, len(shape))
    if axis == 0:
        problem, remedy = "is the first one, that of the samples", "move one of them first"
        raise_value_error(function, "axis", problem, remedy)
    return axis


def check_groups(shape: tuple[int, ...], num_groups: int, axis: int) -> tuple[int, int]:
    """Return the axis of the channels, counted from 0, and how many of them make a group."""
    axis = check_batch("nn.group_norm", shape, axis)
    if num_groups < 1 or shape[axis] % num_groups:
        raise_value_error(
            "nn.group_norm", "num_groups",
            f"is {num_groups}, where there are {shape[axis]} channels",
            "pass a number that divides them",
        )  # fmt: skip
    return axis, shape[axis] // num_groups


def attends_to_all(
    shape_of: Callable[[Any], tuple[Any, ...]], floats: Container[Any]
) -> Callable[..., bool]:
    """Return what says whether all queries attend to all keys, in one batch of one data type."""

    def fits(
        query: Any, keys: Any, values: Any, /, *, mask: Any = None, is_causal: bool = False,
        **kwargs: object,
    ) -> bool:  # fmt: skip
        shapes = shape_of(query), shape_of(keys), shape_of(values)
        dtype, batch = query.dtype, shapes[0][:-2]
        if mask is not None or is_causal or dtype not in floats:
            return False
        alike = dtype == keys.dtype == values.dtype and len(shapes[0]) > 1
        alike = alike and batch == shapes[1][:-2] == shapes[2][:-2]
        fit = alike and shapes[0][-1] == shapes[1][-1] and shapes[1][-2] == shapes[2][-2]
        return fit and all(size for shape in shapes for size in shape)

    return fits
