"""Summaries, outliers and mixtures: axes by position, NaN, masks and writes in place."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]

_SAMPLE = [2.1, 1.9, 2.0, 2.2, 9.5, 1.8, 2.05, -4.0]
_TABLE = [[1.0, 20.0, 3.0], [2.0, 20.0, 1.0], [4.0, 20.0, 8.0], [9.0, 20.0, 4.0]]


def sigma_clipping(xp: Any, to_array: Any) -> list[Any]:
    """Mask outliers until none is left, as astropy.stats.sigma_clip does with NaN."""
    data = to_array(_SAMPLE)
    clipped = xp.asarray(data, copy=True)
    rounds = 0
    while rounds < 10:
        center, spread = xp.nanmedian(clipped), xp.nanmax(clipped) - xp.nanmin(clipped)
        deviation = xp.sqrt(xp.nanmean((clipped - center) ** 2))
        bad = xp.abs(clipped - center) > 2.0 * deviation
        if not xp.any(bad):
            break
        clipped[bad] = np.nan
        rounds += 1
    mask = xp.isnan(clipped)
    kept = clipped[~mask]
    return [
        rounds, mask, kept, center, spread, deviation, xp.count_nonzero(mask), kept.mean(),
        kept.std(ddof=1), xp.where(mask, center, data),
    ]  # fmt: skip


def standard_scaler(xp: Any, to_array: Any) -> list[Any]:
    """Center and scale columns in place, constant ones by one, as scikit-learn's scalers do."""
    x = to_array(_TABLE)
    mean, scale = x.mean(0), x.std(0)
    constant = scale < 10 * xp.finfo(scale.dtype).eps
    scale[constant] = 1.0
    original = x.copy()
    x -= mean
    x /= scale
    back = x * scale + mean
    low, high = original.min(axis=0), original.max(axis=0)
    spread = xp.where(high - low == 0.0, 1.0, high - low)
    unit = (original - low) / spread
    return [
        mean, scale, constant, x, x.sum(0), back, unit, unit.max(0), xp.all(xp.isfinite(x)),
        xp.max(xp.abs(x), axis=1, keepdims=True),
    ]  # fmt: skip


def z_scores_and_moments(xp: Any, to_array: Any) -> list[Any]:
    """Standardize, and compute central moments along an axis, as scipy.stats does."""
    x = to_array(_TABLE)

    def moment(order: int, axis: int) -> Any:
        centered = x - xp.mean(x, axis=axis, keepdims=True)
        return xp.mean(centered**order, axis=axis)

    with np.errstate(all="ignore"):
        skewness = moment(3, 1) / moment(2, 1) ** 1.5
        kurtosis = moment(4, 1) / moment(2, 1) ** 2 - 3.0
    deviations = x.std(axis=1, ddof=1)
    scores = (x - x.mean(axis=1, keepdims=True)) / deviations[:, np.newaxis]
    order = xp.argsort(x, axis=1)
    weights = np.asarray([0.5, 0.25, 0.25])
    return [
        skewness, kurtosis, deviations, scores, scores.sum(1), order,
        xp.average(x, axis=1, weights=weights), xp.sum(x * weights, axis=1), xp.ptp(x, axis=0),
        xp.median(x, axis=0),
    ]  # fmt: skip


def gaussian_mixture(xp: Any, to_array: Any) -> list[Any]:
    """Normalize log-likelihoods by their largest, as hmmlearn and scikit-learn do."""
    x = to_array([-2.1, -1.9, 0.1, 1.8, 2.2])
    means, variances = to_array([-2.0, 2.0]), to_array([1.0, 1.0])
    weights = np.full(2, 0.5)
    for _ in range(5):
        log_prob = -0.5 * ((x[:, None] - means) ** 2 / variances + xp.log(2 * np.pi * variances))
        log_prob += np.log(weights)
        largest = log_prob.max(axis=1, keepdims=True)
        norm = xp.log(xp.exp(log_prob - largest).sum(axis=1, keepdims=True)) + largest
        resp = xp.exp(log_prob - norm)
        counts = resp.sum(0) + 10 * xp.finfo(resp.dtype).eps
        means = resp.T.dot(x) / counts
        variances = resp.T.dot(x**2) / counts - means**2
        weights = np.asarray(counts / len(x))
    transitions = to_array([[3.0, 1.0], [0.0, 0.0]])
    total = transitions.sum(axis=1, keepdims=True)
    total[total == 0] = 1
    transitions /= total
    return [
        means, variances, weights, counts, resp, norm.sum(), resp.argmax(1), log_prob[0],
        transitions, float(norm.mean()),
    ]  # fmt: skip


