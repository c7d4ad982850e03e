"""Layers of `torch.nn`, from which `Module.from_torch` makes ours, with shapes of inputs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

torch = pytest.importorskip("torch")
nn = torch.nn

__all__ = ["CASES", "Case", "randomized"]


@dataclass
class Case:
    """A layer, the shapes of its arguments, and whether training changes the result."""

    make: Callable[[], Any]
    shapes: tuple[tuple[int, ...], ...]
    training: bool = True
    # The arguments as the layer takes them, of arrays of these shapes.
    gather: Callable[..., tuple[Any, ...]] = lambda *xs: xs
    # PyTorch's further arguments, and ours, that aren't differentiated.
    options: dict[str, Any] = field(default_factory=dict)
    ours: dict[str, Any] = field(default_factory=dict)


def _windows(
    name: str, *args: Any, spatial: tuple[int, ...] = (12, 9, 8), **options: Any
) -> dict[str, Case]:
    """The layers for one, two and three spatial axes."""
    return {
        f"{name}{axes}d{' ' if options else ''}{', '.join(options)}": Case(
            lambda axes=axes: getattr(nn, f"{name}{axes}d")(*args, **options),  # type: ignore[misc]  # a lambda's default
            ((2, 4, *spatial[:axes]),),
        )
        for axes in (1, 2, 3)
    }


# Each element attends to itself and those before it; true in PyTorch's masks hides an element.
SEEN = torch.ones(5, 5, dtype=torch.bool).tril()

CASES: dict[str, Case] = {
    **_windows("MaxPool", 3),
    **_windows("MaxPool", 3, stride=2, padding=1, dilation=2),
    **_windows("AvgPool", 2),
    **_windows("AvgPool", 3, stride=2, padding=1, count_include_pad=False),
    **_windows("AdaptiveAvgPool", 3),
    **_windows("AdaptiveMaxPool", 3),
    "Upsample nearest": Case(
        lambda: nn.Upsample(scale_factor=(2, 3)), ((2, 3, 4, 5),)
    ),
    "Upsample linear": Case(lambda: nn.Upsample(scale_factor=3, mode="linear"), ((2, 3, 5),)),
    "Upsample bilinear": Case(
        lambda: nn.Upsample(scale_factor=(2, 3), mode="bilinear"), ((2, 3, 4, 5),)
    ),
    "Upsample trilinear": Case(
        lambda: nn.Upsample(scale_factor=2, mode="trilinear"), ((1, 2, 3, 2, 4),)
    ),
    "Upsample bicubic": Case(
        lambda: nn.Upsample(scale_factor=2, mode="bicubic"), ((2, 3, 4, 5),)
    ),
    "Flatten": Case(nn.Flatten, ((2, 3, 4, 5),)),
    "Flatten some axes": Case(lambda: nn.Flatten(-3, 2), ((2, 3, 4, 5),)),
    "Identity": Case(nn.Identity, ((2, 3),)),
    "GroupNorm": Case(lambda: nn.GroupNorm(2, 4), ((3, 4, 5, 2),)),
    "GroupNorm without factors": Case(
        lambda: nn.GroupNorm(2, 4, eps=1e-3, affine=False), ((3, 4, 5),)
    ),
    **_windows("InstanceNorm", 4),
    **_windows("InstanceNorm", 4, affine=True),
    "LayerNorm": Case(lambda: nn.LayerNorm((3, 4), eps=1e-3), ((2, 3, 4),)),
    "LayerNorm without offset": Case(lambda: nn.LayerNorm(4, bias=False), ((3, 4),)),
    "RMSNorm": Case(lambda: nn.RMSNorm((3, 4)), ((2, 3, 4),)),
    "RMSNorm without factors": Case(
        lambda: nn.RMSNorm(4, eps=1e-3, elementwise_affine=False), ((2, 3, 4),)
    ),
    "BatchNorm2d": Case(lambda: nn.BatchNorm2d(3, momentum=0.3), ((4, 3, 2, 3),)),
    **_windows("BatchNorm", 4, eps=1e-3),
    "GroupNorm of volumes": Case(lambda: nn.GroupNorm(2, 4), ((2, 4, 12, 9, 8),)),
    "LayerNorm of many": Case(lambda: nn.LayerNorm(256), ((16, 256),)),
    "RMSNorm of many": Case(lambda: nn.RMSNorm(256), ((16, 256),)),
    "LSTM long": Case(lambda: nn.LSTM(16, 32, batch_first=True), ((8, 20, 16),)),
    "GRU long": Case(lambda: nn.GRU(16, 32, batch_first=True), ((8, 20, 16),)),
    "RNN long": Case(lambda: nn.RNN(16, 32, batch_first=True), ((8, 20, 16),)),
    "TransformerEncoderLayer wide": Case(
        lambda: nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True), ((4, 20, 32),)
    ),
    **_windows("ConvTranspose", 4, 6, 3),
    **_windows(
        "ConvTranspose", 4, 6, 3, stride=2, padding=2, output_padding=1, groups=2, dilation=2,
        bias=False,
    ),
    "RNN": Case(lambda: nn.RNN(3, 4, 2, batch_first=True), ((16, 5, 3), (2, 16, 4))),
    "RNN relu": Case(
        lambda: nn.RNN(3, 4, nonlinearity="relu", bias=False, batch_first=True), ((16, 5, 3),)
    ),
    "GRU": Case(lambda: nn.GRU(3, 4, batch_first=True), ((16, 5, 3),)),
    "LSTM": Case(
        lambda: nn.LSTM(3, 4, batch_first=True), ((16, 5, 3), (1, 16, 4), (1, 16, 4)),
        gather=lambda x, h, c: (x, (h, c)),
    ),
    "RNNCell": Case(lambda: nn.RNNCell(3, 4), ((16, 3), (16, 4))),
    "RNNCell relu": Case(
        lambda: nn.RNNCell(3, 4, bias=False, nonlinearity="relu"), ((16, 3),)
    ),
    "GRUCell": Case(lambda: nn.GRUCell(3, 4), ((16, 3), (16, 4))),
    "GRUCell from zeros": Case(lambda: nn.GRUCell(3, 4, bias=False), ((16, 3),)),
    "LSTMCell": Case(
        lambda: nn.LSTMCell(3, 4), ((16, 3), (16, 4), (16, 4)),
        gather=lambda x, h, c: (x, (h, c)),
    ),
    "LSTMCell from zeros": Case(lambda: nn.LSTMCell(3, 4, bias=False), ((16, 3),)),
    "TransformerEncoderLayer": Case(
        lambda: nn.TransformerEncoderLayer(8, 2, 12, dropout=0.0, batch_first=True), ((3, 5, 8),)
    ),
    "TransformerEncoderLayer pre-norm": Case(
        lambda: nn.TransformerEncoderLayer(
            8, 2, 12, 0.1, "gelu", 1e-3, batch_first=True, norm_first=True, bias=False
        ),
        ((3, 5, 8),), training=False, options={"src_mask": ~SEEN}, ours={"mask": SEEN},
    ),
    "TransformerEncoder": Case(
        lambda: nn.TransformerEncoder(
            nn.TransformerEncoderLayer(8, 2, 12, 0.0, batch_first=True), 2, nn.LayerNorm(8),
            enable_nested_tensor=False,
        ),
        ((3, 5, 8),), options={"mask": ~SEEN}, ours={"mask": SEEN},
    ),
    "TransformerEncoder without norm": Case(
        lambda: nn.TransformerEncoder(
            nn.TransformerEncoderLayer(8, 4, 12, 0.0, batch_first=True, norm_first=True), 2,
            enable_nested_tensor=False,
        ),
        ((3, 5, 8),),
    ),
}  # fmt: skip


def randomized(case: Case, generator: Any) -> Any:
    """The layer in float64, with numbers of float32 in all parameters."""
    layer = case.make().double().train(case.training)
    with torch.no_grad():
        for parameter in layer.parameters():
            shape = tuple(parameter.shape)
            size = math.prod(shape[1:]) ** -0.5  # of sums as large as what is added up
            numbers = torch.from_numpy(generator.normal(scale=size, size=shape))
            parameter.copy_(numbers.float().double())
    return layer
