"""What part of a shared memory an Array is: a `View`, and the `Region` with the steps to it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, cast

from arrayapi_unify.backends._common.memory_rules import ReadOnlyError
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.locks import new_lock

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array
    from arrayapi_unify.array_object.memory import Memory

__all__ = [
    "ANYWHERE", "NOWHERE", "SETTLING", "WINDOW", "Late", "Region", "Row", "Step", "Taking",
    "View", "is_followed", "is_read_only", "looked_at", "view_of",
]  # fmt: skip

# What a layout may be anywhere in, where sizes aren't known while tracing.
ANYWHERE: Final = (0, 2**63 - 1)
NOWHERE: Final = (0, 0)


class Row(NamedTuple):
    """One row of an array: several are written at once."""

    axis: int
    number: int
    write: Callable[[Any, int, list[int], list[Any]], Any]
    """The source, an axis, numbers and rows -> the source with the rows in it."""

    def follows(self, before: Region, region: Region, known: set[int]) -> bool:
        """Whether this row, of `region`, goes with those `known` of the same array."""
        row = before.step.row if before.step else None
        alike = row is not None and row.axis == self.axis and before.source is region.source
        return alike and self.number not in known


class Step(NamedTuple):
    """How a view comes out of the array that it was taken of, and how it goes back into it."""

    layout: Callable[[Any], Any]
    """A layout of the source, or NumPy's array of it -> what NumPy makes of it for the view."""
    read: Callable[[Any], Any]
    """The native array of the source -> that of the view."""
    write: Callable[[Any, Any], Any] | None
    """Those of the source and the view -> the source with the view in it; None: read-only."""
    row: Row | None = None
    """Which row of its source the view is, if it is one."""


class Region:
    """A part of a memory: where it lies, and the steps that lead to it.

    It doesn't know the memory, which holds regions itself: a cycle would keep both until the
    garbage collector runs.
    """

    __slots__ = ("_layout", "_size", "known_bounds", "layouts", "read_only", "source", "step")

    def __init__(
        self, layouts: Any, layout: Any, source: Region | None = None, step: Step | None = None
    ) -> None:
        """Describe a part by the region that it was taken of; the whole memory has none.

        A layout may be what finds it when it is first asked for: few views are written to. It is
        None where nobody knows it.
        """
        self.layouts = layouts
        self._layout = layout
        self.source = source
        self.step = step
        self._size = -1  # unknown
        writes = source is None or step is None or step.write is not None
        self.read_only: bool = not writes or (source is not None and source.read_only)
        # The bounds, unless nobody has asked for them yet.
        self.known_bounds: tuple[int, int] | None = None if layout is not None else ANYWHERE

    def after(self, step: Step) -> Region:
        """Return what a step makes of this region; its layout is found when it is asked for."""
        layout = None if self._layout is None else functools.partial(_derived, self, step)
        return Region(self.layouts, layout, self, step)

    @property
    def is_traced(self) -> bool:
        """Whether nobody knows where the elements lie."""
        return self._layout is None

    @property
    def layout(self) -> Any:
        """Where the elements lie."""
        layout = self._layout
        if callable(layout):
            layout = self._layout = layout()
        return layout

    @property
    def size(self) -> int:
        """How many elements there are."""
        if self._size < 0:
            self._size = self.layout.size
        return self._size

    @property
    def bounds(self) -> tuple[int, int]:
        """The addresses between which the elements lie."""
        if self.known_bounds is None:
            assert self.layout is not None  # else they are known from the start
            self.known_bounds = self.layouts.bounds(self.layout)
        return self.known_bounds

    @property
    def root(self) -> Region:
        """The region of the whole memory."""
        region = self
        while region.source is not None:
            region = region.source
        return region

    def measure(self, shape: tuple[int, ...]) -> None:
        """Note the size of a region that has a shape."""
        if self._size < 0 and self._layout is not None:
            self._size = math.prod(shape)

    def read(self, data: Any) -> Any:
        """Take this part out of the memory's data."""
        for step in self.steps():
            data = step.read(data)
        return data

    def over(self, values: Any) -> Any:
        """Take this part out of a NumPy array that is the memory's; no array where it can't be."""
        for step in self.steps():
            values = step.layout(values)
        return values

    def written(self, data: Any, value: Any) -> Any:
        """Return the memory's data with a value in this part of it."""
        steps = self.steps()
        sources = [data] * bool(steps)
        for step in steps[:-1]:
            sources.append(step.read(sources[-1]))
        for step, source in zip(reversed(steps), reversed(sources), strict=True):
            assert step.write is not None  # a read-only view isn't written to
            value = step.write(source, value)
        return value

    def steps(self) -> list[Step]:
        """Return the steps from the whole memory to this part of it."""
        steps = []
        region: Region | None = self
        while region is not None and region.step is not None:
            steps.append(region.step)
            region = region.source
        return steps[::-1]


def _derived(region: Region, step: Step) -> Any:
    return step.layout(region.layout)


