"""Activation functions compared with mpmath and sums in extended precision, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import mpmath
import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.ulps import assert_ulps, exact

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
POINTS = [0.0, 1e-30, 1e-5, 0.3, 0.5, 1.0, 1.7, 3.1, 5.3, 9.9, 20.0, 33.0, 60.0, 1e4]
REALS = np.asarray([*POINTS, *(-p for p in POINTS)])
SPECIAL = np.asarray([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e300, -1e300])


def at(xp: ModuleType, values: Any, dtype: str) -> tuple[Any, Any]:
    """Create an array, and return its exact values."""
    rounded = np.asarray(values, dtype)
    return xp.asarray(rounded), rounded


def normal_below(x: Any) -> Any:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


class TestSigmoid:
    @FLOATS
    def test_within_4_ulps(self, xp: ModuleType, dtype: str) -> None:
        x, values = at(xp, REALS, dtype)
        assert_ulps(xp.sigmoid(x), exact(lambda v: 1 / (1 + mpmath.exp(-v)), values), 4)

    def test_special_values(self, xp: ModuleType) -> None:
        result = np.asarray(xp.sigmoid(xp.asarray(SPECIAL)))
        np.testing.assert_array_equal(result, [np.nan, 1, 0, 0.5, 0.5, 1, 0])


class TestSoftplus:
    @FLOATS
    def test_within_4_ulps(self, xp: ModuleType, dtype: str) -> None:
        x, values = at(xp, REALS, dtype)
        assert_ulps(xp.softplus(x), exact(lambda v: mpmath.log1p(mpmath.exp(v)), values), 4)

    def test_beta_and_threshold(self, xp: ModuleType) -> None:
        x, values = at(xp, [-3.0, 0.0, 0.5, 4.0], "float64")
        expected = exact(lambda v: mpmath.log1p(mpmath.exp(2 * v)) / 2, values)
        assert_ulps(xp.softplus(x, beta=2.0), expected, 8)
        expected[3] = 4.0
        assert_ulps(xp.softplus(x, beta=2.0, threshold=7.0), expected, 8)

    def test_special_values(self, xp: ModuleType) -> None:
        result = np.asarray(xp.softplus(xp.asarray(SPECIAL)))
        expected = [np.nan, np.inf, 0, np.log(2), np.log(2), 1e300, 0]
        np.testing.assert_allclose(result, expected, rtol=1e-15)


class TestRelu:
    @pytest.mark.parametrize("dtype", ["int8", "uint16", "uint64", "int64", "float32", "float64"])
    def test_is_exact_and_keeps_the_dtype(self, xp: ModuleType, dtype: str) -> None:
        values = np.asarray([0, 1, 100, 3] if dtype[0] == "u" else [-3, 0, 5, -1], dtype)
        result = xp.relu(xp.asarray(values))
        assert result.dtype.name == dtype
        np.testing.assert_array_equal(np.asarray(result), np.maximum(values, 0))

    def test_special_values(self, xp: ModuleType) -> None:
        result = np.asarray(xp.relu(xp.asarray(SPECIAL)))
        np.testing.assert_array_equal(result, [np.nan, np.inf, 0, 0, 0, 1e300, 0])


class TestGelu:
    @FLOATS
    def test_within_8_ulps_of_x(self, xp: ModuleType, dtype: str) -> None:
        x, values = at(xp, REALS, dtype)
        expected = exact(lambda v: v * normal_below(v), values)
        assert_ulps(xp.gelu(x), expected, 8, magnitude=values)

    @FLOATS
    def test_tanh_within_8_ulps_of_x(self, xp: ModuleType, dtype: str) -> None:
        def approximation(v: Any) -> Any:
            u = mpmath.sqrt(2 / mpmath.pi) * (v + mpmath.mpf("0.044715") * v**3)
            return v * (1 + mpmath.tanh(u)) / 2

        x, values = at(xp, REALS, dtype)
        result = xp.gelu(x, approximate="tanh")
        assert_ulps(result, exact(approximation, values), 8, magnitude=values)

    def test_the_body_is_within_8_ulps_in_the_tail_too(self) -> None:
        """NumPy has no error function: the contract's body computes the tail itself."""
        xp = namespace_of("numpy")
        x, values = at(xp, np.linspace(-37, 12, 2000), "float64")
        assert_ulps(xp.gelu(x), exact(lambda v: v * normal_below(v), values), 8)

    def test_special_values(self, xp: ModuleType) -> None:
        for word in ("none", "tanh"):
            result = np.asarray(xp.gelu(xp.asarray(SPECIAL), approximate=word))
            np.testing.assert_array_equal(result, [np.nan, np.inf, np.nan, 0, 0, 1e300, 0])

    @pytest.mark.parametrize("values", [[1.0], [1]])
    def test_unknown_approximation(self, xp: ModuleType, values: list[Any]) -> None:
        with pytest.raises(UnifyValueError, match="gelu: argument 'approximate' is 'erf'"):
            xp.gelu(xp.asarray(values), approximate="erf")


