"""B67: the error functions compared with mpmath, on every backend."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import mpmath
import numpy as np
import pytest
import scipy.special

import arrayapi_unify as unify
from arrayapi_unify.backends.numpy import special as numpy_special
from arrayapi_unify.errors import UnifyTypeError
from tests.functional.differentiating import on_each, same
from tests.ulps import assert_ulps, exact

__all__ = ["on_each"]

INF, NAN = math.inf, math.nan
EPS: Final = float(np.finfo("f8").eps)
SMALL: Final = 10.0 ** np.linspace(-307, -1, 60)
# The neighbours of the points at which a formula changes, and both tails.
LINE: Final = np.concatenate([
    SMALL, -SMALL, np.linspace(-6, 6, 301), *(c + EPS * np.arange(-3, 4) for c in (-0.5, 0.5)),
    np.linspace(-26, 26.5, 211), *(s * 10.0 ** np.linspace(2, 300, 30) for s in (-1, 1)),
])  # fmt: skip
# Likewise of probabilities, from the smallest normal number to the neighbour of one.
SHARES: Final = np.concatenate([
    10.0 ** np.linspace(-307, -1, 200), np.linspace(0.001, 0.999, 499),
    1 - 10.0 ** -np.arange(2.0, 16), *(c + EPS * np.arange(-3, 4) for c in (0.075, 0.5, 0.925)),
])  # fmt: skip


def erfcx(v: Any) -> Any:
    """Compute with the digits that the square of a large number needs; as 1 / x far away."""
    if v > 1e12:
        return 1 / (v * mpmath.sqrt(mpmath.pi))
    return mpmath.exp(v * v) * mpmath.erfc(v)


def erfc(v: Any) -> Any:
    return mpmath.erfc(v) if v < 1e3 else mpmath.mpf(0)


def ndtr(v: Any) -> Any:
    return erfc(-v / mpmath.sqrt(2)) / 2


def log_ndtr(v: Any) -> Any:
    if v > -1:
        return mpmath.log1p(-ndtr(-v))
    return mpmath.log(erfcx(-v / mpmath.sqrt(2)) / 2) - v * v / 2


def root(function: Any, start: float) -> Any:
    """Solve by Newton's method, from a number of 15 digits."""
    found = mpmath.mpf(start)
    for _ in range(3):
        value, slope = function(found)
        found -= value / slope
    return found


def erfinv(v: Any) -> Any:
    if abs(v) < 1e-20:
        return v * mpmath.sqrt(mpmath.pi) / 2
    slope = 2 / mpmath.sqrt(mpmath.pi)
    start = scipy.special.erfinv(float(v))
    return root(lambda y: (mpmath.erf(y) - v, slope * mpmath.exp(-y * y)), start)


def ndtri(p: Any) -> Any:
    """Solve for the logarithm, which is nearly a parabola."""
    if p > 0.5:
        return -ndtri(1 - p)
    start, log = scipy.special.ndtri(float(p)), mpmath.log(p)
    slope = mpmath.sqrt(2 / mpmath.pi)
    return root(lambda y: (log_ndtr(y) - log, slope / erfcx(-y / mpmath.sqrt(2))), start)


def close(found: Any, wanted: Any, rtol: float) -> None:
    """Check values relative to each one, and zeros relative to one."""
    scale = np.where(np.equal(wanted, 0), 1, np.abs(wanted))
    np.testing.assert_array_less(np.abs(np.asarray(found) - wanted) / scale, rtol)


FUNCTIONS: Final[dict[str, tuple[Callable[[Any], Any], Any]]] = {
    "erf": (mpmath.erf, LINE),
    "erfc": (erfc, LINE),
    "erfcx": (erfcx, np.concatenate([LINE[LINE > -26.7], np.linspace(-26.62, -20, 50)])),
    "erfinv": (erfinv, np.concatenate([SHARES, -SHARES])),
    "log_ndtr": (log_ndtr, LINE[LINE > -1e150]),
    "ndtr": (ndtr, math.sqrt(2) * LINE[LINE < 1e299]),
    "ndtri": (ndtri, SHARES),
}
NAMES: Final = list(FUNCTIONS)


@pytest.fixture
def without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_special, "_scipy", lambda: None)


