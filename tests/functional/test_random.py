"""Random numbers: published vectors, JAX's own bits, and SciPy's tests of distributions."""

from __future__ import annotations

import asyncio
import contextvars
import math
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

import arrayapi_unify as unify
from arrayapi_unify import backends
from arrayapi_unify.backends._common.algorithms import random as common
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyOverflowError, UnifyTypeError, UnifyValueError
from arrayapi_unify.functional import _hidden_state, _rejection

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
# A correct generator is rejected once in a million draws; the seeds are fixed.
UNLIKELY = 1e-6
MANY = 20_000
FEWER = MANY // 10


def enough(xp: ModuleType) -> int:
    """Return the number of draws for a test of a distribution with rejection sampling.

    The same key gives the same numbers everywhere, see `TestAlikeOnAllBackends`. Backends other
    than NumPy therefore only have to show that they draw many numbers as they draw few.
    """
    return MANY if xp is namespace_of("numpy") else FEWER


def column(xp: ModuleType) -> tuple[int, int]:
    """As many, in the shape of a multinomial distribution's first division.

    JAX compiles a hundred kernels for each shape of drawn counts.
    """
    return enough(xp), 1


def repeated(xp: ModuleType, values: Any) -> Any:
    """As many numbers, by repetition."""
    return np.resize(np.asarray(values), enough(xp))


# Key, counter and result of the publication's tests of 20 rounds.
VECTORS = [
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
]


def follows(sample: Any, distribution: Any) -> bool:
    """Return True if the Kolmogorov-Smirnov test accepts a sample of a distribution."""
    return bool(scipy.stats.kstest(np.asarray(sample).ravel(), distribution).pvalue > UNLIKELY)


def likely(counts: Any, expected: Any) -> bool:
    """Return True if the chi-square test accepts counts as the expected ones."""
    return bool(scipy.stats.chisquare(counts, expected).pvalue > UNLIKELY)


class TestGenerator:
    @pytest.mark.parametrize(("key", "counter", "expected"), VECTORS)
    def test_published_vectors(self, key: Any, counter: Any, expected: Any) -> None:
        def words(pair: Any) -> Any:
            return tuple(np.array([word], np.uint32).view(np.int32) for word in pair)

        found = common.encrypted(words(key), words(counter))
        assert tuple(int(word.view(np.uint32)[0]) for word in found) == expected

    def test_published_vector_on_every_backend(self, xp: ModuleType) -> None:
        assert int(xp.random.bits(xp.random.key(0), (), dtype=xp.uint64)) == 0x6B20015999BA4EFE


class TestKey:
    @pytest.mark.parametrize("seed", [0, 7, 2**32, 2**64 - 1])
    def test_halves_of_the_seed(self, xp: ModuleType, seed: int) -> None:
        key = xp.random.key(seed)
        assert key.dtype == xp.uint32
        assert key.tolist() == [seed >> 32, seed & 0xFFFFFFFF]

    @pytest.mark.parametrize("seed", [-1, 2**64])
    def test_out_of_range(self, xp: ModuleType, seed: int) -> None:
        with pytest.raises(UnifyOverflowError, match=r"random\.key.*'seed'"):
            xp.random.key(seed)

    def test_no_integer(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match=r"random\.key.*'seed'"):
            xp.random.key(1.5)


