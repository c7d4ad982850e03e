"""`unify.compile_graph`: contents, results and errors of graphs."""

from __future__ import annotations

import threading
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyValueError
from arrayapi_unify.graph import GraphError
from tests.graph import natives
from tests.installed import EAGER

EACH = pytest.mark.parametrize("backend", EAGER)
Pair = namedtuple("Pair", "first second")
MUTABLE = [name for name in ("numpy", "torch") if name in EAGER]


def make(backend: str, values: Any) -> Any:
    return unify.get_backend(backend).asarray(values)


def numbers(x: Any) -> Any:
    return np.asarray(unify.to_numpy(x) if unify.is_array(x) else x)


def names(graph: Any) -> list[str]:
    return [node.name for node in graph.nodes]


@EACH
class TestNodes:
    def test_seven(self, backend: str) -> None:
        """B25: graphs."""
        x = make(backend, [[1.0, 2.0, 3.0]])
        graph = unify.compile_graph(natives.pure, x)
        assert names(graph) == ["mean", "sum", "var", "cos", "sin", "tan", "stack"]
        assert len(graph) == 7
        wanted = [0.960170, 0.0, -2.185040]
        np.testing.assert_allclose(numbers(graph(x)), wanted, atol=1e-6)
        np.testing.assert_allclose(numbers(graph(x)), numbers(natives.pure(x)), 1e-14, 1e-15)

    def test_operands_that_are_broadcast(self, backend: str) -> None:
        """B26: graph nodes."""
        w, x, b = (make(backend, np.ones(shape)) for shape in ((3, 1), (1, 4), (4,)))
        graph = unify.compile_graph(lambda w, x, b: w * x + b, w, x, b)
        assert names(graph) == ["multiply", "add"]
        assert graph(w, x, b).shape == (3, 4)
        native = unify.compile_graph(lambda w, x, b: w * x + b, w.data, x.data, b.data)
        assert native == graph
        both = unify.compile_graph(lambda x, b: unify.maximum(b, x) - unify.hypot(x, b), x, b)
        assert names(both) == ["maximum", "hypot", "subtract"]
        scaled = unify.compile_graph(lambda x, b: unify.where(x > b, 2.0 * x, b), x, b)
        assert names(scaled)[-1] == "where"
        assert len(scaled) == 3

    def test_broadcast_by_name(self, backend: str) -> None:
        w, x = make(backend, np.ones((3, 1))), make(backend, np.ones((3, 4)))
        graph = unify.compile_graph(lambda w, x: unify.broadcast_to(w, (3, 4)) * x, w, x)
        assert names(graph) == ["broadcast_to", "multiply"]

    def test_of_three_sources(self, backend: str) -> None:
        """B25: graphs."""
        x = make(backend, [[1.0, 2.0, 3.0]])
        native = natives.native(backend)
        ours = unify.compile_graph(natives.pure, x)
        theirs = unify.compile_graph(native, x.data)
        both = unify.compile_graph(natives.mixed(backend), x)
        assert ours == theirs == both
        assert ours.nodes == theirs.nodes == both.nodes
        assert isinstance(both(x), unify.Array)
        assert unify.is_native_array(theirs(x.data))
        np.testing.assert_array_equal(numbers(theirs(x.data)), numbers(both(x)))
        np.testing.assert_allclose(numbers(theirs(x.data)), numbers(native(x.data)), 1e-14, 1e-15)

    def test_of_an_unclean_function(self, backend: str, capsys: pytest.CaptureFixture[str]) -> None:
        """B26: graph nodes."""
        w, x, b = (make(backend, v) for v in ([1.0, 2.0], [3.0, 5.0], [7.0, 11.0]))

        def unclean(w: Any, x: Any, b: Any) -> Any:
            print("traced", w)
            unused = unify.exp(w) * b
            for factor in range(3):
                unused = unused * factor
            return w * x + b

        def clean(w: Any, x: Any, b: Any) -> Any:
            return w * x + b

        graph = unify.compile_graph(unclean, w, x, b)
        assert "traced" in capsys.readouterr().out
        assert names(graph) == ["multiply", "add"]
        assert graph == unify.compile_graph(clean, w, x, b)
        native = unify.compile_graph(natives.affine(backend), w.data, x.data, b.data)
        assert graph.nodes == native.nodes
        assert numbers(graph(w, x, b)).tolist() == [10.0, 21.0]
        assert numbers(graph(x, w, w)).tolist() == [4.0, 12.0]
        assert capsys.readouterr().out == ""

    def test_of_matmul_and_diag(self, backend: str) -> None:
        """B28: graphs of matmul."""
        x, y = make(backend, [1.0, 2.0, 3.0]), make(backend, [[2.0], [3.0], [4.0]])
        graph = unify.compile_graph(lambda x, y: unify.matmul(unify.diag(x), y), x, y)
        assert names(graph) == ["diag", "matmul"]
        assert numbers(graph(x, y)).tolist() == [[2.0], [6.0], [12.0]]
        assert graph == unify.compile_graph(natives.diagonal(backend), x.data, y.data)
        library = {"tensorflow": "tf"}.get(backend, backend)
        assert all(node.function.startswith(library) for node in graph.nodes)

    def test_that_differ(self, backend: str) -> None:
        x = make(backend, [[1.0, 2.0], [3.0, 4.0]])
        functions = [
            lambda x: unify.sum(x, axis=0), lambda x: unify.sum(x, axis=1),
            lambda x: unify.mean(x, axis=0), lambda x: x * 2.0, lambda x: x * 3.0,
            lambda x: x - 2.0 * x, lambda x: 2.0 * x - x, lambda x: unify.var(x),
            lambda x: unify.var(x, correction=1), lambda x: x,
        ]  # fmt: skip
        graphs = [unify.compile_graph(function, x) for function in functions]
        for i, graph in enumerate(graphs):
            assert [graph == other for other in graphs] == [i == j for j in range(len(graphs))]

    def test_are_named_by_operators_and_methods(self, backend: str) -> None:
        x, y = make(backend, [1.0, 2.0]), make(backend, [3.0, 5.0])
        forms = [lambda x, y: x + y, unify.add, lambda x, y: x.add(y)]
        assert len({unify.compile_graph(form, x, y).nodes for form in forms}) == 1

    def test_are_named_by_attributes(self, backend: str) -> None:
        x, y = make(backend, [[1.0, 2.0, 3.0]]), make(backend, [[4.0, 5.0, 6.0]])
        forms = [lambda x: x.T, lambda x: x.mT, unify.matrix_transpose]
        graphs = [unify.compile_graph(form, x) for form in forms]
        assert len({graph.nodes for graph in graphs}) == 1
        assert all(numbers(graph(y)).tolist() == [[4.0], [5.0], [6.0]] for graph in graphs)
        with pytest.raises(UnifyValueError, match="pass a matrix"):
            unify.compile_graph(lambda x: x.mT, make(backend, [1.0, 2.0]))


