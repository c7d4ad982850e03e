"""`compile`: functions of nests of arrays, on every backend. B29."""

from __future__ import annotations

import gc
import inspect
import subprocess
import sys
import weakref
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array, BackendError, Container
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.compilation.conftest import Recorder
from tests.installed import EAGER, INSTALLED

X = np.array([0.5, 1.25, 2.5])


def _wave(x: Any) -> Any:
    return unify.sum(unify.sin(x) * x)


WAVE = float(np.sum(np.sin(X) * X))
SLOPE = np.cos(X) * X + np.sin(X)


def values(x: Any) -> Any:
    return np.asarray(x)


class TestResults:
    """Compiled functions give what the function gives."""

    def test_array(self, xp: ModuleType) -> None:
        """B29: compile."""
        compiled = unify.compile(_wave)
        x = xp.asarray(X)
        for _ in range(3):
            found = compiled(x)
            assert type(found) is type(x)
            np.testing.assert_allclose(values(found), WAVE, rtol=1e-14)

    def test_native_arrays_stay_native(self, compiling: ModuleType) -> None:
        x = compiling.asarray(X).data
        compiled = unify.compile(lambda x: (x * 2.0 + x, [x]))
        for _ in range(2):
            doubled, (same,) = compiled(x)
            assert not isinstance(doubled, Array)
            assert not isinstance(same, Array)
            np.testing.assert_array_equal(values(doubled), X * 3)
            np.testing.assert_array_equal(values(same), X)
        alone = unify.compile(lambda x: x * 2.0)
        for _ in range(2):
            assert not isinstance(alone(x), Array)

    def test_native_array_in_array_out(self, compiling: ModuleType) -> None:
        xp = compiling
        compiled = unify.compile(lambda x: xp.sum(xp.asarray(x)))
        for _ in range(2):
            found = compiled(xp.asarray(X).data)
            assert isinstance(found, Array)
            np.testing.assert_allclose(values(found), X.sum(), rtol=1e-14)

    def test_nests_and_containers(self, xp: ModuleType) -> None:
        def function(c: Any, pair: Any, factor: float = 2.0, *, name: str) -> Any:
            total = c.a + c.b["deep"][0] * factor
            return {"total": total, name: (pair[0], 3, None), "c": Container(z=pair[1] - 1.0)}

        x, y = xp.asarray(X), xp.asarray(X * 10)
        c = Container(a=x, b={"deep": [y]})
        compiled = unify.compile(function)
        for _ in range(2):
            found = compiled(c, (x, y), name="n")
            assert list(found) == ["total", "n", "c"]
            np.testing.assert_allclose(values(found["total"]), X * 21, rtol=1e-14)
            np.testing.assert_array_equal(values(found["n"][0]), X)
            assert found["n"][1:] == (3, None)
            assert type(found["c"]) is Container
            np.testing.assert_allclose(values(found["c"].z), X * 10 - 1, rtol=1e-14)
        again = compiled(c, (x, y), 3.0, name="other")
        np.testing.assert_allclose(values(again["total"]), X * 31, rtol=1e-14)
        assert "other" in again

    def test_one_array_in_a_nest_beside_another_one(self, xp: ModuleType) -> None:
        """As many arrays as arguments, although not every argument is one."""
        compiled = unify.compile(lambda c, y: c["a"] * y)
        for factor in (1.0, 2.0, 3.0):
            x = xp.asarray(X * factor)
            for nest in (Container(a=x), {"a": x}):
                found = compiled(nest, xp.asarray(X))
                np.testing.assert_allclose(values(found), X * X * factor, rtol=1e-14)

    def test_structure_that_follows_the_shape(self, xp: ModuleType) -> None:
        compiled = unify.compile(lambda x: ({"n": x.shape[0]}, *[x[i] for i in range(x.shape[0])]))
        for size in (3, 2, 3, 2):
            n, *rows = compiled(xp.asarray(X[:size]))
            assert n == {"n": size}
            assert [float(row) for row in rows] == X[:size].tolist()

    @pytest.mark.slow_on("torch")
    def test_data_types(self, xp: ModuleType) -> None:
        compiled = unify.compile(lambda x: (x * 2, x.dtype))
        for dtype in (xp.float64, xp.float32, xp.int8, xp.float16, xp.float64):
            found, name = compiled(xp.asarray([1, 2, 3], dtype=dtype))
            assert found.dtype is name is dtype
            assert found.tolist() == [2, 4, 6]

    @pytest.mark.slow_on("torch")
    def test_numbers_decide_the_program(self, xp: ModuleType) -> None:
        """A weak number keeps the data type of the array, -0.0 isn't 0.0, and True isn't 1."""
        compiled = unify.compile(lambda x, n: (x * n, n))
        x = xp.asarray([1.0], dtype=xp.float32)
        for n in (2, 2.0, True, 0.0, -0.0, 1):
            found, same = compiled(x, n)
            assert found.dtype is xp.float32
            assert (type(same), str(same)) == (type(n), str(n))
            assert str(float(found[0])) == str(float(n))

    @pytest.mark.usefixtures("broken")
    def test_no_arguments(self, xp: ModuleType) -> None:
        name = xp.__unify_backend__
        compiled = unify.compile(lambda: unify.zeros(2), backend=name)
        assert compiled().backend == name
        with unify.use_backend(name):
            assert unify.compile(lambda: unify.zeros(2))().backend == name

    @pytest.mark.slow_on("torch")
    def test_lstm_update(self, xp: ModuleType) -> None:
        """B24 and B29: recurrent layers, compile."""
        rng = np.random.default_rng(0)
        shapes = [(2, 4, 3), (2, 5), (2, 5), (3, 20), (5, 20), (20,), (20,)]
        given = [xp.asarray(rng.standard_normal(shape)) for shape in shapes]
        found = unify.compile(unify.lstm_update)(*given)
        for compiled, wanted in zip(found, unify.lstm_update(*given), strict=True):
            np.testing.assert_allclose(values(compiled), values(wanted), rtol=1e-12, atol=1e-14)


