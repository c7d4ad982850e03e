"""Covariances and correlations compared with NumPy's, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.numbers import generator
from tests.ulps import assert_ulps

DTYPES = pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
GENERATOR = generator(19)


def random_array(shape: tuple[int, ...], dtype: str) -> Any:
    x = GENERATOR.normal(2.0, 1.0, shape)
    return (x + 1j * GENERATOR.normal(size=shape) if dtype[0] == "c" else x).astype(dtype)


def wide(x: Any) -> Any:
    return x.astype("G" if x.dtype.kind == "c" else "g")


class TestCov:
    @DTYPES
    @pytest.mark.parametrize("rowvar", [True, False])
    @pytest.mark.parametrize("correction", [0, 1, 2])
    def test_within_32_ulps(
        self, xp: ModuleType, dtype: str, rowvar: bool, correction: int
    ) -> None:
        x = random_array((3, 6) if rowvar else (6, 3), dtype)
        result = xp.cov(xp.asarray(x), rowvar=rowvar, correction=correction)
        assert result.dtype.name == dtype
        expected = np.cov(wide(x), rowvar=rowvar, ddof=correction)
        assert_ulps(result, expected, 32, magnitude=8)

    @DTYPES
    def test_two_arrays(self, xp: ModuleType, dtype: str) -> None:
        x, y = random_array((6,), dtype), random_array((2, 6), dtype)
        result = xp.cov(xp.asarray(x), xp.asarray(y))
        assert_ulps(result, np.cov(wide(x), wide(y)), 32, magnitude=8)

    @pytest.mark.parametrize("repeats", [None, [1, 2, 3, 1, 1]])
    @pytest.mark.parametrize("weights", [None, [0.5, 2.0, 1.0, 0.25, 3.0]])
    @pytest.mark.parametrize("correction", [0, 1])
    def test_weights(self, xp: ModuleType, repeats: Any, weights: Any, correction: int) -> None:
        x = random_array((2, 5), "float64")
        given = {"fweights": repeats, "aweights": weights}
        arrays = {n: None if v is None else xp.asarray(v) for n, v in given.items()}
        result = xp.cov(xp.asarray(x), correction=correction, **arrays)
        assert_ulps(result, np.cov(wide(x), ddof=correction, **given), 32, magnitude=8)

    def test_a_broken_correction(self, xp: ModuleType) -> None:
        """NumPy accepts integers only; the standard's `var` any number."""
        x = random_array((4,), "float64")
        result = xp.cov(xp.asarray(x), correction=1.5)
        assert result.item() == pytest.approx(np.var(x) * 4 / 2.5)

    def test_one_variable_integers_and_out(self, xp: ModuleType) -> None:
        x, out = xp.asarray([1, 2, 6]), xp.zeros(())
        assert xp.cov(x.data, out=out) is out
        assert out.item() == 7.0
        assert xp.cov(x, rowvar=False).shape == ()
        assert xp.cov(xp.asarray([[1.0, 2.0]])).shape == ()

    def test_too_few_observations(self, xp: ModuleType) -> None:
        assert np.isnan(xp.cov(xp.asarray([2.0])).item())

    def test_mistakes(self, xp: ModuleType) -> None:
        x = xp.ones((2, 3))
        with pytest.raises(UnifyValueError, match="cov: argument 'x' has 3 axes"):
            xp.cov(xp.ones((1, 1, 1)))
        with pytest.raises(UnifyValueError, match="cov: argument 'y' has 2 observations where x"):
            xp.cov(x, xp.ones(2))
        with pytest.raises(UnifyTypeError, match="cov: argument 'fweights' has data type float64"):
            xp.cov(x, fweights=xp.ones(3))
        with pytest.raises(UnifyValueError, match="cov: argument 'aweights' has the shape"):
            xp.cov(x, aweights=xp.ones(2))


class TestCorrcoef:
    @DTYPES
    @pytest.mark.parametrize("rowvar", [True, False])
    def test_within_32_ulps(self, xp: ModuleType, dtype: str, rowvar: bool) -> None:
        x = random_array((3, 6) if rowvar else (6, 3), dtype)
        y = random_array((2, 6) if rowvar else (6, 2), dtype)
        result = xp.corrcoef(xp.asarray(x), xp.asarray(y), rowvar=rowvar)
        assert result.dtype.name == dtype
        assert_ulps(result, np.corrcoef(wide(x), wide(y), rowvar), 32, magnitude=1)

    def test_never_beyond_one(self, xp: ModuleType) -> None:
        for row in GENERATOR.normal(size=(20, 5)):
            found = np.asarray(xp.corrcoef(xp.asarray(np.stack([row, row * 0.1, -row]))))
            assert np.abs(found).max() <= 1
            np.testing.assert_allclose(found[0], [1, 1, -1], rtol=1e-14)

    def test_one_and_constant_variables(self, xp: ModuleType) -> None:
        assert xp.corrcoef(xp.asarray([1, 2, 4])).item() == 1.0
        found = np.asarray(xp.corrcoef(xp.asarray([[1.0, 1.0], [1.0, 2.0]])))
        np.testing.assert_array_equal(np.isnan(found), [[True, True], [True, False]])

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="corrcoef: argument 'y' has 2 observations"):
            xp.corrcoef(xp.ones((2, 3)), xp.ones(2))
