"""A library's own function where it is nearly always right, and how to tell when it isn't."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["InPlaceKernel", "FastKernel"]


@dataclass(frozen=True)
class FastKernel:
    """What binding calls instead of a native function that bears this as its `fast_kernel`.

    It is called with the arrays, and with scalars beside them, where nothing optional was given.
    If it raises, the native function is called after all.
    """

    call: Callable[..., Any]
    dtype: Any = None
    """The native data type of results that are surely right; None: all are."""
    fix_up: Callable[..., Any] | None = None
    """Takes a result of another data type and the arguments; returns the right result."""


@dataclass(frozen=True)
class InPlaceKernel:
    """A library's own in-place operation, where binding may call it without a native function.

    That is for an array of a certain data type and another one, if neither is an alias of memory
    of others nor followed. If it raises, nothing was written, and the native function is called.
    """

    call: Callable[..., Any]
    dtype: Any
    """The native data type of the array that is written to."""
    base: str
    """The name of the attribute that is None for arrays that are no windows."""
