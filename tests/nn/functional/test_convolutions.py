"""Convolutions compared with PyTorch, SciPy and sums over windows, on every backend.

The differential tests compare drawn calls with sums over windows; here are named cases, and other
libraries' results.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.signal

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.functional.differentiating import on_each as on_each
from tests.numbers import generator
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
GENERATOR = generator(21)


def random_array(*shape: int, dtype: str = "float64") -> Any:
    return GENERATOR.normal(size=shape).astype(dtype)


def by_torch(x: Any, filters: Any, transposed: bool = False, **options: Any) -> Any:
    """Convolve by PyTorch, in double precision; channels are the last axis."""
    torch = pytest.importorskip("torch")
    count = x.ndim - 2
    ends = (count, count + 1) if transposed else (count + 1, count)
    images = torch.from_numpy(np.moveaxis(x, -1, 1).astype("float64"))
    weight = torch.from_numpy(filters.transpose(*ends, *range(count)).astype("float64"))
    name = f"conv_transpose{count}d" if transposed else f"conv{count}d"
    found = getattr(torch.nn.functional, name)(images, weight, **options).numpy()
    return np.moveaxis(found, 1, -1)


class TestConv1d:
    @FLOATS
    def test_one_channel_is_a_correlation(self, xp: ModuleType, dtype: str) -> None:
        x, kernel = random_array(9, dtype=dtype), random_array(4, dtype=dtype)
        found = xp.conv1d(xp.asarray(x[None, :, None]), xp.asarray(kernel[:, None, None]))
        wide = [v.astype("float64") for v in (x, kernel)]
        expected = scipy.signal.correlate(*wide, "valid")
        assert_ulps(found, expected[None, :, None], 8, magnitude=8)

    def test_same_is_numpys_same(self, xp: ModuleType) -> None:
        """With an odd number of zeros the end gets one more."""
        x, kernel = random_array(6), random_array(2)
        found = xp.conv1d(
            xp.asarray(x[None, :, None]), xp.asarray(kernel[:, None, None]), padding="SAME"
        )
        expected = scipy.signal.correlate(np.append(x, 0), kernel, "valid")
        np.testing.assert_allclose(np.asarray(found).ravel(), expected, rtol=1e-14)


class TestConv2d:
    @FLOATS
    def test_as_scipy(self, xp: ModuleType, dtype: str) -> None:
        x, filters = random_array(2, 6, 7, 3, dtype=dtype), random_array(3, 2, 3, 4, dtype=dtype)
        found = xp.conv2d(xp.asarray(x), xp.asarray(filters))
        assert str(found.dtype) == dtype
        for image in range(2):
            for given in range(4):
                expected = sum(
                    scipy.signal.correlate(*(v.astype("float64") for v in pair), "valid")
                    for pair in zip(
                        np.moveaxis(x[image], -1, 0),
                        np.moveaxis(filters[..., given], -1, 0),
                        strict=True,
                    )
                )
                assert_ulps(np.asarray(found)[image, ..., given], expected, 16, magnitude=8)

    @pytest.mark.parametrize(
        ("padding", "stride", "dilation", "groups"),
        [(0, 1, 1, 1), (1, 2, 1, 2), ((2, 1), (1, 3), (2, 1), 1), (1, 1, 2, 4), (2, 2, 2, 4)],
    )
    def test_as_torch(
        self, xp: ModuleType, padding: Any, stride: Any, dilation: Any, groups: int
    ) -> None:
        x, filters, bias = (
            random_array(2, 7, 8, 4),
            random_array(3, 2, 4 // groups, 8),
            random_array(8),
        )
        expected = by_torch(
            x, filters, padding=padding, stride=stride, dilation=dilation, groups=groups
        )
        for data_format in ("channels_last", "channels_first"):
            first = data_format == "channels_first"
            found = np.asarray(
                xp.conv2d(
                    xp.asarray(np.moveaxis(x, -1, 1) if first else x), xp.asarray(filters),
                    bias=xp.asarray(bias), padding=padding, strides=stride, dilations=dilation,
                    groups=groups, data_format=data_format,
                )
            )  # fmt: skip
            found = np.moveaxis(found, 1, -1) if first else found
            np.testing.assert_allclose(found, expected + bias, rtol=1e-12, atol=1e-12)

    def test_integers_and_mixed_data_types(self, xp: ModuleType) -> None:
        x = xp.asarray(np.arange(4).reshape(1, 2, 2, 1))
        filters = xp.ones((2, 2, 1, 1), dtype=xp.float32)
        assert xp.conv2d(x, xp.astype(filters, xp.int64)).tolist() == [[[[6.0]]]]
        small = xp.astype(x, xp.int8)
        assert xp.conv2d(small, filters).dtype is unify.float32
        assert xp.conv2d(x, xp.astype(filters, xp.float64)).dtype is unify.float64

    def test_halves_are_rounded_once(self, xp: ModuleType) -> None:
        ones = xp.ones((1, 64, 64, 1), dtype=unify.float16)
        found = xp.conv2d(ones, xp.ones((64, 64, 1, 1), dtype=unify.float16))
        assert found.dtype is unify.float16
        assert found.tolist() == [[[[4096.0]]]]

    def test_complex_numbers_are_refused(self, xp: ModuleType) -> None:
        x = xp.ones((1, 2, 2, 1))
        with pytest.raises(
            UnifyTypeError, match="conv2d: argument 'filters' has data type complex"
        ):
            xp.conv2d(x, xp.ones((1, 1, 1, 1), dtype=xp.complex128))

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"padding": "same"}, "'padding' is 'same'; pass 'SAME', 'VALID'"),
            ({"padding": [(1, 1)] * 3}, "'padding' is .* for each of the 2 axes"),
            ({"padding": -1}, "'padding' is -1.*none negative"),
            ({"strides": 0}, "'strides' is 0; pass an integer of 1 or more"),
            ({"dilations": (1, 2, 3)}, "'dilations' is .*or 2 of them"),
            ({"dilations": 4}, "'filters' span"),
            ({"groups": 2}, "'filters' has shape .*groups=2"),
            ({"data_format": "NHWC"}, "'data_format' is 'NHWC'; pass 'channels_last'"),
        ],
    )
    def test_what_does_not_fit_is_named(
        self, xp: ModuleType, options: dict[str, Any], words: str
    ) -> None:
        with pytest.raises(UnifyValueError, match=f"conv2d: argument {words}"):
            xp.conv2d(xp.ones((1, 4, 4, 3)), xp.ones((2, 2, 3, 2)), **options)

    @pytest.mark.parametrize("shapes", [((4, 4, 3), (2, 2, 3, 2)), ((1, 4, 4, 2), (2, 2, 3, 2))])
    def test_shapes_that_do_not_fit(self, xp: ModuleType, shapes: Any) -> None:
        with pytest.raises(UnifyValueError, match="conv2d: argument"):
            xp.conv2d(xp.ones(shapes[0]), xp.ones(shapes[1]))

    def test_out(self, xp: ModuleType) -> None:
        x, out = xp.ones((1, 2, 2, 1)), xp.zeros((1, 1, 1, 1))
        assert xp.conv2d(x, xp.ones((2, 2, 1, 1)), out=out) is out
        assert out.tolist() == [[[[4.0]]]]

    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    @pytest.mark.parametrize("groups", [1, 2, 4])
    def test_derivatives_with_holes_and_groups(
        self, on_each: ModuleType, dtype: str, groups: int
    ) -> None:
        """TensorFlow's CPU kernels can't differentiate either."""
        xp, torch = on_each, importlib.import_module("torch")
        x, filters = (
            random_array(2, 7, 7, 4, dtype=dtype),
            random_array(2, 3, 4 // groups, 4, dtype=dtype),
        )
        leaves = [torch.from_numpy(v.astype("float64")).requires_grad_() for v in (x, filters)]
        options = {"stride": 2, "dilation": 2, "padding": 1, "groups": groups}
        images, weight = leaves[0].movedim(-1, 1), leaves[1].permute(3, 2, 0, 1)
        total = torch.nn.functional.conv2d(images, weight, **options).square().sum()
        expected = torch.autograd.grad(total, leaves)

        def ours(x: Any, filters: Any) -> Any:
            found = xp.conv2d(x, filters, strides=2, dilations=2, padding=1, groups=groups)
            return xp.sum(found * found)

        found = unify.grad(ours, (0, 1))(xp.asarray(x), xp.asarray(filters))
        tolerance = 1e-4 if dtype == "float32" else 1e-11
        for mine, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(
                np.asarray(mine), theirs.numpy(), rtol=tolerance, atol=10 * tolerance
            )


class TestConv3d:
    def test_as_torch(self, xp: ModuleType) -> None:
        x, filters = random_array(2, 4, 5, 6, 4), random_array(2, 3, 2, 2, 6)
        options = {"padding": (1, 0, 1), "stride": (1, 2, 1), "dilation": (2, 1, 1), "groups": 2}
        found = xp.conv3d(
            xp.asarray(x), xp.asarray(filters), padding=(1, 0, 1), strides=(1, 2, 1),
            dilations=(2, 1, 1), groups=2,
        )  # fmt: skip
        np.testing.assert_allclose(
            np.asarray(found), by_torch(x, filters, **options), rtol=1e-12, atol=1e-12
        )

    @pytest.mark.parametrize("size", [3, 4, 5, 6])
    def test_steps_longer_than_the_window(self, xp: ModuleType, size: int) -> None:
        """With "SAME" padding, TensorFlow's kernel then begins before the array."""
        x, filters = random_array(1, size, 2, size, 1), random_array(1, 1, 1, 1, 1)
        found = xp.conv3d(xp.asarray(x), xp.asarray(filters), strides=(3, 1, 3), padding="SAME")
        np.testing.assert_array_equal(np.asarray(found), x[:, ::3, :, ::3] * filters.ravel()[0])


