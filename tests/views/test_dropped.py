"""Views, written data, and mirrors are freed with their last reference.

Nothing needs the garbage collector: a cycle would keep whole arrays until it runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.installed import EAGER
from tests.tables import each
from tests.views.released import uncollected

Way = Callable[[ModuleType, Any], list[Any]]
WAYS: dict[str, Way] = {}
# Tests that need more than `tests.immutable_backend` implements.
_WITH_MORE = {"graph", "compiled", "module"}


def _way(function: Way) -> Way:
    WAYS[function.__name__.strip("_")] = function
    return function


@_way
def _view(xp: ModuleType, x: Any) -> list[Any]:
    view = x[1:]
    return [view, view + 1]


@_way
def _written(xp: ModuleType, x: Any) -> list[Any]:
    view = x[1:]
    view[0] = 2.0
    return [view]


@_way
def _written_and_read(xp: ModuleType, x: Any) -> list[Any]:
    view = x[1:]
    view[0] = 2.0
    return [view, x + 1, view + 1]


@_way
def _source_written(xp: ModuleType, x: Any) -> list[Any]:
    view = x[1:]
    x[0] = 2.0
    x += 1
    return [view]


@_way
def _view_of_a_view(xp: ModuleType, x: Any) -> list[Any]:
    view = x[1:]
    view += 1
    turned = view[::-1]
    turned *= 2
    return [view, turned]


@_way
def _rows(xp: ModuleType, x: Any) -> list[Any]:
    rows = [x[i] for i in range(4)]
    for row in rows:
        row += 1
    return rows


@_way
def _turned(xp: ModuleType, x: Any) -> list[Any]:
    turned, flipped = x[::-1], xp.flip(x)
    turned[0] = 2.0
    flipped += x
    return [turned, flipped]


@_way
def _reshaped(xp: ModuleType, x: Any) -> list[Any]:
    columns, parts = x.T, xp.reshape(x, (2, 6))
    columns[0] = 1.0
    parts[0] = 3.0
    return [columns, parts]


@_way
def _read_only(xp: ModuleType, x: Any) -> list[Any]:
    many = xp.broadcast_to(x, (2, 4, 3))
    x[0] = 1.0
    return [many, many + 1]


@_way
def _alias(xp: ModuleType, x: Any) -> list[Any]:
    alias = unify.Array(x)
    alias[0] = 1.0
    return [alias]


@_way
def _own_values(xp: ModuleType, x: Any) -> list[Any]:
    view = x[1:]
    view += x[:3]
    x[:2] += 1
    return [view]


@_way
def _out(xp: ModuleType, x: Any) -> list[Any]:
    view = x[1:]
    xp.add(view, 1.0, out=view)
    return [view]


@_way
def _tracked(xp: ModuleType, x: Any) -> list[Any]:
    if x.backend != "torch":
        return []
    tracked = unify.Array(x.data.requires_grad_())
    doubled = tracked * 2.0
    view = doubled[1:]
    view[0] = 1.0
    return [tracked, doubled, view]


@_way
def _exported(xp: ModuleType, x: Any) -> list[Any]:
    exported = np.asarray(x)
    exported[0] = 1
    return [exported]


@_way
def _exported_and_read(xp: ModuleType, x: Any) -> list[Any]:
    exported = np.asarray(x)
    exported[0] = 1
    return [exported, x + 1]


@_way
def _exported_and_written(xp: ModuleType, x: Any) -> list[Any]:
    exported, part = np.asarray(x), np.asarray(x[1:])
    x[0] = 1.0
    exported[1] = 2
    x += 1
    return [exported, part]


@_way
def _exported_view_outlives(xp: ModuleType, x: Any) -> list[Any]:
    view = x[1:]
    turned = np.asarray(view)[::-1]
    turned[0] = 1
    return [turned]


@_way
def _container(xp: ModuleType, x: Any) -> list[Any]:
    container = unify.Container(a=x, b={"c": x[1:]})
    container += 1
    return [container, container * 2]


@_way
def _module(xp: ModuleType, x: Any) -> list[Any]:
    with unify.use_backend(x.backend):
        module = unify.Linear(3, 2)
        return [module, module(x)]


@_way
def _compiled(xp: ModuleType, x: Any) -> list[Any]:
    program = unify.compile(lambda y: xp.sum(y * 2.0))
    return [program(x), program(x)]


@_way
def _graph(xp: ModuleType, x: Any) -> list[Any]:
    return [unify.compile_graph(lambda y: xp.sum(y * 2.0), x)(x)]


@pytest.mark.slow_on("torch", "tensorflow", "jax")
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of torch.compile
@each("way", WAYS)
def test_nothing_outlives_its_name(xp: ModuleType, way: str) -> None:
    if way in _WITH_MORE and xp.zeros(1).backend not in EAGER:
        return

    def alive() -> int:
        with uncollected():
            x = xp.ones((4, 3)) * 2.0
            dropped = WAYS[way](xp, x)
            refs = [weakref.ref(one) for one in (x, *dropped)]
            del x, dropped
            return sum(ref() is not None for ref in refs)

    # Modules imported by the first call may keep it in frames.
    assert not alive() or not alive()


_ROUND = {
    "of one array": "view = x[1:]; view[0] = 2.0",
    "of new arrays": "y = x + 1.0; view = y[1:]; view[0] = 2.0",
    "exported": "import numpy; numpy.asarray(x)[0] = 2.0; x[1] = 3.0",
}
# One process for all of them, because importing a framework takes up to 5 s.
_ROUNDS = """
import gc, json

import arrayapi_unify as unify
from arrayapi_unify.backends._common.algorithms.memory import used

xp = unify.get_backend({backend!r})
BYTES = 40_000_000


def rounds(code, x, count):
    for _ in range(count):
        exec(code, {{"x": x}})


def taken(source):
    code, x = compile(source, "round", "exec"), xp.zeros(BYTES // 8)
    gc.collect()
    gc.disable()
    rounds(code, x, 2)
    before = used(True)
    rounds(code, x, 30)
    gc.enable()
    return (used(True) - before) / BYTES


print(json.dumps({{name: taken(source) for name, source in {rounds!r}.items()}}))
"""


@pytest.mark.slow_on("torch", "tensorflow", "jax")
@pytest.mark.parametrize("name", EAGER)
def test_thirty_rounds_take_less_than_two_views(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ROUNDS.format(backend=name, rounds=_ROUND)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    taken = json.loads(done.stdout)
    assert set(taken) == set(_ROUND)
    assert all(views < 2 for views in taken.values()), taken
