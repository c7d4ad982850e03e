"""PyTorch's memory with foreign writes: emulated views reflect writes that it doesn't count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import arrayapi_unify.torch as xp  # after the check that there is a PyTorch
from tests.tables import each

Opened = tuple[Any, Callable[[], Any]]


def going_out(exchange: Callable[[Any], Any], of: Callable[[Any], Any] = lambda x: x) -> Opened:
    """Create an array, and a function that exports its memory."""
    x = xp.arange(5)
    return x, lambda: exchange(of(x))


def coming_in(exchange: Callable[[Any], Any]) -> Opened:
    """Create an array of foreign memory."""
    values = np.arange(5)
    return exchange(values), lambda: values


EXCHANGES: dict[str, Callable[[], Opened]] = {
    "np.asarray": lambda: going_out(np.asarray),
    "np.asarray of a part": lambda: going_out(np.asarray, lambda x: x[:3]),
    "np.from_dlpack": lambda: going_out(np.from_dlpack),
    "to_numpy": lambda: going_out(xp.to_numpy),
    "asarray": lambda: coming_in(xp.asarray),
    "from_dlpack": lambda: coming_in(xp.from_dlpack),
}
TAKEN: dict[str, Callable[[Any, Any], Any]] = {
    "flip": lambda f, x: f.flip(x),
    "negative step": lambda f, x: x[::-1],
    "broadcast_to": lambda f, x: f.broadcast_to(x, (2, 5)),
    "diagonal": lambda f, x: f.linalg.diagonal(f.reshape(x[:4], (2, 2))),
    "view of a view": lambda f, x: f.flip(f.reshape(x, (5, 1)))[:, 0],
}


@each("exchange", EXCHANGES)
@each("name", TAKEN)
def test_views_see_the_writes_of_others(exchange: str, name: str) -> None:
    x, opened = EXCHANGES[exchange]()
    take = TAKEN[name]
    early = take(xp, x)
    early.tolist()  # the cached data is outdated after the write
    values = opened()
    late = take(xp, x)
    for number in (77, 78):
        values[0] = number
        expected = take(np, np.array([number, 1, 2, 3, 4])).tolist()
        assert early.tolist() == late.tolist() == expected


class TestArraysOfFollowedViews:
    def test_numpys_is_the_memory(self) -> None:
        x = xp.arange(6)
        exported, locked = np.asarray(xp.flip(x)), np.asarray(xp.broadcast_to(x, (2, 6)))
        assert np.shares_memory(exported, x.data.numpy())
        assert np.shares_memory(exported, np.asarray(x[::-1], copy=False))
        exported[0] = 50
        assert x[5].item() == locked[1, 5] == 50
        assert not locked.flags.writeable

    def test_a_copy_belongs_to_who_has_it(self) -> None:
        turned = xp.flip(xp.arange(3))
        turned.to_numpy()[0] = 9
        turned.data[1] = 9
        assert turned.tolist() == [2, 1, 0]


@each("name", TAKEN)
def test_views_made_for_inference_see_writes(name: str) -> None:
    """PyTorch counts no writes there, so cached data isn't valid."""
    import torch

    take = TAKEN[name]
    normal = xp.arange(5)
    with torch.inference_mode():
        fresh = xp.arange(5)
        for x in (normal, fresh):
            view = take(xp, x)
            for number in (77, 78):
                x[0] = number
                assert view.tolist() == take(np, np.array([number, 1, 2, 3, 4])).tolist()
