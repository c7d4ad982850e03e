"""The protocols of a backend's `_compilation` module, if its library compiles functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

__all__ = ["Compilation", "Derived"]


class Compilation(Protocol):
    """The compilation of functions of flat native arrays by a library."""

    WHOLE: bool
    """True if compiled functions may return Arrays, nests and any other Python object."""

    def compiled(
        self, function: Callable[..., Any], dynamic: bool | None, **options: Any
    ) -> Callable[..., Any]:
        """Return the compiled function, which is traced when it is called.

        If `dynamic` is True, one program serves several shapes; None leaves it to the library.
        `options` are the library's own.
        """


class Derived(Compilation, Protocol):
    """The additional functions of a library whose compiler reads Python code (`WHOLE`)."""

    def derivatives(self) -> int:
        """Return how many derivatives this thread has computed outside of compiled functions."""

    def traceable(self, natives: Sequence[Any]) -> bool:
        """Return True if `traced` takes these arrays."""

    def traced(
        self, function: Callable[..., Any], natives: Sequence[Any], **options: Any
    ) -> Callable[..., Any]:
        """Return the function compiled for such arrays, including its derivatives.

        Tracing runs the function on arrays without values.
        """
