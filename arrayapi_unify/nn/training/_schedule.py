"""The base class of schedules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error

__all__ = ["Schedule"]


class _Numbers:
    """The functions of a namespace, for Python's numbers."""

    cos = staticmethod(math.cos)
    floor = staticmethod(math.floor)
    minimum = staticmethod(min)
    maximum = staticmethod(max)

    @staticmethod
    def where(condition: bool, value: Any, other: Any) -> Any:
        return value if condition else other


def _ops(step: Any) -> tuple[Any, Any]:
    """Return a step as a floating-point number, and the functions for it."""
    if isinstance(step, int | float) and not isinstance(step, bool):
        return float(step), _Numbers
    if name_of(step) is None:
        raise_type_error("Schedule", "step", f"is {describe(step)}", "pass an integer")
    array = step if isinstance(step, Array) else Array(step)
    xp = array.__array_namespace__()
    # The default data type is a setting, at which PyTorch's tracer ends its graph.
    return xp.astype(array, xp.float64), xp


@dataclass(frozen=True)
class Schedule:
    """The base class of schedules, which are functions of the number of steps made before.

    >>> isinstance(unify.nn.schedules.Constant(0.1), unify.nn.schedules.Schedule)
    True
    """

    def __call__(self, step: Any, /) -> Any:
        """Return the rate after a number of steps: that of the first step for 0."""
        return self._value(*_ops(step))

    def _value(self, step: Any, xp: Any) -> Any:
        raise NotImplementedError("a schedule says what its rate is")

    def __post_init__(self) -> None:
        """Check the number of steps, where a schedule has one."""
        steps = getattr(self, "steps", 1)
        if not isinstance(steps, int | float) or isinstance(steps, bool):
            raise_type_error(
                type(self).__name__, "steps", f"is {describe(steps)}", "pass a number of steps"
            )
        if not steps > 0:
            raise_value_error(type(self).__name__, "steps", f"is {steps}", "pass one above 0")
