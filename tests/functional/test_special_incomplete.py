"""B67: the incomplete gamma functions compared with mpmath, on every backend."""

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
from tests.functional.differentiating import on_each
from tests.ulps import assert_ulps

__all__ = ["on_each"]

EPS: Final = float(np.finfo("f8").eps)
INF, NAN = math.inf, math.nan
SHAPES: Final = np.array([1e-12, 1e-3, 0.3, 0.5, 1, 1.7, 6.2, 19.9, 20, 33.3, 150, 1000, 4000])
RATIOS: Final = np.array([1e-4, 0.3, 0.69, 0.71, 0.97, 1, 1.03, 1.29, 1.31, 2.2, 6])
LIMITS: Final = np.array([1e-9, 0.2, 1.99, 2.01, 4, 30, 200])
POINTS: Final = [(a, a * r) for a in SHAPES for r in RATIOS] + [
    (a, x) for a in SHAPES[:9] for x in LIMITS
]


@functools.cache
def parts(a: float, x: float) -> tuple[Any, Any, Any]:
    """Return P, Q, and x times the density, by the series with the digits that Q needs."""
    lost = max(0.0, (x - a - a * math.log(x / a)) / math.log(10)) if x > a else 0
    with mpmath.workdps(50 + int(lost)):
        shape, limit = mpmath.mpf(a), mpmath.mpf(x)
        density = mpmath.exp(shape * mpmath.log(limit) - limit - mpmath.loggamma(shape))
        term = total = 1 / shape
        n = 0
        while term > total * mpmath.eps:
            n += 1
            term *= limit / (shape + n)
            total += term
        lower = density * total
        found = (lower, 1 - lower, density)
        texts = (mpmath.nstr(v, 25) if v > 1e-300 else "0" for v in found)
        return tuple(map(np.longdouble, texts))  # type: ignore[return-value]


@pytest.mark.slow_on("dask")  # a graph of thousands of tasks for each call
class TestDigits:
    @pytest.mark.slow
    @pytest.mark.slow_on("tensorflow")
    @pytest.mark.parametrize(("name", "index"), [("gammainc", 0), ("gammaincc", 1)])
    def test_within_16_ulps_of_the_condition(self, xp: ModuleType, name: str, index: int) -> None:
        wanted = np.array([parts(*map(float, point)) for point in POINTS])
        expected, density = wanted[:, index], wanted[:, 2]
        a, x = np.array(POINTS).T
        found = np.asarray(getattr(xp.special, name)(xp.asarray(a), xp.asarray(x)))
        seen = expected > 1e-290
        assert np.count_nonzero(seen) > 160
        unit = np.maximum(expected, density)
        assert_ulps(found[seen], expected[seen], 16, unit[seen])
        near = seen & (expected > 1e-100)
        assert_ulps(found[near], expected[near], 1e-13 / EPS)

    def test_single_precision(self, xp: ModuleType) -> None:
        a, x = np.array([p for p in POINTS if p[0] > 1e-3], "f4").T
        found = xp.special.gammainc(xp.asarray(a), xp.asarray(x))
        assert found.dtype == xp.float32
        np.testing.assert_allclose(
            np.asarray(found), scipy.special.gammainc(a.astype("f8"), x), rtol=1e-3, atol=1e-6
        )


class TestEdges:
    @pytest.mark.parametrize("name", ["gammainc", "gammaincc"])
    def test_are_scipys(self, xp: ModuleType, name: str) -> None:
        values = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, INF, -INF, NAN]
        a, x = np.meshgrid(values, values)
        found = np.asarray(getattr(xp.special, name)(xp.asarray(a), xp.asarray(x)))
        np.testing.assert_allclose(found, getattr(scipy.special, name)(a, x), rtol=1e-13)


class TestDerivatives:
    a = np.array([0.3, 0.9, 3.0, 12.0, 30.0, 30.0, 30.0, 200.0])
    x = np.array([0.5, 4.0, 1.5, 13.0, 10.0, 28.0, 60.0, 210.0])

    @pytest.mark.slow_on("tensorflow")
    @pytest.mark.parametrize(("name", "sign"), [("gammainc", 1), ("gammaincc", -1)])
    def test_first_and_second_by_x(self, on_each: ModuleType, name: str, sign: int) -> None:
        function, a = getattr(on_each.special, name), on_each.asarray(self.a)

        def slope(x: Any) -> Any:
            return unify.grad(lambda x: on_each.sum(function(a, x)))(x)

        x = on_each.asarray(self.x)
        density = np.exp((self.a - 1) * np.log(self.x) - self.x - scipy.special.gammaln(self.a))
        np.testing.assert_allclose(np.asarray(slope(x)), sign * density, rtol=1e-11)
        second = np.asarray(unify.grad(lambda x: on_each.sum(slope(x)))(x))
        expected = sign * density * ((self.a - 1) / self.x - 1)
        np.testing.assert_allclose(second, expected, rtol=1e-9)

    @pytest.mark.parametrize(("name", "sign"), [("gammainc", 1), ("gammaincc", -1)])
    def test_by_a(self, on_each: ModuleType, name: str, sign: int) -> None:
        function, x = getattr(on_each.special, name), on_each.asarray(self.x)
        found = unify.grad(lambda a: on_each.sum(function(a, x)))(on_each.asarray(self.a))
        with mpmath.workdps(40):
            expected = [
                float(mpmath.diff(lambda v, w=w: lower(v, w), mpmath.mpf(u)))
                for u, w in zip(self.a, map(mpmath.mpf, self.x), strict=True)
            ]
        np.testing.assert_allclose(np.asarray(found), sign * np.array(expected), rtol=1e-11)


def lower(a: Any, x: Any) -> Any:
    """Return P by the series, in the precision that is set."""
    density = mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a))
    return density / a * mpmath.hyp1f1(1, a + 1, x)
