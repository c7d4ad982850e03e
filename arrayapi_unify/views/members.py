"""The Arrays that share a memory, and the part of it of which each has data."""

from __future__ import annotations

import weakref
from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

from arrayapi_unify.backends._common.algorithms.memory import commit
from arrayapi_unify.views import layouts
from arrayapi_unify.views.view import NOWHERE, Bounds, View

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["Members"]


class Members:
    """Weak references to Arrays, and the bounds of the data that each has; NOWHERE for no data.

    The bounds are columns of integers: a write finds those that overlap among thousands at once.
    """

    __slots__ = ("_capacity", "_high", "_low", "_refs")

    commit = staticmethod(commit)

    def __init__(self) -> None:
        """Begin without a member."""
        self._refs: list[weakref.ref[Array]] = []
        self._low, self._high = array("q"), array("q")
        self._capacity = 8  # the number of members at which dead references are dropped

    def add(self, member: Array, view: View) -> None:
        """Add an Array that has its data; its bounds are measured when they are first needed."""
        if len(self._refs) >= self._capacity:
            self._drop_dead()
        place = view.place = len(self._refs)
        if len(self._high) != place:
            self._drop_unfinished()
        low, high = view.region.known_bounds
        # The last of the three is what makes a member; one cut off before it is dropped.
        self._high.append(high)
        self._low.append(low)
        self._refs.append(weakref.ref(member))

    def _drop_unfinished(self) -> None:
        """Drop the bounds of an Array that never became a member."""
        count = len(self._refs)
        del self._low[count:], self._high[count:]

    def _drop_dead(self) -> None:
        alive = [(ref, one._view) for ref in self._refs if (one := ref()) is not None]
        commit(
            [
                (setattr, self, "_low", array("q", [self._low[view.place] for _, view in alive])),
                (setattr, self, "_high", array("q", [self._high[view.place] for _, view in alive])),
                (setattr, self, "_refs", [ref for ref, _ in alive]),
                (setattr, self, "_capacity", max(8, 2 * len(alive))),
                *[(setattr, view, "place", place) for place, (_, view) in enumerate(alive)],
            ]
        )

    def alive(self) -> list[Array]:
        """Return the Arrays that are alive, the oldest first."""
        return [one for ref in self._refs if (one := ref()) is not None]

    def has_data(self, view: View) -> bool:
        """Return True if the Array of a view may have its data."""
        return (self._low[view.place], self._high[view.place]) != NOWHERE

    def set_bounds(self, view: View, bounds: Bounds) -> None:
        """Note of which part of the memory the Array of a view has data."""
        self._low[view.place], self._high[view.place] = bounds

    def overlapping(self, member: Array, view: View) -> Iterator[Array]:
        """Find the other Arrays that have data of what a view is about."""
        low, high = view.region.bounds
        if len(self._high) != len(self._refs):
            self._drop_unfinished()
        for place in layouts.between(low, high, self._low, self._high):
            other = self._refs[place]()
            if other is None:
                self._low[place], self._high[place] = NOWHERE
            elif other is not member:
                begin, end = bounds = other._view.region.bounds
                self.set_bounds(other._view, bounds)
                if begin < high and end > low:
                    yield other
