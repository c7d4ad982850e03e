"""The protocol of a backend's `_control_flow` module, if its framework traces loops and branches.

All functions take and return native arrays in flat tuples; `functional` handles nests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from arrayapi_unify.backends._common.gradients import Function, Natives

__all__ = ["ControlFlow", "Step"]

Step: TypeAlias = Callable[[Natives, Natives], tuple[Natives, Natives]]
"""The carry, the rows of this step -> the next carry, the outputs of the step."""


class ControlFlow(Protocol):
    """Loops and branches as operations of a framework."""

    TRACES_BRANCHES_FIRST: bool
    """True if one branch is also called outside of the operation, to learn what it returns."""

    def lowers_control_flow(self) -> bool:
        """Return True if the framework traces without values, so that loops become operations."""

    def is_known(self, truth: Any) -> bool:
        """Return True if the value of a 0-d array of bool can be read."""

    def lowered_scan(
        self, step: Step, carry: Natives, xs: Natives, length: int, reverse: bool
    ) -> tuple[Natives, Natives]:
        """Run a loop over the first axes of arrays, at least one step."""

    def lowered_while(self, test: Callable[..., Any], step: Function, carry: Natives) -> Natives:
        """Run a loop as long as the test gives true."""

    def lowered_cond(
        self, truth: Any, true_fun: Function, false_fun: Function, operands: Natives
    ) -> Natives:
        """Call one of two functions, which give arrays of the same shapes and data types."""
