"""Emulated views: a write to an Array is carried over to all Arrays that share its memory.

Arrays of libraries that share memory themselves skip all of it.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify import backends
from arrayapi_unify.backends._common.algorithms.memory import commit
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.locks import new_lock
from arrayapi_unify.views import layouts
from arrayapi_unify.views.memory import Memory
from arrayapi_unify.views.traced_memory import TracedMemory
from arrayapi_unify.views.view import (
    MATERIALIZE_LOCK,
    Region,
    View,
    ViewOp,
    needs_emulation,
    refreshed,
    view_of,
)

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = [
    "DATA_PROPERTY",
    "share_memory_with",
    "update_immutable",
    "emulate_view",
    "is_copy",
    "is_self_assignment",
    "refresh_missing",
    "layout_of",
    "export_view",
    "register_alias",
    "ensure_view",
    "assign",
    "assign_each",
    "sealed",
    "share",
    "numpy_view",
    "update",
    "writer",
]

_creation_lock: Final = new_lock()

# The attributes that `np.asarray` looks for before `__array__`. NumPy drops the message of their
# AttributeError, and formatting one would take a quarter of the time of the call.
_ASKED_BY_NUMPY: Final = ("__array_struct__", "__array_interface__")


def emulate_view(
    backend: Backend, source: Array, op: ViewOp, caches_data: bool, surely: bool = False
) -> View | None:
    """Return the view that an op takes of an Array; None if NumPy would copy.

    If NumPy has a view in any case (`surely`), the layout is computed when it is first needed.
    """
    origin = view_of(source) or _create_memory(backend, source)
    whole = origin.region
    if surely or whole.is_traced:
        region = whole.after(op)
    else:
        layout = op.layout(whole.layout)
        if not layouts.is_layout(layout):
            origin.memory.copied = True
            return None
        region = Region(layout, whole, op)
    return View(origin.memory, region, caches_data and origin.caches_data)


def is_copy(array: Array) -> bool:
    """Return True if an Array is a writable view whose data is a copy of its part of the memory."""
    view = view_of(array)
    return view is not None and not view.caches_data and not view.read_only


def ensure_view(backend: Backend, array: Array) -> View:
    """Return an Array's part of a memory; create the memory if there is none yet."""
    return view_of(array) or _create_memory(backend, array)


def _create_memory(backend: Backend, source: Array) -> View:
    """Make the memory of an Array that shares none so far."""
    if backend.is_compiling():
        return _whole_view(TracedMemory(backend, source._data), None, source)
    with _creation_lock:
        while (view := view_of(source)) is None:
            data = source._data
            memory = Memory(backend, data)
            view = View(memory, Region(_layout(backend, data)))
            memory.add_view(source, view, set_view=False)
            # No call happens between these three statements, so no other thread can run there.
            if source._data is data:
                _memories.count += 1
                source._view = view
        return view


class _Memories:
    """The number of memories made so far, by which a lock-free write notices a new one."""

    count = 0


_memories: Final = _Memories()


def _whole_view(memory: Memory, layout: Any, source: Array) -> View:
    view = View(memory, Region(layout))
    memory.add_view(source, view)
    return view


def _layout(backend: Backend, data: Any) -> Any:
    """Return a function that makes the layout of an array; None if a size is unknown in a trace."""
    shape = backend.shape_of(data)
    if None in shape:
        return None
    kind, aliasing = backend.dtype_of(data).kind, backend.aliasing
    strides = None if aliasing is None else aliasing.strides_of(data)
    return functools.partial(layouts.new, shape, kind, strides)


def layout_of(array: Array) -> Any:
    """Return the layout that an Array has in NumPy, or its own NumPy array; None in a trace."""
    backend, view = backends.load(array.backend), view_of(array)
    if backend.VIEW_EMULATION is False:
        return array._data
    if view is not None:
        return None if view.is_traced else view.region.layout
    found = None if backend.is_compiling() else _layout(backend, array._data)
    return found and found()


def refresh_missing(array: Array, name: str) -> Any:
    """The `__getattr__` of Arrays whose data may be missing: get it from the memory.

    Python calls it only for attributes that aren't there.
    """
    if name in ("_aliases", "_view"):
        return None
    if name in _ASKED_BY_NUMPY:
        raise AttributeError(name)
    view = view_of(array) if name == "_data" else None
    if view is None:
        raise AttributeError(f"{type(array).__name__!r} object has no attribute {name!r}")
    return view.memory.refresh(array, view)


