"""B70: hidden state in transformed functions: draws without a key, and writes to a Module."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyTypeError
from tests.functional.differentiating import on_each as on_each
from tests.installed import INSTALLED

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.fixture(autouse=True)
def _seeded() -> None:
    unify.random.seed(4)


def layers(xp: ModuleType) -> tuple[Any, Callable[[Any], Any]]:
    """Return a Module with both kinds of buffers, and a function that also draws without a key."""
    net = unify.nn.Sequential(unify.nn.BatchNorm(3), unify.nn.Dropout(0.5, key=unify.random.key(9)))
    net = net.to_backend(xp.__unify_backend__)

    def function(x: Any) -> Any:
        noise = xp.random.random_uniform(shape=(3,))
        return xp.sum(net(x) ** 3 * noise + xp.random.random_normal(shape=()) * x)

    return net, function


def after(net: Any, xp: ModuleType) -> list[Any]:
    """Return the state that a call has left."""
    arrays = [*net.buffers["1"].values(), *net.buffers["0"].values()]
    return [*[x.tolist() for x in arrays], float(xp.random.random_uniform(shape=()))]


def equal(found: Any, wanted: Any) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-12, atol=1e-14)


RECOMPUTED: dict[str, Callable[[Callable[..., Any], Callable[..., Any], Any], Any]] = {
    "value": lambda f, way, x: (way(f)(x),),
    "gradient": lambda f, way, x: unify.value_and_grad(way(f))(x),
    "twice": lambda f, way, x: unify.value_and_grad(lambda x: way(f)(x) + 2 * way(f)(x * 2))(x),
    "nested": lambda f, way, x: unify.value_and_grad(way(way(f)))(x),
    "second": lambda f, way, x: (unify.grad(lambda x: unify.sum(unify.grad(way(f))(x) ** 2))(x),),
    "pushed": lambda f, way, x: unify.jvp(way(f), (x,), (x,)),
    "loop": lambda f, way, x: unify.value_and_grad(
        lambda x: unify.scan(lambda c, r: (c + way(f)(r), None), 0.0, unify.stack([x, x * 2]))[0]
    )(x),
}


@pytest.mark.parametrize("program", RECOMPUTED)
def test_checkpoint_is_the_eager_call(program: str, on_each: ModuleType) -> None:
    """The second call draws the same numbers, and what the function writes is written once."""
    x = on_each.asarray(X)
    found = []
    for way in (lambda f: f, unify.checkpoint):
        unify.random.seed(4)
        net, function = layers(on_each)
        results = RECOMPUTED[program](function, way, x)
        found.append([*results, *after(net, on_each)])
    equal(found[1], found[0])


def test_checkpoint_in_a_stateless_call(on_each: ModuleType) -> None:
    class Network(unify.nn.Module):
        def __init__(self) -> None:
            self.drop = unify.nn.Dropout(0.5, key=unify.random.key(9))
            super().__init__()

        def _forward(self, x: Any) -> Any:
            return unify.checkpoint(self.drop)(x) + self.drop(x)

    name = on_each.__unify_backend__
    net, other = Network().to_backend(name), Network().to_backend(name)
    before, x = net.buffers["drop/key"].tolist(), on_each.asarray(X)
    result, buffers = net.stateless_call(net.v, net.buffers, x)
    assert net.buffers["drop/key"].tolist() == before
    assert result.tolist() == other(x).tolist()
    assert buffers["drop/key"].tolist() == other.buffers["drop/key"].tolist() != before


REFUSED: dict[str, Callable[[Callable[[Any], Any], Any], Any]] = {
    "vmap": lambda f, x: unify.vmap(f)(unify.stack([x, x])),
    "compile_graph": lambda f, x: unify.compile_graph(f, x)(x),
    "compile": lambda f, x: unify.compile(f)(x),
    "scan": lambda f, x: unify.compile(
        lambda x: unify.scan(lambda c, r: (c, f(r)), 0.0, unify.stack([x, x]))[1]
    )(x),
    "checkpoint of compile": lambda f, x: unify.checkpoint(unify.compile(f))(x),
    "compile of checkpoint": lambda f, x: unify.compile(unify.checkpoint(f))(x),
    "vmap of checkpoint": lambda f, x: unify.vmap(unify.checkpoint(f))(unify.stack([x, x])),
}
HIDDEN: dict[str, Callable[[ModuleType, Any], Callable[[Any], Any]]] = {
    "draw": lambda xp, net: lambda x: x + xp.random.random_uniform(shape=(3,)),
    "key": lambda xp, net: lambda x: xp.random.normal(xp.random.next_key(), (3,)) + x,
    "dropout": lambda xp, net: net[1],
    "statistics": lambda xp, net: net[0],
}


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("way", REFUSED)
@pytest.mark.parametrize("name", INSTALLED)
def test_refused_where_one_run_serves_several_calls(name: str, way: str, hidden: str) -> None:
    """The error names the remedy, and nothing has changed."""
    if name == "torch" and ("compile" in way or way == "scan") and way != "compile_graph":
        return  # torch.compile runs it as the eager call does
    if name == "dask":
        return  # it has no compiler, and no loop over rows
    xp = namespace_of(name)
    net, _ = layers(xp)
    unify.random.seed(4)
    state = after(net, xp)
    unify.random.seed(4)
    remedy = "stateless_call" if hidden in ("dropout", "statistics") else "pass a key"
    with pytest.raises(UnifyTypeError, match=remedy):
        REFUSED[way](HIDDEN[hidden](xp, net), xp.asarray(X))
    equal(after(net, xp), state)


@pytest.mark.parametrize("name", INSTALLED)
def test_passed_state_is_allowed(name: str) -> None:
    """Keys and buffers that are arguments or results aren't hidden."""
    if name == "dask":
        return
    xp = namespace_of(name)
    net, _ = layers(xp)
    drop, x = net[1], xp.asarray(X)
    eager, buffers = drop.stateless_call(drop.v, drop.buffers, x)
    rows, keys = unify.vmap(lambda r: drop.stateless_call(drop.v, drop.buffers, r))(x)
    assert keys.key.tolist() == [buffers.key.tolist()] * 2
    assert rows.shape == x.shape
    graph = unify.compile_graph(
        lambda b, x: drop.stateless_call(drop.v, b, x), drop.buffers.copy(), x
    )
    again, renewed = graph(drop.buffers.copy(), x)
    assert again.tolist() == eager.tolist()
    assert renewed.key.tolist() == buffers.key.tolist()
    drawn = unify.vmap(lambda k: xp.random.uniform(k, (2,)))(xp.random.split(xp.random.key(1), 3))
    assert len({float(v) for v in xp.reshape(drawn, (-1,))}) == 6
