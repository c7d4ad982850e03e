"""B66: a Module whose layers are on several backends is refused when it is built."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import BackendError
from tests.installed import PAIRS


def key(backend: str) -> Any:
    return unify.get_backend(backend).random.key(0)


class Network(unify.Module):
    """Layers as attributes, in a list, and in a dict."""

    def __init__(self, first: Any, second: Any, third: Any) -> None:
        self.first = unify.Linear(2, 2, key=first)
        self.rest = [unify.relu, unify.Linear(2, 2, key=second)]
        self.named = {"drop": unify.Dropout(0.5, key=third)}
        super().__init__()


class Inheriting(Network):
    """No constructor of its own."""


class Deeper(Network):
    """A layer that is added after the constructor of its base."""

    def __init__(self, first: Any, second: Any) -> None:
        super().__init__(first, first, first)
        self.last = unify.LayerNorm(2, key=second)


class Own(unify.Module):
    """A variable of its own beside a layer."""

    def __init__(self, first: Any, second: Any) -> None:
        self.layer = unify.Linear(2, 2, key=second)
        self.v.scale = unify.random.uniform(first, (2,))


@pytest.mark.parametrize(("one", "other"), PAIRS)
class TestMixtures:
    def test_the_layer_is_named(self, one: str, other: str) -> None:
        a, b = key(one), key(other)
        told = f"is on {other}, but layer 'first' is on {one}; build all layers with keys of one"
        for kind in (Network, Inheriting):
            with pytest.raises(BackendError, match=f"{kind.__name__}: layer 'rest/1' {told}"):
                kind(a, b, b)
            with pytest.raises(BackendError, match=f"{kind.__name__}: layer 'named/drop' {told}"):
                kind(a, a, b)
        with pytest.raises(BackendError, match=f"Deeper: layer 'last' {told}"):
            Deeper(a, b)

    def test_layers_in_sequence(self, one: str, other: str) -> None:
        inner = unify.Sequential(unify.tanh, unify.Linear(2, 2, key=key(other)))
        with pytest.raises(BackendError, match=f"Sequential: layer '1/1' is on {other}"):
            unify.Sequential(unify.Linear(2, 2, key=key(one)), inner)

    def test_variables_of_its_own(self, one: str, other: str) -> None:
        with pytest.raises(
            BackendError, match=f"Own: layer 'layer' .*variable 'scale' is on {one}"
        ):
            Own(key(one), key(other))

    def test_the_remedies(self, one: str, other: str) -> None:
        assert Network(*[key(other)] * 3).first.v.w.backend == other
        with unify.use_backend(one):
            net = Network(None, None, None)
            assert {x.backend for _, x in net.v.leaf_items()} == {one}
        moved = unify.Linear(2, 2, key=key(other)).to_backend(one)
        assert len(unify.Sequential(unify.Linear(2, 2, key=key(one)), moved).v) == 2


def test_copies_are_built_anew() -> None:
    net = Network(*[key("numpy")] * 3)
    for copied in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert copied.v.identical(net.v)


def test_a_constructor_that_failed_may_run_again() -> None:
    class Failing(unify.Module):
        def __init__(self) -> None:
            raise RuntimeError("no layers")

    made = Failing.__new__(Failing)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            made.__init__()  # type: ignore[misc]  # as Python calls it
    assert made._state.building == 0
