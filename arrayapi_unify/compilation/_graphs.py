"""Programs of a backend whose library has no compiler: the graph of the call."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from arrayapi_unify.compilation._call_key import Leaves, SourceBuilder, function_of
from arrayapi_unify.compilation._guards import GuardBuilder, GuardFailed
from arrayapi_unify.compilation._lru_cache import LRUCache
from arrayapi_unify.compilation._programs import Program
from arrayapi_unify.contracts.contract import PACKAGE

__all__ = ["GraphProgram"]


class GraphProgram(Program):
    """The graph of a function, for one signature of shapes and data types."""

    EXACT = True

    def __init__(
        self,
        function: Callable[..., Any],
        leaves: Leaves,
        args: Sequence[Any],
        kwargs: dict[str, Any],
    ) -> None:
        """Wait for the call."""
        super().__init__()
        self.by_shape = LRUCache()
        builder = SourceBuilder(leaves)
        call = builder.call(function, args, kwargs)
        self._call = builder.function("graphed", builder.parameters("x"), [f"return {call}"])
        self._graph: Any = None

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays, of the same shapes and data types."""
        if self._graph is None:
            # Imported lazily: the import takes time, and libraries with a compiler don't need it.
            graphs: Any = importlib.import_module(f"{PACKAGE}.graph")
            self._graph = graphs.compile_graph(self._call, *leaves.arrays)
        return self._graph(*leaves.arrays)

    def fast_path(self, guards: GuardBuilder) -> Callable[..., Any] | None:
        """Return a function of positional arguments alone."""
        found: Callable[..., Any] | None = self._graph.exactly(_vary)
        if found is None or not guards.lines:
            return found
        lines = [*guards.lines, f"return _graph({', '.join(guards.arrays)})"]
        return function_of("call", guards.parameters, lines, {**guards.names, "_graph": found})


def _vary(*arrays: Any) -> NoReturn:
    raise GuardFailed
