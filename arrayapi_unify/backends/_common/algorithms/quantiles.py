"""Quantiles of one share by the usual method, as the libraries' functions compute them.

The libraries' own give NaN between two infinities of the same sign. The position follows from a
number and a shape, so that it is worked out before anything is computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.backends.kernel import partial_mixed

Axis = int | tuple[int, ...] | None


def place(count: int, share: float) -> tuple[int, int, float]:
    """Return the elements before and after a position, and how far it is from the former."""
    at = min(max((count - 1) * share, 0.0), count - 1.0)
    low = math.floor(at)
    return low, min(low + 1, count - 1), at - low


def between(xp: Any, first: Any, second: Any, last: Any, share: float) -> Any:
    """Return what stands between two elements; `last` is NaN where any element is."""
    step = second - first
    near = first + step * share if share < 0.5 else second - step * (1 - share)
    # For a step that isn't finite: nothing cancels in this sum, unless infinities do.
    weighted = first * (1 - share) + second * share
    found = first if share == 0 else xp.where(xp.isfinite(step), near, weighted)
    return xp.where(xp.isnan(last), math.nan, found)


def native_quantiles(
    compute: Callable[[Any, tuple[int, ...], float], Any],
    is_floating: Callable[[Any], bool],
    wrap: Callable[[Any], Any] = lambda native: native,
) -> list[Any]:
    """Make `quantile` and `percentile`; `compute` gets an array, axes and a share of 1."""
    return [wrap(_made(*named, compute, is_floating)) for named in _SHARES]


_SHARES = (("quantile", 1), ("percentile", 100))


def _made(name: str, whole: int, compute: Any, is_floating: Callable[[Any], bool]) -> Any:
    def native(
        x: Any, q: Any, /, *, axis: Axis = None, keepdims: bool = False, method: str = "linear"
    ) -> Any:
        axes = normalize_axes(name, axis, x.ndim)
        found = compute(x, axes, q / whole)
        return found.reshape(_kept(x.shape, axes)) if keepdims else found

    def is_plain(
        x: Any, q: Any, /, *, axis: Any = None, keepdims: bool = False, method: str = "linear"
    ) -> bool:
        number = type(q) is float or type(q) is int
        usual = method == "linear" and x.ndim > 0 and axis != () and 0 not in x.shape
        return usual and number and 0 <= q <= whole and is_floating(x)

    native.__name__ = native.__qualname__ = name
    native.__doc__ = "Sort, and look between two elements."
    return partial_mixed(is_plain)(native)


def _kept(shape: Sequence[int], axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([1 if a in axes else n for a, n in enumerate(shape)])
