"""Oracles of reductions: NumPy's, in extended precision if rounding depends on the order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tests.differential.oracle._registry import ORACLES, floating, floats, narrow, oracle, wide

__all__: list[str] = []


def _sum_dtype(x: Any, dtype: Any) -> Any:
    """Return the data type of a sum: for integers the widest ones, as in the standard."""
    return np.dtype(dtype or {"b": "i8", "i": "i8", "u": "u8"}.get(x.dtype.kind, x.dtype))


def _summed(function: Any, x: Any, dtype: Any, **kwargs: Any) -> Any:
    target = _sum_dtype(x, dtype)
    if target.kind in "biu":
        return function(x.astype(target), dtype=target, **kwargs)
    return narrow(function(wide(x.astype(target)), **kwargs), target)


@oracle("sum")
def _sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _summed(np.sum, x, dtype, axis=axis, keepdims=keepdims)


@oracle("cumulative_sum")
def _cumulative_sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    function = np.cumulative_sum
    return _summed(function, x, dtype, axis=axis, include_initial=include_initial)


# Intermediate overflow of products matters: NumPy's, in the result's data type.
@oracle("prod")
def _prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return np.prod(x, axis=axis, dtype=_sum_dtype(x, dtype), keepdims=keepdims)


@oracle("cumulative_prod")
def _cumulative_prod(
    x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    target = _sum_dtype(x, dtype)
    return np.cumulative_prod(x, axis=axis, dtype=target, include_initial=include_initial)


@oracle("cumsum")
def _cumsum(x: Any, /, axis: Any = None, dtype: Any = None) -> Any:
    return _summed(np.cumsum, x, dtype, axis=axis)


@oracle("nancumsum")
def _nancumsum(x: Any, /, axis: Any = None, dtype: Any = None) -> Any:
    return _summed(np.nancumsum, x, dtype, axis=axis)


@oracle("cumprod")
def _cumprod(x: Any, /, axis: Any = None, dtype: Any = None) -> Any:
    return np.cumprod(x, axis=axis, dtype=_sum_dtype(x, dtype))


@oracle("nancumprod")
def _nancumprod(x: Any, /, axis: Any = None, dtype: Any = None) -> Any:
    return np.nancumprod(x, axis=axis, dtype=_sum_dtype(x, dtype))


@oracle("mean")
def _mean(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    values = wide(x)
    if values.dtype.kind == "c":  # a NaN in one component doesn't affect the other (the standard)
        parts = (np.mean(v, axis=axis, keepdims=keepdims) for v in (values.real, values.imag))
        return narrow(_joined(*parts), x.dtype)
    return narrow(np.mean(values, axis=axis, keepdims=keepdims), floats(x).dtype)


def _joined(real: Any, imag: Any) -> Any:
    found = np.asarray(real).astype(np.clongdouble)
    found.imag = imag
    return found


def _in_dtype(x: Any, dtype: Any) -> Any:
    """Cast to the requested data type; raise for one that can't represent a mean."""
    if dtype is None:
        return x
    target = np.dtype(dtype)
    if target.kind not in "fc" or (x.dtype.kind == "c" and target.kind != "c"):
        raise TypeError("a mean needs a floating-point data type")
    return x.astype(target)


