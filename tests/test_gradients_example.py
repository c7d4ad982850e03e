"""The worked example of gradients: the same numbers on every backend, and on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from docs import gradients as example
from tests.functional.differentiating import DIFFERENTIATING

BOTH = [(name, None) for name in DIFFERENTIATING] + [("numpy", name) for name in DIFFERENTIATING]
X = np.linspace(-1.0, 1.0, 9)
Y = 2 - X + 3 * X**2


def by_numpy() -> dict[str, Any]:
    """The same, by explicit formulas."""
    powers = np.stack([np.ones(9), X, X**2])
    v, m, s = np.zeros(3), np.zeros(3), np.zeros(3)
    for step in range(1, 101):
        g = 2 * powers @ (v @ powers - Y) / 9
        m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g * g
        v = v - 0.3 * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)
    x = np.asarray([-1.0, 0.5, 20.0])
    return {
        "fit": v,
        "with_rule": 2 * np.log1p(np.exp(x)) / (1 + np.exp(-x)),
        "curvature": [[802.0, -400.0], [-400.0, 200.0]],
        "rows": 2 * powers * (1 + 2 * X**2 - Y),
    }


@pytest.mark.slow_on("jax")
@pytest.mark.parametrize(("backend", "via"), BOTH)
def test_numbers(backend: str, via: str | None) -> None:
    found, wanted = example.run(backend, via), by_numpy()
    for name in ("with_rule", "curvature"):
        assert found[name].backend == backend
        np.testing.assert_allclose(np.asarray(found[name]), wanted[name], rtol=1e-12)
    for name in ("fit", "rows"):
        for i, key in enumerate("abc"):
            assert found[name][key].backend == backend
            np.testing.assert_allclose(
                np.asarray(found[name][key]), wanted[name][i], rtol=1e-9, atol=1e-12
            )
