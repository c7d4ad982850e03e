"""The graph compiler: traces a function once, and keeps the calls that contribute to its result."""

from arrayapi_unify.backends._common.algorithms.graph_values import GraphError
from arrayapi_unify.graph._compile import compile_graph
from arrayapi_unify.graph._graph import Graph
from arrayapi_unify.graph._nests import Node

__all__ = ["Graph", "GraphError", "Node", "compile_graph"]
