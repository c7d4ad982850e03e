"""Memory that Arrays share where a library's own arrays can't: views that are *emulated*.

NumPy's and most of PyTorch's arrays are aliases of memory: all see a write through one of them,
and nothing here is needed. JAX's and TensorFlow's arrays never change, PyTorch has no negative
steps, and a tensor that autograd tracks must not be written to. There a `Memory` holds the native
array that several Arrays share. Each of them has a `View`, which says what part of it the Array is:

- a *layout* (`views.layouts`), which says where the Array lies: NumPy itself knows what
  a view is, and which views overlap.
- an *op* from the Array that it was taken of: how to read it, and how to write it back.

A write makes one new native array, for the Array that was written to, and takes the data out of the
Arrays that overlap with it. Who asks such an Array for its data gets it from the memory, into which
all writes are put first. An Array that has its data pays nothing: `_data` is a plain slot.

A write may be interrupted anywhere (Ctrl-C, no memory left). So all is computed first, and taken
from those who overlap, who then read what the memory has still; the write itself is one step, in
which no code of Python's runs (`algorithms.memory`). What comes after it is done again when
it was cut off.

NumPy shares such a memory by a *mirror* (`views.numpy_mirror`). As long as somebody has
what `np.asarray(x)` gave, x and those who overlap with it don't keep their data. Who asks for it
gets what NumPy wrote in between. What they write themselves goes into NumPy's array at once.
"""

from __future__ import annotations

import weakref
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import setitem
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify.backends._common.algorithms.memory import commit
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.locks import new_lock
from arrayapi_unify.views import layouts
from arrayapi_unify.views.numpy_mirror import Mirror, MirrorView, shares
from arrayapi_unify.views.view import ANYWHERE, NOWHERE, Region, View, needs_emulation

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["Memory"]

# The number of rows written at once: more would take some compilers longer than they save.
_ROWS: Final = 32
# The number of elements that views may cache: a multiple of the memory's size, and a minimum.
_BUDGET_FACTOR: Final = 4
_MIN_BUDGET: Final = 2**16


