"""Keys of every legal kind, for `x[key]` and `x[key] = value`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes
from tests.differential.case import ArrayArg
from tests.differential.strategies import Shape, array

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__ = ["draw_key", "names_twice", "places_of"]

_INTEGERS = "iu"


def _slice(builder: CallBuilder, side: int) -> slice:
    bound = st.one_of(st.none(), st.integers(-side - 1, side + 1))
    step = builder.one_of(None, 1, 2, -1, -2, 3)
    return slice(builder.draw(bound), builder.draw(bound), step)


def _integers(builder: CallBuilder, side: int, shape: Shape) -> Any:
    """Draw an integer array of indices into an axis, of any integer data type."""
    dtype = builder.any_dtype(_INTEGERS)
    low = 0 if dtype.kind == "u" else -side
    size = math.prod(shape)
    drawn = builder.draw(st.lists(st.integers(low, side - 1), min_size=size, max_size=size))
    return ArrayArg(np.array(drawn, dtype.name).reshape(shape))


def _mask(builder: CallBuilder, shape: Shape) -> ArrayArg:
    return array(builder.draw, shape, dtypes.bool, "small", view=False)


def _part(builder: CallBuilder, side: int, advanced: Shape | None) -> Any:
    """Draw the index of one axis."""
    if builder.faulty("key"):
        return builder.one_of(side, -side - 1)
    if advanced is not None and side and builder.chance(2):
        return _integers(builder, side, builder.one_of(advanced, advanced, ()))
    if side and builder.chance(2):
        index = builder.draw(st.integers(-side, side - 1))
        return np.int64(index) if builder.chance(6) else index
    return _slice(builder, side)


def _basic_and_advanced(builder: CallBuilder, shape: Shape) -> tuple[Any, ...]:
    """Draw integers, slices, integer arrays, masks, None and an ellipsis, for some of the axes."""
    advanced: Shape | None = builder.one_of(None, None, (), (2,), (3,), (2, 1), (0,))
    count = builder.draw(st.integers(0, len(shape)))
    split = builder.draw(st.integers(0, count))
    ellipsis = builder.chance(3)
    sides = [*shape[:split], *(shape[len(shape) - (count - split) :] if ellipsis else ())]
    if not ellipsis:
        sides = list(shape[:count])
    parts: list[Any] = []
    for i, side in enumerate(sides):
        if ellipsis and i == split:
            parts.append(Ellipsis)
        parts.append(_part(builder, side, advanced))
        if builder.chance(6):
            parts.append(None)
    if ellipsis and Ellipsis not in [p for p in parts if not isinstance(p, ArrayArg)]:
        parts.append(Ellipsis)
    return tuple(parts)


def _with_mask(builder: CallBuilder, shape: Shape) -> Any:
    """Draw a mask of some of the axes, alone or with indices of the others."""
    rank = builder.draw(st.integers(0, len(shape)))
    first = builder.draw(st.integers(0, len(shape) - rank))
    masked = list(shape[first : first + rank])
    if builder.faulty("key"):
        masked = [side + 1 for side in masked] or [2]
    before = tuple(_part(builder, side, None) for side in shape[:first])
    after = tuple(
        _part(builder, side, None) for side in shape[first + rank :] if not builder.chance(2)
    )[: builder.draw(st.integers(0, 1))]
    mask = _mask(builder, tuple(masked))
    return (*before, mask, *after) if before or after or builder.chance(2) else mask


def draw_key(builder: CallBuilder, shape: Shape) -> Any:
    """Draw a key for an array of a shape, out of bounds if that is the call's fault."""
    kind = builder.one_of("parts", "parts", "parts", "mask", "list", "bool")
    if kind == "mask":
        return _with_mask(builder, shape)
    if kind == "bool" and not builder.faulty("key"):
        return builder.one_of(True, False, Ellipsis, (), None)
    if kind == "list" and shape and shape[0] and not builder.faulty("key"):
        return builder.draw(st.lists(st.integers(-shape[0], shape[0] - 1), min_size=1, max_size=3))
    parts = _basic_and_advanced(builder, shape)
    return parts[0] if len(parts) == 1 and builder.chance(2) else parts


def _numpy_key(key: Any) -> Any:
    """Return the key with NumPy arrays in place of array arguments."""
    if isinstance(key, ArrayArg):
        return key.values
    return tuple(map(_numpy_key, key)) if isinstance(key, tuple) else key


def places_of(x: ArrayArg, key: Any) -> Any:
    """Return the numbers of the elements that a key selects."""
    return np.arange(x.values.size).reshape(x.values.shape)[_numpy_key(key)]


def names_twice(x: ArrayArg, key: Any) -> bool:
    """Return True if a key selects an element more than once."""
    places = places_of(x, key)
    return bool(np.unique(places).size != places.size)
