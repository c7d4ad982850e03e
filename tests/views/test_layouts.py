"""Arrays that aren't in C order: their views are NumPy's, tracked or not."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import namespace_of
from tests.installed import INSTALLED
from tests.tables import each
from tests.views.roots import LAYOUTS, Root, arrived, brought
from tests.views.steps import Own

FIRST = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
OWN = Own("float64", (2, 3), 1)

View = Callable[[Any, Any], Any]

VIEWS: dict[str, View] = {
    "reshape": lambda xp, x: xp.reshape(x, (-1,)),
    "reshape of flip": lambda xp, x: xp.reshape(xp.flip(x), (-1,)),
    "reshape of flip of mT": lambda xp, x: xp.reshape(xp.flip(x.mT), (-1,)),
    "reshape of flip of columns": lambda xp, x: xp.reshape(xp.flip(x, axis=1).mT, (3, 2, 1)),
    "reshape of reversed": lambda xp, x: xp.reshape(x[::-1, :].mT, (-1,)),
    "reshape of broadcast": lambda xp, x: xp.reshape(xp.broadcast_to(x, (2, 3)), (-1,)),
    "reshape of broadcast mT": lambda xp, x: xp.reshape(xp.broadcast_to(x.mT, (3, 2)), (-1,)),
    "a row of flip": lambda xp, x: xp.flip(x)[0],
}


def _told(xp: Any, x: Any, view: View) -> tuple[Any, Any, bool]:
    """Write through a view, if it is writable, and return both arrays."""
    taken, refused = view(xp, x), False
    try:
        taken[...] = 99.0
    except ValueError:
        refused = True
    return np.array(x).tolist(), np.array(taken).tolist(), refused


@each("name", list(VIEWS))
@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_views(xp: ModuleType, layout: str, native: bool, name: str) -> None:
    backend = xp.__unify_backend__
    root = Root(OWN, "strided" if native and layout == "reversed" else layout, "asarray", native)
    _, x = brought(root, xp)
    assert _told(xp, x, VIEWS[name]) == _told(np, arrived(root, backend), VIEWS[name])


def _transposed_result(xp: Any, x: Any) -> Any:
    y = x.T * 2.0
    z = xp.reshape(y, (-1,))
    z[0] = 100.0
    return xp.sum(y)


def _result_replaced_in_another_order(xp: Any, x: Any) -> Any:
    y = xp.zeros((3, 2))
    xp.add(x.T, x.T, out=y)
    z = xp.reshape(y, (-1,))
    z[0] = 100.0
    return xp.sum(y)


def _transposed_target(xp: Any, x: Any) -> Any:
    y = x * 2.0
    xp.add(x.T, x.T, out=y.T)
    z = xp.reshape(y, (-1,))
    z[0] = 100.0
    return xp.sum(y)


FUNCTIONS = (_transposed_result, _result_replaced_in_another_order, _transposed_target)


@each("function", FUNCTIONS)
@pytest.mark.parametrize("framework", [name for name in INSTALLED if name == "torch"])
def test_the_same_tracked(framework: str, function: Callable[[Any, Any], Any]) -> None:
    xp = namespace_of(framework)
    wanted = float(function(np, np.asarray(FIRST)))
    x = xp.asarray(FIRST)
    assert function(xp, x).item() == wanted
    found, _ = unify.value_and_grad(lambda x: function(xp, x))(x)
    assert found.item() == wanted


@pytest.mark.parametrize("view", ["flip", "mT of flip", "flip of mT", "part"])
def test_asarray_is_the_array_itself(xp: ModuleType, view: str) -> None:
    """Independent of its data, which may be a copy on PyTorch."""
    x = xp.asarray(FIRST)
    made = {
        "flip": lambda: xp.flip(x), "mT of flip": lambda: xp.flip(x).mT,
        "flip of mT": lambda: xp.flip(x.mT), "part": lambda: x[:, 1:],
    }[view]()  # fmt: skip
    for same in (xp.asarray(made), xp.asarray(made, copy=False)):
        assert same is made
    same[0, 0] = 99.0
    assert 99.0 in np.array(x)


@pytest.mark.parametrize("framework", [name for name in INSTALLED if name == "torch"])
class TestMemoryOfOthers:
    """Native tensors with shared memory that PyTorch doesn't detect."""

    @pytest.mark.parametrize("constructor", [Array, unify.asarray])
    def test_detached_parts(self, framework: str, constructor: Callable[[Any], Any]) -> None:
        import torch

        t = torch.arange(6.0, dtype=torch.float64)
        x, y = constructor(t[1:].detach()), constructor(t[:-1].detach())
        x += y
        assert t.tolist() == [0.0, 1.0, 3.0, 5.0, 7.0, 9.0]

    @pytest.mark.parametrize("constructor", [Array, unify.asarray])
    def test_parts_of_an_array_of_numpy(
        self, framework: str, constructor: Callable[[Any], Any]
    ) -> None:
        import torch

        values = np.arange(6.0)
        x, y = constructor(torch.from_numpy(values[1:])), constructor(torch.from_numpy(values[:-1]))
        x += y
        assert values.tolist() == [0.0, 1.0, 3.0, 5.0, 7.0, 9.0]

    def test_a_broadcast_tensor_is_read_only(self, framework: str) -> None:
        import torch

        t = torch.ones(1, 3, dtype=torch.float64)
        for constructor in (Array, unify.asarray):
            x = constructor(t.expand(2, 3))
            row = x[0]
            with pytest.raises(ValueError, match="read-only"):
                row[0] = 5.0
            with pytest.raises(ValueError, match="read-only"):
                x += 1.0
        assert t.tolist() == [[1.0, 1.0, 1.0]]
