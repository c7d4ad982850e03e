"""Running extremes, integrals and interpolation compared with NumPy's, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.functional.differentiating import DIFFERENTIATING
from tests.numbers import generator
from tests.tables import each
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
GENERATOR = generator(17)
RUNNING = pytest.mark.parametrize(
    ("name", "wanted"),
    [("cummax", np.maximum.accumulate), ("cummin", np.minimum.accumulate)],
)


@RUNNING
class TestCummaxAndCummin:
    @pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 100])
    def test_any_length(self, xp: ModuleType, name: str, wanted: Any, size: int) -> None:
        x = GENERATOR.integers(-50, 50, (2, size))
        result = getattr(xp, name)(xp.asarray(x), axis=1)
        np.testing.assert_array_equal(np.asarray(result), wanted(x, 1))

    @each("dtype", ["bool", "uint8", "uint64", "int16", "float32", "float64"])
    @each("axis", [0, 1, -1])
    def test_any_dtype(self, xp: ModuleType, name: str, wanted: Any, dtype: str, axis: int) -> None:
        x = (GENERATOR.integers(0, 100, (3, 4, 2)) > 50) * 100
        x = x.astype(dtype)
        if dtype == "uint64":
            x = x + np.uint64(2**63)
        result = getattr(xp, name)(xp.asarray(x), axis=axis)
        assert result.dtype.name == dtype
        np.testing.assert_array_equal(np.asarray(result), wanted(x, axis))

    def test_nan_and_infinity(self, xp: ModuleType, name: str, wanted: Any) -> None:
        for values in ([1, np.nan, 2, np.inf], [-np.inf, 5, np.inf, np.nan], [np.nan, 1, 2, 3]):
            result = getattr(xp, name)(xp.asarray(np.asarray(values, float)))
            np.testing.assert_array_equal(np.asarray(result), wanted(values))

    def test_out_empty_and_mistakes(self, xp: ModuleType, name: str, wanted: Any) -> None:
        function, x, out = getattr(xp, name), xp.asarray([3.0, 1.0, 4.0]), xp.zeros(3)
        assert function(x.data, out=out) is out
        assert out.tolist() == wanted([3.0, 1, 4]).tolist()
        assert function(xp.zeros((2, 0)), axis=1).shape == (2, 0)
        with pytest.raises(UnifyValueError, match=name):
            function(xp.ones((2, 2)))
        with pytest.raises(UnifyValueError, match=name):
            function(xp.ones(()))
        with pytest.raises(UnifyIndexError, match=f"{name}: argument 'axis'"):
            function(x, axis=1)
        with pytest.raises(UnifyTypeError, match=f"{name}: argument 'x'"):
            function(xp.asarray([1j]))

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_derivative(self, name: str, wanted: Any, backend: str) -> None:
        xp: Any = namespace_of(backend)
        values = np.asarray([3.0, 1.0, 4.0, 2.0])
        found = unify.grad(lambda x: xp.sum(getattr(xp, name)(x)))(xp.asarray(values))
        assert found.tolist() == ([2, 0, 2, 0] if name == "cummax" else [1, 3, 0, 0])


class TestInterp:
    @FLOATS
    @pytest.mark.parametrize("kind", ["real", "complex"])
    def test_as_numpy(self, xp: ModuleType, dtype: str, kind: str) -> None:
        points = np.sort(GENERATOR.uniform(0, 10, 7)).astype(dtype)
        values = GENERATOR.normal(size=7).astype(dtype)
        values = values + values[::-1] * 1j if kind == "complex" else values
        x = np.concatenate([GENERATOR.uniform(-1, 11, 20).astype(dtype), points]).reshape(3, 9)
        wide = values.astype("c16" if kind == "complex" else "f8")
        for ends in ({}, {"left": -1.0, "right": 2.0}):
            result = xp.interp(xp.asarray(x), xp.asarray(points), xp.asarray(values), **ends)
            expected = np.interp(x.astype("f8"), points.astype("f8"), wide, **ends)
            assert result.dtype.name == values.dtype.name
            assert_ulps(result, expected, 64, magnitude=10)

    def test_special_values(self, xp: ModuleType) -> None:
        x = xp.asarray([np.nan, np.inf, -np.inf, 2.0, 4.0])
        points, values = xp.asarray([1.0, 2.0, 4.0]), xp.asarray([10.0, np.inf, 5.0])
        result = xp.interp(x, points, values, left=0.0)
        np.testing.assert_array_equal(np.asarray(result), [np.nan, 5, 0, np.inf, 5])

    def test_period(self, xp: ModuleType) -> None:
        """NumPy's own example."""
        x = [-180, -170, -185, 185, -10, -5, 0, 365]
        points, values = [190, -190, 350, -350], [5, 10, 3, 4]
        result = xp.interp(xp.asarray(x), xp.asarray(points), xp.asarray(values), period=360)
        expected = np.interp(x, points, values, period=360)
        np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-15)

    def test_one_point_and_two_at_one_place(self, xp: ModuleType) -> None:
        x = xp.asarray([0.0, 1.0, 2.0])
        one, two = xp.asarray([1.0]), xp.asarray([5.0])
        assert xp.interp(x, one, two, left=-1.0, right=9.0).tolist() == [-1, 5, 9]
        points, values = xp.asarray([0.0, 1.0, 1.0, 2.0]), xp.asarray([0.0, 1.0, 3.0, 4.0])
        assert xp.interp(x, points, values).tolist() == [0, 3, 4]

    def test_mistakes(self, xp: ModuleType) -> None:
        x, two, three = xp.ones(2), xp.asarray([0.0, 1.0]), xp.ones(3)
        for points, values in ((two, three), (xp.ones((1, 2)), two), (xp.ones(0), xp.ones(0))):
            with pytest.raises(UnifyValueError, match="interp: argument 'xp' has the shape"):
                xp.interp(x, points, values)
        with pytest.raises(UnifyValueError, match="interp: argument 'period' is 0"):
            xp.interp(x, two, two, period=0)
        with pytest.raises(UnifyTypeError, match="interp: argument 'x'"):
            xp.interp(xp.asarray([1j]), two, two)

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_derivatives(self, backend: str) -> None:
        xp: Any = namespace_of(backend)
        arrays = xp.asarray([1.25, 5.0]), xp.asarray([1.0, 2.0]), xp.asarray([10.0, 30.0])
        by_x, by_points, by_values = unify.grad(lambda a: xp.sum(xp.interp(*a)))(arrays)
        assert by_x.tolist() == [20, 0]
        assert by_points.tolist() == [-15, -5]
        assert by_values.tolist() == [0.75, 1.25]


