"""Initializers: their distributions by SciPy, and the same numbers on every backend."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import arrayapi_unify as unify
from arrayapi_unify import initializers
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import INSTALLED
from tests.nn.networks import make_key

SHAPE = (3, 20, 100)  # a window of 3: fan in 60, fan out 300
CUT = stats.truncnorm(-2, 2).std()
DISTRIBUTIONS = {
    "uniform": stats.uniform(-0.05, 0.1),
    "normal": stats.norm(0, 0.05),
    "truncated_normal": stats.truncnorm(-2, 2, scale=0.05),
    "glorot_uniform": stats.uniform(-math.sqrt(6 / 360), 2 * math.sqrt(6 / 360)),
    "glorot_normal": stats.truncnorm(-2, 2, scale=math.sqrt(2 / 360) / CUT),
    "he_uniform": stats.uniform(-math.sqrt(6 / 60), 2 * math.sqrt(6 / 60)),
    "he_normal": stats.truncnorm(-2, 2, scale=math.sqrt(2 / 60) / CUT),
}


class TestDistributions:
    @pytest.mark.parametrize("name", DISTRIBUTIONS)
    def test_kolmogorov_smirnov(self, name: str) -> None:
        x = np.asarray(getattr(initializers, name)(make_key("numpy", 1), SHAPE))
        assert x.shape == SHAPE
        assert stats.kstest(x.ravel(), DISTRIBUTIONS[name].cdf).pvalue > 1e-3

    @pytest.mark.slow_on("jax")
    @pytest.mark.parametrize("name", initializers.__all__[1:])
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_same_on_every_backend(self, name: str, backend: str) -> None:
        make = getattr(initializers, name)
        ours, theirs = (make(make_key(b, 2), (6, 4)) for b in (backend, "numpy"))
        assert ours.backend == backend
        np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=0, atol=1e-14)
        assert make(make_key(backend), (2, 2), dtype="float32").dtype == unify.float32

    @pytest.mark.parametrize("shape", [(5, 3), (3, 5), (2, 3, 4)])
    def test_orthogonal(self, shape: tuple[int, ...]) -> None:
        x = np.asarray(initializers.orthogonal(make_key("numpy"), shape, gain=2.0))
        matrix = x.reshape(-1, shape[-1])
        small = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
        np.testing.assert_allclose(small @ small.T, 4 * np.eye(len(small)), atol=1e-13)

    def test_constants(self) -> None:
        key = make_key("numpy")
        made: list[Any] = [initializers.zeros(key, (2,)), initializers.ones(key, (2,)),
                           initializers.constant(key, (2,), value=3.0)]  # fmt: skip
        assert [x.tolist() for x in made] == [[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]
        assert {x.dtype for x in made} == {unify.float64}


class TestRefused:
    def test_no_key(self) -> None:
        with pytest.raises(UnifyTypeError, match=r"initializers\.normal: argument 'key' is 3"):
            initializers.normal(3, (2,))  # type: ignore[arg-type]  # the tested error

    def test_no_matrix(self) -> None:
        with pytest.raises(UnifyValueError, match=r"glorot_uniform: argument 'shape' is \(2,\)"):
            initializers.glorot_uniform(make_key("numpy"), (2,))
