"""The functions that ignore NaN compared with NumPy's, on every backend."""

from __future__ import annotations

import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyValueError
from tests.numbers import generator
from tests.tables import each
from tests.ulps import assert_ulps

AXES = pytest.mark.parametrize("axis", [None, 0, -1, (0, 2)])
DTYPES = pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
GENERATOR = generator(9)
REDUCTIONS = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanstd", "nanvar"]


def random_array(dtype: str) -> Any:
    """Draw numbers with some NaN, for complex numbers in either component."""
    x = GENERATOR.uniform(0.5, 2, (3, 4, 5)).astype(dtype)
    if dtype[0] == "c":
        x = x + 1j * GENERATOR.uniform(-1, 1, x.shape).astype(x.real.dtype)
        x[0, 0, 0] = complex(np.nan, 1)
        x[1, 1, 1] = complex(1, np.nan)
    x[GENERATOR.uniform(size=x.shape) < 0.2] = np.nan
    return x


class TestReductions:
    @AXES
    @DTYPES
    @each("name", REDUCTIONS)
    def test_within_16_ulps(self, xp: ModuleType, name: str, dtype: str, axis: Any) -> None:
        x = random_array(dtype)
        result = getattr(xp, name)(xp.asarray(x), axis=axis, keepdims=True)
        wide = x.astype("G" if dtype[0] == "c" else "g")
        with warnings.catch_warnings(action="ignore"):  # NumPy's about slices with only NaN
            expected = getattr(np, name)(wide, axis=axis, keepdims=True)
        # Sums and means of complex numbers may cancel.
        total = np.nansum(np.abs(wide), axis=axis, keepdims=True) if dtype[0] == "c" else None
        if name == "nanprod":
            total = None
        assert_ulps(result, expected, 16, magnitude=total)

    @pytest.mark.parametrize("name", REDUCTIONS)
    @pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "int64"])
    def test_integers_are_reduced_as_usual(self, xp: ModuleType, name: str, dtype: str) -> None:
        x = xp.asarray(np.asarray([[1, 0, 1], [0, 1, 1]], dtype))
        usual = getattr(xp, name.removeprefix("nan"))(x, axis=1)
        result = getattr(xp, name)(x, axis=1)
        assert result.dtype is usual.dtype
        np.testing.assert_allclose(np.asarray(result), np.asarray(usual), rtol=1e-15)

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("nansum", 0), ("nanprod", 1), ("nanmax", np.nan), ("nanmin", np.nan),
            ("nanmean", np.nan), ("nanstd", np.nan), ("nanvar", np.nan),
        ],
    )  # fmt: skip
    def test_nothing_but_nan(self, xp: ModuleType, name: str, expected: float) -> None:
        x = xp.asarray([[np.nan, np.nan], [1.0, 1.0]])
        np.testing.assert_array_equal(np.asarray(getattr(xp, name)(x, axis=1))[0], expected)
        np.testing.assert_array_equal(np.asarray(getattr(xp, name)(x[0, :])), expected)

    @pytest.mark.parametrize("name", REDUCTIONS)
    def test_infinities_stay(self, xp: ModuleType, name: str) -> None:
        values = np.asarray([1.0, np.nan, np.inf, 3.0])
        with np.errstate(invalid="ignore"):
            expected = getattr(np, name)(values)
        np.testing.assert_array_equal(np.asarray(getattr(xp, name)(xp.asarray(values))), expected)

    @pytest.mark.parametrize("correction", [0, 1, 1.5, 3, 4])
    def test_correction(self, xp: ModuleType, correction: float) -> None:
        x = xp.asarray([1.0, np.nan, 4.0, 9.0])
        squares = np.asarray([1.0, 4, 9]).var() * 3
        variance = squares / (3 - correction) if correction < 3 else np.nan
        result = xp.nanvar(x, correction=correction)
        np.testing.assert_allclose(np.asarray(result), variance, rtol=1e-15)
        result = xp.nanstd(x, correction=correction)
        np.testing.assert_allclose(np.asarray(result), variance**0.5, rtol=1e-15)

    @pytest.mark.parametrize("name", ["nansum", "nanprod"])
    def test_dtype(self, xp: ModuleType, name: str) -> None:
        result = getattr(xp, name)(xp.asarray([1.5, np.nan, 2], dtype=xp.float32), dtype=xp.float64)
        assert result.dtype is unify.float64
        assert result.item() == (3.5 if name == "nansum" else 3.0)

    @pytest.mark.parametrize("name", REDUCTIONS)
    def test_out_native_arrays_and_zero_dimensions(self, xp: ModuleType, name: str) -> None:
        out = xp.zeros(2)
        function = getattr(xp, name)
        assert function(xp.asarray([[2.0, np.nan], [np.nan, 5.0]]).data, axis=1, out=out) is out
        assert out.tolist() == ([0, 0] if name in ("nanstd", "nanvar") else [2, 5])
        assert function(xp.asarray(2.0)).item() == (0 if name in ("nanstd", "nanvar") else 2)

    @pytest.mark.parametrize("name", ["nanmax", "nanmin"])
    def test_nothing_to_choose_from(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(UnifyValueError):
            getattr(xp, name)(xp.zeros((0, 2)), axis=0)


class TestNanToNum:
    @pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
    @pytest.mark.parametrize("options", [{}, {"nan": 7.0, "posinf": 8.0, "neginf": -9.0}])
    def test_equals_numpys(self, xp: ModuleType, dtype: str, options: dict[str, float]) -> None:
        values = np.asarray([1, -0.0, np.nan, np.inf, -np.inf, 1e30], dtype)
        if dtype[0] == "c":
            values.imag = [np.nan, 2, np.inf, 3, -np.inf, -1]
        result = np.asarray(xp.nan_to_num(xp.asarray(values), **options))
        assert result.dtype == values.dtype
        np.testing.assert_array_equal(result, np.nan_to_num(values, **options))
        assert np.signbit(result[1].real)

    @pytest.mark.parametrize("dtype", ["bool", "int8", "uint64"])
    def test_others_stay(self, xp: ModuleType, dtype: str) -> None:
        x = xp.asarray([0, 1, 1]).astype(dtype)
        result = xp.nan_to_num(x)
        assert (result.dtype, result.tolist()) == (x.dtype, x.tolist())

    def test_is_a_value_of_its_own(self, xp: ModuleType) -> None:
        x = xp.asarray([1, 2])
        result = xp.nan_to_num(x)
        result[0] = 9
        assert x.tolist() == [1, 2]

    def test_out_and_shapes(self, xp: ModuleType) -> None:
        out = xp.ones(())
        assert xp.nan_to_num(xp.asarray(np.nan), out=out) is out
        assert out.item() == 0
        assert xp.nan_to_num(xp.zeros((0, 2))).shape == (0, 2)