class TestSoftmax:
    @FLOATS
    @pytest.mark.parametrize("axis", [0, 1, -1])
    def test_within_4_ulps(self, xp: ModuleType, dtype: str, axis: int) -> None:
        """The ulps are those of the exponent, whose rounding error the exponential multiplies."""
        x, values = at(xp, np.sin(np.arange(60.0)).reshape(3, 4, 5) * 30, dtype)
        wide = values.astype(np.longdouble)
        shifted = wide - wide.max(axis, keepdims=True)
        powers = np.exp(shifted)
        expected = powers / powers.sum(axis, keepdims=True)
        assert_ulps(xp.softmax(x, axis=axis), expected, 4, expected * (1 - shifted))
        logs = shifted - np.log(powers.sum(axis, keepdims=True))
        assert_ulps(xp.log_softmax(x, axis=axis), logs, 4, magnitude=1 - shifted)

    def test_far_apart(self, xp: ModuleType) -> None:
        x = xp.asarray([[1e4, -1e4], [np.inf, 1.0], [-np.inf, 0.0], [-np.inf, -np.inf]])
        expected = [[1, 0], [np.nan, np.nan], [0, 1], [np.nan, np.nan]]
        np.testing.assert_array_equal(np.asarray(xp.softmax(x)), expected)
        logs = np.asarray(xp.log_softmax(x))
        np.testing.assert_array_equal(logs[[0, 2]], [[0, -2e4], [-np.inf, 0]])

    @pytest.mark.parametrize("name", ["softmax", "log_softmax"])
    def test_zero_size_and_bad_axes(self, xp: ModuleType, name: str) -> None:
        function = getattr(xp, name)
        assert function(xp.zeros((2, 0))).shape == (2, 0)
        assert function(xp.zeros((0, 2)), axis=0).shape == (0, 2)
        for bad in (xp.ones(()), xp.ones(2)):
            with pytest.raises(UnifyIndexError, match=f"{name}: argument 'axis'"):
                function(bad, axis=-2 if bad.ndim else -1)


ALL = ["gelu", "log_softmax", "relu", "sigmoid", "softmax", "softplus"]


@pytest.mark.parametrize("name", ALL)
class TestAll:
    def test_out_and_native_arrays(self, xp: ModuleType, name: str) -> None:
        function, x = getattr(xp, name), xp.asarray([[0.5, -1.0], [2.0, 3.0]])
        out = xp.zeros((2, 2))
        assert function(x, out=out) is out
        assert out.tolist() == function(x).tolist() == function(x.data).tolist()

    def test_integers_are_computed_in_the_default_dtype(self, xp: ModuleType, name: str) -> None:
        integers = getattr(xp, name)(xp.asarray([-2, 0, 3]))
        floats = getattr(xp, name)(xp.asarray([-2.0, 0.0, 3.0]))
        assert integers.dtype.name == ("int64" if name == "relu" else "float64")
        np.testing.assert_allclose(np.asarray(integers), np.asarray(floats), rtol=1e-14)

    def test_complex_numbers_are_refused(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(UnifyTypeError, match="complex128"):
            getattr(xp, name)(xp.asarray([1j]))

    def test_empty(self, xp: ModuleType, name: str) -> None:
        assert getattr(xp, name)(xp.zeros((0, 3))).shape == (0, 3)
