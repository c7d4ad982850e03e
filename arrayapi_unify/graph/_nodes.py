"""The nodes of a graph, as shown to users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arrayapi_unify.backends._common.algorithms.graph_values import Portable

__all__ = ["Call", "Node"]


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
