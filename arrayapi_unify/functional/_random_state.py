"""The hidden state of those random functions that take no key: a seed, and how often one drew.

It is a context variable. A thread begins without a seed of its own; a task begins with what its
maker's state was, and changes only its own from then on.
"""

from __future__ import annotations

import secrets
from contextvars import ContextVar
from typing import Any, Final

from arrayapi_unify.array_object import Array

_WORD: Final = 2**32
_state: Final[ContextVar[tuple[int, int] | None]] = ContextVar("random state", default=None)


def begin(seed: int) -> None:
    """Begin with a seed, of which nothing has been drawn."""
    _state.set((seed, 0))


def current() -> tuple[int, int] | None:
    """Return the seed and how often one drew; None before the first time."""
    return _state.get()


def reset(state: tuple[int, int] | None) -> None:
    """Go back to what `current` returned."""
    _state.set(state)


def advance() -> tuple[int, int]:
    """Return the seed and the number of this draw; a seed is made up where none was set."""
    seed, count = _state.get() or (secrets.randbits(64), 0)
    _state.set((seed, count + 1))
    return seed, count


def drawn_key(xp: Any, device: object = None, seed: int | None = None) -> Array:
    """Return the key of a seed, else that of the next draw, as an array of a namespace."""
    if seed is not None:
        return xp.random.key(seed, device=device)
    seed, count = advance()
    random = xp.random
    key: Array = random.fold_in(random.key(seed, device=device), count % _WORD)
    return random.fold_in(key, count // _WORD) if count >= _WORD else key
