"""What Arrays do with the memory that they share: views follow, writes reach those who share.

Nothing of it lies on the way of an Array whose library shares memory by itself.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, cast

from arrayapi_unify import backends
from arrayapi_unify.array_object.hooks import Hooks
from arrayapi_unify.array_object.memory import Memory
from arrayapi_unify.array_object.traced_memory import TracedMemory
from arrayapi_unify.array_object.views import (
    SETTLING,
    Region,
    Step,
    View,
    is_followed,
    looked_at,
    view_of,
)
from arrayapi_unify.backends._common.commits import commit
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.locks import new_lock

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = [
    "SEEN",
    "adopt",
    "exchange",
    "follow",
    "gathered",
    "is_copy",
    "is_there",
    "late",
    "layout_of",
    "lend",
    "note_window",
    "part",
    "replace",
    "replace_each",
    "sealed",
    "share",
    "shown",
    "update",
    "writer",
]

_founding: Final = new_lock()

# What `np.asarray` looks for before `__array__`. Nobody reads why it isn't there, and a sentence
# that says so would take a quarter of the time of the call.
_ASKED_BY_NUMPY: Final = ("__array_struct__", "__array_interface__")


def follow(
    backend: Backend, source: Array, step: Step, kept: bool, surely: bool = False
) -> View | None:
    """Return what an Array is that was taken of another one; None where NumPy would copy.

    Where NumPy `surely` has a view, that can wait until somebody asks for the layout.
    """
    origin = view_of(source) or _found(backend, source)
    region = origin.region.after(step)
    if not surely and not region.is_traced and not backend.layouts.is_layout(region.layout):
        origin.memory.copied = True
        return None
    return View(origin.memory, region, kept and origin.kept)


def is_copy(array: Array) -> bool:
    """Whether an Array that can be written to has a copy of what it follows."""
    view = view_of(array)
    return view is not None and not view.kept and not view.read_only


def part(backend: Backend, array: Array) -> View:
    """Return an Array's part of a memory, which is made where there is none yet."""
    return view_of(array) or _found(backend, array)


def _found(backend: Backend, source: Array) -> View:
    """Make the memory of an Array that follows nobody so far."""
    if backend.compiling():
        return _founded(TracedMemory(backend, source._data), None, source)
    with _founding:
        while (view := view_of(source)) is None:
            data = source._data
            memory = Memory(backend, data)
            view = View(memory, Region(backend.layouts, _layout(backend, data)))
            memory.join(source, view, shown=False)
            # Other threads have no turn between these three, where nothing is called.
            if source._data is data:
                _memories.count += 1
                source._view = view
        return view


class _Memories:
    """How many were made: a write to an Array without one sees that it may have one by now."""

    count = 0


_memories: Final = _Memories()


def _founded(memory: Memory, layout: Any, source: Array) -> View:
    view = View(memory, Region(memory.backend.layouts, layout))
    memory.join(source, view)
    return view


def _layout(backend: Backend, data: Any) -> Any:
    """Return what finds the layout of an array; None where a size isn't known while tracing."""
    shape = backend.shape_of(data)
    if None in shape:
        return None
    kind, windows = backend.dtype_of(data).kind, backend.windows
    strides = None if windows is None else windows.strides_of(data)
    return functools.partial(backend.layouts.new, shape, kind, strides)


def layout_of(array: Array) -> Any:
    """Return where an Array's elements lie in NumPy, or its own NumPy array; None in a trace."""
    backend, view = backends.load(array.backend), view_of(array)
    if backend.layouts is None:
        return array._data
    if view is not None:
        return None if view.is_traced else view.region.layout
    found = None if backend.compiling() else _layout(backend, array._data)
    return found and found()


def gathered(array: Array, change: Callable[[Any], Any]) -> Array:
    """Return a read-only view for which the library has no function, of NumPy's for layouts."""
    backend, binding = backends.load(array.backend), Hooks.binding_of(array.backend)
    if backend.layouts is None:
        return cast("Array", binding.wrap(change(array._data)))
    shape = array.shape
    places, device = change(backend.layouts.numbers(shape)), binding.native_device(array.device)

    def read(data: Any) -> Any:
        asarray, take, reshape = (binding.bound[f].native for f in ("asarray", "take", "reshape"))
        numbers = asarray(places.reshape(-1), device=device)
        return reshape(take(reshape(data, (-1,)), numbers, axis=0), places.shape)

    view = follow(backend, array, Step(change, read, None), backend.REFRESHED_LATER, surely=True)
    return cast("Array", binding.wrap_view(read(array._data), view))


