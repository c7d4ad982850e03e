"""Replacements of torch.sinh and torch.cosh, which overflow too early."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import arrayapi_unify.torch as xp

VALUES = np.resize(np.asarray([710.0, -710.0, 1.0]), 4_099)
PAIRS = [("sinh", np.cosh), ("cosh", np.sinh)]


@pytest.mark.parametrize(("name", "slope"), PAIRS)
class TestHyperbolic:
    def test_derivative_is_finite(self, name: str, slope: Any) -> None:
        x = torch.tensor(VALUES, requires_grad=True)
        (getattr(xp, name)(xp.asarray(x)).data * 1e-300).sum().backward()  # type: ignore[no-untyped-call]  # theirs
        np.testing.assert_allclose(x.grad, slope(VALUES) * 1e-300, rtol=1e-13)

    def test_batches(self, name: str, slope: Any) -> None:
        function = getattr(xp, name)
        rows = torch.vmap(lambda row: function(xp.asarray(row)).data)(torch.tensor(VALUES)[None])
        np.testing.assert_allclose(rows[0], getattr(np, name)(VALUES), rtol=1e-13)
