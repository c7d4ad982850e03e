"""Smooth activation functions compared with mpmath, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import mpmath
import numpy as np
import pytest

from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.functional.activation import Activation, linear_unit, logistic
from tests.ulps import assert_ulps, exact

INF = float("inf")
SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


class TestCelu(Activation):
    name = "celu"
    options = (("alpha", 2.0),)
    special = ((INF, INF), (-INF, -2), (1e300, 1e300), (-1e300, -2))
    slopes = ((0.0, 1), (INF, 1), (-INF, 0), (1e300, 1), (-1e300, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        return linear_unit(v, lambda v: 2 * mpmath.expm1(v / 2))

    @pytest.mark.parametrize("alpha", [0.0, -1.0, float("nan")])
    def test_alpha_is_positive(self, xp: ModuleType, alpha: float) -> None:
        for x in (xp.ones(2), xp.asarray([1])):
            with pytest.raises(UnifyValueError, match="celu: argument 'alpha' is"):
                xp.celu(x, alpha=alpha)


class TestElu(Activation):
    name = "elu"
    options = (("alpha", 0.5),)
    special = ((INF, INF), (-INF, -0.5), (1e300, 1e300), (-1e300, -0.5))
    slopes = ((0.0, 0.5), (INF, 1), (-INF, 0), (1e300, 1), (-1e300, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        return linear_unit(v, lambda v: mpmath.expm1(v) / 2)

    def test_usual_alpha(self, xp: ModuleType) -> None:
        assert xp.elu(xp.asarray([-1000.0, 2.0])).tolist() == [-1, 2]


class TestGlu:
    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    @pytest.mark.parametrize("axis", [0, 1, -1])
    def test_within_8_ulps(self, xp: ModuleType, dtype: str, axis: int) -> None:
        x = (np.sin(np.arange(48.0)) * 9).reshape(4, 2, 6).astype(dtype)
        first, gate = np.split(x, 2, axis)
        expected = exact(logistic, gate) * first
        assert_ulps(xp.glu(xp.asarray(x), axis=axis), expected, 8)

    def test_a_closed_gate(self, xp: ModuleType) -> None:
        result = xp.glu(xp.asarray([5.0, 6.0, 7.0, -np.inf, -1000.0, np.inf]))
        assert result.tolist() == [0, 0, 7]

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="glu: argument 'x' has 3 elements along axis 1"):
            xp.glu(xp.ones((2, 3)))
        with pytest.raises(UnifyIndexError, match="glu: argument 'axis'"):
            xp.glu(xp.ones(()))
        with pytest.raises(UnifyTypeError, match="glu: argument 'x'"):
            xp.glu(xp.asarray([1j, 2]))


class TestLogsigmoid(Activation):
    name = "logsigmoid"
    special = ((INF, 0), (-INF, -INF), (1e300, 0), (-1e300, -1e300), (-1000.0, -1000))
    slopes = ((0.0, 0.5), (INF, 0), (-INF, 1), (1e300, 0), (-1e300, 1))

    @staticmethod
    def formula(v: Any) -> Any:
        return -mpmath.log1p(mpmath.exp(-v))


class TestMish(Activation):
    name = "mish"
    special = ((INF, INF), (-INF, 0), (1e300, 1e300), (-1e300, 0), (1000.0, 1000))
    slopes = ((0.0, 0.6), (INF, 1), (-INF, 0), (1e300, 1), (-1e300, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        return v * mpmath.tanh(mpmath.log1p(mpmath.exp(v)))


class TestSelu(Activation):
    name = "selu"
    special = ((INF, INF), (-INF, -SELU_SCALE * SELU_ALPHA), (1e300, SELU_SCALE * 1e300))
    slopes = ((0.0, SELU_SCALE * SELU_ALPHA), (INF, SELU_SCALE), (-INF, 0), (-1e300, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        scale = mpmath.mpf("1.0507009873554804934193349852946")
        alpha = mpmath.mpf("1.6732632423543772848170429916717")
        return scale * linear_unit(v, lambda v: alpha * mpmath.expm1(v))


class TestSilu(Activation):
    name = "silu"
    special = ((INF, INF), (-INF, 0), (1e300, 1e300), (-1e300, 0), (-1000.0, 0))
    slopes = ((0.0, 0.5), (INF, 1), (-INF, 0), (1e300, 1), (-1e300, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        return v * logistic(v)


class TestSoftsign(Activation):
    name = "softsign"
    special = ((INF, 1), (-INF, -1), (1e300, 1), (-1e300, -1))
    slopes = ((0.0, 1), (1.0, 0.25), (-1.0, 0.25), (1e300, 0), (INF, 0), (-INF, 0))

    @staticmethod
    def formula(v: Any) -> Any:
        return v / (1 + abs(v))
