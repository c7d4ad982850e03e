"""Hidden state: that of random functions without a key, and the variables of Modules.

The state of random numbers is a seed, and how often one drew. It is a context variable. A thread
begins without a seed of its own; a task begins with what its maker's state was, and changes only
its own from then on.

A function that is traced runs once for many calls, and one that is vectorized once for many rows.
There nothing may change that is hidden (`refused_in`). A function that is called again for its
derivative finds the state that its first call found, and changes it once (`Recomputed`).
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NoReturn

from arrayapi_unify import backends
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import UnifyTypeError

_WORD: Final = 2**32
_state: Final[ContextVar[tuple[int, int] | None]] = ContextVar("random state", default=None)


class _Scope(threading.local):
    """The current functional call of this thread, and whether hidden state may change."""

    arrays: dict[Any, Array] | None
    written: dict[Any, Array] | None

    def __init__(self) -> None:
        """Start without one in each thread. torch.compile follows attributes of thread-locals."""
        self.arrays = None  # replace the variables' own
        self.written = None  # the new buffers, if the caller requests them
        self.capture: Capture | None = None  # takes what is written to all other variables
        self.refused_by: str | None = None  # the transformation in which nothing may change
        self.draws = False  # numbers may be drawn in a trace, which runs once for this call


scope: Final = _Scope()


class Capture:
    """The variables that a function wrote to: their arrays, now and before."""

    def __init__(self) -> None:
        """Start with none."""
        self.written: dict[Any, Array] = {}
        self.before: dict[Any, Array] = {}

    def write(self, variable: Any, value: Array) -> None:
        """Store the new array of a variable."""
        self.before.setdefault(variable, variable.read())
        self.written[variable] = value


def _seen() -> dict[Any, Array] | None:
    """Return the arrays that variables have now in place of their own."""
    captured = None if scope.capture is None else scope.capture.written
    found = [part for part in (scope.arrays, captured, scope.written) if part is not None]
    return {variable: array for part in found for variable, array in part.items()} or None


@contextmanager
def _scoped(**attributes: Any) -> Iterator[None]:
    """Set attributes of the scope; attributes of functional calls outside can only be read."""
    attributes = {"arrays": _seen(), "written": None, **attributes}
    before = {name: getattr(scope, name) for name in attributes}
    vars(scope).update(attributes)
    try:
        yield
    finally:
        vars(scope).update(before)


def refused_in(function: str) -> Any:
    """Return a context manager: no hidden state changes in a function that is transformed."""
    return _scoped(capture=None, refused_by=function)


def refuse(function: str, what: str, remedy: str) -> NoReturn:
    """Raise for a change of hidden state."""
    raise UnifyTypeError(f"{function}: the function {what}; {remedy}")


class Recomputed:
    """The hidden state of a function that is called again for its derivative."""

    def __init__(self, traced: bool) -> None:
        """Keep the state; `traced` says that the calls are part of a program that is traced."""
        if _state.get() is None:
            begin(secrets.randbits(64))
        self._start = _state.get()
        self._seen = _seen()
        self._refused_by = scope.refused_by
        self._draws = scope.draws or not traced
        self.first: Capture | None = None
        """The writes of the first call."""

    @contextmanager
    def call(self) -> Iterator[Capture]:
        """Run a call with the state of the first one, and hide its changes from other calls."""
        first, made, end = self.first, Capture(), _state.get()
        seen = self._seen if first is None else {**(self._seen or {}), **first.before}
        _state.set(self._start)
        try:
            with _scoped(arrays=seen, capture=made, refused_by=self._refused_by, draws=self._draws):
                yield made
            self.first = first or made
        finally:
            if first is not None:
                _state.set(end)


# --- random numbers -----------------------------------------------------------------------------


def begin(seed: int) -> None:
    """Begin with a seed, before the first draw."""
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
    if scope.refused_by is not None:
        _refuse_draw(scope.refused_by)
    state = _state.get()
    seed, count = advance()
    random = xp.random
    key: Array = random.fold_in(random.key(seed, device=device), count % _WORD)
    if not scope.draws and backends.load(key.backend).tracer_of(key._data) is not None:
        _state.set(state)
        _refuse_draw("random")
    return random.fold_in(key, count // _WORD) if count >= _WORD else key


def _refuse_draw(function: str) -> NoReturn:
    refuse(
        function,
        "draws random numbers without a key, which would be the same ones each time",
        "pass a key (for vmap one for each row, random.split(key, n)) to a function that takes one",
    )
