"""The state of each test and function: right, wrong, absent, or waiting for something else.

A test is wrong by a failure of its own. It is absent if its function is, and waiting if it needs
another name or a data type that is absent (`waits_for`); neither can say anything about a function.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .absent import Absent, dotted, dtypes_needed, first_line, missing, names_needed
from .needs import Needs
from .standard import STANDARD

RIGHT, WRONG, ABSENT, WAITING = STATES = ("right", "wrong", "absent", "waiting")
LOST = "lost_extension"  # the outcome of a test of an extension that is neither there nor claimed
_SKIPPED = "skipped"
_EXISTENCE = "test_has_names"
UNCOLLECTED = "not collected"  # the beginning of the message of a test that pytest didn't find


def annotate(tests: Iterable[dict[str, Any]], absent: Absent, needs: Needs | None) -> None:
    """Give each test its state, and the absent names and data types that it waits for."""
    for test in tests:
        test["state"], waits_for = _state(test, absent, needs)
        if waits_for:
            test["waits_for"] = sorted(waits_for)


def _state(
    test: Mapping[str, Any], absent: Absent, needs: Needs | None
) -> tuple[str, frozenset[str]]:
    """Return the state of a test, and what it waits for."""
    outcome, own = test["outcome"], dotted(test)
    if outcome in ("passed", _SKIPPED):
        return (RIGHT if outcome == "passed" else _SKIPPED), frozenset()
    said = absent.said(str(test.get("message", "")))
    names = names_needed(needs, test["nodeid"], absent) | (said & absent.names)
    types = dtypes_needed(needs, test["nodeid"], absent) | (said & absent.dtypes)
    if own in absent.names or outcome == LOST:
        return ABSENT, names - set(STANDARD.extensions) | {own} | types
    if names or types or str(test.get("message", "")).startswith(UNCOLLECTED):
        return WAITING, names | types
    return WRONG, frozenset()


def counts(tests: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of tests in each state."""
    found = Counter(test["state"] for test in tests)
    return {state: found[state] for state in STATES}


def function_state(tests: Iterable[Mapping[str, Any]]) -> str:
    """Return the state of a function by its tests.

    That its name is there says nothing if it has other tests.
    """
    tests = list(tests)
    states = {test["state"] for test in tests}
    if WRONG in states:
        return WRONG
    more = [test for test in tests if _EXISTENCE not in test["nodeid"]]
    if any(test["state"] == RIGHT for test in more or tests):
        return RIGHT
    return ABSENT if ABSENT in states else WAITING


def functions(tests: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """Return the state of each function of the standard, by its category and name."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for test in tests:
        category, name = test.get("category", ""), test.get("function", "")
        if name in STANDARD.functions.get(category, {}):
            found.setdefault((category, name), []).append(test)
    return {key: function_state(several) for key, several in found.items()}


def score(tests: Iterable[Mapping[str, Any]]) -> str:
    """Return the states of the functions in words, or "" without a test of a function."""
    counts = Counter(functions(tests).values())
    there = counts.total() - counts[ABSENT]
    if not counts:
        return ""
    words = f"{counts[RIGHT]} of {there} functions right"
    others = [f"{counts[state]} {state}" for state in (WRONG, WAITING) if counts[state]]
    words = ", ".join([words, *others])
    return f"{words}; {counts[ABSENT]} absent" if counts[ABSENT] else words


@dataclass(frozen=True)
class Cause:
    """A cause of failures, the number of its tests, and the first of them."""

    text: str
    state: str
    tests: int
    example: str

    @property
    def words(self) -> str:
        """The number in words."""
        many = f"{self.tests} test{'s' * (self.tests != 1)}"
        return f"{many} {'fail' if self.state == WRONG else 'wait'}{'s' * (self.tests == 1)}"


def causes(tests: Iterable[Mapping[str, Any]]) -> list[Cause]:
    """Return the causes of all failures, most first."""
    found: dict[tuple[str, str], list[str]] = {}
    for test in tests:
        if text := cause(test):
            found.setdefault((text, test["state"]), []).append(test["nodeid"])
    every = [Cause(*key, len(ids), min(ids)) for key, ids in found.items()]
    return sorted(every, key=lambda cause: (-cause.tests, cause.text))


def cause(test: Mapping[str, Any]) -> str:
    """Return the cause of a test's failure, or ""."""
    if test["state"] == WRONG:
        return first_line(test) or str(test["outcome"])
    waits_for = test.get("waits_for", ())
    if not waits_for:
        return first_line(test) if test["state"] == WAITING else ""
    return missing(waits_for)


@dataclass(frozen=True)
class Step:
    """Names to write next, and the number of tests that they let run, beside those of before."""

    names: tuple[str, ...]
    tests: int

    @property
    def words(self) -> str:
        """The number in words."""
        return f"{self.tests} more test{'s' * (self.tests != 1)} can run"


def advice(tests: Iterable[Mapping[str, Any]], most: int = 8) -> list[Step]:
    """Return the names to write next, those first that let most tests run for each name.

    Tests that need an absent data type don't count: no function lets them run.
    """
    needs = Counter(
        frozenset(test["waits_for"]) for test in tests if test.get("waits_for")
    )  # fmt: skip
    open_sets = {names: count for names, count in needs.items() if not names & set(STANDARD.dtypes)}
    written: frozenset[str] = frozenset()
    steps: list[Step] = []
    while open_sets and len(steps) < most:
        gains = {
            new: sum(count for names, count in open_sets.items() if names <= written | new)
            for new in {names - written for names in open_sets}
        }
        best = min(gains, key=lambda new: (-gains[new] / len(new), -gains[new], sorted(new)))
        steps.append(Step(tuple(sorted(best)), gains[best]))
        written |= best
        open_sets = {names: count for names, count in open_sets.items() if not names <= written}
    return steps


def waiting_for_dtypes(tests: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of tests that need each absent data type."""
    found = Counter(
        name for test in tests for name in test.get("waits_for", ()) if name in STANDARD.dtypes
    )
    return {name: found[name] for name in STANDARD.dtypes if found[name]}
