"""`Container`: nested arrays that every function accepts."""

from arrayapi_unify.container._container import Container

__all__ = ["Container"]