class TestWithoutArrays:
    """A call without arrays chooses no backend for what the function makes itself."""

    def test_result_is_of_the_functions_namespace(self, xp: ModuleType) -> None:
        found = unify.compile(lambda values: xp.asarray(values))([1.0, 2.0])
        assert type(found) is type(xp.ones(1))
        assert found.tolist() == [1.0, 2.0]

    def test_graph_refuses_results_of_another_backend(self) -> None:
        other = unify.get_backend(next(n for n in ("torch", "jax", "tensorflow") if n in INSTALLED))
        with pytest.raises(BackendError, match=rf"compile_graph.*{other.ones(1).backend}"):
            unify.compile_graph(lambda: other.ones(3))


class TestWrites:
    """Writes of a compiled function to its arguments reach the caller, as in an eager call."""

    def test_reaches_the_caller(self, xp: ModuleType) -> None:
        def function(x: Array, y: Array) -> Array:
            x[1] = 5.0
            part = x[2:]
            part[0] = 9.0
            y += x
            return unify.sum(x)

        compiled = unify.compile(function)
        for _ in range(2):
            x, y = xp.asarray([1.0, 2.0, 3.0]), xp.zeros(3)
            front = x[:2]
            assert float(compiled(x, y)) == 15.0
            assert x.tolist() == [1.0, 5.0, 9.0] == y.tolist()
            assert front.tolist() == [1.0, 5.0]

    def test_out(self, xp: ModuleType) -> None:
        x, out = xp.asarray(X), xp.zeros(3)
        found = unify.compile(lambda x, out: unify.add(x, x, out=out))(x, out)
        assert found.tolist() == out.tolist() == (X * 2).tolist()

    @pytest.mark.parametrize("backend", [n for n in ("jax", "tensorflow") if n in INSTALLED])
    def test_argument_that_is_returned_is_the_callers(self, backend: str) -> None:
        x = unify.get_backend(backend).asarray(X)
        compiled = unify.compile(lambda x: [x, x + 1.0])
        for _ in range(2):
            same, more = compiled(x)
            assert same is x
            assert more.tolist() == (X + 1).tolist()

    @pytest.mark.parametrize("backend", [n for n in ("jax", "tensorflow") if n in INSTALLED])
    def test_to_one_of_two_views(self, backend: str) -> None:
        def function(x: Array, y: Array) -> Array:
            x[0] = 7.0
            return y + 0.0

        x = unify.get_backend(backend).asarray(X)
        found = unify.compile(function)(x[1:], x[:2])
        wanted = X.copy()
        assert found.tolist() == function(wanted[1:], wanted[:2]).tolist()
        assert x.tolist() == wanted.tolist()


