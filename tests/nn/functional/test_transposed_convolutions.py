"""Transposed convolutions compared with PyTorch, and with derivatives of convolutions."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.functional.differentiating import on_each as on_each
from tests.nn.functional.test_convolutions import by_torch, random_array


class TestConv1dTranspose:
    def test_each_element_is_spread(self, xp: ModuleType) -> None:
        x, filters = xp.asarray([[[1.0], [2.0]]]), xp.asarray([[[1.0]], [[10.0]], [[100.0]]])
        found = xp.conv1d_transpose(x, filters)
        assert np.asarray(found).ravel().tolist() == [1.0, 12.0, 120.0, 200.0]

    def test_output_padding_beyond_the_windows_is_zero(self, xp: ModuleType) -> None:
        x, filters = xp.ones((1, 2, 1)), xp.ones((1, 1, 1))
        found = xp.conv1d_transpose(x, filters, strides=2, output_padding=3, bias=xp.ones(1))
        assert np.asarray(found).ravel().tolist() == [2.0, 1.0, 2.0, 1.0, 1.0, 1.0]

    def test_windows_smaller_than_the_steps(self, xp: ModuleType) -> None:
        x, filters = xp.ones((1, 2, 1)), xp.ones((1, 1, 1))
        found = xp.conv1d_transpose(x, filters, strides=3, padding="SAME")
        assert np.asarray(found).ravel().tolist() == [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]


class TestConv2dTranspose:
    @pytest.mark.parametrize(
        ("padding", "stride", "more", "dilation", "groups"),
        [(0, 1, 0, 1, 1), (1, 2, 1, 1, 2), ((1, 0), (2, 3), (0, 2), (2, 1), 1), (1, 2, 1, 2, 4)],
    )
    def test_as_torch(
        self, xp: ModuleType, padding: Any, stride: Any, more: Any, dilation: Any, groups: int
    ) -> None:
        x, filters, bias = (
            random_array(2, 4, 5, 4),
            random_array(3, 2, 4, 8 // groups),
            random_array(8),
        )
        expected = by_torch(
            x, filters, True, padding=padding, stride=stride, output_padding=more,
            dilation=dilation, groups=groups,
        )  # fmt: skip
        found = xp.conv2d_transpose(
            xp.asarray(x), xp.asarray(filters), bias=xp.asarray(bias), padding=padding,
            strides=stride, output_padding=more, dilations=dilation, groups=groups,
        )  # fmt: skip
        np.testing.assert_allclose(np.asarray(found), expected + bias, rtol=1e-12, atol=1e-12)

    @pytest.mark.parametrize("padding", ["SAME", "VALID", [(1, 0), (0, 2)]])
    @pytest.mark.parametrize("strides", [1, 2])
    def test_is_the_derivative_of_a_convolution(
        self, on_each: ModuleType, padding: Any, strides: int
    ) -> None:
        xp = on_each
        images, filters = xp.asarray(random_array(2, 6, 8, 3)), xp.asarray(random_array(2, 2, 3, 4))

        def convolve(images: Any) -> Any:
            return xp.conv2d(images, filters, padding=padding, strides=strides)

        result, pull = unify.vjp(convolve, images)
        weights = xp.asarray(random_array(*result.shape))
        (expected,) = pull(weights)
        found = xp.conv2d_transpose(
            weights, xp.matrix_transpose(filters), padding=padding, strides=strides
        )
        height, width = found.shape[1:3]
        np.testing.assert_allclose(
            np.asarray(found), np.asarray(expected)[:, :height, :width], rtol=1e-12, atol=1e-13
        )

    def test_what_does_not_fit(self, xp: ModuleType) -> None:
        x, filters = xp.ones((1, 2, 2, 1)), xp.ones((2, 2, 1, 1))
        with pytest.raises(
            UnifyValueError, match="conv2d_transpose: argument 'padding' is 2, which"
        ):
            xp.conv2d_transpose(x, filters, padding=2)
        with pytest.raises(UnifyValueError, match="conv2d_transpose: argument 'output_padding'"):
            xp.conv2d_transpose(x, filters, output_padding=-1)
        with pytest.raises(UnifyValueError, match="conv2d_transpose: argument 'filters' has shape"):
            xp.conv2d_transpose(x, xp.ones((2, 2, 3, 1)))
        with pytest.raises(UnifyTypeError, match="conv2d_transpose: argument 'x' has data type"):
            xp.conv2d_transpose(xp.astype(x, xp.complex64), filters)


class TestConv3dTranspose:
    def test_as_torch(self, xp: ModuleType) -> None:
        x, filters = random_array(2, 2, 3, 3, 2), random_array(2, 3, 2, 2, 3)
        found = xp.conv3d_transpose(
            xp.asarray(x), xp.asarray(filters), strides=(1, 2, 1), padding=(1, 0, 1),
            dilations=(2, 1, 1),
        )  # fmt: skip
        options = {"padding": (1, 0, 1), "stride": (1, 2, 1), "dilation": (2, 1, 1)}
        np.testing.assert_allclose(
            np.asarray(found), by_torch(x, filters, True, **options), rtol=1e-12, atol=1e-12
        )

    @pytest.mark.parametrize("backwards", [False, True])
    def test_steps_longer_than_the_window(self, on_each: ModuleType, backwards: bool) -> None:
        """Each element is placed separately; its derivative is the value there."""
        xp, factor = on_each, 2.5
        x, upstream = random_array(1, 2, 3, 2, 1), random_array(1, 6, 3, 6, 1)
        filters = xp.full((1, 1, 1, 1, 1), factor, dtype=xp.float64)

        def ours(x: Any) -> Any:
            return xp.conv3d_transpose(x, filters, strides=(3, 1, 3), padding="SAME")

        expected = np.zeros_like(upstream)
        expected[:, ::3, :, ::3] = factor * x
        if backwards:
            expected = factor * upstream[:, ::3, :, ::3]
            weights = xp.asarray(upstream)
            found = unify.grad(lambda x: xp.sum(ours(x) * weights))(xp.asarray(x))
        else:
            found = ours(xp.asarray(x))
        np.testing.assert_array_equal(np.asarray(found), expected)