class TestTrapezoid:
    @FLOATS
    @pytest.mark.parametrize("axis", [0, 1, -1])
    @pytest.mark.parametrize("places", ["none", "vector", "whole"])
    def test_within_16_ulps(self, xp: ModuleType, dtype: str, axis: int, places: str) -> None:
        y = GENERATOR.normal(size=(3, 4, 5)).astype(dtype)
        x = np.sort(GENERATOR.uniform(size=y.shape).astype(dtype), axis)
        x = x if places == "whole" else np.take(np.take(x, 0, axis), 0, 0 if axis else 1)
        x = np.arange(y.shape[axis], dtype=dtype) ** 2 if places == "vector" else x
        if places == "none":
            result = xp.trapezoid(xp.asarray(y), dx=0.25, axis=axis)
            expected = np.trapezoid(y.astype("g"), dx=0.25, axis=axis)
        else:
            result = xp.trapezoid(xp.asarray(y), xp.asarray(x), axis=axis)
            expected = np.trapezoid(y.astype("g"), x.astype("g"), axis=axis)
        assert result.dtype.name == dtype
        assert_ulps(result, expected, 32, magnitude=20)

    def test_integers_complex_and_empty(self, xp: ModuleType) -> None:
        assert xp.trapezoid(xp.asarray([1, 2, 5])).item() == 5.0
        assert xp.trapezoid(xp.asarray([1j, 3j]), xp.asarray([0, 2])).item() == 4j
        assert xp.trapezoid(xp.zeros((2, 0))).tolist() == [0, 0]

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="trapezoid: argument 'x' has 2 axes where y has"):
            xp.trapezoid(xp.ones(2), xp.ones((2, 2)))
        with pytest.raises(UnifyIndexError, match="trapezoid: argument 'axis'"):
            xp.trapezoid(xp.ones(2), axis=1)
        with pytest.raises(UnifyValueError):
            xp.trapezoid(xp.ones(4), xp.ones(3))
