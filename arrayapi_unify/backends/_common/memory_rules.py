"""What backends say of memory: where a view is a copy after all, and where a write is refused."""

from __future__ import annotations

from typing import Any

__all__ = ["ReadOnlyError", "always"]


def always(*args: Any, **kwargs: Any) -> bool:
    """Say of a native function, as its `copies_when`, that its result never shares memory."""
    return True


class ReadOnlyError(ValueError):
    """A write to an array that NumPy makes read-only."""

    remedy = "write to a copy of it, asarray(x, copy=True)"

    def __init__(self) -> None:
        """Say what is wrong."""
        super().__init__("the array is read-only, as it is in NumPy")
