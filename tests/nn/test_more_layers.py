"""Layers beside PyTorch's: other data formats, constructors, blocks of a ResNet, and refusals."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Module
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import INSTALLED
from tests.nn.networks import make_key
from tests.nn.torch_table import CASES, nn, randomized, torch
from tests.numbers import generator

every = pytest.mark.parametrize("backend", INSTALLED)
RNG = generator(9)
# Layers with a position of the channels, of two spatial axes.
PLACED = [
    name
    for name, case in CASES.items()
    if len(case.shapes[0]) == 4
    and {"data_format", "axis"} & vars(Module.from_torch(case.make())).keys()
]


def close(ours: Any, expected: Any) -> None:
    np.testing.assert_allclose(unify.to_numpy(ours), expected, rtol=1e-11, atol=1e-13)


def given(backend: str, values: Any) -> Any:
    return unify.get_backend(backend).asarray(values)


@pytest.mark.parametrize("name", PLACED)
@every
def test_channels_last(name: str, backend: str) -> None:
    """The reference is PyTorch's layer with the channels moved."""
    theirs = randomized(CASES[name], generator(7))
    ours = Module.from_torch(theirs).to_backend(backend)
    if hasattr(ours, "axis"):
        ours.axis = -1
    else:
        ours.data_format = "channels_last"
    x = RNG.normal(size=CASES[name].shapes[0])
    expected = theirs(torch.from_numpy(x)).detach().numpy()
    close(ours(given(backend, np.moveaxis(x, 1, -1))), np.moveaxis(expected, 1, -1))


@every
class TestGlobalPooling:
    @pytest.mark.parametrize("spatial", [(5,), (4, 3), (2, 3, 2)])
    def test_reduces_all_spatial_axes(self, backend: str, spatial: tuple[int, ...]) -> None:
        x = RNG.normal(size=(2, *spatial, 3))
        axes = tuple(range(1, x.ndim - 1))
        close(unify.GlobalAvgPool()(given(backend, x)), x.mean(axes))
        close(unify.GlobalMaxPool(keepdims=True)(given(backend, x)), x.max(axes, keepdims=True))
        first = unify.GlobalMaxPool(data_format="channels_first")
        close(first(given(backend, np.moveaxis(x, -1, 1))), x.max(axes))


@every
class TestResidual:
    def test_adds_the_argument_or_what_the_shortcut_makes_of_it(self, backend: str) -> None:
        x = given(backend, [1.0, -2.0])
        assert unify.Residual(unify.square)(x).tolist() == [2.0, 2.0]
        assert unify.Residual(unify.square, unify.relu)(x).tolist() == [2.0, 4.0]

    def test_variables_have_the_names_of_the_layers(self, backend: str) -> None:
        key = make_key(backend)
        block = unify.Residual(unify.Linear(2, 3, key=key), unify.Linear(2, 3, key=key))
        assert list(block.v.key_chains()) == ["layer/w", "layer/b", "shortcut/w", "shortcut/b"]


class Block(nn.Module):
    """The block of He et al., written in PyTorch."""

    def __init__(self, taken: int, given: int) -> None:
        super().__init__()
        self.layer = nn.Sequential(
            nn.Conv2d(taken, given, 3, 2, 1, bias=False), nn.BatchNorm2d(given), nn.ReLU(),
            nn.Conv2d(given, given, 3, 1, 1, bias=False), nn.BatchNorm2d(given),
        )  # fmt: skip
        self.shortcut = nn.Conv2d(taken, given, 1, 2, bias=False)

    def forward(self, x: Any) -> Any:
        return torch.relu(self.shortcut(x) + self.layer(x))


