"""The emulated views of Arrays: made, read, and exported to NumPy.

Arrays of libraries that share memory themselves skip all of it.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify import backends
from arrayapi_unify._core.suggestions import ARRAY, missing
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.views import layouts
from arrayapi_unify.views.memory import Memory
from arrayapi_unify.views.view import ALIAS, LOCK, Region, View, ViewOp, needs_emulation, view_of

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = [
    "DATA_PROPERTY", "MEMORIES", "emulate_view", "ensure_view", "export_view", "is_copy",
    "layout_of", "numpy_view", "refresh_missing", "sealed", "share",
]  # fmt: skip

# The attributes that `np.asarray` looks for before `__array__`. NumPy drops the message of their
# AttributeError, and formatting one would take a quarter of the time of the call.
_ASKED_BY_NUMPY: Final = ("__array_struct__", "__array_interface__")


class _Memories:
    """The number of memories made so far, by which a lock-free write notices a new one."""

    count = 0


MEMORIES: Final = _Memories()


# --- making ---------------------------------------------------------------------------------


def emulate_view(
    backend: Backend, source: Array, op: ViewOp, caches_data: bool, always: bool = False
) -> View | None:
    """Return the view that an op takes of an Array; None if NumPy would copy.

    If NumPy has a view in any case (`always`), the layout is computed when it is first needed.
    """
    origin = ensure_view(backend, source)
    whole = origin.region
    if always or whole.is_traced:
        region = whole.after(op)
    else:
        layout = op.layout(whole.layout)
        if not layouts.is_layout(layout):
            origin.memory.copied = True
            return None
        region = Region(layout, whole, op)
    return View(origin.memory, region, caches_data and origin.caches_data)


def share(backend: Backend, source: Array) -> View | None:
    """Return the view of another Array of the same memory; None if the library shares it itself."""
    if view_of(source) is None and not needs_emulation(backend, source._data):
        return None
    return emulate_view(backend, source, ViewOp(), caches_data=True)


def sealed(backend: Backend, data: Any) -> View:
    """Return a read-only view of data whose elements share memory with each other."""
    whole = Region(_layout(backend, data))
    return View(Memory(backend, data), whole.after(ViewOp(read_only=True)))


def ensure_view(backend: Backend, array: Array) -> View:
    """Return an Array's part of a memory; create the memory if there is none yet."""
    view = view_of(array)
    if view is not None:
        return view
    if backend.is_compiling():
        view = View(Memory(backend, array._data, traced=True), Region(None))
        view.memory.add_view(array, view)
        return view
    with LOCK:
        while (view := view_of(array)) is None:
            data = array._data
            view = View(Memory(backend, data), Region(_layout(backend, data)))
            view.memory.add_view(array, view, set_view=False)
            # No call happens between these three statements, so no other thread can run there.
            if array._data is data:
                MEMORIES.count += 1
                array._view = view
        return view


def _layout(backend: Backend, data: Any) -> Any:
    """Return a function that makes the layout of an array; None if a size is unknown in a trace."""
    shape = backend.shape_of(data)
    if None in shape:
        return None
    kind, aliasing = backend.dtype_of(data).kind, backend.aliasing
    strides = None if aliasing is None else aliasing.strides_of(data)
    return functools.partial(layouts.new, shape, kind, strides)


# --- reading --------------------------------------------------------------------------------


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
        raise missing(f"{type(array).__name__!r} object", name, ARRAY, lambda: dir(array))
    return view.memory.refresh(array, view)


def _get_data(array: Array) -> Any:
    view = array._view
    if type(view) is tuple:
        return _lazy_value(array, view)
    return view.stored if view.caches_data else view.value()


def _lazy_value(array: Array, lazy: Any) -> Any:
    """Return the native array that a lazy view has now (`views.factory.LazyView`)."""
    factory, source, args, kwargs, known, value, version = lazy
    data, backend = source._data, factory.backend
    if version is ALIAS:
        if backend.is_compiling():
            version = None
        elif known is data:
            return value
    else:
        # A copy may have been written to outside our control, as its source may.
        aliasing = backend.aliasing
        if known is data and aliasing.unchanged(data, version, value, aliasing.NEW_VERSION):
            return value
        version = backend.version_of(data)
    value = factory.read(data, *args, **kwargs)
    if version is not None:  # else it is valid for this moment only, as in a trace
        with LOCK:
            if array._view is lazy:
                array._view = (factory, source, args, kwargs, data, value, version)
    return value


def _set_data(array: Array, value: Any) -> None:
    array._view.stored = value


DATA_PROPERTY: Final = property(_get_data, _set_data)
"""The `_data` of Arrays that are more than an alias of memory."""


def is_copy(array: Array) -> bool:
    """Return True if an Array is a writable view whose data is a copy of its part of the memory."""
    view = view_of(array)
    return view is not None and not view.caches_data and not view.read_only


def layout_of(array: Array) -> Any:
    """Return the layout that an Array has in NumPy, or its own NumPy array.

    None in a trace, and for objects of other classes.
    """
    if not hasattr(array, "_data"):
        return None
    backend, view = backends.load(array.backend), view_of(array)
    if backend.VIEW_EMULATION is False:
        return array._data
    if view is not None:
        return view.region.layout
    found = None if backend.is_compiling() else _layout(backend, array._data)
    return found and found()


# --- NumPy ----------------------------------------------------------------------------------


def export_view(backend: Backend, array: Array) -> Any:
    """Return a writable NumPy mirror of an Array of a library whose arrays never change.

    Return None if there are no elements to share, or NumPy mustn't write to them.
    """
    view = view_of(array)
    if view is None:
        if backend.tracer_of(array._data) is not None:
            return None
        view = ensure_view(backend, array)
    if view.read_only or view.is_traced or not view.region.size:
        return None
    return view.memory.export_view(array, view)


def numpy_view(array: Array) -> Any:
    """Return NumPy's view of an emulated view, if the library shares its memory with NumPy.

    Return None if there is no such view, or the Array's own data is all that there is.
    """
    view = view_of(array)
    if view is None or view.caches_data or view.is_traced:
        return None
    return view.memory.numpy_view(view)
