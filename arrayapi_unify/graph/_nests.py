"""Arguments and results as flat lists of arrays, and the structure around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arrayapi_unify import backends
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify.array_object import Array

__all__ = ["Leaf", "flatten", "holds_array", "unflatten"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """The placeholder of an array: an Array, or a native one."""

    wrapped: bool


def is_array(value: Any) -> bool:
    """Return True if a value is an array, ours or a library's."""
    return isinstance(value, Array) or backends.name_of(value) is not None


def holds_array(value: Any) -> bool:
    """Return True if an argument is or holds an array; a Container always counts."""
    if isinstance(value, list | tuple):
        return any(map(holds_array, value))
    return is_array(value) or isinstance(value, Nested)


def flatten(value: Any, leaves: list[Any]) -> Any:
    """Append the arrays of a nest to `leaves`; return the nest with a `Leaf` for each."""
    if isinstance(value, Nested):
        parts, keys = value._flatten_node()
        return type(value), keys, [flatten(part, leaves) for part in parts]
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([flatten(part, leaves) for part in value]) if kind is list else (
            tuple, None, [flatten(part, leaves) for part in value]
        )  # fmt: skip
    if kind is dict:
        return {key: flatten(part, leaves) for key, part in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind, None, [flatten(part, leaves) for part in value]
    if is_array(value):
        leaves.append(value)
        return Leaf(isinstance(value, Array))
    return value


def unflatten(structure: Any, leaves: Iterator[Any]) -> Any:
    """Build a nest with the next arrays in it."""
    kind = type(structure)
    if kind is Leaf:
        return next(leaves)
    if kind is tuple:
        made, keys, parts = structure
        found = [unflatten(part, leaves) for part in parts]
        if made is tuple:
            return tuple(found)
        return made(*found) if keys is None else made._unflatten_node(keys, found)
    if kind is list:
        return [unflatten(part, leaves) for part in structure]
    if kind is dict:
        return {key: unflatten(part, leaves) for key, part in structure.items()}
    return structure
