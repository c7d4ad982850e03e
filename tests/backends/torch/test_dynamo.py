"""Operators of Arrays in code that `torch.compile` traces as one graph, against tensors' own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
import torch

import arrayapi_unify as unify
import arrayapi_unify.torch as xp
from arrayapi_unify.backends.torch._compilation import compiled

SHAPES = ((5, 4), (6, 4), (8, 4), (9, 7), (3, 9))


@pytest.fixture(autouse=True)
def _afresh() -> None:
    torch.compiler.reset()


def whole(function: Callable[..., Any], dynamic: bool | None = None) -> Any:
    return torch.compile(function, fullgraph=True, backend="eager", dynamic=dynamic)


def twice(operation: Callable[..., Any]) -> tuple[Any, Any]:
    """The operation on tensors, and the same one on Arrays of them, compiled."""
    compiled = whole(lambda *xs: operation(*[xp.asarray(x) for x in xs]).data)
    return operation, compiled


def same(found: Any, expected: Any) -> bool:
    return found.dtype is expected.dtype and torch.equal(found, expected)


@pytest.mark.parametrize(
    "operation",
    [
        lambda x, y: x @ y,
        lambda x, y: x.mT @ y @ y,
        lambda x, y: ~(x < y),
        lambda x, y: ~(x * 10).to(torch.int64) if isinstance(x, torch.Tensor)
        else ~xp.astype(x * 10, xp.int64),
        lambda x, y: -x + y * 2 - x / y,
    ],
)  # fmt: skip
def test_operators(operation: Callable[..., Any]) -> None:
    data = (torch.rand(3, 3, dtype=torch.float64), torch.rand(3, 3, dtype=torch.float64))
    native, compiled = twice(operation)
    assert same(compiled(*data), native(*data))


@pytest.mark.sample(2)
@pytest.mark.parametrize("operation", [lambda x, y: x @ y, lambda x, y: ~(x < y)])
@pytest.mark.parametrize("nested", [(True, True), (True, False), (False, True)])
def test_nests(operation: Callable[..., Any], nested: tuple[bool, bool]) -> None:
    """Equal to the operation on each leaf, whichever operand is a nest."""
    data = [torch.rand(3, 3, dtype=torch.float64) for _ in nested]

    def on_nests(*tensors: torch.Tensor) -> Any:
        arrays = map(xp.asarray, tensors)
        return operation(
            *[unify.Container(a=x) if nest else x for x, nest in zip(arrays, nested, strict=True)]
        )

    found, expected = whole(on_nests)(*data), operation(*data)
    assert same(found.a.data, expected)


def test_in_place() -> None:
    def update(x: Any, y: Any) -> Any:
        x = x + 0
        x @= y
        return x

    data = (torch.rand(3, 3, dtype=torch.float64), torch.rand(3, 3, dtype=torch.float64))
    _, compiled = twice(update)
    assert same(compiled(*data), data[0] @ data[1])


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "operation",
    [
        lambda x, n: x < n,
        lambda x, n: x <= n,
        lambda x, n: x == n,
        lambda x, n: x != n,
        lambda x, n: n > x,
        lambda x, n: n >= x,
        lambda x, n: n == x,
        lambda x, n: x * n,
        lambda x, n: n - x,
        lambda x, n: x // n,
        lambda x, n: n % (x + 1),
    ],
)
def test_sizes_that_vary(operation: Callable[..., Any]) -> None:
    """After two sizes of an axis PyTorch treats it as dynamic, also in a comparison."""
    _, compiled = twice(lambda x: operation(x, x.shape[1]))
    for shape in SHAPES:
        data = torch.randint(0, 10, shape)
        assert same(compiled(data), operation(data, shape[1]))


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "function",
    [
        lambda x: xp.cov(x),
        lambda x: xp.corrcoef(x),
        lambda x: xp.einops_reduce(x, "a b -> b", "mean"),
        lambda x: xp.einops_rearrange(x, "a b -> (b a)"),
        lambda x: xp.sparse_cross_entropy(xp.astype(x[:, 0] * 3, xp.int64), x),
        lambda x: xp.cosine_similarity(x, x + 1),
        lambda x: xp.huber(x, x * 3),
        lambda x: xp.linspace(0.0, 1.0, x.shape[0]),
        lambda x: xp.var(x, axis=0, correction=1),
        lambda x: xp.percentile(x, 30.0, axis=0),
        lambda x: xp.one_hot(xp.arange(x.shape[0]), x.shape[0]),
        lambda x: xp.random.uniform(xp.random.key(0), x.shape),
    ],
)
def test_functions_of_sizes_that_vary(function: Callable[..., Any]) -> None:
    """They are dynamic from the first call on, so that one trace serves all sizes."""
    compiled = whole(lambda x: function(xp.asarray(x)).data, dynamic=True)
    for shape in SHAPES[2:]:
        data = torch.rand(*shape, dtype=torch.float64) + 0.25
        torch.testing.assert_close(
            compiled(data), function(xp.asarray(data)).data, rtol=1e-14, atol=1e-14
        )


# The compiler's result for `@` of a user's class: releases before 2.15 refuse it.
A_CLASS = """
import torch

