"""Index keys by NumPy's rules, taken apart into a plan, for which there is a kernel, and operands.

A plan says what each part of a key is and how long its slices are; where these start, and what the
index arrays hold, are operands, so that one kernel serves every row of an array. What JAX does
otherwise than NumPy is settled here: indices out of bounds, which it clamps or fills in places, and
masks (whose number of elements must be known).
"""

from __future__ import annotations

import operator
from types import EllipsisType, NoneType
from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.checks.indexing import (
    around_ellipsis,
    check_mask,
    no_index,
    no_index_array,
    within,
)
from arrayapi_unify.backends.jax._core import JaxArray, is_traced
from arrayapi_unify.backends.jax._looks import index_outside, is_split

# The plan of a part of a key: one of these, or the length of a slice that has a start, or its
# length and a step other than 1.
Plan: TypeAlias = tuple[int | tuple[int, int], ...]

INTEGER: Final = -1  # has a start, leaves no axis
FULL: Final = -2
NEW: Final = -3
ARRAY: Final = -4
NEW_ARRAY: Final = -5  # a 0-d mask: a new axis, and an index array into it
APART: Final = -6  # an ellipsis of no axes, which still stands between index arrays

_ARRAYS = (jax.Array, np.ndarray)
_OF_ONE_AXIS: Final = frozenset({int, slice})
_NO_ARRAYS: Final = frozenset({int, slice, NoneType, EllipsisType})


def whole_mask(x: JaxArray, key: Any) -> Any:
    """Return a mask of x's leading axes, if the key is that and nothing else, or None."""
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if not _is_mask(key) or key.shape != x.shape[: key.ndim]:
        return None
    return key


def _is_mask(part: Any) -> bool:
    return isinstance(part, _ARRAYS) and part.dtype.kind == "b"


def _is_bool(part: Any) -> bool:
    """Return True if a part is a Python or NumPy bool: a 0-d mask that isn't an array."""
    return isinstance(part, bool | np.bool_)


def _consumed(part: Any) -> int:
    """Return how many axes a part of a key stands for."""
    if part is None or _is_bool(part):
        return 0
    return int(part.ndim) if _is_mask(part) else 1


def _advances(parts: list[Any]) -> bool:
    """Return True if any part of a key is an index array, or counts as one next to others."""
    return any(part is not None and not isinstance(part, slice) for part in parts)


def _full(shape: tuple[int, ...], parts: tuple[Any, ...], kinds: set[type]) -> Any:
    """Return the parts with full slices in place of the ellipsis, or it itself if of no axes."""
    if kinds <= _OF_ONE_AXIS and len(parts) <= len(shape):
        return parts
    before, missing, behind, dots = around_ellipsis(parts, _consumed, len(shape))
    if not dots:
        return before
    fill: list[Any] = [slice(None)] * missing
    if not fill and _advances(before) and _advances(behind):
        fill = [Ellipsis]
    return before + fill + behind


def parse(shape: tuple[int, ...], key: Any) -> tuple[Plan, list[int], list[Any]]:
    """Return a key's plan, the starts of its integers and slices, and its index arrays."""
    parts = key if type(key) is tuple else (key,)
    kinds = set(map(type, parts))
    # In a key with arrays, integers count as arrays.
    advanced = not kinds <= _NO_ARRAYS and any(isinstance(p, _ARRAYS) or _is_bool(p) for p in parts)
    plan: list[Any] = []
    starts: list[int] = []
    arrays: list[Any] = []
    axis = 0
    for part in _full(shape, parts, kinds):
        if part is None:
            plan.append(NEW)
            continue
        if part is Ellipsis:
            plan.append(APART)
            continue
        if isinstance(part, slice):
            _add_slice(part, shape[axis], plan, starts)
        elif advanced:
            axis += _add_array(part, shape, axis, plan, arrays)
            continue
        else:
            plan.append(INTEGER)
            starts.append(_integer(part, shape[axis], axis) % shape[axis])
        axis += 1
    return tuple(plan), starts, arrays


def _add_slice(part: slice, size: int, plan: list[Any], starts: list[int]) -> None:
    """Add a slice by its length; the step of one that has no two elements doesn't matter."""
    begin, end, step = part.indices(size)
    length = len(range(begin, end, step))
    if length == size and (step == 1 or length < 2):
        plan.append(FULL)
    elif length < 2:
        plan.append(length)
        starts.append(begin * length)
    else:
        plan.append(length if step == 1 else (length, step))
        starts.append(begin if step > 0 else begin + (length - 1) * step)


def _add_array(
    part: Any, shape: tuple[int, ...], axis: int, plan: list[Any], arrays: list[Any]
) -> int:
    """Add what selects as an array does; return how many axes it does so along."""
    if _is_bool(part) or (_is_mask(part) and part.ndim == 0):
        plan.append(NEW_ARRAY)
        arrays.append(np.zeros(int(bool(part)), np.int64))
        return 0
    if _is_mask(part):
        found = _positions(part, shape, axis)
    elif isinstance(part, _ARRAYS):
        if part.dtype.kind not in "iu":
            raise no_index_array(part.dtype)
        wrong = None if is_traced(part) else index_outside(part, shape[axis])
        if wrong is not None:
            within(wrong, shape[axis], axis)
        found = [part]
    else:
        found = [_integer(part, shape[axis], axis)]
    plan += [ARRAY] * len(found)
    arrays += found
    return len(found)


def _positions(mask: Any, shape: tuple[int, ...], axis: int) -> list[Any]:
    """Return a mask as index arrays; fails while tracing, as their length depends on the data."""
    if not check_mask(mask.shape, shape[axis : axis + mask.ndim], axis):
        return _nowhere(mask)
    on_devices = is_traced(mask) or is_split(mask)
    return list(jnp.nonzero(mask) if on_devices else np.nonzero(np.asarray(mask)))


def _nowhere(mask: Any) -> list[Any]:
    """Return the positions of a mask without elements."""
    return [np.zeros(0, np.int64)] * mask.ndim


def _integer(part: Any, size: int, axis: int) -> int:
    try:
        index = part if type(part) is int else operator.index(part)
    except TypeError:
        raise no_index(part) from None
    return within(index, size, axis)


def host_key(key: Any) -> tuple[Any, ...] | None:
    """Return a key that holds masks as NumPy takes it, or None for any other, or while tracing.

    The number of elements that masks select is another each time, and so would be the kernel.
    """
    parts = key if isinstance(key, tuple) else (key,)
    if not any(map(_is_mask, parts)) or any(is_traced(part) or is_split(part) for part in parts):
        return None
    result: list[Any] = []
    for part in parts:
        if _is_mask(part) and part.size == 0:
            result += _nowhere(part)
            continue
        part = np.asarray(part) if isinstance(part, jax.Array) else part
        # NumPy gathers by numbers in a third of the time.
        one_axis = isinstance(part, np.ndarray) and part.ndim == 1 and part.dtype.kind == "b"
        result.append(part.nonzero()[0] if one_axis else part)
    return tuple(result)
