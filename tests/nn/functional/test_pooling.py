"""Pooling compared with PyTorch and plain windows, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.functional.differentiating import on_each as on_each
from tests.numbers import generator

GENERATOR = generator(8)
SHAPES = {1: (2, 9, 3), 2: (2, 7, 8, 3), 3: (2, 5, 4, 6, 3)}
counts = pytest.mark.parametrize("count", [1, 2, 3])


def by_torch(name: str, x: Any, *args: Any, **options: Any) -> Any:
    """Pool by PyTorch; channels are the last axis."""
    torch = pytest.importorskip("torch")
    images = torch.from_numpy(np.moveaxis(x, -1, 1).copy())
    found = getattr(torch.nn.functional, name)(images, *args, **options).numpy()
    return np.moveaxis(found, 1, -1)


class TestMaxPool:
    @counts
    @pytest.mark.parametrize(
        "options", [{}, {"strides": 1}, {"padding": 1, "strides": 2}, {"dilations": 2}]
    )
    def test_as_torch(self, xp: ModuleType, count: int, options: dict[str, Any]) -> None:
        x, name = GENERATOR.normal(size=SHAPES[count]), f"max_pool{count}d"
        words = {"strides": "stride", "dilations": "dilation", "padding": "padding"}
        expected = by_torch(name, x, 2, **{words[k]: v for k, v in options.items()})
        found = getattr(xp, name)(xp.asarray(x), 2, **options)
        np.testing.assert_array_equal(np.asarray(found), expected)
        first = getattr(xp, name)(
            xp.asarray(np.moveaxis(x, -1, 1).copy()), 2, data_format="channels_first", **options
        )
        np.testing.assert_array_equal(np.moveaxis(np.asarray(first), 1, -1), expected)

    def test_strides_beyond_the_end(self, xp: ModuleType) -> None:
        """Libraries use 32 bits for them."""
        x = xp.asarray([[[1.0], [3.0], [2.0]]])
        for stride in (4, 2**31, 2**40):
            largest, mean = (f(x, 2, strides=stride) for f in (xp.max_pool1d, xp.avg_pool1d))
            product = xp.conv1d(x, xp.ones((2, 1, 1)), strides=stride)
            found = [np.asarray(part).item() for part in (largest, mean, product)]
            assert found == [3.0, 2.0, 4.0]

    def test_padding_is_never_the_largest(self, xp: ModuleType) -> None:
        x = xp.asarray([[[-3.0], [-2.0], [-1.0]]])
        found = xp.max_pool1d(x, 2, padding="SAME")
        assert np.asarray(found).ravel().tolist() == [-2.0, -1.0]

    def test_nan_and_infinities(self, xp: ModuleType) -> None:
        x = xp.asarray(np.asarray([[1.0, np.nan, 2.0, -np.inf, -np.inf, np.inf]])[..., None])
        found = np.asarray(xp.max_pool1d(x, 2)).ravel()
        np.testing.assert_array_equal(found, [np.nan, 2.0, np.inf])

    def test_integers_stay(self, xp: ModuleType) -> None:
        x = xp.asarray(np.asarray([[-5, -7, 3]], "int8")[..., None])
        found = xp.max_pool1d(x, 2, strides=1, padding=1)
        assert found.dtype is unify.int8
        assert np.asarray(found).ravel().tolist() == [-5, -5, 3, 3]

    def test_mistakes(self, xp: ModuleType) -> None:
        x = xp.ones((1, 4, 4, 1))
        with pytest.raises(UnifyValueError, match="max_pool2d: argument 'padding' is 2, with"):
            xp.max_pool2d(x, 2, padding=2)
        with pytest.raises(UnifyValueError, match=r"max_pool2d: argument 'window' spans \(5, 5\)"):
            xp.max_pool2d(x, 5)
        with pytest.raises(UnifyValueError, match="max_pool1d: argument 'x' has shape"):
            xp.max_pool1d(x, 2)
        with pytest.raises(UnifyTypeError, match="max_pool2d: argument 'x' has data type bool"):
            xp.max_pool2d(xp.astype(x, xp.bool), 2)

    def test_derivative_goes_to_the_largest(self, on_each: ModuleType) -> None:
        x = on_each.asarray([[[1.0], [5.0], [2.0], [3.0]]])
        found = unify.grad(lambda x: unify.sum(unify.max_pool1d(x, 2)))(x)
        assert np.asarray(found).ravel().tolist() == [0.0, 1.0, 0.0, 1.0]


class TestAvgPool:
    @counts
    @pytest.mark.parametrize("counted", [True, False])
    @pytest.mark.parametrize("padding", [0, 1])
    def test_as_torch(self, xp: ModuleType, count: int, padding: int, counted: bool) -> None:
        x, name = GENERATOR.normal(size=SHAPES[count]), f"avg_pool{count}d"
        expected = by_torch(name, x, 3, stride=2, padding=padding, count_include_pad=counted)
        found = getattr(xp, name)(
            xp.asarray(x), 3, strides=2, padding=padding, count_padding=counted
        )
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-13, atol=1e-15)

    def test_same_doesnt_count_what_is_added(self, xp: ModuleType) -> None:
        x = xp.asarray(np.asarray([[1, 2, 6]], "int64")[..., None])
        found = xp.avg_pool1d(x, 2, padding="SAME")
        assert np.asarray(found).ravel().tolist() == [1.5, 6.0]
        found = xp.avg_pool1d(x, 2, padding="SAME", count_padding=True)
        assert np.asarray(found).ravel().tolist() == [1.5, 3.0]

    def test_complex_numbers_are_refused(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="avg_pool1d: argument 'x' has data type complex"):
            xp.avg_pool1d(xp.ones((1, 2, 1), dtype=xp.complex64), 2)
