"""Paddings and splits: what the arguments of `pad` and `split` mean for each axis."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from arrayapi_unify.backends._common.checks.axes import in_order, normalize_axis
from arrayapi_unify.backends._common.checks.sizes import MANY, check_held
from arrayapi_unify.errors import raise_value_error

# The bytes of an integer in a list.
_PLACE: Final = 40


def pairs_of(argument: str, value: Any, ndim: int) -> tuple[tuple[Any, Any], ...]:
    """Return a pair for each axis: of one value, one pair, or as many pairs.

    A dict has the pairs, or the numbers, of some axes; the others get zeros.
    """
    if isinstance(value, dict):
        given = {normalize_axis("pad", axis, ndim): pair for axis, pair in value.items()}
        value = [given.get(axis, 0) for axis in range(ndim)]
        value = [(one, one) if not isinstance(one, list | tuple) else one for one in value]
    if getattr(value, "ndim", 0):
        value = value.tolist()
    if not isinstance(value, list | tuple):
        return ((value, value),) * ndim
    parts = [tuple(v) if isinstance(v, list | tuple) else v for v in value]
    if parts and not any(isinstance(part, tuple) for part in parts):
        parts = [tuple(parts)]  # one pair, or one number, for all axes
    if len(parts) == 1:
        parts *= ndim
    parts = [part * 2 if isinstance(part, tuple) and len(part) == 1 else part for part in parts]
    if len(parts) != ndim or not all(isinstance(p, tuple) and len(p) == 2 for p in parts):
        raise_value_error(
            "pad", argument, f"is {value} for an array of {ndim} axes",
            "pass one number, one pair, or a pair for each axis",
        )  # fmt: skip
    return tuple(parts)


def check_mode(mode: Any) -> None:
    """Raise if a mode is no string, also if nothing is added."""
    if not isinstance(mode, str):
        raise TypeError("a mode is a string")


def widths(pad_width: Any, ndim: int) -> tuple[tuple[int, int], ...]:
    """Return how many elements come before and after each axis."""
    pairs = pairs_of("pad_width", pad_width, ndim)
    found = tuple((operator.index(a), operator.index(b)) for a, b in pairs)
    if any(width < 0 for pair in found for width in pair):
        problem, remedy = f"is {pad_width}", "pass no negative width"
        raise_value_error("pad", "pad_width", problem, remedy)
    if any(sum(pair) > MANY for pair in found):
        check_held("pad", "pad_width", pad_width, math.prod(a + b or 1 for a, b in found), 1)
    return found


def source(mode: str, size: int, before: int, after: int) -> list[int]:
    """Return the index from which each element of a padded axis comes."""
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise_value_error(
            "pad", "mode", f"is {mode!r}",
            "pass 'constant', 'edge', 'empty', 'linear_ramp', 'maximum', 'mean', 'median', "
            "'minimum', 'reflect', 'symmetric' or 'wrap'",
        )  # fmt: skip
    if size == 0 and (before or after):
        raise_value_error(
            "pad", "x", "has no element along an axis that is to be padded",
            "pad it with mode='constant'",
        )  # fmt: skip
    check_held("pad", "pad_width", (before, after), before + after, _PLACE)
    places = range(-before, size + after)
    if mode == "edge" or size == 1:
        return [min(max(i, 0), size - 1) for i in places]
    if mode == "wrap":
        return [i % size for i in places]
    # There and back again is one period; the ends occur twice in it, or once in a reflection.
    last = 2 * size - 1 if mode == "symmetric" else 2 * size - 2
    period = 2 * size if mode == "symmetric" else 2 * size - 2
    return [min(i % period, last - i % period) for i in places]


def fills(is_floating: Callable[[Any], bool]) -> Callable[..., bool]:
    """Return a predicate: True if `pad` fills with one number that is cast without checks.

    These are zero, and real numbers below 1e30 in arrays for which `is_floating` is True.
    """

    def is_plain(
        x: Any, pad_width: Any, /, *, mode: str = "constant", constant_values: Any = 0
    ) -> bool:
        number = type(constant_values) is int or type(constant_values) is float
        return (
            mode == "constant"
            and number
            and (constant_values == 0 or (abs(constant_values) < _LARGE and is_floating(x)))
        )

    return is_plain


# Below, no cast to a floating-point data type overflows.
_LARGE: Final = 1e30


def sizes_of(
    shape: Sequence[int], num_or_size_splits: Any = None, axis: int = 0
) -> tuple[int, tuple[int, ...]]:
    """Return the axis, counted from 0, and the size of each part; refuse what doesn't add up."""
    axis = normalize_axis("split", axis, len(shape))
    size, sizes = shape[axis], num_or_size_splits
    if sizes is None:
        sizes = [1] * size
    elif isinstance(sizes, int):
        sizes = [size // sizes] * sizes if sizes > 0 else []
    else:
        sizes = in_order(sizes)
    if sum(sizes) != size or any(part < 0 for part in sizes):
        raise_value_error(
            "split", "num_or_size_splits", f"is {num_or_size_splits} for an axis of size {size}",
            "pass a number that divides it, or sizes that add up to it",
        )  # fmt: skip
    return axis, tuple(sizes)


def cuts(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return where each part begins and ends."""
    return list(itertools.pairwise(itertools.accumulate(sizes, initial=0)))


def part_key(
    shape: Sequence[int], number: int, num_or_size_splits: Any = None, axis: int = 0
) -> Any:
    """Return the key that selects a part."""
    axis, sizes = sizes_of(shape, num_or_size_splits, axis)
    return (*[slice(None)] * axis, slice(*cuts(sizes)[number]))
