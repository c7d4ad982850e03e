"""What a backend's `_control_flow` module has, if its framework traces loops and branches.

All of it takes and returns native arrays in flat tuples; nests are the business of `functional`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from arrayapi_unify.backends._common.gradients import Function, Natives

__all__ = ["ControlFlow", "Step"]

Step: TypeAlias = Callable[[Natives, Natives], tuple[Natives, Natives]]
"""What goes round, and the rows of this step -> what goes round, and what is kept of the step."""


class ControlFlow(Protocol):
    """How a framework takes loops and branches as operations of its own."""

    TRACES_BRANCHES_FIRST: bool
    """Whether a branch is also called outside of the operation, which can't tell what it gives."""

    def lowers_control_flow(self) -> bool:
        """Whether the framework is tracing without values, so that loops should be operations."""

    def is_known(self, truth: Any) -> bool:
        """Whether the value of an array of bool without dimensions can be asked for."""

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