class TestBits:
    @pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64"])
    @pytest.mark.parametrize("shape", [(), (0,), (5,), (3, 4), (70_000,)])
    def test_are_those_of_jax(self, xp: ModuleType, dtype: str, shape: Any) -> None:
        """B55: random."""
        seed = 0x0123456789ABCDEF
        own = jax.random.wrap_key_data(
            jnp.array([seed >> 32, seed & 0xFFFFFFFF], jnp.uint32), impl="threefry2x32"
        )
        expected = np.asarray(jax.random.bits(own, shape, jnp.dtype(dtype)))
        found = xp.random.bits(xp.random.key(seed), shape, dtype=getattr(xp, dtype))
        assert str(found.dtype) == dtype
        np.testing.assert_array_equal(np.asarray(found), expected)

    def test_are_the_same_when_traced(self, xp: ModuleType) -> None:
        """B55: random."""
        expected = np.asarray(namespace_of("numpy").random.bits(unify.random.key(3), (4, 5)))
        found = traced(xp, lambda key: xp.random.bits(key, (4, 5)), xp.random.key(3))
        np.testing.assert_array_equal(np.asarray(found), expected)

    def test_an_odd_key(self, xp: ModuleType) -> None:
        for key in (xp.arange(2), xp.zeros(3, dtype=xp.uint32)):
            with pytest.raises(UnifyTypeError, match=r"random\.bits.*'key'"):
                xp.random.bits(key)

    def test_signed_integers(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match=r"random\.bits.*'dtype'"):
            xp.random.bits(xp.random.key(0), 2, dtype=xp.int32)

    def test_every_bit_is_as_often_set(self, xp: ModuleType) -> None:
        words = np.asarray(xp.random.bits(xp.random.key(11), MANY))
        counts = [int(np.sum((words >> bit) & 1)) for bit in range(32)]
        for count in counts:
            assert scipy.stats.binomtest(count, MANY).pvalue > UNLIKELY


class TestSplit:
    @pytest.mark.parametrize("num", [0, 1, 2, 7])
    def test_keys_are_those_of_jax(self, xp: ModuleType, num: int) -> None:
        own = jax.random.split(jax.random.key(5, impl="threefry2x32"), num)
        found = xp.random.split(xp.random.key(5), num)
        assert found.shape == (num, 2)
        np.testing.assert_array_equal(np.asarray(found), np.asarray(jax.random.key_data(own)))

    def test_streams_are_independent(self, xp: ModuleType) -> None:
        first, second = xp.random.split(xp.random.key(5))
        x, y = (np.asarray(xp.random.normal(key, MANY)) for key in (first, second))
        assert scipy.stats.pearsonr(x, y).pvalue > UNLIKELY
        assert follows((x + y) / math.sqrt(2), "norm")


class TestFoldIn:
    @pytest.mark.parametrize("data", [0, 1, 2**32 - 1])
    def test_keys_are_those_of_jax(self, xp: ModuleType, data: int) -> None:
        own = jax.random.fold_in(jax.random.key(5, impl="threefry2x32"), np.uint32(data))
        for number in (data, xp.asarray(data, dtype=xp.int64)):
            found = xp.random.fold_in(xp.random.key(5), number)
            np.testing.assert_array_equal(np.asarray(found), np.asarray(jax.random.key_data(own)))

    def test_out_of_range(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match=r"random\.fold_in.*'data'"):
            xp.random.fold_in(xp.random.key(5), -1)


class TestUniform:
    @FLOATS
    def test_distribution(self, xp: ModuleType, dtype: str) -> None:
        x = xp.random.uniform(xp.random.key(1), MANY, dtype=getattr(xp, dtype))
        assert str(x.dtype) == dtype
        assert follows(x, "uniform")

    def test_multiples_of_a_power_of_two(self, xp: ModuleType) -> None:
        x = np.asarray(xp.random.uniform(xp.random.key(1), MANY))
        words = np.asarray(xp.random.bits(xp.random.key(1), MANY, dtype=xp.uint64))
        np.testing.assert_array_equal(x, np.ldexp((words >> 11).astype(np.float64), -53))

    def test_ends_that_are_arrays(self, xp: ModuleType) -> None:
        low = xp.asarray([[0.0], [100.0]])
        x = np.asarray(xp.random.uniform(xp.random.key(1), (2, 50), minval=low, maxval=low + 1))
        assert np.all((x >= [[0], [100]]) & (x < [[1], [101]]))

    def test_ends_that_do_not_fit(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match=r"random\.uniform.*'minval'"):
            xp.random.uniform(xp.random.key(1), 2, minval=xp.zeros((3, 2)))

    def test_no_floating_data_type(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match=r"random\.uniform.*'dtype'"):
            xp.random.uniform(xp.random.key(1), 2, dtype=xp.int64)


