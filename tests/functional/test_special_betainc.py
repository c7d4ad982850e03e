"""B67: the incomplete beta function compared with mpmath, on every backend."""

from __future__ import annotations

import functools
import math
from types import ModuleType
from typing import Any, Final

import mpmath
import numpy as np
import pytest
import scipy.special

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyValueError
from tests.functional.differentiating import on_each

__all__ = ["on_each"]

INF, NAN = math.inf, math.nan
SHAPES: Final = (1e-3, 0.02, 0.5, 1.0, 2.5, 7.9, 8.0, 31.0, 280.0, 4e3, 1e5)
# Distances of the odds from those of the mean, in standard deviations of their logarithm.
DISTANCES: Final = (-20.0, -4.0, -1.0, -0.01, 0.0, 0.3, 2.0, 9.0)


def at(a: float, b: float, distance: float) -> float:
    """Return an argument at a distance from the mean."""
    deviation = math.sqrt((a + b) / a / b)
    return 1 / (1 + b / a * math.exp(min(max(-distance * deviation, -600), 600)))


POINTS: Final = [
    (a, b, at(a, b, d)) for a in SHAPES for b in SHAPES for d in DISTANCES if 0 < at(a, b, d) < 1
]


@functools.cache
def exact(a: float, b: float, x: float) -> Any:
    """Return the function by its continued fraction, NIST Handbook 8.17.22, with 45 digits."""
    with mpmath.workdps(45):
        p, q, u = mpmath.mpf(a), mpmath.mpf(b), mpmath.mpf(x)
        above = u > (p + 1) / (p + q + 2)
        if above:
            p, q, u = q, p, 1 - u
        count = 40 + int(4 * math.sqrt(max(a, b)))
        rest = mpmath.mpf(0)
        for m in range(count, 0, -1):
            odd = -(p + m) * (p + q + m) * u / ((p + 2 * m) * (p + 2 * m + 1))
            even = m * (q - m) * u / ((p + 2 * m - 1) * (p + 2 * m))
            rest = even / (1 + odd / (1 + rest))
        rest = -p * (p + q) * u / (p * (p + 1)) / (1 + rest)
        logs = mpmath.loggamma(p + q) - mpmath.loggamma(p) - mpmath.loggamma(q)
        power = mpmath.exp(p * mpmath.log(u) + q * mpmath.log(1 - u) + logs)
        found = power / p / (1 + rest)
        return float(1 - found if above else found)


def compute(xp: ModuleType, a: Any, b: Any, x: Any) -> Any:
    return np.asarray(xp.special.betainc(*map(xp.asarray, (a, b, x))))


@pytest.mark.slow_on("dask")  # a graph of thousands of tasks for each call
class TestDigits:
    @pytest.mark.slow
    def test_to_1e_13_in_the_tails_too(self, xp: ModuleType) -> None:
        expected = np.array([exact(*point) for point in POINTS])
        seen = expected > 1e-200
        assert np.count_nonzero(seen) > 700
        assert np.count_nonzero(seen & (expected < 1e-20)) > 30
        found = compute(xp, *np.array(POINTS).T)
        np.testing.assert_allclose(found[seen], expected[seen], rtol=1e-13)

    def test_of_binomials_are_rational(self, xp: ModuleType) -> None:
        """The probability of at least k of n is known without a fraction's convergence."""
        k, x = np.arange(1.0, 41.0), 0.375
        terms = [math.comb(40, j) * 3**j * 5 ** (40 - j) for j in range(41)]
        expected = [sum(terms[int(j) :]) / 8**40 for j in k]
        np.testing.assert_allclose(compute(xp, k, 41 - k, np.full(40, x)), expected, rtol=1e-14)

    def test_of_large_arrays_and_of_few_elements_are_the_same(self, xp: ModuleType) -> None:
        """NumPy and PyTorch compute them by parts, and by cases."""
        a, b, x = (v.reshape(2, -1) for v in np.array(POINTS[:800]).T)
        found = compute(xp, np.tile(a, 4).T, np.tile(b, 4).T, np.tile(x, 4).T)
        few = [
            compute(xp, *point)[()] for point in zip(a[:, 300], b[:, 300], x[:, 300], strict=True)
        ]
        np.testing.assert_allclose(found[300], few, rtol=1e-14)

    def test_single_precision_is_rounded_once(self, xp: ModuleType) -> None:
        a, b, x = np.array(POINTS, "f4").T
        found = xp.special.betainc(*map(xp.asarray, (a, b, x)))
        assert found.dtype == xp.float32
        expected = scipy.special.betainc(*(v.astype("f8") for v in (a, b, x)))
        np.testing.assert_allclose(np.asarray(found), expected, rtol=2e-7, atol=1e-36)


