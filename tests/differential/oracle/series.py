"""Oracles of counts, covariances and series: NumPy's own functions, in extended precision."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tests.differential.oracle._registry import ORACLES, floating, floats, narrow, oracle, wide
from tests.differential.oracle.promotion import promoted
from tests.differential.oracle.statistical import _quantiles

__all__: list[str] = []


@oracle("percentile")
def _percentile(
    x: Any, /, q: Any, *, axis: Any = None, keepdims: bool = False, method: str = "linear"
) -> Any:
    shares = np.asarray(q, np.float64) / 100
    return narrow(_quantiles(floats(x), shares, axis, keepdims, method), floating(x))


# --- running extremes, integrals, interpolation ---------------------------------------------------


@oracle("cummax")
def _cummax(x: Any, /, *, axis: Any = None) -> Any:
    return np.maximum.accumulate(x, 0 if axis is None else axis)


@oracle("cummin")
def _cummin(x: Any, /, *, axis: Any = None) -> Any:
    return np.minimum.accumulate(x, 0 if axis is None else axis)


@oracle("trapezoid")
def _trapezoid(y: Any, x: Any = None, /, *, dx: float = 1.0, axis: int = -1) -> Any:
    target = floating(*(v for v in (y, x) if v is not None))
    return narrow(np.trapezoid(wide(y), None if x is None else wide(x), dx, axis), target)


@oracle("interp")
def _interp(
    x: Any, /, xp: Any, fp: Any, *, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    target = floating(x, xp, fp)
    values = floats(fp)
    values = values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)
    places, points = (floats(v).astype(np.float64) for v in (x, xp))
    return narrow(np.interp(places, points, values, left, right, period), target)


@oracle("gradient")
def _gradient(f: Any, /, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    found = np.gradient(wide(f), *varargs, axis=axis, edge_order=edge_order)
    if isinstance(found, tuple):
        return tuple(narrow(part, floats(f).dtype) for part in found)
    return narrow(found, floats(f).dtype)


@oracle("ediff1d")
def _ediff1d(x: Any, /, to_end: Any = None, to_begin: Any = None) -> Any:
    return np.ediff1d(x, to_end, to_begin)


@oracle("convolve")
def _convolve(x1: Any, x2: Any, /, mode: Any = "full") -> Any:
    target = promoted(x1.dtype.name, x2.dtype.name)
    if target.startswith(("float", "complex")):
        return narrow(np.convolve(wide(x1), wide(x2), mode), target)
    return np.convolve(x1.astype(target), x2.astype(target), mode)


@oracle("average")
def _average(
    x: Any, /, axis: Any = None, weights: Any = None, returned: bool = False, *,
    keepdims: bool = False,
) -> Any:  # fmt: skip
    target = floating(*(v for v in (x, weights) if v is not None))
    if weights is None:
        found = ORACLES["mean"](x, axis=axis, keepdims=keepdims)
        total = np.full_like(found, x.size / max(found.size, 1))
        return (found, total) if returned else found
    weights = wide(weights)
    found = np.average(wide(x), axis, weights, returned, keepdims=keepdims)
    return tuple(narrow(v, target) for v in found) if returned else narrow(found, target)


# --- counts ---------------------------------------------------------------------------------------


@oracle("segment_sum")
def _segment_sum(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    values = wide(x) if x.dtype.kind in "fc" else x
    found = np.zeros((num_segments, *x.shape[1:]), values.dtype)
    for value, place in zip(values, segment_ids.tolist(), strict=True):
        if 0 <= place < num_segments:
            found[place] += value
    return narrow(found, x.dtype)


@oracle("bincount")
def _bincount(x: Any, /, *, weights: Any = None, minlength: int = 0, length: Any = None) -> Any:
    if length is not None:
        inside = (x >= 0) & (x < length)
        x, weights = x[inside], None if weights is None else weights[inside]
    least = minlength if length is None else length
    found = np.bincount(x.astype(np.int64), weights, least)
    return found if weights is None else narrow(found, floating(weights))


class HistogramResult(NamedTuple):
    counts: Any
    bin_edges: Any


@oracle("histogram")
def _histogram(
    x: Any, /, *, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> Any:
    target = floating(x)
    bins = bins.astype(target) if isinstance(bins, np.ndarray) and bins.ndim else int(bins)
    counts, edges = np.histogram(x.astype(target), bins, range, density, weights)
    if weights is not None and not density:
        counts = counts.astype(weights.dtype)
    elif density and weights is not None:
        counts = counts.astype(floating(weights))
    return HistogramResult(counts, edges.astype(target))


@oracle("histogramdd")
def _histogramdd(
    sample: Any, /, *, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None
) -> Any:
    target = floating(sample)
    points = sample.astype(target)
    points = points[:, None] if points.ndim < 2 else points
    counts, edges = np.histogramdd(points, bins, range, density, weights)
    kind = np.int64 if weights is None else weights.dtype
    if density:
        kind = target if weights is None else floating(weights)
        kind = np.dtype("f8") if weights is None else kind
    return counts.astype(kind), tuple(one.astype(target) for one in edges)


@oracle("histogram2d")
def _histogram2d(x: Any, y: Any, /, **options: Any) -> Any:
    common = promoted(x.dtype.name, y.dtype.name)
    points = np.stack([x.astype(common), y.astype(common)], axis=1)
    counts, edges = _histogramdd(points, **options)
    return counts, *edges


@oracle("digitize")
def _digitize(x: Any, /, bins: Any, right: bool = False) -> Any:
    return np.digitize(x, bins, right)


@oracle("unravel_index")
def _unravel_index(indices: Any, /, shape: Any) -> Any:
    return tuple(np.asarray(part) for part in np.unravel_index(indices.astype(np.int64), shape))


# --- covariances ----------------------------------------------------------------------------------


@oracle("cov")
def _cov(
    x: Any, y: Any = None, /, *, rowvar: bool = True, correction: float = 1.0, fweights: Any = None,
    aweights: Any = None,
) -> Any:  # fmt: skip
    target = floating(*(v for v in (x, y) if v is not None))
    # Rounded, because the computation of conditions perturbs all numbers.
    fweights = None if fweights is None else np.rint(fweights).astype(np.int64)
    found = np.cov(
        wide(x), None if y is None else wide(y), rowvar=rowvar, ddof=int(correction),
        fweights=fweights, aweights=aweights,
    )  # fmt: skip
    return narrow(found, target)


@oracle("corrcoef")
def _corrcoef(x: Any, y: Any = None, /, *, rowvar: bool = True) -> Any:
    target = floating(*(v for v in (x, y) if v is not None))
    return narrow(np.corrcoef(wide(x), None if y is None else wide(y), rowvar), target)
