"""The part of a shared memory that an Array is: a `View`, with its `Region` and the ops to it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from arrayapi_unify.backends._common.algorithms.memory import ReadOnlyError
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.locks import new_lock
from arrayapi_unify.views import layouts

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array
    from arrayapi_unify.views.memory import Memory

__all__ = [
    "ALIAS", "ANYWHERE", "MATERIALIZE_LOCK", "NOWHERE", "LazyViewSpec", "Region", "RowUpdate",
    "SupportsMaterialize", "View", "ViewOp", "is_read_only", "needs_emulation", "refreshed",
    "view_of",
]  # fmt: skip

# The bounds of a layout whose sizes aren't known while tracing.
ANYWHERE: Final = (0, 2**63 - 1)
NOWHERE: Final = (0, 0)


class RowUpdate(NamedTuple):
    """One row of an array: several are written at once."""

    axis: int
    number: int
    write: Callable[[Any, int, list[int], list[Any]], Any]
    """The source, an axis, numbers and rows -> the source with the rows in it."""

    def continues(self, before: Region, region: Region, known: set[int]) -> bool:
        """Return True if this row of `region` can be written together with the rows `known`."""
        row = before.op.row if before.op else None
        alike = row is not None and row.axis == self.axis and before.source is region.source
        return alike and self.number not in known


class ViewOp(NamedTuple):
    """A view operation: functions that read a view out of its source, and write it back."""

    layout: Callable[[Any], Any]
    """The layout of the source, or its NumPy array -> that of the view."""
    read: Callable[[Any], Any]
    """The native array of the source -> that of the view."""
    write: Callable[[Any, Any], Any] | None
    """The native arrays of source and view -> the source with the view in it; None: read-only."""
    row: RowUpdate | None = None
    """The row of its source that the view is, if it is one."""


class Region:
    """A part of a memory: its layout, and the view operations that lead to it.

    It has no reference to the memory, which holds regions itself: a cycle would keep both alive
    until the garbage collector runs.
    """

    __slots__ = ("_layout", "_size", "known_bounds", "op", "read_only", "source")

    def __init__(self, layout: Any, source: Region | None = None, op: ViewOp | None = None) -> None:
        """Describe a part by the region that it was taken of; the whole memory has none.

        A layout may be a function that computes it on first use: few views are written to. It is
        None if it isn't known.
        """
        self._layout = layout
        self.source = source
        self.op = op
        self._size = -1  # unknown
        writes = source is None or op is None or op.write is not None
        self.read_only: bool = not writes or (source is not None and source.read_only)
        # The bounds; None until they are first used.
        self.known_bounds: tuple[int, int] | None = None if layout is not None else ANYWHERE

    def after(self, op: ViewOp) -> Region:
        """Return the region that an op takes of this one; its layout is computed on first use."""
        layout = None if self._layout is None else functools.partial(_derived, self, op)
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
    def bounds(self) -> tuple[int, int]:
        """The addresses between which the elements lie."""
        if self.known_bounds is None:
            assert self.layout is not None  # else they are known from the start
            self.known_bounds = layouts.bounds(self.layout)
        return self.known_bounds

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

        With `caches_data` the Array keeps its data until the memory evicts it. Memory that can be
        written to outside our control, as PyTorch's can, is read on each access.
        """
        self.memory = memory
        self.region = region
        self.caches_data = caches_data
        self.place = -1  # among the members of the memory
        self._cached: tuple[Any, Any, Any, Any] = (None, None, None, None)
        self.stored: Any = None  # the data of an Array that keeps it here

    @property
    def is_traced(self) -> bool:
        """True if the layout is unknown, as for sizes unknown in a trace."""
        return self.region.is_traced

    @property
    def read_only(self) -> bool:
        """True if NumPy would refuse a write."""
        return self.region.read_only

    def check_writable(self) -> None:
        """Raise for a write where NumPy would."""
        if self.region.read_only:
            raise ReadOnlyError

    def value(self) -> Any:
        """Return the native array that the Array has now."""
        data = self.memory.current()
        if self.caches_data:
            # An exported view returns the same native array each time, until a write.
            return self._cached[2] if self._cached[0] is data else self.region.read(data)
        backend = self.memory.backend
        known, version, value, own_version = self._cached
        # The value is a copy; code outside our control may have written to it.
        if known is data and backend.aliasing.unchanged(data, version, value, own_version):
            return value
        version = backend.version_of(data)
        value = self.region.read(data)
        self._cache(data, version, value)
        return value

    def cache_exported(self, data: Any, value: Any) -> None:
        """Cache a value read from data that never changes, for an Array that mayn't keep it."""
        self._cached = (data, None, value, None)

    def cache(self, data: Any, version: Any, value: Any) -> None:
        """Cache a value read from the memory's data at a version, if it still has these data."""
        if not self.caches_data and self.memory.data is data:
            self._cache(data, version, value)

    def _cache(self, data: Any, version: Any, value: Any) -> None:
        self._cached = (data, version, value, self.memory.backend.version_of(value))
        self.region.measure(self.memory.backend.shape_of(value))
        self.memory.account(self)

    def forget(self) -> None:
        """Drop the cached value; it is read again on the next access."""
        self._cached = (None, None, None, None)


