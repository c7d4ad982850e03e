"""Drawn programs of one to five steps, as Python source for NumPy and for our namespaces.

A step is drawn with the values that NumPy has for all names so far, and drawn again if NumPy
refuses it. Steps that jump, such as comparisons and casts to integers, are drawn before the first
step that rounds, so that a difference is never one of rounding.
"""

from __future__ import annotations

import contextlib
import functools
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from tests.transformations.steps import (
    EDGES,
    EXACT,
    JUMPING_WRITES,
    JUMPS,
    ROUNDING,
    SMOOTH,
    WRITES,
)

__all__ = ["NUMPY", "REFUSALS", "Program", "defined", "draw"]

_FLOATS: Final = ("float64", "float32", "float16")
_COMPLEX: Final = ("complex128", "complex64")
_INTEGERS: Final = ("int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64")
# A third of the arrays have more elements than a vector register.
_SHAPES: Final = (
    (4,), (2, 3), (3, 1), (5,), (), (2, 2, 2), (0,), (1,), (2, 0),
    (33,), (3, 11), (1000,), (10, 100),
)  # fmt: skip
_NUMBERS: Final = {
    "b": ("True",),
    "i": ("2", "-3", "1"),
    "u": ("2", "3"),
    "f": ("0.5", "-2.0", "3"),
}
_LARGEST: Final = {"float16": 512.0}


def _sigmoid(x: Any) -> Any:
    return np.divide(1, 1 + np.exp(-x), dtype=x.dtype)


def _softmax(x: Any) -> Any:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def _erf(x: Any) -> Any:
    from scipy.special import erf

    return erf(x).astype(x.dtype)


def _squeeze(x: Any) -> Any:
    """Return a view also where NumPy returns the array itself, which would be one result."""
    return np.squeeze(x).view()


_OWN: Final = ("argsort", "sort", "squeeze")
NUMPY: Final = SimpleNamespace(
    **{name: getattr(np, name) for name in np.__all__ if name not in _OWN},
    sigmoid=_sigmoid,
    softmax=_softmax,
    erf=_erf,
    argsort=functools.partial(np.argsort, stable=True),
    sort=functools.partial(np.sort, stable=True),
    squeeze=_squeeze,
)
"""NumPy, with the functions of ours that it lacks as formulas."""


# NumPy's scalars become arrays, whose views share memory.
_ASSIGNED: Final = re.compile(r"^(\s*v\d = )(.*)$", re.MULTILINE)


REFUSALS: Final = (
    TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RuntimeWarning,
    np.exceptions.ComplexWarning,
)  # fmt: skip
"""Errors of NumPy for steps that it doesn't take."""


