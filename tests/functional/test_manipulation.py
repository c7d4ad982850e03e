"""`stack`, `pad` and `split` compared with NumPy's, and errors of `repeat`, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify import dtypes
from arrayapi_unify.errors import UnifyIndexError, UnifyValueError
from tests.tables import each

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
WIDTHS = [
    ((3,), 2), ((3,), (1, 4)), ((3,), [[0, 7]]), ((1,), 3), ((2, 3), ((1, 2), (0, 5))),
    ((2, 3), 9), ((2, 1, 3), ((0, 0), (2, 2), (8, 1))), ((2, 3), 0), ((2, 3), ((1, 2),)),
]  # fmt: skip


class TestStack:
    """B17: stack."""

    @pytest.mark.parametrize("axis", [0, 1, -1])
    @pytest.mark.parametrize("sequence", [list, tuple])
    def test_equals_numpys(self, xp: ModuleType, sequence: Any, axis: int) -> None:
        parts = [np.arange(6.0).reshape(2, 3), np.ones((2, 3)), np.full((2, 3), -2.5)]
        arrays = sequence(xp.asarray(part) for part in parts)
        wanted = np.stack(parts, axis=axis)
        np.testing.assert_array_equal(np.asarray(xp.stack(arrays, axis=axis)), wanted)
        out = xp.zeros(wanted.shape)
        assert xp.stack(arrays, axis=axis, out=out) is out
        np.testing.assert_array_equal(np.asarray(out), wanted)


class TestPad:
    @each("mode", MODES)
    @each("shape, width", WIDTHS)
    def test_equals_numpys(self, xp: ModuleType, mode: Any, shape: Any, width: Any) -> None:
        x = np.arange(np.prod(shape)).reshape(shape)
        result = xp.pad(xp.asarray(x), width, mode=mode)
        np.testing.assert_array_equal(np.asarray(result), np.pad(x, width, mode=mode))

    @pytest.mark.parametrize("dtype", [d.name for d in dtypes.ALL])
    @pytest.mark.parametrize("mode", ["constant", "reflect"])
    def test_every_dtype(self, xp: ModuleType, dtype: str, mode: Any) -> None:
        x = np.asarray([0, 1, 1]).astype(dtype)
        result = np.asarray(xp.pad(xp.asarray(x), (2, 1), mode=mode))
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(result, np.pad(x, (2, 1), mode=mode))

    @pytest.mark.parametrize("values", [5, (1, 2), ((1, 2), (3, 4))])
    def test_constants(self, xp: ModuleType, values: Any) -> None:
        x = np.zeros((1, 2))
        result = xp.pad(xp.asarray(x), 1, constant_values=values)
        np.testing.assert_array_equal(np.asarray(result), np.pad(x, 1, constant_values=values))

    def test_zero_size_zero_dimensions_and_out(self, xp: ModuleType) -> None:
        assert xp.pad(xp.zeros((0, 2)), ((1, 1), (0, 0))).shape == (2, 2)
        assert xp.pad(xp.zeros((0, 2)), ((0, 0), (1, 0)), mode="edge").shape == (0, 3)
        assert xp.pad(xp.asarray(3.0), 2).item() == 3.0
        out = xp.zeros(3)
        assert xp.pad(xp.ones(1).data, 1, out=out) is out
        assert out.tolist() == [0.0, 1.0, 0.0]

    def test_is_a_value_of_its_own(self, xp: ModuleType) -> None:
        x = xp.asarray([1, 2])
        result = xp.pad(x, 0)
        result[0] = 9
        assert x.tolist() == [1, 2]

    @pytest.mark.parametrize(
        ("width", "options", "named"),
        [
            (-1, {}, "pad_width"), ((1, 2, 3), {}, "pad_width"),
            (((1, 1), (1, 1), (1, 1)), {}, "pad_width"), (1, {"mode": "mirror"}, "mode"),
            (1, {"constant_values": (1, 2, 3)}, "constant_values"),
        ],
    )  # fmt: skip
    def test_mistakes(self, xp: ModuleType, width: Any, options: Any, named: str) -> None:
        with pytest.raises(UnifyValueError, match=f"pad: argument '{named}'"):
            xp.pad(xp.ones((2, 2)), width, **options)

    @pytest.mark.parametrize("mode", MODES[1:])
    def test_nothing_to_repeat(self, xp: ModuleType, mode: Any) -> None:
        with pytest.raises(UnifyValueError, match="pad: argument 'x' has no element"):
            xp.pad(xp.zeros(0), 1, mode=mode)


class TestSplit:
    @pytest.mark.parametrize(("parts", "axis"), [(2, 0), (3, 1), ([1, 3], 0), ([2, 0, 1], -1)])
    def test_equals_numpys(self, xp: ModuleType, parts: Any, axis: int) -> None:
        x = np.arange(12).reshape(4, 3)
        places = parts if isinstance(parts, int) else np.cumsum(parts)[:-1]
        result = xp.split(xp.asarray(x), num_or_size_splits=parts, axis=axis)
        expected = np.split(x, places, axis=axis)
        assert isinstance(result, tuple)
        for part, wanted in zip(result, expected, strict=True):
            np.testing.assert_array_equal(np.asarray(part), wanted)

    def test_into_single_elements(self, xp: ModuleType) -> None:
        assert [p.tolist() for p in xp.split(xp.asarray([1, 2]).data)] == [[1], [2]]

    @pytest.mark.parametrize("parts", [0, 3, [1, 2], [5, -1]])
    def test_mistakes(self, xp: ModuleType, parts: Any) -> None:
        with pytest.raises(UnifyValueError, match="split: argument 'num_or_size_splits'"):
            xp.split(xp.ones(4), num_or_size_splits=parts)
        with pytest.raises(UnifyIndexError, match="split: argument 'axis'"):
            xp.split(xp.ones(4), axis=1)


class TestRepeat:
    @pytest.mark.parametrize("shape", [(2,), (0,), (0, 2), (2, 0)])
    def test_negative_counts_are_refused_also_of_nothing(
        self, xp: ModuleType, shape: tuple[int, ...]
    ) -> None:
        x = xp.zeros(shape)
        for repeats in (-1, xp.asarray(-1), xp.asarray([-1])):
            with pytest.raises(UnifyValueError, match="repeat"):
                xp.repeat(x, repeats, axis=0)