class TestDigits:
    @pytest.mark.parametrize("name", NAMES)
    def test_within_8_ulps(self, xp: ModuleType, name: str) -> None:
        function, points = FUNCTIONS[name]
        assert_ulps(getattr(xp.special, name)(xp.asarray(points)), exact(function, points), 8)

    @pytest.mark.parametrize("name", NAMES)
    def test_of_float32_within_4_ulps(self, xp: ModuleType, name: str) -> None:
        function, points = FUNCTIONS[name]
        tiny, top = float(np.finfo("f4").tiny), 1.0 if name in ("erfinv", "ndtri") else 1e30
        points = points[(np.abs(points) >= tiny) & (np.abs(points) < 1e30)].astype("f4")
        points = points[np.abs(points) < top]
        found = getattr(xp.special, name)(xp.asarray(points))
        assert found.dtype == xp.float32
        assert_ulps(found, exact(function, points), 4)

    @pytest.mark.usefixtures("without_scipy")
    @pytest.mark.parametrize("name", NAMES)
    def test_numpy_needs_no_scipy(self, name: str) -> None:
        function, points = FUNCTIONS[name]
        x = unify.numpy.asarray(points)
        found = getattr(unify.special, name)(x)
        assert_ulps(found, exact(function, points), 8)
        moderate = np.array([0.001, 0.3, 0.9], "f4")
        single = getattr(unify.special, name)(unify.numpy.asarray(moderate))
        assert single.dtype == unify.float32
        assert_ulps(single, exact(function, moderate), 1)

    @pytest.mark.parametrize("name", NAMES)
    def test_of_large_arrays_are_scipys(self, xp: ModuleType, name: str) -> None:
        """NumPy and PyTorch compute them by parts."""
        x = np.linspace(0.001, 0.999, 90000).reshape(300, 300)
        expected = getattr(scipy.special, name)(x.T)
        for values in (xp.asarray(x).T, xp.asarray(np.repeat(x, 2, 1)).T[::2]):
            found = np.asarray(getattr(xp.special, name)(values))
            np.testing.assert_allclose(found, expected, rtol=1e-14)

    @pytest.mark.parametrize("name", NAMES)
    def test_of_float16_are_rounded_once(self, xp: ModuleType, name: str) -> None:
        function, _ = FUNCTIONS[name]
        x = np.array([0.1, 0.3, 0.9], "f2")
        found = getattr(xp.special, name)(xp.asarray(x))
        assert found.dtype == xp.float16
        assert found.tolist() == exact(function, x).astype("f2").tolist()
        native = getattr(importlib.import_module("arrayapi_unify.backends.numpy").special, name)
        assert native(x).dtype == x.dtype


class TestEdges:
    VALUES: Final = (INF, -INF, NAN, 0.0, -0.0, 1.0, -1.0, 2.0, 1e307, -1e307)

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("dtype", ["float64", "float32"])
    def test_are_scipys(self, xp: ModuleType, name: str, dtype: str) -> None:
        with np.errstate(over="ignore"):
            values = np.array(self.VALUES).astype(dtype)
        found = np.asarray(getattr(xp.special, name)(xp.asarray(values)))
        expected = getattr(scipy.special, name)(values)
        np.testing.assert_allclose(found, expected, rtol=8 * float(np.finfo(dtype).eps))

    def test_keep_the_sign_of_zero(self, xp: ModuleType) -> None:
        for name in ("erf", "erfinv"):
            found = np.asarray(getattr(xp.special, name)(xp.asarray([-0.0, 0.0])))
            assert np.signbit(found).tolist() == [True, False]

    @pytest.mark.usefixtures("without_scipy")
    def test_of_subnormal_numbers(self) -> None:
        """JAX and TensorFlow take them for zeros, and so does SciPy's `erfinv`."""
        for name in ("numpy", "torch"):
            special = unify.get_backend(name).special
            x = unify.get_backend(name).asarray([1e-310, -5e-320])
            assert_ulps(special.erf(x) * 1e10, exact(lambda v: mpmath.erf(v) * 10**10, x), 1e6)
            assert float(special.erfc(x)[0]) == 1.0
            lowest = unify.get_backend(name).asarray([5e-324, 1e-310])
            assert_ulps(special.ndtri(lowest), exact(ndtri, lowest), 8)

    @pytest.mark.parametrize("name", NAMES)
    def test_integers_bools_and_complex_numbers(self, xp: ModuleType, name: str) -> None:
        function = getattr(xp.special, name)
        for x in (xp.asarray([0, 1]), xp.asarray([False, True])):
            assert function(x).dtype == xp.float64
            wanted = function(x.astype("float64")).tolist()
            np.testing.assert_allclose(np.asarray(function(x)), wanted, rtol=8 * EPS)
        assert function(xp.asarray(0)).shape == ()
        assert function(xp.zeros((0, 2))).shape == (0, 2)
        with pytest.raises(UnifyTypeError, match=rf"special\.{name}: argument 'x'.*complex128"):
            function(xp.asarray([1j]))


