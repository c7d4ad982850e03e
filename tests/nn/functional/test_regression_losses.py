"""Losses of numbers compared with their formulas in extended precision, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.special

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.functional.differentiating import DIFFERENTIATING
from tests.numbers import generator
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
GENERATOR = generator(15)
INF = float("inf")


def pair(dtype: str) -> tuple[Any, Any]:
    true, pred = (GENERATOR.normal(0, 2, (3, 4)).astype(dtype) for _ in range(2))
    return true, pred


def assert_reduced(xp: ModuleType, name: str, terms: Any, true: Any, pred: Any, **kw: Any) -> None:
    """Compare terms, sums and means, each within 16 ulps of the operands."""
    function = getattr(xp, name)
    arrays = xp.asarray(true), xp.asarray(pred)
    size = np.abs(true.astype("g")) + np.abs(pred.astype("g"))
    unit = np.maximum(np.abs(terms), size * (1 + size))
    assert_ulps(function(*arrays, reduction="none", **kw), terms, 16, unit)
    assert_ulps(function(*arrays, axis=1, reduction="sum", **kw), terms.sum(1), 16, unit.sum(1))
    assert_ulps(function(*arrays, **kw), terms.mean(), 16, unit.mean())


def slopes(backend: str, name: str, at: list[float], **kwargs: Any) -> list[float]:
    """Differentiate the terms by the predictions, with zeros as true values."""
    xp: Any = unify.get_backend(backend)
    pred = xp.asarray(at)
    true = xp.zeros(len(at))
    _, pull = unify.vjp(lambda p: getattr(xp, name)(true, p, reduction="none", **kwargs), pred)
    return pull(xp.ones(len(at)))[0].tolist()


class TestCosineSimilarity:
    @FLOATS
    @pytest.mark.parametrize("axis", [0, 1, -1])
    def test_within_16_ulps_of_one(self, xp: ModuleType, dtype: str, axis: int) -> None:
        a, b = pair(dtype)
        x, y = a.astype("g"), b.astype("g")
        lengths = np.sqrt((x * x).sum(axis) * (y * y).sum(axis))
        result = xp.cosine_similarity(xp.asarray(a), xp.asarray(b), axis=axis)
        assert_ulps(result, (x * y).sum(axis) / lengths, 16, magnitude=1)

    def test_broadcast_and_zeros(self, xp: ModuleType) -> None:
        x = xp.asarray([[3.0, 4.0], [0.0, 0.0]])
        assert xp.cosine_similarity(x, xp.asarray([6.0, 8.0])).tolist() == [1, 0]
        assert xp.cosine_similarity(x, xp.asarray([[2.0], [1.0]])).tolist()[0] == pytest.approx(
            7 / 50**0.5
        )
        assert xp.cosine_similarity(x[0, :], x[0, :], epsilon=10.0).item() == 0.25

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_a_zero_vector_has_a_derivative(self, backend: str) -> None:
        xp: Any = unify.get_backend(backend)
        y = xp.asarray([3.0, 4.0])
        found = unify.grad(lambda x: xp.cosine_similarity(x, y, epsilon=0.5))(xp.zeros(2))
        np.testing.assert_allclose(found.tolist(), [1.2, 1.6])

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyIndexError, match="cosine_similarity: argument 'axis'"):
            xp.cosine_similarity(xp.ones(2), xp.ones(2), axis=1)
        with pytest.raises(UnifyTypeError, match="cosine_similarity: argument 'x2'"):
            xp.cosine_similarity(xp.ones(2), xp.asarray([1j, 1]))


class TestHuber:
    @FLOATS
    @pytest.mark.parametrize("delta", [1.0, 0.25, 3])
    def test_within_16_ulps(self, xp: ModuleType, dtype: str, delta: float) -> None:
        true, pred = pair(dtype)
        gap = true.astype("g") - pred.astype("g")
        terms = scipy.special.huber(delta, gap.astype(float)).astype("g")
        exact = np.where(np.abs(gap) <= delta, gap**2 / 2, delta * (np.abs(gap) - delta / 2))
        np.testing.assert_allclose(terms.astype(float), exact.astype(float), rtol=1e-12)
        assert_reduced(xp, "huber", exact, true, pred, delta=delta)

    def test_at_the_bend_and_at_infinity(self, xp: ModuleType) -> None:
        pred = xp.asarray([0.5, -0.5, 1e200, INF, -INF, np.nan])
        result = xp.huber(xp.zeros(6), pred, delta=0.5, reduction="none")
        np.testing.assert_array_equal(np.asarray(result), [0.125, 0.125, 0.5e200, INF, INF, np.nan])

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_slopes(self, backend: str) -> None:
        at = [0.0, 0.25, 0.5, -0.5, 2.0, 1e200, INF, -INF]
        found = slopes(backend, "huber", at, delta=0.5)
        assert found == [0, 0.25, 0.5, -0.5, 0.5, 0.5, 0.5, -0.5]

    @pytest.mark.parametrize("delta", [0.0, -1.0, INF, float("nan")])
    def test_delta_is_positive(self, xp: ModuleType, delta: float) -> None:
        with pytest.raises(UnifyValueError, match="huber: argument 'delta' is"):
            xp.huber(xp.ones(2), xp.ones(2), delta=delta)


class TestMae:
    @FLOATS
    def test_within_16_ulps(self, xp: ModuleType, dtype: str) -> None:
        true, pred = pair(dtype)
        terms = np.abs(true.astype("g") - pred.astype("g"))
        assert_reduced(xp, "mae", terms, true, pred)

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_slopes(self, backend: str) -> None:
        assert slopes(backend, "mae", [2.0, 0.0, -1e300, INF]) == [1, 0, -1, 1]


class TestMse:
    @FLOATS
    def test_within_16_ulps(self, xp: ModuleType, dtype: str) -> None:
        true, pred = pair(dtype)
        assert_reduced(xp, "mse", (true.astype("g") - pred.astype("g")) ** 2, true, pred)

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_slopes(self, backend: str) -> None:
        assert slopes(backend, "mse", [2.0, 0.0, -3.0]) == [4, 0, -6]


class TestPoissonNll:
    @FLOATS
    @pytest.mark.parametrize("full", [False, True])
    @pytest.mark.parametrize("log_input", [True, False])
    def test_within_32_ulps(self, xp: ModuleType, dtype: str, full: bool, log_input: bool) -> None:
        true = GENERATOR.poisson(3, (3, 4)).astype(dtype)
        pred = GENERATOR.uniform(0.5, 4, (3, 4)).astype(dtype)
        t, p = true.astype("g"), pred.astype("g")
        terms = np.exp(p) - t * p if log_input else p - t * np.log(p + np.longdouble(1e-8))
        if full:
            many = np.where(t > 1, t, 2)
            stirling = many * np.log(many) - many + np.log(2 * np.longdouble(np.pi) * many) / 2
            terms = terms + np.where(t > 1, stirling, 0)
        result = xp.poisson_nll(
            xp.asarray(true), xp.asarray(pred), log_input=log_input, full=full, reduction="none"
        )
        assert_ulps(result, terms, 32, np.abs(terms) + np.exp(p) + t * p)

    def test_no_counts(self, xp: ModuleType) -> None:
        zeros = xp.zeros(2)
        assert xp.poisson_nll(zeros, xp.asarray([-INF, 0.0]), full=True, reduction="none").shape
        result = xp.poisson_nll(zeros, zeros, log_input=False, full=True, reduction="none")
        assert result.tolist() == [0, 0]

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_slopes(self, backend: str) -> None:
        assert slopes(backend, "poisson_nll", [0.0, -INF], full=True) == [1, 0]


class TestSmoothL1:
    @FLOATS
    @pytest.mark.parametrize("beta", [1.0, 0.25, 3, 0])
    def test_within_16_ulps(self, xp: ModuleType, dtype: str, beta: float) -> None:
        true, pred = pair(dtype)
        gap = np.abs(true.astype("g") - pred.astype("g"))
        bowl = gap**2 / (2 * beta) if beta else gap
        terms = np.where(gap < beta, bowl, gap - beta / 2)
        assert_reduced(xp, "smooth_l1", terms, true, pred, beta=beta)

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_slopes(self, backend: str) -> None:
        at = [0.0, 0.25, 0.5, -2.0, INF, -INF]
        assert slopes(backend, "smooth_l1", at, beta=0.5) == [0, 0.5, 1, -1, 1, -1]
        assert slopes(backend, "smooth_l1", at, beta=0) == [0, 1, 1, -1, 1, -1]

    @pytest.mark.parametrize("beta", [-1.0, INF])
    def test_beta_is_not_negative(self, xp: ModuleType, beta: float) -> None:
        with pytest.raises(UnifyValueError, match="smooth_l1: argument 'beta' is"):
            xp.smooth_l1(xp.ones(2), xp.ones(2), beta=beta)


@pytest.mark.parametrize("name", ["huber", "mae", "mse", "poisson_nll", "smooth_l1"])
class TestAll:
    def test_unknown_reduction(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(UnifyValueError, match=f"{name}: argument 'reduction' is 'foo'"):
            getattr(xp, name)(xp.ones(2), xp.ones(2), reduction="foo")

    def test_complex_numbers_are_refused(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(UnifyTypeError, match=f"{name}: argument 'pred'"):
            getattr(xp, name)(xp.ones(1), xp.asarray([1j]))

    def test_out_broadcasting_and_native_arrays(self, xp: ModuleType, name: str) -> None:
        true, pred, out = xp.ones((2, 1)), xp.full(3, 3.0), xp.zeros((2, 3))
        result = getattr(xp, name)(true, pred.data, reduction="none", out=out)
        assert result is out
        expected = {"huber": 1.5, "mae": 2, "mse": 4, "smooth_l1": 1.5}
        assert out.tolist() == [[pytest.approx(expected.get(name, np.exp(3) - 3))] * 3] * 2

    def test_integers_and_zero_size(self, xp: ModuleType, name: str) -> None:
        result = getattr(xp, name)(xp.asarray([1]), xp.asarray([2], dtype=xp.int8))
        assert result.dtype.name == "float64"
        x = xp.zeros((2, 0))
        assert getattr(xp, name)(x, x, axis=1, reduction="sum").tolist() == [0, 0]