@contextlib.contextmanager
def defined() -> Iterator[None]:
    """Raise one of `REFUSALS` for a cast of numbers that have no counterpart."""
    with np.errstate(all="ignore", invalid="warn"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", message=".*in cast")
        warnings.filterwarnings("error", category=np.exceptions.ComplexWarning)
        yield


@dataclass(frozen=True)
class Program:
    """Steps, the names that are returned, and the arguments."""

    steps: tuple[str, ...]
    returned: tuple[str, ...]
    bases: tuple[Any, ...]
    """NumPy arrays, the memory of the arguments."""
    arguments: tuple[tuple[int, Any], ...]
    """For each argument the number of its memory, and the key of the view; None for all of it."""
    smooth: bool = False

    @property
    def source(self) -> str:
        """The function `program(xp, x0, ...)`."""
        names = "".join(f", x{i}" for i in range(len(self.arguments)))
        lines = "".join(f"    {step}\n" for step in self.steps)
        ret = "".join(f"{name}, " for name in self.returned)
        return f"def program(xp{names}):\n{lines}    return ({ret})\n"

    def function(self, xp: Any) -> Callable[..., tuple[Any, ...]]:
        """Return the program as a function of arrays of a namespace."""
        names: dict[str, Any] = {"_array": np.asarray}
        source = _ASSIGNED.sub(r"\1_array(\2)", self.source) if xp is NUMPY else self.source
        exec(compile(source, "<program>", "exec"), names)
        return lambda *arrays: names["program"](xp, *arrays)

    def made(self, convert: Callable[[Any], Any], rows: int = 0, turn: bool = False) -> list[Any]:
        """Return new arguments; with `rows` axes of two rows in front, and the other way round."""
        bases = [np.flip(base) if turn else base for base in self.bases]
        for _ in range(rows):
            bases = [np.stack([base, np.flip(base)]) for base in bases]
        memory = [convert(np.array(base)) for base in bases]
        front = (slice(None),) * rows
        return [memory[i] if key is None else memory[i][*front, key] for i, key in self.arguments]

    def smaller(self) -> Iterator[Program]:
        """Yield the program without one of its steps or results, where NumPy takes it."""
        for i in range(len(self.steps)):
            yield replace(self, steps=self.steps[:i] + self.steps[i + 1 :])
        if len(self.returned) > 1:
            for name in self.returned:
                yield replace(self, returned=tuple(r for r in self.returned if r != name))


def draw(random: Random, smooth: bool = False, shares: bool = True) -> Program:
    """Draw a program; a smooth one has float64 arguments, and no step that jumps."""
    program = Program((), (), *_arguments(random, smooth, shares), smooth)
    values = {f"x{i}": x for i, x in enumerate(program.made(np.asarray))}
    steps: list[str] = []
    rounded, length = False, random.choice((1, 2, 2, 3, 3, 4, 5))
    for _ in range(60):
        if len(steps) == length:
            break
        step, rounds = _step(random, values, rounded, smooth)
        if step and _taken(step, values):
            steps.append(step)
            rounded |= rounds
    made = [name for name in values if name[0] == "v"]
    returned = dict.fromkeys([*made[-2:], *random.sample(list(values), 1)])
    return replace(program, steps=tuple(steps), returned=tuple(returned))


def _arguments(random: Random, smooth: bool, shares: bool) -> tuple[Any, Any]:
    dtype = random.choice(("bool", *_FLOATS[:2], *_FLOATS, *_COMPLEX, *_INTEGERS))
    dtype = "float64" if smooth else dtype
    shape = random.choice(_SHAPES)
    if shares and random.random() < 0.2:
        size = random.choice((8, 36))
        k = size // 2
        cuts = (slice(0, k), slice(2, k + 2), slice(None, None, -1), slice(0, None, 2), None)
        base = _values(random, (size,), dtype)
        return (base,), tuple([(0, random.choice(cuts)) for _ in range(2)])
    count = random.choice((1, 2, 2))
    bases = [_values(random, shape, dtype) for _ in range(count)]
    return tuple(bases), tuple([(i, None) for i in range(count)])


def _values(random: Random, shape: Sequence[int], dtype: str) -> Any:
    numbers = np.random.default_rng(random.randrange(10**9))
    kind = np.dtype(dtype).kind
    if kind == "b":
        return numbers.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        low, high = (0, 200) if kind == "u" else (-100, 100)
        scale = random.choice((20, 20, 1))
        return np.asarray(numbers.integers(low // scale, high // scale, shape)).astype(dtype)
    found = numbers.integers(-16, 17, shape) / 4
    if kind == "c":
        found = found + 1j * numbers.integers(-16, 17, shape) / 4
    found = np.asarray(found).astype(dtype)
    if kind == "f" and found.size and random.random() < 0.1:
        found.reshape(-1)[0] = random.choice((np.nan, np.inf, -np.inf, -0.0))
    return found


def _step(random: Random, values: dict[str, Any], rounded: bool, smooth: bool) -> tuple[str, bool]:
    """Draw a step; return True with it if its result is rounded."""
    a, b = random.choice(list(values)), random.choice(list(values))
    if random.random() < 0.4:
        a = list(values)[-1]
    kind = values[a].dtype.kind
    number = random.choice(_NUMBERS.get(kind, ("2", "1j")))
    if random.random() < 0.3 and not (smooth and rounded):
        writes = WRITES if rounded or smooth else WRITES + JUMPING_WRITES
        write = random.choice(writes)
        narrows = "{b}" in write and kind in "biu" and values[b].dtype.kind in "fc"
        return "" if narrows else write.format(a=a, b=b, n=number), False
    table = random.choice([EXACT, ROUNDING, *(() if rounded or smooth else (JUMPS, EDGES))])
    kind = "i" if kind == "u" else kind
    forms = [form for kinds, row in table.items() if kind in kinds for form in row.split()]
    if smooth and table is ROUNDING:
        forms = [form for form in forms if form[3:].split("({")[0].split(".")[-1] in SMOOTH]
    if not forms:
        return "", False
    form = random.choice(forms).format(a=a, b=b, n=number)
    return f"v{sum(name[0] == 'v' for name in values)} = {form}", table in (ROUNDING, EDGES)


def _taken(step: str, values: dict[str, Any]) -> bool:
    """Make a step with NumPy; return False, with all values as before, if it doesn't take it."""
    divides = any(word in step for word in ("//", "divmod", "floor_divide"))
    if divides and not all(np.all(np.isfinite(x)) for x in values.values()):
        return False  # NumPy's quotient of an infinity is NaN, the standard's infinite
    names = {"xp": NUMPY, "_array": np.asarray, **values}
    before = {name: value.copy() for name, value in values.items()}
    try:
        with defined():
            exec(_ASSIGNED.sub(r"\1_array(\2)", step), names)
        made = {name: value for name, value in names.items() if name[0] in "vx" and name != "xp"}
        good = all(map(_moderate, made.values()))
    except REFUSALS:
        good = False
    if good:
        values.update(made)
        return True
    for name, value in before.items():
        if values[name].flags.writeable:
            values[name][...] = value
    return False


def _moderate(value: Any) -> bool:
    """Return True for an array of numbers that later steps neither overflow nor lose digits of."""
    if value.dtype.kind not in "biufc" or value.size > 4000:
        return False
    if value.dtype.kind not in "fc" or not value.size:
        return True
    if value.dtype.name == "float16" and not np.all(np.isfinite(value)):
        return False  # it may have overflowed within a function
    size = np.abs(value[np.isfinite(value)])
    return not size.size or bool(size.max() <= _LARGEST.get(value.dtype.name, 1e4))
