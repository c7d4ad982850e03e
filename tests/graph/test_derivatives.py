"""Derivatives in graphs, traced with one input and called with another, against calculus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyRuntimeError
from arrayapi_unify.graph import GraphError
from tests.installed import EAGER

DIFFERENTIATING = [name for name in EAGER if name != "numpy"]
EACH = pytest.mark.parametrize("backend", DIFFERENTIATING)
_FIRST, _X = [1.0, 2.0, 3.0], np.array([4.0, 0.0, -1.0])


def _cubes(x: Any) -> Any:
    return unify.sum(x**3)


def _written(x: Any) -> Any:
    x[0] = x[1] * 2
    x *= x
    return unify.sum(x)


def _recomputed(x: Any) -> Any:
    return unify.sum(unify.checkpoint(lambda y: y**3)(x))


_seven: Final = unify.bind_custom_gradient_function(lambda x: x * x, lambda call, above: 7 * above)

PROGRAMS: Final[dict[str, tuple[Callable[[Any], Any], Any]]] = {
    "grad": (unify.grad(_cubes), 3 * _X**2),
    "an undefined element": (unify.grad(lambda x: unify.sum(unify.sqrt(x))), [0.25, 0, 0]),
    "what the closure holds": (lambda x: unify.grad(lambda y: unify.sum(y * x))(2 * x), _X),
    "a second derivative": (unify.grad(lambda x: unify.sum(unify.grad(_cubes)(x))), 6 * _X),
    "writes": (unify.grad(_written), [0, 10 * _X[1], 2 * _X[2]]),
    "checkpoint": (unify.grad(_recomputed), 3 * _X**2),
    "a constant": (unify.grad(lambda x: unify.sum(x * unify.stop_gradient(x))), _X),
    "vjp": (lambda x: unify.vjp(lambda y: y * y, x)[1](x)[0], 2 * _X**2),
    "jvp": (lambda x: unify.jvp(lambda y: y * y, (x,), (x,))[1], 2 * _X**2),
    "rows": (unify.vmap(unify.grad(lambda x: x**3)), 3 * _X**2),
    "a rule": (unify.grad(lambda x: unify.sum(_seven(x))), [7, 7, 7]),
}


@EACH
@pytest.mark.parametrize("name", PROGRAMS)
def test_repeats_derivatives(backend: str, name: str) -> None:
    function, expected = PROGRAMS[name]
    asarray = unify.get_backend(backend).asarray
    graph = unify.compile_graph(function, asarray(_FIRST))
    x = asarray(_X)
    found = graph(x)
    np.testing.assert_allclose(unify.to_numpy(found), expected, rtol=1e-14)
    assert unify.to_numpy(x).tolist() == _X.tolist()
    if backend == "torch":
        assert not found.data.requires_grad


@EACH
def test_is_differentiated(backend: str) -> None:
    """The value and the slope of a graph have derivatives, if the caller asks for them."""
    asarray = unify.get_backend(backend).asarray
    graph = unify.compile_graph(unify.value_and_grad(_cubes), asarray(_FIRST))

    def both(x: Any) -> Any:
        value, slope = graph(x)
        return value + unify.sum(slope)

    found = unify.grad(both)(asarray(_X))
    np.testing.assert_allclose(unify.to_numpy(found), 3 * _X**2 + 6 * _X, rtol=1e-14)


@EACH
def test_refuses_results_without_a_dependence(backend: str) -> None:
    x = unify.get_backend(backend).asarray(_FIRST)
    with pytest.raises(TypeError, match="grad: argument 'func' returns no array that depends"):
        unify.compile_graph(lambda x: unify.grad(lambda y: unify.sum(x))(x), x)


def test_refuses_writes_to_views_on_torch() -> None:
    """Elsewhere views are emulated, and such a write reaches its source."""
    pytest.importorskip("torch")
    x = unify.get_backend("torch").asarray([[1.0, 2.0], [3.0, 4.0]])

    def write(x: Any) -> Any:
        y = x * 1.0
        y.mT[0] = 3.0
        return unify.sum(y * y)

    with pytest.raises(GraphError, match="writes to a view that torch differentiates"):
        unify.compile_graph(unify.grad(write), x)


@EACH
@pytest.mark.parametrize("function", [lambda x: x, lambda x: x[:2]], ids=["itself", "a view"])
def test_results_share_memory_in_derivatives(backend: str, function: Callable[[Any], Any]) -> None:
    xp: Any = unify.get_backend(backend)
    graph = unify.compile_graph(function, xp.asarray(_FIRST))

    def loss(x: Any) -> Any:
        x = x * 1.0
        graph(x)[0] = 5.0
        return xp.sum(x * x)

    value, slope = unify.value_and_grad(loss)(xp.asarray(_X))
    assert float(value) == 26.0
    assert slope.tolist() == [0.0, 0.0, -2.0]


def test_refuses_calls_where_torch_tracks_nothing() -> None:
    torch = pytest.importorskip("torch")
    x = unify.get_backend("torch").asarray(_FIRST)
    graph = unify.compile_graph(unify.grad(_cubes), x)
    nowhere = pytest.raises(UnifyRuntimeError, match=r"can't be called where torch.no_grad\(\)")
    with nowhere, torch.no_grad():
        graph(x)
    with pytest.raises(UnifyRuntimeError, match="can't be called inside vmap"):
        unify.vmap(graph)(unify.stack([x, x]))
