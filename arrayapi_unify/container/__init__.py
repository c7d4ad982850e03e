"""`Container`: nested arrays that go through every function."""

from arrayapi_unify.container._container import Container

__all__ = ["Container"]