MATERIALIZE_LOCK: Final = new_lock()
"""Held while a lazy view is replaced."""
_PARTS: Final = frozenset(View.__slots__)


class SupportsMaterialize(Protocol):
    """The protocol of the first item of a `LazyViewSpec`, which reads or makes the view."""

    backend: Backend
    """The backend of the native arrays."""

    def read(self, data: Any, *args: Any, **kwargs: Any) -> Any:
        """Take the native array of the view out of the Array's data."""

    def materialize(self, source: Array, args: tuple[Any, ...], kwargs: dict[str, Any]) -> View:
        """Return the view in the Array's memory."""


LazyViewSpec: TypeAlias = (
    "tuple[SupportsMaterialize, Array, tuple[Any, ...], dict[str, Any], Any, Any, Any]"
)
"""A lazy view: it enters its memory when more than its data is needed.

The items are the view's factory, its source, its arguments, and as last seen the data of the
source, the native array of the view, and the version of the data. An alias of the data sees writes
itself, and has ALIAS for the version. Otherwise the native array is a copy.

Reading it needs only the source: one that keeps its data, into which all writes to their memory go.
It is a tuple, since making an object would take as long as making the view.
"""

ALIAS: Final = object()


def refreshed(lazy: LazyViewSpec) -> LazyViewSpec:
    """Return a lazy view with the native array that its Array has now.

    Without a version it is valid for this moment only, as in a trace.
    """
    factory, array, args, kwargs, known, value, version = lazy
    data, backend = array._data, factory.backend
    if version is ALIAS:
        if backend.is_compiling():
            version = None
        elif known is data:
            return lazy
    else:
        # Code outside our control may have written to the copy.
        aliasing = backend.aliasing
        if known is data and aliasing.unchanged(data, version, value, aliasing.NEW_VERSION):
            return lazy
        version = backend.version_of(data)
    return (factory, array, args, kwargs, data, factory.read(data, *args, **kwargs), version)


class LazyView(View):
    """The view object of a `LazyViewSpec`; it enters its memory only if it has to."""

    __slots__ = ("_is_lazy", "_spec")

    def __init__(self, lazy: LazyViewSpec) -> None:
        """Hold the spec of a lazy view."""
        self.caches_data = False
        self._spec = lazy
        self._is_lazy = True

    def __getattr__(self, name: str) -> Any:
        """Materialize the view: Python calls this for attributes that aren't there yet."""
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
    """Return True if views of a native array can't share its memory."""
    emulation = backend.VIEW_EMULATION
    return bool(getattr(data, emulation)) if isinstance(emulation, str) else emulation


def view_of(array: Array) -> View | None:
    """Return an Array's part of a memory; None if it neither is nor has an emulated view."""
    found: Any = getattr(array, "_view", None)
    if type(found) is tuple:
        with MATERIALIZE_LOCK:
            found = array._view
            if type(found) is tuple:
                found = array._view = LazyView(found)
    view: View | None = found  # `cast` would be one more call
    return view


def is_read_only(array: Array) -> bool:
    """Return True if an Array is a read-only emulated view, whatever the library allows."""
    view = view_of(array)
    return view is not None and view.read_only
