"""Values and shapes at the edges, where libraries lose a result; compared with NumPy."""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import Any

import numpy as np
import pytest


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
