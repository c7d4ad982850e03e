"""The registry of constraints, by function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.differential.arguments import Drawer

__all__ = ["CONSTRAINTS", "Arguments", "constrain"]

Arguments = dict[str, Any]
Constraint = Callable[["Drawer"], Arguments]
CONSTRAINTS: Final[dict[str, Constraint]] = {}


def constrain(*functions: str) -> Callable[[Constraint], Constraint]:
    """Register a constraint of these functions."""

    def register(constraint: Constraint) -> Constraint:
        CONSTRAINTS.update(dict.fromkeys(functions, constraint))
        return constraint

    return register
