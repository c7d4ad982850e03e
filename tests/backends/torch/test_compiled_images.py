"""Images in compiled functions: their order in memory, and the largest elements of windows."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify

torch: Any = pytest.importorskip("torch")
xp: Any = importlib.import_module("arrayapi_unify.torch")

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning"),
    pytest.mark.slow,  # inductor compiles each program in seconds
]


@pytest.fixture
def patches(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The order of channels that inductor may take, where it returns the graph as it is."""
    given: list[Any] = []

    def compile_fx(graph: Any, _: Any, config_patches: Any, **options: Any) -> Any:
        given.append(config_patches.get("layout_optimization"))
        return graph.forward

    module = importlib.import_module("torch._inductor.compile_fx")
    monkeypatch.setattr(module, "compile_fx", compile_fx)
    torch.compiler.reset()
    return given


def _convolved(name: str, data_format: str) -> Any:
    def apply(x: Any, w: Any) -> Any:
        found = getattr(unify, name)(x, w, padding=1, data_format=data_format)
        return unify.sum(unify.relu(found))

    return apply


@pytest.mark.parametrize("derived", [False, True])
@pytest.mark.parametrize("data_format", ["channels_last", "channels_first"])
@pytest.mark.parametrize("name", ["conv2d", "conv2d_transpose"])
def test_channels_that_are_last_stay_so(
    patches: list[Any], name: str, data_format: str, derived: bool
) -> None:
    x, w = xp.ones((2, 4, 4, 4)), xp.ones((3, 3, 4, 2))
    function = _convolved(name, data_format)
    made = unify.compile(unify.grad(function) if derived else function)
    for _ in range(2):  # a function with a derivative runs once before it is compiled
        made(x, w)
    last = data_format == "channels_last"
    assert patches == [False if last else None]


def test_a_convolution_of_pytorch_may_name_its_arguments(patches: list[Any]) -> None:
    def apply(x: Any, w: Any) -> Any:
        return xp.asarray(torch.conv2d(input=x._data, weight=w._data))

    x, w = xp.ones((2, 4, 4, 4)), xp.ones((2, 4, 3, 3))
    np.testing.assert_array_equal(np.asarray(unify.compile(apply)(x, w)), 36.0)
    assert patches == [None]


_PLACES = {
    "ties": [0.0, 0.0, 0.0, -0.0],
    "negative": [-3.0, -1.0, -2.0, -1.0],
    "infinite": [-np.inf, -np.inf, np.inf, np.inf],
    "NaN": [np.nan, 1.0, np.nan, 2.0],
}


def _theirs(x: Any, window: Any, cotangent: Any) -> tuple[Any, Any]:
    """Values and gradient of PyTorch's own kernel, whose channels are the second axis."""
    native = torch.tensor(np.asarray(x)).movedim(-1, 1).requires_grad_()
    kernel = getattr(torch.nn.functional, f"max_pool{native.ndim - 2}d")
    found = kernel(native, window)
    (found.movedim(1, -1) * torch.tensor(np.asarray(cotangent))).sum().backward()
    return found.detach().movedim(1, -1).numpy(), native.grad.movedim(1, -1).numpy()


def _check(x: Any, window: Any, **options: Any) -> None:
    rank = x.ndim - 2
    pool = getattr(unify, f"max_pool{rank}d")
    shape = pool(xp.asarray(x), window).shape
    cotangent = np.arange(1.0, 1 + np.prod(shape)).reshape(shape).astype(x.dtype)

    def loss(x: Any, cotangent: Any) -> Any:
        found = pool(x, window)
        return unify.sum(found * cotangent), found

    made = unify.compile(unify.value_and_grad(loss, has_aux=True), **options)
    for _ in range(2):  # a function with a derivative runs once before it is compiled
        (_, found), grads = made(xp.asarray(x), xp.asarray(cotangent))
    values, wanted = _theirs(x, window, cotangent)
    np.testing.assert_array_equal(np.asarray(found), values)
    np.testing.assert_array_equal(np.asarray(grads), wanted)


@pytest.mark.parametrize("name", _PLACES)
def test_of_equal_elements_the_first_counts_and_of_nan_the_last(name: str) -> None:
    _check(np.array(_PLACES[name]).reshape(1, 2, 2, 1), 2)


@pytest.mark.parametrize(
    ("shape", "window"),
    [
        ((2, 5, 3), 2), ((2, 7, 5, 3), 2), ((2, 7, 6, 3), (2, 3)), ((2, 4, 5, 4, 3), 2),
        ((2, 7, 7, 3), 3),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_compiled_windows_are_as_pytorchs(shape: tuple[int, ...], window: Any, dtype: str) -> None:
    x = np.random.default_rng(0).integers(-3, 3, shape).astype(dtype)
    _check(x, window)


def test_one_program_pools_images_of_several_sizes() -> None:
    made = unify.compile(lambda x: unify.max_pool2d(x, 2), dynamic=True)
    for size in (6, 9):
        x = np.random.default_rng(size).standard_normal((2, size, size, 3))
        found = made(xp.asarray(x))
        wanted = torch.nn.functional.max_pool2d(torch.tensor(x).movedim(-1, 1), 2).movedim(1, -1)
        np.testing.assert_array_equal(np.asarray(found), wanted.numpy())
