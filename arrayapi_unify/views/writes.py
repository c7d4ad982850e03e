"""Writes: new data for an Array, and for all Arrays that share its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from threading import get_ident
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify import backends
from arrayapi_unify._core.locks import new_lock
from arrayapi_unify.backends._common.algorithms.memory import ReadOnlyError, commit
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.views import layouts
from arrayapi_unify.views.aliasing import aliases_of, emulate_aliases
from arrayapi_unify.views.emulation import MEMORIES, ensure_view
from arrayapi_unify.views.memory import Calls, Memory, Write
from arrayapi_unify.views.view import WRITES, view_of

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = [
    "assign",
    "assign_each",
    "is_self_assignment",
    "update",
    "update_immutable",
    "update_in_turn",
    "writer",
]


_TURN: Final = new_lock()


def writer(backend: Backend) -> Callable[..., None]:
    """Return the function that updates the Arrays of a backend."""
    if isinstance(backend.VIEW_EMULATION, str):
        return update_in_turn
    return update_immutable if backend.VIEW_EMULATION else update


def update_in_turn(array: Array, change: Callable[..., Any], *operands: Any) -> None:
    """Do what `update` does, one thread at a time.

    If autograd may need the data, `change` returns another array. Meanwhile no other thread may
    write to the data. Autograd counts a thread that reads them, too.
    """
    if backends.load(array.backend).is_compiling():
        update(array, change, *operands)
        return
    with _TURN:
        update(array, change, *operands)


def update(array: Array, change: Callable[..., Any], *operands: Any) -> None:
    """Replace an Array's data by what `change` makes of it; nothing happens if that fails."""
    view = view_of(array)
    if view is None:
        data = array._data
        value = change(data, *operands)
        if value is not data:  # else the memory itself was written to
            if WRITES.noted:
                WRITES.note(array, aliases_of(array))
            array._data = _replacement(array, data, value)
        return
    memory = view.memory
    with memory.lock:
        if view.read_only:
            raise ReadOnlyError
        data = array._data if view.caches_data else memory.backend.copy(array._data)
        value = change(data, *operands)
        if value is not data and WRITES.noted:
            WRITES.note(array, aliases_of(array))
        if value is not data and view.caches_data:
            value = _replacement(array, data, value)
        if value is not data or not view.caches_data:
            memory.assign(array, view, value)


def update_immutable(array: Array, change: Callable[..., Any], *operands: Any) -> None:
    """Do what `update` does, for arrays of a library that never share memory.

    A lock would cost more than a retry: if another thread wrote meanwhile, or the Array has a
    memory by now, the update begins again.
    """
    while True:
        count = MEMORIES.count
        if array._view is not None:
            update(array, change, *operands)
            return
        data = array._data
        value = change(data, *operands)
        if WRITES.noted:
            WRITES.note(array)
        WRITES.last_thread = get_ident()
        # No call happens between this check and the store, so no other thread can run there.
        if MEMORIES.count == count and array._data is data:
            array._data = value
            return


def assign(array: Array, value: Any) -> None:
    """Replace an Array's data, also for all Arrays that share its memory."""
    update(array, _second, value)


def _second(_: Any, value: Any) -> Any:
    return value


def assign_each(arrays: Sequence[Array], values: Sequence[Any]) -> None:
    """Replace the data of Arrays of a library that never shares memory: of all, or of none."""
    WRITES.last_thread = get_ident()
    if WRITES.noted:
        for array in arrays:
            WRITES.note(array)
    calls: Calls = []
    writes: dict[Memory, list[Write]] = {}
    for array, value in zip(arrays, values, strict=True):
        view = view_of(array)
        if view is None:
            calls.append((setattr, array, "_data", value))
        else:
            writes.setdefault(view.memory, []).append(Write(array, view, value))
    with ExitStack() as stack:
        for memory in sorted(writes, key=id):  # in one order: no thread waits for another one
            stack.enter_context(memory.lock)
        for memory, of_memory in writes.items():
            calls += memory.prepared(of_memory)
        commit(calls)


def is_self_assignment(array: Array, key: Any, value: Array) -> bool:
    """Return True if `value` is the view that the key selects, as after `x[key] += y`."""
    item, whole = view_of(value), view_of(array)
    if item is None or whole is None or item.region.source is not whole.region:
        return False
    region, source = item.region, whole.region
    if region.is_traced or source.is_traced or source.read_only:
        return False
    return bool(layouts.is_item(region.layout, source.layout, key))


def _replacement(array: Array, data: Any, value: Any) -> Any:
    """Return the array that replaces data; other aliases of the same memory are updated, too."""
    mine = view_of(array)
    memory = None if mine is None else mine.memory
    others = [one for one in aliases_of(array) if one is not array and _is_outside(one, memory)]
    backend = backends.load(array.backend)
    compiling = backend.is_compiling()
    if others:
        emulated = mine is not None or any(view_of(one) is not None for one in others)
        if emulated or compiling:
            return backend.write_through(data, value)  # to the memory, which all of them show
        emulate_aliases(backend, [array, *others])
    else:
        aliasing = backend.aliasing
        known = mine is not None or compiling or aliasing is None
        if known or aliasing.same_strides(data, value):
            return value
    # The Array becomes an emulated view, also where its strides in NumPy would be others.
    view = ensure_view(backend, array)
    view.memory.assign(array, view, value)
    return array._data


def _is_outside(array: Array, memory: Memory | None) -> bool:
    """Return True if an Array has no view of this memory: no view at all, or one of another."""
    view = view_of(array)
    return view is None or view.memory is not memory
