"""Oracles of random numbers: Threefry in Python's integers, and SciPy's distributions.

In rejection sampling each element is drawn independently, one proposal after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.special
import scipy.stats

from tests.differential.oracle._registry import oracle

__all__: list[str] = []

_MASK = 2**32 - 1
_GAMMA_ROUNDS = 8
_COUNT_ROUNDS = 16


# --- the generator ------------------------------------------------------------------------------


def _threefry(key: tuple[int, int], counter: tuple[int, int]) -> tuple[int, int]:
    """Salmon et al.: 20 rounds, and the key is added before the first one and after each four."""
    keys = (*key, key[0] ^ key[1] ^ 0x1BD11BDA)
    x, y = ((c + k) & _MASK for c, k in zip(counter, key, strict=True))
    for turn in range(20):
        by = (13, 15, 26, 6, 17, 29, 16, 24)[turn % 8]
        x = (x + y) & _MASK
        y = ((y << by) | (y >> (32 - by))) & _MASK
        y ^= x
        if turn % 4 == 3:
            n = turn // 4 + 1
            x = (x + keys[n % 3]) & _MASK
            y = (y + keys[(n + 1) % 3] + n) & _MASK
    return x, y


def _words(key: Any) -> tuple[int, int]:
    first, second = np.asarray(key).tolist()
    return first, second


def _pairs(key: Any, shape: Any) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    count = range(math.prod(shape))
    return [_threefry(_words(key), (i >> 32, i & _MASK)) for i in count], shape


def _wide(key: Any, shape: Any) -> Any:
    pairs, shape = _pairs(key, shape)
    return np.array([(x << 32) | y for x, y in pairs], "uint64").reshape(shape)


@oracle("random.bits")
def _bits(key: Any, /, shape: Any = (), *, dtype: Any = None) -> Any:
    dtype = np.dtype(dtype or "uint32")
    if dtype.itemsize == 8:
        return _wide(key, shape)
    pairs, shape = _pairs(key, shape)
    return np.array([(x ^ y) % 2 ** (8 * dtype.itemsize) for x, y in pairs], dtype).reshape(shape)


@oracle("random.key")
def _key(seed: int, /) -> Any:
    return np.array(divmod(seed, 2**32), "uint32")


@oracle("random.split")
def _split(key: Any, /, num: int = 2) -> Any:
    return np.array(_pairs(key, num)[0], "uint32").reshape((num, 2))


@oracle("random.fold_in")
def _fold_in(key: Any, data: Any, /) -> Any:
    return np.array(_threefry(_words(key), (0, int(data) & _MASK)), "uint32")


# --- fractions, and distributions by inversion --------------------------------------------------


def _fractions(key: Any, shape: Any, dtype: Any = "float64") -> Any:
    if np.dtype(dtype or "float64") == np.float32:
        return (_bits(key, shape) >> np.uint32(8)).astype("float64") / 2**24
    return (_wide(key, shape) >> np.uint64(11)).astype("float64") / 2**53


def _probabilities(key: Any, shape: Any, dtype: Any = "float64") -> Any:
    if np.dtype(dtype or "float64") == np.float32:
        return (2 * (_bits(key, shape) >> np.uint32(9)).astype("float64") + 1) / 2**24
    return (2 * (_wide(key, shape) >> np.uint64(12)).astype("float64") + 1) / 2**53


@oracle("random.uniform")
def _uniform(
    key: Any, /, shape: Any = (), *, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None
) -> Any:
    dtype = np.dtype(dtype or "float64")
    low, high = (np.asarray(end).astype(dtype) for end in (minval, maxval))
    return low + _fractions(key, shape, dtype).astype(dtype) * (high - low)


@oracle("random.normal")
def _normal(key: Any, /, shape: Any = (), *, dtype: Any = None) -> Any:
    return scipy.special.ndtri(_probabilities(key, shape, dtype)).astype(dtype or "float64")


@oracle("random.truncated_normal")
def _truncated_normal(
    key: Any, /, lower: Any, upper: Any, shape: Any = (), *, dtype: Any = None
) -> Any:
    low, high = np.asarray(lower, "float64"), np.asarray(upper, "float64")
    p = _probabilities(key, shape, dtype)
    # The mirror image of positive numbers, because probabilities near one lose digits.
    above = low > 0
    p = np.where(above, 1 - p, p)
    found = scipy.stats.truncnorm.ppf(p, low, high)
    found = np.where(above, _mirrored(1 - p, low, high), found)
    return np.where(low > high, np.nan, found).astype(dtype or "float64")


def _mirrored(p: Any, low: Any, high: Any) -> Any:
    return -scipy.stats.truncnorm.ppf(p, -high, -low)


@oracle("random.exponential")
def _exponential(key: Any, /, shape: Any = (), *, dtype: Any = None) -> Any:
    found = np.abs(np.log1p(-_fractions(key, shape, dtype).astype(np.longdouble)))
    return found.astype(dtype or "float64")


@oracle("random.bernoulli")
def _bernoulli(key: Any, /, p: Any = 0.5, shape: Any = None) -> Any:
    return _fractions(key, np.shape(p) if shape is None else shape) < p


@oracle("random.integers")
def _integers(key: Any, /, low: int, high: int, shape: Any = (), *, dtype: Any = None) -> Any:
    words = _wide(key, shape)
    values = [low + word % (high - low) for word in words.ravel().tolist()]
    return np.array(values, dtype or "int64").reshape(words.shape)


# --- orders and categories ----------------------------------------------------------------------


@oracle("random.categorical")
def _categorical(key: Any, logits: Any, /, *, axis: int = -1, shape: Any = None) -> Any:
    logits = np.moveaxis(logits.astype("float64"), axis, -1)
    outer = logits.shape[:-1] if shape is None else shape
    p = _probabilities(key, (*outer, logits.shape[-1]))
    return np.argmax(logits + scipy.stats.gumbel_r.ppf(p), axis=-1)


def _order(key: Any, n: int) -> Any:
    return np.argsort(_wide(key, n) >> np.uint64(1), kind="stable")


@oracle("random.permutation")
def _permutation(key: Any, x: Any, /, *, axis: int = 0) -> Any:
    x = np.arange(x) if isinstance(x, int) else x
    return np.take(x, _order(key, x.shape[axis]), axis=axis)


@oracle("random.choice")
def _choice(
    key: Any, a: Any, /, shape: Any = (), *, replace: bool = True, p: Any = None, axis: int = 0
) -> Any:
    a = np.arange(a) if isinstance(a, int) else a
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    n, count = a.shape[axis], math.prod(shape)
    if p is None:
        chosen = _integers(key, 0, n, count) if replace else _order(key, n)[:count]
    elif replace:
        sums = np.cumsum(p)
        chosen = np.searchsorted(sums, _fractions(key, count) * sums[-1], side="right")
    else:
        chosen = np.argsort(-np.log(_probabilities(key, n)) / p)[:count]
    axis %= a.ndim
    taken = np.take(a, chosen, axis=axis)
    return taken.reshape((*a.shape[:axis], *shape, *a.shape[axis + 1 :]))


@oracle("random.orthogonal")
def _orthogonal(key: Any, /, n: int, shape: Any = (), *, dtype: Any = None) -> Any:
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    normals = _normal(key, (*shape, n, n), dtype=dtype)
    q, r = np.linalg.qr(normals)
    signs = np.where(np.diagonal(r, axis1=-2, axis2=-1) < 0, -1, 1)
    return q * signs[..., None, :].astype(normals.dtype)


# --- proposals ----------------------------------------------------------------------------------


def _parameters(shape: Any, *arrays: Any) -> list[Any]:
    arrays = tuple(np.asarray(x, "float64") for x in arrays)
    if shape is None:
        shape = np.broadcast_shapes(*(x.shape for x in arrays))
    return [np.broadcast_to(x, shape) for x in arrays]


def _each(proposed: Callable[..., Iterator[Any]], *arrays: Any) -> Any:
    """Take the first proposal of each element; its index comes first."""
    found = np.zeros(arrays[0].shape)
    for index in np.ndindex(found.shape):
        found[index] = next(proposed(index, *(float(x[index]) for x in arrays)))
    return found


def _log_gammas(key: Any, a: Any) -> Any:
    shape = (_GAMMA_ROUNDS, *a.shape)
    normals = scipy.special.ndtri(_probabilities(_fold_in(key, 0), shape))
    uniforms = _probabilities(_fold_in(key, 1), shape)
    powers = np.log(_probabilities(_fold_in(key, 2), a.shape))

    def proposed(index: Any, a: float) -> Iterator[float]:
        if a <= 0:
            yield math.nan
        boost = powers[index] / a if a < 1 else 0.0
        d = (a + 1 if a < 1 else a) - 1 / 3
        for turn in range(_GAMMA_ROUNDS):
            x = normals[turn, *index]
            v = (1 + x / math.sqrt(9 * d)) ** 3
            if v > 0 and math.log(uniforms[turn, *index]) < x * x / 2 + d * (1 - v + math.log(v)):
                yield math.log(d * v) + boost

    return _each(proposed, a)


@oracle("random.gamma")
def _gamma(key: Any, a: Any, /, shape: Any = None, *, dtype: Any = None) -> Any:
    return np.exp(_log_gammas(key, *_parameters(shape, a))).astype(dtype or "float64")


@oracle("random.beta")
def _beta(key: Any, a: Any, b: Any, /, shape: Any = None, *, dtype: Any = None) -> Any:
    a, b = _parameters(shape, a, b)
    x, y = _log_gammas(_fold_in(key, 0), a), _log_gammas(_fold_in(key, 1), b)
    return scipy.special.expit(x - y).astype(dtype or "float64")


@oracle("random.dirichlet")
def _dirichlet(key: Any, alpha: Any, /, shape: Any = None, *, dtype: Any = None) -> Any:
    outer = alpha.shape[:-1] if shape is None else shape
    (alpha,) = _parameters((*outer, alpha.shape[-1]), alpha)
    x = np.exp(_log_gammas(key, alpha))
    return (x / np.sum(x, axis=-1, keepdims=True)).astype(dtype or "float64")


def _transformed(
    key: Any, shape: Any, index: Any, hat: tuple[float, float, float, float], log_density: Any
) -> Iterator[float]:
    a, b, centre, height = hat
    us = _probabilities(_fold_in(key, 1), (_COUNT_ROUNDS, *shape)) - 0.5
    vs = _probabilities(_fold_in(key, 2), (_COUNT_ROUNDS, *shape))
    for turn in range(_COUNT_ROUNDS):
        u, v = us[turn, *index], vs[turn, *index]
        end = 0.5 - abs(u)
        k = math.floor((2 * a / end + b) * u + centre)
        if math.log(v * height / (a / end**2 + b)) <= log_density(k):
            yield k


@oracle("random.poisson")
def _poisson(key: Any, rate: Any, /, shape: Any = None, *, dtype: Any = None) -> Any:
    (rate,) = _parameters(shape, rate)
    searched = _fractions(_fold_in(key, 0), rate.shape)

    def proposed(index: Any, rate: float) -> Iterator[float]:
        counts = scipy.stats.poisson(rate)
        if rate < 0:
            yield -1
        elif rate < 10:
            yield max(counts.ppf(searched[index]), 0.0)
        b = 0.931 + 2.53 * math.sqrt(rate)
        a = -0.059 + 0.02483 * b
        height = 1.1239 + 1.1328 / (b - 3.4)
        hat = (a, b, rate + 0.43, height)
        yield from _transformed(key, searched.shape, index, hat, counts.logpmf)

    return _each(proposed, rate).astype(dtype or "int64")


def _binomials(key: Any, n: Any, p: Any) -> Any:
    searched = _fractions(_fold_in(key, 0), n.shape)

    def counted(index: Any, n: float, p: float) -> Iterator[float]:
        counts = scipy.stats.binom(n, p)
        if n * p < 10:
            yield max(counts.ppf(searched[index]), 0.0)
        deviation = math.sqrt(n * p * (1 - p))
        b = 1.15 + 2.53 * deviation
        a = -0.0873 + 0.0248 * b + 0.01 * p
        height = (2.83 + 5.1 / b) * deviation
        mode = counts.logpmf(math.floor((n + 1) * p))
        density = lambda k: counts.logpmf(k) - mode  # noqa: E731  # part of a formula
        hat = (a, b, n * p + 0.5, height)
        yield from _transformed(key, searched.shape, index, hat, density)

    def proposed(index: Any, n: float, p: float) -> Iterator[float]:
        if n < 0 or not 0 <= p <= 1:
            yield -1
        elif p > 0.5:
            yield n - next(counted(index, n, 1 - p))
        yield from counted(index, n, p)

    return _each(proposed, n, p)


@oracle("random.binomial")
def _binomial(key: Any, n: Any, p: Any, /, shape: Any = None, *, dtype: Any = None) -> Any:
    return _binomials(key, *_parameters(shape, n, p)).astype(dtype or "int64")


@oracle("random.multinomial")
def _multinomial(key: Any, n: Any, p: Any, /, shape: Any = None, *, dtype: Any = None) -> Any:
    if shape is None:
        shape = np.broadcast_shapes(np.shape(n), p.shape[:-1])
    (p,) = _parameters((*shape, p.shape[-1]), p)
    (n,) = _parameters(shape, n)
    return _halved(key, n[..., None], p).astype(dtype or "int64")


def _halved(key: Any, counts: Any, p: Any) -> Any:
    """Divide the counts of ranges of categories, level by level."""
    levels = (p.shape[-1] - 1).bit_length()
    whole = np.concatenate([p, np.zeros((*p.shape[:-1], 2**levels - p.shape[-1]))], axis=-1)
    for level in range(levels):
        parts = whole.reshape((*p.shape[:-1], 2 ** (level + 1), 2 ** (levels - level - 1))).sum(-1)
        left, right = parts[..., ::2], parts[..., 1::2]
        share = left / np.where(left + right > 0, left + right, 1)
        first = _binomials(_fold_in(key, level), counts, share)
        counts = np.stack([first, counts - first], -1).reshape((*p.shape[:-1], 2 ** (level + 1)))
    return counts[..., : p.shape[-1]]
