"""B67: the special functions compared with mpmath, on every backend."""

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
from arrayapi_unify.contracts import CONTRACTS
from tests.functional.differentiating import on_each, same
from tests.ulps import assert_ulps, exact

__all__ = ["on_each"]

NAMES: Final = sorted(n.partition(".")[2] for n in CONTRACTS if n.startswith("special."))
INF, NAN = math.inf, math.nan
EPS: Final = float(np.finfo("f8").eps)
# Both ends of the domain, and the neighbours of the points at which a formula changes.
SHARES: Final = np.concatenate([
    10.0 ** np.linspace(-300, -1, 60), np.linspace(0.01, 0.99, 99), 1 - 10.0 ** -np.arange(2.0, 16),
    0.5 + np.linspace(-1e-12, 1e-12, 9), *(c + EPS * np.arange(-3, 4) for c in (0.35, 0.65)),
])  # fmt: skip
WIDE: Final = 10.0 ** np.linspace(-300, 300, 121)


def of_two(function: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
    """Compute a function of each pair with 50 digits; return it in extended precision."""
    with mpmath.workdps(50):
        pairs = zip(np.ravel(x), np.ravel(y), strict=True)
        found = [function(mpmath.mpf(float(a)), mpmath.mpf(float(b))) for a, b in pairs]
        return np.array([np.longdouble(mpmath.nstr(v, 30)) for v in found]).reshape(np.shape(x))


def logit(v: Any) -> Any:
    return mpmath.log(v) - mpmath.log1p(-v)


def entropy(v: Any) -> Any:
    return -v * mpmath.log(v)


def relative_entropy(v: Any, w: Any) -> Any:
    return v * mpmath.log(v / w)


def pairs() -> tuple[Any, Any]:
    """Numbers, and others at ratios from the smallest to the largest, near one too."""
    steps = 10.0 ** -np.arange(0.5, 16, 0.5)
    ratios = np.concatenate([10.0 ** np.linspace(-150, 150, 60), 1 + steps, 1 - steps[1:]])
    y, ratio = np.meshgrid([1e-100, 0.3, 1.0, 7.0, 1e100], ratios)
    return ratio * y, y


class TestDigits:
    @pytest.mark.parametrize(
        ("name", "formula", "points"),
        [
            ("entr", entropy, np.concatenate([SHARES, WIDE])),
            ("expit", lambda v: 1 / (1 + mpmath.exp(-v)), np.linspace(-700, 700, 281)),
            ("logit", logit, SHARES),
        ],
    )
    def test_within_8_ulps(self, xp: ModuleType, name: str, formula: Any, points: Any) -> None:
        assert_ulps(getattr(xp.special, name)(xp.asarray(points)), exact(formula, points), 8)

    def test_products_within_8_ulps(self, xp: ModuleType) -> None:
        x, y = (v.ravel() for v in np.meshgrid([-3.0, 1e-5, 0.7], np.concatenate([SHARES, WIDE])))
        expected = of_two(lambda v, w: v * mpmath.log(w), x, y)
        assert_ulps(xp.special.xlogy(xp.asarray(x), xp.asarray(y)), expected, 8)
        expected = of_two(lambda v, w: v * mpmath.log1p(w), x, y)
        assert_ulps(xp.special.xlog1py(xp.asarray(x), xp.asarray(y)), expected, 8)

    def test_entropies_to_1e_13(self, xp: ModuleType) -> None:
        x, y = pairs()
        with mpmath.workdps(50):
            expected = of_two(relative_entropy, x, y)
            both = of_two(lambda v, w: relative_entropy(v, w) - v + w, x, y)
        x, y = xp.asarray(x), xp.asarray(y)
        assert_ulps(xp.special.rel_entr(x, y), expected, 1e-13 / EPS)
        assert_ulps(xp.special.kl_div(x, y), both, 1e-13 / EPS)

    @pytest.mark.parametrize("x", [(0.0, -40.0), (3.0, 3.0, -30.0), (-700.0, -745.0, -701.0)])
    def test_small_summands_remain(self, xp: ModuleType, x: tuple[float, ...]) -> None:
        with mpmath.workdps(50):
            total = mpmath.log(sum(mpmath.exp(v) for v in x))
            logs = [np.longdouble(mpmath.nstr(v - total, 30)) for v in x]
            expected = np.longdouble(mpmath.nstr(total, 30))
        assert_ulps(xp.special.logsumexp(xp.asarray(x)), expected, 1e-13 / EPS)
        assert_ulps(xp.special.log_softmax(xp.asarray(x)), logs, 1e-13 / EPS)
        assert_ulps(xp.special.softmax(xp.asarray(x)), np.exp(logs), 1e-13 / EPS)


class TestEdges:
    def test_of_two_are_scipys(self, xp: ModuleType) -> None:
        values = [0.0, 1.0, 0.3, -1.0, -0.5, INF, -INF, NAN]
        x, y = np.meshgrid(values, values)
        for name in ("kl_div", "rel_entr", "xlog1py", "xlogy"):
            found = np.asarray(getattr(xp.special, name)(xp.asarray(x), xp.asarray(y)))
            np.testing.assert_allclose(found, getattr(scipy.special, name)(x, y), rtol=1e-14)

    def test_of_one_are_scipys(self, xp: ModuleType) -> None:
        values = np.array([0.0, 1.0, -1.0, 2.0, INF, -INF, NAN])
        for name in ("entr", "expit", "logit"):
            found = np.asarray(getattr(xp.special, name)(xp.asarray(values)))
            np.testing.assert_allclose(found, getattr(scipy.special, name)(values), rtol=1e-14)

    def test_sums_of_infinities_and_of_nothing(self, xp: ModuleType) -> None:
        logsumexp = xp.special.logsumexp
        assert logsumexp(xp.asarray([-INF, -INF])).item() == -INF
        assert logsumexp(xp.asarray([INF, 0.0])).item() == INF
        assert math.isnan(logsumexp(xp.asarray([NAN, INF])).item())
        assert logsumexp(xp.ones((0, 2)), axis=0).tolist() == [-INF, -INF]
        assert xp.special.softmax(xp.ones((0, 2))).shape == (0, 2)

    def test_signs(self, xp: ModuleType) -> None:
        x = xp.asarray([[1000.0, 1000.0], [0.0, 2.0]])
        found, sign = xp.special.logsumexp(x, 1, xp.asarray([1.0, -2.0]), True, True)
        assert sign.tolist() == [[-1.0], [-1.0]]
        assert found.tolist() == pytest.approx(np.array([[1000.0], [math.log(2 * math.e**2 - 1)]]))
        assert math.isnan(xp.special.logsumexp(x, b=xp.asarray(-1.0)).item())


class TestDerivatives:
    def test_at_edges(self, on_each: ModuleType) -> None:
        special, x = on_each.special, on_each.asarray([0.0, 0.5, 1.0])

        def slopes(function: Callable[[Any], Any]) -> Any:
            return unify.grad(lambda x: on_each.sum(function(x)))(x).tolist()

        assert slopes(special.logit) == [0.0, 4.0, 0.0]  # infinite ones are zero
        entropies = slopes(special.entr)
        assert entropies[1:] == pytest.approx([math.log(2) - 1, -1.0])
        assert 700 < entropies[0] < INF
        assert slopes(lambda x: special.xlogy(x, 2.0)) == pytest.approx([math.log(2)] * 3)
        assert slopes(lambda x: special.xlogy(0 * x, x)) == [0.0] * 3
        assert slopes(lambda x: special.kl_div(x, x)) == [1.0, 0.0, 0.0]

    def test_of_equal_summands(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 1.0])
        same(unify.grad(unify.logsumexp)(x), [0.5, 0.5])
        same(unify.hessian(unify.logsumexp)(x), [[0.25, -0.25], [-0.25, 0.25]])


