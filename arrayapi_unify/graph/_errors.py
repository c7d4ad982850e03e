"""The error of this layer."""

from arrayapi_unify.backends._common.tracing import GraphError

__all__ = ["GraphError"]
