"""Whole programs, drawn beforehand by NumPy, for tracing or differentiation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tests.views import strategies, writes
from tests.views.implementations import REFUSALS, Reference, Unsuitable
from tests.views.keys import Draw
from tests.views.roots import LAYOUTS
from tests.views.source import source
from tests.views.steps import FORGET, Index, Own, Part, Ref, Step, run

__all__ = ["Program", "linear", "programs", "slopes", "static"]

# Nonempty shapes: empty arrays have no derivative.
_SHAPES: Final = ((3,), (4,), (2, 3), (3, 3), (2, 1, 2), ())
_LENGTH: Final = 10
_MOST: Final = 8


@dataclass(frozen=True, eq=False)
class Program:
    """Steps after a first array, each with the number of its results."""

    first: Own
    steps: tuple[tuple[Step, int], ...]
    results: tuple[Any, ...]  # NumPy's
    layout: str

    def __repr__(self) -> str:
        return f"{self.first}, {self.layout}\n{source(self.steps)}"

    def laid(self, values: Any) -> Any:
        """Return other values in the layout of the first array."""
        return LAYOUTS[self.layout](values)


def _view_of_the_last(draw: Draw, live: strategies.Arrays) -> Step:
    return strategies.view(draw, live, -1)


def _forget(draw: Draw, live: strategies.Arrays) -> Step | None:
    return Step(FORGET, (draw(st.integers(0, len(live) - 1)),)) if len(live) > 2 else None


_MAKERS: Final[tuple[Callable[[Draw, strategies.Arrays], Step | None], ...]] = (
    strategies.view, _view_of_the_last, strategies.part, strategies.together, strategies.copied,
)  # fmt: skip
_WRITERS: Final[tuple[Callable[[Draw, strategies.Arrays], Step | None], ...]] = (
    writes.set_item, writes.in_place, writes.augmented, writes.into, writes.swap, _forget,
)  # fmt: skip


def _parts(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [part for v in value for part in _parts(v)]
    return [value]


def static(step: Step) -> bool:
    """Return True if no shape depends on values: masks only in writes of one number."""
    by_key = {"set_item": 1, "set_item_function": 1, "augmented": 2}.get(step.name)
    if by_key and any(isinstance(p, Ref) for p in _parts(step.args[by_key])):
        return False
    masked = any(isinstance(p, Index) and p.mask for p in _parts(step.args))
    return not masked or (step.name == "set_item" and isinstance(step.args[2], int | float))


_LINEAR: Final = frozenset({"add", "subtract", "positive", "negative", "flip", "matrix_transpose"})


def linear(step: Step) -> bool:
    """Return True if the step keeps all arrays affine functions of the first one."""
    if step.name == "into" and step.args[0] not in _LINEAR:
        return False
    if step.name == "astype" and step.args[1] != "float64":
        return False
    if step.name in ("in_place", "augmented"):
        moving = isinstance(step.args[-1], Ref | Part)
        if step.args[0] not in ("+=", "-=") and (step.args[0] not in ("*=", "/=") or moving):
            return False
    return static(step)


@st.composite
def programs(
    draw: Draw,
    dtypes: Sequence[str],
    allowed: Callable[[Step], bool] = static,
    layouts: Sequence[str] = ("C",),
) -> Program:
    """Draw a program that NumPy runs to its end."""
    first = Own(draw(st.sampled_from(dtypes)), draw(st.sampled_from(_SHAPES)), 1)
    layout = draw(st.sampled_from(layouts))
    reference, live, steps = Reference(), [LAYOUTS[layout](first.values)], []

    def attempt(step: Step | None) -> None:
        before = len(live)
        if step is None or not allowed(step):
            return
        try:
            run(reference, live, step)
        except (Unsuitable, *REFUSALS):
            return
        steps.append((step, max(len(live) - before, 0)))

    for _ in range(draw(st.integers(3, _LENGTH))):
        makers = (*_MAKERS, *_WRITERS) if len(live) < _MOST else _WRITERS
        attempt(draw(st.sampled_from(makers))(draw, live))
    # A last write through one of them, so that the last views have an effect.
    number = draw(st.integers(0, len(live) - 1))
    if live[number].dtype.kind != "b":
        attempt(Step("in_place", ("+=", Ref(number), Own(live[number].dtype.name, (), 3))))
    return Program(first, tuple(steps), tuple(live), layout)


def slopes(program: Program) -> Any:
    """Return the derivative of the sum of all results by each element of the first array.

    The program is affine, so differences are exact.
    """
    zero = np.zeros(program.first.shape)
    at_zero, found = _total(program, zero), zero.copy()
    for place in np.ndindex(zero.shape):
        unit = zero.copy()
        unit[place] = 1
        found[place] = _total(program, unit) - at_zero
    return found


def _total(program: Program, first: Any) -> float:
    reference, live = Reference(), [program.laid(first)]
    reference.exact = False
    for step, _ in program.steps:
        run(reference, live, step)
    return float(sum(np.sum(x) for x in live if x.dtype.kind == "f"))
