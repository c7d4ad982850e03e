"""The part of a memory that an Array is: a `View`, its `Region`, and the view operations to it."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable
from itertools import accumulate
from threading import get_ident
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from arrayapi_unify._core.locks import new_lock
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.views import layouts

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array
    from arrayapi_unify.views.memory import Memory

__all__ = [
    "ALIAS", "ANYWHERE", "LOCK", "NOWHERE", "WRITES", "Bounds", "Region", "Row", "View", "ViewOp",
    "is_read_only", "needs_emulation", "view_of",
]  # fmt: skip

Bounds = tuple[int, int]
ANYWHERE: Final[Bounds] = (0, 2**63 - 1)
"""The bounds of a layout whose sizes aren't known while tracing."""
NOWHERE: Final[Bounds] = (0, 0)

LOCK: Final = new_lock()
"""Held while the memory of an Array is made, or the view of a lazy one."""


class _Writes:
    """The last write of all, and those of traced functions."""

    last_thread: int | None = None
    """The thread that made the last one; None before the first."""

    def __init__(self) -> None:
        """Note none so far."""
        self.noted: dict[int, dict[int, Noted]] = {}
        """The Arrays that traced functions wrote to, by their ids, by the thread."""

    def note(self, array: Array, aliases: Iterable[Array] = ()) -> None:
        """Note an Array that is about to be written to, and those that share its memory."""
        notes = self.noted.get(get_ident())
        if notes is None:
            return
        view = view_of(array)
        if view is None:
            for one in (array, *aliases):
                notes.setdefault(id(one), Noted(weakref.ref(one), one._data))
            return
        memory = view.memory
        contents = memory.data, memory.pending
        for one in (array, *memory.members.overlapping(array, view)):
            notes.setdefault(id(one), Noted(weakref.ref(one), None, memory, contents))


class Noted(NamedTuple):
    """An Array, and what it had before: data of its own, or a memory of these contents."""

    ref: weakref.ref[Array]
    data: Any
    memory: Memory | None = None
    contents: tuple[Any, dict[Region, Any]] | None = None


WRITES: Final = _Writes()

ALIAS: Final = object()
"""In place of a version: the value is an alias of the data, and sees writes itself."""


class Row(NamedTuple):
    """One row of an array: several of one axis are written at once."""

    axis: int
    number: int


class ViewOp:
    """A view operation, which reads a view out of its source and writes it back.

    Neither changes an array. This one is the identity: the view is all of its source.
    """

    __slots__ = ("read_only",)

    row: ClassVar[Any] = None
    """The `Row` of its source that the view is, if it is one; then there is `write_rows`."""

    def __init__(self, read_only: bool = False) -> None:
        """Let writes be refused, as NumPy refuses them."""
        self.read_only = read_only

    def layout(self, source: Any) -> Any:
        """Return the layout of the view, or its NumPy array; no array where NumPy copies."""
        return source

    def read(self, source: Any) -> Any:
        """Return the native array of the view."""
        return source

    def write(self, source: Any, value: Any) -> Any:
        """Return the source's native array with a value in place of the view."""
        return value


