"""The parts of graphs that a backend's `graph.py` uses: values, steps, proxies.

A library whose functions can't be traced without values is traced with them. Each array has a
proxy, to which the library's own functions dispatch by its protocols, so that no computation with
the array goes unrecorded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from arrayapi_unify.errors import UnifyRuntimeError, raise_value_error

_HIDDEN = ("arrayapi_unify.", "numpy.", "torch.", "jax.", "jax_", "tensorflow.", "keras.")
_HIDDEN_MODULES = frozenset({"arrayapi_unify", "numpy", "torch", "jax", "tensorflow", "contextlib"})


class GraphError(UnifyRuntimeError):
    """A function that no graph can stand for, or a call that a graph doesn't take."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A value of a graph, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Portable:
    """A call of our own function, which means the same on each backend."""

    name: str
    """The name of the contract, or of an operator in place such as `iadd`."""
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@dataclass(slots=True)
class Step:
    """One call of a native function."""

    name: str
    target: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    outputs: tuple[int, ...] = ()
    several: bool = False
    writes: tuple[int, ...] = ()
    portable: Portable | None = None
    inputs: tuple[int, ...] = field(default=())
    ours: bool = False
    """True if a function of ours is called, which returns arrays."""


class Recorder(Protocol):
    """The interface by which proxies report the calls that they take part in."""

    def native(
        self, target: Callable[..., Any], args: Any, kwargs: Any, writes: tuple[Any, ...] = ()
    ) -> Any:
        """Call a function of the library's, and record it."""

    inside: bool
    """True while nothing is recorded."""

    def in_place(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Record `x op= y`."""


class StandIn:
    """An array while it is traced: it has the array's attributes, and its class in `isinstance`."""

    __slots__ = ("recorder", "ref", "shown")

    def __init__(self, recorder: Recorder, ref: int, value: Any) -> None:
        """Stand for a value that has a number."""
        self.recorder = recorder
        self.ref = ref
        self.shown = value

    def __repr__(self) -> str:
        return repr(self.shown)

    def __str__(self) -> str:
        return str(self.shown)

    def __format__(self, spec: str) -> str:
        return format(self.shown, spec)

    def __len__(self) -> int:
        return len(self.shown)

    def __hash__(self) -> int:
        return id(self)


def is_traced(value: Any) -> bool:
    """Return True for an array, or an Array of one, that a graph records."""
    return isinstance(getattr(value, "_data", value), StandIn)


def by_rows(
    func: Callable[..., tuple[Any, ...]], xs: Sequence[Any], stack: Callable[..., Any]
) -> tuple[Any, ...]:
    """Call a function row by row, and stack the results."""
    return stacked([func(*[x[i, ...] for x in xs]) for i in range(len(xs[0]))], stack)


def stacked(rows: Sequence[tuple[Any, ...]], stack: Callable[..., Any]) -> tuple[Any, ...]:
    """Stack the results for each row, which have one shape."""
    columns = list(zip(*rows, strict=True))
    for column in columns:
        shapes = sorted({str(x.shape) for x in column})
        if len(shapes) > 1 or (len(column) > 1 and "nan" in shapes[0]):  # a size Dask doesn't know
            raise_value_error(
                "vmap", "func", f"returns arrays of shape {' and '.join(shapes[:2])} for two rows",
                "return one shape for all rows; in place of a key of bools use unify.where",
            )  # fmt: skip
    return tuple([stack(column) for column in columns])


def map_values(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """Apply a function to what stands in lists, tuples, dicts and slices; they are built anew."""
    kind = type(value)
    if kind is tuple:
        return tuple([map_values(part, leaf) for part in value])
    if kind is list:
        return [map_values(part, leaf) for part in value]
    if kind is dict:
        return {key: map_values(part, leaf) for key, part in value.items()}
    if kind is slice:
        return slice(*[map_values(p, leaf) for p in (value.start, value.stop, value.step)])
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*[map_values(part, leaf) for part in value])
    return leaf(value)


def refs_in(value: Any, found: list[int]) -> list[int]:
    """Collect the numbers of the values in an argument."""
    kind = type(value)
    if kind is Ref:
        found.append(value.number)
    elif kind is tuple or kind is list:
        for part in value:
            refs_in(part, found)
    elif kind is dict:
        for part in value.values():
            refs_in(part, found)
    elif kind is slice:
        for part in (value.start, value.stop, value.step):
            refs_in(part, found)
    return found


def _is_hidden(module: str) -> bool:
    # The functions that binding makes have no module.
    return not module or module in _HIDDEN_MODULES or module.startswith(_HIDDEN)


def place() -> str:
    """Return file and line of the user's code that is running."""
    frame: Any = sys._getframe(1)
    while frame is not None and _is_hidden(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else "?"


NEEDED: Final = (
    "needs the value of a traced array, which differs from call to call; in place of Python's "
    "control flow use unify.where (or unify.cond and unify.while_loop, on JAX and TensorFlow), or "
    "pass the value as an argument that isn't an array"
)


def value_needed(what: str) -> GraphError:
    """Return the error for Python code that needs a value that the graph computes."""
    return GraphError(f"compile_graph: at {place()}, {what} {NEEDED}")


@dataclass(frozen=True, slots=True)
class Op:
    """One operation of what a framework traced."""

    name: str
    label: str
    """The name of the node; the last operation of a group says it."""
    group: Any
    """The key that all operations of one node share."""
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]
    detail: Any
    """All that decides the result in addition to the inputs."""
    place: str
    """The public path of the operation, such as `tf.raw_ops.AddV2`."""
    native: bool
    """True if the traced function itself called it, and not a function of ours."""


def user_place(error: BaseException) -> str | None:
    """Return file and line of the user's code that raised an error, the innermost one."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if not _is_hidden(trace.tb_frame.f_globals.get("__name__", "")):
            found = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found
