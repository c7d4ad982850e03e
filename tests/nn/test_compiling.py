"""B27: compiled Modules give the same results as before compilation.

The reference is the network written by hand in NumPy.
"""

from __future__ import annotations

import copy
import functools
import importlib
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.installed import EAGER, INSTALLED

VALUES = np.asarray([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]])


class Network(unify.Module):
    def __init__(self) -> None:
        self._layer = unify.Linear(3, 3, key=unify.random.key(0))
        self._norm = unify.BatchNorm(3, momentum=0.5)
        super().__init__()

    def _forward(self, x: Any) -> Any:
        return unify.tanh(self._norm(self._layer(x)))


def by_hand(net: Network, x: Any) -> Any:
    """The network in training, with NumPy's functions only."""
    v = {name: np.asarray(unify.to_numpy(leaf)) for name, leaf in flat(net).items()}
    y = x @ v["_layer/w"].T + v["_layer/b"]
    y = (y - y.mean(0)) / np.sqrt(y.var(0) + 1e-5)
    return np.tanh(y * v["_norm/scale"] + v["_norm/offset"])


def flat(net: Network) -> dict[str, Any]:
    return {f"{layer}/{name}": leaf for layer, part in net.v.items() for name, leaf in part.items()}


@pytest.fixture(params=EAGER)
def net(request: pytest.FixtureRequest) -> Network:
    return Network().to_backend(request.param)


@pytest.fixture(params=["graph", "compile"])
def change(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that compiles a network; PyTorch skips code generation, which is slow."""
    if "torch" in INSTALLED:
        module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
        quick = functools.partial(module.compiled, backend="eager")
        monkeypatch.setattr(module, "compiled", quick)
    if request.param == "graph":
        return lambda net, x: net.compile_graph(x)
    return lambda net, x: net.compile()


def argument(net: Network, values: Any = VALUES) -> Any:
    return net.v["_layer/w"].__array_namespace__().asarray(values)


@pytest.mark.slow_on("torch")
class TestCompiledModules:
    def test_values_before_and_after(self, net: Network, change: Any) -> None:
        x = argument(net)
        expected = by_hand(net, VALUES)
        np.testing.assert_allclose(unify.to_numpy(net(x)), expected, rtol=1e-12)
        change(net, x)
        np.testing.assert_allclose(unify.to_numpy(net(x)), expected, rtol=1e-12)
        assert net(x).backend == x.backend

    def test_buffers_are_those_of_the_call(self, net: Network, change: Any) -> None:
        x = argument(net)
        w, b = (unify.to_numpy(net.v["_layer"][name]) for name in "wb")
        mean = (VALUES @ w.T + b).mean(0)
        change(net, x)
        before = unify.to_numpy(net.buffers["_norm/running_mean"])
        np.testing.assert_array_equal(before, np.zeros(3))
        net(x)
        after = unify.to_numpy(net.buffers["_norm/running_mean"])
        np.testing.assert_allclose(after, mean / 2, rtol=1e-12)
        net(x)
        again = unify.to_numpy(net.buffers["_norm/running_mean"])
        np.testing.assert_allclose(again, mean * 3 / 4, rtol=1e-12)

    def test_the_mode_counts(self, net: Network, change: Any) -> None:
        x = argument(net)
        change(net, x)
        net.eval()
        w, b = (unify.to_numpy(net.v["_layer"][name]) for name in "wb")
        expected = np.tanh((VALUES @ w.T + b) / np.sqrt(1 + 1e-5))
        np.testing.assert_allclose(unify.to_numpy(net(x)), expected, rtol=1e-12)

    def test_new_variables_are_used(self, net: Network, change: Any) -> None:
        x = argument(net)
        change(net, x)
        net(x)
        net.v = net.v * 2
        expected = by_hand(net, VALUES)
        np.testing.assert_allclose(unify.to_numpy(net(x)), expected, rtol=1e-12)
        doubled = net.v * 2
        found = net(x, v=doubled)
        net.v = doubled
        np.testing.assert_allclose(unify.to_numpy(found), by_hand(net, VALUES), rtol=1e-12)

    def test_other_shapes(self, net: Network, change: Any) -> None:
        change(net, argument(net))
        more = np.concatenate([VALUES, VALUES + 1, VALUES * 3])
        expected = by_hand(net, more)
        np.testing.assert_allclose(unify.to_numpy(net(argument(net, more))), expected, rtol=1e-12)

    def test_derivatives(self, net: Network, change: Any) -> None:
        x = argument(net)
        if x.backend == "numpy":
            with pytest.raises(unify.UnifyError, match="via"):
                unify.grad(lambda v: unify.sum(net(x, v=v)))(net.v)
            return
        change(net, x)
        grads = unify.grad(lambda v: unify.sum(net(x, v=v)))(net.v)
        step = 1e-6
        found = unify.to_numpy(grads["_norm/offset"])
        for i in range(3):
            moved = [copy.deepcopy(net) for _ in range(2)]
            for sign, other in zip((1, -1), moved, strict=True):
                b = unify.to_numpy(other.v["_norm/offset"]).copy()
                b[i] += sign * step
                other.v["_norm"].offset = argument(net, b)
            difference = sum(
                sign * by_hand(other, VALUES).sum()
                for sign, other in zip((1, -1), moved, strict=True)
            )
            np.testing.assert_allclose(found[i], difference / (2 * step), rtol=1e-7)

    def test_a_copy_is_as_it_was_written(self, net: Network, change: Any) -> None:
        x = argument(net)
        change(net, x)
        other = copy.deepcopy(net)
        assert other._state.program is None
        other.v = other.v * 3
        np.testing.assert_allclose(unify.to_numpy(other(x)), by_hand(other, VALUES), rtol=1e-12)
        np.testing.assert_allclose(unify.to_numpy(net(x)), by_hand(net, VALUES), rtol=1e-12)


def test_the_graph_is_of_the_backends_own_functions(net: Network) -> None:
    graph = net.compile_graph(argument(net))
    names = " ".join(node.name for node in graph.nodes)
    assert "tanh" in names
    assert isinstance(graph, unify.Graph)
