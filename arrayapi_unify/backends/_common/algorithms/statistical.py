"""Native functions of statistics around kernels: quantiles, covariances, running extremes.

Quantiles are those of one share by the usual method. The libraries' own give NaN between two
infinities of the same sign. The position follows from a number and a shape, so that it is worked
out before anything is computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from arrayapi_unify.backends._common.checks.axes import normalize_axes, normalize_axis, only_axis
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
        x: Any, /, q: Any, *, axis: Axis = None, keepdims: bool = False, method: str = "linear"
    ) -> Any:
        axes = normalize_axes(name, axis, x.ndim)
        found = compute(x, axes, q / whole)
        return found.reshape(_kept(x.shape, axes)) if keepdims else found

    def is_plain(
        x: Any, /, q: Any, *, axis: Any = None, keepdims: bool = False, method: str = "linear"
    ) -> bool:
        number = type(q) is float or type(q) is int
        usual = method == "linear" and x.ndim > 0 and axis != () and 0 not in x.shape
        return usual and number and 0 <= q <= whole and is_floating(x)

    native.__name__ = native.__qualname__ = name
    native.__doc__ = "Sort, and look between two elements."
    return partial_mixed(is_plain)(native)


def _kept(shape: Sequence[int], axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([1 if a in axes else n for a, n in enumerate(shape)])


def native_covariances(
    covariances: Callable[[Any, int], Any],
    correlations: Callable[[Any], Any],
    is_floating: Callable[[Any], bool],
) -> list[Callable[..., Any]]:
    """Make `cov` and `corrcoef` for rows of real numbers, and enough of them."""

    def enough(x: Any, correction: int) -> bool:
        rank = len(x.shape)
        few = rank in (1, 2) and 0 <= correction < x.shape[-1] and x.shape[0] > 0
        return few and is_floating(x)

    def has_covariances(
        x: Any, y: Any = None, /, *, rowvar: bool = True, correction: Any = 1, fweights: Any = None,
        aweights: Any = None,
    ) -> bool:  # fmt: skip
        lone = y is None and fweights is None and aweights is None and rowvar is True
        return lone and type(correction) is int and enough(x, correction)

    def has_correlations(x: Any, y: Any = None, /, *, rowvar: bool = True) -> bool:
        return y is None and rowvar is True and enough(x, 1)

    @partial_mixed(has_covariances)
    def cov(
        x: Any, y: Any = None, /, *, rowvar: bool = True, correction: float = 1,
        fweights: Any = None, aweights: Any = None,
    ) -> Any:  # fmt: skip
        return covariances(x, int(correction))

    @partial_mixed(has_correlations)
    def corrcoef(x: Any, y: Any = None, /, *, rowvar: bool = True) -> Any:
        return correlations(x)

    return [cov, corrcoef]


def native_running_extremes(
    cummax: Callable[[Any, int], Any], cummin: Callable[[Any, int], Any], fits: Callable[..., bool]
) -> list[Callable[..., Any]]:
    """Make `cummax` and `cummin` of functions of an array and an axis."""
    return [_running("cummax", cummax, fits), _running("cummin", cummin, fits)]


def _running(name: str, accumulate: Any, fits: Any) -> Callable[..., Any]:
    def native(x: Any, /, *, axis: int | None = None) -> Any:
        if axis is None or x.ndim == 0:
            axis = only_axis(name, x.ndim, axis)
        return accumulate(x, normalize_axis(name, axis, x.ndim))

    native.__name__ = native.__qualname__ = name
    return partial_mixed(fits)(native)
