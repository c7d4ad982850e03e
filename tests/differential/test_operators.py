"""Operators: both sides, scalars, and in place, where a failure leaves the array unchanged."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.operators import ARITHMETIC, COMPARISON, UNARY
from arrayapi_unify.binding import namespace_of
from tests.differential.arguments import cases
from tests.differential.case import ArrayArg, Case, build, literal
from tests.differential.check import report
from tests.differential.compare import compare
from tests.differential.outcome import Outcome, outcome_of, values_of
from tests.differential.runner import check_examples

BINARY = {**ARITHMETIC, **COMPARISON}


def _python(name: str) -> Callable[..., Any]:
    return getattr(operator, f"__{name}__")  # type: ignore[no-any-return]


def _operands(case: Case) -> list[Any]:
    return [*case.args, *case.kwargs.values()]


def _check(
    case: Case, other: ModuleType, source: str, apply: Callable[[ModuleType], Outcome]
) -> str | None:
    expected, got = apply(namespace_of("numpy")), apply(other)
    found = compare(case, expected, got, other.__unify_backend__)
    if found is None:
        return None
    return report(source, other, (found, expected, got))


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str, other: ModuleType) -> None:
    apply = _python(name)

    def check(case: Case) -> str | None:
        operands = _operands(case)

        def on(xp: ModuleType) -> Outcome:
            return outcome_of(lambda: apply(*build(operands, xp)), xp)

        return _check(case, other, f"operator.{name}{literal(tuple(operands))}", on)

    check_examples(cases(BINARY[name]), check, other)


@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str, other: ModuleType) -> None:
    apply = _python(name)

    def check(case: Case) -> str | None:
        on = functools.partial(_unary, apply, _operands(case)[0])
        return _check(case, other, f"operator.{name}({_operands(case)[0]})", on)

    check_examples(cases(UNARY[name]), check, other)


def _unary(apply: Callable[..., Any], operand: ArrayArg, xp: ModuleType) -> Outcome:
    return outcome_of(lambda: apply(operand.build(xp)), xp)


def _in_place(apply: Callable[..., Any], operands: list[Any], xp: ModuleType) -> Outcome:
    """Apply an operator, and check the invariants of success and failure."""

    def action() -> Array:
        x, y = build(operands, xp)
        before = values_of(x)
        try:
            result = apply(x, y)
        except Exception:
            after = values_of(x)
            assert repr(after) == repr(before), f"a failure changed {before} to {after}"
            raise
        assert result is x, "the result isn't the array itself"
        assert result.dtype == xp.asarray(operands[0].values).dtype, "the dtype changed"
        return result  # type: ignore[no-any-return]

    return outcome_of(action, xp)


def _mismatch(operands: list[Any]) -> bool:
    """Return True if the second operand is an array of another shape than the first."""
    x, y = operands
    return isinstance(y, ArrayArg) and x.values.shape != y.values.shape


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", ARITHMETIC)
def test_in_place(name: str, other: ModuleType) -> None:
    apply = _python(f"i{name}")

    def check(case: Case) -> str | None:
        operands = _operands(case)
        if not isinstance(operands[0], ArrayArg):
            return None
        on = functools.partial(_in_place, apply, operands)
        if _mismatch(operands) and on(namespace_of("numpy")).error and on(other).error:
            return None  # there may be a second fault, and the order of checks is unspecified
        return _check(case, other, f"operator.i{name}{literal(tuple(operands))}", on)

    check_examples(cases(ARITHMETIC[name]), check, other)
