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

A write may be interrupted anywhere (Ctrl-C, no memory left). So all is computed first, and taken
from those who overlap, who then read what the memory has still; the write itself is one step, in
which no code of Python's runs (`backends._common.commits`). What comes after it is done again when
it was cut off.

NumPy shares such a memory by a *loan* (`backends._common.loans`). As long as somebody has what
`np.asarray(x)` gave, x and those who overlap with it don't keep their data. Who asks for it gets
what NumPy wrote in between. What they write themselves goes into NumPy's array at once.
"""

from __future__ import annotations

import weakref
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import setitem
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify.array_object.hooks import Hooks
from arrayapi_unify.array_object.views import ANYWHERE, NOWHERE, Region, View, is_followed
from arrayapi_unify.backends._common.commits import commit
from arrayapi_unify.backends._common.loans import Loan, Part, shares
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.locks import new_lock

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["Memory"]

# How many rows are written at once: more would take some compilers longer than they save.
_ROWS: Final = 32
# How many elements views may have beside the memory, in memories, and at least.
_COPIES: Final = 4
_FEW: Final = 2**16


class Memory:
    """A native array that several Arrays share, and who of them is alive."""

    __slots__ = (
        "_held", "_high", "_loan", "_low", "_most", "_pending", "_room", "backend", "copied",
        "data", "lock", "members", "tracked",
    )  # fmt: skip

    def __init__(self, backend: Backend, data: Any) -> None:
        """Hold a native array."""
        self.backend = backend
        self.data = data
        # Else other arrays may be windows onto it, which the library lets share it.
        self.tracked = is_followed(backend, data)
        # Whether a copy was made of an Array of which NumPy has views for other layouts.
        self.copied = False
        self.lock: Any = new_lock()
        self.members: list[weakref.ref[Array]] = []
        # Where the members that have their data lie: nowhere, for the others.
        self._low, self._high = array("q"), array("q")
        self._room = 8  # how many members there may be before the dead are forgotten
        self._held = 0  # how many elements members have beside the memory, or had
        self._most = 0  # how many they may have; unknown until there are many
        # Values that aren't in `data` yet, in the order in which they were written.
        self._pending: dict[Region, Any] = {}
        self._loan: Loan | None = None

    # --- reading ----------------------------------------------------------------------------

    def current(self) -> Any:
        """Return the data with all writes in it."""
        with self.lock:
            loan, data = self._loan, self.data
            news = loan.news(self._native) if loan else []
            pending = self._pending
            if news:
                found = {part.where: value for part, value in news}
                pending = {one: pending[one] for one in pending if one not in found} | found
            if pending:
                for run in _runs(pending):
                    data = _written(data, run, [pending[one] for one in run])
                if not self.keeps(data):
                    return data
                store = self.backend.write if self.tracked else self.backend.overwrite
                data = store(self.data, data)
                self.data, self._pending = data, {}
            if loan and not loan.settle([(part, self._values(value)) for part, value in news]):
                self._loan = None
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
                if self._lent(view):
                    view.see_lent(self.data, value)
                    return value
                view.forget()
                self._have(member, view, value)
                self.weigh(view)
            return value

    # --- writing ----------------------------------------------------------------------------

    def put(self, member: Array, view: View, value: Any) -> None:
        """Let an Array have new data, and all that overlap with it follow."""
        if not self.backend.REFRESHED_LATER:
            self._put_at_once(member, view, value)
            return
        if self._loan is not None:
            commit(self.prepared([(member, view, value)]))
            if not self._lent(view):
                self._have(member, view, value)
            return
        for other in self._overlapping(member, view):
            self._take(other, other._view)
        region = view.region
        self._lie(view, region.bounds)
        # Nothing is called within either line, so that nothing interrupts it.
        if region.step is None:
            self.data, self._pending, member._data = value, {}, value
        else:
            self._pending[region] = member._data = value
            if self._is_much(view, len(self._pending)):
                self.current()

    def prepared(self, writes: list[tuple[Array, View, Any]]) -> list[tuple[Any, ...]]:
        """Take the data of all to whom writes matter; return the calls that make the writes."""
        for member, view, _ in writes:
            for other in (*self._overlapping(member, view), member):
                self._take(other, other._view)
        lent = self._of_lent(writes)
        if lent:
            return lent
        calls: list[tuple[Any, ...]] = []
        for _, view, value in writes:
            if view.region.step is None:
                calls += [(setattr, self, "data", value), (dict.clear, self._pending)]
            else:
                calls.append((setitem, self._pending, view.region, value))
        return calls

    def _of_lent(self, writes: list[tuple[Array, View, Any]]) -> list[tuple[Any, ...]]:
        """Return the calls that write into NumPy's arrays as well; none where there are no such."""
        loan = self._loan
        parts = [part for _, view, _ in writes for part in self._lent_parts(loan, view)]
        if not loan or not parts:
            return []
        data = self.current()
        for _, view, value in writes:
            data = view.region.written(data, value)
        data = self.backend.write(self.data, data)
        if self.backend.trace_of(data) is not None:
            self._loan = None  # values that NumPy can't have: from here on they are two memories
            return []
        values = [self._values(part.where.read(data)) for part in parts]
        stored = [(setattr, self, "data", data), (dict.clear, self._pending)]
        return [*stored, *loan.renewals(parts, values)]

    def _put_at_once(self, member: Array, view: View, value: Any) -> None:
        """Put a value into memory, and give all that overlap with it their data now."""
        data, region = value, view.region
        overlapping = (*self._overlapping(member, view), member)
        if region.step is not None:
            store = self.backend.write if self.tracked else self.backend.overwrite
            data = store(self.data, region.written(self.data, value))
        if data is self.data:  # it was written to, and so were all windows onto it
            return
        keepers = [one for one in overlapping if one._view.kept]
        stored = [_stored(one, one._view.region.read(data)) for one in keepers]
        self._commit([(setattr, self, "data", data), (setattr, self, "tracked", True), *stored])

    def _commit(self, calls: list[tuple[Any, ...]]) -> None:
        commit(calls)

    def join(self, member: Array, view: View, shown: bool = True) -> None:
        """Make an Array a member, which has its data; it may be told of its view later."""
        with self.lock:
            if shown:
                member._view = view
            if len(self.members) >= self._room:
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
            # A window that the library shares takes no memory of its own.
            if view.kept and self.backend.REFRESHED_LATER:
                if self._loan is not None and self._lent(view):
                    self._take(member, view)
                self._weigh(region, view)

    def _drop_unfinished(self) -> None:
        """Drop the bounds of an Array that never became a member."""
        count = len(self.members)
        del self._low[count:], self._high[count:]

    def _take(self, member: Array, view: View) -> None:
        """Take the data of an Array, which gets it again when somebody asks for it."""
        with suppress(AttributeError):  # where that was cut off after the first step
            del member._data
        self._lie(view, NOWHERE)

    def _have(self, member: Array, view: View, value: Any) -> None:
        """Give an Array data to keep; a write finds who has it, so that this is noted before."""
        self._lie(view, view.region.bounds)
        member._data = value

    # --- NumPy ------------------------------------------------------------------------------

    def lend(self, member: Array, view: View) -> Any:
        """Return an array of NumPy's that is the same memory as an Array's."""
        with self.lock:
            data = member._data if self._holds(view) else view.value()
            if self.backend.trace_of(data) is not None:
                return None
            if self._loan is None:
                self._loan = Loan()
            values = self._values(data)
            region = view.region
            whole = self._loan.whole(region.root.layout, region.layout, values.dtype)
            lent = self._loan.lend(region, region.over(whole), values)
            others = self._overlapping(member, view)
            for other in (*others, member) if self._holds(view) else others:
                self._take(other, other._view)
            return lent

    def show(self, view: View) -> Any:
        """Return NumPy's view of a part of native memory, which it may have steps for; or None."""
        with self.lock:
            data = self.current()
            if self.tracked or is_followed(self.backend, data):
                return None
            whole = self._values(data)
            values = view.region.over(whole)
            return values if shares(values, whole) else None

    def _lent(self, view: View) -> bool:
        """Whether NumPy may write to a view at any time."""
        return bool(self._lent_parts(self._loan, view))

    def _lent_parts(self, loan: Loan | None, view: View) -> list[Part]:
        """Return what NumPy has of a view."""
        if loan is None:
            return []
        low, high = view.region.bounds
        places = [(part, part.where.bounds) for part in loan.parts]
        return [part for part, bounds in places if bounds[0] < high and bounds[1] > low]

    def _native(self, values: Any) -> Any:
        """Copy an array of NumPy's."""
        device = self.backend.device_of(self.data)
        asarray = Hooks.binding_of(self.backend.NAME).functions["asarray"]
        return asarray(values, device=device, copy=True)._data

    def _values(self, data: Any) -> Any:
        return self.backend.to_numpy(data)

    # --- how much there is ------------------------------------------------------------------

    def weigh(self, view: View) -> None:
        """Count a view's own data; others give theirs up where all have several times the memory.

        So what many views of a large array take grows with their number, not with their size.
        """
        with self.lock:
            self._weigh(view.region, view)

    def _weigh(self, region: Region, view: View) -> None:
        if region.source is not None and not region.is_traced:
            self._held += region.size
            if self._held > _FEW and self._held > self._limit(view):
                self._lighten(view)

    def _is_much(self, view: View, count: int) -> bool:
        """Whether so many values of the size of a view's are several times the memory."""
        size = 0 if view.is_traced else count * view.region.size
        return size > _FEW and size > self._limit(view)

    def _limit(self, view: View) -> int:
        if not self._most:
            self._most = max(_FEW, _COPIES * view.region.root.size)
        return self._most

    def _lighten(self, view: View) -> None:
        """Take the data of the oldest other views, until half of what there may be is left."""
        alive = [one for ref in self.members if (one := ref()) is not None]
        holders = [one for one in alive if one._view.region.source and self._holds(one._view)]
        self._held = sum(one._view.region.size for one in holders)
        for one in holders:
            if 2 * self._held <= self._most:
                break
            if one._view is not view:
                self._held -= one._view.region.size
                self._empty(one)

    def _holds(self, view: View) -> bool:
        return (self._low[view.place], self._high[view.place]) != NOWHERE

    def _empty(self, member: Array) -> None:
        view = member._view
        if not view.kept:
            view.forget()
        elif self.backend.REFRESHED_LATER:
            self._take(member, view)

    def _forget(self) -> None:
        """Forget the members who died."""
        alive = [(ref, one) for ref in self.members if (one := ref()) is not None]
        views = [one._view for _, one in alive]
        commit(
            [
                (setattr, self, "_low", array("q", [self._low[view.place] for view in views])),
                (setattr, self, "_high", array("q", [self._high[view.place] for view in views])),
                (setattr, self, "members", [ref for ref, _ in alive]),
                (setattr, self, "_room", max(8, 2 * len(alive))),
                *[(setattr, view, "place", place) for place, view in enumerate(views)],
            ]
        )

    def _lie(self, view: View, bounds: tuple[int, int]) -> None:
        """Note where a member lies."""
        self._low[view.place], self._high[view.place] = bounds

    def _overlapping(self, member: Array, view: View) -> Iterator[Array]:
        """Find the other members that have data of what a view is about."""
        low, high = view.region.bounds
        if len(self._high) != len(self.members):
            self._drop_unfinished()
        for place in self.backend.layouts.between(low, high, self._low, self._high):
            other = self.members[place]()
            if other is None:
                self._low[place], self._high[place] = NOWHERE
            elif other is not member:
                bounds = other._view.region.bounds
                self._lie(other._view, bounds)
                if bounds[0] < high and bounds[1] > low:
                    yield other


def _stored(member: Array, value: Any) -> tuple[Any, ...]:
    """Return the call that gives an Array its data."""
    seen = isinstance(getattr(type(member), "_data", None), property)
    return (setattr, member._view, "held", value) if seen else (setattr, member, "_data", value)


def _runs(regions: Iterable[Region]) -> Iterator[list[Region]]:
    """Part the regions that were written to, in their order, into runs of rows of one source."""
    run: list[Region] = []
    known: set[int] = set()
    for region in regions:
        row = region.step.row if region.step else None
        if run and not (row and row.follows(run[-1], region, known) and len(run) < _ROWS):
            yield run
            run, known = [], set()
        run.append(region)
        known.add(row.number if row else -1)
    if run:
        yield run


def _written(data: Any, run: list[Region], values: list[Any]) -> Any:
    """Return a memory's data with a region's value in it, or with those of several rows."""
    region = run[0]
    if len(run) == 1:
        return region.written(data, values[0])
    rows = [one.step.row for one in run if one.step and one.step.row]
    assert region.source is not None  # rows have one
    numbers = [row.number for row in rows]
    source = rows[0].write(region.source.read(data), rows[0].axis, numbers, values)
    return region.source.written(data, source)
