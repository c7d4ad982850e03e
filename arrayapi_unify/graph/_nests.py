"""Nests as flat lists of arrays with the structure around them, and the nodes that users see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arrayapi_unify import backends
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.registered import Flat
from arrayapi_unify._core.value_keys import state_key
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.graph_values import Portable
from arrayapi_unify.functional._carried import rebuilt
from arrayapi_unify.functional._traversal import is_nest, items, tree_unflatten

__all__ = ["Call", "Leaf", "Node", "flatten", "holds_array", "unflatten"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """The placeholder of an array: an Array, or a native one."""

    wrapped: bool


class Derived:
    """A nest of a class that is derived of list, tuple or dict, without what stands in it."""

    __slots__ = ("nest",)

    def __init__(self, nest: Any) -> None:
        """Keep what the class holds besides."""
        self.nest = tree_unflatten(nest, [(name, None) for name, _ in items(nest)])

    def __eq__(self, other: object) -> bool:
        """Return True for a nest of the same class that holds the same besides."""
        return isinstance(other, Derived) and self._key == other._key

    __hash__ = None  # type: ignore[assignment]  # it isn't needed

    @property
    def _key(self) -> Any:
        return type(self.nest), state_key(self.nest, lambda value: None)

    def _unflatten_node(self, names: Sequence[Any], parts: Sequence[Any]) -> Any:
        """Build such a nest, or an object."""
        if type(self.nest) is Flat:
            return rebuilt(self.nest.kind, self.nest.aux, tuple(parts))
        return tree_unflatten(self.nest, list(zip(names, parts, strict=True)))


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
    if is_nest(value):
        names, parts = zip(*items(value), strict=True) if value else ((), ())
        return Derived(value), names, [flatten(part, leaves) for part in parts]
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


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a function of ours, which each backend has, or of a native function."""

    portable: Portable | None
    native: str | None
    """The location of the native function, if it has no equivalent."""
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """One call of a function of the library's.

    Two nodes are equal if they have the same meaning, as a method, an operator and a function do.
    """

    name: str
    """The name of the operation: our function of the same meaning, otherwise the library's own."""
    function: str
    """The location of the function that is called."""
    inputs: tuple[str, ...]
    """The input values."""
    outputs: tuple[str, ...]
    """The output values."""
    meaning: Any
    """Everything that determines the result, in one hashable form for comparison."""

    def __eq__(self, other: object) -> bool:
        """Return True if both nodes have the same name and meaning."""
        if not isinstance(other, Node):
            return NotImplemented
        return self.name == other.name and self.meaning == other.meaning

    def __hash__(self) -> int:
        return hash((self.name, repr(self.meaning)))

    def __repr__(self) -> str:
        return f"{', '.join(self.outputs) or '_'} = {self.name}({', '.join(self.inputs)})"
