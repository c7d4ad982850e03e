"""Users' networks for the tests."""

from __future__ import annotations

from typing import Any

import arrayapi_unify as unify


def make_key(backend: str, seed: int = 0) -> Any:
    return unify.get_backend(backend).random.key(seed)


class Network(unify.Module):
    """B27: the layer comes before, or after, `super().__init__()`."""

    def __init__(self, key: Any, first: bool = True) -> None:
        if first:
            self._layer = unify.Linear(3, 3, key=key)
        super().__init__()
        if not first:
            self._layer = unify.Linear(3, 3, key=key)

    def _forward(self, x: Any) -> Any:
        return self._layer(x)


class Nested(unify.Module):
    """Layers in lists and dicts, own variables, and buffers."""

    def __init__(self, key: Any) -> None:
        keys = unify.random.split(key, 3)
        self.blocks = [unify.Linear(3, 4, key=keys[0, :]), {"inner": unify.BatchNorm(4, key=key)}]
        super().__init__()
        self.heads = {"a": unify.Linear(4, 2, key=keys[1, :])}
        self.v.gain = unify.initializers.constant(key, (2,), value=2.0)
        self.dropout = unify.Dropout(0.5, key=keys[2, :])

    def _forward(self, x: Any) -> Any:
        first, rest = self.blocks
        x = self.dropout(rest["inner"](first(x)))
        return self.heads["a"](x) * self.v.gain


class Tied(unify.Module):
    """One array with two names, and one layer with two names."""

    def __init__(self, key: Any) -> None:
        self.table = unify.Embedding(5, 3, key=key)
        self.out = unify.Linear(3, 5, bias=False, key=key)
        self.out.v.w = self.table.v.w
        self.again = self.table

    def _forward(self, indices: Any) -> Any:
        return self.out(self.table(indices) + self.again(indices))
