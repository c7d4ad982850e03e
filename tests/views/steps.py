"""The steps of a program as plain data: drawn once, run on any implementation, traced or not.

A step names a function and its arguments. It refers to arrays by their numbers in the list of live
arrays, so that only that list keeps an array alive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

__all__ = [
    "DTYPES", "FORGET", "Index", "Listed", "Nested", "Own", "Part", "Ref", "Step", "resolved",
    "run", "text",
]  # fmt: skip

DTYPES: Final = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip
FORGET: Final = "forget"


@dataclass(frozen=True)
class Ref:
    """A live array."""

    number: int

    def __repr__(self) -> str:
        return f"a{self.number}"


@dataclass(frozen=True)
class Part:
    """A temporary part of a live array, during the step only."""

    number: int
    key: Any

    def __repr__(self) -> str:
        return f"a{self.number}[{text(self.key)}]"


@dataclass(frozen=True)
class Own:
    """A new array of small increasing numbers, exact in every data type."""

    dtype: str
    shape: tuple[int, ...]
    start: int = 0

    @property
    def values(self) -> Any:
        """The elements, distinct if the data type has enough values."""
        count = np.arange(math.prod(self.shape), dtype=np.int64) + self.start
        if self.dtype == "bool":
            flat: Any = count % 3 == 0
        elif self.dtype.startswith("float"):
            flat = count / 4
        elif self.dtype.startswith("complex"):
            flat = count / 4 + 1j * (count % 5)
        else:
            flat = count
        return flat.astype(self.dtype).reshape(self.shape)


@dataclass(frozen=True)
class Nested:
    """The same numbers as a nested list of the shape."""

    own: Own


@dataclass(frozen=True)
class Index:
    """An integer array or a mask, in a key."""

    values: tuple[Any, ...]
    shape: tuple[int, ...]
    mask: bool = False

    @property
    def array(self) -> Any:
        """The NumPy array."""
        dtype = np.bool_ if self.mask else np.int64
        return np.array(self.values, dtype=dtype).reshape(self.shape)

    def __repr__(self) -> str:
        return f"asarray({self.array.tolist()})"


@dataclass(frozen=True)
class Listed:
    """A list of integers, in a key."""

    values: tuple[int, ...]

    def __repr__(self) -> str:
        return repr(list(self.values))


@dataclass(frozen=True)
class Step:
    """A function of an implementation and its arguments."""

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        args = [text(a) for a in self.args] + [f"{k}={text(v)}" for k, v in self.kwargs.items()]
        return f"{self.name}({', '.join(args)})"


def text(value: Any) -> str:
    """Render an argument as in a program, single slices as in brackets."""
    if isinstance(value, slice):
        start, stop, step = ("" if v is None else v for v in (value.start, value.stop, value.step))
        return f"{start}:{stop}" + (f":{step}" if step != "" else "")
    if isinstance(value, tuple):
        return f"({', '.join(map(text, value))}{',' * (len(value) == 1)})"
    return "..." if value is Ellipsis else repr(value)


def resolved(implementation: Any, live: Sequence[Any], value: Any) -> Any:
    """Replace descriptions by arrays."""
    match value:
        case Ref(number):
            return live[number]
        case Part(number, key):
            return implementation.get_item(live[number], resolved(implementation, live, key))
        case Own():
            return implementation.make(value)
        case Nested(own):
            return own.values.tolist()
        case Index():
            return implementation.index(value)
        case Listed(values):
            return list(values)
        case tuple():
            return tuple(resolved(implementation, live, v) for v in value)
    return value


def run(implementation: Any, live: list[Any], step: Step) -> None:
    """Run a step: its results join the live arrays."""
    if step.name == FORGET:
        del live[step.args[0]]
        return
    args = [resolved(implementation, live, a) for a in step.args]
    made = getattr(implementation, step.name)(*args, **step.kwargs)
    if made is not None:
        live.extend(made if isinstance(made, tuple | list) else [made])
