"""What keys of `x[key]` mean by NumPy's rules, as far as shapes tell.

Errors are built-in ones: binding adds function, arguments and backend to their messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["around_ellipsis", "check_mask", "within"]


def around_ellipsis(
    parts: Sequence[Any], axes_of: Callable[[Any], int], rank: int
) -> tuple[list[Any], int, list[Any], bool]:
    """Return the parts before the ellipsis, the axes it spans, those behind, and if it is there.

    Without an ellipsis, it is as if one stood at the end. `axes_of` says how many axes of the
    array a part stands for.
    """
    dots = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(dots) > 1:
        raise IndexError("the key holds more than one ellipsis ('...'); keep one of them")
    at = dots[0] if dots else len(parts)
    before, behind = list(parts[:at]), list(parts[at + 1 :])
    used = sum(map(axes_of, before)) + sum(map(axes_of, behind))
    if used > rank:
        raise IndexError(f"the key stands for {used} axes, but the array has {rank}; drop some")
    return before, rank - used, behind, bool(dots)


def within(index: int, size: int, axis: int) -> int:
    """Return an index, which has to be one of an axis of this size."""
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {size}")
    return index


def check_mask(mask: Sequence[int | None], shape: Sequence[int | None], axis: int) -> bool:
    """Refuse a mask that doesn't fit axes of this shape, from `axis` on; say whether it is them.

    The standard: each size of a mask is that of the axis, or 0. None is a size that tf.function
    doesn't know.
    """
    pairs = list(zip(mask, shape, strict=True))
    if any(None not in (m, n) and m not in (n, 0) for m, n in pairs):
        raise IndexError(
            f"a mask of shape {tuple(mask)} stands for the axes from {axis} on, which have shape "
            f"{tuple(shape)}; use a mask of that shape"
        )
    return not any(m == 0 and n != 0 for m, n in pairs)
