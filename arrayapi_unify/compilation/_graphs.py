"""Programs of a backend whose library compiles nothing: the graph of the call."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from arrayapi_unify.binding.contract import PACKAGE
from arrayapi_unify.compilation._calls import Leaves, SourceBuilder, function_of
from arrayapi_unify.compilation._kept import Kept
from arrayapi_unify.compilation._programs import Program
from arrayapi_unify.compilation._reading import Reading, Varies

__all__ = ["Graphed"]


class Graphed(Program):
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
        self.by_shape = Kept()
        builder = SourceBuilder(leaves)
        call = builder.call(function, args, kwargs)
        self._call = builder.function("graphed", builder.parameters("x"), [f"return {call}"])
        self._graph: Any = None

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays, of the same shapes and data types."""
        if self._graph is None:
            # It takes time to import, and the libraries that have a compiler need none of it.
            graphs: Any = importlib.import_module(f"{PACKAGE}.graph")
            self._graph = graphs.compile_graph(self._call, *leaves.arrays)
        return self._graph(*leaves.arrays)

    def short(self, reading: Reading) -> Callable[..., Any] | None:
        """Return a function of positional arguments alone."""
        found: Callable[..., Any] | None = self._graph.exactly(_vary)
        if found is None or not reading.lines:
            return found
        lines = [*reading.lines, f"return _graph({', '.join(reading.arrays)})"]
        return function_of("call", reading.parameters, lines, {**reading.names, "_graph": found})


def _vary(*arrays: Any) -> NoReturn:
    raise Varies
