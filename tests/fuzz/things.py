"""Objects that no function expects, and the users' functions of the calls in `lines`."""

from __future__ import annotations

import dataclasses
import itertools
import operator
import os
from typing import Any, Final

import numpy as np

import arrayapi_unify as unify

__all__ = ["Mine"]


class Mine(Exception):
    """An exception that user code raises."""


class Thing:
    """An object of an unknown type."""

    def __repr__(self) -> str:
        return "Thing()"


class Shaped:
    """A class, passed instead of an instance, has a `shape` that isn't a tuple."""

    @property
    def shape(self) -> Any:
        """Return an invalid shape."""
        return 3

    @property
    def dtype(self) -> Any:
        """Return an invalid data type."""
        return "nonsense"


class Unprintable:
    """An object whose repr raises."""

    def __repr__(self) -> str:
        raise Mine("no text")


class Liar:
    """A sequence with a wrong length."""

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Any:
        return iter((1, 2))

    def __getitem__(self, index: Any) -> Any:
        return 1


def deep(levels: int) -> Any:
    """Return a list in a list, and so on."""
    made: Any = 1.0
    for _ in range(levels):
        made = [made]
    return made


def cyclic() -> Any:
    """Return a list that contains itself."""
    made: list[Any] = [1.0]
    made.append(made)
    return made


def cyclic_dict() -> Any:
    """Return a dict that contains itself."""
    made: dict[str, Any] = {"a": 1.0}
    made["b"] = made
    return made


def raises(*args: Any, **kwargs: Any) -> Any:
    """Raise as a user's code."""
    raise Mine("mine")


def same(x: Any, *others: Any) -> Any:
    """Return the first argument."""
    return x


def total(x: Any, *others: Any) -> Any:
    """Return a differentiable number of x."""
    return unify.sum(x * x)


def double(x: Any) -> Any:
    """Return twice the argument."""
    return x * 2.0


class Pair:
    """A class to register."""


@dataclasses.dataclass
class Point:
    """A dataclass to register."""

    x: Any
    y: Any


_TURNS: Final = 10_000
_turns: Final = itertools.count()


def below(x: Any) -> Any:
    """The condition of a loop: for zeros it would be endless, which is the user's fault."""
    if next(_turns) % _TURNS == _TURNS - 1:
        raise Mine("a loop without an end")
    return unify.sum(x) < 10.0


def carried(carry: Any, x: Any) -> Any:
    """Add up, and show."""
    return carry + x, carry * x


def indexed(i: Any, x: Any) -> Any:
    """Add, for a loop with a counter."""
    return x + 1.0


def no_arguments() -> Any:
    """Take nothing."""
    return 1.0


def setitem(x: Any, key: Any, value: Any) -> Any:
    """Assign."""
    operator.setitem(x, key, value)


def setattribute(thing: Any, name: Any, value: Any) -> Any:
    """Assign to an attribute."""
    setattr(thing, name, value)


def ends(*args: Any, **kwargs: Any) -> Any:
    """End the process, like a library with a failed internal check."""
    os.abort()


def hangs(*args: Any, **kwargs: Any) -> Any:
    """Loop endlessly."""
    while True:
        pass


OBJECTS = np.array([None, "a"], dtype=object)
TEXTS = np.array(["a", "b"])
TIMES = np.array(["2020-01-01"], dtype="datetime64[D]")
RECORDS = np.zeros(2, dtype=[("a", "f8")])
