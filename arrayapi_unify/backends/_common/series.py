"""Predicates for the calls of functions of series that the libraries' own operations serve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrayapi_unify.backends._common.axes import normalize_axis

__all__ = ["sums_trapezoids"]


def sums_trapezoids(is_floating: Callable[[Any], bool]) -> Callable[..., bool]:
    """Return a predicate: True if `trapezoid` gets one data type, and no x or one per element."""

    def is_plain(y: Any, x: Any = None, /, *, dx: Any = 1.0, axis: int = -1) -> bool:
        if not is_floating(y) or type(dx) not in (int, float) or not len(y.shape):
            return False
        if x is None:
            return True
        at = normalize_axis("trapezoid", axis, len(y.shape))
        return x.dtype == y.dtype and tuple(x.shape) == (y.shape[at],)

    return is_plain
