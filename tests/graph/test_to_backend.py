"""`Graph.to_backend`: a graph traced on one backend gives the same on every other one."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.graph import GraphError
from tests.graph.functions import FUNCTIONS, arguments
from tests.installed import EAGER
from tests.tables import each

PAIRS = [(a, b) for a in EAGER for b in EAGER if a != b]
# A function of each framework without an equivalent of ours.
FOREIGN = {
    "numpy": "sinc", "torch": "erfinv", "tensorflow": "math.softsign", "jax": "nn.soft_sign",
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
@pytest.mark.parametrize("backend", EAGER)
class TestGraphs:
    def test_equal_eager(self, backend: str, name: str) -> None:
        function = FUNCTIONS[name]
        wanted = leaves(function(*map(unify.asarray, arguments())))
        found = leaves(unify.compile_graph(function, *given(backend))(*given(backend)))
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert one.backend == backend
            np.testing.assert_allclose(unify.to_numpy(one), unify.to_numpy(other), 1e-12, 1e-13)


@pytest.mark.slow
@each("source, target", PAIRS)
@each("name", FUNCTIONS)
def test_to_backend(source: str, target: str, name: str) -> None:
    function = FUNCTIONS[name]
    wanted = leaves(function(*map(unify.asarray, arguments())))
    ported = unify.compile_graph(function, *given(source)).to_backend(target)
    found = leaves(ported(*given(target)))
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert one.backend == target
        np.testing.assert_allclose(unify.to_numpy(one), unify.to_numpy(other), 1e-12, 1e-13)


@pytest.mark.parametrize("backend", EAGER)
def test_lists_native_calls_without_counterpart(backend: str) -> None:
    module: Any = importlib.import_module(backend)
    for part in FOREIGN[backend].split("."):
        module = getattr(module, part)
    x = unify.get_backend(backend).asarray([0.25, 0.5])
    graph = unify.compile_graph(lambda x: unify.asarray(module(x.data)) + x, x)
    other = next(name for name in EAGER if name != backend)
    name = {"numpy": "numpy.sinc", "torch": "torch.erfinv"}.get(backend, r"(jax\.lax|tf\.raw_ops)")
    with pytest.raises(GraphError, match=rf"functions of {backend} .*{name}"):
        graph.to_backend(other)


@pytest.mark.parametrize("backend", [name for name in ("numpy", "torch") if name in EAGER])
def test_native_calls_with_a_counterpart(backend: str) -> None:
    library: Any = importlib.import_module(backend)
    x = unify.get_backend(backend).asarray([0.25, 0.5])
    graph = unify.compile_graph(lambda x: library.exp(library.sin(x)) * x + 1.0, x.data)
    other = next(name for name in EAGER if name != backend)
    found = graph.to_backend(other)(unify.get_backend(other).asarray([0.25, 0.5]).data)
    values = np.asarray([0.25, 0.5])
    np.testing.assert_allclose(unify.to_numpy(found), np.exp(np.sin(values)) * values + 1, 1e-14)


def test_refuses_other_shapes() -> None:
    ported = unify.compile_graph(lambda x: x / x.shape[0], unify.asarray([1.0, 2.0]))
    on_other = ported.to_backend(EAGER[-1])
    xp = unify.get_backend(EAGER[-1])
    with pytest.raises(GraphError, match=r"shape \(3,\)"):
        on_other(xp.asarray([1.0, 2.0, 3.0]))
