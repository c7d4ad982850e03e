"""Medians and quantiles compared with NumPy's, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.installed import DIFFERENTIATING
from tests.numbers import generator
from tests.tables import each
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
AXES = pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (2, 1)])
GENERATOR = generator(8)
METHODS = [
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
    "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased", "lower", "higher",
    "midpoint", "nearest",
]  # fmt: skip


def random_array(*shape: int, dtype: str = "float64") -> Any:
    return GENERATOR.normal(size=shape).astype(dtype)


class TestTopK:
    """B65: top_k."""

    @pytest.mark.parametrize("mode", ["largest", "smallest"])
    def test_of_equal_elements_the_first_ones(self, xp: ModuleType, mode: str) -> None:
        found = xp.top_k(xp.asarray([2, 1, 2, 1, 2]), 2, mode=mode)
        assert found.indices.tolist() == ([0, 2] if mode == "largest" else [1, 3])
        assert found.values.tolist() == ([2, 2] if mode == "largest" else [1, 1])

    def test_nan_is_largest(self, xp: ModuleType) -> None:
        x = xp.asarray([[1.0, float("nan"), 3.0], [4.0, 5.0, float("-inf")]])
        values, indices = xp.top_k(x, 2, axis=1)
        assert np.array_equal(values.to_numpy(), [[np.nan, 3], [5, 4]], equal_nan=True)
        assert indices.tolist() == [[1, 2], [1, 0]]

    @pytest.mark.parametrize("mode", ["largest", "smallest"])
    @pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "int64", "uint64", "bool"])
    def test_long_axes(self, xp: ModuleType, dtype: str, mode: str) -> None:
        """Selections out of many equal elements, NaNs and zeros of both signs are stable."""
        rng = generator(3)
        x = rng.integers(0, 9, size=(2, 500, 3)).astype("float64")
        if dtype.startswith("float"):
            x -= 4.0
            for value, share in ((np.nan, 0.1), (-np.nan, 0.1), (np.inf, 0.3), (-0.0, 0.3)):
                x[rng.random(x.shape) < share] = value
        x = x.astype(dtype)
        order = np.argsort(x, axis=1, stable=True)
        if mode == "largest":
            order = 499 - np.argsort(x[:, ::-1], axis=1, stable=True)[:, ::-1]
        for k in (0, 1, 20, 60, 400, 500):
            values, indices = xp.top_k(xp.asarray(x), k, axis=1, mode=mode)
            assert np.array_equal(indices.to_numpy(), order[:, :k])
            expected = np.take_along_axis(x, order[:, :k], 1)
            equal_nan = dtype.startswith("float")
            assert np.array_equal(values.to_numpy(), expected, equal_nan=equal_nan)

    @pytest.mark.slow_on("torch")
    @pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of inductor itself
    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    @pytest.mark.parametrize("compiled", [False, True])
    def test_derivatives_of_long_axes(self, backend: str, compiled: bool) -> None:
        xp, x = unify.get_backend(backend), generator(4).permutation(300).astype("float32")

        def total(x: unify.Array) -> unify.Array:
            weights = xp.arange(1, 4, dtype=xp.float32)
            return xp.sum(xp.top_k(x, 3, mode="smallest").values * weights)

        gradient = unify.compile(unify.grad(total)) if compiled else unify.grad(total)
        found = gradient(xp.asarray(x)).to_numpy()
        assert np.array_equal(found, np.where(x < 3, x + 1, 0))

    @pytest.mark.parametrize("k", [-1, 4])
    def test_numbers_beyond_the_axis(self, xp: ModuleType, k: int) -> None:
        with pytest.raises(UnifyValueError, match="pass a number from 0 to 3"):
            xp.top_k(xp.asarray([1, 2, 3]), k)

    def test_other_modes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="'largest' or 'smallest'"):
            xp.top_k(xp.asarray([1, 2, 3]), 1, mode="best")


class TestMedian:
    @FLOATS
    @AXES
    @pytest.mark.parametrize("shape", [(3, 4, 5), (2, 3, 2)])
    def test_within_half_an_ulp(
        self, xp: ModuleType, dtype: str, axis: Any, shape: tuple[int, ...]
    ) -> None:
        x = random_array(*shape, dtype=dtype)
        result = xp.median(xp.asarray(x), axis=axis, keepdims=True)
        assert result.dtype.name == dtype
        assert_ulps(result, np.median(x.astype("g"), axis=axis, keepdims=True), 0.5)

    def test_nan_infinity_and_extremes(self, xp: ModuleType) -> None:
        largest = np.finfo("f8").max
        x = xp.asarray([[1, np.nan, 2], [np.inf, 1, np.inf], [-np.inf, 0, np.inf]])
        np.testing.assert_array_equal(np.asarray(xp.median(x, axis=1)), [np.nan, np.inf, 0])
        assert xp.median(xp.asarray([largest, largest])).item() == largest

    def test_integers_zero_dimensional_empty_and_out(self, xp: ModuleType) -> None:
        assert xp.median(xp.asarray([3, 1, 2, 5])).item() == 2.5
        assert xp.median(xp.asarray([True, False])).item() == 0.5
        assert xp.median(xp.asarray(4.0)).item() == 4.0
        np.testing.assert_array_equal(np.asarray(xp.median(xp.zeros((2, 0)), axis=1)), [np.nan] * 2)
        assert xp.median(xp.zeros((2, 0)), axis=0).shape == (0,)
        out = xp.zeros(2)
        assert xp.median(xp.asarray([[1.0, 2.0], [5.0, 9.0]]).data, axis=1, out=out) is out
        assert out.tolist() == [1.5, 7.0]

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="median: argument 'x'"):
            xp.median(xp.asarray([1j]))
        with pytest.raises(UnifyIndexError, match="median: argument 'axis'"):
            xp.median(xp.ones(2), axis=1)


class TestQuantile:
    @pytest.mark.slow_on("dask")
    @each("method", METHODS)
    @each("size", [1, 2, 3, 8, 13])
    def test_every_method_is_numpys(self, xp: ModuleType, method: str, size: int) -> None:
        x, q = random_array(size), np.linspace(0, 1, 25)
        result = xp.quantile(xp.asarray(x), xp.asarray(q), method=method)
        expected = np.quantile(x, q, method=method)
        assert_ulps(result, expected, 4, magnitude=np.abs(x).max())

    @FLOATS
    @AXES
    @pytest.mark.parametrize("keepdims", [False, True])
    def test_axes(self, xp: ModuleType, dtype: str, axis: Any, keepdims: bool) -> None:
        x, q = random_array(3, 4, 5, dtype=dtype), [[0.1, 0.5], [0.75, 1.0]]
        result = xp.quantile(xp.asarray(x), xp.asarray(q), axis=axis, keepdims=keepdims)
        assert result.dtype.name == dtype
        expected = np.quantile(x.astype("f8"), q, axis=axis, keepdims=keepdims)
        assert_ulps(result, expected, 4, magnitude=np.abs(x).max())

    def test_numbers_lists_and_native_arrays(self, xp: ModuleType) -> None:
        x = xp.asarray([10.0, 0.0, 20.0])
        assert xp.quantile(x, 0.25).item() == 5.0
        assert xp.quantile(x.data, [0.25, 1]).tolist() == [5.0, 20.0]
        assert xp.quantile(xp.asarray([10, 0, 20]), 1).item() == 20.0
        assert xp.quantile(x, xp.asarray(0.5, dtype=xp.float32)).dtype is unify.float64

    def test_nan_and_infinity(self, xp: ModuleType) -> None:
        x = xp.asarray([[1.0, np.nan], [np.inf, np.inf], [3.0, np.inf], [-np.inf, np.inf]])
        found = np.asarray(xp.quantile(x, xp.asarray([0.0, 0.5, 1.0]), axis=1))
        np.testing.assert_array_equal(found[:, 0], [np.nan] * 3)
        np.testing.assert_array_equal(found[:, 1], [np.inf] * 3)
        np.testing.assert_array_equal(found[:, 2], [3.0, np.inf, np.inf])
        np.testing.assert_array_equal(found[[0, 2], 3], [-np.inf, np.inf])

    def test_fractions_out_of_range(self, xp: ModuleType) -> None:
        found = np.asarray(xp.quantile(xp.ones(3), xp.asarray([-0.1, np.nan, 0.5, 2.0])))
        np.testing.assert_array_equal(found, [np.nan, np.nan, 1.0, np.nan])
        for bad in (-0.1, 1.5, float("nan")):
            with pytest.raises(UnifyValueError, match="quantile: argument 'q'"):
                xp.quantile(xp.ones(3), bad)

    def test_empty(self, xp: ModuleType) -> None:
        found = np.asarray(xp.quantile(xp.zeros((0, 2)), xp.asarray([0.5, 1]), axis=0))
        np.testing.assert_array_equal(found, [[np.nan] * 2] * 2)
        assert xp.quantile(xp.zeros((3, 0)), 0.5, axis=0).shape == (0,)
        assert xp.quantile(xp.ones(3), xp.zeros(0)).shape == (0,)

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="quantile: argument 'method' is 'best'"):
            xp.quantile(xp.ones(3), 0.5, method="best")
        with pytest.raises(UnifyTypeError, match="quantile: argument 'q'"):
            xp.quantile(xp.ones(3), xp.asarray([0.5j]))

    def test_out(self, xp: ModuleType) -> None:
        out = xp.zeros(())
        assert xp.quantile(xp.asarray([1.0, 3.0]), 0.5, out=out) is out
        assert out.item() == 2.0


class TestPercentile:
    @FLOATS
    @AXES
    @each("method", ["linear", "hazen", "lower", "midpoint"])
    def test_within_2_ulps(self, xp: ModuleType, dtype: str, axis: Any, method: str) -> None:
        x, q = random_array(3, 4, 5, dtype=dtype), np.asarray([0.0, 12.5, 50.0, 87.5, 100.0])
        options: dict[str, Any] = {"axis": axis, "keepdims": True, "method": method}
        result = xp.percentile(xp.asarray(x), xp.asarray(q), **options)
        expected = np.percentile(x.astype("f8"), q, **options)
        assert result.dtype.name == dtype
        assert_ulps(result, expected, 2, magnitude=2)

    def test_is_the_quantile(self, xp: ModuleType) -> None:
        x = xp.asarray(random_array(4, 5))
        assert xp.percentile(x, 25).item() == xp.quantile(x, 0.25).item()
        assert np.isnan(xp.percentile(x, xp.asarray(100.5)).item())

    def test_mistakes(self, xp: ModuleType) -> None:
        for q in (-1, 100.5):
            with pytest.raises(UnifyValueError, match=r"percentile: argument 'q' is .* 0 to 100"):
                xp.percentile(xp.ones(2), q)
        with pytest.raises(UnifyValueError, match="percentile: argument 'method' is 'median'"):
            xp.percentile(xp.ones(2), 50, method="median")
        with pytest.raises(UnifyTypeError, match="percentile: argument 'x'"):
            xp.percentile(xp.asarray([1j]), 50)
