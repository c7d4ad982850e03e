"""The registry of constraints, by function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__ = ["CONSTRAINTS", "SHAPES", "Arguments", "constrain"]

Arguments = dict[str, Any]
Constraint = Callable[["CallBuilder"], Arguments]
CONSTRAINTS: Final[dict[str, Constraint]] = {}
SHAPES: Final[dict[str, tuple[tuple[int, ...], ...]]] = {
    "nn.lstm_update": ((1, 1), (1,), (1,), (1, 4), (1, 4)),
    "nn.gru_update": ((1, 1), (1,), (1, 3), (1, 3)),
    "nn.rnn_update": ((1, 1), (1,), (1, 1), (1, 1)),
    "nn.lstm_cell": ((1,), (1,), (1,), (1, 4), (1, 4)),
    "nn.gru_cell": ((1,), (1,), (1, 3), (1, 3)),
    "nn.rnn_cell": ((1,), (1,), (1, 1), (1, 1)),
}
"""Compatible shapes for trials of data types, if arrays of one shape aren't compatible."""


def constrain(*functions: str) -> Callable[[Constraint], Constraint]:
    """Register a constraint of these functions."""

    def register(constraint: Constraint) -> Constraint:
        CONSTRAINTS.update(dict.fromkeys(functions, constraint))
        return constraint

    return register
