"""Memory that Arrays share where a library's own arrays can't: views that are *followed*.

NumPy's and most of PyTorch's arrays are windows onto memory: all see a write through one of them,
and nothing here is needed. JAX's and TensorFlow's arrays never change, PyTorch has no negative
steps, and a tensor that autograd tracks must not be written to. There a `Memory` holds the native
array that several Arrays share. Each of them has a `View`, which says what part of it the Array is:

- a *layout* (`backends._common.layouts`), which says where the Array lies: NumPy itself knows what
  a view is, and which views overlap.
- a *step* from the Array that it was taken of: how to read it, and how to write it back.

A write makes one new native array, for the Array that was written to, and takes the data out of the
Arrays that overlap with it. Who asks such an Array for its data gets it from the memory, into which
all writes are put first. An Array that has its data pays nothing: `_data` is a plain slot.
"""

from __future__ import annotations

import threading
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from arrayapi_unify.backends._common.memory_rules import ReadOnlyError
from arrayapi_unify.backends._protocol import Backend

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["Memory", "Row", "Step", "TracedMemory", "View", "is_followed", "view_of"]

# What a layout may be anywhere in, where sizes aren't known while tracing.
_ANYWHERE: Final = (0, 2**63 - 1)
_NOWHERE: Final = (0, 0)
# How many rows are written at once: more would take some compilers longer than they save.
_ROWS: Final = 32


class Row(NamedTuple):
    """One row of an array: several are written at once."""

    axis: int
    number: int
    write: Callable[[Any, int, list[int], list[Any]], Any]
    """The source, an axis, numbers and rows -> the source with the rows in it."""

    def follows(self, before: View, view: View, known: set[int]) -> bool:
        """Whether this row, of `view`, goes with those `known` of the same array."""
        row = before.step.row if before.step else None
        alike = row is not None and row.axis == self.axis and before.source is view.source
        return alike and self.number not in known


class Step(NamedTuple):
    """How a view comes out of the array that it was taken of, and how it goes back into it."""

    read: Callable[[Any], Any]
    """The native array of the source -> that of the view."""
    write: Callable[[Any, Any], Any] | None
    """Those of the source and the view -> the source with the view in it; None: read-only."""
    row: Row | None = None
    """Which row of its source the view is, if it is one."""


class View:
    """The part of a memory that one Array is."""

    __slots__ = (
        "_bounds",
        "_seen",
        "held",
        "kept",
        "layout",
        "memory",
        "place",
        "read_only",
        "source",
        "step",
    )

    def __init__(
        self,
        memory: Memory,
        layout: Any,
        source: View | None = None,
        step: Step | None = None,
        kept: bool = True,
    ) -> None:
        """Describe a part by the view that it was taken of; the whole memory has none.

        `kept` says that the Array keeps its data until it is taken away: what can be written to
        behind our back, as PyTorch's memory can, is looked at each time.
        """
        self.memory = memory
        self.layout = layout
        self.source = source
        self.step = step
        self.kept = kept
        self.place = -1  # among the members of the memory
        self._seen: tuple[Any, Any, Any] = (None, None, None)
        self.held: Any = None  # the data of an Array that keeps it here
        writes = source is None or step is None or step.write is not None
        self.read_only: bool = not writes or (source is not None and source.read_only)
        self._bounds: tuple[int, int] | None = None if layout is not None else _ANYWHERE

    @property
    def bounds(self) -> tuple[int, int]:
        """The addresses between which the elements lie."""
        if self._bounds is None:
            assert self.layout is not None  # else they are known from the start
            self._bounds = self.memory.backend.layouts.bounds(self.layout)
        return self._bounds

    def check_writable(self) -> None:
        """Refuse a write where NumPy would."""
        if self.read_only:
            raise ReadOnlyError

    def value(self) -> Any:
        """Return the native array that the Array has now."""
        data = self.memory.current()
        if self.kept:
            return self.read(data)
        version = self.memory.backend.version_of(data)
        if version is None or self._seen[0] is not data or self._seen[1] != version:
            self._seen = (data, version, self.read(data))
        return self._seen[2]

    def read(self, data: Any) -> Any:
        """Take this part out of the memory's data."""
        for step in self._steps():
            data = step.read(data)
        return data

    def written(self, data: Any, value: Any) -> Any:
        """Return the memory's data with a value in this part of it."""
        steps = self._steps()
        sources = [data] * bool(steps)
        for step in steps[:-1]:
            sources.append(step.read(sources[-1]))
        for step, source in zip(reversed(steps), reversed(sources), strict=True):
            assert step.write is not None  # a read-only view isn't written to
            value = step.write(source, value)
        return value

    def _steps(self) -> list[Step]:
        steps = []
        view: View | None = self
        while view is not None and view.step is not None:
            steps.append(view.step)
            view = view.source
        return steps[::-1]


