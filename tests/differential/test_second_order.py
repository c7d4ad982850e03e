"""Second derivatives are mathematically right on each framework, by each argument.

`pytest -s` prints the number of comparisons.
"""

from __future__ import annotations

import importlib
from collections import Counter
from typing import Final

import numpy as np
import pytest

from tests.differential.case import ArrayArg, Case
from tests.differential.coverage import parameters, slow_but_first
from tests.differential.differences import NOT_DERIVED, NOT_DIFFERENTIATED
from tests.differential.gradients import Moving, moving_cases
from tests.differential.runner import check_examples, is_enough
from tests.differential.second_order import (
    HARD,
    NOT_SMOOTH,
    TOLERANCE,
    arguments,
    curvature,
    second,
)
from tests.functional.differentiating import DIFFERENTIATING

FUNCTIONS = slow_but_first(parameters(lambda name: name not in NOT_DIFFERENTIATED))
# The number of comparisons of this process, by backend.
COUNTS: Counter[str] = Counter()


# Compiling takes minutes. The value is 1 - gammainc, whose second derivatives are compared here;
# test_special_incomplete has the first ones of gammaincc, and the second one by x.
_ELSEWHERE = {("special.gammaincc", "jax")}
PAIRS = [
    pytest.param(*function.values, framework, id=f"{function.id}-{framework}", marks=function.marks)
    for function in FUNCTIONS
    for framework in DIFFERENTIATING
    if (function.values[0], framework) not in _ELSEWHERE
]

# Differences of a constant result.
_ROUNDING: Final = 1e-9


@pytest.mark.sample(6)
@pytest.mark.parametrize(("function", "framework"), PAIRS)
def test_second_derivative(function: str, framework: str) -> None:
    xp = importlib.import_module(f"arrayapi_unify.{framework}")
    problems: list[str] = []
    weights: Counter[str] = Counter()

    def check(moving: Moving) -> None:
        for argument, alone in arguments(moving):
            found = None if is_enough(weights[argument] // 2, xp) else curvature(alone)
            if found is None:
                continue
            smooth, expected, size = found
            COUNTS[framework] += 1
            weights[argument] += 2 if size > 0 else 1  # zeros test less: two are required
            try:
                got = second(smooth, xp)
            except Exception as error:
                # A function that only compares with an argument doesn't depend on it.
                independent = size < _ROUNDING and "no array that depends" in str(error)
                if not independent and (framework, function) not in NOT_DERIVED:
                    problems.append(f"{smooth} by {argument}: {error!r}")
                continue
            if abs(got - expected) > TOLERANCE * (1 + size):
                problems.append(f"{smooth} by {argument}: {got}, by differences {expected}")

    check_examples(moving_cases(function), check, xp, share=0.15)
    print(f"{framework}: {COUNTS[framework]} second derivatives compared")
    assert not problems, problems[0]


@pytest.mark.parametrize("framework", DIFFERENTIATING)
@pytest.mark.parametrize(
    ("moving", "expected"), [pytest.param(*c, id=c[0].case.function) for c in HARD]
)
def test_hard_calls(moving: Moving, expected: float, framework: str) -> None:
    xp = importlib.import_module(f"arrayapi_unify.{framework}")
    assert abs(second(moving, xp) - expected) < 1e-12 * (1 + expected)


@pytest.mark.parametrize("framework", DIFFERENTIATING)
def test_complex_pseudoinverse(framework: str) -> None:
    values = np.asarray([[2 + 1j, 0.5 + 2j, 2 - 2j], [-1j, 4 + 0j, 1 - 1j]])
    direction = np.asarray([[1 - 1j, 0.5, 1j], [1 + 1j, -1, 0.5j]])
    moving = Moving(
        Case("linalg.pinv", (ArrayArg(values),)), (direction,), np.arange(1.0, 13) * (1 - 2j)
    )
    found = curvature(moving)
    assert found is not None
    smooth, expected, size = found
    got = second(smooth, importlib.import_module(f"arrayapi_unify.{framework}"))
    assert abs(got - expected) <= TOLERANCE * (1 + size) / 10


@pytest.mark.sample(6)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_argument_is_compared(function: str) -> None:
    """Or has a reason for an exception, which applies to all drawn calls."""
    counts: Counter[str] = Counter()
    names: set[str] = set()

    def check(moving: Moving) -> None:
        for argument, alone in arguments(moving):
            names.add(argument)
            if not counts[argument] or (function, argument) in NOT_SMOOTH:
                counts[argument] += curvature(alone) is not None

    for again in range(15):
        check_examples(moving_cases(function), check, share=0.5, again=again)
        if names <= set(+counts):
            break
    excluded = {argument for name, argument in NOT_SMOOTH if name == function}
    assert {name for name in names if not counts[name]} == excluded & names
    print(f"{function}: {sum(counts.values())} calls are smooth, by {sorted(+counts)}")
