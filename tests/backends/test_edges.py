"""Values and shapes at the edges, where libraries lose a result; compared with NumPy."""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import Any

import numpy as np
import pytest

LONG = 4_099  # elements: enough for the kernels that take several at a time, and some are left


class TestMatrixNorm:
    @pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (2, 0, 3), (0, 2, 3)])
    @pytest.mark.parametrize("order", ["fro", "nuc", 1, -1, 2, -2, inf, -inf])
    @pytest.mark.parametrize("keepdims", [False, True])
    def test_of_nothing(self, xp: ModuleType, shape: Any, order: Any, keepdims: bool) -> None:
        x = xp.zeros(shape)
        try:
            expected = np.linalg.norm(np.zeros(shape), order, (-2, -1), keepdims)
        except ValueError:
            with pytest.raises(ValueError, match="there is nothing to choose"):
                xp.linalg.matrix_norm(x, ord=order, keepdims=keepdims)
        else:
            result = xp.linalg.matrix_norm(x, ord=order, keepdims=keepdims)
            np.testing.assert_array_equal(np.asarray(result), expected, strict=True)

    @pytest.mark.parametrize("order", [inf, -inf])
    def test_no_vectors_have_no_norms(self, xp: ModuleType, order: float) -> None:
        result = xp.linalg.vector_norm(xp.zeros((0, 3)), axis=1, ord=order)
        assert result.shape == (0,)


class TestHyperbolic:
    @pytest.mark.parametrize("name", ["sinh", "cosh"])
    @pytest.mark.parametrize(("dtype", "large"), [("float32", 89.0), ("float64", 710.0)])
    @pytest.mark.parametrize("size", [3, LONG])
    def test_where_the_exponential_overflows(
        self, xp: ModuleType, name: str, dtype: str, large: float, size: int
    ) -> None:
        x = np.resize(np.asarray([large, -large, 1.0, large * 2, -inf, 0.0], dtype), size)
        with np.errstate(over="ignore"):
            result = getattr(xp, name)(xp.asarray(x))
            expected = getattr(np, name)(x.astype(np.longdouble)).astype(dtype)
        np.testing.assert_array_max_ulp(np.asarray(result), expected, maxulp=4)


class TestClip:
    @pytest.mark.parametrize(
        ("dtype", "low", "high"),
        [
            ("uint8", -1, 2), ("uint8", 2, 300), ("uint8", -1, 256), ("uint8", -(2**70), 2**70),
            ("int8", -129, 1), ("int64", 1, 2**63), ("float32", 1e300, None),
            ("float32", None, 1e300), ("float32", -1e300, 1e300), ("float32", 0.0, inf),
            ("float32", 3.4028235e38, None), ("float32", None, 3.40282352e38),
        ],
    )  # fmt: skip
    def test_bounds_that_the_data_type_has_not(
        self, xp: ModuleType, dtype: str, low: Any, high: Any
    ) -> None:
        x = np.asarray([0, 1, 2, 5, 127], dtype)
        # NumPy warns of the bounds that become infinite.
        with np.errstate(over="ignore"):
            result = xp.clip(xp.asarray(x), low, high)
            expected = np.clip(x, low, high)
        np.testing.assert_array_equal(np.asarray(result), expected, strict=True)