class TestNormal:
    @FLOATS
    def test_distribution(self, xp: ModuleType, dtype: str) -> None:
        x = xp.random.normal(xp.random.key(2), (2, MANY), dtype=getattr(xp, dtype))
        assert str(x.dtype) == dtype
        assert follows(x, "norm")

    def test_is_the_quantile_of_scipy(self, xp: ModuleType) -> None:
        words = np.asarray(xp.random.bits(xp.random.key(2), MANY, dtype=xp.uint64))
        p = np.ldexp((2 * (words >> 12) + 1).astype(np.float64), -53)
        x = np.asarray(xp.random.normal(xp.random.key(2), MANY))
        np.testing.assert_allclose(x, scipy.special.ndtri(p), rtol=2e-14, atol=1e-15)


class TestTruncatedNormal:
    @pytest.mark.parametrize(
        ("lower", "upper"), [(-1.0, 2.0), (-math.inf, 0.5), (3.0, math.inf), (6.0, 7.0)]
    )
    def test_distribution(self, xp: ModuleType, lower: float, upper: float) -> None:
        x = np.asarray(xp.random.truncated_normal(xp.random.key(3), lower, upper, MANY))
        assert np.all((x >= lower) & (x <= upper))
        assert follows(x, scipy.stats.truncnorm(lower, upper).cdf)


class TestIntegers:
    @pytest.mark.parametrize(("low", "high"), [(0, 6), (-3, 4), (-(2**63), -(2**63) + 5)])
    def test_distribution(self, xp: ModuleType, low: int, high: int) -> None:
        x = np.asarray(xp.random.integers(xp.random.key(4), low, high, MANY))
        counts = [int(np.sum(x == value)) for value in range(low, high)]
        assert likely(counts, [MANY / len(counts)] * len(counts))

    def test_is_a_remainder(self, xp: ModuleType) -> None:
        words = np.asarray(xp.random.bits(xp.random.key(4), 100, dtype=xp.uint64)).tolist()
        x = xp.random.integers(xp.random.key(4), -(10**15), 10**15, 100)
        assert x.tolist() == [word % (2 * 10**15) - 10**15 for word in words]

    @pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
    def test_whole_range(self, xp: ModuleType, dtype: str) -> None:
        info = np.iinfo(dtype)
        x = xp.random.integers(
            xp.random.key(4), int(info.min), int(info.max) + 1, 4000, dtype=getattr(xp, dtype)
        )
        values = np.asarray(x).astype(np.float64)
        span = float(info.max) - float(info.min)
        assert str(x.dtype) == dtype
        assert abs(values.mean() - (float(info.max) + float(info.min)) / 2) < 0.03 * span

    @pytest.mark.parametrize(("low", "high"), [(3, 3), (0, 300), (-1, 3)])
    def test_no_range(self, xp: ModuleType, low: int, high: int) -> None:
        with pytest.raises(UnifyValueError, match=r"random\.integers.*'high'"):
            xp.random.integers(xp.random.key(4), low, high, dtype=xp.uint8)


class TestBernoulli:
    def test_distribution(self, xp: ModuleType) -> None:
        p = xp.asarray([[0.0], [0.2], [1.0]])
        x = np.asarray(xp.random.bernoulli(xp.random.key(5), p, (3, MANY)))
        none, some, every = x.sum(axis=1).tolist()
        assert (none, every) == (0, MANY)
        assert scipy.stats.binomtest(some, MANY, 0.2).pvalue > UNLIKELY


class TestExponential:
    @FLOATS
    def test_distribution(self, xp: ModuleType, dtype: str) -> None:
        x = xp.random.exponential(xp.random.key(6), MANY, dtype=getattr(xp, dtype))
        assert follows(x, "expon")


class TestCategorical:
    def test_distribution(self, xp: ModuleType) -> None:
        p = np.array([0.1, 0.0, 0.6, 0.3])
        with np.errstate(divide="ignore"):
            logits = xp.asarray(np.log(p) + 5)
        x = np.asarray(xp.random.categorical(xp.random.key(7), logits, shape=MANY))
        counts = np.bincount(x, minlength=4)
        assert counts[1] == 0
        assert likely(counts[[0, 2, 3]], p[[0, 2, 3]] * MANY)

    def test_axis(self, xp: ModuleType) -> None:
        logits = xp.asarray([[0.0, -math.inf], [-math.inf, 0.0], [-math.inf, -math.inf]])
        assert xp.random.categorical(xp.random.key(7), logits, axis=0).tolist() == [0, 1]


