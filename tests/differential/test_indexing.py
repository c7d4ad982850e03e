"""`x[key]`, `x[key] = value` and `x[key] += value`; `tests/views` has programs of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from tests.differential.arguments import cases
from tests.differential.case import Case, build, literal
from tests.differential.check import report
from tests.differential.compare import compare
from tests.differential.outcome import Outcome, outcome_of, values_of
from tests.differential.runner import check_examples


def _same(other: ModuleType, source: str, apply: Callable[[ModuleType], Outcome]) -> str | None:
    expected, got = apply(namespace_of("numpy")), apply(other)
    found = compare(Case("get_item"), expected, got)
    return None if found is None else report(source, other, (found, expected, got))


def _named(case: Case) -> list[Any]:
    return [*case.args, *case.kwargs.values()]


def test_get(other: ModuleType) -> None:
    def check(case: Case) -> str | None:
        x, key = _named(case)
        source = f"operator.getitem({x!r}, {literal(key)})"
        return _same(
            other, source, lambda xp: outcome_of(lambda: operator.getitem(*build([x, key], xp)), xp)
        )

    check_examples(cases("get_item"), check, other, share=2.5)


def _assigned(case: Case, add: bool, xp: ModuleType) -> Outcome:
    """Assign; an earlier selection changes if it is a view, and a failure changes nothing."""

    def action() -> Any:
        x, key, value = build(_named(case), xp)
        selected = x[key]
        before = repr([values_of(x), values_of(selected)])
        try:
            if add:
                x[key] += value
            else:
                x[key] = value
        except Exception:
            after = repr([values_of(x), values_of(selected)])
            assert after == before, "a failure changed an array"
            raise
        return x, selected

    return outcome_of(action, xp)


def _of_higher_kind(value: Any, x: Any) -> bool:
    kinds = "buifc"
    given = np.asarray(getattr(value, "values", value)).dtype.kind
    return kinds.index(given) > kinds.index(x.values.dtype.kind)


def _both_fail(case: Case, other: ModuleType) -> bool:
    return all(_assigned(case, True, xp).error for xp in (namespace_of("numpy"), other))


@pytest.mark.parametrize("add", [False, True], ids=["set", "add"])
def test_set(add: bool, other: ModuleType) -> None:
    def check(case: Case) -> str | None:
        x, key, value = _named(case)
        sign = "+=" if add else "="
        source = f"x = {x!r}; x[{literal(key)}] {sign} {literal(value)}"
        if add and _of_higher_kind(value, x) and _both_fail(case, other):
            return None  # the shape may be invalid as well, and the order of checks is unspecified
        return _same(other, source, lambda xp: _assigned(case, add, xp))

    check_examples(cases("set_item"), check, other, share=2.5)
