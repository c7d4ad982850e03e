"""Compiled Modules: the program that replaces `_forward`.

A program is a function of everything that a call depends on: variables, buffers and arguments are
traced, and the modes of the layers are static. It returns the new buffers together with the result,
so that tracing doesn't modify the Module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arrayapi_unify.functional.compilation import compile
from arrayapi_unify.graph import Graph, GraphError, compile_graph

if TYPE_CHECKING:
    from arrayapi_unify.nn.core.module import Module

__all__ = ["compiled", "graphed"]

Program = Callable[..., Any]


def _program(module: Module) -> Program:
    """Return the function to trace."""

    def program(modes: Any, v: Any, buffers: Any, args: Any, kwargs: Any) -> Any:
        return module.stateless_call(v, buffers, *args, **kwargs)

    return program


def _inputs(module: Module, v: Any, args: Any, kwargs: Any) -> tuple[Any, ...]:
    """Return the arguments of a program."""
    modes = tuple(layer.training for layer in module.modules().values())
    variables, buffers = module._read("variables"), module._read("buffers")
    return modes, variables if v is None else v, buffers, args, kwargs


def _calling(program: Program) -> Program:
    """Return the function that a compiled Module calls."""

    def call(module: Module, v: Any, args: Any, kwargs: Any) -> Any:
        result, buffers = program(*_inputs(module, v, args, kwargs))
        if module.training and len(buffers):
            module.buffers = buffers
        return result

    return call


def compiled(module: Module, options: dict[str, Any]) -> Program:
    """Return the function of a Module that is compiled by the framework."""
    return _calling(compile(_program(module), **options))


def graphed(module: Module, args: Any, kwargs: Any) -> tuple[Graph, Program]:
    """Return the graph of one call, and the function that runs it for matching calls."""
    eager = _program(module)
    graph = compile_graph(eager, *_inputs(module, None, args, kwargs))

    def program(*inputs: Any) -> Any:
        try:
            return graph(*inputs)
        except GraphError:  # other shapes, data types or modes than traced
            return eager(*inputs)

    return graph, _calling(program)
