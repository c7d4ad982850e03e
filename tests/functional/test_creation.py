"""`logspace` and `one_hot`, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.tables import each
from tests.ulps import assert_ulps


class TestLogspace:
    def test_documented_numbers(self, xp: ModuleType) -> None:
        """B18: logspace."""
        np.testing.assert_allclose(np.asarray(xp.logspace(0, 2, 3)), [1, 10, 100], rtol=1e-15)
        result = xp.logspace(0, 3, 4, base=2)
        np.testing.assert_allclose(np.asarray(result), [1, 2, 4, 8], rtol=1e-15)
        assert xp.logspace(0, 2, 3).dtype is unify.float64

    @each("endpoint", [True, False])
    @each("num", [0, 1, 2, 7, 50])
    @each("base", [10.0, 2.0, 0.5])
    def test_within_16_ulps(self, xp: ModuleType, num: int, base: float, endpoint: bool) -> None:
        result = xp.logspace(-3.0, 4.0, num, base=base, endpoint=endpoint)
        exponents = np.linspace(np.longdouble(-3), np.longdouble(4), num, endpoint=endpoint)
        assert_ulps(result, np.longdouble(base) ** exponents, 16)

    @pytest.mark.parametrize("axis", [0, 1, -1])
    def test_arrays_as_ends(self, xp: ModuleType, axis: int) -> None:
        """B18: logspace."""
        start, stop = np.asarray([0.0, 1.0, 2.0]), np.asarray([[1.0], [3.0]])
        expected = np.logspace(*np.broadcast_arrays(start, stop), 5, axis=axis)
        result = xp.logspace(xp.asarray(start), xp.asarray(stop), 5, axis=axis)
        assert_ulps(result, expected, 16)

    def test_array_as_base_and_mixed_ends(self, xp: ModuleType) -> None:
        result = xp.logspace(0, xp.asarray([1.0, 2.0]), 3, xp.asarray([2.0, 3.0]), 1)
        expected = [[1, 2**0.5, 2], [1, 3, 9]]
        np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-14)

    def test_dtype_and_device(self, xp: ModuleType) -> None:
        assert xp.logspace(0, 2, 3, dtype=xp.float32, device="cpu").dtype is unify.float32
        result = xp.logspace(0.1, 2.1, 3, dtype="int64")
        assert (result.dtype, result.tolist()) == (unify.int64, [1, 12, 125])
        start = xp.asarray(0.0, dtype=xp.float32)
        assert xp.logspace(start, start + 1, 3).dtype is unify.float32

    def test_out_top_level_and_default_dtype(self, xp: ModuleType) -> None:
        out = xp.zeros(2)
        assert xp.logspace(0, 1, 2, out=out) is out
        np.testing.assert_allclose(np.asarray(out), [1, 10])
        with unify.use_backend(out.backend), unify.default_dtype(unify.float32):
            made = unify.logspace(0, 1, 2)
        assert (made.backend, made.dtype) == (out.backend, unify.float32)

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="logspace: argument 'num' is -1"):
            xp.logspace(0, 1, -1)
        with pytest.raises(UnifyIndexError, match="logspace: argument 'axis'"):
            xp.logspace(0, 1, 2, 10.0, 1)


class TestEye:
    @pytest.mark.parametrize("k", [1.5, True, "a"])
    @pytest.mark.parametrize("size", [0, 3])
    def test_diagonals_are_integers(self, xp: ModuleType, size: int, k: Any) -> None:
        """Also where there is no element."""
        with pytest.raises(UnifyTypeError, match="'k'"):
            xp.eye(size, k=k)


class TestOneHot:
    @pytest.mark.parametrize("dtype", ["int8", "uint16", "uint64", "int64"])
    @pytest.mark.parametrize("axis", [-1, 0, 1, -2])
    def test_equals_the_definition(self, xp: ModuleType, dtype: str, axis: int) -> None:
        indices = np.asarray([[0, 2, 1], [3, 0, 9]], dtype)
        expected = np.moveaxis((indices[..., None] == np.arange(4)).astype("f8"), -1, axis)
        result = xp.one_hot(xp.asarray(indices), 4, axis=axis)
        assert result.dtype is unify.float64
        np.testing.assert_array_equal(np.asarray(result), expected)

    def test_values_and_dtypes(self, xp: ModuleType) -> None:
        indices = xp.asarray([1, -1])
        result = xp.one_hot(indices, 2, on_value=5, off_value=-1, dtype=xp.int8)
        assert (result.dtype, result.tolist()) == (unify.int8, [[-1, 5], [-1, -1]])
        assert xp.one_hot(indices, 2, dtype="bool").tolist() == [[False, True], [False, False]]
        assert xp.one_hot(indices, 1, on_value=2j, dtype=xp.complex64).dtype is unify.complex64

    def test_shapes_out_and_device(self, xp: ModuleType) -> None:
        assert xp.one_hot(xp.asarray(1), 3, device="cpu").tolist() == [0.0, 1.0, 0.0]
        assert xp.one_hot(xp.zeros((0, 2), dtype=xp.int64), 3).shape == (0, 2, 3)
        assert xp.one_hot(xp.asarray([1]), 0).shape == (1, 0)
        out = xp.zeros((1, 2))
        assert xp.one_hot(xp.asarray([1]).data, 2, out=out) is out
        assert out.tolist() == [[0.0, 1.0]]

    @pytest.mark.parametrize(
        ("values", "depth", "axis", "error"),
        [([1.5], 2, -1, UnifyTypeError), ([1], -1, -1, UnifyValueError), ([1], 2, 2, IndexError)],
    )
    def test_mistakes(
        self, xp: ModuleType, values: Any, depth: int, axis: int, error: type[Exception]
    ) -> None:
        with pytest.raises(error, match="one_hot: argument"):
            xp.one_hot(xp.asarray(values), depth, axis=axis)
