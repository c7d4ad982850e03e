"""Fast paths of PyTorch, which agree with the slow ones: `out=`, and one element."""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

import numpy as np
import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

import arrayapi_unify as unify
import arrayapi_unify.torch as xp
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError

WINDOWS = [slice(0, 4), slice(1, 5), slice(0, 8, 2), slice(3, 7), slice(1, 8, 2), slice(4, 8)]


class TestOut:
    """PyTorch's own `out=` reads overwritten elements, and resizes `out` to the result."""

    @pytest.mark.parametrize("name", ["add", "maximum", "sin"])
    @pytest.mark.parametrize("kind", ["views", "detached", "of NumPy"])
    def test_overlapping_memory(self, kind: str, name: str) -> None:
        function = getattr(np, name)
        for *keys, target in itertools.product(WINDOWS, repeat=function.nin + 1):
            values = np.linspace(0.5, 2.0, 8)
            expected = values.copy()
            function(*[expected[key] for key in keys], out=expected[target])
            out = unify.Array(_window(values, target, kind))
            arrays = [unify.Array(_window(values, key, kind)) for key in keys]
            assert getattr(xp, name)(*arrays, out=out) is out
            np.testing.assert_allclose(values, expected, rtol=1e-15)

    def test_invalid_arguments_change_nothing(self) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        for error, out in (
            (UnifyValueError, xp.zeros(4)),
            (UnifyValueError, xp.zeros((3, 1))),
            (UnifyTypeError, xp.zeros(3, dtype=xp.float32)),
        ):
            with pytest.raises(error, match="argument 'out'"):
                xp.add(x, x, out=out)
            assert not xp.any(out)

    def test_derivatives_pass(self) -> None:
        leaf = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
        out = xp.zeros(2)
        xp.sum(xp.multiply(unify.Array(leaf), 3.0 * xp.ones(2), out=out)).data.backward()
        assert leaf.grad is not None
        assert leaf.grad.tolist() == [3.0, 3.0]
        assert out.data.requires_grad

    def test_transformed(self) -> None:
        def double(v: torch.Tensor) -> torch.Tensor:
            x = unify.Array(v)
            return xp.add(x, x, out=xp.zeros(x.shape)).data

        values = torch.arange(6, dtype=torch.float64).reshape(2, 3)
        assert torch.equal(torch.func.vmap(double)(values), 2 * values)
        gradient = torch.func.grad(lambda v: double(v).sum())(values[0])
        assert gradient.tolist() == [2.0, 2.0, 2.0]


def _window(values: Any, key: slice, kind: str) -> torch.Tensor:
    if kind == "of NumPy":  # PyTorch doesn't detect that these share memory
        return torch.from_numpy(values[key])
    view = torch.from_numpy(values)[key]
    return view.detach() if kind == "detached" else view


