"""Arrays that share the library's own memory: they are emulated once the library can't write to it.

PyTorch lets arrays share memory until autograd tracks one of them. So an Array has weak references
to its aliases, and each alias has a reference to its source.
"""

from __future__ import annotations

import sys
import weakref
from typing import TYPE_CHECKING, Any

from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.views import layouts
from arrayapi_unify.views.memory import Memory
from arrayapi_unify.views.view import Region, View, ViewOp, view_of

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["aliases_of", "emulate_aliases", "register_alias", "share_memory_with"]


def register_alias(array: Array, alias: Array) -> None:
    """Register an Array as an alias of another one, which has no emulated views.

    A single reference is stored without a list: mostly there is one alias at a time. A list begins
    with the length at which dead references are dropped. It is no object of a class of ours, which
    torch.compile couldn't make anew where the Arrays live in compiled code alone.
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
    elif isinstance(known, weakref.ref):
        found: Any = ref if known() is None else [8, known, ref]
        if array._aliases is not known:
            register_alias(array, alias)
            return
        array._aliases = found
    elif isinstance(known, list):
        known.append(ref)
        count = len(known)
        if count > known[0]:
            known[0] = sys.maxsize  # other threads add to the list only, as long as this lasts
            known[1:count] = [one for one in known[1:count] if one() is not None]
            known[0] = 2 * len(known) + 8
    else:  # an alias of an alias
        register_alias(known, alias)
        return
    alias._aliases = array


def aliases_of(array: Array) -> list[Array]:
    """Return the Arrays that are known to be aliases of one memory of the library's."""
    known = getattr(array, "_aliases", None)
    if known is None:
        return []
    whole = array if isinstance(known, (weakref.ref, list)) else known
    known = whole._aliases
    refs = known[1:] if isinstance(known, list) else [known]
    return [one for one in (whole, *(ref() for ref in refs)) if one is not None]


def emulate_aliases(backend: Backend, arrays: list[Array]) -> None:
    """Make aliases of the library's memory emulated views of one memory."""
    whole, split, places = backend.aliasing.split_storage([one._data for one in arrays])
    memory = Memory(backend, whole)
    memory.tracked = True
    shape, kind = backend.shape_of(whole), backend.dtype_of(whole).kind
    layout = layouts.of_parts(shape) if split else layouts.new(shape, kind)
    source = Region(layout)
    for one, place in zip(arrays, places, strict=True):
        if place is not None:
            memory.add_view(one, View(memory, Region(place.layout(layout), source, place)))


def share_memory_with(array: Array, other: Array) -> None:
    """Give an Array the data of another one, and let both share their memory."""
    view = view_of(other)
    if view is None or view.caches_data:
        array._data = other._data
    if view is not None:
        region = view.region.after(ViewOp())
        view.memory.add_view(array, View(view.memory, region, view.caches_data))
    elif getattr(other, "_aliases", None) is not None:
        register_alias(other, array)