class Memory:
    """A native array that several Arrays share, and who of them is alive."""

    __slots__ = (
        "_high", "_low", "_pending", "_room", "backend", "data", "lock", "members", "tracked",
    )  # fmt: skip

    def __init__(self, backend: Backend, data: Any) -> None:
        """Hold a native array."""
        self.backend = backend
        self.data = data
        # Else other arrays may be windows onto it, which the library lets share it.
        self.tracked = is_followed(backend, data)
        self.lock: Any = threading.RLock()
        self.members: list[weakref.ref[Array]] = []
        # Where the members that have their data lie: nowhere, for the others.
        self._low, self._high = array("q"), array("q")
        self._room = 8  # how many members there may be before the dead are forgotten
        # Values that aren't in `data` yet, in the order in which they were written.
        self._pending: dict[View, Any] = {}

    # --- reading ----------------------------------------------------------------------------

    def current(self) -> Any:
        """Return the data with all writes in it."""
        with self.lock:
            data = self.data
            if self._pending:
                for run in _runs(self._pending):
                    data = _written(data, run, [self._pending[view] for view in run])
                if self.keeps(data):
                    store = self.backend.write if self.tracked else self.backend.overwrite
                    data = self.data = store(self.data, data)
                    self._pending.clear()
            return data

    def keeps(self, value: Any) -> bool:
        """Whether a native array may stay here: it may not if it is part of another trace.

        A function that is traced may read an Array from outside. What it computes exists in the
        trace alone.
        """
        trace = self.backend.trace_of
        found = trace(value)
        if found is None:
            return True
        known = (self.data, *self._pending.values())
        return any(trace(one) is found for one in known)

    def refresh(self, member: Array, view: View) -> Any:
        """Give an Array its data again."""
        with self.lock:
            value = view.value()
            if view.kept and self.keeps(value):
                member._data = value
                self._lie(view, view.bounds)
            return value

    # --- writing ----------------------------------------------------------------------------

    def put(self, member: Array, view: View, value: Any) -> None:
        """Let an Array have new data, and all that overlap with it follow."""
        if view.step is None:
            self.data, self.tracked = value, True
        else:
            self._pending[view] = value
        others = list(self._overlapping(member, view))
        if not self.backend.REFRESHED_LATER:
            for other in (*others, member):
                if other._view.kept:
                    other._data = other._view.value()
            self.current()
            return
        member._data = value
        self._lie(view, view.bounds)
        for other in others:
            del other._data
            self._lie(other._view, _NOWHERE)

    def join(self, member: Array, view: View) -> None:
        """Make an Array a member, which has its data."""
        with self.lock:
            if len(self.members) >= self._room:
                self._forget()
            view.place = len(self.members)
            self.members.append(weakref.ref(member))
            # Measured when it is first asked for.
            low, high = view._bounds or _ANYWHERE
            self._low.append(low)
            self._high.append(high)
            member._view = view

    def _forget(self) -> None:
        """Forget the members who died."""
        alive = [(ref, one) for ref in self.members if (one := ref()) is not None]
        places = [one._view.place for _, one in alive]
        self._low = array("q", [self._low[place] for place in places])
        self._high = array("q", [self._high[place] for place in places])
        for place, (_, one) in enumerate(alive):
            one._view.place = place
        self.members = [ref for ref, _ in alive]
        self._room = max(8, 2 * len(alive))

    def _lie(self, view: View, bounds: tuple[int, int]) -> None:
        """Note where a member lies."""
        self._low[view.place], self._high[view.place] = bounds

    def _overlapping(self, member: Array, view: View) -> Iterator[Array]:
        """Find the other members that have data of what a view is about."""
        low, high = view.bounds
        for place in self.backend.layouts.between(low, high, self._low, self._high):
            other = self.members[place]()
            if other is None:
                self._low[place], self._high[place] = _NOWHERE
            elif other is not member:
                bounds = other._view.bounds
                self._lie(other._view, bounds)
                if bounds[0] < high and bounds[1] > low:
                    yield other


class TracedMemory(Memory):
    """A memory in code that PyTorch compiles: of plain lists, and of nobody knows which layout.

    The compiler keeps all alive that it meets, and lets nobody wait.
    """

    __slots__ = ("_everyone",)

    def __init__(self, backend: Backend, data: Any) -> None:
        """Hold a native array."""
        self.backend = backend
        self.data = data
        self.tracked = is_followed(backend, data)
        self.lock = nullcontext()
        self._pending = {}
        self._everyone: list[Array] = []

    def join(self, member: Array, view: View) -> None:
        """Make an Array a member, which has its data."""
        self._everyone.append(member)
        member._view = view

    def _overlapping(self, member: Array, view: View) -> Iterator[Array]:
        return (other for other in self._everyone if other is not member)


def _runs(views: Iterable[View]) -> Iterator[list[View]]:
    """Part the views that were written to, in their order, into runs of rows of one source."""
    run: list[View] = []
    known: set[int] = set()
    for view in views:
        row = view.step.row if view.step else None
        if run and not (row and row.follows(run[-1], view, known) and len(run) < _ROWS):
            yield run
            run, known = [], set()
        run.append(view)
        known.add(row.number if row else -1)
    if run:
        yield run


def _written(data: Any, run: list[View], values: list[Any]) -> Any:
    """Return a memory's data with a view's value in it, or with those of several rows."""
    view = run[0]
    if len(run) == 1:
        return view.written(data, values[0])
    rows = [one.step.row for one in run if one.step and one.step.row]
    assert view.source is not None  # rows have one
    numbers = [row.number for row in rows]
    source = rows[0].write(view.source.read(data), rows[0].axis, numbers, values)
    return view.source.written(data, source)


def is_followed(backend: Backend, data: Any) -> bool:
    """Whether views of a native array can't share its memory."""
    followed = backend.FOLLOWED
    return bool(getattr(data, followed)) if isinstance(followed, str) else followed


def view_of(array: Array) -> View | None:
    """Return an Array's part of a memory, None where it follows nobody and nobody follows it."""
    try:
        view: View | None = array._view
    except AttributeError:
        return None
    return view
