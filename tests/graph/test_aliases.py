"""B45 and B53 in graphs: arguments and results that share memory agree with NumPy.

Graphs are traced with arrays that share no memory and called with arrays that do, and the other way
round. `ARRAYAPI_UNIFY_MAX_EXAMPLES` sets the number of functions.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array, Container
from arrayapi_unify.graph import GraphError
from tests import aliases
from tests.installed import EAGER
from tests.views.state_machine import count

# A graph is traced for each memory layout there, and JAX compiles it.
ABSTRACT: list[str] = [name for name in ("jax", "tensorflow") if name in EAGER]


@pytest.fixture(params=EAGER)
def xp(request: pytest.FixtureRequest) -> ModuleType:
    found: ModuleType = unify.get_backend(request.param)
    return found


def _backend(xp: ModuleType) -> str:
    return xp.__unify_backend__


def _failures(xp: ModuleType, seed: int, group: str, traced: str) -> list[str]:
    """Trace a function with arguments of one memory layout, and call the graph with others."""
    ways, source = aliases.WAYS[group], aliases.random_source(group, seed)
    bases = [xp.ones(shape) for shape in ways[traced].bases]
    with suppress(GraphError):  # on PyTorch: see TestRefused
        graph = unify.compile_graph(aliases.function(source, xp), *ways[traced].arguments(*bases))
        return _differing(xp, seed, group, traced, graph)
    assert _backend(xp) == "torch"
    return []


def _differing(xp: ModuleType, seed: int, group: str, traced: str, graph: Any) -> list[str]:
    ways, source = aliases.WAYS[group], aliases.random_source(group, seed)
    names = sorted(ways)
    if _backend(xp) in ABSTRACT:
        names = random.Random(seed).sample(names, 3)
    found = []
    for name in names:
        different = aliases.differences(source, ways[name], xp, graph)
        found += [f"{source}{traced}, then {name}: {one}" for one in different]
    return found


@pytest.mark.slow_on("jax")
@pytest.mark.parametrize("group", aliases.WAYS)
def test_drawn_functions(xp: ModuleType, group: str) -> None:
    few = _backend(xp) in ABSTRACT
    failures: list[str] = []
    for seed in range(max(2, count(0.02 if few else 0.2))):
        traced = "one array twice" if seed % 2 and group != "of two shapes" else "apart"
        failures += _failures(xp, seed, group, traced)
    assert not failures, "\n".join(failures[:5])


def first_written(x: Any, y: Any) -> Any:
    x[0] = 100.0
    return y + 0.0


class TestArguments:
    """Arrays in nests and Containers, and Modules' variables, are arguments like others."""

    @pytest.mark.parametrize("view", [lambda x: x, lambda x: x[:2], lambda x: x[::-1]])
    def test_written_and_read(self, xp: ModuleType, view: Callable[[Any], Any]) -> None:
        x, reference = xp.asarray([1.0, 2.0, 3.0]), np.asarray([1.0, 2.0, 3.0])
        apart = xp.asarray(view(x), copy=True)
        graph = unify.compile_graph(first_written, x, apart)
        wanted = first_written(reference, view(reference))
        assert graph(x, view(x)).tolist() == wanted.tolist()
        assert x.tolist() == reference.tolist()
        assert apart.tolist() == view(np.asarray([1.0, 2.0, 3.0])).tolist()

    def test_in_nests(self, xp: ModuleType) -> None:
        def function(nest: Any) -> Any:
            nest["a"][0][1] = 7.0
            return nest["b"].c * 2.0

        x, y = xp.asarray([1.0, 2.0, 3.0]), xp.zeros(3)
        graph = unify.compile_graph(function, {"a": [x], "b": Container(c=y)})
        assert graph({"a": [x], "b": Container(c=x)}).tolist() == [2.0, 14.0, 6.0]
        assert graph({"a": [x], "b": Container(c=y)}).tolist() == [0.0, 0.0, 0.0]
        assert x.tolist() == [1.0, 7.0, 3.0]

    def test_variable_with_two_names(self, xp: ModuleType) -> None:
        class Tied(unify.Module):
            def __init__(self) -> None:
                self.first = unify.Linear(2, 2)
                self.second = self.first
                super().__init__()

            def _forward(self, x: Array) -> Array:
                return self.second(self.first(x))

        with unify.use_backend(_backend(xp)):
            net, x = Tied(), xp.asarray([[1.0, 2.0]])
            wanted = net(x).tolist()
            net.compile_graph(x)
            np.testing.assert_allclose(net(x).tolist(), wanted, 1e-14)
            net.v = net.v * 0.0
            assert net(x).tolist() == [[0.0, 0.0]]