class Both:
    def __matmul__(self, other):
        return other

both = Both()
try:
    torch.compile(lambda x: (both @ both) and x, fullgraph=True, backend="eager")(torch.ones(3))
except torch._dynamo.exc.Unsupported:
    print("refused")
else:
    print("followed")
"""


class TestOthersAreLeftAlone:
    @pytest.mark.slow
    def test_a_class_of_a_user(self) -> None:
        ways = [
            subprocess.run(
                [sys.executable, "-c", first + A_CLASS], capture_output=True, text=True, check=True
            ).stdout
            for first in ("", "import arrayapi_unify.torch as xp; xp.ones(3)")
        ]
        assert ways[0] == ways[1]
        assert ways[0] in ("refused\n", "followed\n")

    def test_tensors_and_numbers(self) -> None:
        compiled = whole(lambda x: x @ x if x.shape[0] == 3 else ~(x < x.shape[1]))
        for shape in ((3, 3), (4, 4), (5, 5)):
            x = torch.rand(*shape)
            assert same(compiled(x), x @ x if shape[0] == 3 else ~(x < shape[1]))


@pytest.mark.slow
@pytest.mark.parametrize("first", ["arrayapi_unify.torch", "torch._dynamo"])
def test_in_either_order(first: str) -> None:
    """The tracer is set up in either import order, and Python's import is unchanged."""
    code = (
        f"import sys, torch, {first}; import arrayapi_unify.torch as xp\n"
        "early = 'torch._dynamo.variables.builtin' in sys.modules\n"
        "f = lambda x: (xp.asarray(x) @ xp.asarray(x)).data\n"
        "f = torch.compile(f, fullgraph=True, backend='eager')\n"
        "assert f(torch.ones(2, 2)).tolist() == [[2, 2], [2, 2]]\n"
        "assert not any(type(f).__module__.startswith('arrayapi_unify') for f in sys.meta_path)\n"
        "print(early)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == str(first == "torch._dynamo")


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64"])
def test_means_of_what_pytorch_refuses(dtype: str) -> None:
    x = xp.asarray(np.asarray([[1, 0], [1, 1]], dtype))
    assert float(whole(lambda x: xp.mean(x))(x)) == 0.75
    assert float(whole(lambda x: unify.global_norm([x]))(x)) == 3**0.5


def test_calls_with_numpys_defaults() -> None:
    x = xp.reshape(xp.arange(4), (2, 1, 2))
    assert whole(lambda x: xp.squeeze(x))(x).tolist() == [[0, 1], [2, 3]]
    assert whole(lambda x: xp.permute_dims(x))(x).tolist() == [[[0, 2]], [[1, 3]]]


def test_writes_to_slices_with_negative_steps() -> None:
    def function(x: Any) -> Any:
        x[::-2] = 0.5
        return x * 2.0

    x = xp.asarray([1.0, 2.0, 3.0, 4.0])
    assert whole(function)(x).tolist() == [2.0, 1.0, 6.0, 1.0]
    assert x.tolist() == [1.0, 0.5, 3.0, 0.5]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")
def test_scalars_of_numpy() -> None:
    """As in an eager call they have the data type of the array, on either side of it."""
    half, three, true = np.float64(0.5), np.int64(3), np.bool(True)

    def function(x: Any) -> list[Any]:
        y = xp.astype(x, xp.float32)
        found = [y * half, half - y, xp.add(half, y)]
        return [*found, xp.greater(three, x), xp.remainder(three, x), xp.full((2,), half),
                xp.where(x > 1, x, three), xp.logical_and(true, x > 2)]  # fmt: skip

    x = xp.asarray([1, 2, 3], dtype=xp.int8)
    for one, wanted in zip(unify.compile(function)(x), function(x), strict=True):
        assert one.dtype is wanted.dtype
        assert one.tolist() == wanted.tolist()
    other = unify.compile(lambda x: x + three)
    assert other(x).tolist() == [4, 5, 6]
    three = np.int64(7)
    assert other(x).tolist() == [8, 9, 10]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_writes_to_arrays_without_axes(dtype: str) -> None:
    """PyTorch traces a program with such an argument of float64 twice, and lost the writes."""

    def function(x: Any, y: Any) -> Any:
        x *= 3
        y += x
        return x * 2

    x, y = xp.asarray(2, dtype=getattr(xp, dtype)), xp.ones(3, dtype=getattr(xp, dtype))
    assert float(unify.compile(function)(x, y)) == 12.0
    assert (float(x), y.tolist()) == (6.0, [7.0] * 3)


class TestAxes:
    """An axis out of bounds gives the error of the uncompiled call."""

    CALLS: Final[dict[str, Callable[[Any], Any]]] = {
        "sum": lambda x: xp.sum(x, axis=7),
        "expand_dims": lambda x: xp.expand_dims(x, axis=7),
        "fft": lambda x: xp.fft.fft(x, axis=7),
        "rfft2": lambda x: xp.fft.rfft2(x, axes=(0, 9)),
        "nanmean": lambda x: xp.nanmean(x, axis=(5,)),
        "nanstd": lambda x: xp.nanstd(x, axis=7),
    }
    NO_AXES: Final[dict[str, Callable[[Any], Any]]] = {
        "cumulative_sum": lambda x: xp.cumulative_sum(x, axis=(5,)),
        "sort": lambda x: xp.sort(x, axis=(0, 9)),
        "ifft": lambda x: xp.fft.ifft(x, axis=(5,)),
        "std": lambda x: xp.std(x, axis=7),
        "permute_dims": lambda x: xp.permute_dims(x, axes=7),
    }

    @staticmethod
    def raised(function: Callable[[Any], Any], x: Any) -> Exception:
        with pytest.raises(unify.UnifyError) as caught:
            function(x)
        return caught.value

    @pytest.mark.parametrize("name", CALLS)
    def test_compiled(self, name: str) -> None:
        x, function = xp.ones((2, 3)), self.CALLS[name]
        wanted, found = self.raised(function, x), self.raised(unify.compile(function), x)
        assert (type(found), str(found)) == (type(wanted), str(wanted))

    @pytest.mark.parametrize("name", [*CALLS, *NO_AXES])
    def test_whole_graphs(self, name: str) -> None:
        x, function = xp.ones((2, 3)), {**self.NO_AXES, **self.CALLS}[name]
        program = compiled(function, None, fullgraph=True, backend="eager", options=None)
        wanted, found = self.raised(function, x), self.raised(program, x)
        assert (type(found), str(found)) == (type(wanted), str(wanted))

    def test_caught(self) -> None:
        """The refused operation is in no graph."""

        def function(x: Any) -> Any:
            try:
                return xp.sum(x, axis=7)
            except IndexError:
                return x + 1

        program = torch.compile(function, backend="eager")
        assert program(xp.ones(3)).tolist() == [2.0, 2.0, 2.0]

    def test_others(self) -> None:
        with pytest.raises(IndexError, match="Dimension out of range"):
            torch.compile(lambda x: torch.sum(x, dim=7), backend="eager")(torch.ones(3))
