"""Index keys by NumPy's rules, where JAX has others.

JAX takes most keys as NumPy does. What is left: indices out of bounds, which it clamps or fills
in places, masks (whose number of elements must be known) and 0-d masks.
"""

from __future__ import annotations

import operator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.keys import around_ellipsis, check_mask, within
from arrayapi_unify.backends.jax._kernels import Arr, is_traced
from arrayapi_unify.errors import UnifyIndexError, refuse

__all__ = ["check_bounds", "extra_axis", "prepared", "whole_mask"]

_ARRAYS = (jax.Array, np.ndarray)


def check_bounds(function: str, indices: Any, size: int, axis: int) -> None:
    """Refuse indices out of bounds, except while tracing, when nobody knows their values."""
    if is_traced(indices) or indices.size == 0:
        return
    values = np.asarray(indices)
    if values.min() < -size or values.max() >= size:
        wrong = values[(values < -size) | (values >= size)][0]
        _out_of_bounds(function, wrong, size, axis)


def _out_of_bounds(function: str, index: Any, size: int, axis: int) -> None:
    refuse(
        UnifyIndexError,
        function,
        "key" if function.endswith("item") else "indices",
        f"has index {index}, but axis {axis} has size {size}",
        f"use indices from {-size} to {size - 1}",
    )


def whole_mask(x: Arr, key: Any) -> Any:
    """Return a mask of x's leading axes, spread out over x; None for any other key."""
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if not isinstance(key, _ARRAYS) or key.dtype.kind != "b":
        return None
    if key.shape != x.shape[: key.ndim]:
        return None
    return key.reshape(key.shape + (1,) * (x.ndim - key.ndim))


def _consumed(part: Any) -> int:
    """Return how many axes a part of a key stands for."""
    if part is None or isinstance(part, bool | np.bool_):
        return 0
    if isinstance(part, _ARRAYS) and part.dtype.kind == "b":
        return part.ndim
    return 1


def _full(key: Any, ndim: int) -> list[Any]:
    """Return the parts of a key with full slices in place of the ellipsis."""
    parts = key if isinstance(key, tuple) else (key,)
    before, missing, behind, dots = around_ellipsis(parts, _consumed, ndim)
    fill: list[Any] = [slice(None)] * missing
    if dots and not fill and _is_advanced(before) and _is_advanced(behind):
        fill = [_NOTHING]
    return before + fill + behind


# Stands for an ellipsis of no axes, which still stands between the index arrays on its sides.
_NOTHING = slice(0, 1, 1)


def _is_advanced(parts: list[Any]) -> bool:
    """Whether one of the parts of a key is an index array, or counts as one beside others."""
    return any(part is not None and not isinstance(part, slice) for part in parts)


def extra_axis(key: tuple[Any, ...]) -> int | None:
    """Return the axis of what a key selects that is there for an ellipsis of no axes, or None."""
    if not any(part is _NOTHING for part in key):
        return None
    indices = [np.shape(part) for part in key if part is not None and not isinstance(part, slice)]
    before = key[: next(i for i, part in enumerate(key) if part is _NOTHING)]
    # Index arrays apart from each other: their axes come first.
    leading = len(np.broadcast_shapes(*indices))
    return leading + sum(part is None or isinstance(part, slice) for part in before)


def prepared(function: str, x: Arr, key: Any) -> tuple[Arr, Any]:
    """Return x (with an axis of size one for each 0-d mask) and a key that JAX takes as NumPy's."""
    shape: list[int] = []
    result: list[Any] = []
    axis = 0
    for part in _full(key, x.ndim):
        taken = _consumed(part)
        if part is None:
            result.append(None)
        elif part is _NOTHING:
            shape.append(1)
            result.append(part)
            continue
        elif taken == 0:
            shape.append(1)
            result.append(_zero_or_none(part))
        elif isinstance(part, _ARRAYS) and part.dtype.kind == "b":
            result += _positions(part, x.shape, axis)
        else:
            result.append(_checked(function, part, x.shape[axis], axis))
        if taken == 0 and isinstance(part, _ARRAYS):
            continue
        shape += x.shape[axis : axis + taken]
        axis += taken
    return (x if tuple(shape) == x.shape else x.reshape(shape)), tuple(result)


def _zero_or_none(mask: Any) -> Any:
    """Return the index array that a 0-d mask is, into an axis of size one of its own."""
    return np.zeros(int(bool(mask)), np.int64)


def _positions(mask: Any, shape: tuple[int, ...], axis: int) -> list[Any]:
    """Return a mask as index arrays; fails while tracing, as their length depends on the data."""
    if not check_mask(mask.shape, shape[axis : axis + mask.ndim], axis):
        return [np.zeros(0, np.int64)] * mask.ndim
    return list(jnp.nonzero(mask))


def _checked(function: str, part: Any, size: int, axis: int) -> Any:
    if isinstance(part, slice):
        bounds = (part.start, part.stop, part.step)
        return slice(*(None if b is None else operator.index(b) for b in bounds))
    if isinstance(part, _ARRAYS):
        if part.dtype.kind not in "iu":
            problem = f"has an array of {part.dtype}"
            refuse(UnifyIndexError, function, "key", problem, "use integers or masks")
        check_bounds(function, part, size, axis)
        return part
    try:
        index = operator.index(part)
    except TypeError:
        problem = f"has {part!r}"
        refuse(UnifyIndexError, function, "key", problem, "use integers, slices, masks, None, ...")
    return within(index, size, axis)
