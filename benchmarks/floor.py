"""`python -m benchmarks.floor`: calls beside a minimal wrapper, which is the limit of Python.

The wrapper checks the classes of its arguments, calls the bare function or method, and puts the
result into an object with the slots of an Array. It registers no views and promotes no data types.
"""

from __future__ import annotations

import functools
import importlib
import math
import statistics
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import click

from benchmarks.measure import enough_loops, take_turns
from benchmarks.report import options, publish

__all__ = ["ROWS", "Result", "Row", "measure"]

_ELEMENTS: Final = 4
# The statement that is timed, the minimal function behind it, its parameters, and the bare calls of
# NumPy and PyTorch; one alone is both. The parameters a, b, c are arrays, `*a` is a list of them,
# b? may be a number, and the others are passed on. A result behind ">" isn't wrapped.
_TABLE: Final = """
x + y | __add__ a b? | a + b
x - y | __sub__ a b? | a - b
x * y | __mul__ a b? | a * b
x / y | __truediv__ a b? | a / b
x // y | __floordiv__ a b? | a // b
x ** 2 | __pow__ a b? | a ** b
x < y | __lt__ a b? | a < b
x == y | __eq__ a b? | a == b
-x | __neg__ a | -a
abs(x) | __abs__ a | abs(a)
x + 2 | __add__ a b? | a + b
2 * x | __rmul__ a b? | b * a
x @ y | __matmul__ a b? | a @ b
xp.add(x, y) | add a b? | n.add(a, b)
xp.multiply(x, 2) | multiply a b? | n.multiply(a, b)
xp.floor_divide(x, y) | floor_divide a b? | n.floor_divide(a, b)
xp.maximum(x, y) | maximum a b? | n.maximum(a, b)
xp.less(x, y) | less a b? | n.less(a, b)
xp.exp(x) | exp a | n.exp(a)
xp.sin(x) | sin a | n.sin(a)
xp.sqrt(x) | sqrt a | n.sqrt(a)
xp.isfinite(x) | isfinite a | n.isfinite(a)
xp.sum(x) | sum a axis=None | a.sum(axis) | a.sum(axis) if axis is not None else a.sum()
xp.sum(m, axis=1) | sum a axis=None | a.sum(axis) | a.sum(axis) if axis is not None else a.sum()
xp.mean(x) | mean a | a.mean()
xp.max(x) | max a axis=None | a.max(axis) | a.amax(axis) if axis is not None else a.max()
xp.max(m, axis=1) | max a axis=None | a.max(axis) | a.amax(axis) if axis is not None else a.max()
xp.any(k) | any a | a.any()
xp.argmax(x) | argmax a | a.argmax()
xp.cumulative_sum(x) | cumulative_sum a | a.cumsum() | a.cumsum(0)
xp.reshape(x, (2, -1)) | reshape a shape | a.reshape(shape)
xp.permute_dims(m, (1, 0)) | permute_dims a axes | a.transpose(axes) | a.permute(axes)
m.T | T a | a.T
xp.expand_dims(x, axis=0) | expand_dims a axis=0 | a[None] | a.unsqueeze(axis)
xp.concat([x, y]) | concat *a | n.concatenate(a) | n.cat(a)
xp.stack([x, y]) | stack *a | n.stack(a)
xp.where(k, x, y) | where a b c | n.where(a, b, c)
xp.take(x, i) | take a b | a.take(b)
xp.astype(x, f) | astype a f | a.astype(f.name) | a.to(getattr(n, f.name))
xp.asarray([1.0, 2.0]) | asarray v | n.asarray(v) | n.asarray(v, dtype=n.float64)
xp.zeros((4,)) | zeros s | n.zeros(s) | n.zeros(s, dtype=n.float64)
xp.arange(4) | arange s | n.arange(s)
x[0] | __getitem__ a key | a[key, ...]
x[1:] | __getitem__ a key | a[key]
m[:, 0] | __getitem__ a key | a[key]
x[k] | __getitem__ a b | a[b]
x[0] = 1.0 | __setitem__ a key v | >a.__setitem__(key, v)
x[k] = 1.0 | __setitem__ a b v | >a.__setitem__(b, v)
x += z | __iadd__ a b? | >(a.__iadd__(b), self)[1]
x *= o | __imul__ a b? | >(a.__imul__(b), self)[1]
float(s) | __float__ a | >float(a)
bool(s) | __bool__ a | >bool(a)
len(x) | __len__ a | >len(a)
for _ in x: pass | __iter__ a | >iter([wrap(a[j, ...]) for j in range(len(a))])
x.shape | shape a | >a.shape | >tuple(a.shape)
x.dtype | dtype a | >dtypes[a.dtype]
np.asarray(x) | __array__ a dtype=None copy=None | >a | >a.numpy()
xp.matmul(m, m) | matmul a b | n.matmul(a, b)
xp.linalg.solve(m, v) | solve a b | n.linalg.solve(a, b)
xp.linalg.norm(x) | norm a | n.linalg.norm(a)
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A statement, and the minimal function behind it by the bare calls of NumPy and PyTorch."""

    statement: str
    name: str
    parameters: tuple[str, ...]
    bare: tuple[str, str]


