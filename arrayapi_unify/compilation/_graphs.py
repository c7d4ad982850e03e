"""Programs of a backend whose library compiles nothing: the graph of the call."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from arrayapi_unify.binding.contract import PACKAGE
from arrayapi_unify.compilation._calls import Leaves
from arrayapi_unify.compilation._programs import Program

__all__ = ["Graphed"]


class Graphed(Program):
    """The graph of a function, for one signature of shapes and data types."""

    def __init__(
        self,
        function: Callable[..., Any],
        leaves: Leaves,
        args: Sequence[Any],
        kwargs: dict[str, Any],
    ) -> None:
        """Wait for the call."""
        super().__init__(function, leaves, args, kwargs)
        self.by_shape = {}
        self._call = self._spelled("graphed", "x", [f"return {self._expression}"])
        self._graph: Callable[..., Any] | None = None

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays, of the same shapes and data types."""
        if self._graph is None:
            # It takes time to import, and the libraries that have a compiler need none of it.
            graphs: Any = importlib.import_module(f"{PACKAGE}.graph")
            self._graph = graphs.compile_graph(self._call, *leaves.arrays)
        return self._graph(*leaves.arrays)
