"""Python floats that torch.compile treats as dynamic, and which then seem to have a data type."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import arrayapi_unify as unify
import arrayapi_unify.torch as xp

NAMES = (
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "pow", "atan2", "hypot",
    "copysign", "maximum", "minimum", "logaddexp", "equal", "not_equal", "less", "less_equal",
    "greater", "greater_equal",
)  # fmt: skip


def _dtype(name: str, first: bool) -> Any:
    args = (np.float32(2.0), 1.5) if first else (1.5, np.float32(2.0))
    return getattr(np, {"atan2": "arctan2", "pow": "power"}.get(name, name))(*args).dtype.name


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("first", [True, False])
def test_a_variable_float_promotes_as_a_float_does(first: bool) -> None:
    held = SimpleNamespace(value=0.0)

    def all_of_them(data: torch.Tensor) -> list[torch.Tensor]:
        x = xp.asarray(data)
        pairs = [(x, held.value) if first else (held.value, x)] * len(NAMES)
        calls = zip(NAMES, pairs, strict=True)
        return [getattr(unify, name)(*pair).data for name, pair in calls]

    compiled: Any = torch.compile(all_of_them, backend="eager", dynamic=True)
    data = torch.asarray([0.5, 2.0, 3.0])
    for held.value in (1.5, 2.5):
        found = dict(zip(NAMES, compiled(data), strict=True))
        assert {n: str(r.dtype).removeprefix("torch.") for n, r in found.items()} == {
            n: _dtype(n, first) for n in NAMES
        }
        numbers = (data.numpy(), np.float32(held.value))
        product = np.power(*(numbers if first else numbers[::-1]))
        np.testing.assert_allclose(found["pow"].numpy(), product, rtol=1e-6)
