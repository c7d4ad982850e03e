"""Piecewise linear activation functions compared with their formulas, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import mpmath
import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.functional.activation import Activation

INF = float("inf")


def clamped(v: Any) -> Any:
    return min(max(v + 3, mpmath.mpf(0)), mpmath.mpf(6)) / 6


class TestHardsigmoid(Activation):
    name = "hardsigmoid"
    special = ((INF, 1), (-INF, 0), (1e300, 1), (-1e300, 0))
    slopes = ((-3.0, 0), (3.0, 0), (0.0, 1 / 6), (1e300, 0), (INF, 0), (-INF, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        return clamped(v)

    def magnitude(self, values: Any) -> Any:
        return 1  # x + 3 cancels


class TestHardswish(Activation):
    name = "hardswish"
    special = ((INF, INF), (-INF, 0), (1e300, 1e300), (-1e300, 0))
    slopes = ((-3.0, 0), (3.0, 1), (0.0, 0.5), (1e300, 1), (-1e300, 0), (INF, 1), (-INF, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        return v * clamped(v)

    def magnitude(self, values: Any) -> Any:
        return values


class TestHardtanh(Activation):
    name = "hardtanh"
    options = (("min_val", -2.0), ("max_val", 3.0))
    ulps = 0
    special = ((INF, 3), (-INF, -2), (1e300, 3), (-1e300, -2))
    slopes = ((-2.0, 0), (3.0, 0), (0.0, 1), (INF, 0), (-INF, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        return min(max(v, mpmath.mpf(-2)), mpmath.mpf(3))

    def test_usual_bounds(self, xp: ModuleType) -> None:
        assert xp.hardtanh(xp.asarray([-1.5, 0.5, 1.5])).tolist() == [-1, 0.5, 1]

    def test_bounds_in_the_wrong_order(self, xp: ModuleType) -> None:
        for x in (xp.ones(1), xp.asarray([1])):
            with pytest.raises(UnifyValueError, match="hardtanh: argument 'min_val' is 3"):
                xp.hardtanh(x, min_val=3.0)


class TestLeakyRelu(Activation):
    name = "leaky_relu"
    options = (("negative_slope", 0.125),)
    ulps = 0
    special = ((INF, INF), (-INF, -INF), (1e300, 1e300), (-8e300, -1e300))
    slopes = ((0.0, 0.125), (1e300, 1), (-1e300, 0.125), (INF, 1), (-INF, 0.125))

    @staticmethod
    def formula(v: Any) -> Any:
        return v if v > 0 else v / 8

    def test_usual_slope(self, xp: ModuleType) -> None:
        assert xp.leaky_relu(xp.asarray([-1.0, 0.5])).tolist() == [-0.01, 0.5]


class TestPrelu:
    def test_one_slope_for_each_channel(self, xp: ModuleType) -> None:
        x = np.arange(-6.0, 6.0).reshape(2, 3, 2)
        for axis, slope in ((1, [0.5, 2.0, -1.0]), (-1, [0.5, 3.0]), (0, [0.25, 7.0])):
            shape = [1, 1, 1]
            shape[axis] = -1
            expected = np.where(x > 0, x, x * np.reshape(slope, shape))
            result = xp.prelu(xp.asarray(x), xp.asarray(slope), axis=axis)
            np.testing.assert_array_equal(np.asarray(result), expected)

    def test_one_slope_for_all(self, xp: ModuleType) -> None:
        for slope in (xp.asarray(0.5), xp.asarray([0.5])):
            assert xp.prelu(xp.asarray([-2.0, 4.0]), slope).tolist() == [-1.0, 4.0]
            assert xp.prelu(xp.asarray(-2.0), slope).tolist() == -1.0

    @pytest.mark.eager
    def test_derivative_by_the_slope(self, xp: ModuleType) -> None:
        if xp is unify.numpy:
            return
        x = xp.asarray([[-1.0, 2.0], [-3.0, 0.0]])
        found = unify.grad(lambda s: xp.sum(xp.prelu(x, s)))(xp.asarray([0.5, 0.5]))
        assert found.tolist() == [-4.0, 0.0]

    def test_promotes(self, xp: ModuleType) -> None:
        x, slope = xp.asarray([-2], dtype=xp.int8), xp.asarray([0.5], dtype=xp.float32)
        assert xp.prelu(x, slope).dtype == xp.float32
        assert xp.prelu(x, xp.asarray([2])).dtype == xp.float64

    def test_mistakes(self, xp: ModuleType) -> None:
        x = xp.ones((2, 3))
        with pytest.raises(UnifyValueError, match=r"'slope' has the shape \(2,\), where there are"):
            xp.prelu(x, xp.ones(2))
        with pytest.raises(UnifyValueError, match="'slope'"):
            xp.prelu(x, xp.ones((1, 3)))
        with pytest.raises(UnifyIndexError, match="prelu: argument 'axis'"):
            xp.prelu(xp.ones(3), xp.ones(3))
        with pytest.raises(UnifyTypeError, match="'slope'"):
            xp.prelu(x, xp.asarray(1j))


class TestRelu6(Activation):
    name = "relu6"
    ulps = 0
    special = ((INF, 6), (-INF, 0), (1e300, 6), (-1e300, 0))
    slopes = ((0.0, 0), (6.0, 0), (3.0, 1), (INF, 0), (-INF, 0))
    keeps_integers = True

    @staticmethod
    def formula(v: Any) -> Any:
        return min(max(v, mpmath.mpf(0)), mpmath.mpf(6))

    def test_unsigned(self, xp: ModuleType) -> None:
        for dtype in (xp.uint8, xp.uint64):
            result = xp.relu6(xp.asarray([0, 5, 200], dtype=dtype))
            assert result.dtype == dtype
            assert result.tolist() == [0, 5, 6]


class TestThreshold(Activation):
    name = "threshold"
    arguments = (0.5, -2.0)
    ulps = 0
    special = ((INF, INF), (-INF, -2), (1e300, 1e300), (0.5, -2))
    slopes = ((0.5, 0), (0.75, 1), (INF, 1), (-INF, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        return v if v > 0.5 else mpmath.mpf(-2)