def _spread(root: bool, reduced: Callable[..., Any]) -> Callable[..., Any]:
    def spread(
        x: Any,
        /,
        *,
        axis: Any = None,
        dtype: Any = None,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> Any:
        x = _in_dtype(x, dtype)
        values = wide(x)
        present, total = reduced(values, axis)
        mean = total / np.sum(present, axis=axis, keepdims=True)
        distance = np.where(present, values - mean, 0)
        squares = np.real(distance) ** 2 + np.imag(distance) ** 2
        freedom = np.sum(present, axis=axis, keepdims=keepdims) - correction
        variance = np.sum(squares, axis=axis, keepdims=keepdims)
        # With positive degrees of freedom; otherwise the standard's result is NaN.
        variance = variance / np.where(freedom > 0, freedom, np.nan)
        return narrow(np.sqrt(variance) if root else variance, np.finfo(floats(x).dtype).dtype)

    return spread


def _all_of(values: Any, axis: Any) -> tuple[Any, Any]:
    return np.ones(values.shape, bool), np.sum(values, axis=axis, keepdims=True)


def _but_nan(values: Any, axis: Any) -> tuple[Any, Any]:
    present = ~np.isnan(values)
    return present, np.sum(np.where(present, values, 0), axis=axis, keepdims=True)


ORACLES.update(var=_spread(False, _all_of), std=_spread(True, _all_of))
ORACLES.update(nanvar=_spread(False, _but_nan), nanstd=_spread(True, _but_nan))


# --- NaN left out, order ------------------------------------------------------------------------


@oracle("nanmax")
def _nanmax(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    return np.nanmax(x, axis=axis, keepdims=keepdims)


@oracle("nanmin")
def _nanmin(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    return np.nanmin(x, axis=axis, keepdims=keepdims)


@oracle("nanmedian")
def _nanmedian(x: Any, /, axis: Any = None, *, keepdims: bool = False) -> Any:
    return narrow(np.nanmedian(wide(x), axis=axis, keepdims=keepdims), floating(x))


def _nanquantile(whole: int) -> Callable[..., Any]:
    def quantiles(
        x: Any, /, q: Any, axis: Any = None, *, method: Any = "linear", keepdims: bool = False
    ) -> Any:
        shares = np.asarray(q, np.float64) / whole
        values = floats(x).astype(np.float64)
        found = np.nanquantile(values, shares, axis=axis, method=method, keepdims=keepdims)
        return narrow(found, floating(x))

    return quantiles


ORACLES.update(nanquantile=_nanquantile(1), nanpercentile=_nanquantile(100))


@oracle("nansum")
def _nansum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _summed(np.nansum, x, dtype, axis=axis, keepdims=keepdims)


@oracle("nanprod")
def _nanprod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return np.nanprod(x, axis=axis, dtype=_sum_dtype(x, dtype), keepdims=keepdims)


@oracle("nanmean")
def _nanmean(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    x = _in_dtype(x, dtype)
    return narrow(np.nanmean(wide(x), axis=axis, keepdims=keepdims), floats(x).dtype)


@oracle("nan_to_num")
def _nan_to_num(x: Any, /, *, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


_SHARE: Final = 1e-9  # smaller numbers are rounding errors
_ENDS: Final = -1e300, 1e300


def _quantiles(x: Any, q: Any, axis: Any, keepdims: bool, method: Any) -> Any:
    """Compute quantiles over one last axis; NumPy supports neither zero axes nor zero elements."""
    axes = range(x.ndim) if axis is None else np.atleast_1d(axis).astype(int)
    axes = tuple(a % x.ndim for a in axes) if x.ndim else ()
    kept = [a for a in range(x.ndim) if a not in axes]
    shape = tuple(1 if a in axes else n for a, n in enumerate(x.shape) if keepdims or a in kept)
    count = math.prod(x.shape[a] for a in axes)
    columns = np.transpose(x, (*kept, *axes)).reshape((*(x.shape[a] for a in kept), count))
    if not columns.size or not q.size:
        return np.full((*q.shape, *shape), np.nan)
    if method == "median":  # correct for infinities of one sign
        return np.median(columns.astype(np.float64), axis=-1).reshape(shape)
    columns = columns.astype(np.float64)
    with np.errstate(invalid="ignore"):
        found = np.quantile(columns, q, axis=-1, method=method)
    lost = np.isnan(found) & ~np.isnan(columns).any(axis=-1)
    if lost.any():
        found = np.where(lost, _beside_infinities(columns, q, method), found)
    return found.reshape((*q.shape, *shape))


def _beside_infinities(columns: Any, q: Any, method: str) -> Any:
    """Compute quantiles with infinities, for which NumPy's differences of neighbours are NaN.

    Infinities are last or first in order: their share is the quantile of ones there.
    """

    def taken(values: Any) -> Any:
        return np.quantile(values, q, axis=-1, method=method)

    above, below = (taken(np.where(columns == end, np.sign(end), 0)) for end in (np.inf, -np.inf))
    above, below = above > _SHARE, below < -_SHARE
    infinite = np.select([above & below, above, below], [np.nan, np.inf, -np.inf])
    finite = taken(np.clip(columns, *_ENDS))
    return np.where(above | below, infinite, finite)


@oracle("median")
def _median(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    return narrow(_quantiles(floats(x), np.zeros(()), axis, keepdims, "median"), floating(x))


@oracle("quantile")
def _quantile(
    x: Any, /, q: Any, *, axis: Any = None, keepdims: bool = False, method: str = "linear"
) -> Any:
    fractions = np.asarray(q, np.float64)
    return narrow(_quantiles(floats(x), fractions, axis, keepdims, method), floating(x))
