"""Normalizations compared with their definitions in extended precision, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.functional.differentiating import DIFFERENTIATING
from tests.numbers import generator
from tests.tables import each
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
GENERATOR = generator(6)


def random_array(shape: tuple[int, ...], dtype: str) -> Any:
    return GENERATOR.normal(1.0, 3.0, shape).astype(dtype)


def normalized(x: Any, axes: tuple[int, ...], eps: float) -> Any:
    wide = x.astype("g")
    centred = wide - wide.mean(axes, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axes, keepdims=True) + np.longdouble(eps))


class TestLayerNorm:
    @FLOATS
    @pytest.mark.parametrize("axes", [-1, (1, 2), (2, 1), 0, (0, 2)])
    def test_within_32_ulps_of_one(self, xp: ModuleType, dtype: str, axes: Any) -> None:
        x = random_array((3, 4, 5), dtype)
        tupled = axes if isinstance(axes, tuple) else (axes,)
        result = xp.layer_norm(xp.asarray(x), axes)
        assert result.dtype.name == dtype
        assert_ulps(result, normalized(x, tupled, 1e-5), 32, magnitude=1)

    @FLOATS
    @pytest.mark.parametrize("new_std", [1.0, 2.5])
    def test_scale_and_offset(self, xp: ModuleType, dtype: str, new_std: float) -> None:
        """On torch the first is one native call, the second the body."""
        x, scale, offset = (
            random_array((2, 3, 4), dtype),
            random_array((3, 4), dtype),
            random_array((3, 4), dtype),
        )
        result = xp.layer_norm(
            xp.asarray(x), (1, 2), scale=xp.asarray(scale), offset=xp.asarray(offset),
            eps=1e-3, new_std=new_std,
        )  # fmt: skip
        expected = normalized(x, (1, 2), 1e-3) * new_std * scale.astype("g") + offset.astype("g")
        assert_ulps(result, expected, 64, magnitude=10)

    def test_integers_promote_with_the_scale(self, xp: ModuleType) -> None:
        x, scale = np.array([[1, 3], [-2, 2]], "int8"), np.array([1, 2], "float32")
        result = xp.layer_norm(xp.asarray(x), -1, scale=xp.asarray(scale))
        assert result.dtype == xp.float32
        assert_ulps(result, normalized(x, (1,), 1e-5) * scale, 32, magnitude=2)

    def test_numbers_as_scale_and_offset(self, xp: ModuleType) -> None:
        x = xp.asarray([[1.0, 3.0]])
        result = xp.layer_norm(x, -1, scale=2.0, offset=1.0, eps=0.0)
        assert result.tolist() == [[-1.0, 3.0]]

    def test_broadcast_scale(self, xp: ModuleType) -> None:
        x = xp.asarray([[1.0, 3.0], [5.0, 9.0]])
        result = xp.layer_norm(x, -1, scale=xp.asarray([[1.0], [10.0]]), eps=0.0)
        assert result.tolist() == [[-1.0, 1.0], [-10.0, 10.0]]

    def test_integers_out_and_native_arrays(self, xp: ModuleType) -> None:
        x, out = xp.asarray([[1, 3]]), xp.zeros((1, 2))
        assert xp.layer_norm(x.data, (1,), eps=0.0, out=out) is out
        assert out.tolist() == [[-1.0, 1.0]]

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyIndexError, match="layer_norm: argument 'normalized_idxs'"):
            xp.layer_norm(xp.ones((2, 3)), 2)
        with pytest.raises(UnifyTypeError, match="layer_norm: argument 'x'"):
            xp.layer_norm(xp.asarray([1j]), 0)

    def test_zero_size(self, xp: ModuleType) -> None:
        assert xp.layer_norm(xp.zeros((0, 3)), -1).shape == (0, 3)


class TestClipVectorNorm:
    @pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
    @pytest.mark.parametrize("p", [1, 2.0, 3.5, float("inf")])
    def test_within_16_ulps(self, xp: ModuleType, dtype: str, p: float) -> None:
        x = random_array((3, 4), "float64").astype(dtype)
        wide = x.astype("G" if dtype[0] == "c" else "g")
        norm = np.abs(wide).max() if np.isinf(p) else (np.abs(wide) ** p).sum() ** (1 / p)
        assert_ulps(xp.clip_vector_norm(xp.asarray(x), 2.0, p=p), wide * (2 / norm), 16)

    def test_each_vector_of_an_axis(self, xp: ModuleType) -> None:
        x = xp.asarray([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0]])
        result = xp.clip_vector_norm(x, 2.5, axis=-1)
        assert result.tolist() == [[1.5, 2.0], [0.3, 0.4], [0.0, 0.0]]

    def test_shorter_vectors_stay_exactly(self, xp: ModuleType) -> None:
        x = random_array((5,), "float32")
        np.testing.assert_array_equal(np.asarray(xp.clip_vector_norm(xp.asarray(x), 1e3)), x)

    def test_negative_norm(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="clip_vector_norm: argument 'max_norm' is -1"):
            xp.clip_vector_norm(xp.ones(2), -1)

    def test_integers_zero_dimensional_and_zero_size(self, xp: ModuleType) -> None:
        assert xp.clip_vector_norm(xp.asarray([3, 4]), 2.5).tolist() == [1.5, 2.0]
        assert xp.clip_vector_norm(xp.asarray(-8.0), 2.0).item() == -2.0
        assert xp.clip_vector_norm(xp.zeros((0, 2)), 1.0).shape == (0, 2)


@pytest.mark.parametrize(("name", "order"), [("l1_normalize", 1), ("l2_normalize", 2)])
class TestLengthOne:
    @each("dtype", ["float32", "float64", "complex64", "complex128"])
    @each("axis", [None, 0, -1, (0, 2)])
    def test_within_16_ulps(
        self, xp: ModuleType, name: str, order: int, dtype: str, axis: Any
    ) -> None:
        x = random_array((3, 4, 2), "float64").astype(dtype)
        wide = x.astype("G" if dtype[0] == "c" else "g")
        length = (np.abs(wide) ** order).sum(axis, keepdims=True) ** (np.longdouble(1) / order)
        result = getattr(xp, name)(xp.asarray(x), axis=axis)
        assert result.dtype.name == dtype
        assert_ulps(result, wide / length, 16)

    def test_short_vectors_zeros_and_nan(self, xp: ModuleType, name: str, order: int) -> None:
        x = xp.asarray([[0.0, 0.0], [0.25, 0.0], [np.nan, 1.0], [8.0, 0.0]])
        result = np.asarray(getattr(xp, name)(x, axis=1, eps=0.5))
        np.testing.assert_array_equal(result, [[0, 0], [0.5, 0], [np.nan, np.nan], [1, 0]])

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_slopes_at_zero(self, name: str, order: int, backend: str) -> None:
        xp = namespace_of(backend)
        found = unify.grad(lambda x: xp.sum(getattr(xp, name)(x, eps=0.5)))(xp.zeros(3))
        assert found.tolist() == [2, 2, 2]

    def test_integers_out_and_mistakes(self, xp: ModuleType, name: str, order: int) -> None:
        function, out = getattr(xp, name), xp.zeros(2)
        assert function(xp.asarray([4, 0]).data, out=out) is out
        assert out.tolist() == [1, 0]
        with pytest.raises(UnifyValueError, match=f"{name}: argument 'eps' is 0.0"):
            function(xp.ones(2), eps=0.0)


class TestRmsNorm:
    @FLOATS
    @pytest.mark.parametrize("axes", [-1, (1, 2), (2, 1), 0, (0, 2)])
    def test_within_32_ulps(self, xp: ModuleType, dtype: str, axes: Any) -> None:
        x = random_array((3, 4, 5), dtype)
        wide = x.astype("g")
        expected = wide / np.sqrt((wide**2).mean(axes, keepdims=True) + np.longdouble(1e-5))
        result = xp.rms_norm(xp.asarray(x), axes)
        assert result.dtype.name == dtype
        assert_ulps(result, expected, 32)

    def test_scales(self, xp: ModuleType) -> None:
        """On PyTorch the first is one native call, the others the body."""
        x = xp.asarray([[3.0, 3.0]])
        for scale in (xp.asarray([1.0, 2.0]), xp.asarray([[1.0, 2.0]])):
            assert xp.rms_norm(x, -1, scale=scale, eps=0.0).tolist() == [[1, 2]]
        assert xp.rms_norm(x, -1, scale=2.0, eps=16.0)[0, 0].item() == pytest.approx(1.2, rel=1e-15)

    def test_integers_out_zero_size_and_mistakes(self, xp: ModuleType) -> None:
        x, out = xp.asarray([[4, 0], [0, 0]]), xp.zeros((2, 2))
        assert xp.rms_norm(x.data, -1, eps=2.0**-20, out=out) is out
        np.testing.assert_allclose(np.asarray(out), [[2**0.5, 0], [0, 0]], rtol=1e-6)
        assert xp.rms_norm(xp.zeros((0, 3)), -1).shape == (0, 3)
        with pytest.raises(UnifyIndexError, match="rms_norm: argument 'normalized_idxs'"):
            xp.rms_norm(xp.ones((2, 3)), 2)
        with pytest.raises(UnifyTypeError, match="rms_norm: argument 'x'"):
            xp.rms_norm(xp.asarray([1j]), 0)
