"""What is measured: the operations, and the libraries through whose doors they are called."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

__all__ = ["OPERATIONS", "SIZES", "Door", "doors", "scope"]

SIZES: Final = (4, 1_000, 1_000_000)


@dataclass(frozen=True, slots=True)
class Door:
    """A way to call: the statement's `{xp}` and the function that makes its arrays."""

    name: str
    namespace: Any
    make: Callable[[Any], Any]
    # Operators and methods need no namespace, so only one door of a library is measured with them.
    operators: bool = True


# operation -> statement; x and y have the size's number of elements, m is a square matrix.
OPERATIONS: Final[dict[str, str]] = {
    "add(x, y)": "xp.add(x, y)",
    "add(x, 2)": "xp.add(x, 2.0)",
    "x + y": "x + y",
    "x * 2": "x * 2.0",
    "x += y": "x += y",
    "sin(x)": "xp.sin(x)",
    "floor_divide(x, y)": "xp.floor_divide(x, y)",
    "sum(x)": "xp.sum(x)",
    "reshape(x)": "xp.reshape(x, (2, -1))",
    "x[1:3]": "x[1:3]",
    "x[1] = 2": "x[1] = 2.0",
    "concat((x, y))": "xp.concat((x, y))",
    "matmul(m, m)": "xp.matmul(m, m)",
    "m @ m": "m @ m",
    "zeros(n)": "xp.zeros(n)",
    "asarray(list)": "xp.asarray(values)",
}


def doors() -> tuple[Door, list[Door]]:
    """Return the bare library, and the doors that are measured against it."""
    unify = importlib.import_module("arrayapi_unify")
    bound = importlib.import_module("arrayapi_unify.numpy")
    compat = importlib.import_module("array_api_compat.numpy")
    strict = importlib.import_module("array_api_strict")
    return Door("numpy", np, np.asarray), [
        Door("arrayapi_unify.numpy", bound, unify.asarray),
        Door("arrayapi_unify", unify, unify.asarray, operators=False),
        Door("array_api_compat", compat, np.asarray, operators=False),
        Door("array_api_strict", strict, strict.asarray),
    ]


def scope(door: Door, size: int) -> dict[str, Any]:
    """Return what the names xp, x, y, m, n and values stand for, made through a door."""
    side = max(2, int(size**0.5))
    values = np.linspace(0.5, 2.5, size)
    names = (
        door.namespace,
        door.make(values.copy()),
        door.make(values[::-1].copy()),
        door.make(np.resize(values, (side, side))),
        size,
        values.tolist(),
    )
    return {"scope": names}
