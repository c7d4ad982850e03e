"""Which native arrays can't share memory, so that views of them are followed.

A backend's `must_follow` is one of these, or asks the array.
"""

from __future__ import annotations

from typing import Any

__all__ = ["ReadOnlyError", "always", "never"]


class ReadOnlyError(ValueError):
    """A write to an array that NumPy makes read-only."""

    remedy = "write to a copy of it, asarray(x, copy=True)"

    def __init__(self) -> None:
        """Say what is wrong."""
        super().__init__("the array is read-only, as it is in NumPy")


def always(x: Any) -> bool:
    """Arrays of the library never change: every view has to be followed."""
    return True


def never(x: Any) -> bool:
    """Arrays of the library are windows onto memory: no view has to be followed."""
    return False
