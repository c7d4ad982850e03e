"""Normalizations of channels compared with their formulas and PyTorch's own, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.functional.differentiating import on_each as on_each
from tests.numbers import generator
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
GENERATOR = generator(16)


def random_array(shape: tuple[int, ...], dtype: str) -> Any:
    return GENERATOR.normal(1.0, 3.0, shape).astype(dtype)


def standard(x: Any, axes: tuple[int, ...], eps: float) -> Any:
    wide = x.astype("g")
    centred = wide - wide.mean(axes, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axes, keepdims=True) + np.longdouble(eps))


def along(numbers: Any, axis: int, ndim: int) -> Any:
    shape = [1] * ndim
    shape[axis] = -1
    return numbers.astype("g").reshape(shape)


class TestBatchNorm:
    @FLOATS
    @pytest.mark.parametrize("axis", [0, 1, -1])
    @pytest.mark.parametrize("training", [False, True])
    def test_within_64_ulps(self, xp: ModuleType, dtype: str, axis: int, training: bool) -> None:
        x = random_array((3, 4, 5), dtype)
        channels = x.shape[axis]
        mean, scale, offset = (random_array((channels,), dtype) for _ in range(3))
        variance = np.abs(random_array((channels,), dtype)) + 1
        result = xp.batch_norm(
            xp.asarray(x), xp.asarray(mean), xp.asarray(variance), scale=xp.asarray(scale),
            offset=xp.asarray(offset), training=training, momentum=0.25, eps=1e-3, axis=axis,
        )  # fmt: skip
        axes = tuple(a for a in range(3) if a != axis % 3)
        m, v = mean.astype("g"), variance.astype("g")
        if training:
            expected = standard(x, axes, 1e-3)
            wide = x.astype("g")
            m = 0.75 * m + 0.25 * wide.mean(axes)
            v = 0.75 * v + 0.25 * wide.var(axes, ddof=1)
        else:
            expected = (x - along(m, axis, 3)) / np.sqrt(along(v, axis, 3) + np.longdouble(1e-3))
        expected = expected * along(scale, axis, 3) + along(offset, axis, 3)
        assert result.output.dtype.name == dtype
        assert_ulps(result.output, expected, 64, magnitude=20)
        assert_ulps(result.mean, m, 16, magnitude=10)
        assert_ulps(result.variance, v, 16)

    @pytest.mark.parametrize("axis", [1, -1])
    def test_derivatives_of_all_results(self, on_each: ModuleType, axis: int) -> None:
        """The first and the second ones, beside PyTorch's of the written formula."""
        torch = pytest.importorskip("torch")
        values, xp = random_array((4, 3, 3), "float64"), on_each

        def loss(x: Any) -> Any:
            found = xp.batch_norm(x, xp.zeros(3), xp.ones(3), training=True, axis=axis)
            return sum(xp.sum(part**3) for part in found)

        def theirs(x: Any) -> Any:
            rows = x.movedim(axis, -1).reshape(-1, 3)
            variance, mean = torch.var_mean(rows, 0)
            count = rows.shape[0]
            output = (rows - mean) / torch.sqrt(variance * ((count - 1) / count) + 1e-5)
            return (output**3).sum() + ((0.1 * mean) ** 3 + (0.9 + 0.1 * variance) ** 3).sum()

        given = torch.tensor(values, requires_grad=True)
        (first,) = torch.autograd.grad(theirs(given), given, create_graph=True)
        (second,) = torch.autograd.grad((first**2).sum(), given)
        x, slope = xp.asarray(values), unify.grad(loss)
        again = unify.grad(lambda x: xp.sum(slope(x) ** 2))(x)
        for found, wanted in ((slope(x), first.detach()), (again, second)):
            np.testing.assert_allclose(np.asarray(found), wanted.numpy(), rtol=1e-9, atol=1e-11)

    def test_nothing_is_stored(self, xp: ModuleType) -> None:
        """Arguments aren't modified, and results share no memory with them."""
        x, mean, variance = xp.asarray([[1.0], [3.0]]), xp.zeros(1), xp.ones(1)
        found = xp.batch_norm(x, mean, variance, training=True)
        assert (mean.tolist(), variance.tolist()) == ([0], [1])
        assert found.mean.tolist() == [pytest.approx(0.2)]
        assert found.variance.tolist() == [pytest.approx(1.1)]
        kept = xp.batch_norm(x, mean, variance)
        assert kept.mean.tolist() == [0]
        kept.mean[0] = 9.0
        assert mean.tolist() == [0]

    def test_integers_promote(self, xp: ModuleType) -> None:
        x = xp.asarray([[1], [3]], dtype=xp.int8)
        ones = xp.ones(1, dtype=xp.float32)
        result = xp.batch_norm(x, ones, ones, eps=0.0)
        assert result.output.dtype == result.mean.dtype == xp.float32
        assert result.output.tolist() == [[0], [2]]

    def test_mistakes(self, xp: ModuleType) -> None:
        x, one, two = xp.ones((2, 2)), xp.ones(1), xp.ones(2)
        with pytest.raises(UnifyValueError, match="batch_norm: argument 'mean' has the shape"):
            xp.batch_norm(x, one, two)
        with pytest.raises(UnifyValueError, match="batch_norm: argument 'scale' has the shape"):
            xp.batch_norm(x, two, two, scale=one)
        with pytest.raises(UnifyValueError, match="batch_norm: argument 'x' has 1 values"):
            xp.batch_norm(xp.ones((1, 2)), two, two, training=True)
        with pytest.raises(UnifyIndexError, match="batch_norm: argument 'axis'"):
            xp.batch_norm(xp.ones(2), one, one)
        with pytest.raises(UnifyTypeError, match="batch_norm: argument 'variance'"):
            xp.batch_norm(x, two, xp.asarray([1j, 2]))


