"""Differentiated writes: views of tracked arrays are emulated, and tensors never modified."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from tests.installed import INSTALLED
from tests.views.test_traced import GRADIENTS

WAYS = [way for way, (name, _) in GRADIENTS.items() if name in INSTALLED]
FIRST = np.asarray([[0.5, -0.25, 0.125], [0.75, 0.375, -0.5], [-0.125, 0.25, 0.625]])

Function = Callable[[Any, Any], Any]


def _recurrent(xp: Any, w: Any) -> Any:
    """Overwrite each state by the next one, although the derivative needs it."""
    h = xp.reshape(xp.arange(6, dtype=xp.float64), (2, 3)) / 4
    for _ in range(3):
        h[:] = xp.tanh(xp.matmul(h, w))
    return xp.sum(h * h)


def _rows(xp: Any, w: Any) -> Any:
    """Fill an array row by row, each from the previous one."""
    h = xp.zeros((4, 3), dtype=xp.float64)
    rows = xp.unstack(h)
    rows[0][...] = 1.0
    for before, row in pairwise(rows):
        row[...] = xp.tanh(xp.matmul(w, before))
    return xp.sum(h * h)


def _in_place(xp: Any, w: Any) -> Any:
    x = w * 2.0
    view = x[::-1, 1:]
    kept = xp.exp(view)
    view *= view
    x += xp.sin(x)
    return xp.sum(x) + xp.sum(kept * view)


def _view_of_what_is_tracked(xp: Any, w: Any) -> Any:
    x = xp.asarray(w, copy=True)
    column = x[:, 1]
    x *= x
    column[0] = xp.sum(x[1])
    return xp.sum(x * x) + xp.sum(column)


def _overwritten(xp: Any, w: Any) -> Any:
    x = w + 0.0
    before = x * x
    x[0] = 1.0
    x[:, 1] = x[:, 0] * 3.0
    x[xp.asarray([2, 1]), 2] += 1.0
    return xp.sum(before) + xp.sum(x * x)


def _written_under_views(xp: Any, w: Any) -> Any:
    """Make an array tracked that has views, some of which were read."""
    x = xp.zeros((3, 3), dtype=xp.float64)
    window = x[1:][:, 1:]
    views = [xp.flip(x, axis=0), xp.linalg.diagonal(x), xp.flip(window), xp.broadcast_to(x, (3, 3))]
    before = sum(xp.sum(view) for view in views)
    x[...] = w
    window *= 3.0
    return before + sum(xp.sum(view * view) * (i + 1.0) for i, view in enumerate(views))


FUNCTIONS: tuple[Function, ...] = (
    _recurrent, _rows, _in_place, _view_of_what_is_tracked, _overwritten, _written_under_views,
)  # fmt: skip


class _NumPy:
    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def _differences(function: Function) -> Any:
    """Return the derivative by NumPy, with real steps on both sides."""
    found, step = np.zeros(FIRST.shape), 2.0**-13
    for place in np.ndindex(FIRST.shape):
        move = np.zeros(FIRST.shape)
        move[place] = step
        ahead, behind = (function(_NumPy(), FIRST + sign * move) for sign in (1, -1))
        found[place] = (ahead - behind) / (2 * step)
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__[1:])
def test_derivative(way: str, function: Function) -> None:
    framework, gradient = GRADIENTS[way]
    xp = namespace_of(framework)
    found = gradient(lambda native: function(xp, xp.asarray(native)).data, FIRST)
    np.testing.assert_allclose(found, _differences(function), rtol=1e-5, atol=1e-6)


class TestTorch:
    @pytest.fixture
    def xp(self) -> ModuleType:
        pytest.importorskip("torch")
        return namespace_of("torch")

    def _leaf(self) -> Any:
        import torch

        return torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)

    @pytest.mark.parametrize(
        "write",
        [
            lambda x: x.__setitem__(0, 9.0),
            lambda x: x.__imul__(2.0),
            lambda x: x[1:].__iadd__(1.0),
            lambda x: x[::-1].__setitem__(slice(1), 5.0),
        ],
    )
    def test_a_leaf_is_never_changed(self, xp: ModuleType, write: Any) -> None:
        leaf = self._leaf()
        x = xp.asarray(leaf)
        write(x)
        assert leaf.tolist() == [1.0, 2.0, 3.0]
        assert x.tolist() != leaf.tolist()
        xp.sum(x).data.backward()
        assert leaf.grad is not None

    def test_a_view_of_a_leaf_follows(self, xp: ModuleType) -> None:
        x = xp.asarray(self._leaf())
        view, turned = x[1:], x[::-1]
        x[1] = 7.0
        assert (view.tolist(), turned.tolist()) == ([7.0, 3.0], [3.0, 7.0, 1.0])
        turned += 1.0
        assert (x.tolist(), view.tolist()) == ([2.0, 8.0, 4.0], [8.0, 4.0])

    def test_a_tracked_value_written_into_a_plain_array(self, xp: ModuleType) -> None:
        leaf = self._leaf()
        x = xp.zeros((2, 3))
        row = x[1]
        x[1] = xp.asarray(leaf)
        row *= 2.0
        xp.sum(x * x).data.backward()
        assert x.tolist() == [[0.0] * 3, [2.0, 4.0, 6.0]]
        assert leaf.grad.tolist() == [8.0, 16.0, 24.0]

    @pytest.mark.parametrize("living", ["", "1", "01", "001", "11", "0110", "1" * 20, "10" * 20])
    @pytest.mark.parametrize("of_windows", [False, True])
    def test_all_windows_see_a_tracked_value(
        self, xp: ModuleType, living: str, of_windows: bool
    ) -> None:
        """Views that were freed don't affect the others."""
        x, leaf = xp.zeros((2, 3)), self._leaf()
        kept = []
        for one in living:
            window = x.T if of_windows else x
            window = window[..., 1:]
            if one == "1":
                kept.append(window)
        x[1] = xp.asarray(leaf)
        wanted = np.array([[0.0] * 3, [1.0, 2.0, 3.0]])
        wanted = (wanted.T if of_windows else wanted)[..., 1:]
        assert [window.tolist() for window in kept] == [wanted.tolist()] * len(kept)
        assert all(window.data.requires_grad for window in kept)

    def test_what_the_derivative_needs_stays(self, xp: ModuleType) -> None:
        """PyTorch itself would raise: a saved tensor was changed in place."""
        leaf = self._leaf()
        x = xp.asarray(leaf) * 1.0
        y = xp.exp(x)
        loss = xp.sum(y * y)
        y[...] = 0.0
        x[...] = 0.0
        loss.data.backward()
        np.testing.assert_allclose(leaf.grad.numpy(), 2 * np.exp([2.0, 4.0, 6.0]), rtol=1e-14)