def export_view(backend: Backend, array: Array) -> Any:
    """Return a writable NumPy mirror of an Array of a library whose arrays never change.

    Return None if there are no elements to share, or NumPy mustn't write to them.
    """
    view = view_of(array)
    if view is None:
        if backend.tracer_of(array._data) is not None:
            return None
        view = _create_memory(backend, array)
    if view.read_only or view.is_traced or not view.region.size:
        return None
    return view.memory.export_view(array, view)


def numpy_view(array: Array) -> Any:
    """Return NumPy's view of an emulated view, if the library shares its memory with NumPy.

    Return None if there is no such view, or the Array's own data is all that there is.
    """
    view = view_of(array)
    return (
        None if view is None or view.caches_data or view.is_traced else view.memory.numpy_view(view)
    )


def share(backend: Backend, source: Array) -> View | None:
    """Return the view of another Array of the same memory; None if the library shares it itself."""
    view = view_of(source)
    if view is None and not needs_emulation(backend, source._data):
        return None
    return emulate_view(backend, source, _IDENTITY, caches_data=True)


def sealed(backend: Backend, data: Any) -> View:
    """Return a read-only view of data whose elements share memory with each other."""
    whole = Region(_layout(backend, data))
    return View(Memory(backend, data), whole.after(_SEALED))


def share_memory_with(array: Array, other: Array) -> None:
    """Give an Array the data of another one, and let both share their memory."""
    view = view_of(other)
    if view is None or view.caches_data:
        array._data = other._data
    if view is not None:
        view.memory.add_view(
            array, View(view.memory, view.region.after(_IDENTITY), view.caches_data)
        )
    elif getattr(other, "_aliases", None) is not None:
        register_alias(other, array)


def _get_data(array: Array) -> Any:
    view = array._view
    if type(view) is tuple:
        lazy = refreshed(view)
        if lazy is not view and lazy[6] is not None:
            with MATERIALIZE_LOCK:
                if array._view is view:
                    array._view = lazy
        return lazy[5]
    return view.stored if view.caches_data else view.value()


def _set_data(array: Array, value: Any) -> None:
    array._view.stored = value


DATA_PROPERTY: Final = property(_get_data, _set_data)
"""The `_data` of Arrays that are more than an alias of memory."""


def is_self_assignment(array: Array, key: Any, value: Array) -> bool:
    """Return True if `value` is the view that the key selects, as after `x[key] += y`."""
    item, whole = view_of(value), view_of(array)
    if item is None or whole is None or item.region.source is not whole.region:
        return False
    region, source = item.region, whole.region
    if region.is_traced or source.is_traced or source.read_only:
        return False
    return bool(layouts.is_item(region.layout, source.layout, key))


def assign(array: Array, value: Any) -> None:
    """Replace an Array's data, also for all Arrays that share its memory."""
    update(array, _take_second, value)


def assign_each(arrays: Sequence[Array], values: Sequence[Any]) -> None:
    """Replace the data of Arrays of a library that never shares memory: of all, or of none."""
    calls: list[tuple[Any, ...]] = []
    writes: dict[Memory, list[tuple[Array, View, Any]]] = {}
    for array, value in zip(arrays, values, strict=True):
        view = view_of(array)
        if view is None:
            calls.append((setattr, array, "_data", value))
        else:
            writes.setdefault(view.memory, []).append((array, view, value))
    with ExitStack() as stack:
        for memory in sorted(writes, key=id):  # in one order: no thread waits for another one
            stack.enter_context(memory.lock)
        for memory, of_memory in writes.items():
            calls += memory.prepared(of_memory)
        commit(calls)


def update(array: Array, change: Callable[..., Any], *operands: Any) -> None:
    """Replace an Array's data by what `change` makes of it; nothing happens if that fails."""
    view = view_of(array)
    if view is None:
        data = array._data
        value = change(data, *operands)
        if value is not data:  # else the memory itself was written to
            array._data = _replacement(array, data, value)
        return
    memory = view.memory
    with memory.lock:
        view.check_writable()
        data = array._data if view.caches_data else memory.backend.copy(array._data)
        value = change(data, *operands)
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
        count = _memories.count
        if array._view is not None:
            update(array, change, *operands)
            return
        data = array._data
        value = change(data, *operands)
        # No call happens between this check and the store, so no other thread can run there.
        if _memories.count == count and array._data is data:
            array._data = value
            return