@EACH
class TestCalls:
    def test_nests(self, backend: str) -> None:
        a, b = make(backend, [1.0, 2.0]), make(backend, [3.0, 5.0])

        def function(nest: Any, c: Any, *, k: Any) -> Any:
            return {"sum": nest["a"] + nest["b"][0], "c": c * k, "n": 3}

        c = unify.Container(p=a, q=b)
        graph = unify.compile_graph(function, {"a": a, "b": [b]}, c, k=2.0)
        found = graph({"a": b, "b": [b]}, unify.Container(p=b, q=a), k=2.0)
        assert numbers(found["sum"]).tolist() == [6.0, 10.0]
        assert type(found["c"]) is unify.Container
        assert numbers(found["c"].p).tolist() == [6.0, 10.0]
        assert numbers(found["c"].q).tolist() == [2.0, 4.0]
        assert found["n"] == 3
        with pytest.raises(GraphError, match="structure"):
            graph({"a": b, "b": [b]}, c, k=3.0)
        with pytest.raises(GraphError, match="structure"):
            graph({"a": b, "b": [b, b]}, c, k=2.0)

    def test_nests_of_every_kind(self, backend: str) -> None:
        """With only arrays, for the fast path, and results in nests."""
        a, b = make(backend, [1.0, 2.0]), make(backend, [3.0, 5.0])

        def function(x: Any, y: Any) -> Any:
            both = unify.Container(p=x * y, q=Pair(x, None))
            return [(), (x + y,), {"n": [True, 0.5, "text"], 1: both}, Pair(y.data, -y)]

        graph = unify.compile_graph(function, a, b)
        for x, y in ((a, b), (b, a), (a, a)):
            empty, (total,), named, pair = graph(x, y)
            expected = function(x, y)
            assert (empty, named["n"], list(named)) == ((), [True, 0.5, "text"], ["n", 1])
            assert numbers(total).tolist() == numbers(expected[1][0]).tolist()
            both = named[1]
            assert type(both) is unify.Container
            assert numbers(both.p).tolist() == numbers(expected[2][1].p).tolist()
            assert type(both.q) is type(pair) is Pair
            assert numbers(both.q.first).tolist() == numbers(x).tolist()
            assert both.q.second is None
            assert type(pair.first) is type(y.data)
            assert numbers(pair.second).tolist() == numbers(-y).tolist()

    def test_other_shapes_and_dtypes(self, backend: str) -> None:
        def function(x: Any) -> Any:
            return x / x.shape[0]

        graph = unify.compile_graph(function, make(backend, [1.0, 2.0]))
        assert numbers(graph(make(backend, [4.0, 8.0]))).tolist() == [2.0, 4.0]
        with pytest.raises(GraphError, match=r"'x' has shape \(3,\).*\(2,\)"):
            graph(make(backend, [1.0, 2.0, 3.0]))
        with pytest.raises(GraphError, match=r"'x' has .* float32.*float64"):
            graph(unify.astype(make(backend, [1.0, 2.0]), unify.float32))
        with pytest.raises(GraphError, match="structure"):
            graph(make(backend, [1.0, 2.0]), make(backend, [1.0, 2.0]))
        other = next(name for name in EAGER if name != backend)
        with pytest.raises(GraphError, match=rf"array of {other}.*to_backend"):
            graph(make(other, [1.0, 2.0]))

    def test_constants_of_the_caller(self, backend: str) -> None:
        table = make(backend, [10.0, 20.0])
        graph = unify.compile_graph(lambda x: x + table, make(backend, [1.0, 2.0]))
        assert numbers(graph(make(backend, [3.0, 5.0]))).tolist() == [13.0, 25.0]

    @pytest.mark.parametrize("kind", ["float32", "float64", "complex128", "int64"])
    def test_numbers_mean_what_they_mean_beside_an_array(self, backend: str, kind: str) -> None:
        xp = unify.get_backend(backend)
        x = xp.asarray([[1, 0], [2, 3]], dtype=getattr(xp, kind))

        def function(x: Any) -> Any:
            zeros = x * 0.0, x * -0.0, (x[0, 0] - 1.0) * -0.0
            return *zeros, x + 0.1, 2.0 - x, x / 3.0, x[0, 0] + 0.1

        expected, found = function(x), unify.compile_graph(function, x)(x)
        for one, other in zip(expected, found, strict=True):
            assert one.dtype is other.dtype
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
            if kind.startswith("float"):
                assert np.array_equal(np.signbit(np.asarray(one)), np.signbit(np.asarray(other)))

    def test_one_array_twice(self, backend: str) -> None:
        x, y = make(backend, [1.0, 2.0]), make(backend, [3.0, 5.0])
        graph = unify.compile_graph(lambda x, y: x - y, x, x)
        assert numbers(graph(y, x)).tolist() == [2.0, 3.0]

    def test_other_threads_run_as_ever(self, backend: str) -> None:
        x, found = make(backend, [1.0, 2.0]), []

        def function(x: Any) -> Any:
            def elsewhere() -> None:
                found.append(unify.sin(make(backend, [0.5])))

            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
            return unify.cos(x)

        assert names(unify.compile_graph(function, x)) == ["cos"]
        np.testing.assert_allclose(numbers(found[0]), np.sin([0.5]), 1e-14)
        assert unify.is_native_array(found[0].data)


