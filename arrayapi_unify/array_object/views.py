"""What part of a shared memory an Array is: a `View`, and the `Region` with the ops to it."""

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
    "ALIAS", "ANYWHERE", "MATERIALIZE_LOCK", "NOWHERE", "LazyViewSpec", "Region", "RowUpdate",
    "SupportsMaterialize", "View", "ViewOp", "is_read_only", "needs_emulation", "refreshed",
    "view_of",
]  # fmt: skip

# What a layout may be anywhere in, where sizes aren't known while tracing.
ANYWHERE: Final = (0, 2**63 - 1)
NOWHERE: Final = (0, 0)


class RowUpdate(NamedTuple):
    """One row of an array: several are written at once."""

    axis: int
    number: int
    write: Callable[[Any, int, list[int], list[Any]], Any]
    """The source, an axis, numbers and rows -> the source with the rows in it."""

    def continues(self, before: Region, region: Region, known: set[int]) -> bool:
        """Whether this row, of `region`, goes with those `known` of the same array."""
        row = before.op.row if before.op else None
        alike = row is not None and row.axis == self.axis and before.source is region.source
        return alike and self.number not in known


class ViewOp(NamedTuple):
    """How a view comes out of the array that it was taken of, and how it goes back into it."""

    layout: Callable[[Any], Any]
    """A layout of the source, or NumPy's array of it -> what NumPy makes of it for the view."""
    read: Callable[[Any], Any]
    """The native array of the source -> that of the view."""
    write: Callable[[Any, Any], Any] | None
    """Those of the source and the view -> the source with the view in it; None: read-only."""
    row: RowUpdate | None = None
    """Which row of its source the view is, if it is one."""


class Region:
    """A part of a memory: where it lies, and the ops that lead to it.

    It doesn't know the memory, which holds regions itself: a cycle would keep both until the
    garbage collector runs.
    """

    __slots__ = ("_layout", "_size", "known_bounds", "layouts", "op", "read_only", "source")

    def __init__(
        self, layouts: Any, layout: Any, source: Region | None = None, op: ViewOp | None = None
    ) -> None:
        """Describe a part by the region that it was taken of; the whole memory has none.

        A layout may be what finds it when it is first asked for: few views are written to. It is
        None where nobody knows it.
        """
        self.layouts = layouts
        self._layout = layout
        self.source = source
        self.op = op
        self._size = -1  # unknown
        writes = source is None or op is None or op.write is not None
        self.read_only: bool = not writes or (source is not None and source.read_only)
        # The bounds, unless nobody has asked for them yet.
        self.known_bounds: tuple[int, int] | None = None if layout is not None else ANYWHERE

    def after(self, op: ViewOp) -> Region:
        """Return what an op makes of this region; its layout is found when it is asked for."""
        layout = None if self._layout is None else functools.partial(_derived, self, op)
        return Region(self.layouts, layout, self, op)

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
        for op in self.ops():
            data = op.read(data)
        return data

    def apply_layout(self, values: Any) -> Any:
        """Take this part out of a NumPy array that is the memory's; no array where it can't be."""
        for op in self.ops():
            values = op.layout(values)
        return values

    def write_back(self, data: Any, value: Any) -> Any:
        """Return the memory's data with a value in this part of it."""
        ops = self.ops()
        sources = [data] * bool(ops)
        for op in ops[:-1]:
            sources.append(op.read(sources[-1]))
        for op, source in zip(reversed(ops), reversed(sources), strict=True):
            assert op.write is not None  # a read-only view isn't written to
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


def _derived(region: Region, op: ViewOp) -> Any:
    return op.layout(region.layout)


class View:
    """The region of a memory that one Array is."""

    __slots__ = ("_cached", "caches_data", "memory", "place", "region", "stored")

    def __init__(self, memory: Memory, region: Region, caches_data: bool = True) -> None:
        """Join a memory with a region of it.

        `caches_data` says that the Array keeps its data until it is taken away: what can be written
        to outside our control, as PyTorch's memory can, is looked at each time.
        """
        self.memory = memory
        self.region = region
        self.caches_data = caches_data
        self.place = -1  # among the members of the memory
        self._cached: tuple[Any, Any, Any, Any] = (None, None, None, None)
        self.stored: Any = None  # the data of an Array that keeps it here

    @property
    def is_traced(self) -> bool:
        """Whether nobody knows where the elements lie."""
        return self.region.is_traced

    @property
    def read_only(self) -> bool:
        """Whether NumPy would refuse a write."""
        return self.region.read_only

    def check_writable(self) -> None:
        """Raise for a write where NumPy would."""
        if self.region.read_only:
            raise ReadOnlyError

    def value(self) -> Any:
        """Return the native array that the Array has now."""
        data = self.memory.current()
        if self.caches_data:
            # What is exported has the same native array each time, as long as nobody writes.
            return self._cached[2] if self._cached[0] is data else self.region.read(data)
        backend = self.memory.backend
        known, version, value, own_version = self._cached
        # Somebody may have written to what he got of the value, which is a copy.
        if known is data and backend.aliasing.unchanged(data, version, value, own_version):
            return value
        version = backend.version_of(data)
        value = self.region.read(data)
        self._cache(data, version, value)
        return value

    def cache_exported(self, data: Any, value: Any) -> None:
        """Remember what was read of data that never changes, for an Array that mayn't keep it."""
        self._cached = (data, None, value, None)

    def cache(self, data: Any, version: Any, value: Any) -> None:
        """Remember what was read of the memory's data at a version, if they are its data still."""
        if not self.caches_data and self.memory.data is data:
            self._cache(data, version, value)

    def _cache(self, data: Any, version: Any, value: Any) -> None:
        self._cached = (data, version, value, self.memory.backend.version_of(value))
        self.region.measure(self.memory.backend.shape_of(value))
        self.memory.account(self)

    def forget(self) -> None:
        """Give up what was seen last; it is read again when it is asked for."""
        self._cached = (None, None, None, None)


