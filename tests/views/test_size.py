"""Many views of one large array take little additional memory."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify import backends

MANY = 40
# The limit of copies, of which each view could be one.
FEW = 10
SIZE = 2**17

VIEWS: dict[str, Callable[[Any, Any], Any]] = {
    "slice": lambda xp, x: x[1:],
    "negative step": lambda xp, x: x[::-1],
    "flip": lambda xp, x: xp.flip(x),
    "read-only": lambda xp, x: xp.broadcast_to(x, (2, SIZE)),
    "view of a view": lambda xp, x: xp.reshape(x, (2, -1))[:, 1:],
}


def copies(x: Any, views: list[Any]) -> int:
    """Read each view's native array, and count those that keep their own memory."""
    shares = backends.load(x.backend).shares_memory
    seen = [weakref.ref(view.data) for view in views]
    alive = [native for ref in seen if (native := ref()) is not None]
    return sum(not shares(native, x.data) for native in alive)


@pytest.mark.parametrize("name", VIEWS)
def test_views_that_are_read(xp: ModuleType, name: str) -> None:
    x = xp.arange(SIZE)
    views = [VIEWS[name](xp, x) for _ in range(MANY)]
    assert copies(x, views) <= FEW
    assert copies(x, views[::-1]) <= FEW
    twin = VIEWS[name](np, np.arange(SIZE))
    assert all(np.array_equal(np.asarray(view), twin) for view in views)


@pytest.mark.parametrize("name", [name for name in VIEWS if name != "read-only"])
def test_views_that_are_written_to(xp: ModuleType, name: str) -> None:
    x = xp.arange(SIZE)
    views = [VIEWS[name](xp, x) for _ in range(MANY)]
    seen = []
    for view in views:
        view += 1
        seen.append(weakref.ref(view.data))
    shares = backends.load(x.backend).shares_memory
    alive = [native for ref in seen if (native := ref()) is not None]
    assert sum(not shares(native, x.data) for native in alive) <= FEW
    twin = np.arange(SIZE)
    VIEWS[name](np, twin)[...] += MANY
    assert np.array_equal(np.asarray(x), twin)
