"""A graph traced on one backend gives the same on each other one: `Graph.to_backend`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.conftest import INSTALLED
from tests.graph.functions import FUNCTIONS, arguments

PAIRS = [(a, b) for a in INSTALLED for b in INSTALLED if a != b]
SINES = {
    "numpy": ("numpy", "fft.fftshift"), "torch": ("torch", "erfinv"),
    "tensorflow": ("tensorflow", "math.softsign"), "jax": ("jax.numpy", "sinc"),
}  # fmt: skip


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


def given(backend: str) -> list[Any]:
    xp = unify.get_backend(backend)
    return [xp.asarray(x) for x in arguments()]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("backend", INSTALLED)
class TestGraphs:
    def test_equal_eager(self, backend: str, name: str) -> None:
        function = FUNCTIONS[name]
        wanted = leaves(function(*map(unify.asarray, arguments())))
        found = leaves(unify.compile_graph(function, *given(backend))(*given(backend)))
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert one.backend == backend
            np.testing.assert_allclose(unify.to_numpy(one), unify.to_numpy(other), 1e-12, 1e-13)


@pytest.mark.parametrize(("source", "target"), PAIRS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_to_backend(source: str, target: str, name: str) -> None:
    function = FUNCTIONS[name]
    wanted = leaves(function(*map(unify.asarray, arguments())))
    ported = unify.compile_graph(function, *given(source)).to_backend(target)
    found = leaves(ported(*given(target)))
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert one.backend == target
        np.testing.assert_allclose(unify.to_numpy(one), unify.to_numpy(other), 1e-12, 1e-13)