def _row(line: str) -> Row:
    statement, function, *bare = (part.strip() for part in line.split("|"))
    name, *parameters = function.split()
    return Row(statement, name, tuple(parameters), (bare[0], bare[-1]))


ROWS: Final = tuple(_row(line) for line in _TABLE.strip().splitlines())


@dataclass(frozen=True, slots=True)
class Result:
    """Nanoseconds of the minimal wrapper's call, and the ratio of ours to it."""

    backend: str
    statement: str
    elements: int
    floor_ns: float
    ratio: float


class _Minimal:
    """An array in a wrapper with the slots of an Array."""

    __slots__ = ("__weakref__", "_aliases", "_data", "_view")
    _data: Any


def _source(row: Row, bare: str) -> str:
    """The minimal function: checks, the bare call, and the wrapped result."""
    parameters = [p.strip("*?") for p in row.parameters]
    arrays = [p for p in row.parameters if p.strip("*?") in "abc"]
    lines = [f"def {row.name}({', '.join(parameters)}):"]
    if row.name.startswith("__i") or ">" in bare:
        lines.append(f"    self = {parameters[0]}")
    for each in arrays:
        name = each.strip("*?")
        if each.startswith("*"):
            lines += [f"    if not kinds.issuperset(map(type, {name})): raise TypeError",
                      f"    {name} = [one._data for one in {name}]"]  # fmt: skip
            continue
        lines.append(f"    if type({name}) is cls: {name} = {name}._data")
        if each.endswith("?"):
            lines.append(f"    elif type({name}) not in scalars: raise TypeError")
        else:
            lines.append("    else: raise TypeError")
    if bare.startswith(">"):
        return "\n".join([*lines, f"    return {bare[1:]}"])
    return "\n".join(
        [*lines, f"    r = {bare}", "    w = cls()", "    w._data = r", "    return w"]
    )


def _minimal(row: Row, backend: str) -> tuple[Any, Any]:
    """Return a namespace with the minimal function, and the function that wraps an array."""
    unify, native = importlib.import_module("arrayapi_unify"), importlib.import_module(backend)
    cls: Any = type("Minimal", (_Minimal,), {"__slots__": ()})

    def wrap(data: Any) -> Any:
        made = cls()
        made._data = data
        return made

    names = ("float64", "float32", "int64", "bool")
    scope = {
        "n": native, "cls": cls, "kinds": {cls}, "scalars": {int, float}, "wrap": wrap,
        "dtypes": {_native_dtype(native, name): getattr(unify, name) for name in names},
    }  # fmt: skip
    exec(_source(row, row.bare[backend == "torch"]), scope)
    function: Any = scope[row.name]
    made = SimpleNamespace(**{row.name: function, "float32": unify.float32})
    made.linalg = made
    setattr(cls, row.name, property(function) if "xp." not in row.statement else function)
    if row.name.startswith("__"):
        setattr(cls, row.name, function)
    return made, wrap