class TestPermutation:
    @pytest.mark.slow_on("tensorflow", "dask")
    def test_every_order_is_as_likely(self, xp: ModuleType) -> None:
        keys = xp.random.split(xp.random.key(8), 600)
        orders = [tuple(xp.random.permutation(key, 3).tolist()) for key in keys]
        counts = [orders.count(order) for order in sorted(set(orders))]
        assert len(counts) == 6
        assert likely(counts, [100] * 6)

    def test_parts_stay_whole(self, xp: ModuleType) -> None:
        x = xp.reshape(xp.arange(12), (3, 4))
        found = np.asarray(xp.random.permutation(xp.random.key(8), x, axis=1))
        columns = sorted(found.T.tolist())
        assert columns == np.arange(12).reshape(3, 4).T.tolist()
        assert found.tolist() != np.arange(12).reshape(3, 4).tolist()


class TestChoice:
    def test_with_probabilities(self, xp: ModuleType) -> None:
        p = np.array([0.5, 0.0, 0.25, 0.25])
        x = np.asarray(xp.random.choice(xp.random.key(9), 4, MANY, p=xp.asarray(p)))
        counts = np.bincount(x, minlength=4)
        assert counts[1] == 0
        assert likely(counts[[0, 2, 3]], p[[0, 2, 3]] * MANY)

    def test_without_putting_back(self, xp: ModuleType) -> None:
        x = xp.random.choice(xp.random.key(9), 10, (2, 5), replace=False)
        assert sorted(np.asarray(x).ravel().tolist()) == list(range(10))

    @pytest.mark.slow_on("tensorflow", "dask")
    def test_with_probabilities_without_putting_back(self, xp: ModuleType) -> None:
        p = xp.asarray([0.7, 0.2, 0.1])
        keys = xp.random.split(xp.random.key(9), 400)
        firsts = [xp.random.choice(k, 3, 2, replace=False, p=p).tolist()[0] for k in keys]
        assert likely(np.bincount(firsts, minlength=3), [280, 80, 40])

    def test_more_than_there_are(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match=r"random\.choice.*'shape'"):
            xp.random.choice(xp.random.key(9), 3, 4, replace=False)

    def test_parts_of_an_array(self, xp: ModuleType) -> None:
        x = xp.reshape(xp.arange(6), (2, 3))
        found = xp.random.choice(xp.random.key(9), x, (4, 1), axis=1)
        assert found.shape == (2, 4, 1)
        columns = np.asarray(found)[..., 0].T.tolist()
        assert all(column in [[0, 3], [1, 4], [2, 5]] for column in columns)


class TestOrthogonal:
    def test_orthogonal(self, xp: ModuleType) -> None:
        q = np.asarray(xp.random.orthogonal(xp.random.key(10), 4, (3,)))
        np.testing.assert_allclose(
            q @ np.swapaxes(q, -1, -2), np.broadcast_to(np.eye(4), (3, 4, 4)), atol=1e-14
        )

    def test_signs_are_as_likely(self, xp: ModuleType) -> None:
        """The sign of `qr`'s factor must not affect the distribution."""
        q = np.asarray(xp.random.orthogonal(xp.random.key(10), 2, (4000,)))
        angles = np.arctan2(q[:, 1, 0], q[:, 0, 0]) / (2 * np.pi) + 0.5
        assert follows(angles, "uniform")
        assert scipy.stats.binomtest(int(np.sum(np.linalg.det(q) > 0)), 4000).pvalue > UNLIKELY


def all_high(shape: Any) -> Any:
    """Return probabilities for which every proposal is rejected."""
    return unify.full(shape, 0.9999)


def counted(x: Any, distribution: Any) -> bool:
    """Return True if integers are as frequent as in a distribution of SciPy."""
    x = np.asarray(x).ravel()
    values = np.arange(x.min(), x.max() + 1)
    expected = distribution.pmf(values) * x.size
    usual = expected > 5
    counts = np.bincount(x - x.min(), minlength=values.size)
    rest = (x.size - counts[usual].sum(), x.size - expected[usual].sum())
    found, wanted = list(counts[usual]), list(expected[usual])
    if rest[1] > 1:
        found, wanted = [*found, rest[0]], [*wanted, rest[1]]
    return likely(found, np.array(wanted) * (sum(found) / sum(wanted)))