class TestCompiledOnce:
    """Programs are cached: Python code runs only while a call is traced."""

    # PyTorch repeats a function's changes to outside lists: see its test.
    @pytest.mark.parametrize("backend", [n for n in ("jax", "tensorflow") if n in INSTALLED])
    def test_traced_once_for_each_kind_of_call(self, backend: str) -> None:
        compiling = unify.get_backend(backend)
        seen: list[Any] = []

        def function(x: Array, flag: bool = False) -> Array:
            seen.append(flag)
            return x + 1.0 if flag else x

        compiled, x = unify.compile(function), compiling.asarray(X)
        for _ in range(3):
            compiled(x)
            compiled(x + 1.0)
        assert seen == [False]
        compiled(x, True)
        compiled(x, flag=True)
        compiled(x, True)
        assert seen == [False, True, True]

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of inductor itself
    def test_torch_compiles_once(self) -> None:
        torch = pytest.importorskip("torch")
        counters = torch._dynamo.utils.counters
        counters.clear()
        compiled, xp = unify.compile(_wave), unify.get_backend("torch")
        for _ in range(3):
            np.testing.assert_allclose(values(compiled(xp.asarray(X))), WAVE, rtol=1e-14)
        assert counters["stats"]["unique_graphs"] == 1
        assert not counters["graph_break"]

    def test_numpy_has_a_graph_for_each_signature(self, graphs: Recorder) -> None:
        xp = unify.get_backend("numpy")
        compiled = unify.compile(lambda x, k: {"r": x["a"] * k})
        kind = type(xp.asarray(X))
        for _ in range(2):
            assert compiled({"a": xp.asarray(X)}, 2)["r"].tolist() == (X * 2).tolist()
        assert graphs.traced == [[(kind, (3,))]]
        assert compiled({"a": xp.asarray(X)}, 3)["r"].tolist() == (X * 3).tolist()
        assert compiled({"a": xp.asarray(X[:2])}, 3)["r"].tolist() == (X[:2] * 3).tolist()
        assert compiled({"a": xp.asarray([1, 2])}, 3)["r"].dtype is unify.int64
        assert compiled({"a": X}, 3)["r"].tolist() == (X * 3).tolist()
        shapes = [(3,), (3,), (2,), (2,), (3,)]
        kinds = [kind] * 4 + [np.ndarray]
        assert graphs.traced == [[pair] for pair in zip(kinds, shapes, strict=True)]

    def test_one_function_for_all_backends(self, quick: None) -> None:
        """B29: the backend is that of the arguments."""
        compiled = unify.compile(_wave)
        for _ in range(2):
            for name in EAGER:
                found = compiled(unify.get_backend(name).asarray(X))
                assert found.backend == name
                np.testing.assert_allclose(values(found), WAVE, rtol=1e-14)


class TestHolds:
    """A program refers to no array of its first call."""

    @pytest.mark.slow_on("torch", "jax")
    def test_no_arguments(self, compiling: ModuleType) -> None:
        compiled = unify.compile(lambda v, x: v.w * x)
        x, v = compiling.ones(3), Container(w=compiling.ones(3))
        seen = [weakref.ref(x), weakref.ref(v.w)]
        for _ in range(2):
            assert compiled(v, x).tolist() == [1, 1, 1]
        del x, v
        gc.collect()
        assert [ref() for ref in seen] == [None, None]


class TestTransformations:
    """Compilation combines with derivatives and `vmap`, in either order."""

    @pytest.mark.slow_on("torch")
    @pytest.mark.usefixtures("broken")  # PyTorch differentiates outside of the compiled code
    def test_of_derivatives(self, compiling: ModuleType) -> None:
        compiled = unify.compile(unify.value_and_grad(_wave))
        for _ in range(2):
            value, slope = compiled(compiling.asarray(X))
            np.testing.assert_allclose(values(value), WAVE, rtol=1e-14)
            np.testing.assert_allclose(values(slope), SLOPE, rtol=1e-12)

    def test_derivatives_of_it(self, compiling: ModuleType) -> None:
        slope = unify.grad(unify.compile(_wave))(compiling.asarray(X))
        np.testing.assert_allclose(values(slope), SLOPE, rtol=1e-12)

    @pytest.mark.slow_on("torch")
    @pytest.mark.usefixtures("broken")
    def test_vmap(self, compiling: ModuleType) -> None:
        rows = np.stack([X, X * 2])
        wanted = np.sum(np.sin(rows) * rows, axis=1)
        for function in (unify.vmap(unify.compile(_wave)), unify.compile(unify.vmap(_wave))):
            np.testing.assert_allclose(values(function(compiling.asarray(rows))), wanted, 1e-14)

    @pytest.mark.slow_on("torch")
    @pytest.mark.usefixtures("broken")
    def test_made_inside(self, compiling: ModuleType) -> None:
        """The derivative is computed within the compiled function."""
        compiled = unify.compile(lambda x: (unify.grad(_wave)(x), unify.vmap(unify.sin)(x)))
        slope, sines = compiled(compiling.asarray(X))
        np.testing.assert_allclose(values(slope), SLOPE, rtol=1e-12)
        np.testing.assert_allclose(values(sines), np.sin(X), rtol=1e-14)

    def test_one_inside_the_other(self, compiling: ModuleType) -> None:
        inner = unify.compile(lambda x: unify.sin(x))
        x = compiling.asarray(X)
        inner(x)
        outer = unify.compile(lambda x: unify.sum(inner(x) * x))
        np.testing.assert_allclose(values(outer(x)), WAVE, rtol=1e-14)