class TestResNet:
    """A block as a Residual: its parts from PyTorch, and all of it to PyTorch and back."""

    @pytest.mark.slow_on("jax")
    @every
    def test_block(self, backend: str) -> None:
        theirs = Block(2, 4).double()
        parts = (Module.from_torch(part) for part in (theirs.layer, theirs.shortcut))
        block = unify.Sequential(unify.Residual(*parts), unify.relu)
        ours = Module.from_torch(block.to_torch()).to_backend(backend)
        x = RNG.normal(size=(3, 2, 6, 6))
        for mode in (True, False):
            ours.train(mode)
            expected = theirs.train(mode)(torch.from_numpy(x)).detach().numpy()
            close(ours(given(backend, x)), expected)

    def test_to_torch_has_layers_of_torch(self) -> None:
        theirs = Block(2, 4).double().eval()
        parts = (Module.from_torch(part) for part in (theirs.layer, theirs.shortcut))
        back = unify.Residual(*parts).eval().to_torch()
        assert isinstance(back.shortcut, nn.Conv2d)
        assert back.state_dict().keys() == theirs.state_dict().keys()
        x = torch.from_numpy(RNG.normal(size=(3, 2, 6, 6)))
        assert torch.equal(torch.relu(back(x)), theirs(x))

    def test_residual_functions_and_shared_weights(self) -> None:
        layer = unify.Linear(3, 3, key=make_key("torch"))
        back = unify.Residual(unify.Sequential(layer, unify.tanh), layer).to_torch()
        assert back.layer[0] is back.shortcut
        assert unify.Residual(unify.relu).to_torch().shortcut is None
        again = Module.from_torch(back)
        assert list(again.v.key_chains()) == ["layer/0/w", "layer/0/b"]

    def test_layers_within_others_have_weights_of_their_own(self) -> None:
        """Linear layers of a Module that `torch.nn` has in another form aren't looked for."""
        key = make_key("torch")
        net = unify.Sequential(unify.MultiHeadAttention(4, 2, key=key), unify.Linear(4, 2, key=key))
        assert isinstance(net.to_torch()[0], nn.MultiheadAttention)