class TestGamma:
    @FLOATS
    @pytest.mark.parametrize("a", [0.05, 0.5, 1.0, 2.5, 1000.0])
    def test_distribution(self, xp: ModuleType, a: float, dtype: str) -> None:
        x = xp.random.gamma(xp.random.key(14), a, enough(xp), dtype=getattr(xp, dtype))
        assert str(x.dtype) == dtype
        assert follows(np.asarray(x).astype(np.float64), scipy.stats.gamma(a).cdf)

    def test_no_shape(self, xp: ModuleType) -> None:
        a = repeated(xp, [0.0, -1.0, math.nan, 2.0])
        found = xp.isnan(xp.random.gamma(xp.random.key(14), xp.asarray(a)))
        assert found.tolist() == (a != 2.0).tolist()

    @pytest.mark.slow
    def test_has_no_derivative(self) -> None:
        xp = namespace_of("jax")
        slope = jax.grad(lambda a: xp.random.gamma(xp.random.key(1), unify.Array(a)).data)(2.0)
        assert float(slope) == 0.0

    def test_all_proposals_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """If all proposals are rejected, the result is a number from the middle."""
        monkeypatch.setattr(
            _rejection, "probabilities", lambda key, shape: unify.full(shape, 0.9999)
        )
        found = unify.random.gamma(unify.random.key(1), unify.asarray([2.0, 50.0]))
        np.testing.assert_allclose(np.asarray(found), [2 - 1 / 3, 50 - 1 / 3])


class TestBeta:
    @pytest.mark.parametrize(("a", "b"), [(2.0, 6.0), (0.5, 0.5), (0.01, 3.0)])
    def test_distribution(self, xp: ModuleType, a: float, b: float) -> None:
        x = np.asarray(xp.random.beta(xp.random.key(15), a, b, enough(xp)))
        assert follows(x, scipy.stats.beta(a, b).cdf)

    def test_tiny_parameters(self, xp: ModuleType) -> None:
        """Both gamma numbers underflow, but not their ratio."""
        x = np.asarray(xp.random.beta(xp.random.key(15), 1e-5, 1e-5, enough(xp)))
        assert np.all((x >= 0) & (x <= 1))
        assert scipy.stats.binomtest(int(np.sum(x > 0.5)), x.size).pvalue > UNLIKELY


class TestDirichlet:
    @pytest.mark.slow_on("jax")
    def test_distribution(self, xp: ModuleType) -> None:
        alpha = np.array([0.5, 1.0, 3.0])
        x = np.asarray(xp.random.dirichlet(xp.random.key(16), xp.asarray(alpha), enough(xp)))
        assert x.shape == (enough(xp), 3)
        np.testing.assert_allclose(x.sum(-1), 1, rtol=1e-14)
        for row, a in zip(x.T, alpha, strict=True):
            assert follows(row, scipy.stats.beta(a, alpha.sum() - a).cdf)

    def test_nothing_to_divide(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match=r"random\.dirichlet.*'alpha'"):
            xp.random.dirichlet(xp.random.key(16), xp.zeros((2, 0)))


class TestPoisson:
    @pytest.mark.parametrize("rate", [0.3, 4.0, 9.99, 10.0, 11.0, 80.0, 3000.0])
    def test_distribution(self, xp: ModuleType, rate: float) -> None:
        x = xp.random.poisson(xp.random.key(17), rate, column(xp))
        assert x.dtype == xp.int64
        assert counted(x, scipy.stats.poisson(rate))

    def test_large(self) -> None:
        x = np.asarray(unify.random.poisson(unify.random.key(17), 1e12, MANY)).astype(np.float64)
        assert follows((x - 1e12) / 1e6, "norm")

    def test_ends(self, xp: ModuleType) -> None:
        rate = repeated(xp, [0.0, -1.0, math.nan, 2.0**54])[:, None]
        found = xp.random.poisson(xp.random.key(17), xp.asarray(rate))
        assert found.tolist() == repeated(xp, [0, -1, -1, -1])[:, None].tolist()

    def test_all_proposals_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            _rejection, "probabilities", lambda key, shape: unify.full(shape, 0.9999)
        )
        assert unify.random.poisson(unify.random.key(1), 50.0).tolist() == 50


