"""A Container as each argument of each nestable function, compared with a hand-written loop."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Parameter
from tests.differential.arguments import cases
from tests.differential.case import Case, build
from tests.differential.coverage import compared, slow_but_first
from tests.differential.outcome import Outcome, Result, outcome_of, resolve
from tests.differential.runner import SHARES, check_examples
from tests.installed import INSTALLED

FUNCTIONS = [name for name in compared() if CONTRACTS[name].nestable]
# Functions whose values depend on the backend.
_UNSET = ("empty", "empty_like")


def places(case: Case) -> list[Any]:
    """Return the positions and the names of the arguments of a case."""
    return [*range(len(case.args)), *case.kwargs]


def given(case: Case, place: Any) -> Any:
    source: Any = case.args if isinstance(place, int) else case.kwargs
    return source[place]


def with_value(case: Case, place: Any, value: Any) -> Case:
    """The same call with another argument."""
    if isinstance(place, int):
        return dataclasses.replace(case, args=(*case.args[:place], value, *case.args[place + 1 :]))
    return dataclasses.replace(case, kwargs={**case.kwargs, place: value})


def called(case: Case, namespace: Any, xp: ModuleType, place: Any = None, nest: Any = None) -> Any:
    """Make the call; the argument at a position is `nest(its value)`."""
    args, kwargs = list(build(case.args, xp)), build(case.kwargs, xp)
    if nest is not None:
        target: Any = args if isinstance(place, int) else kwargs
        target[place] = nest()
    return resolve(namespace, case.function)(*args, **kwargs)


def loop(
    case: Case, namespace: Any, xp: ModuleType, place: Any, values: dict[str, Any]
) -> dict[str, Outcome]:
    """Call separately for each value, up to the first failure."""
    outcomes: dict[str, Outcome] = {}
    for key, value in values.items():
        apart = with_value(case, place, value)
        outcomes[key] = outcome_of(lambda c=apart: called(c, namespace, xp), xp)
        if outcomes[key].error is not None:
            break
    return outcomes


def alike(expected: Any, got: Any, values: bool = True) -> bool:
    if isinstance(expected, Result):
        same = isinstance(got, Result) and expected.dtype == got.dtype
        nan = expected.values.dtype.kind in "fc"
        return same and (
            np.array_equal(expected.values, got.values, equal_nan=nan)
            if values
            else expected.values.shape == got.values.shape
        )
    if isinstance(expected, tuple):
        return type(got) is tuple and expected[0] == got[0] and all(map(alike, expected[1], got[1]))
    return type(expected) is type(got) and (expected == got or expected != expected)


def problem(
    case: Case, namespace: Any, xp: ModuleType, place: Any, values: dict[str, Any]
) -> str | None:
    expected = loop(case, namespace, xp, place, values)
    failed = next((o for o in expected.values() if o.error is not None), None)
    try:
        with np.errstate(all="ignore"):
            result = called(case, namespace, xp, place, lambda: Container(build(values, xp)))
    except Exception as error:
        got = Outcome(error=error)
        if failed is not None and failed.error_class == got.error_class:
            return None
        return f"{case} with a Container of {values} at {place!r}: {got}, by hand {expected}"
    if failed is not None and isinstance(result, Container):
        # A lazy array raises when it is computed, which the loop by hand has done.
        later = [outcome_of(lambda k=key: result[k], xp) for key in result]
        if failed.error_class in [o.error_class for o in later if o.error is not None]:
            return None
    if failed is not None or not isinstance(result, Container):
        return f"{case} with a Container of {values} at {place!r}: {result}, by hand {expected}"
    assert list(result) == list(values)
    for key, outcome in expected.items():
        got = outcome_of(lambda k=key: result[k], xp)
        if not alike(outcome.value, got.value, case.function not in _UNSET):
            return f"{case} with a Container of {values} at {place!r}: {got}, by hand {outcome}"
    return None


def parameters(case: Case) -> list[Parameter]:
    """The parameter of each position, in the order of `places`."""
    contract = CONTRACTS[case.function]
    by_name = {p.name: p for p in contract.parameters}
    star = next((i for i, p in enumerate(contract.parameters) if p.role is Role.STAR), None)
    indices = [i if star is None else min(i, star) for i in range(len(case.args))]
    # An unknown keyword belongs to the last parameter, which accepts any.
    named = [by_name.get(name, contract.parameters[-1]) for name in case.kwargs]
    return [*(contract.parameters[i] for i in indices), *named]


# Substitutes for arrays take the slow path on every backend; these reach the native functions.
_TO_THE_NATIVE = (Role.STATIC, Role.DTYPE)
_REACHING = slow_but_first(
    name for name in FUNCTIONS if any(p.role in _TO_THE_NATIVE for p in CONTRACTS[name].parameters)
)


def reaching() -> list[Any]:
    """Return backends and functions: one of each category on backends that compile every call."""
    return [
        pytest.param(backend, *function.values, id=f"{backend}-{function.id}", marks=function.marks)
        for backend in INSTALLED
        for function in _REACHING
        if backend not in SHARES or not function.marks
    ]


class TestEveryArgument:
    """B10: nestable functions."""

    @pytest.mark.sample(80)
    @pytest.mark.parametrize("function", FUNCTIONS)
    def test_equals_the_loop_by_hand(self, function: str) -> None:
        """Through the bound namespace and the top level."""
        contract = CONTRACTS[function]
        # A written argument must be a Container: see test_written.
        only = contract.parameters[0].name if contract.mutates else None
        names = {p.name for p in contract.parameters if p.role not in (Role.OUT, Role.DEVICE)}
        wanted = names if only is None else {only}
        xp = namespace_of("numpy")
        compare(function, (xp, unify), xp, wanted)

    @pytest.mark.sample(10)
    @pytest.mark.parametrize(("backend", "function"), reaching())
    def test_what_reaches_the_native_function(self, backend: str, function: str) -> None:
        parameters, xp = CONTRACTS[function].parameters, namespace_of(backend)
        compare(function, (xp,), xp, {p.name for p in parameters if p.role in _TO_THE_NATIVE})


def compare(function: str, namespaces: Sequence[Any], xp: ModuleType, wanted: set[str]) -> None:
    """Draw calls until each of the required parameters was a Container once."""
    seen: set[str] = set()

    def check(pair: tuple[Case, Case]) -> str | None:
        case, other = pair
        for place, parameter in zip(places(case), parameters(case), strict=True):
            if parameter.name not in wanted:
                continue
            second = given(other, place) if place in places(other) else given(case, place)
            values = {"a": given(case, place), "b": second}
            # Calls without an array run on the backend that is set.
            for namespace in namespaces:
                with unify.use_backend(xp.__unify_backend__):
                    found = problem(case, namespace, xp, place, values)
                if found is not None:
                    return f"through {namespace.__name__}: {found}"
            seen.add(parameter.name)
        return None

    drawn = st.tuples(cases(function), cases(function))
    share = 0.25 if xp is namespace_of("numpy") else 0.1
    for again in range(12):
        check_examples(drawn, check, share=share, again=again)
        if wanted <= seen:
            break
    assert wanted <= seen
