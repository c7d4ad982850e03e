"""Random numbers: published vectors, JAX's own bits, and SciPy's tests of distributions."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

import arrayapi_unify as unify
from arrayapi_unify import backends
from arrayapi_unify.backends._common import random as common
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyOverflowError, UnifyTypeError, UnifyValueError

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
# A right generator is refused once in a million draws; the seeds are fixed.
UNLIKELY = 1e-6
MANY = 20_000

# Key, counter and result of the publication's own tests of 20 rounds.
VECTORS = [
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
]


def follows(sample: Any, distribution: Any) -> bool:
    """Whether the Kolmogorov-Smirnov test takes a sample for one of a distribution."""
    return bool(scipy.stats.kstest(np.asarray(sample).ravel(), distribution).pvalue > UNLIKELY)


def likely(counts: Any, expected: Any) -> bool:
    """Whether the chi-square test takes counts for those that are expected."""
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
        """Behaviour 55."""
        seed = 0x0123456789ABCDEF
        own = jax.random.wrap_key_data(
            jnp.array([seed >> 32, seed & 0xFFFFFFFF], jnp.uint32), impl="threefry2x32"
        )
        expected = np.asarray(jax.random.bits(own, shape, jnp.dtype(dtype)))
        found = xp.random.bits(xp.random.key(seed), shape, dtype=getattr(xp, dtype))
        assert str(found.dtype) == dtype
        np.testing.assert_array_equal(np.asarray(found), expected)

    def test_are_the_same_when_traced(self, xp: ModuleType) -> None:
        """Behaviour 55."""
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
        """The factor that `qr` returns has a sign of its own; the distribution must not show it."""
        q = np.asarray(xp.random.orthogonal(xp.random.key(10), 2, (4000,)))
        angles = np.arctan2(q[:, 1, 0], q[:, 0, 0]) / (2 * np.pi) + 0.5
        assert follows(angles, "uniform")
        assert scipy.stats.binomtest(int(np.sum(np.linalg.det(q) > 0)), 4000).pvalue > UNLIKELY


DRAWS = {
    "uniform": lambda r, k, d: r.uniform(k, 500, dtype=d),
    "normal": lambda r, k, d: r.normal(k, 500, dtype=d),
    "exponential": lambda r, k, d: r.exponential(k, 500, dtype=d),
    "truncated_normal": lambda r, k, d: r.truncated_normal(k, -1.0, 5.0, 500, dtype=d),
}


class TestAlikeOnAllBackends:
    @FLOATS
    @pytest.mark.parametrize("name", DRAWS)
    def test_floats_within_8_ulps(self, name: str, dtype: str) -> None:
        """Behaviour 55."""
        results = []
        for backend in backends.names():
            xp = namespace_of(backend)
            draw = DRAWS[name](xp.random, xp.random.key(12), getattr(xp, dtype))
            results.append(np.asarray(draw))
        for result in results[1:]:
            np.testing.assert_array_max_ulp(result, results[0], 8)

    def test_what_is_discrete(self) -> None:
        """Behaviour 55."""
        results = []
        for backend in backends.names():
            r, xp = namespace_of(backend).random, namespace_of(backend)
            key = r.key(13)
            results.append([
                r.integers(key, -5, 500, 50).tolist(), r.permutation(key, 50).tolist(),
                r.bernoulli(key, 0.3, 50).tolist(), r.choice(key, 20, 9, replace=False).tolist(),
                r.categorical(key, xp.zeros(5), shape=50).tolist(),
            ])  # fmt: skip
        assert all(result == results[0] for result in results)


def traced(xp: ModuleType, function: Any, key: Any) -> Any:
    """Call a function inside of what the backend traces."""
    name = xp.__name__.rpartition(".")[2]
    if name == "jax":
        return jax.jit(function)(key)
    if name == "tensorflow":
        import tensorflow as tf

        return tf.function(function)(key)
    if name == "torch":
        import torch

        return torch.compile(function, backend="eager", fullgraph=True)(key)
    return function(key)
