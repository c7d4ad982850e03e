"""`Graph`: the common interface of the four tracing engines."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final

from arrayapi_unify import backends
from arrayapi_unify._core.locks import lazy
from arrayapi_unify._core.value_keys import Same, value_key
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.formatting import table
from arrayapi_unify.backends._common.algorithms.graph_values import GraphError, is_traced
from arrayapi_unify.binding import binding_of
from arrayapi_unify.functional._carried import carried_in, lowered
from arrayapi_unify.functional._transforms import admitted
from arrayapi_unify.graph import _render
from arrayapi_unify.graph._nests import Leaf, Node, flatten, unflatten
from arrayapi_unify.graph._portable import Ported, Replay
from arrayapi_unify.views import writes
from arrayapi_unify.views.traced import ArgumentLayout, argument_layout, is_known, reaches

__all__ = ["Graph"]

_NOTHING: Final = object()
# The limit of traces for different memory layouts of the arguments.
_WAYS: Final = 16


class Graph:
    """A traced function: `unify.compile_graph` returns it, and it is called like the function.

    It takes arrays of the traced shapes and data types, and raises for others. It returns Arrays or
    native arrays as the function does. Two graphs are equal if their nodes, arguments and results
    are.

    Examples
    --------
    >>> x = unify.asarray([1.0, 2.0])
    >>> graph = unify.compile_graph(lambda x: unify.sum(x * x), x)
    >>> len(graph), graph(x)
    (2, unify.array(5.))
    """

    def __init__(
        self,
        function: Callable[..., Any],
        binding: Any,
        trace: Any,
        structure: Any,
        leaves: list[Any],
        results: tuple[Any, list[Any]],
        again: Callable[..., Graph],
    ) -> None:
        """Combine a trace with the structures around its arrays.

        `again` traces the function for arguments that share memory.
        """
        self._function = function
        self._again = again
        self._others: dict[Any, Graph] = {}
        self.backend: str = binding.name
        self._binding = binding
        self._trace = trace
        self._structure = structure
        # Structures of arrays alone compare faster by themselves.
        self._key_of = _itself if _holds_arrays_alone(structure) else _structure_key
        self._structure_key = self._key_of(structure)
        self._result, _ = results
        self._wrapped = [isinstance(leaf, Array) for leaf in leaves]
        self._wrapped_results = _wrapped_leaves(self._result)
        self._specs = [_spec(binding, leaf) for leaf in leaves]
        # The library's own form, which compares faster.
        self._own_specs = [_own_spec(leaf) for leaf in leaves]
        self.inputs: tuple[str, ...] = tuple(_names(function, structure, len(leaves)))
        self._run: Callable[..., Any] = self._first
        args, kwargs = structure[2]
        parts = args[2]
        self._flat = not kwargs and all(type(part) is Leaf for part in parts)
        self._count = len(leaves)
        self._single = self._flat and self._count == 1
        self._core: Callable[..., Any] | None = None

    # --- calls ------------------------------------------------------------------------------

    def __call__(self, first: Any = _NOTHING, /, *rest: Any, **kwargs: Any) -> Any:
        """Run the graph."""
        # One argument, the most common number, needs no tuple.
        if self._single and not rest and not kwargs and first is not _NOTHING:
            return self._run(first)
        args = () if first is _NOTHING else (first, *rest)
        if self._flat and len(args) == self._count and not kwargs:
            return self._run(*args)
        leaves: list[Any] = []
        structure = flatten(lowered("compile_graph", "args", (args, kwargs)), leaves)
        self._check_structure(structure)
        return self._run(*leaves)

    def _check_structure(self, structure: Any) -> None:
        if not _same(self._key_of(structure), self._structure_key):
            raise GraphError(
                f"compile_graph: in the graph of {', '.join(self.inputs)}: the arguments don't "
                f"have the traced structure, or the traced values of other arguments; trace "
                f"the function again"
            )

    def _first(self, *leaves: Any) -> Any:
        """Compile the graph at its first call."""
        self._run = self.exactly(self._slow) or self._slow
        return self._run(*leaves)

    def exactly(self, otherwise: Callable[..., Any]) -> Callable[..., Any] | None:
        """Return the function of the arrays alone; it calls `otherwise` unless they are as traced.

        Return None if more than classes, shapes and data types has to be checked.
        """
        reduced_precision = any(dtype in ("float16", "bfloat16") for _, dtype in self._specs)
        if self._trace.shares or (reduced_precision and any(self._wrapped_results)):
            return None
        return self._trace.fast(self._wrapped, self._result, otherwise)

    def _slow(self, *leaves: Any) -> Any:
        """Check the arguments individually, and run."""
        if any(map(is_traced, leaves)):
            return self._eagerly(leaves)
        if any(carried_in(leaf) is not None for leaf in leaves):
            self._check_structure(flatten(lowered("compile_graph", "args", (leaves, {})), []))
        leaves = admitted("compile_graph", "args", leaves)
        for i, leaf in enumerate(leaves):
            self._checked(i, leaf)
        if not self._trace.looks:
            return self._ran(leaves, None)
        if not self._known(leaves) or self._reached(leaves):
            return self._eagerly(leaves)
        layout = None
        if not self._trace.by_memory:
            layout = argument_layout(self._binding.backend, leaves, self._wrapped)
        return self._ran(leaves, None) if layout is None else self._for(layout, leaves)

    def _known(self, leaves: Sequence[Any]) -> bool:
        """Return True if a trace can depend on the memory layout of the arguments."""
        ours = [leaf for leaf in leaves if isinstance(leaf, Array)]
        if self._binding.backend.VIEW_EMULATION is True:
            return is_known(ours)
        through = all(map(self._binding.writes_through, ours))
        if not through:
            return False
        return self._trace.knows([x._data if isinstance(x, Array) else x for x in leaves])

    def _reached(self, leaves: Sequence[Any]) -> bool:
        """Return True if the call writes to an Array that the function also captures."""
        written = [leaves[i] for i in self._trace.written]
        return bool(written) and reaches(self._function, written)

    def _eagerly(self, leaves: Sequence[Any]) -> Any:
        """Call the function itself."""
        args, kwargs = unflatten(self._structure, iter(leaves))
        return self._function(*args, **kwargs)

    def _for(self, layout: ArgumentLayout, leaves: Sequence[Any]) -> Any:
        """Run the graph for arguments that share memory like these."""
        found = self._others.get(layout.key)
        if found is None:
            if len(self._others) >= _WAYS:
                return self._eagerly(leaves)
            given = list(leaves)
            found = self._again(self._function, self._binding, self._structure, given, layout)
            self._others[layout.key] = found
        return found._ran(leaves, layout)

    def _ran(self, leaves: Sequence[Any], layout: ArgumentLayout | None) -> Any:
        """Run the traced program."""
        if self._core is None:
            self._core = self._trace.core()
        if layout is not None:
            natives = layout.natives(leaves)
        else:
            natives = [x._data if isinstance(x, Array) else x for x in leaves]
        returned = self._core(*natives)
        count = len(self._wrapped_results)
        results, rest = returned[:count], returned[count:]
        for place, value in zip(self._trace.written, rest, strict=False):
            # On a library with immutable arrays, the argument gets its new data.
            writes.assign(leaves[place], value)
        roots = rest[len(self._trace.written) :]
        made = self._trace.returned(results, leaves, roots, self._wrapped_results)
        return unflatten(self._result, iter(made))

    def _checked(self, i: int, leaf: Any) -> None:
        """Raise for an argument that isn't as it was traced."""
        if type(leaf) is not self._binding.array or _own_spec(leaf) != self._own_specs[i]:
            self._check(i, leaf, self._binding)

    def _check(self, i: int, leaf: Any, binding: Any) -> None:
        """Raise for an argument that isn't as it was traced."""
        found = leaf.backend if isinstance(leaf, Array) else backends.name_of(leaf)
        if found != binding.name:
            kind = type(leaf).__name__ if found is None else f"an array of {found}"
            raise GraphError(
                f"compile_graph: argument {self.inputs[i]!r} is {kind}, not an array of "
                f"{binding.name}; convert the array with unify.to_backend, or the graph with "
                f"graph.to_backend"
            )
        shape, dtype = self._specs[i]
        given = _spec(binding, leaf)
        if given != (shape, dtype):
            raise GraphError(
                f"compile_graph: argument {self.inputs[i]!r} has shape {given[0]} and data type "
                f"{given[1]}, but {shape} and {dtype} were traced; trace the function again with "
                f"such an array"
            )

    # --- contents ---------------------------------------------------------------------------

    @lazy
    def _shown(self) -> tuple[tuple[Node, ...], tuple[str, ...]]:
        return self._trace.nodes(list(self.inputs))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The calls, in order of execution."""
        return self._shown[0]

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the results."""
        return self._shown[1]

    @property
    def code(self) -> str:
        """Equivalent source for native arrays."""
        return self._trace.code(list(self.inputs))

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.nodes)

    def _key(self) -> Any:
        where = {name: f"<{i}>" for i, name in enumerate(self.inputs)}
        results = tuple(where.get(name, name) for name in self.outputs)
        return self.backend, self._specs, self.nodes, results

    def __eq__(self, other: object) -> bool:
        """Return True if both graphs have the same nodes, arguments and results."""
        if not isinstance(other, Graph):
            return NotImplemented
        return bool(self._key() == other._key())

    def __hash__(self) -> int:
        return hash((self.backend, tuple(node.name for node in self.nodes)))

    def __repr__(self) -> str:
        lines = [f"    {node!r}" for node in self.nodes]
        head = f"Graph({', '.join(self.inputs)}) on {self.backend}:"
        return "\n".join([head, *lines, f"    return {', '.join(self.outputs)}"])

    def _repr_html_(self) -> str:
        """Return a table of the nodes, for notebooks."""
        caption = f"Graph({', '.join(self.inputs)}) on {self.backend}"
        rows = [(", ".join(n.outputs), n.name, ", ".join(n.inputs)) for n in self.nodes]
        rows.append(("return", "", ", ".join(self.outputs)))
        return table(caption, ("result", "function", "arguments"), rows)

    # --- copies -----------------------------------------------------------------------------

    def __copy__(self) -> Graph:
        """Return the graph itself, which is immutable."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        """Return the graph itself: like a function, it refers to outside arrays."""
        return self

    def __reduce__(self) -> Any:
        """Pickle the calls of our functions, with outside arrays by value."""
        replay = Replay(self, self.backend, "pickle")
        return _loaded, (replay, self._structure, self._specs, self._wrapped, self.inputs)

    # --- drawings ---------------------------------------------------------------------------

    def to_mermaid(self) -> str:
        """Return the graph as a Mermaid flowchart, which many web pages render."""
        return _render.mermaid(self.inputs, self.nodes, self.outputs)

    def to_svg(self) -> str:
        """Return a drawing of the graph, from top to bottom."""
        return _render.svg(self.inputs, self.nodes, self.outputs)

    def _repr_svg_(self) -> str:
        """Show the drawing in notebooks."""
        return self.to_svg()

    def show(self) -> Any:
        """Show the drawing in a notebook; otherwise print the graph."""
        _render.show(self)

    def to_backend(self, backend: Any, /) -> Any:
        """Return the function with another backend's functions, for arrays of that backend.

        Parameters
        ----------
        backend
            Name or namespace of a backend.

        Returns
        -------
        A function like `self`.

        Raises
        ------
        GraphError
            If the graph has native calls without an equivalent function of ours. The error lists
            them.
        """
        return Ported(self, backend)


def _loaded(
    replay: Replay, structure: Any, specs: list[Any], wrapped: list[bool], inputs: tuple[str, ...]
) -> Graph:
    """Trace the calls of a pickled graph."""
    compiling: Any = importlib.import_module(f"{__package__}._compile")  # which imports this module
    binding = binding_of(replay.backend)
    zeros = [binding.functions["zeros"](shape, dtype=dtype) for shape, dtype in specs]
    leaves = [x if ours else x._data for x, ours in zip(zeros, wrapped, strict=True)]
    graph: Graph = compiling.traced(replay, binding, structure, leaves)
    graph.inputs = inputs
    return graph


def _spec(binding: Any, leaf: Any) -> tuple[tuple[int, ...], str]:
    native = leaf._data if isinstance(leaf, Array) else leaf
    backend = binding.backend
    known = backend.as_dtype(native.dtype)
    return tuple(backend.shape_of(native)), str(known if known is not None else native.dtype)


def _own_spec(leaf: Any) -> tuple[Any, Any]:
    native = leaf._data if isinstance(leaf, Array) else leaf
    return native.shape, native.dtype


def _wrapped_leaves(structure: Any) -> list[bool]:
    """Return one bool for each array of a result: True for an Array."""
    found: list[bool] = []

    def visit(part: Any) -> None:
        if type(part) is Leaf:
            found.append(part.wrapped)
        elif type(part) is tuple:
            for one in part[2]:
                visit(one)
        elif isinstance(part, list | dict):
            for one in part.values() if isinstance(part, dict) else part:
                visit(one)

    visit(structure)
    return found


def _same(mine: Any, other: Any) -> bool:
    """Return True if two structures, or keys of these, are the same."""
    try:
        return bool(mine == other)
    except Exception:  # a value that can't be compared is different
        return False


def _itself(structure: Any) -> Any:
    return structure


def _holds_arrays_alone(part: Any) -> bool:
    """Return True if a structure has no other values, and only strings as names."""
    if type(part) is tuple:
        return all(map(_holds_arrays_alone, part[2]))
    if type(part) is list:
        return all(map(_holds_arrays_alone, part))
    if type(part) is dict:
        return all(type(key) is str for key in part) and _holds_arrays_alone([*part.values()])
    return type(part) is Leaf


def _structure_key(structure: Any) -> Any:
    """Return what distinguishes a structure from others, with its values besides the arrays."""

    def special(value: Any) -> Any:
        if isinstance(value, Array) or backends.name_of(value) is not None:
            return Same(value)  # in an object
        return value if type(value) is Leaf else None

    return value_key(structure, special)


def _names(function: Callable[..., Any], structure: Any, count: int) -> list[str]:
    """Name the arrays among the arguments: an argument that is an array by its parameter."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    args, kwargs = structure[2]
    found: list[str] = []
    plain = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    pairs = [(plain[i] if i < len(plain) else f"arg{i}", part) for i, part in enumerate(args[2])]
    for name, part in [*pairs, *kwargs.items()]:
        leaves = len(_wrapped_leaves(part))
        found += [name] if type(part) is Leaf else [f"{name}_{i}" for i in range(leaves)]
    return found[:count]
