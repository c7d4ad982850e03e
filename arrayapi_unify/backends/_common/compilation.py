"""What a backend's `_compilation` module has, if its library compiles functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

__all__ = ["Compilation"]


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
