"""Classes of users that are nests: the registered ones, and objects of these, taken apart."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from arrayapi_unify.errors import describe, raise_type_error, raise_value_error

__all__ = ["REGISTERED", "Flat", "Registration", "Rest", "fields_of", "taken_apart", "tell"]


class Registration(NamedTuple):
    """The functions that take objects of a class apart, and make them again."""

    flatten: Callable[[Any], tuple[Iterable[Any], Any]]
    unflatten: Callable[[Any, tuple[Any, ...]], Any]
    names: tuple[str, ...] | None = None
    """The names of the children, if they are fields."""


REGISTERED: Final[dict[type, Registration]] = {}


class Rest:
    """Part of an object that a library's registration keeps, without arrays; compared by value."""

    __slots__ = ("made_by", "value")

    def __init__(self, value: Any, made_by: Any = None) -> None:
        """Keep a value, and what the library makes objects by."""
        self.value, self.made_by = value, made_by

    def __eq__(self, other: object) -> bool:
        """Compare the values, which hold no arrays."""
        return isinstance(other, Rest) and bool(self.value == other.value)

    def __hash__(self) -> int:
        """Refuse arrays; lists and dicts are as good as tuples here."""
        waiting = [self.value]
        while waiting:
            value = waiting.pop()
            if hasattr(value, "__array__"):
                raise TypeError(f"unhashable type: {type(value).__qualname__!r}")
            if isinstance(value, list | tuple | dict):
                waiting += value.values() if isinstance(value, dict) else value
        return 0


class Flat(tuple[Any, ...]):
    """An object, taken apart: its children, with its class and the rest of it."""

    kind: type
    aux: Any

    @classmethod
    def of(cls, kind: type, aux: Any, children: Iterable[Any]) -> Flat:
        """Return the children of an object."""
        made = cls(children)
        made.kind, made.aux = kind, aux
        return made

    def is_like(self, other: Any) -> bool:
        """Return True for an object of the same class, with an equal rest."""
        return isinstance(other, Flat) and (other.kind, other.aux) == (self.kind, self.aux)


def taken_apart(value: Any) -> Flat:
    """Return an object of a registered class as its children."""
    kind = type(value)
    found = REGISTERED[kind].flatten(value)
    if not isinstance(found, Sequence) or len(found) != 2 or not isinstance(found[0], Iterable):
        raise_type_error(
            "register_nest", "flatten", f"returns {describe(found)} for a {kind.__qualname__}",
            "return a tuple of the children, which are iterable, and everything else",
        )  # fmt: skip
    return Flat.of(kind, found[1], found[0])


def tell(kind: type, register: Callable[..., None]) -> None:
    """Register a class with the trees of a library."""
    flatten, unflatten, names = REGISTERED[kind]

    def flat(x: Any) -> tuple[tuple[Any, ...], Any]:
        children, aux = flatten(x)
        children = tuple(children)
        return children, (aux, len(children))

    register(
        kind, flat, lambda rest, parts: unflatten(rest[0], tuple(parts)),
        lambda rest: names or tuple([f"[{i}]" for i in range(rest[1])]),
    )  # fmt: skip


def fields_of(
    cls: Any, data_fields: Sequence[str] | None, meta_fields: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of a dataclass's fields: data, and metadata."""
    name = "register_dataclass"
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        raise_type_error(
            name, "cls", f"is {describe(cls)}, no dataclass", "decorate it with @dataclass first"
        )
    if (data_fields is None) != (meta_fields is None):
        given, missing = ("data", "meta") if meta_fields is None else ("meta", "data")
        raise_type_error(
            name, f"{missing}_fields", f"is missing beside {given}_fields", "pass both, or neither"
        )
    for argument, names in (("data_fields", data_fields), ("meta_fields", meta_fields)):
        if names is not None and not isinstance(names, list | tuple):
            raise_type_error(name, argument, f"is {describe(names)}", "pass a list of names")
    made = [one for one in dataclasses.fields(cls) if one.init]
    if data_fields is None or meta_fields is None:
        static = {one.name for one in made if one.metadata.get("static", False)}
        data_fields = [one.name for one in made if one.name not in static]
        meta_fields = [one.name for one in made if one.name in static]
    known, named = [one.name for one in made], [*data_fields, *meta_fields]
    if set(map(type, named)) - {str} or sorted(named) != sorted(known):
        wrong = [one for one in (*known, *named) if one not in known or named.count(one) != 1]
        raise_value_error(
            name, "data_fields", f"and meta_fields don't name each field once: {wrong}",
            f"share out {sorted(known)} between them",
        )  # fmt: skip
    return tuple(data_fields), tuple(meta_fields)
