"""Adaptive pooling compared with PyTorch, on every backend."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.nn.functional.test_pooling import GENERATOR, SHAPES, by_torch, counts


class TestAdaptiveAvgPool:
    @counts
    @pytest.mark.parametrize("size", [1, 2, 3, 5, 11])
    def test_as_torch(self, xp: ModuleType, count: int, size: int) -> None:
        x, name = GENERATOR.normal(size=SHAPES[count]), f"adaptive_avg_pool{count}d"
        found = getattr(xp, name)(xp.asarray(x), size)
        expected = by_torch(name, x, size)
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12, atol=1e-15)

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(
            UnifyValueError, match="adaptive_avg_pool2d: argument 'output_size' is 0"
        ):
            xp.adaptive_avg_pool2d(xp.ones((1, 4, 4, 1)), 0)
        with pytest.raises(UnifyValueError, match="adaptive_avg_pool2d: argument 'x' has shape"):
            xp.adaptive_avg_pool2d(xp.ones((1, 4, 1)), 2)


class TestAdaptiveMaxPool:
    @counts
    @pytest.mark.parametrize("size", [1, 2, 3, 5, 11])
    def test_as_torch(self, xp: ModuleType, count: int, size: int) -> None:
        x, name = GENERATOR.normal(size=SHAPES[count]), f"adaptive_max_pool{count}d"
        found = getattr(xp, name)(xp.asarray(x), size)
        np.testing.assert_array_equal(np.asarray(found), by_torch(name, x, size))

    def test_sizes_of_each_axis_and_channels_first(self, xp: ModuleType) -> None:
        x = GENERATOR.normal(size=SHAPES[2])
        found = xp.adaptive_max_pool2d(
            xp.asarray(np.moveaxis(x, -1, 1).copy()), (2, 3), data_format="channels_first"
        )
        expected = by_torch("adaptive_max_pool2d", x, (2, 3))
        np.testing.assert_array_equal(np.moveaxis(np.asarray(found), 1, -1), expected)

    def test_complex_numbers_are_refused(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="adaptive_max_pool1d: argument 'x' has data type"):
            xp.adaptive_max_pool1d(xp.ones((1, 2, 1), dtype=xp.complex64), 2)