class View:
    """The region of a memory that one Array is."""

    __slots__ = ("_seen", "held", "kept", "memory", "place", "region")

    def __init__(self, memory: Memory, region: Region, kept: bool = True) -> None:
        """Join a memory with a region of it.

        `kept` says that the Array keeps its data until it is taken away: what can be written to
        behind our back, as PyTorch's memory can, is looked at each time.
        """
        self.memory = memory
        self.region = region
        self.kept = kept
        self.place = -1  # among the members of the memory
        self._seen: tuple[Any, Any, Any, Any] = (None, None, None, None)
        self.held: Any = None  # the data of an Array that keeps it here

    @property
    def is_traced(self) -> bool:
        """Whether nobody knows where the elements lie."""
        return self.region.is_traced

    @property
    def read_only(self) -> bool:
        """Whether NumPy would refuse a write."""
        return self.region.read_only

    def check_writable(self) -> None:
        """Refuse a write where NumPy would."""
        if self.region.read_only:
            raise ReadOnlyError

    def value(self) -> Any:
        """Return the native array that the Array has now."""
        data = self.memory.current()
        if self.kept:
            # What is lent has the same native array each time, as long as nobody writes.
            return self._seen[2] if self._seen[0] is data else self.region.read(data)
        backend = self.memory.backend
        known, version, value, own_version = self._seen
        # Somebody may have written to what he got of the value, which is a copy.
        if known is data and backend.windows.unchanged(data, version, value, own_version):
            return value
        version = backend.version_of(data)
        value = self.region.read(data)
        self._see(data, version, value)
        return value

    def see_lent(self, data: Any, value: Any) -> None:
        """Remember what was read of data that never changes, for an Array that mayn't keep it."""
        self._seen = (data, None, value, None)

    def see(self, data: Any, version: Any, value: Any) -> None:
        """Remember what was read of the memory's data at a version, if they are its data still."""
        if not self.kept and self.memory.data is data:
            self._see(data, version, value)

    def _see(self, data: Any, version: Any, value: Any) -> None:
        self._seen = (data, version, value, self.memory.backend.version_of(value))
        self.region.measure(self.memory.backend.shape_of(value))
        self.memory.weigh(self)

    def forget(self) -> None:
        """Give up what was seen last; it is read again when it is asked for."""
        self._seen = (None, None, None, None)


SETTLING: Final = new_lock()
"""Held while a late view is replaced."""
_PARTS: Final = frozenset(View.__slots__)


class Taking(Protocol):
    """How a `Late` comes out of the Array that it was taken of, with arguments besides."""

    backend: Backend
    """Whose native arrays these are."""

    def read(self, data: Any, *args: Any, **kwargs: Any) -> Any:
        """Take the native array of the view out of the Array's data."""

    def settled(self, source: Array, args: tuple[Any, ...], kwargs: dict[str, Any]) -> View:
        """Return the view in the Array's memory."""


Late: TypeAlias = "tuple[Taking, Array, tuple[Any, ...], dict[str, Any], Any, Any, Any]"
"""A view of which its memory doesn't know yet, as long as nobody asks for more than its data.

It is how it was taken, of which Array, with which arguments; and of what is known: that Array's
data, the native array that came of it, and the data's version. A window onto the data sees writes
by itself, and has WINDOW for the version. Else the native array is a copy.

To be read it needs no more than the Array that it was taken of: one that keeps its data, into which
all writes to their memory go. A tuple, as an object of ours would take as long to make as the view.
"""

WINDOW: Final = object()


def looked_at(late: Late) -> Late:
    """Return a late view with the native array that its Array has now.

    One that is without a version is of this moment only, as in a trace.
    """
    taking, array, args, kwargs, known, value, version = late
    data, backend = array._data, taking.backend
    if version is WINDOW:
        if backend.compiling():
            version = None
        elif known is data:
            return late
    else:
        # Somebody may have written to what he got of a copy.
        windows = backend.windows
        if known is data and windows.unchanged(data, version, value, windows.NEW_VERSION):
            return late
        version = backend.version_of(data)
    return (taking, array, args, kwargs, data, taking.read(data, *args, **kwargs), version)


class LateView(View):
    """A `Late` of which somebody asks for more; it enters its memory only if it has to."""

    __slots__ = ("_late", "_waits")

    def __init__(self, late: Late) -> None:
        """Take over."""
        self.kept = False
        self._late = late
        self._waits = True

    def __getattr__(self, name: str) -> Any:
        """Become a view like others: Python asks here for what isn't there yet."""
        if name not in _PARTS:
            raise AttributeError(name)
        with SETTLING:
            if self._waits:
                taking, array, args, kwargs, *_ = self._late
                view = taking.settled(array, args, kwargs)
                View.__init__(self, view.memory, view.region, False)
                self._waits = False
        return getattr(self, name)

    def value(self) -> Any:
        """Return the native array that the Array has now."""
        late = looked_at(self._late)
        if late[6] is not None:
            self._late = late
        return late[5]


def is_followed(backend: Backend, data: Any) -> bool:
    """Whether views of a native array can't share its memory."""
    followed = backend.FOLLOWED
    return bool(getattr(data, followed)) if isinstance(followed, str) else followed


def view_of(array: Array) -> View | None:
    """Return an Array's part of a memory, None where it follows nobody and nobody follows it."""
    view: Any = getattr(array, "_view", None)
    if type(view) is tuple:
        with SETTLING:
            view = array._view
            if type(view) is tuple:
                view = array._view = LateView(view)
    return cast("View | None", view)


def is_read_only(array: Array) -> bool:
    """Whether an Array is read-only that the library itself doesn't know to be so."""
    view = view_of(array)
    return view is not None and view.read_only
