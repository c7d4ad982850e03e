"""NumPy's writable mirror of memory that never changes, and the writes that NumPy made to it.

`np.asarray(x)` is x's own memory to NumPy, and to all compiled code behind it. Here it is NumPy's
memory, separate from x's. All arrays that are exported of one memory lie in one `Mirror`, where
NumPy itself lets them overlap. Writes to them aren't reported, so each array is compared with its
last known values.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from operator import setitem
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.views.layouts import Layout

__all__ = ["Mirror", "MirrorView", "shares"]

NDArray = npt.NDArray[Any]

# Up to so many bytes two arrays are compared as strings, which takes less than NumPy's functions.
_FEW: Final = 4096


class _Memory(np.ndarray):
    """The memory of a mirror.

    A view of a view holds the owner of the memory only, where all are of one class. This class is
    another one, so it holds the array that was exported, which dies after the last view of it.
    """


class MirrorView(weakref.ref[NDArray]):
    """A weak reference to an exported array, which tells when that is freed."""

    __slots__ = ("known", "values", "where")

    known: NDArray
    """The values at the last comparison; a read-only array, or one of our own."""
    values: NDArray | None
    """The same elements of the mirror; None once it was released unchanged."""
    where: Any
    """The part of the library's memory that it is."""


def _release(view: MirrorView) -> None:
    """Release an unchanged array's memory, even if the mirror is never used again.

    This runs whenever Python frees an array. It changes the reference alone, and takes no lock.
    """
    if not _has_changes(view):
        view.values = None


def _has_changes(view: MirrorView) -> bool:
    return view.values is not None and _differ(view.values, view.known)


def _differ(x: NDArray, y: NDArray) -> bool:
    """Return True if two arrays of one shape and data type differ in any bit."""
    if x.nbytes <= _FEW:
        return x.tobytes() != y.tobytes()
    if x.dtype.kind == "c":
        return _differ(x.real, y.real) or _differ(x.imag, y.imag)
    bits = f"u{x.itemsize}"
    return not np.array_equal(x.view(bits), y.view(bits))


class Mirror:
    """The memory that stands for one of the library's, and the arrays that were exported of it.

    Parts that were never exported are never filled: a row of a large array costs no more than one
    row. The memory lives as long as one of the arrays.
    """

    __slots__ = ("_memory", "views")

    def __init__(self) -> None:
        """Take no memory yet."""
        self._memory: Callable[[], _Memory | None] = _nothing
        self.views: list[MirrorView] = []

    def whole(self, root: Layout, layout: Layout, dtype: Any) -> NDArray:
        """Return the whole memory, of which a part has a layout and a data type.

        A view of that part keeps the memory alive.
        """
        memory = self._memory()
        if memory is None:
            if root.dtype != layout.dtype:  # the real or imaginary part of complex numbers
                dtype = np.result_type(dtype, np.complex64)
            memory = np.ndarray.__new__(_Memory, root.shape, dtype)
            self._memory = weakref.ref(memory)
        return memory

    def export_view(self, where: Any, place: NDArray, values: NDArray) -> NDArray:
        """Fill a place in the memory, and return it as an array that NumPy may write to."""
        place[...] = values
        exported = place.view(np.ndarray)
        view = MirrorView(exported, _release)
        view.known, view.values, view.where = values, place, where
        self.views.append(view)
        return exported

    def changes(self, make: Callable[[NDArray], Any]) -> list[tuple[MirrorView, Any]]:
        """Return the parts that NumPy wrote to, as native arrays that `make` copies."""
        return [
            (view, make(values))
            for view in self.views
            if (values := view.values) is not None and _differ(values, view.known)
        ]

    def accept(self, changes: list[tuple[MirrorView, NDArray]]) -> bool:
        """Record changes as known; return True if an array is still exported or changed again."""
        for view, values in changes:
            view.known = values
        self.views = [view for view in self.views if view() is not None or _has_changes(view)]
        return bool(self.views)

    def push_calls(self, views: list[MirrorView], values: list[NDArray]) -> list[tuple[Any, ...]]:
        """Return the calls that store in exported arrays the values written to ours."""
        found: list[tuple[Any, ...]] = []
        for view, new in zip(views, values, strict=True):
            target = view.values
            if target is not None:
                found += [(setitem, target, ..., new), (setattr, view, "known", new)]
        return found


def _nothing() -> None:
    return None


def shares(values: Any, whole: NDArray) -> bool:
    """Return True if a value is an array that may share memory with another one."""
    return isinstance(values, np.ndarray) and np.may_share_memory(values, whole)