def late(array: Array, name: str) -> Any:
    """Be the `__getattr__` of Arrays whose data may be missing: get it from the memory.

    Python asks here only for what isn't there.
    """
    if name in ("_aliased", "_view"):
        return None
    if name in _ASKED_BY_NUMPY:
        raise AttributeError(name)
    view = view_of(array) if name == "_data" else None
    if view is None:
        raise AttributeError(f"{type(array).__name__!r} object has no attribute {name!r}")
    return view.memory.refresh(array, view)


def lend(backend: Backend, array: Array) -> Any:
    """Return NumPy's array of the memory of an Array that never changes natively.

    None where NumPy could share nothing, or mustn't write.
    """
    view = view_of(array)
    if view is None:
        if backend.trace_of(array._data) is not None:
            return None
        view = _found(backend, array)
    if view.read_only or view.is_traced or not view.region.size:
        return None
    return view.memory.lend(array, view)


def shown(array: Array) -> Any:
    """Return NumPy's view of an Array that follows memory which the library shares with NumPy.

    None where there is none, or where the Array's own data is all that there is.
    """
    view = view_of(array)
    return None if view is None or view.kept or view.is_traced else view.memory.show(view)


def share(backend: Backend, source: Array) -> View | None:
    """Return what another Array of the same memory is; None where the library takes care of it."""
    view = view_of(source)
    if view is None and not is_followed(backend, source._data):
        return None
    return follow(backend, source, _SAME, kept=True)


def sealed(backend: Backend, data: Any) -> View:
    """Return what an Array is of data to which nobody writes, as its elements share memory."""
    whole = Region(backend.layouts, _layout(backend, data))
    return View(Memory(backend, data), whole.after(_SEALED))


def adopt(array: Array, other: Array) -> None:
    """Let an Array be the same as another one, and share its memory."""
    view = view_of(other)
    if view is None or view.kept:
        array._data = other._data
    if view is not None:
        view.memory.join(array, View(view.memory, view.region.after(_SAME), view.kept))
    elif getattr(other, "_aliased", None) is not None:
        note_window(other, array)


def _seen(array: Array) -> Any:
    view = array._view
    if type(view) is tuple:
        late = looked_at(view)
        if late is not view and late[6] is not None:
            with SETTLING:
                if array._view is view:
                    array._view = late
        return late[5]
    return view.held if view.kept else view.value()


def _hold(array: Array, value: Any) -> None:
    array._view.held = value


SEEN: Final = property(_seen, _hold)
"""The `_data` of Arrays that are more than a window onto memory."""


def is_there(array: Array, key: Any, value: Array) -> bool:
    """Whether a value is what the key selects, as after `x[key] += y`: it is stored already."""
    item, whole = view_of(value), view_of(array)
    if item is None or whole is None or item.region.source is not whole.region:
        return False
    region, source = item.region, whole.region
    if region.is_traced or source.is_traced or source.read_only:
        return False
    return bool(region.layouts.is_item(region.layout, source.layout, key))


def replace(array: Array, value: Any) -> None:
    """Let an Array have other data, and all that share its memory follow."""
    update(array, _second, value)


def replace_each(arrays: Sequence[Array], values: Sequence[Any]) -> None:
    """Let Arrays of a library that never shares memory have other data: all of them, or none."""
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
            array._data = _into(array, data, value)
        return
    memory = view.memory
    with memory.lock:
        view.check_writable()
        data = array._data if view.kept else memory.backend.copy(array._data)
        value = change(data, *operands)
        if value is not data and view.kept:
            value = _into(array, data, value)
        if value is not data or not view.kept:
            memory.put(array, view, value)


def exchange(array: Array, change: Callable[..., Any], *operands: Any) -> None:
    """Do what `update` does, for arrays of a library that never share memory.

    Without a lock, which would cost more than it is worth: who finds that another thread wrote, or
    that the Array has a memory by now, begins again.
    """
    while True:
        count = _memories.count
        if array._view is not None:
            update(array, change, *operands)
            return
        data = array._data
        value = change(data, *operands)
        # Other threads have no turn between this look and the store, where nothing is called.
        if _memories.count == count and array._data is data:
            array._data = value
            return


