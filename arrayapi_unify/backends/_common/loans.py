"""Memory that NumPy is lent by a library whose arrays never change, and what NumPy wrote into it.

`np.asarray(x)` is x's own memory to NumPy, and to all compiled code behind it. Here it is memory of
NumPy's beside x's. All arrays that are lent of one memory lie in one `Loan`, where NumPy itself
lets them overlap. Nobody says that he wrote into one, so each is compared with what it was.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from operator import setitem
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.layouts import Layout

__all__ = ["Loan", "Part", "shares"]

Arr = npt.NDArray[Any]

# Up to so many bytes two arrays are compared as strings, which takes less than NumPy's functions.
_FEW: Final = 4096


class _Memory(np.ndarray):
    """The memory of a loan.

    A view of a view holds the owner of the memory only, where all are of one class. This class is
    another one, so it holds the array that was lent, which dies after the last view of it.
    """


class Part(weakref.ref[Arr]):
    """An array that was lent: who refers to it this way knows when nobody has it any more."""

    __slots__ = ("known", "values", "where")

    known: Arr
    """What it was when it was last compared; a read-only array, or one of our own."""
    values: Arr | None
    """The same elements of the loan; None once it was given back as it was."""
    where: Any
    """What part of the library's memory it is."""


def _give_back(part: Part) -> None:
    """Let an unchanged array's memory go, even if nobody asks for ours ever again.

    This runs whenever Python frees an array. It touches the part alone, and asks for no lock.
    """
    if not _has_news(part):
        part.values = None


def _has_news(part: Part) -> bool:
    return part.values is not None and _differ(part.values, part.known)


def _differ(x: Arr, y: Arr) -> bool:
    """Whether a bit of two arrays of one shape and data type differs."""
    if x.nbytes <= _FEW:
        return x.tobytes() != y.tobytes()
    if x.dtype.kind == "c":
        return _differ(x.real, y.real) or _differ(x.imag, y.imag)
    bits = f"u{x.itemsize}"
    return not np.array_equal(x.view(bits), y.view(bits))


class Loan:
    """The memory that stands for one of the library's, and the arrays that were lent of it.

    What was never lent is never filled, so that a row of a large array costs no more than a row.
    The memory lives as long as one of the arrays.
    """

    __slots__ = ("_memory", "parts")

    def __init__(self) -> None:
        """Take no memory yet."""
        self._memory: Callable[[], _Memory | None] = _nothing
        self.parts: list[Part] = []

    def whole(self, root: Layout, layout: Layout, dtype: Any) -> Arr:
        """Return the whole memory, of which a part has a layout and a data type.

        Whoever takes that part holds it.
        """
        memory = self._memory()
        if memory is None:
            if root.dtype != layout.dtype:  # the real or imaginary part of complex numbers
                dtype = np.result_type(dtype, np.complex64)
            memory = np.ndarray.__new__(_Memory, root.shape, dtype)
            self._memory = weakref.ref(memory)
        return memory

    def lend(self, where: Any, place: Arr, values: Arr) -> Arr:
        """Fill a place in the memory, and return it as an array that NumPy may write to."""
        place[...] = values
        lent = place.view(np.ndarray)
        part = Part(lent, _give_back)
        part.known, part.values, part.where = values, place, where
        self.parts.append(part)
        return lent

    def news(self, make: Callable[[Arr], Any]) -> list[tuple[Part, Any]]:
        """Return what NumPy wrote, as native arrays that `make` copies."""
        return [
            (part, make(values))
            for part in self.parts
            if (values := part.values) is not None and _differ(values, part.known)
        ]

    def settle(self, news: list[tuple[Part, Arr]]) -> bool:
        """Take news for known; return whether an array is lent still, or has news again."""
        for part, values in news:
            part.known = values
        self.parts = [part for part in self.parts if part() is not None or _has_news(part)]
        return bool(self.parts)

    def renewals(self, parts: list[Part], values: list[Arr]) -> list[tuple[Any, ...]]:
        """Return the calls that give those who were lent arrays what our side writes."""
        found: list[tuple[Any, ...]] = []
        for part, new in zip(parts, values, strict=True):
            target = part.values
            if target is not None:
                found += [(setitem, target, ..., new), (setattr, part, "known", new)]
        return found


def _nothing() -> None:
    return None


def shares(values: Any, whole: Arr) -> bool:
    """Whether something is an array in the memory of another one."""
    return isinstance(values, np.ndarray) and np.may_share_memory(values, whole)
