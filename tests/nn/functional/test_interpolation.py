"""Resizing compared with PyTorch, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.nn.functional.test_pooling import GENERATOR, by_torch
from tests.tables import each

# PyTorch's names of the modes, by the number of spatial axes; it has one cubic mode.
MODES = {
    "nearest": {1: "nearest", 2: "nearest", 3: "nearest"},
    "linear": {1: "linear", 2: "bilinear", 3: "trilinear"},
    "cubic": {2: "bicubic"},
}
SHAPES = {1: (2, 5, 3), 2: (2, 5, 4, 3), 3: (2, 3, 4, 5, 2)}


class TestInterpolate:
    @pytest.mark.slow_on("dask")
    @each("size", [1, 3, 4, 7, 10])
    @each("mode, count", [(mode, count) for mode, names in MODES.items() for count in names])
    def test_as_torch(self, xp: ModuleType, mode: Any, count: int, size: int) -> None:
        x = GENERATOR.normal(size=SHAPES[count])
        options = {} if mode == "nearest" else {"align_corners": False}
        expected = by_torch("interpolate", x, size, mode=MODES[mode][count], **options)
        found = xp.interpolate(xp.asarray(x), size, mode=mode)
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12, atol=1e-13)
        first = xp.interpolate(
            xp.asarray(np.moveaxis(x, -1, 1).copy()), size, mode=mode, data_format="channels_first"
        )
        np.testing.assert_array_equal(np.moveaxis(np.asarray(first), 1, -1), np.asarray(found))

    def test_the_same_size_is_a_copy(self, xp: ModuleType) -> None:
        x = xp.ones((1, 2, 1))
        found = xp.interpolate(x, 2)
        found[0, 0, 0] = 5.0
        assert x.tolist() == [[[1.0], [1.0]]]

    def test_mistakes(self, xp: ModuleType) -> None:
        x = xp.ones((1, 2, 1))
        with pytest.raises(UnifyValueError, match="interpolate: argument 'mode' is 'area'"):
            xp.interpolate(x, 2, mode="area")
        with pytest.raises(UnifyValueError, match="interpolate: argument 'size' is 0"):
            xp.interpolate(x, 0)
        with pytest.raises(UnifyValueError, match="interpolate: argument 'x' has shape"):
            xp.interpolate(xp.ones((2, 2)), 2)
        with pytest.raises(UnifyTypeError, match="interpolate: argument 'x' has data type complex"):
            xp.interpolate(xp.ones((1, 2, 1), dtype=xp.complex64), 2)
