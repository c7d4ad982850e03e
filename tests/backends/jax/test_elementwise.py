"""Elementwise functions of which XLA's own lose digits, compared with mpmath's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
import ml_dtypes
import mpmath
import numpy as np
import pytest

import arrayapi_unify.jax as xp
from arrayapi_unify.backends.jax._equivalents import equivalent as find
from tests.ulps import assert_ulps, exact

TINY: Final = 2.0**-1022
_AROUND: Final = [0.35, -0.35, 0.4999, 0.5001, -0.4999, -0.5001, 1.04, 37.2, 1e-16, 2e-16]
# Arguments at which XLA's functions are off by the most, and those at which ours change formulas.
POINTS: Final = {
    "acosh": [1.1161028721393744, 1.0928813658893912, 1.0019, 1 + 2e-15, 1.5, 2e8, 3e8, 1e300],
    "asin": [TINY, -TINY, 1.5 * TINY, 2e-16, 2.5e-16, -0.04, 0.5, 0.99, -1.0],
    "atanh": [0.41419853023699194, -0.20513091801222122, 5.55e-17, 1e-300, -0.0039, 0.999],
    "cosh": [*_AROUND, -54.7453446628013, 592.6310745771018, -710.4],
    "exp": [88.37, 88.38, 88.721672, 88.722832, 88.7, 709.7, -87.0, -87.336, -708.3, *_AROUND],
    "expm1": [*_AROUND, -0.03166491504556664, 0.11439465566187779, -39.9, -40.1, -745.0, 709.7],
    "log1p": [
        -0.4141868063179417,
        -0.3853788558115641,
        1.1102595776869348e-16,
        -1.1e-16,
        5e-300,
        0.4,
        1e15,
        1e17,
        1e19,
        1e300,
        -0.9999,
    ],
    "sinh": [*_AROUND, -0.007801368868912619, 0.06128915679254333, -668.8870291175938, 710.4],
    "tanh": [*_AROUND, 0.0612, 5.126039, -6.534, 9.19, 9.21, 14.464235, -19.19, 19.2, 19.99815055],
}
ULPS: Final = {
    "acosh": 2.2, "asin": 2.0, "atanh": 2.2, "cosh": 1.6, "exp": 1.8, "expm1": 1.6, "log1p": 1.6,
    "sinh": 2.5, "tanh": 2.0,
}  # fmt: skip


def _native(name: str) -> Callable[[Any], Any]:
    return lambda x: getattr(xp, name)(xp.asarray(x)).data


def _vector(name: str, dtype: Any = np.float64) -> Any:
    """Return the points many times over, so that kernels for vectors compute each."""
    with np.errstate(over="ignore"):
        return np.tile(POINTS[name], 16).astype(dtype)


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", POINTS)
class TestDigits:
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_worst_points(self, name: str, dtype: Any) -> None:
        x = _vector(name, dtype)
        assert_ulps(_native(name)(jnp.asarray(x)), exact(getattr(mpmath, name), x), ULPS[name])

    def test_traced(self, name: str) -> None:
        x = jnp.asarray(_vector(name))
        found = _native(name)(x)
        np.testing.assert_array_equal(jax.jit(_native(name))(x), found)

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_special_values(self, name: str, dtype: Any) -> None:
        x = np.asarray([0.0, -0.0, np.nan, np.inf, -np.inf, 800, -800, 1e10, -1e10], dtype)
        with np.errstate(all="ignore"):
            expected = getattr(np, np_name(name))(x)
        found = np.asarray(_native(name)(jnp.asarray(x)))
        np.testing.assert_allclose(found, expected, rtol=2 * np.finfo(dtype).eps)
        zero = expected == 0
        np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(expected[zero]))

    def test_derivatives_at_zero(self, name: str) -> None:
        if name == "acosh":
            return  # zero isn't in its domain
        first = jax.grad(_native(name))
        found = [float(f(0.0)) for f in (first, jax.grad(first))]
        assert found == [float(f(mpmath.mpf(0))) for f in DERIVATIVES[name]]

    @pytest.mark.parametrize("order", [1, 2])
    def test_derivatives(self, name: str, order: int) -> None:
        x = _vector(name)
        x = x[np.abs(x) < 1] if name == "asin" else x
        derivative = _native(name)
        for _ in range(order):
            derivative = jax.grad(derivative)
        found = jax.vmap(derivative)(jnp.asarray(x))
        expected = exact(lambda v: DERIVATIVES[name][order - 1](v), x)
        # That of tanh, 1 - tanh(x)**2, has the digits of 1, as the library's has.
        atol = 1e-15 if name == "tanh" else 1e-300
        np.testing.assert_allclose(found, np.asarray(expected, float), rtol=1e-14, atol=atol)


def np_name(name: str) -> str:
    """Return NumPy's name, of the versions that lack the standard's, too."""
    return f"arc{name[1:]}" if name.startswith("a") else name


DERIVATIVES: Final[dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    "acosh": (
        lambda x: 1 / mpmath.sqrt(x * x - 1),
        lambda x: -x / mpmath.sqrt(x * x - 1) ** 3,
    ),
    "atanh": (lambda x: 1 / (1 - x * x), lambda x: 2 * x / (1 - x * x) ** 2),
    "cosh": (mpmath.sinh, mpmath.cosh),
    "exp": (mpmath.exp, mpmath.exp),
    "expm1": (mpmath.exp, mpmath.exp),
    "log1p": (lambda x: 1 / (1 + x), lambda x: -1 / (1 + x) ** 2),
    "sinh": (mpmath.cosh, mpmath.sinh),
    "tanh": (
        lambda x: 1 - mpmath.tanh(x) ** 2,
        lambda x: -2 * mpmath.tanh(x) * (1 - mpmath.tanh(x) ** 2),
    ),
    "asin": (lambda x: 1 / mpmath.sqrt(1 - x * x), lambda x: x / mpmath.sqrt(1 - x * x) ** 3),
}


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float32, np.float64])
def test_asin_is_x_near_zero(dtype: Any) -> None:
    tiny = ml_dtypes.finfo(dtype).tiny  # type: ignore[no-untyped-call]  # theirs
    x = np.asarray([tiny, -tiny, 1.5 * tiny, 2.0**-30], dtype)
    np.testing.assert_array_equal(_native("asin")(jnp.asarray(x)), x)


def test_exp_is_the_library_s_in_double_precision() -> None:
    """In float32 the library's loses digits where it is large, so that graphs call ours."""
    names = {dtype: find("exp", (jnp.ones(3, dtype),), {}) for dtype in ("float32", "float64")}
    assert names["float32"] is None
    assert names["float64"] is not None
    assert names["float64"][0] is jnp.exp


def test_log2_of_powers_alone_is_whole() -> None:
    """Next to a large integer, other numbers were taken for powers."""
    x = np.tile(np.asarray([2.0**115, 4.153899383829826e34, 8.0, 2.0**-126], np.float32), 16)
    found = _native("log2")(jnp.asarray(x))
    assert_ulps(found, exact(lambda v: mpmath.log(v, 2), x), 1)