class TestNames:
    def test_follow_scipys_defaults(self, xp: ModuleType) -> None:
        x = np.sin(np.arange(6.0)).reshape(2, 3)
        for name in ("log_softmax", "logsumexp", "softmax"):
            for options in ({}, {"axis": 0}, {"axis": (0, 1)}):
                found = np.asarray(getattr(xp.special, name)(xp.asarray(x), **options))
                expected = getattr(scipy.special, name)(x, **options)
                np.testing.assert_allclose(found, expected, rtol=1e-14)

    def test_of_the_top_level_keep_their_meaning(self, xp: ModuleType) -> None:
        x = xp.asarray([[0.0, 0.0], [0.0, 0.0]])
        assert unify.softmax(x).tolist() == [[0.5, 0.5], [0.5, 0.5]]
        assert unify.special.softmax(x).tolist() == [[0.25, 0.25], [0.25, 0.25]]
        assert unify.kl_div is not unify.special.kl_div
        for name in ("expit", "lgamma", "logsumexp"):
            assert getattr(unify, name) is getattr(unify.special, name)
            assert getattr(xp, name) is getattr(xp.special, name)

    @pytest.mark.parametrize("name", NAMES)
    def test_are_in_the_extension_alone(self, xp: ModuleType, name: str) -> None:
        assert not hasattr(xp.ones(1), name) or name in ("softmax", "log_softmax", "kl_div")
        backend = getattr(unify.backends, xp.__unify_backend__)
        assert callable(getattr(backend.special, name))
