"""Indices of several axes compared with NumPy's, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.errors import UnifyTypeError, UnifyValueError


class TestUnravelIndex:
    @pytest.mark.parametrize("shape", [7, (24,), (2, 3, 4), (4, 1, 6), ()])
    @pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "int64"])
    def test_as_numpy(self, xp: ModuleType, shape: Any, dtype: str) -> None:
        size = int(np.prod(shape))
        indices = np.asarray(0 if shape == () else np.arange(size)[::-1], dtype)
        result = xp.unravel_index(xp.asarray(indices), shape)
        expected = np.unravel_index(indices.astype(int), shape)
        assert len(result) == len(expected)
        for found, wanted in zip(result, expected, strict=True):
            assert found.dtype == xp.int64
            np.testing.assert_array_equal(np.asarray(found), wanted)

    def test_finds_what_argmax_found(self, xp: ModuleType) -> None:
        x = xp.asarray([[1.0, 5.0, 2.0], [0.0, 9.0, 3.0]])
        row, column = xp.unravel_index(xp.argmax(x), x.shape)
        assert (row.item(), column.item()) == (1, 1)

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="unravel_index: argument 'indices' has data type"):
            xp.unravel_index(xp.ones(2), (2, 2))
        with pytest.raises(UnifyValueError, match="unravel_index: argument 'shape' is"):
            xp.unravel_index(xp.asarray([0]), (2, 0))
