"""Strategies of keys: basic keys, which give views, and keys with arrays, which copy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from tests.views.steps import Index, Listed, Ref

__all__ = ["Draw", "advanced_key", "basic_key", "key_of_any_kind", "mask"]

Draw = Callable[..., Any]
Shape = tuple[int, ...]

_SLICES: Final = (
    slice(None), slice(1, None), slice(None, -1), slice(None, None, -1), slice(None, None, 2),
    slice(None, None, -2), slice(0, 1), slice(2, 0, -1), slice(-2, None), slice(5, 1),
)  # fmt: skip
# The limit of axes of some TensorFlow functions; each step may add one.
MAX_NDIM: Final = 4


def _part(draw: Draw, side: int, integers: bool = True) -> Any:
    if side and integers and draw(st.integers(0, 2)) == 0:
        return draw(st.integers(-side, side - 1))
    return draw(st.sampled_from(_SLICES))


def _unwrapped(draw: Draw, parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 and draw(st.booleans()) else tuple(parts)


def basic_key(draw: Draw, shape: Shape) -> Any:
    """Draw integers and slices, rarely with an ellipsis and a new axis."""
    count = draw(st.integers(0, len(shape)))
    with_ellipsis = draw(st.integers(0, 2)) == 0
    behind = draw(st.integers(0, count)) if with_ellipsis else 0
    sides = shape[: count - behind], shape[len(shape) - behind :]
    front, back = ([_part(draw, side) for side in some] for some in sides)
    parts = [*front, Ellipsis, *back] if with_ellipsis else front
    if len(shape) < MAX_NDIM and draw(st.integers(0, 4)) == 0:
        parts.insert(draw(st.integers(0, len(parts))), None)
    return _unwrapped(draw, parts)


def mask(draw: Draw, shape: Shape) -> Index:
    """Draw a mask: all, nothing, or every second or third element."""
    size, step = math.prod(shape), draw(st.sampled_from([1, 2, 3, 50]))
    first = draw(st.integers(0, 2))
    return Index(tuple((i - first) % step == 0 for i in range(size)), shape, mask=True)


def _integers(draw: Draw, side: int, shape: Shape) -> Index:
    """Draw an integer array of distinct positions, so that the order of writes doesn't matter."""
    positions = draw(st.permutations(range(side)))
    signs = itertools.cycle(draw(st.lists(st.booleans(), min_size=1, max_size=2)))
    chosen = zip(positions[: math.prod(shape)], signs, strict=False)
    return Index(tuple(p - side if below else p for p, below in chosen), shape)


def advanced_key(draw: Draw, shape: Shape, masks: bool = True) -> Any:
    """Draw a key with an integer array or a mask, alone or with basic parts around it."""
    if not shape or (masks and draw(st.integers(0, 2)) == 0):
        return mask(draw, shape[: draw(st.integers(min(1, len(shape)), len(shape)))])
    axis = draw(st.integers(0, len(shape) - 1))
    side = shape[axis]
    length = draw(st.integers(0, side))
    wanted = (2, 1) if length == 2 and len(shape) < MAX_NDIM and draw(st.booleans()) else (length,)
    # Integers together with an array take part in broadcasting, adjacent to it or not.
    parts = [_part(draw, s, integers=s > 0 and draw(st.booleans())) for s in shape[:axis]]
    parts.append(_integers(draw, side, wanted))
    if draw(st.booleans()):
        parts.extend(_part(draw, s) for s in shape[axis + 1 :])
    return _unwrapped(draw, parts)


def _listed(draw: Draw, shape: Shape) -> Any:
    """Draw a list of distinct positions."""
    chosen = _integers(draw, shape[0], (draw(st.integers(0, shape[0])),)) if shape else None
    return Listed(tuple(chosen.values)) if chosen and chosen.values else basic_key(draw, shape)


def _of_live_array(draw: Draw, shape: Shape, live: Sequence[Any]) -> Any:
    """Draw a live array that is a mask, or has distinct positions."""

    def fits(y: Any) -> bool:
        if y.dtype.kind == "b":
            return 0 < y.ndim <= len(shape) and y.shape == shape[: y.ndim]
        if not shape or not shape[0] or y.ndim != 1 or y.dtype.name != "int64":
            return False
        within = bool(((y >= -shape[0]) & (y < shape[0])).all())
        return within and len(set((y % shape[0]).tolist())) == y.size

    fit = [i for i, y in enumerate(live) if fits(y)]
    return Ref(draw(st.sampled_from(fit))) if fit else advanced_key(draw, shape)


def key_of_any_kind(draw: Draw, shape: Shape, live: Sequence[Any] = ()) -> Any:
    """Draw a key for a write."""
    form = draw(st.sampled_from(["basic"] * 5 + ["advanced", "advanced", "list", "live"]))
    if form == "live":
        return _of_live_array(draw, shape, live)
    if form == "list":
        return _listed(draw, shape)
    return (basic_key if form == "basic" else advanced_key)(draw, shape)