@EACH
class TestControlFlow:
    def test_that_depends_on_values(self, backend: str) -> None:
        def function(x: Any) -> Any:
            if unify.sum(x) > 0:  # the line that the error names
                return x
            return -x

        line = function.__code__.co_firstlineno + 1
        with pytest.raises(GraphError, match=rf"test_graph\.py:{line}, .*unify\.where"):
            unify.compile_graph(function, make(backend, [1.0, 2.0]))

    @pytest.mark.parametrize(
        "take", [float, int, bool, lambda x: x.item(), lambda x: x.tolist(), np.asarray]
    )
    def test_values_that_leave(self, backend: str, take: Any) -> None:
        x = make(backend, [1.0, 2.0])
        with pytest.raises(GraphError, match=r"test_graph\.py:\d+"):
            unify.compile_graph(lambda x: x * np.sum(take(x[0])), x)

    def test_that_depends_on_shapes(self, backend: str) -> None:
        def function(x: Any) -> Any:
            return x if x.ndim == 2 else unify.sin(x)

        assert names(unify.compile_graph(function, make(backend, [1.0]))) == ["sin"]

    def test_functions_still_run_afterwards(self, backend: str) -> None:
        with pytest.raises(ZeroDivisionError):
            unify.compile_graph(lambda x: 1 / 0, make(backend, [1.0]))
        found = unify.sin(make(backend, [0.5])) + 1.0
        np.testing.assert_allclose(numbers(found), np.sin([0.5]) + 1.0, 1e-14)


