"""`Memory`: a native array that several Arrays share, and the writes to it.

A write makes one new native array, for the Array that was written to, and takes the data out of the
Arrays that overlap with it. These get it from the memory on their next access, after all writes
were put into it. An Array that has its data pays nothing: `_data` is a plain slot.

A write may be interrupted anywhere (Ctrl-C, no memory left). So all is computed first, and taken
from the Arrays that overlap, which then read what the memory has still. The write itself is one
step, in which no Python code runs (`commit`). What comes after it is done again if it was cut off.

NumPy shares a memory by a mirror (`views.numpy_mirror`). While an array that `np.asarray(x)` gave
is alive, the Arrays that overlap with it keep no data. An access finds the writes that NumPy made
in between, and a write of ours goes into NumPy's array at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from operator import setitem
from threading import get_ident
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from arrayapi_unify._core.locks import new_lock
from arrayapi_unify.backends._common.algorithms.memory import commit
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.views.members import Members
from arrayapi_unify.views.numpy_mirror import Mirror, MirrorView, shares
from arrayapi_unify.views.view import NOWHERE, WRITES, Region, Row, View, needs_emulation

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["Calls", "Memory", "Write"]

# The number of rows written at once: more would take some compilers longer than they save.
_ROWS: Final = 32
# The number of elements that views may cache: a multiple of the memory's size, and a minimum.
_BUDGET_FACTOR: Final = 4
_MIN_BUDGET: Final = 2**16

Calls: TypeAlias = list[tuple[Any, ...]]
"""Functions and their arguments, which `commit` calls."""


class Write(NamedTuple):
    """A value for an Array."""

    member: Array
    view: View
    value: Any


class Memory:
    """A native array that several Arrays share, and weak references to these Arrays."""

    __slots__ = (
        "_budget", "_cached_size", "_mirror", "_pending", "_thread", "backend", "copied", "data",
        "lock", "members", "tracked",
    )  # fmt: skip

    def __init__(self, backend: Backend, data: Any, traced: bool = False) -> None:
        """Hold a native array; PyTorch's compiler follows neither locks nor weak references."""
        self.backend = backend
        self.data = data
        # If False, other arrays may be aliases of it: the library itself shares memory.
        self.tracked = needs_emulation(backend, data)
        # True if a copy was made of an Array of which NumPy has views for other layouts.
        self.copied = False
        self.lock: Any = nullcontext() if traced else new_lock()
        self.members: Any = _TracedMembers() if traced else Members()
        self._cached_size = 0  # an upper bound of the number of elements that members cache
        self._budget = 0  # the number that they may cache; unknown until there are many
        # Values that aren't in `data` yet, in the order in which they were written.
        self._pending: dict[Region, Any] = {}
        self._mirror: Mirror | None = None
        # The thread that wrote last, or has made a view since.
        self._thread = None if traced else WRITES.last_thread

    # --- reading ----------------------------------------------------------------------------

    def current(self) -> Any:
        """Return the data with all writes in it."""
        if self._mirror is None and not self._pending:
            return self.data
        with self.lock:
            mirror, data, pending = self._mirror, self.data, self._pending
            changes = mirror.changes(self._native) if mirror else []
            if changes:
                found = {mirror_view.where: value for mirror_view, value in changes}
                pending = {one: pending[one] for one in pending if one not in found} | found
            if pending:
                for run, numbers in _runs(pending):
                    data = _write_back(data, run, numbers, [pending[one] for one in run])
                if not self.can_store(data):
                    return data
                data = self._store(data)
                self.data, self._pending = data, {}
            if mirror and not mirror.accept(
                [(mirror_view, self._values(value)) for mirror_view, value in changes]
            ):
                self._mirror = None
            return data

    def _store(self, data: Any) -> Any:
        """Store new data in the memory; return what holds it."""
        write = self.backend.write if self.tracked else self.backend.write_through
        return write(self.data, data)

    def can_store(self, value: Any) -> bool:
        """Return True if the memory may hold a native array: not if it belongs to another trace.

        A traced function may read an Array from outside. The values that it computes exist only
        inside the trace.
        """
        trace = self.backend.tracer_of
        found = trace(value)
        if found is None:
            return True
        known = (self.data, *self._pending.values())
        return any(trace(one) is found for one in known)

    def refresh(self, member: Array, view: View) -> Any:
        """Give an Array its data again."""
        with self.lock:
            value = view.value()
            if view.caches_data and self.can_store(value):
                if self._is_exported(view):
                    view.cache(self.data, None, value)
                    return value
                view.forget()
                self._give_data(member, view, value)
                self.account(view)
            return value

    # --- writing ----------------------------------------------------------------------------

    @property
    def pending(self) -> dict[Region, Any]:
        """The values that aren't in `data` yet."""
        return dict(self._pending)

    def restore(self, data: Any, pending: dict[Region, Any]) -> None:
        """Go back to earlier contents, which all Arrays read again."""
        with self.lock:
            self.data, self._pending = data, pending
            for member in self.members.alive():
                if self.backend.LAZY_REFRESH:
                    self._drop_data(member, member._view)
                elif member._view.caches_data:
                    member._data = member._view.region.read(data)

    def assign(self, member: Array, view: View, value: Any) -> None:
        """Give an Array new data, and let all that overlap with it read theirs again."""
        if not self.backend.LAZY_REFRESH:
            self._assign_eagerly(member, view, value)
            return
        if self._mirror is not None:
            commit(self.prepared([Write(member, view, value)]))
            if not self._is_exported(view):
                self._give_data(member, view, value)
            return
        self._thread = WRITES.last_thread = get_ident()
        for other in self.members.overlapping(member, view):
            self._drop_data(other, other._view)
        region = view.region
        self.members.set_bounds(view, region.bounds)
        # Nothing is called within either line, so that nothing interrupts it.
        if region.op is None:
            self.data, self._pending, member._data = value, {}, value
        else:
            self._pending[region] = member._data = value
            if self._over_budget(view, len(self._pending)):
                self.current()

    def prepared(self, writes: list[Write]) -> Calls:
        """Take the data of all Arrays that overlap; return the calls that make the writes."""
        self._thread = WRITES.last_thread = get_ident()
        for member, view, _ in writes:
            for other in (*self.members.overlapping(member, view), member):
                self._drop_data(other, other._view)
        exported = self._mirror_writes(writes)
        if exported:
            return exported
        calls: Calls = []
        for _, view, value in writes:
            if view.region.op is None:
                calls += [(setattr, self, "data", value), (dict.clear, self._pending)]
            else:
                calls.append((setitem, self._pending, view.region, value))
        return calls

    def _assign_eagerly(self, member: Array, view: View, value: Any) -> None:
        """Put a value into memory, and give all that overlap with it their data now."""
        data, region = value, view.region
        overlapping = (*self.members.overlapping(member, view), member)
        if region.op is not None:
            data = self._store(region.write_back(self.data, value))
        if data is self.data:  # it was written to, and so were all aliases of it
            return
        keepers = [one for one in overlapping if one._view.caches_data]
        stored = [_stored(one, one._view.region.read(data)) for one in keepers]
        memory = [(setattr, self, "data", data), (setattr, self, "tracked", True)]
        self.members.commit([*memory, *stored])

    # --- the Arrays that share it -----------------------------------------------------------

    def add_view(self, member: Array, view: View, set_view: bool = True) -> None:
        """Make an Array that has its data a member; its view may be set later."""
        with self.lock:
            if set_view:
                member._view = view
            self.members.add(member, view)
            # An alias that the library shares takes no memory of its own.
            if view.caches_data and self.backend.LAZY_REFRESH:
                if self._is_stale(view) or (self._mirror is not None and self._is_exported(view)):
                    self._drop_data(member, view)
                self._account(view)

    def _is_stale(self, view: View) -> bool:
        """Return True if another thread may have written after the data of a new view was read.

        A thread that wrote last itself has read what it wrote.
        """
        if view.region.op is None or self._thread is None:
            return False
        thread, self._thread = self._thread, get_ident()
        return thread != self._thread

    def _drop_data(self, member: Array, view: View) -> None:
        """Take the data of an Array, which gets it again on its next access."""
        with suppress(AttributeError):  # where that was cut off after the first step
            del member._data
        self.members.set_bounds(view, NOWHERE)

    def _give_data(self, member: Array, view: View, value: Any) -> None:
        """Give an Array data to keep, after its bounds: by these a write finds it."""
        self.members.set_bounds(view, view.region.bounds)
        member._data = value

    def account(self, view: View) -> None:
        """Count a view's cached data; evict that of other views when the budget is exceeded.

        The memory of many views of a large array then grows with their number, not their size.
        """
        with self.lock:
            self._account(view)

    def _account(self, view: View) -> None:
        region = view.region
        if region.source is not None and not region.is_traced:
            self._cached_size += region.size
            if self._cached_size > _MIN_BUDGET and self._cached_size > self._limit(view):
                self._evict(view)

    def _over_budget(self, view: View, count: int) -> bool:
        """Return True if `count` values of the size of a view's data exceed the budget."""
        size = 0 if view.is_traced else count * view.region.size
        return size > _MIN_BUDGET and size > self._limit(view)

    def _limit(self, view: View) -> int:
        if not self._budget:
            self._budget = max(_MIN_BUDGET, _BUDGET_FACTOR * view.region.root.size)
        return self._budget

    def _evict(self, view: View) -> None:
        """Take the data of the oldest other views, until half of what there may be is left."""
        alive = ((one, one._view) for one in self.members.alive())
        holders = [(one, its) for one, its in alive if its.region.source and self._has_data(its)]
        self._cached_size = sum(its.region.size for _, its in holders)
        for one, its in holders:
            if 2 * self._cached_size <= self._budget:
                break
            if its is view:
                continue
            self._cached_size -= its.region.size
            if not its.caches_data:
                its.forget()
            elif self.backend.LAZY_REFRESH:
                self._drop_data(one, its)

    def _has_data(self, view: View) -> bool:
        return self.members.has_data(view)

    # --- NumPy ------------------------------------------------------------------------------

    def export_view(self, member: Array, view: View) -> Any:
        """Return an array of NumPy's that is the same memory as an Array's."""
        with self.lock:
            data = member._data if self._has_data(view) else view.value()
            if self.backend.tracer_of(data) is not None:
                return None
            if self._mirror is None:
                self._mirror = Mirror()
            values = self._values(data)
            region = view.region
            whole = self._mirror.whole(region.root.layout, region.layout, values.dtype)
            exported = self._mirror.export_view(region, region.apply_layout(whole), values)
            others = self.members.overlapping(member, view)
            for other in (*others, member) if self._has_data(view) else others:
                self._drop_data(other, other._view)
            return exported

    def numpy_view(self, view: View) -> Any:
        """Return NumPy's view of a part of native memory, which it may have steps for; or None."""
        with self.lock:
            data = self.current()
            if self.tracked or needs_emulation(self.backend, data):
                return None
            whole = self._values(data)
            values = view.region.apply_layout(whole)
            return values if shares(values, whole) else None

    def _is_exported(self, view: View) -> bool:
        """Return True if NumPy has a writable mirror that overlaps the view."""
        return bool(self._mirror and self._exported_views(self._mirror, view))

    def _exported_views(self, mirror: Mirror, view: View) -> list[MirrorView]:
        """Return the exported arrays that overlap with a view."""
        low, high = view.region.bounds
        found = [(mirror_view, *mirror_view.where.bounds) for mirror_view in mirror.views]
        return [mirror_view for mirror_view, begin, end in found if begin < high and end > low]

    def _mirror_writes(self, writes: list[Write]) -> Calls:
        """Return the calls that write into NumPy's arrays as well; none where there are no such."""
        mirror = self._mirror
        if mirror is None:
            return []
        views = [one for _, view, _ in writes for one in self._exported_views(mirror, view)]
        if not views:
            return []
        data = self.current()
        for _, view, value in writes:
            data = view.region.write_back(data, value)
        data = self.backend.write(self.data, data)
        if self.backend.tracer_of(data) is not None:
            self._mirror = None  # values that NumPy can't have: from here on they are two memories
            return []
        values = [self._values(mirror_view.where.read(data)) for mirror_view in views]
        stored: Calls = [(setattr, self, "data", data), (dict.clear, self._pending)]
        return [*stored, *mirror.push_calls(views, values)]

    def _native(self, values: Any) -> Any:
        """Copy an array of NumPy's."""
        backend: Any = self.backend
        device = backend.native_device(backend.device_of(self.data))
        return backend.asarray(values, device=device, copy=True)

    def _values(self, data: Any) -> Any:
        return self.backend.to_numpy(data)


