"""Keys by which values are equal only if no program could tell them apart.

Python's own equality takes 1, 1.0 and True for one value, 0.0 and -0.0, and objects that hold
these.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from types import BuiltinMethodType, MethodType, WrapperDescriptorType
from typing import Any, Final

__all__ = ["Same", "state_key", "value_key"]

# Types whose equal values are alike.
_ALIKE: Final = frozenset({bool, int, str, bytes, type(None), MethodType, BuiltinMethodType})
_PLAIN: Final = frozenset({list, tuple, dict, frozenset, slice})


class Same:
    """A key that equals only itself, of an object that stays alive with it."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        """Hold the object."""
        self.value = value

    def __eq__(self, other: object) -> bool:
        """Return True for the same object."""
        return isinstance(other, Same) and other.value is self.value

    def __hash__(self) -> int:
        """Return a hash of the identity."""
        return id(self.value)


Special = Callable[[Any], Hashable | None]


def value_key(value: Any, special: Special, inside: tuple[Any, ...] = ()) -> Hashable:
    """Return a key of a value, which isn't hashable if the value isn't; a list or a dict is.

    Objects that compare by identity are their own keys. The keys of others contain their types and
    the keys of all that they hold. `special` returns the keys of values that it knows, else None.
    """
    kind: Any = type(value)
    if kind in _ALIKE:
        return kind, value
    if isinstance(value, float | complex):
        return kind, repr(value)  # distinguishes zeros, and equals itself for NaN
    found = special(value)
    if found is not None:
        return found
    if kind.__eq__ is object.__eq__:
        return kind, value
    if any(value is one for one in inside):
        return kind, Same(value)
    inside = (*inside, value)
    members = _members(value)
    if members is None:
        state = state_key(value, special, inside)
        by_state = kind.__hash__ is not None and dataclasses.is_dataclass(value)
        return (kind, state) if by_state else (kind, state, _spelled(value))
    parts = frozenset if isinstance(value, frozenset) else tuple
    key = kind, parts([value_key(one, special, inside) for one in members])
    return key if kind in _PLAIN else (*key, state_key(value, special, inside))


def _members(value: Any) -> list[Any] | None:
    """Return the members of a collection, the items of a dict as pairs; None of other values."""
    if isinstance(value, list | tuple | frozenset):
        return list(value)
    if isinstance(value, dict):
        return list(value.items())
    return [value.start, value.stop, value.step] if isinstance(value, slice) else None


def state_key(value: Any, special: Special, inside: tuple[Any, ...] = ()) -> Hashable:
    """Return the key of an object's attributes; what isn't hashable among them is its own."""
    found = []
    for name, one in _attributes(value):
        key = value_key(one, special, inside)
        try:
            hash(key)
        except TypeError:
            key = Same(one)
        found.append((name, key))
    return tuple(found)


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the attributes of an object for which it, or its class, has a place."""
    yield from getattr(value, "__dict__", {}).items()
    for owner in type(value).__mro__:
        slots = vars(owner).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name.startswith("__"):
                if name.endswith("__"):  # the dict, or weak references
                    continue
                name = f"_{owner.__name__.lstrip('_')}{name}"
            with suppress(AttributeError):
                yield name, object.__getattribute__(value, name)
    with suppress(AttributeError):
        yield "default_factory", value.default_factory  # of `defaultdict`


def _spelled(value: Any) -> Hashable:
    """Return an object by its value, with its source where the class is written in C.

    Such an object has no attributes: a `Decimal` or one of NumPy's numbers.
    """
    own = type(value).__repr__
    if not isinstance(own, WrapperDescriptorType) or own is object.__repr__:
        return value
    return (value, repr(value)) if value == value else repr(value)  # NaN isn't equal to itself