class TestBinomial:
    @pytest.mark.parametrize(
        ("n", "p"), [(1, 0.3), (20, 0.4), (60, 0.5), (60, 0.97), (400, 0.02), (5000, 0.3)]
    )
    def test_distribution(self, xp: ModuleType, n: int, p: float) -> None:
        x = xp.random.binomial(xp.random.key(18), n, p, column(xp))
        assert counted(x, scipy.stats.binom(n, p))

    def test_ends(self, xp: ModuleType) -> None:
        n = xp.asarray(repeated(xp, [0, 7, 10**6, -1, 5, 5])[:, None])
        p = xp.asarray(repeated(xp, [0.5, 0.0, 1.0, 0.5, 1.5, math.nan])[:, None])
        found = xp.random.binomial(xp.random.key(18), n, p)
        assert found.tolist() == repeated(xp, [0, 0, 10**6, -1, -1, -1])[:, None].tolist()


class TestMultinomial:
    @pytest.mark.slow_on("numpy", "tensorflow", "jax", "dask")
    def test_distribution(self, xp: ModuleType) -> None:
        p = np.array([1.0, 0.0, 3.0, 2.0, 4.0])
        x = np.asarray(xp.random.multinomial(xp.random.key(19), 30, xp.asarray(p), enough(xp)))
        assert x.sum(-1).tolist() == [30] * enough(xp)
        assert not x[:, 1].any()
        for column, share in zip(x.T[[0, 2, 3, 4]], [0.1, 0.3, 0.2, 0.4], strict=True):
            assert counted(column, scipy.stats.binom(30, share))

    def test_two_things_at_once(self) -> None:
        """The second category gets its share of the trials that aren't of the first one."""
        p = unify.asarray([0.5, 0.3, 0.2])
        x = np.asarray(unify.random.multinomial(unify.random.key(19), 10, p, MANY))
        rest = x[x[:, 0] == 4]
        assert counted(rest[:, 1], scipy.stats.binom(6, 0.6))


# The draw, and the tolerance between two backends in ulps of float64: one, times the condition of
# the last transformation. In float32 all are computed in float64 and rounded once. Most have the
# shapes of the tests above, for which JAX has compiled kernels.
DRAWS = {
    "uniform": (lambda r, k, d: r.uniform(k, MANY, dtype=d), 0),
    "normal": (lambda r, k, d: r.normal(k, MANY, dtype=d), 8),
    # TensorFlow's logarithm has an error of up to 1.5 ulps, NumPy's 0.5 ulp.
    "exponential": (lambda r, k, d: r.exponential(k, MANY, dtype=d), 2),
    "truncated_normal": (lambda r, k, d: r.truncated_normal(k, -1.0, 5.0, MANY, dtype=d), 16),
    # Small ones are cubes of differences, which have the ulps of their normal numbers.
    "gamma": (lambda r, k, d: r.gamma(k, 2.5, 2_000, dtype=d), 16),
    "beta": (lambda r, k, d: r.beta(k, 2.5, 4.0, FEWER, dtype=d), 16),
}


class TestAlikeOnAllBackends:
    @pytest.mark.slow
    @FLOATS
    @pytest.mark.parametrize("name", DRAWS)
    def test_floats(self, name: str, dtype: str) -> None:
        """B55: random."""
        draw, ulps = DRAWS[name]
        ulps = min(ulps, 1) if dtype == "float32" else ulps
        results = []
        for backend in backends.names():
            xp = namespace_of(backend)
            found = draw(xp.random, xp.random.key(12), getattr(xp, dtype))
            results.append(np.asarray(found))
        for result in results[1:]:
            np.testing.assert_array_max_ulp(result, results[0], ulps)

    @pytest.mark.slow
    def test_what_is_discrete(self) -> None:
        """B55: random."""
        results = []
        for backend in backends.names():
            r, xp = namespace_of(backend).random, namespace_of(backend)
            key = r.key(13)
            rates, trials = (xp.asarray(np.resize(v, (FEWER, 1))) for v in ([3.0, 30.0], [9, 900]))
            results.append([
                r.integers(key, -5, 500, MANY).tolist(), r.permutation(key, 50).tolist(),
                r.bernoulli(key, 0.3, 50).tolist(), r.choice(key, 20, 9, replace=False).tolist(),
                r.categorical(key, xp.zeros(5), shape=50).tolist(),
                r.poisson(key, rates).tolist(), r.binomial(key, trials, 0.3).tolist(),
                r.multinomial(key, 60, xp.asarray([0.1, 0.3, 0.0, 0.4, 0.2]), FEWER).tolist(),
            ])  # fmt: skip
        assert all(result == results[0] for result in results)