class TestOptions:
    """Options of `compile`."""

    def test_decorator(self, xp: ModuleType) -> None:
        @unify.compile
        def one(x: Array) -> Array:
            """Add one."""
            return x + 1.0

        @unify.compile(dynamic=False, static_argnums=1)
        def more(x: Array, n: int) -> Array:
            return x + n

        assert one.__doc__ == "Add one."
        assert list(inspect.signature(more).parameters) == ["x", "n"]
        x = xp.asarray(X)
        assert one(x).tolist() == (X + 1).tolist()
        assert more(x, 2).tolist() == (X + 2).tolist()

    def test_method(self, xp: ModuleType) -> None:
        class Scale:
            def __init__(self, factor: float) -> None:
                self.factor = factor

            @unify.compile
            def of(self, x: Array) -> Array:
                return x * self.factor

        x = xp.asarray(X)
        assert Scale(2.0).of(x).tolist() == (X * 2).tolist()
        assert Scale(3.0).of(x).tolist() == (X * 3).tolist()

    def test_example_inputs(self, compiling: ModuleType) -> None:
        """B29: it is compiled immediately, and the inputs aren't modified."""

        def function(x: Array, n: int) -> Array:
            x[0] = 9.0
            return x * n

        x = compiling.asarray(X.copy())
        compiled = unify.compile(function, example_inputs=(x, 2))
        assert x.tolist() == X.tolist()
        assert compiled(x, 2).tolist() == [18.0, *(X[1:] * 2)]

    def test_dynamic(self, compiling: ModuleType) -> None:
        compiled = unify.compile(_wave, dynamic=True)
        for size in (3, 2):
            wanted = np.sum(np.sin(X[:size]) * X[:size])
            np.testing.assert_allclose(values(compiled(compiling.asarray(X[:size]))), wanted)

    def test_static_arguments_hold_no_arrays(self, xp: ModuleType) -> None:
        def function(x: Array, shape: Any, *, axis: Any = 0) -> Array:
            return unify.sum(unify.reshape(x, tuple(shape)), axis=axis)

        x = xp.asarray(X)
        compiled = unify.compile(function, static_argnums=(1,), static_argnames="axis")
        assert compiled(x, [1, 3], axis=1).tolist() == [X.sum()]
        with pytest.raises(UnifyTypeError, match="function: argument 'axis' is static"):
            compiled(x, [1, 3], axis=x)
        with pytest.raises(UnifyTypeError, match="function: argument 'shape' is static"):
            compiled(x, [x])

    @pytest.mark.usefixtures("broken")
    def test_backend(self, xp: ModuleType) -> None:
        name = xp.__unify_backend__
        compiled = unify.compile(lambda x: x + unify.ones(3), backend=xp)
        assert compiled(xp.asarray(X)).tolist() == (X + 1).tolist()
        other = unify.get_backend("torch" if name == "numpy" else "numpy").ones(3)
        with pytest.raises(BackendError, match=rf"args\[0\].*to_backend\(args\[0\], '{name}'\)"):
            compiled(other)
        with pytest.raises(UnifyValueError, match="compile: argument 'backend'"):
            unify.compile(_wave, backend="nope")


class TestMistakes:
    """Errors name the cause."""

    def test_no_function(self) -> None:
        for wrong in (3, int):
            with pytest.raises(UnifyTypeError, match="compile: argument 'fn'"):
                unify.compile(wrong)

    def test_arrays_of_two_backends(self, compiling: ModuleType) -> None:
        mixed = compiling.asarray(X), unify.get_backend("numpy").ones(3)
        with pytest.raises(BackendError, match=r"function: argument 'y\[0\]' is an array of"):
            unify.compile(_named)(mixed[0], y=[mixed[1]])

    def test_what_is_not_hashable(self, compiling: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="function: argument 'args' holds what isn't hash"):
            unify.compile(_named)(compiling.asarray(X), {1, 2})

    def test_users_own_exception(self, compiling: ModuleType) -> None:
        def function(x: Array) -> Array:
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            unify.compile(function)(compiling.asarray(X))

    def test_ours_is_that_of_the_eager_call(self, compiling: ModuleType) -> None:
        x = compiling.asarray(X)
        for function in (compiling.expand_dims, unify.compile(compiling.expand_dims)):
            with pytest.raises(UnifyValueError, match="an axis repeats"):
                function(x, axis=(0, 0))


def _named(x: Any, y: Any = None) -> Any:
    return x


_named.__name__ = "function"


def test_import_brings_no_compiler() -> None:
    """`import arrayapi_unify` doesn't import the compilers."""
    code = (
        "import sys, arrayapi_unify as u; u.add; print('arrayapi_unify.compilation' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
