"""Sizes that this machine's memory can't hold, refused before a loop or a library dies of them."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Sequence
from typing import Final

from arrayapi_unify.errors import raise_value_error

MANY: Final = 2**24
"""The number of elements from which on a check is worthwhile that memory holds them."""


# If the system doesn't tell: more than any machine has today.
_MOST: Final = 2**44


# With 16 bytes each, their size in bytes still fits 64 bits.
_ADDRESSED: Final = 2**58


def check_addressed(function: str, argument: str, shape: Sequence[int]) -> None:
    """Raise for a shape of more elements than have an address: XLA would end the process."""
    count = math.prod(shape)
    if type(count) is int and count > _ADDRESSED:  # JAX exports functions of symbolic sizes
        raise_value_error(
            function, argument, f"is {shape}, of more elements than a memory has addresses",
            "pass smaller sizes",
        )  # fmt: skip


@functools.cache
def memory() -> int:
    """Return how many bytes of memory the machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return _MOST


def check_whole(function: str, axes: int, count: int, limit: int, setting: str) -> None:
    """Refuse an array of which axes are needed whole, and take more bytes than a limit."""
    if count > limit:
        raise_value_error(
            function, "x", f"is needed whole along {axes} axes, which takes {count} bytes of a "
            f"worker's memory, and the limit is {limit}",
            f"compute on fewer elements, or raise the limit: {setting}",
        )  # fmt: skip


def check_held(function: str, argument: str, value: object, count: int, each: int = 8) -> None:
    """Refuse an argument that asks for `count` elements of `each` bytes, if they can't be held."""
    if count > MANY and count * each > memory():  # compilers trace no look at the machine
        raise_value_error(
            function, argument,
            f"is {value}, which takes {count} elements: more than the memory of this machine",
            "pass a smaller one",
        )  # fmt: skip
