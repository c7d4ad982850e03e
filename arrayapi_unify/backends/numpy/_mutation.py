"""Writes of values that lie in the memory that is written to: as if they were copied first.

NumPy copies such values where what is written to has two axes or more, or runs the other way. Along
one axis it goes through the memory in the right order, which is of no use where steps differ:
`x[::2] = x[:3]` reads what it has overwritten. So does a write by arrays of indices (2.4).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

NDArray = npt.NDArray[Any]

# The function without its look for other classes, which takes longer than the function.
_may_share: Final = getattr(np.may_share_memory, "_implementation", np.may_share_memory)
_BASIC: Final = frozenset({int, slice, type(None), type(Ellipsis)})


def elsewhere(x: NDArray, value: NDArray, key: Any) -> NDArray:
    """Return a value, as a copy where `x[key] = value` might change it on the way."""
    if type(key) is slice and x.ndim > 1:
        return value  # NumPy looks itself, unless what is written is one vector
    if not _may_share(x, value):
        return value
    if _BASIC.issuperset(map(type, key if type(key) is tuple else (key,))):
        return _beside(x[key], value)
    return value.copy()


def _beside(window: Any, value: NDArray) -> NDArray:
    """Return a value, as a copy where NumPy might read an element that it has overwritten."""
    if not isinstance(window, np.ndarray) or window.ndim != 1 or not value.ndim:
        return value
    return value if window.strides[0] == value.strides[-1] else value.copy()


def write(target: NDArray, value: NDArray) -> NDArray:
    """Store `value` in the memory of `target`."""
    if target.ndim == 1 and _may_share(target, value):
        value = _beside(target, value)
    # `np.copyto` lets an array that is read-only pass where target and value are the same memory.
    target[...] = value
    return target
