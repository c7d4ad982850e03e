"""Logarithms of complex numbers near the unit circle, where those of both components cancel."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import arrayapi_unify.jax as xp
from tests.ulps import assert_ulps


class TestLogarithms:
    @pytest.mark.parametrize("dtype", ["complex64", "complex128"])
    @pytest.mark.parametrize(("name", "base"), [("log", mpmath.e), ("log2", 2), ("log10", 10)])
    def test_near_the_unit_circle(self, name: str, base: Any, dtype: str) -> None:
        radii = np.asarray([1e-3, 0.4, 0.6, 0.7, 0.74, 0.77, 0.8, 0.87, 0.97, 1.03, 1.2, 1.45, 50])
        angles = np.linspace(-3, 3, 29)
        z = (radii[:, None] * np.exp(1j * angles)).astype(dtype)
        result = np.asarray(getattr(xp, name)(xp.asarray(z)))
        with mpmath.workdps(50):
            exact = [mpmath.log(mpmath.mpc(complex(v))) / mpmath.log(base) for v in z.ravel()]
            for part in ("real", "imag"):
                texts = [mpmath.nstr(getattr(v, part), 30) for v in exact]
                expected = np.asarray([np.longdouble(text) for text in texts]).reshape(z.shape)
                assert_ulps(getattr(result, part), expected, 4)
