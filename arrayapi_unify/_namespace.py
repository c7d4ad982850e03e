"""The name of the type of bound namespaces; `_namespace.pyi` has their functions."""

from typing import Protocol

__all__ = ["Namespace"]


class Namespace(Protocol):
    """A namespace that is bound to a backend, for type hints.

    `x.__array_namespace__()` returns one, and modules such as `arrayapi_unify.numpy` are. Type
    checkers and editors know the signatures of its functions.

    Examples
    --------
    >>> def norm(xp: unify.Namespace, x: unify.Array) -> unify.Array:
    ...     return xp.sqrt(xp.sum(x * x))
    >>> x = unify.array([3.0, 4.0])
    >>> norm(x.__array_namespace__(), x)
    unify.array(5.)
    """
