"""Locks: the one under which all is made that is made late, and those of single objects.

Each is free in a child that was forked while another thread held it. That thread isn't there to go
on with what it was at. So what is done under a lock has to be such that it may end anywhere, as an
interrupt ends it, too: what is made is shown when it is whole, and made anew if it isn't.
"""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

__all__ = ["MAKING", "after_fork", "lazy", "new_lock", "once"]

R = TypeVar("R")
F = TypeVar("F", bound=Callable[[], None])

# Those that are alive, and some that died. A set of weak references would cost as much as the lock.
_locks: Final[list[weakref.ref[Any]]] = []
_room = 64  # how many there may be before the dead are forgotten
_forgetting: Final[Any] = threading.Lock()
_repairs: Final[list[Callable[[], None]]] = []


def new_lock() -> Any:
    """Return a lock that its thread may take again, and that is free in a forked child."""
    made = threading.RLock()
    _locks.append(weakref.ref(made))
    if len(_locks) > _room:
        _forget()
    return made


def _forget() -> None:
    """Forget the locks that died, unless another thread is at it."""
    global _room
    if _forgetting.acquire(blocking=False):
        try:
            count = len(_locks)  # others may add to them meanwhile
            _locks[:count] = [ref for ref in _locks[:count] if ref() is not None]
            _room = 2 * len(_locks) + 64
        finally:
            _forgetting.release()


def after_fork(repair: F) -> F:
    """Have a function called in each forked child, which has none but the thread that forked."""
    _repairs.append(repair)
    return repair


def _in_child() -> None:
    for lock in (_forgetting, *(ref() for ref in _locks)):
        if lock is not None:
            lock._at_fork_reinit()  # as Python's own modules do
    for repair in _repairs:
        repair()


if hasattr(os, "register_at_fork"):  # Windows can't fork
    os.register_at_fork(after_in_child=_in_child)

MAKING: Final = new_lock()
"""Held while namespaces, classes and functions are made.

Nothing is imported meanwhile. A thread that imports a module holds that module's own lock, and what
it imports may ask for a namespace. Python finds no deadlock between its locks and others.
"""

_NOTHING: Final = object()


def once(make: Callable[..., R]) -> Callable[..., R]:
    """Remember what a function returns, by its arguments: the same object for all threads.

    `functools.cache` gives each of two threads that ask first an object of its own.
    """
    known: dict[tuple[Any, ...], R] = {}

    @functools.wraps(make)
    def get(*args: Any) -> R:
        found: Any = known.get(args, _NOTHING)
        return known.setdefault(args, make(*args)) if found is _NOTHING else found

    return get


class lazy(Generic[R]):
    """An attribute that is computed when it is first asked for, the same object for all threads.

    `functools.cached_property` holds a lock of its own meanwhile, on Python 3.11, of which a forked
    child knows nothing.
    """

    def __init__(self, make: Callable[[Any], R]) -> None:
        """Compute the attribute by this function of the instance."""
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Remember the name."""
        self._name = name

    def __get__(self, instance: Any, owner: type) -> R:
        """Compute; the instance has it as its own attribute from then on."""
        return vars(instance).setdefault(self._name, self._make(instance))
