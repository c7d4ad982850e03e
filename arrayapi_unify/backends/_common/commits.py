"""Several writes as one step: nothing interrupts it, and no other thread has a turn."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable
from itertools import starmap
from typing import Any

__all__ = ["commit", "each"]


def commit(calls: Iterable[tuple[Any, ...]]) -> None:
    """Call functions that aren't written in Python: each is the first of a tuple.

    Python looks for signals, and for other threads, between the instructions of its own code only.
    """
    deque(starmap(operator.call, calls), maxlen=0)


def each(function: Callable[..., Any], *columns: Iterable[Any]) -> None:
    """Call one function that isn't written in Python for each row, as `commit` does."""
    deque(map(function, *columns), maxlen=0)
