"""NumPy's implementations of the sorting functions.

Descending order is the ascending order of the flipped array, flipped back: equal elements keep
their order, NaNs come first as they come last ascending, and nothing is negated, which would
overflow (-int8(-128)) or be undefined (unsigned integers, bool).
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.checks.axes import (
    check_axis_of_0d,
    check_no_bool,
    check_selection,
)

NDArray = npt.NDArray[Any]

# Below this size a stable sort is as fast, so that no check is worth its time.
_SMALL = 256


def _stability_shows(x: NDArray) -> bool:
    """Return True if a stable sort of x's values may differ from an unstable one.

    Equal integers are the same integer, and NaNs aren't equal to one another. Only zeros of both
    signs and complex numbers remain. Small floating-point arrays aren't checked.
    """
    kind = x.dtype.kind
    if kind != "f":
        return kind == "c"
    if x.size < _SMALL:
        return True
    negative = np.signbit(x[x == 0])
    return bool(negative.any()) and not bool(negative.all())


def argsort(
    x: NDArray, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> NDArray:
    """Sort indices; for up to 16 bits NumPy's stable sort is the radix sort, the fastest."""
    if x.ndim == 0:
        check_axis_of_0d("argsort", axis)
    kind: Literal["stable"] | None = "stable" if stable or x.itemsize <= 2 else None
    if not descending:
        return x.argsort(axis, kind)
    order = np.flip(x, axis).argsort(axis, kind)
    return x.shape[axis] - 1 - np.flip(order, axis)


def _is_before(x: NDArray, y: NDArray, descending: bool) -> NDArray:
    """Tell which real elements come before others; NaN is the largest."""
    if x.dtype.kind != "f":
        return x > y if descending else x < y
    if descending:
        return (x > y) | (np.isnan(x) & ~np.isnan(y))
    return (x < y) | (np.isnan(y) & ~np.isnan(x))


def _first(x: NDArray, k: int, descending: bool) -> NDArray:
    """Return the first k indices of the stable order along the last axis, without sorting it."""
    size = x.shape[-1]
    if x.dtype.kind not in "iuf" or size < _SMALL or not 0 < k < size // 8:
        return argsort(x, descending=descending)[..., :k]
    place = size - k if descending else k - 1
    last = np.partition(x, place)[..., place, None]
    chosen = _is_before(x, last, descending)
    alike = ~(chosen | _is_before(last, x, descending))
    chosen |= alike & (np.cumsum(alike, axis=-1) <= k - np.sum(chosen, axis=-1, keepdims=True))
    indices = np.nonzero(chosen)[-1].reshape(*x.shape[:-1], k)
    order = argsort(np.take_along_axis(x, indices, -1), descending=descending)
    return np.take_along_axis(indices, order, -1)


def top_k(
    x: NDArray, k: int, /, *, axis: int = -1, mode: str = "largest"
) -> tuple[NDArray, NDArray]:
    """Select by a partition: a sort of all takes ten times as long."""
    k, axis = check_selection("top_k", k, axis, mode, x.shape)
    indices = np.moveaxis(_first(np.moveaxis(x, axis, -1), k, mode == "largest"), -1, axis)
    return np.take_along_axis(x, indices, axis), indices


def sort(
    x: NDArray, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> NDArray:
    """Sort a copy in place; a stable sort takes ten times as long, so only where it shows."""
    if x.ndim == 0:
        check_axis_of_0d("sort", axis)
    check_no_bool("sort", axis)
    kind: Literal["stable"] | None = None
    if x.itemsize <= 2 or (stable and _stability_shows(x)):
        kind = "stable"
    out = x.copy()
    (np.flip(out, axis) if descending else out).sort(axis, kind)
    return out