class Region:
    """A part of a memory: its layout, and the view operations that lead to it.

    It has no reference to the memory, which holds regions itself: a cycle would keep both alive
    until the garbage collector runs.
    """

    __slots__ = ("_bounds", "_layout", "_size", "op", "read_only", "source")

    def __init__(self, layout: Any, source: Region | None = None, op: ViewOp | None = None) -> None:
        """Describe a part by the region that it was taken of; the whole memory has none.

        A layout may be a function that computes it on first use: few views are written to. It is
        None if it isn't known.
        """
        self._layout = layout
        self.source = source
        self.op = op
        self._size = -1  # unknown
        self._bounds = None if layout is not None else ANYWHERE
        self.read_only: bool = op is not None and op.read_only
        if source is not None and source.read_only:
            self.read_only = True

    def after(self, op: ViewOp) -> Region:
        """Return the region that an op takes of this one; its layout is computed on first use."""
        layout = None if self._layout is None else lambda: op.layout(self.layout)
        return Region(layout, self, op)

    @property
    def is_traced(self) -> bool:
        """True if the layout is unknown, as for sizes unknown in a trace."""
        return self._layout is None

    @property
    def layout(self) -> Any:
        """The layout of the elements, computed on first use."""
        layout = self._layout
        if callable(layout):
            layout = self._layout = layout()
        return layout

    @property
    def size(self) -> int:
        """The number of elements."""
        if self._size < 0:
            self._size = self.layout.size
        return self._size

    @property
    def bounds(self) -> Bounds:
        """The addresses between which the elements lie."""
        if self._bounds is None:
            assert self.layout is not None  # else they are known from the start
            self._bounds = layouts.bounds(self.layout)
        return self._bounds

    @property
    def known_bounds(self) -> Bounds:
        """The bounds, if they were computed already; else those of all memory."""
        return self._bounds or ANYWHERE

    @property
    def root(self) -> Region:
        """The region of the whole memory."""
        region = self
        while region.source is not None:
            region = region.source
        return region

    def measure(self, shape: tuple[int, ...]) -> None:
        """Compute the size from a shape, unless it is known or the layout isn't."""
        if self._size < 0 and self._layout is not None:
            self._size = math.prod(shape)

    def read(self, data: Any) -> Any:
        """Take this part out of the memory's data."""
        for op in self.ops():
            data = op.read(data)
        return data

    def apply_layout(self, values: Any) -> Any:
        """Take this part out of the memory's NumPy array; no array results if that can't be."""
        for op in self.ops():
            values = op.layout(values)
        return values

    def write_back(self, data: Any, value: Any) -> Any:
        """Return the memory's data with a value in this part of it."""
        ops = self.ops()
        if not ops:
            return value
        sources = list(accumulate(ops[:-1], lambda source, op: op.read(source), initial=data))
        for op, source in zip(reversed(ops), reversed(sources), strict=True):
            value = op.write(source, value)
        return value

    def ops(self) -> list[ViewOp]:
        """Return the ops from the whole memory to this part of it."""
        ops = []
        region: Region | None = self
        while region is not None and region.op is not None:
            ops.append(region.op)
            region = region.source
        return ops[::-1]


class View:
    """The region of a memory that one Array is."""

    __slots__ = ("_cached", "caches_data", "memory", "place", "region", "stored")

    def __init__(self, memory: Memory, region: Region, caches_data: bool = True) -> None:
        """Join a memory with a region of it.

        With `caches_data` the Array keeps its data until the memory evicts it. Memory that can be
        written to outside our control, as PyTorch's can, is read on each access.
        """
        self.memory = memory
        self.region = region
        self.caches_data = caches_data
        self.place = -1  # among the members of the memory
        # A value, the memory's data of which it was read, and the versions of both.
        self._cached: tuple[Any, Any, Any, Any] = (None, None, None, None)
        self.stored: Any = None  # the data of an Array whose class has no slot for it

    @property
    def is_traced(self) -> bool:
        """True if the layout is unknown, as for sizes unknown in a trace."""
        return self.region.is_traced

    @property
    def read_only(self) -> bool:
        """True if NumPy would refuse a write."""
        return self.region.read_only

    def value(self) -> Any:
        """Return the native array that the Array has now."""
        memory = self.memory
        data, backend = memory.current(), memory.backend
        known, version, value, its_version = self._cached
        if self.caches_data:
            # An exported view returns the same native array each time, until a write.
            return value if known is data else self.region.read(data)
        alias = version is ALIAS and not backend.is_compiling()
        # A copy may have been written to outside our control, as its source may.
        unchanged = backend.aliasing.unchanged
        if known is data and (alias or unchanged(data, version, value, its_version)):
            return value
        version = ALIAS if alias else backend.version_of(data)
        value = self.region.read(data)
        if version is not None:  # else nothing says how long it is valid
            self.cache(data, version, value, backend.version_of(value))
        return value

    def cache(self, data: Any, version: Any, value: Any, its_version: Any = None) -> None:
        """Cache a value that was read of the memory's data at a version."""
        self._cached = (data, version, value, its_version)
        if not self.caches_data and self.place >= 0:
            self.region.measure(self.memory.backend.shape_of(value))
            self.memory.account(self)

    def forget(self) -> None:
        """Drop the cached value; it is read again on the next access."""
        self._cached = (None, None, None, None)


def needs_emulation(backend: Backend, data: Any) -> bool:
    """Return True if views of a native array can't share its memory."""
    emulation = backend.VIEW_EMULATION
    return bool(getattr(data, emulation)) if isinstance(emulation, str) else emulation


def view_of(array: Array) -> View | None:
    """Return an Array's part of a memory; None if it neither is nor has an emulated view.

    That of a lazy view (`views.factory.LazyView`) is made now.
    """
    found: Any = getattr(array, "_view", None)
    if type(found) is tuple:
        with LOCK:
            found = array._view
            if type(found) is tuple:
                factory, *_ = found
                found = array._view = factory.materialize(found)
    return found  # `cast` would be one more call


def is_read_only(array: Array) -> bool:
    """Return True if an Array is a read-only emulated view, whatever the library allows."""
    view = view_of(array)
    return view is not None and view.read_only