class Memory:
    """A native array that several Arrays share, and weak references to these Arrays."""

    __slots__ = (
        "_budget",
        "_cached_size",
        "_capacity",
        "_high",
        "_low",
        "_mirror",
        "_pending",
        "backend",
        "copied",
        "data",
        "lock",
        "members",
        "tracked",
    )  # fmt: skip

    def __init__(self, backend: Backend, data: Any) -> None:
        """Hold a native array."""
        self.backend = backend
        self.data = data
        # If False, other arrays may be aliases of it: the library itself shares memory.
        self.tracked = needs_emulation(backend, data)
        # True if a copy was made of an Array of which NumPy has views for other layouts.
        self.copied = False
        self.lock: Any = new_lock()
        self.members: list[weakref.ref[Array]] = []
        # The bounds of the members that have cached data; empty ranges for the others.
        self._low, self._high = array("q"), array("q")
        self._capacity = 8  # the number of members at which dead references are dropped
        self._cached_size = 0  # an upper bound of the number of elements that members cache
        self._budget = 0  # the number that they may cache; unknown until there are many
        # Values that aren't in `data` yet, in the order in which they were written.
        self._pending: dict[Region, Any] = {}
        self._mirror: Mirror | None = None

    # --- reading ----------------------------------------------------------------------------

    def current(self) -> Any:
        """Return the data with all writes in it."""
        with self.lock:
            mirror, data = self._mirror, self.data
            changes = mirror.changes(self._native) if mirror else []
            pending = self._pending
            if changes:
                found = {mirror_view.where: value for mirror_view, value in changes}
                pending = {one: pending[one] for one in pending if one not in found} | found
            if pending:
                for run in _runs(pending):
                    data = _write_back(data, run, [pending[one] for one in run])
                if not self.can_store(data):
                    return data
                store = self.backend.write if self.tracked else self.backend.write_through
                data = store(self.data, data)
                self.data, self._pending = data, {}
            if mirror and not mirror.accept(
                [(mirror_view, self._values(value)) for mirror_view, value in changes]
            ):
                self._mirror = None
            return data

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
                    view.cache_exported(self.data, value)
                    return value
                view.forget()
                self._give_data(member, view, value)
                self.account(view)
            return value

    # --- writing ----------------------------------------------------------------------------

    def assign(self, member: Array, view: View, value: Any) -> None:
        """Let an Array have new data, and all that overlap with it follow."""
        if not self.backend.LAZY_REFRESH:
            self._assign_eagerly(member, view, value)
            return
        if self._mirror is not None:
            commit(self.prepared([(member, view, value)]))
            if not self._is_exported(view):
                self._give_data(member, view, value)
            return
        for other in self._overlapping(member, view):
            self._drop_data(other, other._view)
        region = view.region
        self._set_bounds(view, region.bounds)
        # Nothing is called within either line, so that nothing interrupts it.
        if region.op is None:
            self.data, self._pending, member._data = value, {}, value
        else:
            self._pending[region] = member._data = value
            if self._over_budget(view, len(self._pending)):
                self.current()

    def prepared(self, writes: list[tuple[Array, View, Any]]) -> list[tuple[Any, ...]]:
        """Take the data of all to whom writes matter; return the calls that make the writes."""
        for member, view, _ in writes:
            for other in (*self._overlapping(member, view), member):
                self._drop_data(other, other._view)
        exported = self._mirror_writes(writes)
        if exported:
            return exported
        calls: list[tuple[Any, ...]] = []
        for _, view, value in writes:
            if view.region.op is None:
                calls += [(setattr, self, "data", value), (dict.clear, self._pending)]
            else:
                calls.append((setitem, self._pending, view.region, value))
        return calls

    def _mirror_writes(self, writes: list[tuple[Array, View, Any]]) -> list[tuple[Any, ...]]:
        """Return the calls that write into NumPy's arrays as well; none where there are no such."""
        mirror = self._mirror
        views = [
            mirror_view
            for _, view, _ in writes
            for mirror_view in self._exported_views(mirror, view)
        ]
        if not mirror or not views:
            return []
        data = self.current()
        for _, view, value in writes:
            data = view.region.write_back(data, value)
        data = self.backend.write(self.data, data)
        if self.backend.tracer_of(data) is not None:
            self._mirror = None  # values that NumPy can't have: from here on they are two memories
            return []
        values = [self._values(mirror_view.where.read(data)) for mirror_view in views]
        stored = [(setattr, self, "data", data), (dict.clear, self._pending)]
        return [*stored, *mirror.push_calls(views, values)]

    def _assign_eagerly(self, member: Array, view: View, value: Any) -> None:
        """Put a value into memory, and give all that overlap with it their data now."""
        data, region = value, view.region
        overlapping = (*self._overlapping(member, view), member)
        if region.op is not None:
            store = self.backend.write if self.tracked else self.backend.write_through
            data = store(self.data, region.write_back(self.data, value))
        if data is self.data:  # it was written to, and so were all aliases of it
            return
        keepers = [one for one in overlapping if one._view.caches_data]
        stored = [_stored(one, one._view.region.read(data)) for one in keepers]
        self._commit([(setattr, self, "data", data), (setattr, self, "tracked", True), *stored])

    def _commit(self, calls: list[tuple[Any, ...]]) -> None:
        commit(calls)

    def add_view(self, member: Array, view: View, set_view: bool = True) -> None:
        """Make an Array a member, which has its data; it may be told of its view later."""
        with self.lock:
            if set_view:
                member._view = view
            if len(self.members) >= self._capacity:
                self._forget()
            place = view.place = len(self.members)
            if len(self._high) != place:
                self._drop_unfinished()
            region = view.region
            # Measured when it is first asked for.
            low, high = region.known_bounds or ANYWHERE
            # The last of the three is what makes a member; one cut off before it is dropped.
            self._high.append(high)
            self._low.append(low)
            self.members.append(weakref.ref(member))
            # An alias that the library shares takes no memory of its own.
            if view.caches_data and self.backend.LAZY_REFRESH:
                if self._mirror is not None and self._is_exported(view):
                    self._drop_data(member, view)
                self._account(region, view)

    def _drop_unfinished(self) -> None:
        """Drop the bounds of an Array that never became a member."""
        count = len(self.members)
        del self._low[count:], self._high[count:]

    def _drop_data(self, member: Array, view: View) -> None:
        """Take the data of an Array, which gets it again when somebody asks for it."""
        with suppress(AttributeError):  # where that was cut off after the first step
            del member._data
        self._set_bounds(view, NOWHERE)

    def _give_data(self, member: Array, view: View, value: Any) -> None:
        """Give an Array data to keep; a write finds who has it, so that this is noted before."""
        self._set_bounds(view, view.region.bounds)
        member._data = value

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
            others = self._overlapping(member, view)
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
        return bool(self._exported_views(self._mirror, view))

    def _exported_views(self, mirror: Mirror | None, view: View) -> list[MirrorView]:
        """Return what NumPy has of a view."""
        if mirror is None:
            return []
        low, high = view.region.bounds
        places = [(mirror_view, mirror_view.where.bounds) for mirror_view in mirror.views]
        return [
            mirror_view for mirror_view, bounds in places if bounds[0] < high and bounds[1] > low
        ]

    def _native(self, values: Any) -> Any:
        """Copy an array of NumPy's."""
        backend: Any = self.backend
        device = backend.native_device(backend.device_of(self.data))
        return backend.asarray(values, device=device, copy=True)

    def _values(self, data: Any) -> Any:
        return self.backend.to_numpy(data)

    # --- how much there is ------------------------------------------------------------------

    def account(self, view: View) -> None:
        """Count a view's cached data; evict that of other views when the budget is exceeded.

        The memory of many views of a large array then grows with their number, not their size.
        """
        with self.lock:
            self._account(view.region, view)

    def _account(self, region: Region, view: View) -> None:
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
        alive = [one for ref in self.members if (one := ref()) is not None]
        holders = [one for one in alive if one._view.region.source and self._has_data(one._view)]
        self._cached_size = sum(one._view.region.size for one in holders)
        for one in holders:
            if 2 * self._cached_size <= self._budget:
                break
            if one._view is not view:
                self._cached_size -= one._view.region.size
                self._drop_cache(one)

    def _has_data(self, view: View) -> bool:
        return (self._low[view.place], self._high[view.place]) != NOWHERE

    def _drop_cache(self, member: Array) -> None:
        view = member._view
        if not view.caches_data:
            view.forget()
        elif self.backend.LAZY_REFRESH:
            self._drop_data(member, view)

    def _forget(self) -> None:
        """Forget the members who died."""
        alive = [(ref, one) for ref in self.members if (one := ref()) is not None]
        views = [one._view for _, one in alive]
        commit(
            [
                (setattr, self, "_low", array("q", [self._low[view.place] for view in views])),
                (setattr, self, "_high", array("q", [self._high[view.place] for view in views])),
                (setattr, self, "members", [ref for ref, _ in alive]),
                (setattr, self, "_capacity", max(8, 2 * len(alive))),
                *[(setattr, view, "place", place) for place, view in enumerate(views)],
            ]
        )

    def _set_bounds(self, view: View, bounds: tuple[int, int]) -> None:
        """Note where a member lies."""
        self._low[view.place], self._high[view.place] = bounds

    def _overlapping(self, member: Array, view: View) -> Iterator[Array]:
        """Find the other members that have data of what a view is about."""
        low, high = view.region.bounds
        if len(self._high) != len(self.members):
            self._drop_unfinished()
        for place in layouts.between(low, high, self._low, self._high):
            other = self.members[place]()
            if other is None:
                self._low[place], self._high[place] = NOWHERE
            elif other is not member:
                bounds = other._view.region.bounds
                self._set_bounds(other._view, bounds)
                if bounds[0] < high and bounds[1] > low:
                    yield other


def _stored(member: Array, value: Any) -> tuple[Any, ...]:
    """Return the call that gives an Array its data."""
    seen = isinstance(getattr(type(member), "_data", None), property)
    return (setattr, member._view, "stored", value) if seen else (setattr, member, "_data", value)


def _runs(regions: Iterable[Region]) -> Iterator[list[Region]]:
    """Split the regions that were written to, in their order, into runs of rows of one source."""
    run: list[Region] = []
    known: set[int] = set()
    for region in regions:
        row = region.op.row if region.op else None
        if run and not (row and row.continues(run[-1], region, known) and len(run) < _ROWS):
            yield run
            run, known = [], set()
        run.append(region)
        known.add(row.number if row else -1)
    if run:
        yield run


def _write_back(data: Any, run: list[Region], values: list[Any]) -> Any:
    """Return a memory's data with a region's value in it, or with those of several rows."""
    region = run[0]
    if len(run) == 1:
        return region.write_back(data, values[0])
    rows = [one.op.row for one in run if one.op and one.op.row]
    assert region.source is not None  # rows have one
    numbers = [row.number for row in rows]
    source = rows[0].write(region.source.read(data), rows[0].axis, numbers, values)
    return region.source.write_back(data, source)
