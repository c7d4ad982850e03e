"""B71: objects that hold arrays and are no nests leave no trace, and enter none, silently."""

from __future__ import annotations

import dataclasses
import functools
from collections import OrderedDict, deque
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError
from tests.installed import DIFFERENTIATING, EAGER


class Box:
    def __init__(self, value: Any) -> None:
        self.value = value


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


@dataclasses.dataclass(frozen=True)
class Frozen:
    value: Any


class Derived(list[Any]):
    """A nest of a class of the user's."""


HOLDERS: Final[dict[str, Callable[[Any], Any]]] = {
    "object": Box,
    "slots": Slotted,
    "dataclass": Frozen,
    "in a nest": lambda x: {"a": (1, [Box(x)])},
    "deep": lambda x: Box([Slotted({"k": Frozen(x)})]),
    "native": lambda x: Box(x.data),
    "deque": lambda x: deque([x]),
    "generator": lambda x: (x * i for i in range(3)),
    "closure": lambda x: lambda: x,
    "partial": lambda x: functools.partial(print, x),
}
TRACES: Final[dict[str, Callable[[Any, Any, Any], Any]]] = {
    "compile_graph": lambda xp, f, x: unify.compile_graph(f, x),
    "compile": lambda xp, f, x: unify.compile(f)(x),
    "vmap": lambda xp, f, x: unify.vmap(f)(x),
    "checkpoint": lambda xp, f, x: unify.checkpoint(f)(x),
    "scan": lambda xp, f, x: unify.scan(lambda carry, row: (carry, f(row)), 0.0, x),
    "fori_loop": lambda xp, f, x: unify.fori_loop(
        0, 2, lambda i, v: (v[0], Box(v[0])), (x, None)
    ),
    "compiled cond": lambda xp, f, x: unify.compile(
        lambda x: unify.cond(xp.sum(x) > 0, f, f, x) and x
    )(x),
}  # fmt: skip


def _made_of(hold: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: hold(x * 2.0)


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("backend", EAGER)
def test_results_of_graphs(backend: str, holder: str) -> None:
    xp = unify.get_backend(backend)
    with pytest.raises(UnifyTypeError, match=r"compile_graph.*holds an array and is no nest"):
        unify.compile_graph(_made_of(HOLDERS[holder]), xp.ones(3))


# PyTorch's compiler returns objects.
CALLS = [
    (backend, trace)
    for backend in DIFFERENTIATING
    for trace in TRACES
    if backend != "torch" or "compile" not in trace.replace("compile_graph", "")
]


@pytest.mark.parametrize(("backend", "trace"), CALLS)
def test_results_of_traces(backend: str, trace: str) -> None:
    xp = unify.get_backend(backend)
    with pytest.raises(UnifyTypeError, match="holds an array and is no nest"):
        TRACES[trace](xp, _made_of(Box), xp.ones((2, 3)))


@pytest.mark.parametrize("holder", HOLDERS)
def test_results_on_numpy(holder: str) -> None:
    with pytest.raises(UnifyTypeError, match="holds an array and is no nest"):
        unify.compile(_made_of(HOLDERS[holder]))(unify.numpy.ones(3))


def test_derivatives_beside_an_object() -> None:
    """JAX's traces end with the derivative; tapes record arrays with values."""
    for backend in DIFFERENTIATING:
        xp = unify.get_backend(backend)
        run = unify.value_and_grad(lambda x: (unify.sum(x * x), Box(x * 2.0)), has_aux=True)
        if backend == "jax":
            with pytest.raises(UnifyTypeError, match="holds an array and is no nest"):
                run(xp.ones(3))
        else:
            assert run(xp.ones(3))[0][1].value.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("backend", EAGER)
def test_arguments(backend: str) -> None:
    """FAULTS 1.11: their arrays would be constants, whatever they are in the next call."""
    xp: ModuleType = unify.get_backend(backend)
    box = Box(xp.ones(3))
    for args in ((box,), ([box], xp.ones(3)), ({"a": box},)):
        with pytest.raises(UnifyTypeError, match=r"compile_graph: .*holds a Box"):
            unify.compile_graph(lambda *args: xp.ones(3), *args)
    if backend != "torch":
        with pytest.raises(UnifyTypeError, match="holds a Box"):
            unify.compile(lambda box, x: box.value * x)(box, xp.ones(3))
    scale = xp.ones(3)
    found = unify.compile_graph(lambda f, x: f(x), lambda x: x * scale, xp.ones(3))
    assert len(found) == 1


@pytest.mark.parametrize("backend", EAGER)
def test_derived_nests(backend: str) -> None:
    """Their arrays are traced, and results keep class and attributes."""
    xp: ModuleType = unify.get_backend(backend)

    def function(nest: Any) -> Any:
        made = Derived([nest["a"] * 2.0])
        made.unit = "m"  # type: ignore[attr-defined]
        return OrderedDict(b=made)

    graph = unify.compile_graph(function, OrderedDict(a=xp.ones(2)))
    for _ in range(2):
        found = graph(OrderedDict(a=xp.asarray([1.0, 3.0])))
        assert type(found) is OrderedDict
        assert type(found["b"]) is Derived
        assert found["b"].unit == "m"
        np.testing.assert_array_equal(np.asarray(found["b"][0]), [2.0, 6.0])