class TestElsewhere:
    """A function captures an Array that shares memory with an argument that it writes to."""

    @pytest.mark.parametrize("holder", aliases.CAPTURED)
    @pytest.mark.parametrize("view", aliases.VIEWS)
    def test_written_and_read(self, xp: ModuleType, view: str, holder: str) -> None:
        c, reference = xp.asarray([1.0, 2.0, 3.0]), np.asarray([1.0, 2.0, 3.0])
        wanted = aliases.capturing(aliases.CAPTURED[holder], np, reference)
        apart = xp.ones(len(aliases.VIEWS[view](c)))
        function = aliases.capturing(aliases.CAPTURED[holder], xp, c)
        graph = unify.compile_graph(function, apart)
        for _ in range(2):
            found = graph(aliases.VIEWS[view](c))
            assert float(found) == float(wanted(aliases.VIEWS[view](reference)))
            assert c.tolist() == reference.tolist()
            reference[1] = 7.0
            c[1] = 7.0


class TestResults:
    """Results of a graph share memory like those of the untraced function."""

    def test_view_of_an_argument(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        graph = unify.compile_graph(lambda x: x[1:], x)
        for _ in range(2):
            graph(x)[0] += 10.0
        assert x.tolist() == [1.0, 22.0, 3.0]

    def test_reversed_view_of_an_argument(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        found = unify.compile_graph(lambda x: x[::-1], x)(x)
        found[0] = 9.0
        assert x.tolist() == [1.0, 2.0, 9.0]

    def test_argument_itself(self, xp: ModuleType) -> None:
        x, other = xp.asarray([1.0, 2.0, 3.0]), xp.zeros(3)
        found = unify.compile_graph(lambda x: x, x)(other)
        found[0] = 9.0
        assert other.tolist() == [9.0, 0.0, 0.0]
        assert x.tolist() == [1.0, 2.0, 3.0]

    def test_two_results(self, xp: ModuleType) -> None:
        def function(x: Array) -> Any:
            y = x * 2.0
            return y, y[1:], y

        x = xp.asarray([1.0, 2.0, 3.0])
        whole, part, again = unify.compile_graph(function, x)(x)
        part[0] = 9.0
        again[0] = 8.0
        assert whole.tolist() == [8.0, 9.0, 6.0] == again.tolist()
        assert x.tolist() == [1.0, 2.0, 3.0]

    def test_layout_of_a_result(self, xp: ModuleType) -> None:
        """NumPy copies an array that can't be reshaped to a view."""
        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
        found = unify.compile_graph(lambda x: (x * 1.0).T, x)(x)
        flat = xp.reshape(found, (-1,))
        flat[0] = 9.0
        assert found.tolist() == [[1.0, 3.0], [2.0, 4.0]]

    def test_layout_of_an_argument(self, xp: ModuleType) -> None:
        def function(x: Array) -> Array:
            flat = xp.reshape(x, (-1,))
            flat[0] = 9.0
            return unify.sum(x)

        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
        graph = unify.compile_graph(function, x)
        assert float(graph(x.T)) == 10.0
        assert float(graph(x)) == 18.0
        assert x.tolist() == [[9.0, 2.0], [3.0, 4.0]]
