"""A library's own function where it is nearly always right, and how to tell when it isn't."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["InPlaceKernel", "FastKernel"]


@dataclass(frozen=True)
class FastKernel:
    """The function that binding calls before the native function whose `fast_kernel` it is.

    It gets the arrays and scalars of calls without optional arguments. If it raises, the native
    function is called.
    """

    call: Callable[..., Any]
    dtype: Any = None
    """The native data type of results that are surely right; None: all are."""
    fix_up: Callable[..., Any] | None = None
    """Takes a result of another data type and the arguments; returns the right result."""


@dataclass(frozen=True)
class InPlaceKernel:
    """A library's own in-place operation, where binding may call it without a native function.

    It serves an array of one data type and a second array, if neither is an alias of other arrays'
    memory or has emulated views. If it raises, nothing was written, and the native function is
    called.
    """

    call: Callable[..., Any]
    dtype: Any
    """The native data type of the array that is written to."""
    base: str
    """The name of the attribute that is None for arrays that are no aliases."""