def in_a_new_state(function: Any) -> Any:
    """Call a function in a separate context, so that no seed remains."""
    return contextvars.copy_context().run(function)


class TestHiddenState:
    """B55: the functions without a key, on top of those with one."""

    @pytest.mark.slow
    def test_same_seed_same_numbers_everywhere(self) -> None:
        def drawn(xp: Any) -> Any:
            xp.random.seed(0)
            return [
                xp.random.random_uniform(shape=3).tolist(),
                xp.random.random_uniform(low=xp.asarray([1.0, 50.0]), high=100).tolist(),
                xp.random.randint(-5, 500, shape=(2, 3)).tolist(),
                xp.random.shuffle(xp.arange(9)).tolist(),
                np.round(np.asarray(xp.random.random_normal(shape=4)), 12).tolist(),
            ]

        results = [in_a_new_state(lambda n=n: drawn(namespace_of(n))) for n in backends.names()]
        assert all(result == results[0] for result in results)
        assert in_a_new_state(lambda: drawn(unify)) == results[0]

    def test_are_those_of_the_keys(self, xp: ModuleType) -> None:
        def drawn() -> Any:
            xp.random.seed(5)
            return (
                xp.random.next_key(), xp.random.random_normal(mean=2.0, std=3.0, shape=4),
                xp.random.shuffle(xp.arange(6)),
            )  # fmt: skip

        found = in_a_new_state(drawn)
        keys = [xp.random.fold_in(xp.random.key(5), n) for n in range(3)]
        expected = (
            keys[0], 2.0 + xp.random.normal(keys[1], 4) * 3.0, xp.random.permutation(keys[2], 6)
        )  # fmt: skip
        assert [x.tolist() for x in found] == [x.tolist() for x in expected]
        assert {x.backend for x in found} == {keys[0].backend}

    def test_draws_differ(self, xp: ModuleType) -> None:
        def drawn() -> Any:
            xp.random.seed(5)
            return [xp.random.random_uniform().tolist() for _ in range(100)]

        assert len(set(in_a_new_state(drawn))) == 100

    def test_shuffle_leaves_its_argument_alone(self, xp: ModuleType) -> None:
        x = xp.reshape(xp.arange(20), (4, 5))
        found = in_a_new_state(lambda: xp.random.shuffle(x, axis=1))
        assert x.tolist() == np.arange(20).reshape(4, 5).tolist()
        assert sorted(np.asarray(found).T.tolist()) == np.arange(20).reshape(4, 5).T.tolist()

    def test_beyond_the_words_of_a_counter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def drawn(count: int) -> Any:
            monkeypatch.setattr(_hidden_state, "advance", lambda: (5, count))
            return tuple(unify.random.next_key().tolist())

        assert len({drawn(count) for count in (0, 1, 2**32, 2**32 + 1, 2**33)}) == 5

    def test_threads_begin_without_a_seed(self) -> None:
        def drawn() -> float:
            return float(unify.random.random_uniform())

        def main() -> tuple[float, list[float], float]:
            unify.random.seed(0)
            first = drawn()
            with ThreadPoolExecutor(1) as threads:
                others = [threads.submit(drawn).result()]
                threads.submit(unify.random.seed, 0).result()
                others.append(threads.submit(drawn).result())
            return first, others, drawn()

        first, (unseeded, seeded), second = in_a_new_state(main)
        expected = [
            unify.random.uniform(unify.random.fold_in(unify.random.key(0), n)) for n in (0, 1)
        ]
        assert [first, second] == [float(x) for x in expected]
        assert seeded == first
        assert unseeded not in (first, second)

    def test_tasks_do_not_change_each_other(self) -> None:
        async def task(count: int) -> list[float]:
            found = []
            for _ in range(count):
                found.append(float(unify.random.random_uniform()))
                await asyncio.sleep(0)
            return found

        async def main() -> Any:
            unify.random.seed(3)
            return await asyncio.gather(task(2), task(5)), await task(5)

        (few, many), own = in_a_new_state(lambda: asyncio.run(main()))
        assert few == many[:2]
        assert many == own

    def test_without_a_seed_nothing_repeats(self) -> None:
        def drawn() -> Any:
            return tuple(unify.random.next_key().tolist())

        assert len({contextvars.Context().run(drawn) for _ in range(4)}) == 4

    @pytest.mark.parametrize(("seed", "error"), [(-1, UnifyOverflowError), (0.5, UnifyTypeError)])
    def test_no_seed(self, seed: Any, error: Any) -> None:
        with pytest.raises(error, match=r"random\.seed.*'seed'"):
            unify.random.seed(seed)

    def test_a_seed_of_one_draw(self, xp: ModuleType) -> None:
        """It returns the numbers of its key, and doesn't affect the hidden state."""
        random, x = xp.random, xp.arange(6)

        def drawn(*, between: bool) -> Any:
            random.seed(5)
            seeded = [
                random.random_uniform(shape=3, seed=7), random.random_normal(shape=3, seed=7),
                random.randint(0, 99, shape=3, seed=7), random.shuffle(x, seed=7),
            ] if between else []  # fmt: skip
            return [one.tolist() for one in seeded], random.random_uniform(shape=2).tolist()

        key = random.key(7)
        seeded, after = in_a_new_state(lambda: drawn(between=True))
        assert seeded == [
            random.uniform(key, 3).tolist(), random.normal(key, 3).tolist(),
            random.integers(key, 0, 99, 3).tolist(), random.permutation(key, x).tolist(),
        ]  # fmt: skip
        assert after == in_a_new_state(lambda: drawn(between=False))[1]
        for wrong, error in ((-1, UnifyOverflowError), (0.5, UnifyTypeError)):
            with pytest.raises(error, match="'seed'"):
                random.random_uniform(seed=wrong)

    @pytest.mark.parametrize("name", ["random_uniform", "random_normal"])
    def test_shapes_that_do_not_fit(self, xp: ModuleType, name: str) -> None:
        ends = {"random_uniform": "low", "random_normal": "mean"}[name]
        with pytest.raises(UnifyValueError, match=rf"random\.{name}.*'{ends}'"):
            in_a_new_state(lambda: getattr(xp.random, name)(**{ends: xp.zeros(3)}, shape=2))