class TestEdges:
    def test_are_scipys(self, xp: ModuleType) -> None:
        values = [0.0, -0.0, -1.0, 0.5, 3.0, INF, -INF, NAN]
        points = np.meshgrid(values, values, [-0.5, -0.0, 0.0, 0.3, 1.0, 1.5, INF, NAN])
        expected = scipy.special.betainc(*points)
        np.testing.assert_allclose(compute(xp, *points), expected, rtol=1e-13)

    def test_of_extreme_parameters_is_a_step(self, xp: ModuleType) -> None:
        a = np.array([1e308, 1e308, 1e200, 1e-300, 1e-300])
        b = np.array([1e308, 1e308, 1.0, 1.0, 1e300])
        x = np.array([0.4, 0.6, 0.9999, 1e-200, 0.5])
        np.testing.assert_allclose(compute(xp, a, b, x), [0, 1, 0, 1, 1], atol=1e-200)

    def test_takes_numbers_and_broadcasts(self, xp: ModuleType) -> None:
        found = xp.special.betainc(2, xp.asarray([[1.0], [3.0]]), xp.asarray([0.25, 0.5]))
        expected = scipy.special.betainc(2, [[1.0], [3.0]], [0.25, 0.5])
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-14)


class TestDerivatives:
    a = np.array([0.3, 0.9, 3.0, 12.0, 30.0, 30.0, 400.0])
    b = np.array([0.5, 4.0, 0.2, 13.0, 1.5, 28.0, 500.0])
    x = np.array([0.1, 0.6, 0.97, 0.4, 0.9, 0.8, 0.45])

    def test_first_and_second_by_x(self, on_each: ModuleType) -> None:
        a, b = map(on_each.asarray, (self.a, self.b))

        def slope(x: Any) -> Any:
            return unify.grad(lambda x: on_each.sum(on_each.special.betainc(a, b, x)))(x)

        x = on_each.asarray(self.x)
        powers = (self.a - 1) * np.log(self.x) + (self.b - 1) * np.log1p(-self.x)
        density = np.exp(powers - scipy.special.betaln(self.a, self.b))
        np.testing.assert_allclose(np.asarray(slope(x)), density, rtol=1e-11)
        second = np.asarray(unify.grad(lambda x: on_each.sum(slope(x)))(x))
        expected = density * ((self.a - 1) / self.x - (self.b - 1) / (1 - self.x))
        np.testing.assert_allclose(second, expected, rtol=1e-9)

    @pytest.mark.parametrize("index", [0, 1])
    def test_by_a_parameter_are_refused(self, on_each: ModuleType, index: int) -> None:
        arrays = [on_each.asarray(v) for v in (self.a, self.b, self.x)]

        def total(v: Any) -> Any:
            return on_each.sum(on_each.special.betainc(*arrays[:index], v, *arrays[index + 1 :]))

        with pytest.raises(UnifyValueError, match=rf"betainc.*{'ab'[index]}.*no derivative"):
            unify.grad(total)(arrays[index])


@pytest.mark.eager
class TestTraced:
    @pytest.mark.slow_on("tensorflow")
    def test_is_the_same(self, xp: ModuleType) -> None:
        a, b, x = map(xp.asarray, np.array(POINTS[::9]).T)
        eager = np.asarray(xp.special.betainc(a, b, x))
        compiled = () if x.backend == "torch" else (unify.compile(xp.special.betainc),)
        for traced in (*compiled, unify.compile_graph(xp.special.betainc, a, b, x)):
            np.testing.assert_allclose(np.asarray(traced(a, b, x)), eager, rtol=1e-13, atol=1e-200)


@pytest.mark.slow
def test_torch_compile_follows_kernels_and_bodies() -> None:
    torch = pytest.importorskip("torch")
    xp = namespace_of("torch")
    a, b, x = map(xp.asarray, ([0.5, 30.0], [2.0, 50.0], [0.25, 0.5]))
    for function, arrays in (
        (xp.special.betainc, (a, b, x)),
        (xp.special.gammaln, (xp.asarray([1, 5]),)),
    ):
        compiled = torch.compile(function, backend="eager", fullgraph=True)
        found, wanted = (np.asarray(f(*arrays)) for f in (compiled, function))
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
