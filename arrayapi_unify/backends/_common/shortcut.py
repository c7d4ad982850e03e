"""A library's own function where it is nearly always right, and how to tell when it isn't."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Shortcut"]


@dataclass(frozen=True)
class Shortcut:
    """What binding calls instead of a native function that bears this as its `shortcut`.

    It is called with the arrays, and with scalars beside them, where nothing optional was given.
    If it raises, the native function is called after all.
    """

    call: Callable[..., Any]
    dtype: Any = None
    """The native data type of results that are surely right; None: all are."""
    settle: Callable[..., Any] | None = None
    """Takes a result of another data type and the arguments; returns the right result."""
