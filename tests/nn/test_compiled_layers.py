"""Compiled layers give the results of PyTorch's, as they do before compilation."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Module
from tests.installed import DIFFERENTIATING, INSTALLED
from tests.nn.test_against_torch import drawn, outputs
from tests.nn.torch_table import CASES, torch

NAMES = [
    "MaxPool2d stride, padding, dilation", "AdaptiveAvgPool2d", "Upsample bilinear", "Flatten",
    "GroupNorm", "InstanceNorm2d affine", "RMSNorm", "RNN", "LSTMCell",
    "ConvTranspose2d stride, padding, output_padding, groups, dilation, bias",
    "TransformerEncoder",
]  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch skips code generation, which is slow."""
    if "torch" in INSTALLED:
        module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
        compiled = functools.partial(module.compiled, backend="eager")
        monkeypatch.setattr(module, "compiled", compiled)


@pytest.mark.slow_on("torch")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("backend", DIFFERENTIATING)
def test_layers(name: str, backend: str) -> None:
    case = CASES[name]
    layer, xs = drawn(case, 7)
    theirs = outputs(layer(*case.gather(*map(torch.tensor, xs)), **case.options))
    xp = unify.get_backend(backend)
    net: Any = Module.from_torch(layer).to_backend(backend).compile()
    options = {name: xp.asarray(value.numpy()) for name, value in case.ours.items()}
    found = outputs(net(*case.gather(*map(xp.asarray, xs)), **options))
    for x, y in zip(found, theirs, strict=True):
        np.testing.assert_allclose(unify.to_numpy(x), y.detach().numpy(), rtol=1e-10, atol=1e-12)
