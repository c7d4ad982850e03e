"""Every function gives on every backend what its oracle says: NumPy, SciPy, or the formula.

One test per function and backend; the id begins with the category, so `-k statistical` is a group.
`ARRAYAPI_UNIFY_MAX_EXAMPLES` sets the number of examples of each, `ARRAYAPI_UNIFY_GROUP_EXAMPLES`
the number of each group, which its functions share.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from arrayapi_unify.binding import CONTRACTS, namespace_of
from arrayapi_unify.binding.roles import Role
from tests.differential.arguments import cases
from tests.differential.case import Case
from tests.differential.check import differences, report
from tests.differential.coverage import NOT_COMPARED, groups, parameters
from tests.differential.drive import enough, for_all, until_compared
from tests.differential.outcome import run

FUNCTIONS = parameters()
every_function = pytest.mark.parametrize("function", FUNCTIONS)


@every_function
def test_same_as_expected(function: str, every_backend: list[ModuleType]) -> None:
    made = 0

    def check(case: Case) -> str | None:
        nonlocal made
        if enough(made // 2, every_backend[0]):
            return None
        found = differences(case, every_backend)
        made += run(case, namespace_of("numpy")).error is None
        return "\n".join(report(case, xp, what) for xp, what in found) or None

    group = groups()[CONTRACTS[function].category]
    until_compared(cases(function), check, lambda: made, every_backend[0], among=len(group))


@every_function
def test_calls_are_drawn_well(function: str) -> None:
    """Most calls succeed, every parameter is given at times, and NumPy has no unforeseen error."""
    outcomes: list[str | None] = []
    given: set[str] = set()
    contract = CONTRACTS[function]

    def check(case: Case) -> str | None:
        outcome = run(case, namespace_of("numpy"))
        outcomes.append(outcome.error_class)
        given.update(p.name for p, _ in contract.named(case.args, case.kwargs))
        usual = {None, "ValueError", "TypeError", "IndexError", "OverflowError", "BufferError"}
        return None if outcome.error_class in usual else f"{case} gives {outcome}"

    parameters = {p.name for p in contract.parameters if p.role not in (Role.OUT, Role.DEVICE)}
    for again in range(12):  # Hypothesis likes to vary a few examples
        for_all(cases(function), check, again=again)
        if parameters <= given and outcomes.count(None) > len(outcomes) / 5:
            break
    assert outcomes.count(None) > len(outcomes) / 5, "nearly every call that is drawn fails"
    missing = parameters - given
    assert not missing, f"never given: {missing}; see tests/differential/plain.py"


def test_what_is_not_compared_exists() -> None:
    assert set(NOT_COMPARED) <= set(CONTRACTS)
