"""A graph with another backend's functions: replays the calls of our functions there."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify import backends
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.operators import ARITHMETIC
from arrayapi_unify.backends._common.algorithms.graph_values import GraphError, Ref, map_values
from arrayapi_unify.binding import binding_of
from arrayapi_unify.graph._nests import flatten, unflatten

if TYPE_CHECKING:
    from arrayapi_unify.graph._graph import Graph
    from arrayapi_unify.graph._nests import Call

__all__ = ["IN_PLACE", "Ported", "Replay"]

IN_PLACE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    f"i{function}": getattr(operator, f"i{name}") for name, function in ARITHMETIC.items()
}


class Replay:
    """The calls of our functions in a graph, replayed on a backend."""

    def __init__(self, graph: Graph, backend: str, purpose: str) -> None:
        """Store the calls of a graph; raise for native functions without an equivalent."""
        self.backend = backend
        self._origin = graph.backend
        self._wrapped = graph._wrapped_results
        self._result = graph._result
        calls: Sequence[Call] = graph._trace.calls()
        self._arguments, results = graph._trace.ends()
        missing = sorted({call.native for call in calls if call.native is not None})
        if missing:
            raise GraphError(
                f"{purpose}: the graph calls functions of {graph.backend} that no function of "
                f"ours stands for: {', '.join(missing)}; write them with functions of "
                f"arrayapi_unify"
            )
        self.calls = [self._with_constants(call) for call in calls]
        self._results = [self._constant(result) for result in results]

    def _with_constants(self, call: Call) -> Call:
        portable = call.portable
        assert portable is not None
        args = map_values(portable.args, self._constant)
        kwargs = map_values(portable.kwargs, self._constant)
        return type(call)(type(portable)(portable.name, args, kwargs), None, call.outputs)

    def _constant(self, value: Any) -> Any:
        """Return a captured array as one of this backend."""
        origin = None if isinstance(value, Ref) else backends.name_of(value)
        if origin is None:
            return value
        native = value._data if isinstance(value, Array) else value
        values = backends.load(origin).to_numpy(native)
        return binding_of(self.backend).functions["asarray"](values, copy=True)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Make the calls."""
        leaves: list[Any] = []
        flatten((args, kwargs), leaves)
        return self.of(leaves)

    def of(self, leaves: Sequence[Any]) -> Any:
        """Make the calls, with flat arrays."""
        binding = binding_of(self.backend)
        known: dict[int, Any] = {}
        for number, leaf in zip(self._arguments, leaves, strict=True):
            known[number] = leaf if isinstance(leaf, Array) else binding.wrap(leaf)

        def value(part: Any) -> Any:
            return known[part.number] if type(part) is Ref else part

        for call in self.calls:
            assert call.portable is not None
            result = self._run(call.portable.name, *map_values(
                (call.portable.args, call.portable.kwargs), value))  # fmt: skip
            parts = result if isinstance(result, tuple | list) else (result,)
            if len(call.outputs) == len(parts):
                known.update(zip(call.outputs, parts, strict=True))
        results = [value(part) for part in self._results]
        given = [x if ours else x.data for x, ours in zip(results, self._wrapped, strict=True)]
        return unflatten(self._result, iter(given))

    def _run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if name in IN_PLACE:
            return IN_PLACE[name](*args)
        if name == "set_item":
            operator.setitem(*args)
            return args[0]
        return binding_of(self.backend).functions[name](*args, **kwargs)


class Ported:
    """A graph for another backend, returned by `Graph.to_backend`: a function of its arrays."""

    def __init__(self, graph: Graph, backend: Any) -> None:
        """Store the calls of a graph."""
        self.backend = backends.known("to_backend", backend)
        self._graph = graph
        self._replay = Replay(graph, self.backend, "to_backend")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Make the calls."""
        leaves: list[Any] = []
        structure = flatten((args, kwargs), leaves)
        self._graph._check_structure(structure)
        for i, leaf in enumerate(leaves):
            self._graph._check(i, leaf, binding_of(self.backend))
        return self._replay.of(leaves)

    def __repr__(self) -> str:
        names = [call.portable.name for call in self._replay.calls if call.portable]
        return f"<graph on {self.backend}: {', '.join(names)}>"
