"""The cache of a compiled function's programs, and the warning when their number grows."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence
from typing import Any, Final, Generic, TypeVar

from arrayapi_unify._core.locks import new_lock

__all__ = ["Growth", "LRUCache"]

# A program of XLA's takes about 1.5 MB.
_MOST: Final = 128
# The number of values of one argument after which a warning is issued.
_MANY: Final = 32

Value = TypeVar("Value")


class LRUCache(Generic[Value]):
    """A cache of limited size, from which the least recently used entry is evicted."""

    def __init__(self, most: int = _MOST) -> None:
        """Limit the cache to `most` entries."""
        self._most = most
        self._values: dict[Hashable, Value] = {}
        self._lock = new_lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> Value | None:
        """Return the value of a key, which becomes the most recently used one."""
        with self._lock:
            value = self._values.pop(key, None)
            if value is not None:
                self._values[key] = value
            return value

    def put(self, key: Hashable, value: Value) -> Value:
        """Store a value and return the stored one, which may be another thread's."""
        with self._lock:
            value = self._values.setdefault(key, value)
            while len(self._values) > self._most:
                del self._values[next(iter(self._values))]
            return value


class Growth:
    """Detects a static argument with a program for each of its many values."""

    def __init__(self, function: str, parameters: Sequence[str]) -> None:
        """Count the values of a function with these parameters."""
        self._function = function
        self._parameters = parameters
        self._last: dict[Any, Any] = {}
        self._counts: dict[Any, int] = {}

    def note(self, args: Sequence[Any], keywords: Sequence[tuple[str, Any]]) -> None:
        """Record the keys of the arguments of a new program; warn if there are too many."""
        now: dict[Any, Any] = dict(enumerate(args))
        now |= dict(keywords)
        before, self._last = self._last, now
        changed = [place for place in now if before.get(place, now) != now[place]]
        if now.keys() != before.keys() or len(changed) != 1:
            return
        (place,) = changed
        self._counts[place] = self._counts.get(place, 0) + 1
        if self._counts[place] == _MANY:
            warnings.warn(
                f"compile: {self._function} was compiled for {_MANY} values of argument "
                f"{self._named(place)!r}, which is part of the program (the last one: "
                f"{_shown(now[place])}); pass it as an array, for which one program serves. At "
                f"most {_MOST} programs are kept.",
                RuntimeWarning,
                stacklevel=6,
            )

    def _named(self, place: Any) -> str:
        if type(place) is int:
            known = place < len(self._parameters)
            return self._parameters[place] if known else f"args[{place}]"
        return str(place)


def _shown(key: Any) -> str:
    """Return the value that a key stands for."""
    value = key[-1] if isinstance(key, tuple) and key else key
    return f"{value!s:.60}"