def writer(backend: Backend) -> Callable[..., None]:
    """Return the function that updates the Arrays of a backend."""
    return update_immutable if backend.VIEW_EMULATION is True else update


def _replacement(array: Array, data: Any, value: Any) -> Any:
    """Return the array that replaces data; other aliases of the same memory are updated, too."""
    mine = view_of(array)
    memory = None if mine is None else mine.memory
    others = [one for one in _aliases_of(array) if one is not array and _is_outside(one, memory)]
    backend = backends.load(array.backend)
    if not others:
        return _replacement_in_layout(backend, array, data, value) if mine is None else value
    emulated = mine is not None or any(view_of(one) is not None for one in others)
    if emulated or backend.is_compiling():
        return backend.write_through(data, value)  # to the memory itself, which all of them show
    _emulate_aliases(backend, [array, *others])
    view = view_of(array)
    assert view is not None  # it was just made
    view.memory.assign(array, view, value)
    return array._data


def _replacement_in_layout(backend: Backend, array: Array, data: Any, value: Any) -> Any:
    """Return the array that replaces data; if its strides differ, the Array becomes emulated."""
    aliasing = backend.aliasing
    if backend.is_compiling() or aliasing is None or aliasing.same_strides(data, value):
        return value
    view = _create_memory(backend, array)
    view.memory.assign(array, view, value)
    return array._data


def _is_outside(array: Array, memory: Memory | None) -> bool:
    """Return True if an Array has no view of this memory: no view at all, or one of another."""
    view = view_of(array)
    return view is None or view.memory is not memory


def register_alias(array: Array, alias: Array) -> None:
    """Register an Array as an alias of another one, which has no emulated views.

    The library lets them share memory until a write has to replace the data of one of them. The
    source holds weak references to its aliases, and each alias holds a reference to its source. A
    single reference is stored without a list: mostly there is one alias at a time.
    """
    ref = weakref.ref(alias)
    try:
        known = array._aliases  # by `getattr`, which is a call, another thread might come between
    except AttributeError:
        known = None
    # No call happens between a check and the write after it, so no other thread can run there.
    # `isinstance` is used since `type` of a weak reference makes a guard of torch.compile that
    # fails at once (2.13).
    if known is None:
        array._aliases = ref
    elif isinstance(known, list):
        known.append(ref)
        count = len(known)
        if count > known[0]:  # drop dead references
            known[0] = sys.maxsize  # other threads add to the list only, as long as this lasts
            known[1:count] = [one for one in known[1:count] if one() is not None]
            known[0] = 2 * len(known) + 8
    elif isinstance(known, weakref.ref):
        found: Any = ref if known() is None else [8, known, ref]
        if array._aliases is not known:
            register_alias(array, alias)
            return
        array._aliases = found
    else:  # an alias of an alias
        register_alias(known, alias)
        return
    alias._aliases = array


def _aliases_of(array: Array) -> list[Array]:
    """Return the Arrays that are known to be aliases of one memory of the library's."""
    known = getattr(array, "_aliases", None)
    if known is None:
        return []
    whole = array if type(known) in (weakref.ref, list) else known
    known = whole._aliases
    refs = known[1:] if type(known) is list else [known]
    return [one for one in (whole, *(ref() for ref in refs)) if one is not None]


def _emulate_aliases(backend: Backend, arrays: list[Array]) -> None:
    """Let aliases of the library's memory follow one another from now on."""
    whole, split, places = backend.aliasing.split_storage([one._data for one in arrays])
    memory = Memory(backend, whole)
    memory.tracked = True
    shape, kind = backend.shape_of(whole), backend.dtype_of(whole).kind
    layout = layouts.of_parts(shape) if split else layouts.new(shape, kind)
    source = Region(layout)
    for one, place in zip(arrays, places, strict=True):
        if place is not None:
            op = ViewOp(place.layout, place.read, place.write)
            memory.add_view(one, View(memory, Region(place.layout(layout), source, op)))


def _take_second(_: Any, value: Any) -> Any:
    return value


_IDENTITY: Final = ViewOp(lambda x: x, lambda x: x, _take_second)
_SEALED: Final = ViewOp(lambda x: x, lambda x: x, None)
