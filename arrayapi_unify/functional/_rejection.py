"""Gamma, Poisson and binomial numbers: proposals, of which the first acceptable one is taken.

Each element has a fixed number of proposals, all drawn at once, so that nothing depends on values
and everything traces. All of them are refused with a probability that `GAMMA_ROUNDS` and
`COUNT_ROUNDS` make less than 1e-9; then a number from the middle is taken. All is computed in
double precision: that another library rounds another way decides next to nothing.

Sources: Marsaglia and Tsang, "A simple method for generating gamma variables", 2000. Hoermann, "The
transformed rejection method for generating Poisson random variables", 1993, and "The generation of
binomial random variates", 1993. Loader, "Fast and accurate computation of binomial probabilities",
2000.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.special.normal_quantile import normal_quantile
from arrayapi_unify.functional._common import BodyArray, unchecked
from arrayapi_unify.functional._sampling import fractions, probabilities

# At least 95 % of the gamma proposals are accepted, and 75 % of the others.
GAMMA_ROUNDS: Final = 8
COUNT_ROUNDS: Final = 16
# Means below this are searched for; above it the proposals are good ones.
_FEW: Final = 10.0
_TERMS: Final = 46  # beyond them lies less than 2**-50 of a Poisson distribution of mean 10
LARGEST: Final = 2.0**53
"""Counts up to this are exact in double precision."""
_TABLE: Final = 16
# log(k!) less Stirling's formula; what stands for k = 0 is not used.
_CORRECTIONS: Final = (
    0.0,
    *(
        math.lgamma(k + 1) - (k + 0.5) * math.log(k) + k - 0.5 * math.log(2 * math.pi)
        for k in range(1, _TABLE)
    ),
)


# --- gamma --------------------------------------------------------------------------------------


def gammas(key: BodyArray, a: Array) -> Array:
    """Draw gamma numbers of the shapes `a`; NaN where one isn't positive."""
    xp = a.__array_namespace__()
    scale, w, boost = _gamma_parts(key, a)
    w = 1 + w
    return xp.where(a > 0, scale * (w * w * w) * xp.exp(boost), math.nan)


def log_gammas(key: BodyArray, a: Array) -> Array:
    """Draw the logarithms of gamma numbers: those of small shapes are below all numbers."""
    xp = a.__array_namespace__()
    scale, w, boost = _gamma_parts(key, a)
    return xp.where(a > 0, xp.log(scale) + 3 * xp.log1p(w) + boost, math.nan)


def _gamma_parts(key: BodyArray, a: Array) -> tuple[Array, Array, Array]:
    """Return what a gamma number is made of: ``scale * (1 + w)**3 * exp(boost)``.

    A shape below one is raised by one, and the number multiplied by a power of a uniform one.
    """
    xp = a.__array_namespace__()
    small = a < 1
    scale = xp.where(small, a + 1, xp.where(a > 0, a, 1.0)) - 1 / 3
    shape = (GAMMA_ROUNDS, *a.shape)
    x = normal_quantile(probabilities(xp.random.fold_in(key, 0), shape))
    u = probabilities(xp.random.fold_in(key, 1), shape)
    w = x / (3 * xp.sqrt(scale))
    inside = xp.where(w > -1, w, 0.0)
    # d * (1 - v + log(v)) of v = (1 + w)**3
    bound = scale * (3 * xp.log1p(inside) - inside * (3 + inside * (3 + inside)))
    accepted = xp.logical_and(w > -1, xp.log(u) < x * x / 2 + bound)
    power = xp.log(probabilities(xp.random.fold_in(key, 2), a.shape))
    boost = xp.where(small, power / xp.where(small, a, 1.0), 0.0)
    return scale, _first(accepted, w, xp.zeros_like(a)), boost


def _first(accepted: Array, proposals: Array, otherwise: Array) -> Array:
    """Take the first proposal that is accepted."""
    xp = accepted.__array_namespace__()
    place = xp.argmax(xp.astype(accepted, dtypes.int8), axis=0, keepdims=True)
    taken = xp.squeeze(unchecked(xp.take_along_axis, proposals, place, axis=0), axis=0)
    return xp.where(xp.any(accepted, axis=0), taken, otherwise)


# --- counts -------------------------------------------------------------------------------------


def poissons(key: BodyArray, rate: Array) -> Array:
    """Draw Poisson numbers, as float64; -1 where a rate isn't from 0 to `LARGEST`."""
    xp = rate.__array_namespace__()
    few = rate < _FEW
    mean = xp.where(few, rate, 0.0)
    searched = _searched(key, xp.exp(-mean), lambda k: mean / k)
    mean = xp.where(xp.logical_and(rate >= _FEW, rate <= LARGEST), rate, _FEW)
    spread = 0.931 + 2.53 * xp.sqrt(mean)
    found = _transformed(
        key,
        mean + 0.43,
        spread,
        -0.059 + 0.02483 * spread,
        1.1239 + 1.1328 / (spread - 3.4),
        lambda k: _log_poisson(k, mean),
    )
    good = xp.logical_and(rate >= 0, rate <= LARGEST)
    return xp.where(good, xp.where(few, searched, found), -1.0)


def binomials(key: BodyArray, n: Array, p: Array) -> Array:
    """Draw binomial numbers, as float64; -1 where n or p is out of range."""
    xp = n.__array_namespace__()
    good = xp.logical_and(xp.logical_and(n >= 0, n <= LARGEST), xp.logical_and(p >= 0, p <= 1))
    swapped = p > 0.5
    q = xp.where(good, xp.where(swapped, 1 - p, p), 0.0)
    n = xp.where(good, n, 0.0)
    few = n * q < _FEW
    count = xp.where(few, _few_of(key, xp.where(few, n, 0.0), q), _many_of(key, n, q, few))
    return xp.where(good, xp.where(swapped, n - count, count), -1.0)


