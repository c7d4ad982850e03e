"""Every function on every backend agrees with its oracle: NumPy, SciPy, or a formula.

The same calls are made with the function of the backend's package (B19), and, if each is compiled,
for `test_out.py`.

One test per function and backend; the id begins with the category, so `-k statistical` is a group.
`ARRAYAPI_UNIFY_MAX_EXAMPLES` sets the number of examples of each, `ARRAYAPI_UNIFY_GROUP_EXAMPLES`
the number of each group, which its functions share.
"""

from __future__ import annotations

from collections import Counter
from types import ModuleType

import pytest

from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from tests.backends import flat
from tests.differential.arguments import cases
from tests.differential.case import Case
from tests.differential.check import difference, differences, report
from tests.differential.coverage import NOT_COMPARED, compared, groups, parameters
from tests.differential.out_argument import CallWithOut, calls_with_out, problems_with_out
from tests.differential.outcome import run
from tests.differential.runner import SHARES, check_examples, check_until, is_enough, quick
from tests.installed import INSTALLED
from tests.tables import each

# A lazy call of these bodies has thousands of tasks: the same few calls of every run compare one.
LONG_BODIES = {"linalg.expm", "random", "special"}
FUNCTIONS = parameters()
every_function = pytest.mark.parametrize("function", FUNCTIONS)


@pytest.mark.exhaustive
@every_function
def test_same_as_expected(function: str, every_backend: list[ModuleType]) -> None:
    """The function of the backend's package returns native arrays for the same calls."""
    made = 0
    more = Counter({xp.__unify_backend__: 0 for xp in every_backend if _has_natives(function, xp)})
    if CONTRACTS[function].takes_out and _compiles(every_backend):
        more["out"] = 0

    def check(drawn: Case | CallWithOut) -> str | None:
        nonlocal made
        met = min([made, *more.values()])
        long = not LONG_BODIES.isdisjoint({function, CONTRACTS[function].category})
        once = met > 0 and long and quick()
        if once or is_enough(met, every_backend[0]):
            return None
        case = drawn if isinstance(drawn, Case) else drawn[0]
        found = differences(case, every_backend)
        made += run(case, namespace_of("numpy")).error is None
        problems = [report(case, xp, what) for xp, what in found]
        problems += [
            _foreign(case, xp, more) for xp in every_backend if xp.__unify_backend__ in more
        ]
        if not isinstance(drawn, Case) and not is_enough(more["out"], every_backend[0]):
            succeeds, others = problems_with_out(drawn, every_backend)
            more["out"] += succeeds
            problems += others
        return "\n".join(filter(None, problems)) or None

    group = groups()[CONTRACTS[function].category]
    check_until(
        calls_with_out(function) if "out" in more else cases(function),
        check,
        lambda: min([made, *more.values()]),
        every_backend[0],
        among=len(group),
    )


@pytest.mark.quick
@each("function", compared())
def test_one_call_on_numpy(function: str) -> None:
    """For `.ci/quick`: the calls of the test above take minutes."""
    xp, made = namespace_of("numpy"), 0

    def check(case: Case) -> str | None:
        nonlocal made
        if made or run(case, xp).error:
            return None
        made += 1
        found = difference(case, xp)
        return report(case, xp, found) if found else None

    check_until(cases(function), check, lambda: made, xp, share=0.1)


def _compiles(every_backend: list[ModuleType]) -> bool:
    return any(xp.__unify_backend__ in SHARES for xp in every_backend)


def _has_natives(function: str, xp: ModuleType) -> bool:
    return function in flat.ARRAYS and xp.__unify_backend__ in INSTALLED


def _foreign(case: Case, xp: ModuleType, more: Counter[str]) -> str | None:
    """Make the call natively; NumPy's own functions return `np.float64` for a 0-d result."""
    result = flat.call(case, xp)
    if result is None:
        return None
    more[xp.__unify_backend__] += 1
    types = flat.foreign(result, xp)
    return f"{case} returns {types} on {xp.__unify_backend__}" if types else None


@pytest.mark.sample(60)
@every_function
def test_calls_are_drawn_well(function: str) -> None:
    """Most calls succeed, every parameter occurs, and NumPy has no unexpected error."""
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
    for again in range(12):  # Hypothesis often varies a few examples only
        check_examples(cases(function), check, again=again)
        if parameters <= given and outcomes.count(None) > len(outcomes) / 5:
            break
    assert outcomes.count(None) > len(outcomes) / 5, "nearly every call that is drawn fails"
    missing = parameters - given
    assert not missing, f"never given: {missing}; see tests/differential/static_arguments.py"


def test_what_is_not_compared_exists() -> None:
    assert set(NOT_COMPARED) <= set(CONTRACTS)
