"""The PyTorch backend's own part: protocol, unsigned integers, ownership, tracing, gradients."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.autograd import forward_ad  # noqa: E402

import arrayapi_unify as unify  # noqa: E402  # after the check that there is a PyTorch
import arrayapi_unify.numpy as xn  # noqa: E402
import arrayapi_unify.torch as xp  # noqa: E402
from arrayapi_unify import dtypes  # noqa: E402
from arrayapi_unify.backends import torch as backend  # noqa: E402
from arrayapi_unify.backends._protocol import Backend  # noqa: E402
from arrayapi_unify.backends.torch import (  # noqa: E402
    creation,
    elementwise,
    indexing,
    searching,
    statistical,
)
from arrayapi_unify.devices import CPU, Device  # noqa: E402

UNSIGNED = ("uint8", "uint16", "uint32", "uint64")


class TestProtocol:
    def test_it_is_complete(self) -> None:
        names = {n for n in vars(Backend) if not n.startswith("_")} | set(Backend.__annotations__)
        assert names <= set(vars(backend))

    def test_every_dtype_has_its_native_one_and_back(self) -> None:
        assert set(backend.DTYPES) == set(dtypes.EVERY)
        for ours, native in backend.DTYPES.items():
            assert backend.as_dtype(native) is ours
            assert xp.zeros(2, dtype=native).dtype is ours

    def test_other_dtypes_are_none(self) -> None:
        assert backend.as_dtype(torch.float8_e5m2) is None
        assert backend.as_dtype("float32") is None

    def test_a_dtype_that_the_standard_lacks_is_refused(self) -> None:
        with pytest.raises(TypeError, match="float8_e5m2"):
            xp.asarray(torch.ones(2).to(torch.float8_e5m2))

    def test_devices(self) -> None:
        assert backend.devices()[0] is CPU
        assert backend.native_device(CPU) == torch.device("cpu")
        assert backend.device_of(torch.ones(1)) is CPU
        with pytest.raises(ValueError, match="gpu:99"):
            backend.native_device(Device("gpu:99"))


class TestErrors:
    @pytest.mark.parametrize(
        ("call", "kind"),
        [
            (lambda: xp.ones(2) + xp.ones(3), ValueError),
            (lambda: xp.reshape(xp.ones(4), (3,)), ValueError),
            (lambda: xp.matmul(xp.ones((2, 3)), xp.ones((2, 3))), ValueError),
            (lambda: xp.matmul(xp.ones(()), xp.ones(2)), ValueError),
            (lambda: xp.linalg.inv(xp.zeros((2, 2))), ValueError),
            (lambda: xp.sum(xp.ones(2), axis=3), IndexError),
            (lambda: xp.ones(2)[5], IndexError),
            (lambda: xp.ones(2)[xp.asarray([5])], IndexError),
            (lambda: xp.take_along_axis(xp.ones(2), xp.asarray([5])), IndexError),
            (lambda: xp.bitwise_and(xp.ones(2), xp.ones(2)), TypeError),
            (lambda: xp.less(xp.ones(2), "a"), TypeError),
            (lambda: xp.fft.rfft(xp.asarray([1j])), TypeError),
            (lambda: xp.asarray([1], dtype="uint8") + 300, OverflowError),
        ],
    )
    def test_class_is_the_one_numpy_users_expect(
        self, call: Callable[[], Any], kind: type[Exception]
    ) -> None:
        with pytest.raises(kind):
            call()


class TestUnsigned:
    @pytest.mark.parametrize("name", UNSIGNED)
    @pytest.mark.parametrize("function", ["add", "subtract", "multiply", "floor_divide",
                                          "remainder", "maximum", "minimum", "pow", "divide",
                                          "less", "greater_equal", "bitwise_xor"])  # fmt: skip
    def test_binary_as_numpy(self, name: str, function: str) -> None:
        top = int(np.iinfo(name).max)
        values = [0, 1, 2, 3, 5, top // 2, top // 2 + 1, top - 1, top]
        x, y = (a.ravel() for a in np.meshgrid(np.array(values, name), np.array(values, name)))
        with np.errstate(all="ignore"):
            wanted = np.asarray(getattr(xn, function)(x, y))
        found = np.asarray(getattr(xp, function)(xp.asarray(x), xp.asarray(y)))
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)

    @pytest.mark.parametrize("name", UNSIGNED)
    def test_shift_right_brings_in_zeros(self, name: str) -> None:
        top = int(np.iinfo(name).max)
        x = xp.asarray([top, top, top], dtype=name) >> xp.asarray([0, 1, 3], dtype=name)
        assert x.tolist() == [top, top >> 1, top >> 3]

    @pytest.mark.parametrize("name", UNSIGNED)
    def test_order(self, name: str) -> None:
        top = int(np.iinfo(name).max)
        x = xp.asarray([top, 0, top // 2 + 1, 1], dtype=name)
        assert xp.sort(x).tolist() == [0, 1, top // 2 + 1, top]
        assert xp.argmax(x).item() == 0
        assert xp.max(x).item() == top
        assert xp.searchsorted(xp.sort(x), x).tolist() == [3, 0, 2, 1]
        assert xp.unique_values(x).tolist() == [0, 1, top // 2 + 1, top]

    def test_int64_compares_with_uint64_exactly(self) -> None:
        x = xp.asarray([-1, 2**63 - 1, 5])
        y = xp.asarray([2**64 - 1, 2**63, 5], dtype="uint64")
        assert (x < y).tolist() == [True, True, False]
        assert (y == x).tolist() == [False, False, True]


FLOATS = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
INTEGERS = torch.tensor([1, 2, 3])
UINT64 = INTEGERS.to(torch.uint64)
COMPLEX = torch.tensor([1 + 1j, 2, 3], dtype=torch.complex128)


def _assigned(x: Any) -> Any:
    y = elementwise.add(x, 0)
    indexing.set_item(y, slice(1, None), x[1:])
    return indexing.set_item(y, y > 2, 5.0)


class TestCompile:
    @pytest.mark.parametrize(
        ("function", "x"),
        [
            (lambda x: elementwise.add(elementwise.multiply(x, 2), 1.5), FLOATS),
            (lambda x: elementwise.add(x, 2.5), INTEGERS),
            (lambda x: elementwise.floor_divide(x, x), FLOATS),
            (lambda x: elementwise.floor_divide(x, x), INTEGERS),
            (lambda x: elementwise.floor_divide(x, 3), UINT64),
            (lambda x: elementwise.less(x, x), UINT64),
            (lambda x: elementwise.add(x, x), COMPLEX),
            (elementwise.sign, COMPLEX),
            (elementwise.expm1, COMPLEX),
            (lambda x: statistical.sum(x, axis=0), INTEGERS),
            (statistical.sum, UINT64),
            (statistical.mean, INTEGERS),
            (lambda x: x + creation.zeros(3) + creation.arange(3), FLOATS),
            (lambda x: indexing.get_item(x, slice(None, None, -1)), FLOATS),
            (_assigned, FLOATS),
            (lambda x: searching.where(x > 1, x, 0), FLOATS),
        ],
    )
    def test_a_function_is_one_graph(self, function: Callable[[Any], Any], x: Any) -> None:
        torch._dynamo.reset()
        found = torch.compile(function, fullgraph=True, backend="eager")(x)
        assert torch.equal(found, function(x))


class TestGradients:
    @pytest.mark.parametrize(
        "name", ["exp", "expm1", "log1p", "tanh", "sin", "sqrt", "reciprocal", "abs", "sign"]
    )
    @pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
    def test_as_finite_differences(self, name: str, dtype: Any) -> None:
        x = torch.tensor([0.3, 1.2, 2.0], dtype=dtype)
        x = (x + (0.4j if dtype.is_complex else 0)).requires_grad_()
        assert torch.autograd.gradcheck(getattr(elementwise, name), (x,))

    @pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
    def test_of_expm1_far_below_zero_is_the_exponential(self, dtype: Any) -> None:
        values = [-torch.inf, -80.0, -40.0, -1.5, -1.0, -0.3, 0.0, 5.0, 2000.0]
        x = torch.tensor(values, dtype=dtype, requires_grad=True)
        y = elementwise.expm1(x)
        (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)
        for found in (y + 1, first, second):
            torch.testing.assert_close(found.detach()[3:], x.detach().exp()[3:])
        for found in (first, second):
            torch.testing.assert_close(found.detach(), x.detach().exp(), atol=0.0, rtol=1e-6)

    @pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "pow"])
    @pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
    def test_binary_as_finite_differences(self, name: str, dtype: Any) -> None:
        x = torch.tensor([0.3, 1.2, 2.0], dtype=dtype, requires_grad=True)
        y = torch.tensor([[1.5], [0.5]], dtype=dtype, requires_grad=True)
        assert torch.autograd.gradcheck(getattr(elementwise, name), (x, y))

    @pytest.mark.parametrize(
        "select",
        [
            lambda x: x[::-1],
            lambda x: x[xp.asarray([1, 0])],
            lambda x: xp.concat([x, x]),
            lambda x: xp.stack([x, x]),
            lambda x: xp.where(x > 0, x, 0.0),
            lambda x: xp.flip(x),
            lambda x: xp.take_along_axis(x, xp.asarray([1, 0])),
            lambda x: xp.take(x, xp.asarray([1, 0])),
            lambda x: xp.sort(x),
            lambda x: xp.max(x),
            lambda x: xp.cumulative_sum(x),
            lambda x: xp.tril(xp.reshape(x, (1, 2)), k=1),
            lambda x: xp.matmul(x, x),
            lambda x: xp.mean(x),
            lambda x: xp.std(x),
            lambda x: xp.repeat(x, 2),
            lambda x: xp.roll(x, 1),
            lambda x: xp.clip(x, 0.5, 3.0),
            lambda x: xp.diff(x),
            lambda x: x // 1.0 + x % 1.5,
        ],
    )
    def test_no_function_drops_the_gradient(self, select: Callable[[Any], Any]) -> None:
        w = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
        assert select(unify.Array(w)).data.requires_grad

    def test_through_our_arrays(self) -> None:
        w = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
        x = unify.Array(w)
        (xp.sum(x * x) + x[::-1][0]).data.backward()
        assert w.grad.tolist() == [2.0, 5.0]

    # PyTorch imports its rules for dual tensors with a function that it calls deprecated.
    @pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")
    def test_forward_of_a_remainder_at_multiples(self) -> None:
        x1, x2 = torch.tensor([6.0, -6.0]), torch.tensor([3.0, 3.0])
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x1, torch.ones(2))
            _, tangent = forward_ad.unpack_dual(unify.to_native(xp.remainder(dual, x2)))
        assert tangent is not None
        np.testing.assert_array_equal(tangent, [1, 1])


class TestNoWayThroughNumpy:
    @pytest.mark.parametrize(
        "call",
        [
            lambda x, i: xp.sort(x)[::-1] + xp.max(x),
            lambda x, i: xp.unique_all(i),
            lambda x, i: i // xp.asarray(3, dtype="uint64") % i,
            lambda x, i: xp.linalg.det(xp.eye(3) * x[0]),
            lambda x, i: xp.isin(i, i),
            lambda x, i: operator.setitem(x, x > 1, 0.0),
        ],
    )
    def test_no_tensor_is_exported(
        self, call: Callable[[Any, Any], Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        x, i = xp.asarray([1.0, 2.0, 3.0]), xp.asarray([3, 2, 3], dtype="uint64")

        def exported(*args: Any, **kwargs: Any) -> None:
            raise AssertionError("a tensor went to NumPy")

        monkeypatch.setattr(torch.Tensor, "numpy", exported)
        monkeypatch.setattr(torch.Tensor, "__array__", exported)
        monkeypatch.setattr(torch.Tensor, "__dlpack__", exported)
        call(x, i)