def _native_dtype(native: Any, name: str) -> Any:
    found = getattr(native, name)
    return native.dtype(found) if native.__name__ == "numpy" else found


def _values(backend: str, elements: int) -> dict[str, Any]:
    """The bare arrays of the statements."""
    np = importlib.import_module("numpy")
    side = math.isqrt(elements)
    x = np.linspace(1.0, 2.0, elements)
    made = {
        "x": x, "y": x[::-1].copy(), "z": np.zeros(elements), "o": np.ones(elements),
        "k": x > 1.5, "i": np.arange(elements)[::-1].copy(), "s": np.asarray(1.5),
        "m": np.eye(side) * 3 + np.linspace(0.0, 1.0, side * side).reshape(side, side),
        "v": np.linspace(1.0, 2.0, side),
    }  # fmt: skip
    if backend == "numpy":
        return made
    torch = importlib.import_module("torch")
    return {name: torch.from_numpy(np.array(value)) for name, value in made.items()}


def measure(backend: str, rounds: int, elements: int = _ELEMENTS) -> list[Result]:
    """Alternate both calls; a ratio is the median over the rounds."""
    ours = importlib.import_module("arrayapi_unify").get_backend(backend)
    copied = functools.partial(ours.asarray, copy=True)  # memory that nothing else has
    np = importlib.import_module("numpy")
    found = []
    for row in ROWS:
        scopes = {}
        minimal, wrap = _minimal(row, backend)
        for name, xp, make in (("floor", minimal, wrap), ("ours", ours, copied)):
            arrays = {n: make(value) for n, value in _values(backend, elements).items()}
            scopes[name] = {**arrays, "xp": xp, "np": np, "f": xp.float32}
        timers = {name: _timer(row.statement, scope) for name, scope in scopes.items()}
        times = take_turns(timers, enough_loops(timers["floor"]), rounds)
        pairs = zip(times["ours"], times["floor"], strict=True)
        ratio = statistics.median(a / b for a, b in pairs)
        floor = statistics.median(times["floor"])
        found.append(Result(backend, row.statement, elements, floor, ratio))
    return found


def _timer(statement: str, scope: dict[str, Any]) -> timeit.Timer:
    """Time a statement that reads local names: in-place operators assign one."""
    names = ", ".join(scope)
    timer = timeit.Timer(statement, f"{names} = values", globals={"values": tuple(scope.values())})
    timer.timeit(10)
    return timer


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "statement": lambda r: f"`{r.statement}`",
    "elements": lambda r: f"{r.elements:,}",
    "minimal wrapper, ns": lambda r: f"{r.floor_ns:,.0f}",
    "ratio": lambda r: f"{r.ratio:.2f}",
}


@click.command()
@options(rounds=21)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `floor.json` and `floor.md`."""
    results = [one for b in backends or ("numpy", "torch") for one in measure(b, rounds)]
    explanation = (
        "A minimal wrapper in Python checks the classes of the arguments, calls the bare library, "
        "and wraps the result; it registers no views and promotes no data types. A ratio is the "
        "time of our call beside the wrapper's, as a median over rounds in which both take turns. "
    )
    for backend in dict.fromkeys(r.backend for r in results):
        mean = statistics.geometric_mean([r.ratio for r in results if r.backend == backend])
        explanation += f"Geometric mean on {backend}: {mean:.2f}. "
    explanation += "Written by `python -m benchmarks.floor`."
    title = "Calls beside a minimal wrapper"
    publish(output, "floor", title, explanation, results, _COLUMNS)


if __name__ == "__main__":
    main()