def _stored(member: Array, value: Any) -> tuple[Any, ...]:
    """Return the call that gives an Array its data."""
    seen = isinstance(getattr(type(member), "_data", None), property)
    return (setattr, member._view, "stored", value) if seen else (setattr, member, "_data", value)


def _runs(regions: Iterable[Region]) -> Iterator[tuple[list[Region], list[int]]]:
    """Split the regions that were written to, in their order, into runs of rows of one source.

    The numbers of the rows come with them.
    """
    run: list[Region] = []
    numbers: list[int] = []
    before: Row | None = None
    for region in regions:
        row = region.op.row if region.op else None
        together = (
            row is not None
            and before is not None
            and row.axis == before.axis
            and row.number not in numbers
            and region.source is run[-1].source
            and len(run) < _ROWS
        )
        if run and not together:
            yield run, numbers
            run, numbers = [], []
        run.append(region)
        numbers.append(row.number if row else -1)
        before = row
    if run:
        yield run, numbers


def _write_back(data: Any, run: list[Region], numbers: list[int], values: list[Any]) -> Any:
    """Return a memory's data with a region's value in it, or with those of several rows."""
    region, *more = run
    if not more:
        return region.write_back(data, values[0])
    op: Any = region.op
    assert region.source is not None  # rows have one
    source = op.write_rows(region.source.read(data), numbers, values)
    return region.source.write_back(data, source)


class _TracedMembers:
    """`Members` in code that PyTorch compiles: layouts are unknown, so each overlaps with each."""

    __slots__ = ("_arrays",)

    def __init__(self) -> None:
        self._arrays: list[Array] = []

    def add(self, member: Array, view: View) -> None:
        self._arrays.append(member)

    def overlapping(self, member: Array, view: View) -> list[Array]:
        return [other for other in self._arrays if other is not member]

    def commit(self, calls: Calls) -> None:
        for function, *args in calls:
            function(*args)