def divided(key: BodyArray, n: Array, p: Array) -> Array:
    """Divide trials among things, whose number is raised to a power of two."""
    xp = n.__array_namespace__()
    levels = (p.shape[-1] - 1).bit_length()
    more = 2**levels - p.shape[-1]
    sums = [
        xp.concat([p, xp.zeros((*p.shape[:-1], more), dtype=p.dtype, device=p.device)], axis=-1)
    ]
    for _ in range(levels):
        sums.append(sums[-1][..., ::2] + sums[-1][..., 1::2])
    counts = xp.expand_dims(n, axis=-1)
    for level, (whole, parts) in enumerate(zip(sums[:0:-1], sums[-2::-1], strict=True)):
        share = parts[..., ::2] / xp.where(whole > 0, whole, 1.0)
        first = binomials(xp.random.fold_in(key, level), counts, share)
        pairs = xp.stack([first, counts - first], axis=-1)
        counts = xp.reshape(pairs, (*n.shape, 2 * counts.shape[-1]))
    return counts


def _few_of(key: BodyArray, n: Array, p: Array) -> Array:
    """Draw binomial numbers of a small mean and p of at most one half."""
    xp = n.__array_namespace__()
    odds = p / (1 - p)
    found = _searched(
        key, xp.exp(n * xp.log1p(-p)), lambda k: xp.maximum(n + 1 - k, 0.0) / k * odds
    )
    return xp.minimum(found, n)


def _many_of(key: BodyArray, n: Array, p: Array, few: Array) -> Array:
    """Draw binomial numbers of a large mean and p of at most one half."""
    xp = n.__array_namespace__()
    n = xp.where(few, 4 * _FEW, n)
    p = xp.where(few, 0.5, p)
    deviation = xp.sqrt(n * p * (1 - p))
    spread = 1.15 + 2.53 * deviation
    mode = xp.floor((n + 1) * p)
    highest = _log_binomial(mode, n, p)
    return _transformed(
        key,
        n * p + 0.5,
        spread,
        -0.0873 + 0.0248 * spread + 0.01 * p,
        (2.83 + 5.1 / spread) * deviation,
        lambda k: xp.where(k <= n, _log_binomial(xp.minimum(k, n), n, p) - highest, -math.inf),
    )


def _searched(key: BodyArray, first: Array, ratio: Callable[[int], Array]) -> Array:
    """Draw counts by adding up their probabilities; `ratio(k)` is that of k to that of k - 1."""
    xp = first.__array_namespace__()
    u = fractions(xp.random.fold_in(key, 0), first.shape)
    term = total = first
    count = xp.zeros_like(first)
    for k in range(1, _TERMS + 1):
        count = count + xp.astype(u >= total, dtypes.float64)
        term = term * ratio(k)
        total = total + term
    return count


def _transformed(
    key: BodyArray,
    centre: Array,
    spread: Array,
    slope: Array,
    height: Array,
    log_density: Callable[[Array], Array],
) -> Array:
    """Draw counts by transformed rejection: a ratio of uniforms whose tails fit the counts'."""
    xp = centre.__array_namespace__()
    shape = (COUNT_ROUNDS, *centre.shape)
    u = probabilities(xp.random.fold_in(key, 1), shape) - 0.5
    v = probabilities(xp.random.fold_in(key, 2), shape)
    from_end = 0.5 - xp.abs(u)
    k = xp.floor((2 * slope / from_end + spread) * u + centre)
    level = xp.log(v * height / (slope / (from_end * from_end) + spread))
    inside = xp.logical_and(k >= 0, k <= 2 * LARGEST)
    accepted = level <= log_density(xp.where(inside, k, 0.0))
    return _first(xp.logical_and(inside, accepted), k, xp.floor(centre))


def _log_poisson(k: Array, mean: Array) -> Array:
    xp = k.__array_namespace__()
    some = xp.maximum(k, 1.0)
    found = -_deviance(some, mean) - _correction(some) - xp.log(2 * math.pi * some) / 2
    return xp.where(k >= 1, found, -mean)


def _log_binomial(k: Array, n: Array, p: Array) -> Array:
    """Return the logarithm of a binomial probability, n of at least 2 and k from 0 to n."""
    xp = k.__array_namespace__()
    hits = xp.minimum(xp.maximum(k, 1.0), n - 1)
    misses = n - hits
    found = (
        _correction(n) - _correction(hits) - _correction(misses)
        - _deviance(hits, n * p) - _deviance(misses, n * (1 - p))
        - xp.log(2 * math.pi * hits * (misses / n)) / 2
    )  # fmt: skip
    found = xp.where(k >= 1, found, n * xp.log1p(-p))
    return xp.where(k < n, found, n * xp.log(p))


def _deviance(x: Array, mean: Array) -> Array:
    """Return ``x * log(x / mean) + mean - x``, which is small where x is near the mean."""
    xp = x.__array_namespace__()
    t = (x - mean) / mean
    return mean * ((1 + t) * xp.log1p(t) - t)


def _correction(k: Array) -> Array:
    """Return ``log(k!)`` less Stirling's formula, for k of at least 1."""
    xp = k.__array_namespace__()
    table: Any = xp.asarray(_CORRECTIONS, dtype=dtypes.float64, device=k.device)
    place = xp.astype(xp.minimum(k, _TABLE - 1), dtypes.int64)
    listed = unchecked(operator.getitem, table, place)
    s = 1 / (k * k)
    series = (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / k
    return xp.where(k < _TABLE, listed, series)
