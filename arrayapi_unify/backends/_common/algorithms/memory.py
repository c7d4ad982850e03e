"""Memory: the host's bytes, writes in one step and in place, results that are always copies."""

from __future__ import annotations

import importlib
import operator
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable
from itertools import starmap
from pathlib import Path
from typing import Any

from arrayapi_unify.dtypes import DType, same_kind


def _meminfo() -> dict[str, int]:
    """Return Linux's counters; empty elsewhere."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return {}
    return {line.partition(":")[0]: int(line.split()[1]) * 1024 for line in lines}


def total() -> int:
    """Return how much memory the machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def used(process_specific: bool) -> int:
    """Return how much is in use, by everybody or by this process."""
    if process_specific:
        return _of_this_process()
    available = _meminfo().get("MemAvailable")
    if available is None:
        available = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    return total() - available


def _of_this_process() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        # The most it ever had is all that POSIX tells; macOS counts bytes, others kilobytes.
        resource = importlib.import_module("resource")  # missing on Windows
        peak: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")


def commit(calls: Iterable[tuple[Any, ...]]) -> None:
    """Call functions that aren't written in Python: each is the first of a tuple.

    Python looks for signals, and for other threads, between the instructions of its own code only.
    """
    deque(starmap(operator.call, calls), maxlen=0)


def each(function: Callable[..., Any], *columns: Iterable[Any]) -> None:
    """Call one function that isn't written in Python for each row, as `commit` does."""
    deque(map(function, *columns), maxlen=0)


def always(*args: Any, **kwargs: Any) -> bool:
    """Return True: the `copies_when` of native functions whose results never share memory."""
    return True


class ReadOnlyError(ValueError):
    """A write to an array that NumPy makes read-only."""

    remedy = "write to a copy of it, asarray(x, copy=True)"

    def __init__(self) -> None:
        """Say what is wrong."""
        super().__init__("the array is read-only, as it is in NumPy")


def uncastable(result: DType, stored: DType) -> str:
    """Return the message for a result that can't be cast to an array's data type."""
    return f"the result has dtype {result}, which can't be cast to the array's dtype {stored}"


def derived(
    native: Callable[..., Any],
    shape_of: Callable[[Any], tuple[int, ...]],
    dtype_of: Callable[[Any], DType],
    write: Callable[[Any, Any], Any],
) -> Callable[[Any, Any], Any]:
    """Make the function that computes and then stores, with x's shape and data type.

    It raises built-in exceptions: binding adds function, arguments and backend to the message.
    """

    def update(x: Any, y: Any) -> Any:
        result = native(x, y)
        source, target = dtype_of(result), dtype_of(x)
        if source is not target and not same_kind(source, target):
            raise TypeError(f"{uncastable(source, target)}; write x = x op y instead")
        if shape_of(result) != shape_of(x):
            raise ValueError(
                f"the result has shape {shape_of(result)}, the array {shape_of(x)}; "
                f"an in-place operation can't change an array's shape"
            )
        return write(x, result)

    return update
