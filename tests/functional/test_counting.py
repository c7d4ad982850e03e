"""Counts and sums by number compared with NumPy's, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.functional.differentiating import DIFFERENTIATING
from tests.numbers import generator

GENERATOR = generator(18)
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


class TestBincount:
    @pytest.mark.parametrize("dtype", INTEGERS)
    def test_as_numpy(self, xp: ModuleType, dtype: str) -> None:
        x = GENERATOR.integers(0, 9, 40)
        weights = GENERATOR.integers(-8, 9, 40) / 4
        array = xp.asarray(x.astype(dtype))
        result = xp.bincount(array)
        assert result.dtype == xp.int64
        np.testing.assert_array_equal(np.asarray(result), np.bincount(x))
        result = xp.bincount(array, weights=xp.asarray(weights), minlength=12)
        np.testing.assert_array_equal(np.asarray(result), np.bincount(x, weights, 12))

    def test_a_length_cuts_off(self, xp: ModuleType) -> None:
        x = xp.asarray([-1, 0, 2, 3, 2, 100])
        assert xp.bincount(x, length=3).tolist() == [1, 0, 2]
        assert xp.bincount(x, length=5, minlength=9).tolist() == [1, 0, 2, 1, 0]
        assert xp.bincount(x, length=0).tolist() == []

    def test_empty_weights_and_out(self, xp: ModuleType) -> None:
        none = xp.zeros(0, dtype=xp.int32)
        assert xp.bincount(none).tolist() == []
        assert xp.bincount(none, minlength=2).tolist() == [0, 0]
        weights = xp.asarray([2, 3], dtype=xp.int8)
        out = xp.zeros(2)
        assert xp.bincount(xp.asarray([1, 1]).data, weights=weights, out=out) is out
        assert out.tolist() == [0, 5]
        assert xp.bincount(xp.asarray([0]), weights=xp.ones(1, dtype=xp.float32)).dtype == (
            xp.float32
        )

    def test_mistakes(self, xp: ModuleType) -> None:
        x = xp.asarray([1, 2])
        with pytest.raises(UnifyTypeError, match="bincount: argument 'x' has data type float64"):
            xp.bincount(xp.ones(2))
        with pytest.raises(UnifyValueError, match="bincount: argument 'x' has 2 axes"):
            xp.bincount(xp.asarray([[1]]))
        with pytest.raises(UnifyValueError, match="bincount: argument 'x' has negative elements"):
            xp.bincount(xp.asarray([1, -1]))
        with pytest.raises(UnifyValueError, match="bincount: argument 'weights' has the shape"):
            xp.bincount(x, weights=xp.ones(3))
        with pytest.raises(UnifyTypeError, match="bincount: argument 'weights'"):
            xp.bincount(x, weights=xp.asarray([1j, 1]))
        for name in ("minlength", "length"):
            with pytest.raises(UnifyValueError, match=f"bincount: argument '{name}' is -1"):
                xp.bincount(x, **{name: -1})


class TestHistogram:
    @pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "uint8"])
    @pytest.mark.parametrize("density", [False, True])
    def test_as_numpy(self, xp: ModuleType, dtype: str, density: bool) -> None:
        x = GENERATOR.integers(0, 65, (5, 8)).astype(dtype)
        x[0, :2] = 0, 64
        for options in ({"bins": 8}, {"bins": 16, "range": (8, 40)}, {"bins": [0, 3, 10, 64]}):
            given: dict[str, Any] = {**options, "density": density}
            found = xp.histogram(xp.asarray(x), **given)
            counts, edges = np.histogram(x, **given)
            np.testing.assert_allclose(
                np.asarray(found.counts), counts, rtol=1e-6 if density else 0
            )
            np.testing.assert_allclose(np.asarray(found.bin_edges), edges, rtol=1e-7)
            assert found.bin_edges.dtype.name == (dtype if dtype[0] == "f" else "float64")
            assert found.counts.dtype.name == ("float64" if density else "int64")

    def test_ten_bins_of_any_numbers(self, xp: ModuleType) -> None:
        x = GENERATOR.normal(size=1000)
        found, (counts, edges) = xp.histogram(xp.asarray(x)), np.histogram(x)
        np.testing.assert_array_equal(np.asarray(found.counts), counts)
        np.testing.assert_allclose(np.asarray(found.bin_edges), edges, rtol=1e-14)
        assert np.asarray(found.bin_edges)[-1] == x.max()

    def test_weights(self, xp: ModuleType) -> None:
        x, weights = np.asarray([0.0, 1, 1, 3, 4]), np.asarray([0.5, 1, 2, 4, 8])
        for dtype in ("float32", "int64", "complex128"):
            found = xp.histogram(xp.asarray(x), bins=4, weights=xp.asarray(weights.astype(dtype)))
            wanted = np.histogram(x, 4, weights=weights.astype(dtype))[0]
            assert found.counts.dtype.name == dtype
            np.testing.assert_array_equal(np.asarray(found.counts), wanted)

    def test_edges_nan_outside_and_one_value(self, xp: ModuleType) -> None:
        x = xp.asarray([np.nan, -1.0, 0.0, 1.0, 2.0, 2.5, np.inf, -np.inf])
        assert xp.histogram(x, bins=2, range=(0, 2)).counts.tolist() == [1, 2]
        found = xp.histogram(xp.asarray([3.0, 3.0]), bins=2)
        assert found.counts.tolist() == [0, 2]
        assert found.bin_edges.tolist() == [2.5, 3.0, 3.5]
        assert xp.histogram(xp.zeros(0), bins=2).bin_edges.tolist() == [0, 0.5, 1]

    def test_mistakes(self, xp: ModuleType) -> None:
        x = xp.ones(3)
        with pytest.raises(UnifyValueError, match="histogram: argument 'bins' is 0"):
            xp.histogram(x, bins=0)
        with pytest.raises(UnifyValueError, match="histogram: argument 'bins' has the shape"):
            xp.histogram(x, bins=xp.ones((2, 2)))
        for limits in ((1, 0), (0, np.inf), (np.nan, 1)):
            with pytest.raises(UnifyValueError, match="histogram: argument 'range' is"):
                xp.histogram(x, range=limits)
        with pytest.raises(UnifyValueError, match="histogram: argument 'weights' has the shape"):
            xp.histogram(x, weights=xp.ones(2))
        with pytest.raises(UnifyTypeError, match="histogram: argument 'weights' has data type b"):
            xp.histogram(x, weights=xp.ones(3, dtype=xp.bool))
        with pytest.raises(UnifyTypeError, match="histogram: argument 'x'"):
            xp.histogram(xp.asarray([1j]))


class TestSegmentSum:
    @pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64", "complex64", "complex128"])
    def test_any_dtype(self, xp: ModuleType, dtype: str) -> None:
        x = GENERATOR.integers(0, 100, (20, 3)).astype(dtype)
        x = x * 1j if dtype[0] == "c" else x
        ids = GENERATOR.integers(-2, 7, 20)
        expected = np.zeros((5, 3), x.dtype)
        for row, place in zip(x, ids, strict=True):
            if 0 <= place < 5:
                expected[place] += row
        result = xp.segment_sum(xp.asarray(x), xp.asarray(ids), 5)
        assert result.dtype.name == x.dtype.name
        np.testing.assert_array_equal(np.asarray(result), expected)

    @pytest.mark.parametrize("dtype", INTEGERS)
    def test_any_numbers(self, xp: ModuleType, dtype: str) -> None:
        largest = np.iinfo(dtype).max
        ids = xp.asarray(np.asarray([0, 2, 0, largest], dtype))
        assert xp.segment_sum(xp.asarray([1.0, 2, 4, 8]), ids, 3).tolist() == [5, 0, 2]

    def test_integers_wrap_around(self, xp: ModuleType) -> None:
        x = xp.asarray([200, 100], dtype=xp.uint8)
        assert xp.segment_sum(x, xp.asarray([0, 0]), 1).tolist() == [44]

    def test_empty_and_out(self, xp: ModuleType) -> None:
        none = xp.zeros(0, dtype=xp.int64)
        assert xp.segment_sum(xp.zeros((0, 2)), none, 2).tolist() == [[0, 0], [0, 0]]
        assert xp.segment_sum(xp.ones(2), xp.asarray([0, 0]), 0).shape == (0,)
        out = xp.zeros(2)
        assert xp.segment_sum(xp.ones(3).data, xp.asarray([1, 1, 0]), 2, out=out) is out
        assert out.tolist() == [1, 2]

    def test_mistakes(self, xp: ModuleType) -> None:
        x, ids = xp.ones(2), xp.asarray([0, 1])
        with pytest.raises(UnifyTypeError, match="segment_sum: argument 'x' has data type bool"):
            xp.segment_sum(xp.asarray([True, False]), ids, 2)
        with pytest.raises(UnifyTypeError, match="'segment_ids' has data type float64"):
            xp.segment_sum(x, x, 2)
        with pytest.raises(UnifyValueError, match="'x' is zero-dimensional"):
            xp.segment_sum(xp.asarray(1.0), ids, 2)
        for wrong in (xp.asarray([0]), xp.asarray([[0, 1]])):
            with pytest.raises(UnifyValueError, match="'segment_ids' has the shape"):
                xp.segment_sum(x, wrong, 2)
        with pytest.raises(UnifyValueError, match="'num_segments' is -1"):
            xp.segment_sum(x, ids, -1)

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_derivative(self, backend: str) -> None:
        xp: Any = namespace_of(backend)
        ids, factor = xp.asarray([1, 0, 1, 5]), xp.asarray([2.0, 3.0])
        found = unify.grad(lambda x: xp.sum(factor * xp.segment_sum(x, ids, 2)))(xp.ones(4))
        assert found.tolist() == [3, 2, 3, 0]
