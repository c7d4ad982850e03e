"""B67: the beta, zeta and polygamma functions compared with mpmath, on every backend."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import mpmath
import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyValueError
from tests.functional.differentiating import on_each
from tests.ulps import assert_ulps

__all__ = ["on_each"]

EPS: Final = float(np.finfo("f8").eps)
SIZES: Final = np.concatenate([
    10.0 ** np.array([-280, -12, -4.0]), np.linspace(0.07, 9.2, 14), [7.999, 8.0, 8.001],
    np.linspace(11, 470, 8), 10.0 ** np.array([5, 12, 31, 290.0]),
])  # fmt: skip
GRID: Final = tuple(v.ravel() for v in np.meshgrid(SIZES, SIZES))
EXPONENTS: Final = 1 + np.concatenate([10.0 ** np.linspace(-9, 1, 12), [1.0, 2.0, 3.0, 38.0]])
BASES: Final = np.concatenate([
    10.0 ** np.array([-80, -5.0]), np.linspace(0.11, 21, 30), 10.0 ** np.array([2, 4, 12, 70.0]),
])  # fmt: skip


def log_beta(a: Any, b: Any) -> Any:
    # Of large numbers nearly all digits cancel.
    with mpmath.extradps(20 if max(a, b) < 1e6 and min(a, b) > 1e-6 else 580):
        return mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)


def zeta(s: Any, q: Any) -> Any:
    """Sum 60 terms and 30 corrections; for negative `q` those before the first positive one."""
    if q < 0:
        n = int(mpmath.ceil(-q))
        return mpmath.fsum((q + k) ** -int(s) for k in range(n)) + zeta(s, q + n)
    w = q + 60
    total = mpmath.fsum((q + k) ** -s for k in range(60)) + w ** (1 - s) / (s - 1) + w**-s / 2
    for j in range(1, 31):
        rising = mpmath.rf(s, 2 * j - 1) / mpmath.factorial(2 * j)
        total += mpmath.bernoulli(2 * j) * rising * w ** (1 - s - 2 * j)
    return total


def polygamma(n: Any, x: Any) -> Any:
    return -((-1) ** int(n)) * mpmath.factorial(n) * zeta(n + 1, x) if n else mpmath.digamma(x)


def of_two(function: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
    """Compute a function of each pair with 50 digits; return it in extended precision."""
    with mpmath.workdps(50):
        found = [function(*map(mpmath.mpf, map(float, pair))) for pair in zip(x, y, strict=True)]
        return np.array([np.longdouble(mpmath.nstr(v, 30)) for v in found])


@pytest.mark.slow_on("dask")  # a graph of thousands of tasks for each call
class TestDigits:
    @pytest.mark.slow
    def test_beta_to_1e_13_or_the_digits_of_its_logarithm(self, xp: ModuleType) -> None:
        a, b = GRID
        logarithm = of_two(log_beta, a, b)
        expected = np.exp(logarithm)
        found = np.asarray(xp.special.beta(xp.asarray(a), xp.asarray(b)))
        seen = (expected > 1e-300) & (expected < 1e300)
        # The rounding of the logarithm, where both numbers are large.
        unit = np.where(np.minimum(a, b) < 8, 1, np.maximum(1, np.abs(logarithm) / 300)) * expected
        assert_ulps(found[seen], expected[seen], 1e-13 / EPS, unit[seen])

    @pytest.mark.slow
    def test_logarithm_of_beta_within_16_ulps_of_at_least_1(self, xp: ModuleType) -> None:
        a, b = GRID
        expected = of_two(log_beta, a, b)
        found = xp.special.betaln(xp.asarray(a), xp.asarray(b))
        assert_ulps(found, expected, 16, np.maximum(np.abs(expected), 1))

    def test_beta_of_negative_numbers(self, xp: ModuleType) -> None:
        a, b = (v.ravel() for v in np.meshgrid([-0.3, -2.6, -7.1], [-3.8, 0.4, 2.5, 30.0]))
        expected = of_two(mpmath.beta, a, b)
        assert_ulps(xp.special.beta(xp.asarray(a), xp.asarray(b)), expected, 1e-13 / EPS)

    def test_zeta_of_rounded_sums(self, xp: ModuleType) -> None:
        """A large exponent multiplies what the rounding of ``q + 1`` loses."""
        x = np.array(
            [44.129898239919335, 58.549736686261205, 35.48837033577525, 3.0173570865304056]
        )
        q = np.array(
            [63.049596177336575, 2.707747527778887, 62.27974009972771, 0.06073856620803312]
        )
        expected = of_two(mpmath.workdps(120)(mpmath.zeta), x, q)
        assert_ulps(xp.special.zeta(xp.asarray(x), xp.asarray(q)), expected, 4)

    @pytest.mark.slow
    def test_zeta_within_8_ulps(self, xp: ModuleType) -> None:
        x, q = (v.ravel() for v in np.meshgrid(EXPONENTS, BASES))
        expected = of_two(zeta, x, q)
        assert_ulps(xp.special.zeta(xp.asarray(x), xp.asarray(q)), expected, 8)

    @pytest.mark.parametrize("order", [0, 1, 2, 3, 7, 30, 150])
    def test_polygamma_to_1e_13(self, xp: ModuleType, order: int) -> None:
        x = np.concatenate([BASES[BASES > 1e-3], 10.0 ** np.linspace(0, 3, 10)])
        x = x[x < (1e50 if order < 5 else 500)]
        expected = of_two(polygamma, np.full(x.shape, order), x)
        found = xp.special.polygamma(order, xp.asarray(x))
        assert_ulps(found, expected, 1e-13 / EPS)

    @pytest.mark.slow
    def test_polygamma_of_negative_numbers(self, xp: ModuleType) -> None:
        x = -np.linspace(0.3, 20.3, 61)
        for order in (1, 2, 4):
            expected = of_two(polygamma, np.full(x.shape, order), x)
            slope = of_two(polygamma, np.full(x.shape, order + 1), x)
            unit = np.maximum(np.abs(expected), np.abs(x * slope))
            found = xp.special.polygamma(xp.asarray(order), xp.asarray(x))
            assert_ulps(found, expected, 8, unit)


class TestDerivatives:
    x = np.array([0.3, 1.5, 4.0, 8.0, 9.5, 60.0])

    def slopes(self, xp: ModuleType, function: Callable[[Any], Any]) -> list[Any]:
        def slope(x: Any) -> Any:
            return unify.grad(lambda x: xp.sum(function(x)))(x)

        x = xp.asarray(self.x)
        return [np.asarray(slope(x)), np.asarray(unify.grad(lambda x: xp.sum(slope(x)))(x))]

    @pytest.mark.parametrize(
        ("name", "formula"),
        [("betaln", log_beta), ("beta", lambda a, b: mpmath.exp(log_beta(a, b)))],
    )
    def test_of_beta(self, on_each: ModuleType, name: str, formula: Any) -> None:
        function = getattr(on_each.special, name)
        b = on_each.asarray(self.x[::-1].copy())
        pairs = list(zip(map(mpmath.mpf, self.x), map(mpmath.mpf, self.x[::-1]), strict=True))
        with mpmath.workdps(40):
            expected = [
                [
                    float(mpmath.diff(lambda v, w=w: formula(v, mpmath.mpf(w)), v, n))
                    for v, w in pairs
                ]
                for n in (1, 2)
            ]
        for call in (lambda x: function(x, b), lambda x: function(b, x)):
            found = self.slopes(on_each, call)
            np.testing.assert_allclose(found[0], expected[0], rtol=1e-12, atol=1e-300)
            np.testing.assert_allclose(found[1], expected[1], rtol=1e-10, atol=1e-300)

    @pytest.mark.slow_on("tensorflow", "jax")
    def test_of_zeta_and_polygamma(self, on_each: ModuleType) -> None:
        with mpmath.workdps(40):
            for n in (1, 2):
                first, second = self.slopes(on_each, lambda x, n=n: on_each.special.polygamma(n, x))
                for m, found in ((n + 1, first), (n + 2, second)):
                    expected = [float(mpmath.psi(m, v)) for v in self.x]
                    np.testing.assert_allclose(found, expected, 1e-11)
            first, second = self.slopes(on_each, lambda x: on_each.special.zeta(2.5, x))
            expected = [float(-2.5 * mpmath.zeta(3.5, v)) for v in self.x]
            np.testing.assert_allclose(first, expected, 1e-12)
            expected = [float(2.5 * 3.5 * mpmath.zeta(4.5, v)) for v in self.x]
            np.testing.assert_allclose(second, expected, 1e-11)

    @pytest.mark.parametrize(("name", "argument"), [("zeta", "x"), ("polygamma", "n")])
    def test_others_are_refused(self, on_each: ModuleType, name: str, argument: str) -> None:
        function, base = getattr(on_each.special, name), on_each.asarray(1.5)
        with pytest.raises(UnifyValueError, match=f"special.{name}: argument '{argument}' has no"):
            unify.grad(lambda x: on_each.sum(function(x, base)))(on_each.asarray(3.0))
        assert function(on_each.asarray(3.0), base).shape == ()
