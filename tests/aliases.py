"""Drawn functions of arrays that share memory, compared with plain NumPy.

A function takes views, writes to its arguments and their views, reads after the write, and returns
any of these. It is created once, and called with arrays of the same shapes that share no memory,
that are one array, or that are views of each other. Afterwards each result is written to, to detect
the arrays that share its memory. The reference is the same source with NumPy's own arrays.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

__all__ = [
    "CAPTURED",
    "VIEWS",
    "WAYS",
    "Way",
    "capturing",
    "differences",
    "random_source",
    "function",
]

Arrays = tuple[Any, ...]


class Way(NamedTuple):
    """One memory layout of the arguments."""

    bases: tuple[tuple[int, ...], ...]
    """The shapes of the arrays from which the arguments are taken."""
    arguments: Callable[..., Arrays]


def _apart(*bases: Any) -> Arrays:
    return bases


# All arguments of a group have the same shapes, so that one function serves all its layouts.
WAYS: Final[dict[str, dict[str, Way]]] = {
    "vectors": {
        "apart": Way(((4,), (4,)), _apart),
        "one array twice": Way(((4,),), lambda b: (b, b)),
        "an array and its reverse": Way(((4,),), lambda b: (b, b[::-1])),
        "two reverses": Way(((4,),), lambda b: (b[::-1], b[::-1])),
        "slices that overlap": Way(((6,),), lambda b: (b[:4], b[2:])),
        "a slice and a strided one": Way(((8,),), lambda b: (b[2:6], b[::2])),
        "slices that lie apart": Way(((8,),), lambda b: (b[4:], b[:4])),
        "a row and a column": Way(((4, 4),), lambda b: (b[1], b[:, 2])),
    },
    "matrices": {
        "apart": Way(((3, 3), (3, 3)), _apart),
        "one array twice": Way(((3, 3),), lambda b: (b, b)),
        "a matrix and its transpose": Way(((3, 3),), lambda b: (b, b.T)),
        "two transposes": Way(((3, 3), (3, 3)), lambda b, c: (b.T, c.T)),
        "blocks that overlap": Way(((4, 4),), lambda b: (b[1:, :3], b[:3, 1:])),
        "a reversed block": Way(((3, 3),), lambda b: (b[::-1, ::-1], b)),
    },
    "of two shapes": {
        "apart": Way(((2, 3), (3,)), _apart),
        "a matrix and its row": Way(((2, 3),), lambda b: (b, b[1])),
        "a matrix and its reversed row": Way(((2, 3),), lambda b: (b, b[0, ::-1])),
        "columns and a column": Way(((3, 4),), lambda b: (b.T[1:3], b[:, 1])),
    },
}

_SHAPES: Final = {
    "vectors": ((4,), (4,)),
    "matrices": ((3, 3), (3, 3)),
    "of two shapes": ((2, 3), (3,)),
}


class _Drawing:
    """Statements of a function, whose names have the shapes of NumPy's arrays."""

    def __init__(self, seed: int, shapes: tuple[tuple[int, ...], ...]) -> None:
        self._random = random.Random(seed)
        self.lines: list[str] = []
        self.shapes = {"x": shapes[0], "y": shapes[1]}

    def _any(self, which: Callable[[tuple[int, ...]], bool] = bool) -> str:
        return self._random.choice([name for name, shape in self.shapes.items() if which(shape)])

    def _named(self, expression: str, shape: tuple[int, ...]) -> None:
        name = f"v{len(self.shapes)}"
        self.lines.append(f"{name} = {expression}")
        self.shapes[name] = shape

    def view(self) -> None:
        """Take a view, or a copy for layouts that NumPy copies."""
        name = self._any()
        shape = self.shapes[name]
        key, found = self._random.choice([
            ("[1:]", (shape[0] - 1, *shape[1:])),
            ("[::-1]", shape),
            ("[::2]", ((shape[0] + 1) // 2, *shape[1:])),
        ])  # fmt: skip
        expressions = [(f"{name}{key}", found)]
        size = int(np.prod(shape))
        expressions.append((f"xp.reshape({name}, (-1,))", (size,)))
        if len(shape) == 2:
            expressions += [(f"{name}.T", shape[::-1]), (f"{name}[1]", shape[1:])]
            expressions.append((f"xp.reshape({name}.T, (-1,))", (size,)))
        expression, found = self._random.choice(expressions)
        if found[0]:
            self._named(expression, found)

    def computed(self) -> None:
        """Compute a new array."""
        name = self._any()
        alike = self._any(lambda shape: shape == self.shapes[name])
        operation = self._random.choice([f"{name} + {alike}", f"{name} * 2.0", f"-{name}"])
        self._named(operation, self.shapes[name])

    def write(self) -> None:
        """Write a number, or an array, to an array that may be an argument."""
        name = self._any()
        shape = self.shapes[name]
        alike = self._any(lambda one: one == shape)
        number = float(self._random.randint(10, 99))
        key = self._random.choice(["0", "-1", "1:", "::2", "..."])
        self.lines.append(self._random.choice([
            f"{name}[{key}] = {number}",
            f"{name}[...] = {alike} + 1.0",
            f"{name} += {number}",
            f"{name} *= {alike}",
            f"{name} -= {alike}",
        ]))  # fmt: skip

    def source(self) -> str:
        """Return a function with a few statements of each kind."""
        for _ in range(self._random.randint(2, 5)):
            self._random.choice([self.view, self.view, self.computed, self.write, self.write])()
        self.write()
        names = self._random.sample(sorted(self.shapes), min(2, len(self.shapes)))
        total = self._any()
        body = [*self.lines, f"return {', '.join(names)}, xp.sum({total})"]
        return "def f(x, y):\n" + "".join(f"    {line}\n" for line in body)


def random_source(group: str, seed: int) -> str:
    """Draw the source of a function of two arrays."""
    return _Drawing(seed, _SHAPES[group]).source()


def function(source: str, xp: Any) -> Callable[..., Arrays]:
    """Create a function from its source and a namespace."""
    names: dict[str, Any] = {"xp": xp}
    exec(source, names)
    made: Callable[..., Arrays] = names["f"]
    return made


def _bases(way: Way) -> list[Any]:
    sizes = [int(np.prod(shape)) for shape in way.bases]
    return [
        np.reshape(np.arange(1.0, size + 1.0) + 20.0 * i, shape)
        for i, (shape, size) in enumerate(zip(way.bases, sizes, strict=True))
    ]


def _seen(made: Callable[..., Arrays], bases: list[Any], arguments: Arrays) -> list[Any]:
    """Return all effects of a call, and of writes to its results."""
    results = made(*arguments)
    everything = [*results, *bases, *arguments]
    seen = [np.array(x) for x in everything]
    for i, result in enumerate(results):
        if result.ndim:
            result[0] = -1.0 - i
            seen += [np.array(x) for x in everything]
    return seen


def differences(source: str, way: Way, xp: Any, made: Callable[..., Arrays]) -> list[str]:
    """Compare a call of the compiled or traced function with NumPy's; return the difference."""
    reference = _bases(way)
    wanted = _seen(function(source, np), reference, way.arguments(*reference))
    bases = [xp.asarray(base, copy=True) for base in _bases(way)]
    found = _seen(made, bases, way.arguments(*bases))
    pairs = enumerate(zip(found, wanted, strict=True))
    return [f"{i}: {mine.tolist()} is not {theirs.tolist()}" for i, (mine, theirs) in pairs
            if not np.array_equal(mine, theirs)]  # fmt: skip


# --- captured arrays -------------------------------------------------------------------------

VIEWS: Final[dict[str, Callable[[Any], Any]]] = {
    "itself": lambda c: c,
    "a part": lambda c: c[:2],
    "the reverse": lambda c: c[::-1],
}

# Functions of x that write to it, and read the captured array `c`.
CAPTURED: Final = {
    "a global name": """
def f(x):
    x[0] = 100.0
    return xp.sum(c)
""",
    "a closure": """
def closed(c):
    def f(x):
        x[0] = 100.0
        return xp.sum(c)
    return f

f = closed(c)
""",
    "a function that it calls": """
def total():
    return xp.sum(c)

def f(x):
    x += 100.0
    return total()
""",
    "a method": """
class Class:
    def f(self, x):
        x[0] = 100.0
        return xp.sum(c)

f = Class().f
""",
    "a function in it": """
def f(x):
    x[-1] = 100.0
    return (lambda: xp.sum(c[1:]))()
""",
}


def capturing(source: str, xp: Any, c: Any) -> Callable[[Any], Any]:
    """Create a function from its source, a namespace and the captured array."""
    names: dict[str, Any] = {"xp": xp, "c": c}
    exec(source, names)
    made: Callable[[Any], Any] = names["f"]
    return made