class TestGroupNorm:
    @FLOATS
    @pytest.mark.parametrize("axis", [1, 2, -1])
    @pytest.mark.parametrize("groups", [1, 2])
    def test_within_64_ulps(self, xp: ModuleType, dtype: str, axis: int, groups: int) -> None:
        """On PyTorch the second axis is one native call, any other axis the body."""
        x = random_array((3, 4, 6), dtype)
        scale, offset = random_array((x.shape[axis],), dtype), random_array((x.shape[axis],), dtype)
        result = xp.group_norm(
            xp.asarray(x), groups, scale=xp.asarray(scale), offset=xp.asarray(offset), axis=axis
        )
        parts = [standard(part, (1, 2), 1e-5) for part in np.split(x, groups, axis)]
        expected = np.concatenate(parts, axis)
        expected = expected * along(scale, axis, 3) + along(offset, axis, 3)
        assert result.dtype.name == dtype
        assert_ulps(result, expected, 64, magnitude=20)

    def test_out_integers_and_native_arrays(self, xp: ModuleType) -> None:
        x, out = xp.asarray([[1, 3, 10, 30]]), xp.zeros((1, 4))
        assert xp.group_norm(x.data, 2, eps=0.0, out=out) is out
        assert out.tolist() == [[-1, 1, -1, 1]]

    def test_mistakes(self, xp: ModuleType) -> None:
        x = xp.ones((2, 4, 3))
        for groups in (3, 0, -1):
            with pytest.raises(UnifyValueError, match="group_norm: argument 'num_groups' is"):
                xp.group_norm(x, groups)
        with pytest.raises(UnifyValueError, match="group_norm: argument 'axis' is the first one"):
            xp.group_norm(x, 2, axis=0)
        with pytest.raises(UnifyValueError, match="group_norm: argument 'x' has 1 values"):
            xp.group_norm(xp.ones((2, 4)), 4)
        with pytest.raises(UnifyValueError, match="group_norm: argument 'offset' has the shape"):
            xp.group_norm(x, 2, offset=xp.ones(3))
        with pytest.raises(UnifyIndexError, match="group_norm: argument 'axis'"):
            xp.group_norm(xp.ones(4), 2)

    def test_derivative_by_an_offset_without_a_scale(self, on_each: ModuleType) -> None:
        """It is the sum of the upstream derivatives of each channel; PyTorch's kernel fails."""
        xp = on_each
        x, upstream = (
            xp.asarray(random_array((2, 4, 5), "float64")),
            random_array((2, 4, 5), "float64"),
        )
        offset = xp.asarray(random_array((4,), "float64"))

        def total(offset: Any) -> Any:
            return xp.sum(xp.group_norm(x, 2, offset=offset) * xp.asarray(upstream))

        found = np.asarray(unify.grad(total)(offset))
        np.testing.assert_allclose(found, upstream.sum((0, 2)), rtol=1e-13)