def traced(xp: ModuleType, function: Any, key: Any) -> Any:
    """Call a function while the backend traces."""
    name = xp.__unify_backend__
    if name == "jax":
        return jax.jit(function)(key)
    if name == "tensorflow":
        import tensorflow as tf

        return tf.function(function)(key)
    if name == "torch":
        import torch

        return torch.compile(function, backend="eager", fullgraph=True)(key)
    return function(key)


@pytest.mark.parametrize("limit", [(1e308, "float64"), (3e38, "float32")])
def test_interval_wider_than_the_largest_number(xp: ModuleType, limit: tuple[float, str]) -> None:
    """FAULTS 5.9: the width overflows, and the numbers don't."""
    end, dtype = limit[0], getattr(xp, limit[1])
    key = xp.random.key(1)
    for low, high in ((-end, end), (-end, xp.asarray(end, dtype=dtype))):
        x = np.asarray(xp.random.uniform(key, (1000,), minval=low, maxval=high, dtype=dtype))
        assert np.isfinite(x).all()
        assert -end <= x.min() < -0.9 * end
        assert 0.9 * end < x.max() <= end


def test_ends_and_shape_by_position() -> None:
    """As published examples have it."""
    unify.random.seed(3)
    x = unify.random_uniform(-1.0, 1.0, (3, 3))
    y = unify.random_normal(5.0, 0.1, (3, 3))
    assert x.shape == y.shape == (3, 3)
    assert unify.all(unify.abs(x) <= 1.0)
    assert unify.all(y > 4.0)