class TestDerivatives:
    POINTS: Final[dict[str, list[float]]] = {
        "erf": [-5.0, -0.5, -0.3, 0.0, 0.4999, 2.0, 9.0],
        "erfc": [-5.0, -0.5, -0.3, 0.0, 0.4999, 2.0, 9.0],
        "erfcx": [-20.0, -1.0, 0.0, 0.3, 2.0, 30.0, 1e4],
        "erfinv": [-0.99, -0.86, -0.2, 0.0, 0.1, 0.849, 0.851, 0.9999],
        "log_ndtr": [-1e3, -37.0, -1.0, -0.1, 0.0, 0.5, 8.0],
        "ndtr": [-30.0, -1.0, -0.1, 0.0, 0.5, 8.0],
        "ndtri": [1e-100, 0.01, 0.0749, 0.0751, 0.5, 0.7, 0.93],
    }

    @pytest.mark.parametrize("name", NAMES)
    def test_of_both_orders_and_modes(self, on_each: ModuleType, name: str) -> None:
        function, points = FUNCTIONS[name][0], self.POINTS[name]
        with mpmath.workdps(120):
            first, second = (
                [float(mpmath.diff(function, p, n, h=abs(p or 1) * mpmath.mpf("1e-30")))
                 for p in map(mpmath.mpf, points)] for n in (1, 2)
            )  # fmt: skip
        x, f = on_each.asarray(points), getattr(on_each.special, name)

        def slopes(x: Any) -> Any:
            return unify.grad(lambda x: on_each.sum(f(x)))(x)

        close(slopes(x), first, 1e-12)
        close(unify.jvp(f, (x,), (on_each.ones_like(x),))[1], first, 1e-12)
        close(unify.grad(lambda x: on_each.sum(slopes(x)))(x), second, 1e-11)
        close(unify.jvp(slopes, (x,), (on_each.ones_like(x),))[1], second, 1e-11)

    @pytest.mark.parametrize("name", NAMES)
    def test_are_numbers_everywhere(self, on_each: ModuleType, name: str) -> None:
        """Infinite ones are zero; so are those of what has none."""
        f = getattr(on_each.special, name)
        x = on_each.asarray([INF, -INF, 1.0, -1.0, 0.0, 1e300, -1e300, 50.0, -50.0])
        found = np.asarray(unify.grad(lambda x: on_each.sum(f(x)))(x))
        assert np.all(np.isfinite(found))

    def test_are_right_beside_special_values(self, on_each: ModuleType) -> None:
        x = on_each.asarray([INF, 0.0, -INF])
        slope = 2 / math.sqrt(math.pi)
        for name, sign in (("erf", 1), ("erfc", -1), ("erfcx", -1)):
            f = getattr(on_each.special, name)
            same(unify.vjp(f, x)[1](on_each.ones_like(x))[0], [0.0, sign * slope, 0.0])


@pytest.mark.eager
class TestTraced:
    @pytest.mark.parametrize("name", NAMES)
    def test_are_the_same(self, xp: ModuleType, name: str) -> None:
        x = xp.asarray(FUNCTIONS[name][1][::7])
        f = getattr(xp.special, name)
        eager = np.asarray(f(x))
        compiled = () if x.backend == "torch" else (unify.compile(f),)  # which takes minutes
        for traced in (*compiled, unify.compile_graph(f, x)):
            np.testing.assert_allclose(np.asarray(traced(x)), eager, rtol=8 * EPS, atol=1e-300)


class TestNames:
    def test_of_the_main_namespace(self, xp: ModuleType) -> None:
        for name in ("erf", "erfc"):
            assert getattr(unify, name) is getattr(unify.special, name)
            assert getattr(xp, name) is getattr(xp.special, name)
        for name in ("erfcx", "erfinv", "log_ndtr", "ndtr", "ndtri"):
            assert not hasattr(xp, name)
            assert not hasattr(unify, name)
