"""`x.flat`: the elements of an array along one axis, as NumPy's `flatiter`."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from arrayapi_unify.errors import UnifyIndexError

if TYPE_CHECKING:
    from arrayapi_unify.array_object._array import Array

__all__ = ["FlatIterator"]


class FlatIterator:
    """The elements of an array, row by row.

    What is selected is a copy, as NumPy's. What is assigned is written to the array, and so to all
    that share its memory.
    """

    __slots__ = ("_place", "base")

    def __init__(self, base: Array) -> None:
        """Begin with the first element of an array, which is `base`."""
        self.base = base
        self._place = 0

    @property
    def index(self) -> int:
        """The place of the next element."""
        return self._place

    @property
    def coords(self) -> tuple[int, ...]:
        """The indices of the next element."""
        return self._key(self._place)

    def __len__(self) -> int:
        """Return the number of elements."""
        return self.base.size

    def __iter__(self) -> Iterator[Array]:
        """Go on with the next element."""
        return self

    def __next__(self) -> Array:
        """Return the next element as an array without axes."""
        if self._place >= len(self):
            self._place = 0
            raise StopIteration
        found = self.base[self.coords]
        self._place += 1
        return found

    def __getitem__(self, key: Any) -> Array:
        """Return a copy of what an index of one axis selects."""
        if _is_integer(key):
            return self.base[self._checked(key)].copy()
        return self.copy()[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write to the array; fewer values than elements are repeated."""
        x = self.base
        if _is_integer(key):
            x[self._checked(key)] = value
            return
        xp: Any = x.__array_namespace__()
        flat = self.copy()
        selected = xp.reshape(xp.arange(x.size, device=x.device)[key], (-1,))
        given = xp.reshape(xp.asarray(value, device=x.device), (-1,))
        if given.size not in (1, selected.size):
            given = xp.take(given, xp.arange(selected.size, device=x.device) % given.size)
        flat[selected] = given
        x[...] = xp.reshape(flat, x.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the elements as a NumPy array, which is a copy."""
        return self.copy().__array__(dtype, copy)

    def copy(self) -> Array:
        """Return a copy of the elements along one axis."""
        return self.base.flatten()

    def _checked(self, place: Any) -> tuple[int, ...]:
        place, size = operator.index(place), len(self)
        if not -size <= place < size:
            raise UnifyIndexError(f"flat: the index {place} is out of bounds for {size} elements")
        return self._key(place % size)

    def _key(self, place: int) -> tuple[int, ...]:
        """Return the indices of an element."""
        shape = self.base.shape
        steps = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
        return tuple(place // step % side for step, side in zip(steps, shape, strict=True))


def _is_integer(key: Any) -> bool:
    return (
        not isinstance(key, bool)
        and hasattr(type(key), "__index__")
        and not getattr(key, "ndim", 0)
        and getattr(getattr(key, "dtype", None), "kind", "i") in "iu"
    )