def writer(backend: Backend) -> Callable[..., None]:
    """Return what updates the Arrays of a backend."""
    return exchange if backend.FOLLOWED is True else update


def _into(array: Array, data: Any, value: Any) -> Any:
    """Return what replaces data; others that are windows onto the same memory get theirs."""
    mine = view_of(array)
    memory = None if mine is None else mine.memory
    others = [one for one in _windows(array) if one is not array and _is_apart(one, memory)]
    backend = backends.load(array.backend)
    if not others:
        return _lying(backend, array, data, value) if mine is None else value
    followed = mine is not None or any(view_of(one) is not None for one in others)
    if followed or backend.compiling():
        return backend.overwrite(data, value)  # of the memory itself, which they all show
    _follow_windows(backend, [array, *others])
    view = view_of(array)
    assert view is not None  # it was just made
    view.memory.put(array, view, value)
    return array._data


def _lying(backend: Backend, array: Array, data: Any, value: Any) -> Any:
    """Return what replaces data; an Array follows from now on if that would lie otherwise."""
    windows = backend.windows
    if backend.compiling() or windows is None or windows.lie_alike(data, value):
        return value
    view = _found(backend, array)
    view.memory.put(array, view, value)
    return array._data


def _is_apart(array: Array, memory: Memory | None) -> bool:
    """Whether a memory doesn't see to an Array, which follows nobody, or another memory."""
    view = view_of(array)
    return view is None or view.memory is not memory


def note_window(array: Array, window: Array) -> None:
    """Remember that one Array is a window onto the memory of another, which nobody follows.

    The library lets them share it, until a write has to replace what one of them holds. The Array
    that all of them were taken of knows them by weak references, and each of them knows it. Mostly
    there is one at a time, so that a reference without a list does.
    """
    ref = weakref.ref(window)
    known = getattr(array, "_aliased", None)
    # Other threads have no turn between a look and the write after it: nothing is called there.
    # `isinstance` asks for classes: `type` of a weak reference makes a guard of torch.compile that
    # fails at once (2.13).
    if known is None:
        array._aliased = ref
    elif isinstance(known, list):
        known.append(ref)
        count = len(known)
        if count > known[0]:  # forget those who died
            known[0] = sys.maxsize  # other threads add to the list only, as long as this lasts
            known[1:count] = [one for one in known[1:count] if one() is not None]
            known[0] = 2 * len(known) + 8
    elif isinstance(known, weakref.ref):
        found: Any = ref if known() is None else [8, known, ref]
        if array._aliased is not known:
            note_window(array, window)
            return
        array._aliased = found
    else:  # a window of a window
        note_window(known, window)
        return
    window._aliased = array


def _windows(array: Array) -> list[Array]:
    """Return the Arrays that are known to be windows onto one memory of the library's."""
    known = getattr(array, "_aliased", None)
    if known is None:
        return []
    whole = array if type(known) in (weakref.ref, list) else known
    known = whole._aliased
    refs = known[1:] if type(known) is list else [known]
    return [one for one in (whole, *(ref() for ref in refs)) if one is not None]


def _follow_windows(backend: Backend, arrays: list[Array]) -> None:
    """Let windows onto the library's memory follow one another from now on."""
    whole, of_parts, places = backend.windows.apart([one._data for one in arrays])
    memory = Memory(backend, whole)
    memory.tracked = True
    layouts, shape = backend.layouts, backend.shape_of(whole)
    kind = backend.dtype_of(whole).kind
    layout = layouts.of_parts(shape) if of_parts else layouts.new(shape, kind)
    source = Region(layouts, layout)
    for one, place in zip(arrays, places, strict=True):
        if place is not None:
            step = Step(place.layout, place.read, place.write)
            memory.join(one, View(memory, Region(layouts, place.layout(layout), source, step)))


def _second(_: Any, value: Any) -> Any:
    return value


_SAME: Final = Step(lambda x: x, lambda x: x, _second)
_SEALED: Final = Step(lambda x: x, lambda x: x, None)
