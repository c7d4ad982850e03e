"""The protocol of a backend's `nn/_steps.py`: steps of optimizers for lists of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

__all__ = ["Lists", "Steps"]

Lists: TypeAlias = Sequence[Sequence[Any]]
"""The native arrays of several nests, such as weights and derivatives."""


class Steps(Protocol):
    """The steps that a library makes for lists of arrays in fewer calls than one by one."""

    STEPS: Mapping[str, Callable[..., Lists]]
    """By the names of contracts: the lists that one takes, and its options by keyword -> the lists
    that it returns, which are new arrays."""

    def fits(self, lists: Lists, scalars: Sequence[Any]) -> bool:
        """Return True if the steps take these lists, and these arrays for numbers.

        Nothing tracks or traces them.
        """
