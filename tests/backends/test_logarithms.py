"""Logarithms of complex numbers near the unit circle, where those of both components cancel."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import mpmath
import numpy as np
import pytest

from arrayapi_unify.backends._common.algorithms.arithmetic import square_beyond_one
from tests.differential.tracing import COMPILERS
from tests.installed import INSTALLED
from tests.ulps import assert_ulps, exact

RADII = [1e-3, 0.4, 0.6, 0.7, 0.74, 0.77, 0.8, 0.87, 0.95, 0.97, 0.999, 1, 1 + 1e-6, 1.03, 1.2, 50]
ANGLES = np.linspace(-3, 3.01, 29)
BASES = {"log": mpmath.e, "log2": 2, "log10": 10}
every_backend = pytest.mark.parametrize("name", INSTALLED)
every_dtype = pytest.mark.parametrize("dtype", ["complex64", "complex128"])


def _numbers(dtype: str, *radii: float) -> Any:
    return (np.asarray(radii)[:, None] * np.exp(1j * ANGLES)).astype(dtype)


def _exact(values: Any, base: Any = mpmath.e, shift: int = 0) -> tuple[Any, Any]:
    """Return the components of the logarithms, in 30 digits."""
    with mpmath.workdps(50):
        found = [mpmath.log(shift + mpmath.mpc(complex(v))) / mpmath.log(base) for v in values.flat]
        real, imag = (
            np.asarray([np.longdouble(mpmath.nstr(getattr(v, part), 30)) for v in found])
            for part in ("real", "imag")
        )
    return real.reshape(values.shape), imag.reshape(values.shape)


def _namespace(name: str) -> ModuleType:
    return importlib.import_module(f"arrayapi_unify.{name}")


def _assert_near(result: Any, expected: tuple[Any, Any], ulps: float) -> None:
    assert_ulps(result.real, expected[0], ulps)
    assert_ulps(result.imag, expected[1], ulps)


@every_backend
@every_dtype
class TestLogarithms:
    @pytest.mark.parametrize("function", BASES)
    def test_near_the_unit_circle(self, function: str, dtype: str, name: str) -> None:
        z, xp = _numbers(dtype, *RADII), _namespace(name)
        result = np.asarray(getattr(xp, function)(xp.asarray(z)))
        _assert_near(result, _exact(z, BASES[function]), 6)

    def test_log1p_around_minus_one(self, dtype: str, name: str) -> None:
        """The real component may lose digits near zero; the complex number doesn't."""
        z, xp = _numbers(dtype, *RADII) - 1, _namespace(name)
        result = np.asarray(xp.log1p(xp.asarray(z)))
        real, imag = _exact(z, shift=1)
        assert_ulps(result, real + 1j * imag, 4)

    def test_other_elements_stay(self, dtype: str, name: str) -> None:
        """Infinities, NaN and zero combined with numbers near one."""
        z = np.asarray([0.6 + 0.8j, 0, complex(np.inf, 1), complex(np.nan, 1), -1], dtype)
        xp = _namespace(name)
        with np.errstate(divide="ignore"):
            result = np.asarray(xp.log(xp.asarray(z)))
        np.testing.assert_array_equal(result[1:4], [-np.inf, np.inf, complex(np.nan, np.nan)])
        np.testing.assert_allclose(result[[0, 4]].imag, np.angle(z[[0, 4]]), rtol=1e-6)


@pytest.mark.slow_on("torch")
@pytest.mark.parametrize("name", [name for name in INSTALLED if name in COMPILERS])
@every_dtype
def test_traced(dtype: str, name: str) -> None:
    """A traced program, which can't check values, is as precise."""
    z, xp = _numbers(dtype, *RADII), _namespace(name)
    compiled = COMPILERS[name](lambda x: xp.log(xp.asarray(x)).data)
    result = np.asarray(compiled(xp.asarray(z).data))
    _assert_near(result, _exact(z), 6)


# The worst numbers of searches next to powers and among all, where a window of two units around
# integers made errors of three.
REALS = {
    "log2": (mpmath.log, 2.0, [4096.000000000018, 2147483647.999988, 3.0517487e-05, 4.8147462e-35]),
    "log10": (
        mpmath.log, 10.0,
        [0.0009999999999999955, 0.000100000274, 9999952.0, 3.0912936241155493e-30, 1.1543403],
    ),
}  # fmt: skip


@every_backend
@pytest.mark.parametrize(("dtype", "ulps"), [("float32", 2.3), ("float64", 1.5)])
@pytest.mark.parametrize("function", REALS)
def test_next_to_powers(function: str, dtype: str, ulps: float, name: str) -> None:
    """Numbers that aren't powers aren't taken for such."""
    logarithm, base, points = REALS[function]
    x, xp = np.tile(points, 16).astype(dtype), _namespace(name)
    result = np.asarray(getattr(xp, function)(xp.asarray(x)))
    assert_ulps(result, exact(lambda v: logarithm(v, base), x), ulps)


def test_square_beyond_one() -> None:
    """On the circle nearly all digits cancel: the remaining ones are right."""
    generator = np.random.default_rng(3)
    angles = generator.uniform(0, np.pi / 4, 500)
    x, y = np.cos(angles), np.sin(angles)
    with mpmath.workdps(50):
        exact = [
            np.longdouble(mpmath.nstr(mpmath.mpf(a) ** 2 + mpmath.mpf(b) ** 2 - 1, 30))
            for a, b in zip(x.tolist(), y.tolist(), strict=True)
        ]
    assert_ulps(square_beyond_one(x, y), np.asarray(exact), 2)
