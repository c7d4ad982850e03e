"""B67: the gamma function and its relatives compared with mpmath, on every backend."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import mpmath
import numpy as np
import pytest
import scipy.special

import arrayapi_unify as unify
from tests.functional.differentiating import on_each
from tests.ulps import assert_ulps, exact

__all__ = ["on_each"]

INF, NAN = math.inf, math.nan
EPS: Final = float(np.finfo("f8").eps)
STEPS: Final = 10.0 ** -np.arange(1.0, 15)
ZEROS: Final = (1.0, 2.0, 1.4616321449683623, -0.5040830082644554, -2.457024738220801)
# Small and large numbers, both sides of the places where a formula changes, and of the zeros.
POINTS: Final = np.concatenate([
    10.0 ** np.linspace(-300, 2, 60), np.linspace(0.05, 20, 400), np.arange(1.0, 171),
    *(z + sign * STEPS for z in ZEROS for sign in (-1, 1)),
    *(n + EPS * np.arange(-4, 5) * n for n in range(1, 10)),
])  # fmt: skip
NEGATIVE: Final = -np.concatenate([
    10.0 ** np.linspace(-300, -1, 40), np.linspace(0.05, 160, 400) + 1 / 64,
    *(n - STEPS for n in (1, 2, 7, 30)), *(n + STEPS for n in (1, 2, 7, 30)),
])  # fmt: skip
BOTH: Final = np.concatenate([POINTS, NEGATIVE])
SIGNED: Final = np.concatenate([
    (sizes := np.concatenate([
        10.0 ** np.linspace(-300, 0, 30), np.linspace(0.05, 20, 300), np.linspace(20, 713.9, 100),
        8 + 8 * EPS * np.arange(-4, 5),
    ])),
    -sizes,
])  # fmt: skip


def log_gamma(v: Any) -> Any:
    return mpmath.log(abs(mpmath.gamma(v)))


def scaled(order: int) -> Callable[[Any], Any]:
    return lambda v: mpmath.besseli(order, v) * mpmath.exp(-abs(v))


FORMULAS: Final[dict[str, Callable[[Any], Any]]] = {
    "digamma": mpmath.digamma,
    "gamma": mpmath.gamma,
    "gammaln": log_gamma,
    "i0": lambda v: mpmath.besseli(0, v),
    "i0e": scaled(0),
    "i1": lambda v: mpmath.besseli(1, v),
    "i1e": scaled(1),
    "lgamma": log_gamma,
}


def of_condition(formula: Callable[[Any], Any], slope: Callable[[Any], Any], points: Any) -> Any:
    """Return the larger one of a function's value and its change for a change of the number."""
    return exact(lambda v: max(abs(formula(v)), abs(v * slope(v))), points)


class TestDigits:
    @pytest.mark.parametrize("name", ["i0", "i0e", "i1", "i1e"])
    def test_bessel_functions_within_4_ulps(self, xp: ModuleType, name: str) -> None:
        found = getattr(xp.special, name)(xp.asarray(SIGNED))
        assert_ulps(found, exact(FORMULAS[name], SIGNED), 4)

    def test_gamma_to_1e_14(self, xp: ModuleType) -> None:
        expected = exact(mpmath.gamma, BOTH)
        assert_ulps(xp.special.gamma(xp.asarray(BOTH)), expected, 1e-14 / EPS)

    def test_positive_zeros_have_all_their_digits(self, xp: ModuleType) -> None:
        points = np.concatenate([z + sign * STEPS for z in ZEROS[:2] for sign in (-1, 1)])
        assert_ulps(xp.special.gammaln(xp.asarray(points)), exact(log_gamma, points), 8)
        points = np.concatenate([ZEROS[2] + sign * STEPS for sign in (-1, 1)])
        assert_ulps(xp.special.digamma(xp.asarray(points)), exact(mpmath.digamma, points), 8)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("name", "slope"),
        [
            ("gammaln", mpmath.digamma),
            ("lgamma", mpmath.digamma),
            ("digamma", lambda v: mpmath.psi(1, v)),
        ],
    )
    def test_within_4_ulps_of_the_condition(self, xp: ModuleType, name: str, slope: Any) -> None:
        formula = FORMULAS[name]
        unit = of_condition(formula, slope, BOTH)
        found = getattr(xp.special, name)(xp.asarray(BOTH))
        assert_ulps(found, exact(formula, BOTH), 4, unit)

    def test_large_numbers(self, xp: ModuleType) -> None:
        x = 10.0 ** np.linspace(2, 305, 100)
        found = (getattr(xp.special, name)(xp.asarray(x)) for name in ("gammaln", "digamma"))
        for values, formula in zip(found, (mpmath.loggamma, mpmath.digamma), strict=True):
            assert_ulps(values, exact(formula, x), 4)
        x = 10.0 ** np.linspace(3, 150, 50)
        for name, order in (("i0e", 0), ("i1e", 1)):
            expected = exact(scaled(order), x)
            assert_ulps(getattr(xp.special, name)(xp.asarray(x)), expected, 4)

    @pytest.mark.parametrize("name", FORMULAS)
    def test_single_precision(self, xp: ModuleType, name: str) -> None:
        x = np.linspace(0.05, 30, 200, dtype="f4")
        expected = exact(FORMULAS[name], x)
        found = getattr(xp.special, name)(xp.asarray(x))
        assert found.dtype == xp.float32
        assert_ulps(found, expected, 32, np.maximum(np.abs(expected), 1.0))


