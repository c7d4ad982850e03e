"""`compile_graph`: from a function and example arguments to a graph."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from arrayapi_unify import backends
from arrayapi_unify._core.failures import shorten
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import handler
from arrayapi_unify.backends._common.algorithms.graph_values import (
    GraphError,
    StandIn,
    is_traced,
)
from arrayapi_unify.backends._common.protocols.transformations import raise_not_compiled
from arrayapi_unify.binding import binding_of
from arrayapi_unify.errors import describe, raise_type_error
from arrayapi_unify.functional._carried import lowered
from arrayapi_unify.functional._held import refuse_held, refuse_holders
from arrayapi_unify.functional._hidden_state import refused_in
from arrayapi_unify.functional._transforms import admitted, native
from arrayapi_unify.graph._graph import Graph
from arrayapi_unify.graph._nests import flatten, unflatten
from arrayapi_unify.graph._patching import active, go_back
from arrayapi_unify.views.traced import ArgumentLayout

__all__ = ["compile_graph"]


def compile_graph(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Graph:
    """Trace a function once, and keep the calls that contribute to its results.

    The function may use our functions, methods and operators, the native ones of the backend, and
    any mixture. Printing, unused values and Python's control flow aren't in the graph. A write to
    an argument is in the graph, as in the function; the example arguments aren't modified.

    Parameters
    ----------
    fn
        Function of arrays, also in nests or Containers; it returns the same.
    *args
        Examples of its arguments. Values that aren't arrays are fixed.
    **kwargs
        Examples of its keyword arguments.

    Returns
    -------
    A `Graph`, which is called like the function, with arrays of the same shapes and data types.

    Raises
    ------
    GraphError
        If Python's control flow depends on values of the arrays, or if values leave the trace.

    References
    ----------
    B25, B26 and B28: graphs, graph nodes, graphs of matmul (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.asarray([1.0, 2.0])
    >>> graph = unify.compile_graph(lambda x: 2.0 * x + 1.0, x)
    >>> graph.nodes
    (v1 = multiply(x), v2 = add(v1))
    >>> graph(x)
    unify.array([3., 5.])
    """
    if not callable(fn):
        raise_type_error("compile_graph", "fn", f"is {describe(fn)}", "pass a function")
    leaves: list[Any] = []
    given = lowered("compile_graph", "args", (args, kwargs))
    given = admitted("compile_graph", "args", given)
    refuse_holders("compile_graph", given)
    structure = flatten(given, leaves)
    binding = binding_of(_backend(leaves))
    try:
        return traced(fn, binding, structure, [_known(binding, leaf) for leaf in leaves])
    except Exception as error:
        shorten(error)
        raise


def traced(
    fn: Callable[..., Any],
    binding: Any,
    structure: Any,
    leaves: list[Any],
    layout: ArgumentLayout | None = None,
) -> Graph:
    """Trace a function for arguments of the given memory layout, by default separate."""
    engine = _engine(binding.name)
    found: list[Any] = []
    shape: list[Any] = []

    def is_inside(x: Any) -> bool:
        return isinstance(x, StandIn) or binding.backend.tracer_of(x) is not None

    def call(given: list[Any]) -> list[Any]:
        positional, named = unflatten(structure, iter(given))
        ret = fn(*positional, **named)
        ret = lowered("compile_graph", "fn", ret, returned=True)
        refuse_held("compile_graph", "fn", ret, is_inside)
        shape.append(flatten(ret, found))
        for leaf in found:
            if not is_inside(native(leaf)):
                handler.check_backend("compile_graph", "fn", leaf, binding.name)
        return found

    before = active.trace
    outside, inside = (before.recorder, before.recorder.inside) if before else (None, False)
    if outside is not None:  # it records nothing meanwhile
        outside.inside = True
    try:
        with refused_in("compile_graph"):
            trace = engine.trace(binding, call, leaves, layout)
    except Exception as error:
        refused = _refusal(error)
        try:
            if refused is None or refused is error:
                raise
            raise refused from error  # NumPy replaces our error by its own
        finally:
            del refused
    finally:
        if outside is not None:
            outside.inside = inside
        go_back(before)
    return Graph(fn, binding, trace, structure, leaves, (shape[0], found), traced)


def _known(binding: Any, leaf: Any) -> Any:
    """Return an example in place of an array that another trace records."""
    if not is_traced(leaf):
        return leaf
    return binding.wrap(leaf._data.shown) if isinstance(leaf, Array) else leaf.shown


def _backend(leaves: list[Any]) -> str:
    """Return the backend of the arrays, or the one that is set."""
    names = {leaf.backend if isinstance(leaf, Array) else backends.name_of(leaf) for leaf in leaves}
    if len(names) > 1:
        raise GraphError(
            f"compile_graph: the arguments are arrays of {' and '.join(sorted(map(str, names)))}; "
            f"convert them to one backend with unify.to_backend"
        )
    return str(names.pop()) if names else handler.choose("compile_graph", ())


def _refusal(error: BaseException) -> GraphError | None:
    """Return our error that caused another one."""
    found: BaseException | None = error
    for _ in range(10):
        if found is None or isinstance(found, GraphError):
            return found
        found = found.__cause__ or found.__context__
    return None


def _engine(name: str) -> Any:
    """Return the tracing module of a backend."""
    module = backends.file_of(name, "graph")
    if module is None:
        raise_not_compiled("compile_graph", name)
    if not module.TRACES_EAGERLY:
        return importlib.import_module(f"{__package__}._abstract").AbstractTracer(module)
    live = importlib.import_module(f"{__package__}._eager").EagerTrace
    return _EagerTracer(module, live)


class _EagerTracer:
    """Traces by running."""

    def __init__(self, module: Any, kind: Any) -> None:
        self._module = module
        self._kind = kind

    def trace(self, binding: Any, call: Any, leaves: list[Any], layout: None) -> Any:
        """Trace."""
        backends.register_wrapper(self._module.STAND_IN, binding.name)
        return self._kind(binding, self._module, call, leaves)