@EACH
class TestWrites:
    def test_to_its_own_arrays(self, backend: str) -> None:
        def function(x: Any) -> Any:
            z = x.__array_namespace__().zeros(3)
            z[0] = x[1]
            view = z[1:]
            view += x[:2]
            z *= 2.0
            return z

        graph = unify.compile_graph(function, make(backend, [1.0, 2.0]))
        for values in ([3.0, 5.0], [7.0, 11.0]):
            x = make(backend, values)
            assert numbers(graph(x)).tolist() == [2 * values[1], 2 * values[0], 2 * values[1]]
            assert numbers(x).tolist() == values

    def test_to_an_argument(self, backend: str) -> None:
        def function(x: Any) -> Any:
            before = x + 0.0
            x[0] = 9.0
            return before

        x = make(backend, [1.0, 2.0])
        graph = unify.compile_graph(function, x)
        assert numbers(x).tolist() == [1.0, 2.0]
        y = make(backend, [3.0, 5.0])
        assert numbers(graph(y)).tolist() == [3.0, 5.0]
        assert numbers(y).tolist() == [9.0, 5.0]

    def test_out(self, backend: str) -> None:
        def function(x: Any) -> Any:
            out = unify.zeros_like(x)
            unify.multiply(x, 3.0, out=out)
            return out + 1.0

        graph = unify.compile_graph(function, make(backend, [1.0, 2.0]))
        assert numbers(graph(make(backend, [3.0, 5.0]))).tolist() == [10.0, 16.0]

    def test_reading_before_and_after(self, backend: str) -> None:
        def function(x: Any) -> Any:
            y = x * 1.0
            first = y[0] + 0.0
            y[0] = 5.0
            return first, y[0] + 0.0

        graph = unify.compile_graph(function, make(backend, [1.0, 2.0]))
        first, second = graph(make(backend, [3.0, 4.0]))
        assert (float(first), float(second)) == (3.0, 5.0)


@pytest.mark.parametrize("backend", MUTABLE)
class TestLive:
    def test_a_write_to_what_was_not_given(self, backend: str) -> None:
        table = make(backend, [10.0, 20.0])

        def function(x: Any) -> Any:
            table[0] = x[0]
            return table + x

        with pytest.raises(GraphError, match="writes to an array that it didn't make"):
            unify.compile_graph(function, make(backend, [1.0, 2.0]))
        assert numbers(table).tolist() == [10.0, 20.0]

    def test_code_runs_by_itself(self, backend: str) -> None:
        x = make(backend, [1.0, 2.0])
        graph = unify.compile_graph(lambda x: unify.sin(x) * x + unify.sum(x), x)
        library: Any = __import__(backend)
        scope = {"sin": library.sin, "sum": library.sum}
        exec(graph.code, scope)
        found: Any = scope["graph"](x.data)  # type: ignore[operator]  # the source defines it
        np.testing.assert_array_equal(numbers(found), numbers(graph(x)))
        assert f"# sin: {backend}.sin" in graph.code

    def test_methods_and_operators_of_native_arrays(self, backend: str) -> None:
        def function(x: Any) -> Any:
            y = -x.reshape(2, 2).T + 2.0 * x.sum() - 1.0 / x.mean()
            y[0] = y[1] ** 2
            y += 1.0
            return y

        x = make(backend, [1.0, 2.0, 4.0, 8.0]).data
        graph = unify.compile_graph(function, x)
        other = make(backend, [3.0, 5.0, 7.0, 11.0]).data
        np.testing.assert_allclose(numbers(graph(other)), numbers(function(other)), 1e-15)
        np.testing.assert_array_equal(numbers(x), [1.0, 2.0, 4.0, 8.0])


@EACH
class TestDrawings:
    def test_mermaid(self, backend: str) -> None:
        x = make(backend, [1.0])
        graph = unify.compile_graph(lambda x: unify.sin(x) * x, x)
        lines = graph.to_mermaid().splitlines()
        assert lines[0] == "flowchart TD"
        assert {'    n0(["x"])', '    n1["sin"]', '    n2["multiply"]'} <= set(lines)
        assert {"    n0 --> n1", "    n1 --> n2", "    n0 --> n2"} <= set(lines)

    def test_svg(self, backend: str, capsys: pytest.CaptureFixture[str]) -> None:
        from xml.etree import ElementTree

        graph = unify.compile_graph(lambda x: unify.sin(x) * x, make(backend, [1.0]))
        drawing = ElementTree.fromstring(graph.to_svg())
        texts = [part.text for part in drawing.iter() if part.tag.endswith("text")]
        assert texts == ["x", "sin", "multiply", "v2"]
        assert graph._repr_svg_() == graph.to_svg()
        graph.show()
        assert capsys.readouterr().out.startswith(f"Graph(x) on {backend}:")
