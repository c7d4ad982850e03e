"""What a backend's `_compilation` module has, if its library compiles functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

__all__ = ["Compilation", "Derived"]


class Compilation(Protocol):
    """How a library compiles functions of flat native arrays."""

    WHOLE: bool
    """Whether what is compiled may return Arrays, nests and all else that Python has."""

    def compiled(
        self, function: Callable[..., Any], dynamic: bool | None, **options: Any
    ) -> Callable[..., Any]:
        """Return the compiled function, which is traced when it is called.

        `dynamic` says whether one program should serve several shapes; None leaves it to the
        library. `options` are the library's own.
        """


class Derived(Compilation, Protocol):
    """What a library has as well whose compiler reads Python's code (`WHOLE`)."""

    def derivatives(self) -> int:
        """Return how many derivatives this thread has computed outside of what was compiled."""

    def traceable(self, natives: Sequence[Any]) -> bool:
        """Whether `traced` may be asked for these arrays."""

    def traced(
        self, function: Callable[..., Any], natives: Sequence[Any], **options: Any
    ) -> Callable[..., Any]:
        """Return the compiled function for such arrays, derivatives and all.

        The function runs, on arrays without values.
        """
