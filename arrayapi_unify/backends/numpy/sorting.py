"""NumPy's implementations of the sorting functions.

Descending order is the ascending order of the flipped array, flipped back: equal elements keep
their order, NaNs come first as they come last ascending, and nothing is negated, which would
overflow (-int8(-128)) or be undefined (unsigned integers, bool).
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.checks.axes import check_axis_of_0d, check_no_bool

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
    last: NDArray = x.shape[axis] - 1 - np.flip(order, axis)
    return last


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
