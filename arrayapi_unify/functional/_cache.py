"""The cache of `cache_fn`: results by argument values, the least recently used evicted first."""

from __future__ import annotations

import importlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from arrayapi_unify._core.locks import new_lock
from arrayapi_unify._core.value_keys import value_key
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import load, name_of

R = TypeVar("R")

_NOTHING: Final = object()


class Unknown(Exception):
    """An argument of which no value can be taken."""


def frozen(value: Any) -> Hashable:
    """Return something hashable that is equal where type and value of two arguments are."""
    key = value_key(value, _special)
    try:
        hash(key)
    except TypeError:
        raise Unknown from None
    return key


def _special(value: Any) -> Hashable | None:
    if isinstance(value, set):
        return type(value), frozenset(map(frozen, value))
    return (type(value), *_array(value)) if name_of(value) is not None else None


def _array(value: Any) -> tuple[Hashable, ...]:
    name = name_of(value)
    assert name is not None  # for the type checker: the caller looked
    native, backend = (value._data if isinstance(value, Array) else value), load(name)
    if backend.lazy is not None:
        raise Unknown  # a look for the sake of speed
    try:
        values = backend.to_numpy(native)
        # A digest, so that what is remembered doesn't keep every array alive.
        digest = importlib.import_module("hashlib").sha256(values.tobytes()).digest()
    except Exception:
        raise Unknown from None  # traced arrays have no values yet
    return name, backend.dtype_of(native), backend.device_of(native), values.shape, digest


class Cache:
    """The results of one function, at most `max_size` of them."""

    def __init__(self, max_size: int) -> None:
        """Start empty."""
        self._max_size = max_size
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = new_lock()

    def call(self, function: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
        """Return what is known for the arguments, else call the function and remember."""
        try:
            key = frozen(args), frozenset((name, frozen(v)) for name, v in kwargs.items())
        except Unknown:
            return function(*args, **kwargs)
        with self._lock:
            known: Any = self._results.get(key, _NOTHING)
            if known is not _NOTHING:
                self._results.move_to_end(key)
                return known
        # Outside the lock: the function may call itself.
        result = function(*args, **kwargs)
        with self._lock:
            self._results[key] = result
            self._results.move_to_end(key)
            if len(self._results) > self._max_size:
                self._results.popitem(last=False)
        return result
