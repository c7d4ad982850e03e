"""B29 and B53: compiled functions of arguments that share memory agree with NumPy."""

from __future__ import annotations

import functools
import importlib
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array
from tests import aliases
from tests.installed import EAGER
from tests.views.state_machine import count

# PyTorch's compiled code has no layouts: every reshape is a view if possible.
EMULATED = [name for name in EAGER if name != "torch"]


@pytest.mark.parametrize("group", aliases.WAYS)
@pytest.mark.parametrize("backend", EMULATED)
def test_drawn_functions(backend: str, group: str) -> None:
    """One compiled function is called with arguments of several memory layouts."""
    xp: ModuleType = unify.get_backend(backend)
    few = backend != "numpy"
    failures: list[str] = []
    for seed in range(100, 100 + max(2, count(0.02 if few else 0.2))):
        ways, source = aliases.WAYS[group], aliases.random_source(group, seed)
        compiled = unify.compile(aliases.function(source, xp))
        names = random.Random(seed).sample(sorted(ways), 3)
        for name in names:
            different = aliases.differences(source, ways[name], xp, compiled)
            failures += [f"{source}{', '.join(names)}: {one}" for one in different]
    assert not failures, "\n".join(failures[:5])


@pytest.fixture(params=EAGER)
def xp(request: pytest.FixtureRequest, quick: None) -> ModuleType:
    found: ModuleType = unify.get_backend(request.param)
    return found


@pytest.mark.parametrize("view", ["x", "x[:2]", "x[::-1]"])
def test_one_is_written(xp: ModuleType, view: str) -> None:
    def function(x: Array, y: Array) -> Array:
        x[0] = 100.0
        return xp.sum(y)

    compiled = unify.compile(function)
    x = xp.asarray([1.0, 2.0, 3.0])
    wanted = {"x": 105.0, "x[:2]": 102.0, "x[::-1]": 105.0}
    assert float(compiled(x, eval(view))) == wanted[view]
    assert float(compiled(x, xp.ones(len(eval(view))))) == len(eval(view))
    assert x.tolist() == [100.0, 2.0, 3.0]


def test_pytorch_takes_an_argument_for_a_global_array(quick: None) -> None:
    """A fault of `torch.compile`, which has one program for both; ours has two."""
    torch = pytest.importorskip("torch")

    def calls(xp: Any, compiler: Any) -> list[float]:
        torch.compiler.reset()
        names = {"xp": xp, "c": xp.asarray([1.0, 2.0, 3.0])}
        exec(aliases.CAPTURED["a global name"], names)
        compiled = compiler(names["f"])
        return [float(compiled(x)) for x in (xp.ones(3), names["c"], xp.ones(3))]

    theirs = calls(torch, functools.partial(torch.compile, backend="eager"))
    assert theirs == [6.0, 105.0, 102.0]  # the last one writes to the global array
    assert calls(unify.get_backend("torch"), unify.compile) == [6.0, 105.0, 105.0]


def _doubled(x: Any, y: Any) -> Any:
    x *= 2.0
    return x + y


PAIRS: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "apart": lambda z: (z[:4], z[4:8]),
    "overlapping": lambda z: (z[:4], z[2:6]),
    "further on": lambda z: (z[2:6], z[1:5]),
    "equal": lambda z: (z[4:8], z[4:8]),
    "interleaved": lambda z: (z[::2], z[1::2]),
    "transposed": lambda z: (z[:9].reshape(3, 3), z[:9].reshape(3, 3).T),
    "broadcast": lambda z: (z[:9].reshape(3, 3), z[:3]),
    "mirrored": lambda z: (z[:4], z[3::-1]),
}


