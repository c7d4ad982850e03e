"""The benchmark of layers: both sides compute the same, and the report is written."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import layers
from tests.installed import INSTALLED

BACKENDS = [name for name in INSTALLED if name in layers.OWN]
SMALL = layers.Sizes(batch=2, channels=3, side=5, sequence=4, heads=2, width=3)


@pytest.mark.slow_on("jax")
@pytest.mark.parametrize("layer", layers.LAYERS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_both_sides_compute_the_same(backend: str, layer: str) -> None:
    for own, ours in layers.prepared(backend, layer, SMALL).values():
        wanted, found = own(), ours()
        pairs = zip(wanted, found, strict=True) if isinstance(found, list) else [(wanted, found)]
        for one, other in pairs:
            np.testing.assert_allclose(np.asarray(other), np.asarray(one), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS[:1])
def test_results(backend: str) -> None:
    results = layers.measure(backend, 1, SMALL)
    names = [f"{layer}, {way}" for layer in layers.LAYERS for way in ("forward", "backward")]
    assert [result.layer for result in results] == names
    assert all(result.ratio > 0 and result.native_ms > 0 for result in results)
