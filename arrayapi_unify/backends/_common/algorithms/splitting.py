"""The sizes and ends of the parts that `split` makes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from arrayapi_unify.backends._common.checks.axes import in_order, normalize_axis
from arrayapi_unify.errors import raise_value_error


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