@pytest.mark.parametrize("order", [1, -1, pytest.param(3, marks=pytest.mark.slow)])
def test_pytorch_has_programs_by_overlap(order: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that writes gives NumPy's values for arguments that overlap in any way."""
    pytest.importorskip("torch")
    xp: Any = unify.get_backend("torch")
    module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
    functional = functools.partial(module.compiled, backend="aot_eager", fullgraph=True)
    monkeypatch.setattr(module, "compiled", functional)
    compiled = unify.compile(_doubled)
    names = list(PAIRS)[::order] if abs(order) == 1 else random.Random(order).sample([*PAIRS], 8)
    for name in [*names, *names]:
        memory = np.arange(1.0, 13.0)
        ours = xp.asarray(memory.copy())
        found, wanted = compiled(*PAIRS[name](ours)), _doubled(*PAIRS[name](memory))
        np.testing.assert_array_equal(np.asarray(found), wanted, name)
        np.testing.assert_array_equal(np.asarray(ours), memory, name)


# PyTorch's compiler hides the first of its own warnings, unless warnings are errors (2.13).
@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")
@pytest.mark.parametrize("how", ["compile", "compiled_namespace"])
def test_writes_in_derivatives_reach_the_caller(how: str) -> None:
    """Autograd's tensors are replaced by a write; the caller's array was not."""
    pytest.importorskip("torch")
    xp: Any = unify.get_backend("torch")
    calls: Any = unify.compiled_namespace("torch")
    write = unify.compile(lambda x: xp.set_item(x, 0, 3.0)) if how == "compile" else None

    def loss(x: Any) -> Any:
        x = x * 1
        if write is None:
            calls.set_item(x, 0, 3.0)
        else:
            write(x)
        view = unify.compile(lambda x: x[1:])(x)
        view[0] = 5.0
        return xp.sum(x * x)

    value, slope = unify.value_and_grad(loss)(xp.asarray([1.0, 2.0, 4.0]))
    assert float(value) == 9 + 25 + 16
    assert slope.tolist() == [0.0, 0.0, 8.0]


def test_pytorch_has_one_program_without_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function that doesn't write isn't compiled again for other slices of one array."""
    pytest.importorskip("torch")
    xp: Any = unify.get_backend("torch")
    module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
    made: list[Any] = []

    def counted(function: Any, *args: Any, **options: Any) -> Any:
        made.append(function)
        return function

    monkeypatch.setattr(module, "compiled", counted)
    compiled = unify.compile(lambda x, y: x + y)
    data = xp.arange(20.0)
    for i in range(5):
        assert compiled(data[i : i + 4], data[i + 1 : i + 5])[0] == 2 * i + 1
    assert len(made) == 2  # one of them takes tracked arrays


def test_apart_from_what_it_finds(xp: ModuleType) -> None:
    """A call without sharing runs the compiled program, and calls before and after it are right."""
    c = xp.asarray([1.0, 2.0, 3.0])
    traced: list[None] = []

    def function(x: Array) -> Array:
        traced.append(None)
        x[0] = 100.0
        return xp.sum(c)

    compiled = unify.compile(function)
    other = xp.ones(3)
    for _ in range(3):
        assert float(compiled(other)) == 6.0
    assert other.tolist() == [100.0, 1.0, 1.0]
    count = len(traced)
    assert float(compiled(c[:2])) == 105.0
    compiled(other)
    assert len(traced) <= count + 3  # TensorFlow and JAX trace once for another shape


def test_reverse_is_written(xp: ModuleType) -> None:
    def function(x: Array) -> Array:
        x[0] = 100.0
        return xp.sum(x)

    x = xp.asarray([1.0, 2.0, 3.0])
    assert float(unify.compile(function)(x[::-1])) == 103.0
    assert x.tolist() == [1.0, 2.0, 100.0]


def test_results_share_memory(xp: ModuleType) -> None:
    def function(x: Array) -> Any:
        y = x * 2.0
        return x[1:], {"y": y, "part": y[:2]}

    compiled = unify.compile(function)
    for _ in range(3):  # by its types from the second call on
        x = xp.asarray([1.0, 2.0, 3.0])
        view, rest = compiled(x)
        view[0] = 9.0
        rest["part"][1] = 8.0
        assert x.tolist() == [1.0, 9.0, 3.0]
        assert rest["y"].tolist() == [2.0, 8.0, 6.0]


def test_results_share_memory_with_one_another(xp: ModuleType) -> None:
    def function(x: Array) -> Any:
        y = x + 1.0
        return y[1:], y[:2]

    compiled = unify.compile(function)
    for _ in range(3):
        first, second = compiled(xp.asarray([1.0, 2.0, 3.0]))
        first[0] = 9.0
        assert second.tolist() == [2.0, 9.0]


@pytest.mark.parametrize("holder", aliases.CAPTURED)
@pytest.mark.parametrize("view", aliases.VIEWS)
def test_an_array_from_elsewhere_is_written(xp: ModuleType, view: str, holder: str) -> None:
    """The function captures an Array that shares memory with an argument, in each call."""
    c, reference = xp.asarray([1.0, 2.0, 3.0]), np.asarray([1.0, 2.0, 3.0])
    wanted = aliases.capturing(aliases.CAPTURED[holder], np, reference)
    compiled = unify.compile(aliases.capturing(aliases.CAPTURED[holder], xp, c))
    for _ in range(2):
        x = aliases.VIEWS[view](c)
        assert float(compiled(x)) == float(wanted(aliases.VIEWS[view](reference)))
        assert c.tolist() == reference.tolist()
        reference[1] = 7.0
        c[1] = 7.0


@pytest.mark.parametrize("backend", EMULATED)
def test_layouts_of_arguments(backend: str) -> None:
    """A copy of a transposed argument, which is a view if the argument was transposed before."""
    xp: ModuleType = unify.get_backend(backend)

    def function(x: Array) -> Array:
        flat = xp.reshape(x.T, (-1,))
        flat[1] = 9.0
        return xp.sum(x)

    compiled = unify.compile(function)
    for _ in range(3):
        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
        assert float(compiled(x)) == 10.0
        assert float(compiled(x.T)) == 17.0
        assert x.tolist() == [[1.0, 9.0], [3.0, 4.0]]


def test_namespace(xp: ModuleType) -> None:
    compiled = unify.compiled_namespace(xp, **_quickly(xp))
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    compiled.reshape(x, (-1,))[0] = 9.0
    for row in compiled.unstack(x):
        row[1] = 7.0
    assert x.tolist() == [[9.0, 7.0], [3.0, 7.0]]


def _quickly(xp: ModuleType) -> dict[str, Any]:
    return {"fullgraph": True, "backend": "eager"} if xp.__unify_backend__ == "torch" else {}


def _ravelled(x: Any) -> Any:
    flat = unify.ravel(x)
    flat[0] = 9.0
    return x * 1.0


def _off_diagonal(x: Any) -> Any:
    diagonal = unify.diag(x, k=1)
    diagonal[0] = 9.0
    return x * 1.0


LAYOUTS: dict[str, Any] = {
    "vector": lambda xp: xp.asarray(np.arange(6.0)),
    "every second": lambda xp: xp.asarray(np.arange(12.0))[::2],
    "matrix": lambda xp: xp.asarray(np.arange(6.0).reshape(2, 3)),
}


@pytest.mark.parametrize("function", [_ravelled, _off_diagonal])
@pytest.mark.parametrize("compiler", ["compile", "compile_graph"])
def test_ravel_and_diag(xp: ModuleType, compiler: str, function: Any) -> None:
    """`ravel` is a view where elements lie one behind the other in the call, not in the trace."""
    names = ("vector", "every second") if function is _ravelled else ("matrix", "matrix")
    for first, second in (names, names[::-1]):
        example = (LAYOUTS[first](xp),) if compiler == "compile_graph" else ()
        run = getattr(unify, compiler)(function, *example)
        for name in (first, second):
            found, expected = run(LAYOUTS[name](xp)), function(LAYOUTS[name](xp))
            np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))
