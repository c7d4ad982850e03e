"""The error of this layer."""

from arrayapi_unify.backends._common.algorithms.graph_values import GraphError

__all__ = ["GraphError"]