class TestElement:
    """An element is copied by `torch.take`, which doesn't support every data type and mode."""

    @pytest.mark.parametrize("dtype", ["float64", "int8", "uint16", "bool", "complex64"])
    @pytest.mark.parametrize("shape", [(), (5,), (3, 4), (2, 3, 2), (0,), (2000,), (40, 40)])
    def test_every_key_of_integers(self, shape: tuple[int, ...], dtype: str) -> None:
        values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
        arrays = [(values, xp.asarray(values))]
        if values.ndim:
            arrays += [(values[::2], arrays[0][1][::2]), (values[::-1], arrays[0][1][::-1])]
        for expected, x in arrays:
            for key in itertools.product(*[(0, -1, n // 2, -n, n, -n - 1) for n in x.shape]):
                for one in (key, key[0]) if len(key) == 1 else (key,):
                    if all(-n <= k < n for k, n in zip(key, x.shape, strict=True)):
                        assert x[one].data.numpy() == expected[one]
                    else:
                        with pytest.raises(IndexError):
                            x[one]

    def test_is_a_value(self) -> None:
        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
        one, other = x[0, 1], x[0][1]
        x[0, 1] = 9.0
        assert float(one) == float(other) == 2.0

    def test_derivatives_pass(self) -> None:
        leaf = torch.tensor([1.0, 2.0], requires_grad=True)
        (unify.Array(leaf)[-1].data * 2).backward()
        assert leaf.grad is not None
        assert leaf.grad.tolist() == [0.0, 2.0]

    def test_transformed_and_traced(self) -> None:
        def last(v: torch.Tensor) -> torch.Tensor:
            return unify.Array(v)[-1].data

        values = torch.arange(6.0).reshape(2, 3)
        assert torch.func.vmap(last)(values).tolist() == [2.0, 5.0]
        assert torch.func.grad(last)(values[0]).tolist() == [0.0, 0.0, 1.0]
        traced = make_fx(last, tracing_mode="fake")(values[0])
        assert traced(values[1]).item() == 5.0


class TestMemoryOfOthers:
    """Tensors that share memory without a common base."""

    WINDOWS: ClassVar[dict[str, tuple[slice, slice]]] = {
        "moved": (slice(1, None), slice(None, -1)),
        "steps": (slice(0, 6, 2), slice(0, 3)),
        "backwards": (slice(None, -1), slice(1, None)),
    }
    MAKERS: ClassVar[dict[str, Any]] = {
        "detached": lambda x, key: xp.asarray(torch.from_numpy(x)[key].detach()),
        "asarray": lambda x, key: xp.asarray(x[key]),
        "from_dlpack": lambda x, key: xp.from_dlpack(x[key]),
        "from_dlpack of a tensor": lambda x, key: xp.from_dlpack(torch.from_numpy(x)[key].detach()),
    }

    @pytest.mark.parametrize("maker", MAKERS)
    @pytest.mark.parametrize("windows", WINDOWS)
    def test_a_sum_in_place_reads_before_it_writes(self, maker: str, windows: str) -> None:
        first, second = self.WINDOWS[windows]
        make, memory, expected = self.MAKERS[maker], np.arange(10.0), np.arange(10.0)
        x, y = make(memory, first), make(memory, second)
        x += y
        expected[first] += expected[second]
        np.testing.assert_array_equal(memory, expected)


class TestPowers:
    """A power with a number equals the power with a tensor bit by bit, as the standard requires."""

    NUMBERS: ClassVar = [0, 1, 3, 4, 8, -1, -2, -3, 0.5, -0.5, 2.0, 3.0, 1.5, -0.25, 1e3, np.inf]
    VALUES: ClassVar = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-300, -1e300, -2.0, 0.7, 1.0, -1.0]

    @pytest.mark.parametrize("number", NUMBERS)
    def test_bits(self, number: float) -> None:
        values = np.concatenate([self.VALUES, np.linspace(-3.0, 3.0, 500)])
        x, exponent = torch.from_numpy(values), torch.tensor(float(number), dtype=torch.float64)
        found = unify.to_native(unify.Array(x) ** number).numpy()
        wanted = torch.pow(x, exponent).numpy()
        np.testing.assert_array_equal(found, wanted)
        signs = [np.where(np.isnan(y), False, np.signbit(y)) for y in (found, wanted)]
        np.testing.assert_array_equal(*signs)

    def test_derivatives(self) -> None:
        leaf = torch.tensor([0.0, 2.0, -3.0], dtype=torch.float64, requires_grad=True)
        xp.sum(unify.Array(leaf) ** 5).data.backward()
        assert leaf.grad is not None
        assert leaf.grad.tolist() == [0.0, 80.0, 405.0]


class TestFewElements:
    """Small arrays are checked for NaN and infinities as Python numbers."""

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("shape", [(2, 2), (1, 2, 2), (2, 1, 2, 2)])
    def test_not_finite(self, shape: tuple[int, ...], bad: float) -> None:
        values = np.broadcast_to(np.eye(2), shape).copy()
        assert xp.all(xp.linalg.eigvalsh(xp.asarray(values)) == 1.0)
        values[..., 1, 0] = bad
        with pytest.raises(UnifyValueError, match="NaN or infinities"):
            xp.linalg.eigvalsh(xp.asarray(values))


class TestStack:
    """Data types that PyTorch promotes by its own rules, and shapes that it accepts."""

    def test_data_types(self) -> None:
        known = [xp.bool, xp.int8, xp.uint8, xp.uint16, xp.int64, xp.uint64, xp.float32, xp.float64]
        for first, second in itertools.product(known, repeat=2):
            x, y = xp.ones(3, dtype=first), xp.zeros(3, dtype=second)
            if not unify.can_cast(first, second) and not unify.can_cast(second, first):
                continue
            found = xp.stack([x, y])
            assert found.dtype is unify.result_type(first, second)
            assert found.tolist() == [[1.0] * 3, [0.0] * 3]

    def test_shapes(self) -> None:
        for one, other in (((0,), (2, 2)), ((2,), (3,)), ((), (1,))):
            with pytest.raises(UnifyValueError):
                xp.stack([xp.ones(one), xp.ones(other)])


def test_a_default_device_of_pytorch_places_ranges() -> None:
    with torch.device("meta"):
        assert xp.arange(3).data.device.type == "meta"
        assert xp.eye(2, dtype=xp.float64).data.device.type == "meta"
    assert xp.arange(3).data.device.type == "cpu"