class TestDepthwiseConv:
    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_each_channel_is_convolved_for_itself(self, xp: ModuleType, count: int) -> None:
        x, filters = random_array(2, *(5,) * count, 3), random_array(*(2,) * count, 3, 2)
        found = np.asarray(xp.depthwise_conv(xp.asarray(x), xp.asarray(filters), padding="SAME"))
        convolve = getattr(xp, f"conv{count}d")
        for channel in range(3):
            own = [v[..., channel : channel + 1] for v in (x, filters[..., channel, :])]
            one = filters[..., channel : channel + 1, :]
            expected = convolve(xp.asarray(own[0]), xp.asarray(one), padding="SAME")
            np.testing.assert_allclose(
                found[..., 2 * channel : 2 * channel + 2],
                np.asarray(expected),
                rtol=1e-12,
                atol=1e-14,
            )

    def test_strides_that_differ(self, xp: ModuleType) -> None:
        """TensorFlow's kernel supports one for both axes only."""
        x, filters = random_array(1, 6, 6, 2), random_array(3, 3, 2, 1)
        found = xp.depthwise_conv(xp.asarray(x), xp.asarray(filters), strides=(1, 2))
        expected = by_torch(x, filters.reshape(3, 3, 1, 2), stride=(1, 2), groups=2)
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12, atol=1e-13)

    def test_what_does_not_fit(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="depthwise_conv: argument 'filters' has shape"):
            xp.depthwise_conv(xp.ones((1, 4, 3)), xp.ones((2, 2, 1)))
        with pytest.raises(UnifyValueError, match="depthwise_conv: argument 'x' has shape"):
            xp.depthwise_conv(xp.ones((1, 3)), xp.ones((3, 1)))