class TestRoundTripsThatDiffer:
    """Layers that `torch.nn` lacks become a `torch.nn.Module` that calls ours."""

    @pytest.mark.parametrize(
        "make",
        [
            lambda: unify.MaxPool2D(2), lambda: unify.AvgPool2D(3, padding="SAME"),
            lambda: unify.MaxPool2D(3, padding=2, data_format="channels_first"),
            lambda: unify.AdaptiveMaxPool2D(2), lambda: unify.GlobalAvgPool(),
            lambda: unify.Upsample(2, mode="linear", data_format="channels_first"),
            lambda: unify.GroupNorm(2, 4), lambda: unify.InstanceNorm(4),
            lambda: unify.Conv2DTranspose(4, 2, 3),
            lambda: unify.Conv2DTranspose(4, 2, 3, padding="SAME", data_format="channels_first"),
        ],
    )  # fmt: skip
    def test_wrapped(self, make: Callable[[], Any]) -> None:
        with unify.use_backend("torch"):
            ours = make()
        x = torch.from_numpy(RNG.normal(size=(2, 4, 4, 4)))
        theirs = ours.to_torch()
        assert type(theirs).__name__ == "Wrapped"
        close(theirs(x), ours(x))

    @pytest.mark.parametrize(
        "make",
        [
            lambda: unify.MaxPool2D(2, padding="VALID", data_format="channels_first"),
            lambda: unify.AvgPool2D(3, strides=1, padding=1, data_format="channels_first"),
            lambda: unify.Conv2DTranspose(4, 2, 3, data_format="channels_first"),
            lambda: unify.Conv2D(4, 2, 3, data_format="channels_first"),
            lambda: unify.Upsample(2, data_format="channels_first"),
            lambda: unify.RMSNorm(4),
        ],
    )
    def test_defaults_of_ours(self, make: Callable[[], Any]) -> None:
        with unify.use_backend("torch"):
            ours = make()
        x = torch.from_numpy(RNG.normal(size=(2, 4, 4, 4)))
        theirs = ours.to_torch()
        assert type(theirs).__module__.startswith("torch.nn.modules.")
        close(theirs(x).detach(), ours(x))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: nn.MaxPool2d(2, ceil_mode=True), "ceil_mode=True"),
        (lambda: nn.MaxPool1d(2, return_indices=True), "return_indices=True"),
        (lambda: nn.AvgPool2d(2, divisor_override=3), "divisor_override=3"),
        (lambda: nn.AdaptiveAvgPool2d((2, None)), "output_size=(2, None)"),
        (lambda: nn.AdaptiveMaxPool2d(2, return_indices=True), "return_indices=True"),
        (lambda: nn.Upsample(size=4), "size=4"),
        (lambda: nn.Upsample(scale_factor=1.5), "scale_factor=1.5"),
        (lambda: nn.Upsample(scale_factor=2, mode="nearest-exact"), "mode='nearest-exact'"),
        (lambda: nn.Upsample(scale_factor=2, mode="linear", align_corners=True), "align_corners"),
        (lambda: nn.InstanceNorm1d(3, track_running_stats=True), "track_running_stats=True"),
        (lambda: nn.GELU(approximate="tanh"), "approximate='tanh'"),
        (lambda: nn.ELU(2.0), "alpha=2.0"),
    ],
)
def test_options_that_ours_lack(make: Callable[[], Any], told: str) -> None:
    with pytest.raises(UnifyValueError, match=re.escape(told)):
        Module.from_torch(make())


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: unify.MaxPool2D(0), "MaxPool2D: argument 'kernel_size' is 0"),
        (lambda: unify.MaxPool2D(2.5), "MaxPool2D: argument 'kernel_size' is 2.5"),
        (lambda: unify.AvgPool1D((2, 2)), "AvgPool1D: argument 'kernel_size' is (2, 2)"),
        (lambda: unify.AdaptiveAvgPool2D("2"), "AdaptiveAvgPool2D: argument 'output_size'"),
        (lambda: unify.GlobalMaxPool(data_format="last"), "GlobalMaxPool: argument 'data_format'"),
        (lambda: unify.Upsample(0), "Upsample: argument 'factor' is 0"),
        (lambda: unify.Upsample((2, 2))(unify.ones((1, 3, 1))), "Upsample: argument 'x' has 1"),
        (lambda: unify.Flatten(1.0), "Flatten: argument 'start_axis' is 1.0"),
        (lambda: unify.Flatten(2, 1)(unify.ones((2, 2, 2))), "Flatten: argument 'x' has shape"),
        (lambda: unify.Residual(3), "Residual: argument 'layer' is 3"),
        (lambda: unify.Residual(unify.relu, 3), "Residual: argument 'shortcut' is 3"),
        (lambda: unify.GroupNorm(2, 3), "GroupNorm: argument 'num_groups' is 2"),
        (lambda: unify.InstanceNorm(0), "InstanceNorm: argument 'features' is 0"),
        (lambda: unify.RMSNorm(3)(unify.ones((2, 4))), "RMSNorm: argument 'x' has shape (2, 4)"),
        (lambda: unify.RMSNorm(2.0), "RMSNorm: argument 'normalized_shape' is 2.0"),
        (lambda: unify.Conv1DTranspose(3, 4, 2, groups=2), "Conv1DTranspose: argument 'groups'"),
        (lambda: unify.Conv2D(3, 4, 2.0), "Conv2D: argument 'kernel_size' is 2.0"),
    ],
)
def test_what_does_not_fit(make: Callable[[], Any], told: str) -> None:
    with pytest.raises((UnifyTypeError, UnifyValueError), match=re.escape(told)):
        make()


def test_reprs_name_what_differs_from_the_defaults() -> None:
    assert repr(unify.MaxPool2D(2, strides=1)) == "MaxPool2D((2, 2), strides=1)"
    assert repr(unify.AvgPool1D(3, count_padding=True)) == "AvgPool1D((3,), count_padding=True)"
    assert repr(unify.GlobalAvgPool(keepdims=True)) == "GlobalAvgPool(keepdims=True)"
    assert repr(unify.Upsample((2, 1), mode="cubic")) == "Upsample((2, 1), mode='cubic')"
    assert repr(unify.Flatten(0)) == "Flatten(start_axis=0)"
    assert repr(unify.InstanceNorm(3)) == "InstanceNorm(3)"
    transposed = unify.Conv1DTranspose(1, 2, 3, output_padding=1, strides=2)
    assert repr(transposed).startswith(
        "Conv1DTranspose(1, 2, (3,), strides=2, output_padding=1)  w"
    )


def test_rms_norm_without_eps_takes_that_of_the_data_type() -> None:
    x = np.asarray([[1e-8, 0.0]])
    expected = x / np.sqrt((x * x).mean(-1, keepdims=True) + np.finfo("float64").eps)
    close(unify.RMSNorm(2, eps=None)(unify.asarray(x)), expected)
    close(unify.RMSNorm(2, eps=None)(unify.asarray([[3, 3]])), [[1.0, 1.0]])