class TestEdges:
    @pytest.mark.parametrize("name", FORMULAS)
    def test_are_scipys(self, xp: ModuleType, name: str) -> None:
        x = np.array([0.0, -0.0, -1.0, -2.0, -30.0, -1e17, 180.0, INF, -INF, NAN, 1e308])
        if name in ("i0", "i1"):  # SciPy's are NaN at infinity
            x = x[np.isfinite(x) | np.isnan(x)]
            infinite = getattr(xp.special, name)(xp.asarray([INF, -INF])).tolist()
            assert infinite == [INF, INF if name == "i0" else -INF]
        found = np.asarray(getattr(xp.special, name)(xp.asarray(x)))
        np.testing.assert_allclose(found, getattr(scipy.special, name_of(name))(x), rtol=1e-13)

    def test_signs(self, xp: ModuleType) -> None:
        x = xp.asarray([0.0, -0.0, -0.5, -1.5, -171.5])
        assert np.signbit(np.asarray(xp.special.gamma(x))).tolist() == [False, True, True, False,
                                                                        False]  # fmt: skip
        assert np.signbit(np.asarray(xp.special.digamma(x[:2]))).tolist() == [True, False]

    def test_integers(self, xp: ModuleType) -> None:
        for dtype in (xp.int32, xp.uint8):
            found = xp.special.gamma(xp.asarray([1, 5], dtype=dtype))
            assert found.dtype == xp.float64
            assert found.tolist() == pytest.approx([1.0, 24.0], rel=1e-14)


def name_of(name: str) -> str:
    """Return SciPy's name of a function."""
    return "gammaln" if name == "lgamma" else name


class TestDerivatives:
    x = np.array([-2.7, -2.5, -0.5, -0.3, 0.2, 0.9, 1.0, 1.5, 2.0, 3.7, 7.9, 8.0, 9.5, 40.0])

    @pytest.mark.parametrize("name", FORMULAS)
    def test_first_and_second(self, on_each: ModuleType, name: str) -> None:
        function = getattr(on_each.special, name)

        def slope(x: Any) -> Any:
            return unify.grad(lambda x: on_each.sum(function(x)))(x)

        x = on_each.asarray(self.x)
        with mpmath.workdps(30):
            first, second = (
                [float(mpmath.diff(FORMULAS[name], float(v), n)) for v in self.x] for n in (1, 2)
            )
        np.testing.assert_allclose(np.asarray(slope(x)), first, rtol=1e-12, atol=1e-13)
        found = unify.grad(lambda x: on_each.sum(slope(x)))(x)
        np.testing.assert_allclose(np.asarray(found), second, rtol=1e-10, atol=1e-12)

    def test_of_even_and_odd_at_zero(self, on_each: ModuleType) -> None:
        x = on_each.asarray([0.0])
        for name, expected in {"i0": 0.0, "i0e": 0.0, "i1": 0.5, "i1e": 0.5}.items():
            function = getattr(on_each.special, name)
            assert unify.grad(lambda x, f=function: on_each.sum(f(x)))(x).item() == expected

    @pytest.mark.parametrize(("name", "expected"), [("i0", 0.5), ("i1", 0.0)])
    def test_second_of_even_and_odd_at_zero(
        self, on_each: ModuleType, name: str, expected: float
    ) -> None:
        function = getattr(on_each.special, name)

        def slope(x: Any) -> Any:
            return unify.grad(lambda x: on_each.sum(function(x)))(x)

        found = unify.grad(lambda x: on_each.sum(slope(x)))(on_each.asarray([0.0, -0.0]))
        np.testing.assert_allclose(np.asarray(found), [expected] * 2, rtol=1e-14)