def correlations(xp: Any, to_array: Any) -> list[Any]:
    """Covariances by dot products, ranks by two sorts, as pandas and scipy compute them."""
    x = to_array([1.0, 3.0, 2.0, 5.0, 4.0])
    y = to_array([2.0, 1.0, 4.0, 3.0, 5.0])
    xc, yc = x - x.mean(), y - y.mean()
    r = xc.dot(yc) / xp.sqrt(xc.dot(xc) * yc.dot(yc))
    ranks = xp.argsort(xp.argsort(y)) + 1
    data = xp.stack([x, y], axis=0)
    centered = data - data.mean(axis=1)[:, None]
    covariance = xp.dot(centered, centered.T) / (data.shape[1] - 1)
    deviation = xp.sqrt(covariance.diagonal())
    matrix = covariance / xp.outer(deviation, deviation)
    matrix.clip(-1, 1)
    concordant = xp.sum(xp.sign(x[:, None] - x[None, :]) * xp.sign(y[:, None] - y[None, :])) / 2
    lagged = xp.dot(xc[:-1], xc[1:]) / xp.vdot(xc, xc)
    return [
        r, ranks, covariance, deviation, matrix, concordant, lagged, xp.round(r, decimals=3),
        xp.cumsum(y) / np.arange(1, 6), xp.convolve(x, np.ones(2) / 2, mode="valid"),
    ]  # fmt: skip


def histograms_by_digitize(xp: Any, to_array: Any) -> list[Any]:
    """Sort values into bins and sum by bin, as yt's profiles and pandas' cut do."""
    values = to_array([0.1, 0.4, 0.45, 0.9, 1.2, 1.9, 2.5])
    edges = np.linspace(0.0, 3.0, 4)
    places = xp.digitize(values, edges)
    counts, sums = xp.zeros(5), xp.zeros(5)
    for place, value in zip(places.tolist(), values.tolist(), strict=True):
        counts[place] += 1
        sums[place] += value
    inner = slice(1, -1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums[inner] / counts[inner]
    unique, inverse = xp.unique(places, return_inverse=True)
    density = counts[inner] / counts.sum() / np.diff(edges)
    return [
        places, counts, sums, means, unique, inverse, density, xp.trapezoid(density, dx=1.0),
        xp.searchsorted(to_array(edges), 1.0), xp.flatnonzero(counts > 1),
    ]  # fmt: skip


def robust_location(xp: Any, to_array: Any) -> list[Any]:
    """Weigh by distances to the median until nothing moves, as astropy's biweights do."""
    data = to_array(_SAMPLE)
    center = xp.median(data)
    spread = xp.median(xp.abs(data - center))
    moves = []
    for _ in range(4):
        u = (data - center) / (6.0 * spread)
        weight = xp.where(xp.abs(u) < 1, (1 - u**2) ** 2, 0.0)
        moved = xp.sum(weight * data) / xp.sum(weight)
        moves.append(float(xp.absolute(moved - center)))
        center = moved
    low, high = xp.percentile(data, 25), xp.percentile(data, 75)
    inside = (data >= low - 1.5 * (high - low)) & (data <= high + 1.5 * (high - low))
    winsorized = xp.minimum(xp.maximum(data, low), high)
    data[~inside] = center
    return [
        center, spread, weight, moves[0], low, high, inside, winsorized, data,
        xp.quantile(data, np.asarray([0.1, 0.5])),
    ]  # fmt: skip


PROGRAMS = (
    sigma_clipping, standard_scaler, z_scores_and_moments, gaussian_mixture, correlations,
    histograms_by_digitize, robust_location,
)  # fmt: skip
