"""Rules of memory that backends share: results that are always copies, writes that are refused."""

from __future__ import annotations

from typing import Any

__all__ = ["ReadOnlyError", "always"]


def always(*args: Any, **kwargs: Any) -> bool:
    """Return True: the `copies_when` of native functions whose results never share memory."""
    return True


class ReadOnlyError(ValueError):
    """A write to an array that NumPy makes read-only."""

    remedy = "write to a copy of it, asarray(x, copy=True)"

    def __init__(self) -> None:
        """Say what is wrong."""
        super().__init__("the array is read-only, as it is in NumPy")
