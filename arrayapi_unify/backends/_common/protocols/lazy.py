"""The protocol of a backend's `_lazy.py`: arrays that record how their values are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

__all__ = ["Lazy", "Rebuild", "forwarded", "rebuilding"]

Native = TypeVar("Native", bound=Callable[..., Any])
Rebuild: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A function that makes native arrays -> one that makes Arrays, and can be pickled as it can."""


class Lazy(Protocol):
    """The functions that the backend of a lazy library has beyond the others."""

    def compute(self, xs: Sequence[Any]) -> Sequence[Any]:
        """Compute lazy arrays in one pass; return arrays of a library that holds values.

        Users ask for it, so that it is no look (`arrayapi_unify._core.lazy_access`).
        """

    def known_shape(self, x: Any) -> tuple[int, ...]:
        """Compute the sizes that `shape_of` gives as None, and return the shape.

        It is a look. The sizes may be stored in the array, which then knows them.
        """

    def noting(self, native: Native) -> Native:
        """Return a native function of which the backend knows the results that are in use.

        A backend that has no use for that returns the function itself.
        """

    def summary(self, x: Any) -> str:
        """Return what `repr` shows in addition to shape and data type, such as `chunks=(2, 3)`.

        Nothing is computed.
        """

    def members(self, rebuild: Rebuild) -> Mapping[str, Any]:
        """Return the attributes that Arrays have beyond others, such as the library's protocols.

        `forwarded` and `rebuilding` make those for which the native array has the answer.
        """


def forwarded(*names: str) -> dict[str, Any]:
    """Return attributes of Arrays that are their native arrays' own."""
    return {name: property(_attribute(name)) for name in names}


def _attribute(name: str) -> Callable[[Any], Any]:
    return lambda self: getattr(self.data, name)


def rebuilding(rebuild: Rebuild, *names: str) -> dict[str, Any]:
    """Return methods of Arrays that give a function and its arguments, which make an Array.

    The method of the native array gives those that make a native one.
    """
    return {name: _rebuilding(rebuild, name) for name in names}


def _rebuilding(rebuild: Rebuild, name: str) -> Callable[..., Any]:
    def method(self: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        function, arguments = getattr(self.data, name)()
        return rebuild(function), arguments

    method.__name__ = method.__qualname__ = name
    return method