class TestInstanceNorm:
    @FLOATS
    @pytest.mark.parametrize("axis", [1, 2, -1])
    def test_within_64_ulps(self, xp: ModuleType, dtype: str, axis: int) -> None:
        x = random_array((2, 3, 4, 5), dtype)
        scale, offset = random_array((x.shape[axis],), dtype), random_array((x.shape[axis],), dtype)
        result = xp.instance_norm(
            xp.asarray(x), scale=xp.asarray(scale), offset=xp.asarray(offset), axis=axis
        )
        axes = tuple(a for a in (1, 2, 3) if a != axis % 4)
        expected = standard(x, axes, 1e-5) * along(scale, axis, 4) + along(offset, axis, 4)
        assert_ulps(result, expected, 64, magnitude=20)

    def test_mistakes(self, xp: ModuleType) -> None:
        for x in (xp.ones((2, 3)), xp.ones((2, 3, 1))):
            with pytest.raises(UnifyValueError, match="instance_norm: argument 'x' has 1 values"):
                xp.instance_norm(x)
        with pytest.raises(UnifyValueError, match="instance_norm: argument 'axis' is the first"):
            xp.instance_norm(xp.ones((2, 3, 4)), axis=-3)


class TestLocalResponseNorm:
    @FLOATS
    @pytest.mark.parametrize("size", [1, 2, 3, 4, 9])
    @pytest.mark.parametrize("axis", [0, 1, -1])
    def test_within_16_ulps(self, xp: ModuleType, dtype: str, size: int, axis: int) -> None:
        x = random_array((4, 5, 3), dtype)
        wide = np.moveaxis(x.astype("g"), axis, 0)
        expected = np.empty_like(wide)
        for i in range(len(wide)):
            near = wide[max(i - size // 2, 0) : i + (size - 1) // 2 + 1]
            divisor = 0.5 + 2 * (near**2).sum(0) / size
            expected[i] = wide[i] / divisor ** np.longdouble(0.75)
        result = xp.local_response_norm(xp.asarray(x), size, alpha=2.0, k=0.5, axis=axis)
        assert_ulps(result, np.moveaxis(expected, 0, axis), 16)

    def test_numbers_of_pytorch(self, xp: ModuleType) -> None:
        """Results of PyTorch 2, with an asymmetric window."""
        found = xp.local_response_norm(
            xp.asarray([[1.0, 2.0, 3.0, 4.0]]), 4, alpha=0.5, beta=0.6, k=2.0
        )
        wanted = [0.5604313423073425, 0.9049221840724235, 1.0503173701478352, 1.4190133302730517]
        np.testing.assert_allclose(np.asarray(found), [wanted], rtol=1e-14)

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="local_response_norm: argument 'size' is 0"):
            xp.local_response_norm(xp.ones((2, 3)), 0)
        with pytest.raises(UnifyTypeError, match="local_response_norm: argument 'x'"):
            xp.local_response_norm(xp.asarray([[1j]]), 1)
