"""Schedules: learning rates as functions of the number of steps made before.

A schedule is called with an integer, and returns a number, or with an array without axes, and
returns one of float64, which an optimizer rounds to the data type of each variable. An optimizer
whose `lr` is a schedule calls it with the step of its state, which is an array: in a compiled
function the rate is computed, and a new step is no new program.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error

__all__ = [
    "Constant",
    "CosineDecay",
    "ExponentialDecay",
    "Join",
    "Linear",
    "OneCycle",
    "Piecewise",
    "Schedule",
]


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


@dataclass(frozen=True)
class Constant(Schedule):
    """The same rate at all steps.

    Parameters
    ----------
    value
        The rate.

    References
    ----------
    optax's ``constant_schedule``.

    Examples
    --------
    >>> unify.nn.schedules.Constant(0.1)(7)
    0.1
    """

    value: float

    def _value(self, step: Any, xp: Any) -> Any:
        return 0.0 * step + self.value


@dataclass(frozen=True)
class Linear(Schedule):
    """A straight line from one rate to another, which stays: a warm-up, or a decay.

    Parameters
    ----------
    start
        The rate of the first step.
    end
        The rate after `steps` steps, and from then on.
    steps
        The number of steps on the way.

    Raises
    ------
    UnifyValueError
        If `steps` isn't above 0.

    References
    ----------
    optax's ``linear_schedule``, PyTorch's ``LinearLR``.

    Examples
    --------
    >>> warmup = unify.nn.schedules.Linear(0.0, 0.1, 4)
    >>> [warmup(step) for step in (0, 2, 4, 9)]
    [0.0, 0.05, 0.1, 0.1]
    """

    start: float
    end: float
    steps: int

    def _value(self, step: Any, xp: Any) -> Any:
        share = xp.minimum(step / self.steps, 1.0)
        return self.start * (1.0 - share) + self.end * share


@dataclass(frozen=True)
class ExponentialDecay(Schedule):
    """A rate that is multiplied by the same factor in each so many steps.

    It is ``start * rate ** (step / steps)``.

    Parameters
    ----------
    start
        The rate of the first step.
    steps
        The number of steps in which the rate is multiplied once.
    rate
        The factor.
    staircase
        If True, the rate changes after each `steps` steps at once, and not at each step.

    Raises
    ------
    UnifyValueError
        If `steps` isn't above 0.

    References
    ----------
    optax's ``exponential_decay``, PyTorch's ``ExponentialLR`` and ``StepLR``.

    Examples
    --------
    >>> halved = unify.nn.schedules.ExponentialDecay(1.0, 10, 0.5, staircase=True)
    >>> [halved(step) for step in (0, 9, 10, 25)]
    [1.0, 1.0, 0.5, 0.25]
    """

    start: float
    steps: int
    rate: float
    staircase: bool = False

    def _value(self, step: Any, xp: Any) -> Any:
        power = step / self.steps
        return self.start * self.rate ** (xp.floor(power) if self.staircase else power)


@dataclass(frozen=True)
class CosineDecay(Schedule):
    """Half a wave of a cosine from one rate to another, which stays.

    Parameters
    ----------
    start
        The rate of the first step.
    steps
        The number of steps on the way.
    end
        The rate after `steps` steps, and from then on.

    Raises
    ------
    UnifyValueError
        If `steps` isn't above 0.

    References
    ----------
    Loshchilov and Hutter, arXiv:1608.03983; optax's ``cosine_decay_schedule``, PyTorch's
    ``CosineAnnealingLR``.

    Examples
    --------
    >>> cosine = unify.nn.schedules.CosineDecay(1.0, 4)
    >>> [round(cosine(step), 3) for step in range(6)]
    [1.0, 0.854, 0.5, 0.146, 0.0, 0.0]
    """

    start: float
    steps: int
    end: float = 0.0

    def _value(self, step: Any, xp: Any) -> Any:
        return _cosine(self.start, self.end, step / self.steps, xp)


def _cosine(start: Any, end: Any, share: Any, xp: Any) -> Any:
    """Return half a wave of a cosine between two rates, at a share of the way, of at most all."""
    return end + (start - end) * (0.5 * (1.0 + xp.cos(math.pi * xp.minimum(share, 1.0))))


@dataclass(frozen=True)
class Piecewise(Schedule):
    """One rate until a step, another one from it on, and so on.

    Parameters
    ----------
    boundaries
        The steps from which on the next rate holds, ascending.
    values
        The rates: one more than boundaries.

    Raises
    ------
    UnifyValueError
        If the boundaries don't ascend, or their number doesn't fit.

    References
    ----------
    PyTorch's ``MultiStepLR``, optax's ``piecewise_constant_schedule``, which take factors.

    Examples
    --------
    >>> steps = unify.nn.schedules.Piecewise((3, 6), (0.1, 0.01, 0.001))
    >>> [steps(step) for step in (0, 2, 3, 6)]
    [0.1, 0.1, 0.01, 0.001]
    """

    boundaries: Sequence[int]
    values: Sequence[float]

    def __post_init__(self) -> None:
        """Check the numbers."""
        _set_tuples(self, "boundaries", "values")
        _check_boundaries("Piecewise", "values", self.boundaries, self.values)

    def _value(self, step: Any, xp: Any) -> Any:
        found = 0.0 * step + self.values[0]
        for boundary, value in zip(self.boundaries, self.values[1:], strict=True):
            found = xp.where(step >= boundary, value, found)
        return found


@dataclass(frozen=True)
class Join(Schedule):
    """One schedule until a step, another one from it on, and so on.

    Each of them gets the number of steps since it began.

    Parameters
    ----------
    schedules
        The schedules, or other functions of a step.
    boundaries
        The steps at which the next one begins, ascending: one less than schedules.

    Raises
    ------
    UnifyValueError
        If the boundaries don't ascend, or their number doesn't fit.

    References
    ----------
    optax's ``join_schedules``, PyTorch's ``SequentialLR``.

    Examples
    --------
    >>> from arrayapi_unify.schedules import CosineDecay, Join, Linear
    >>> rate = Join([Linear(0.0, 1.0, 2), CosineDecay(1.0, 4)], [2])
    >>> [round(rate(step), 3) for step in range(7)]
    [0.0, 0.5, 1.0, 0.854, 0.5, 0.146, 0.0]
    """

    schedules: Sequence[Callable[[Any], Any]]
    boundaries: Sequence[int]

    def __post_init__(self) -> None:
        """Check the numbers."""
        _set_tuples(self, "schedules", "boundaries")
        for place, one in enumerate(self.schedules):
            if not callable(one):
                raise_type_error(
                    "Join", f"schedules[{place}]", f"is {describe(one)}", "pass a schedule"
                )
        _check_boundaries("Join", "schedules", self.boundaries, self.schedules)

    def _value(self, step: Any, xp: Any) -> Any:
        found = self.schedules[0](step)
        for boundary, schedule in zip(self.boundaries, self.schedules[1:], strict=True):
            # Before its beginning a schedule isn't asked for steps below 0.
            since = xp.maximum(step - boundary, 0.0)
            found = xp.where(step >= boundary, schedule(since), found)
        return found


@dataclass(frozen=True)
class OneCycle(Schedule):
    """A rate that rises to a peak, and falls to next to nothing, both along cosines.

    Parameters
    ----------
    peak
        The largest rate.
    steps
        The number of all steps.
    warmup
        The share of the steps in which the rate rises.
    start_divisor
        The peak over the first rate.
    end_divisor
        The first rate over the last one.

    Raises
    ------
    UnifyValueError
        If there are less than two steps, or `warmup` isn't between 0 and 1 with at least a step
        on either side.

    References
    ----------
    Smith and Topin, arXiv:1708.07120; PyTorch's ``OneCycleLR``.

    Examples
    --------
    >>> cycle = unify.nn.schedules.OneCycle(1.0, 10)
    >>> [round(cycle(step), 3) for step in (0, 1, 2, 5, 9)]
    [0.04, 0.52, 1.0, 0.611, 0.0]
    """

    peak: float
    steps: int
    warmup: float = 0.3
    start_divisor: float = 25.0
    end_divisor: float = 1e4

    def __post_init__(self) -> None:
        """Check that there are steps on either side of the peak."""
        super().__post_init__()
        if not 0 < self.warmup * self.steps - 1 < self.steps - 1:
            raise_value_error(
                "OneCycle", "warmup", f"is {self.warmup} of {self.steps} steps",
                "pass a share that leaves at least a step on either side of the peak",
            )  # fmt: skip

    def _value(self, step: Any, xp: Any) -> Any:
        start, top = self.peak / self.start_divisor, self.warmup * self.steps - 1.0
        rising = _cosine(start, self.peak, step / top, xp)
        fallen = xp.maximum(step - top, 0.0) / (self.steps - 1.0 - top)
        falling = _cosine(self.peak, start / self.end_divisor, fallen, xp)
        return xp.where(step <= top, rising, falling)


def _set_tuples(schedule: Schedule, *names: str) -> None:
    """Store sequences as tuples, by which a schedule compares and hashes."""
    for name in names:
        given = getattr(schedule, name)
        if not isinstance(given, list | tuple):
            raise_type_error(
                type(schedule).__name__, name, f"is {describe(given)}", "pass a list or a tuple"
            )
        object.__setattr__(schedule, name, tuple(given))


def _check_boundaries(
    function: str, argument: str, boundaries: Sequence[Any], values: Sequence[Any]
) -> None:
    if len(values) != len(boundaries) + 1:
        raise_value_error(
            function, argument, f"has {len(values)} entries for {len(boundaries)} boundaries",
            f"pass {len(boundaries) + 1}",
        )  # fmt: skip
    for place, (one, other) in enumerate(itertools.pairwise(boundaries)):
        if not one < other:
            raise_value_error(
                function, f"boundaries[{place + 1}]", f"is {other} after {one}",
                "pass ascending steps",
            )  # fmt: skip


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
