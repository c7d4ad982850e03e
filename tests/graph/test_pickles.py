"""Graphs are pickled as calls of our functions; sources contain identifiers only."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array
from arrayapi_unify.graph import GraphError
from tests.graph import natives
from tests.installed import EAGER

EACH = pytest.mark.parametrize("backend", EAGER)
MUTABLE = [name for name in ("numpy", "torch") if name in EAGER]


def make(backend: str, values: Any) -> Any:
    return unify.get_backend(backend).asarray(values)


@EACH
class TestPickles:
    def test_nodes_and_results(self, backend: str) -> None:
        x = make(backend, [[1.0, 2.0, 3.0]])
        graph = unify.compile_graph(natives.pure, x)
        loaded = pickle.loads(pickle.dumps(graph))
        assert loaded == graph
        assert loaded.inputs == graph.inputs
        assert loaded(x).tolist() == graph(x).tolist()
        again = pickle.loads(pickle.dumps(loaded))
        assert again(x).tolist() == graph(x).tolist()

    def test_structures(self, backend: str) -> None:
        x = make(backend, [1.0, 2.0])

        def function(nest: Any, *, c: Any) -> Any:
            return {"sum": nest["a"][0] + c, "native": (unify.multiply(nest["b"], 2.0).data,)}

        nest = {"a": [x], "b": x.data}
        graph = unify.compile_graph(function, nest, c=x)
        loaded = pickle.loads(pickle.dumps(graph))
        found = loaded({"a": [x], "b": x.data}, c=x)
        assert found["sum"].tolist() == [2.0, 4.0]
        assert np.asarray(found["native"][0]).tolist() == [2.0, 4.0]
        with pytest.raises(GraphError, match="structure"):
            loaded(x)

    def test_writes(self, backend: str) -> None:
        def function(x: Array, y: Array) -> Array:
            x[1:] = 7.0
            x *= 2.0
            return unify.sum(y)

        x = make(backend, [1.0, 2.0])
        loaded = pickle.loads(pickle.dumps(unify.compile_graph(function, x, x)))
        assert float(loaded(x, x)) == 16.0
        assert x.tolist() == [2.0, 14.0]

    @pytest.mark.slow_on("jax")
    def test_arrays_from_elsewhere_go_by_value(self, backend: str) -> None:
        x, table = make(backend, [1.0, 2.0]), make(backend, [10.0, 20.0])
        graph = unify.compile_graph(lambda x: x + table, x)
        stored = pickle.dumps(graph)
        table[0] = 0.0
        assert pickle.loads(stored)(x).tolist() == [11.0, 22.0]

    def test_copies(self, backend: str) -> None:
        x = make(backend, [1.0, 2.0])
        graph = unify.compile_graph(lambda x: x + 1.0, x)
        for copied in (copy.copy(graph), copy.deepcopy({"graph": graph})["graph"]):
            assert copied == graph
            assert copied(x).tolist() == [2.0, 3.0]


@pytest.mark.parametrize("backend", [name for name in EAGER if name == "numpy"])
def test_native_functions_are_named(backend: str) -> None:
    graph = unify.compile_graph(lambda x: np.sinc(x), np.ones(2))
    with pytest.raises(GraphError, match=rf"^pickle: the graph calls functions of {backend}.*sinc"):
        pickle.dumps(graph)


@pytest.mark.parametrize("backend", MUTABLE)
@pytest.mark.parametrize(
    "name", ["class", "float", "\u00b2", "v0", "a0", "r0", "slice", "1st", "fi"]
)
class TestNames:
    def test_of_a_function(self, backend: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Steps are rendered with the names of their functions."""
        xp = unify.get_backend(backend)
        engine: Any = __import__(f"arrayapi_unify.backends.{backend}.graph", fromlist=["name_of"])
        monkeypatch.setattr(engine, "name_of", lambda target: name)
        x = xp.asarray([1.0, 2.0])
        graph = unify.compile_graph(lambda x: [xp.sin(x), xp.full_like(x, float("inf"))], x)
        sine, infinite = graph(x)
        np.testing.assert_allclose(sine.tolist(), np.sin([1.0, 2.0]), 1e-15)
        assert infinite.tolist() == [np.inf, np.inf]
        compile(graph.code, "code", "exec")

    def test_of_arguments_and_keys(self, backend: str, name: str) -> None:
        x = make(backend, [1.0, 2.0])

        def function(y: Any, **given: Any) -> Any:
            return {name: given[name] * 3.0 - y, "other": y}

        graph = unify.compile_graph(function, x + 1.0, **{name: x})
        found = graph(x + 1.0, **{name: x})
        assert found[name].tolist() == [1.0, 3.0]
        names: dict[str, Any] = {}
        if backend == "numpy":
            exec(graph.code, {"subtract": np.subtract, "multiply": np.multiply}, names)
            assert np.asarray(names["graph"](x.data + 1.0, x.data)[0]).tolist() == [1.0, 3.0]
        else:
            compile(graph.code, "code", "exec")