MATERIALIZE_LOCK: Final = new_lock()
"""Held while a lazy view is replaced."""
_PARTS: Final = frozenset(View.__slots__)


class SupportsMaterialize(Protocol):
    """How a `LazyViewSpec` comes out of the Array that it was taken of, with arguments besides."""

    backend: Backend
    """Whose native arrays these are."""

    def read(self, data: Any, *args: Any, **kwargs: Any) -> Any:
        """Take the native array of the view out of the Array's data."""

    def materialize(self, source: Array, args: tuple[Any, ...], kwargs: dict[str, Any]) -> View:
        """Return the view in the Array's memory."""


LazyViewSpec: TypeAlias = (
    "tuple[SupportsMaterialize, Array, tuple[Any, ...], dict[str, Any], Any, Any, Any]"
)
"""A view of which its memory doesn't know yet, as long as nobody asks for more than its data.

It is how it was taken, of which Array, with which arguments; and of what is known: that Array's
data, the native array that came of it, and the data's version. An alias of the data sees writes
by itself, and has ALIAS for the version. Else the native array is a copy.

To be read it needs no more than the Array that it was taken of: one that keeps its data, into which
all writes to their memory go. A tuple, as an object of ours would take as long to make as the view.
"""

ALIAS: Final = object()


def refreshed(lazy: LazyViewSpec) -> LazyViewSpec:
    """Return a lazy view with the native array that its Array has now.

    One that is without a version is of this moment only, as in a trace.
    """
    factory, array, args, kwargs, known, value, version = lazy
    data, backend = array._data, factory.backend
    if version is ALIAS:
        if backend.is_compiling():
            version = None
        elif known is data:
            return lazy
    else:
        # Somebody may have written to what he got of a copy.
        aliasing = backend.aliasing
        if known is data and aliasing.unchanged(data, version, value, aliasing.NEW_VERSION):
            return lazy
        version = backend.version_of(data)
    return (factory, array, args, kwargs, data, factory.read(data, *args, **kwargs), version)


class LazyView(View):
    """A `LazyViewSpec` of which somebody asks for more; it enters its memory only if it has to."""

    __slots__ = ("_is_lazy", "_spec")

    def __init__(self, lazy: LazyViewSpec) -> None:
        """Take over."""
        self.caches_data = False
        self._spec = lazy
        self._is_lazy = True

    def __getattr__(self, name: str) -> Any:
        """Become a view like others: Python asks here for what isn't there yet."""
        if name not in _PARTS:
            raise AttributeError(name)
        with MATERIALIZE_LOCK:
            if self._is_lazy:
                factory, array, args, kwargs, *_ = self._spec
                view = factory.materialize(array, args, kwargs)
                View.__init__(self, view.memory, view.region, False)
                self._is_lazy = False
        return getattr(self, name)

    def value(self) -> Any:
        """Return the native array that the Array has now."""
        lazy = refreshed(self._spec)
        if lazy[6] is not None:
            self._spec = lazy
        return lazy[5]


def needs_emulation(backend: Backend, data: Any) -> bool:
    """Whether views of a native array can't share its memory."""
    emulation = backend.VIEW_EMULATION
    return bool(getattr(data, emulation)) if isinstance(emulation, str) else emulation


def view_of(array: Array) -> View | None:
    """Return an Array's part of a memory, None where it follows nobody and nobody follows it."""
    view: Any = getattr(array, "_view", None)
    if type(view) is tuple:
        with MATERIALIZE_LOCK:
            view = array._view
            if type(view) is tuple:
                view = array._view = LazyView(view)
    return cast("View | None", view)


def is_read_only(array: Array) -> bool:
    """Whether an Array is read-only that the library itself doesn't know to be so."""
    view = view_of(array)
    return view is not None and view.read_only
