"""Functions of every special value, of every pair of them, and of rows of them."""

from __future__ import annotations

from types import ModuleType
from typing import Final

import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from tests.differential.check import differences, report
from tests.differential.compare import compare
from tests.differential.coverage import groups, parameters
from tests.differential.outcome import run
from tests.differential.special import (
    CATEGORIES,
    KINDS,
    goes_along_rows,
    row_cases,
    special_cases,
)
from tests.differential.tracing import COMPILERS, run_on
from tests.installed import INSTALLED

FUNCTIONS = [
    pytest.param(name, id=f"{category}-{name}")
    for category in CATEGORIES
    for name in groups()[category]
    if not any(p.required for p in list(CONTRACTS[name].inputs)[2:])
]
ALONG_ROWS = parameters(goes_along_rows)


@pytest.mark.slow_on("jax")
@pytest.mark.sample(30)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_same_as_expected(function: str, kind: str, every_backend: list[ModuleType]) -> None:
    for case in special_cases(function, kind):
        found = differences(case, every_backend)
        assert not found, "\n".join(report(case, xp, what)[:6000] for xp, what in found)


@pytest.mark.slow_on("jax")
@pytest.mark.sample(30)
@pytest.mark.parametrize("function", ALONG_ROWS)
def test_rows_same_as_expected(function: str, every_backend: list[ModuleType]) -> None:
    for case in row_cases(function):
        found = differences(case, every_backend)
        assert not found, "\n".join(report(case, xp, what)[:6000] for xp, what in found)


# TensorFlow's graph optimizer replaces operations with a constant by a reciprocal, or a root.
_WITH_CONSTANTS: Final = ("divide", "floor_divide", "pow", "reciprocal", "remainder")
# PyTorch's traced calls here use the same kernels (`tracing`), without rewriting.
TRACED = [
    pytest.param(framework, *function.values, id=f"{framework}-{function.id}")
    for framework in ("tensorflow", "jax")
    if framework in INSTALLED
    for function in FUNCTIONS
]


@pytest.mark.slow_on("jax")
@pytest.mark.sample(10)
@pytest.mark.parametrize(("framework", "function"), TRACED)
def test_traced_as_run(framework: str, function: str) -> None:
    xp = namespace_of(framework)
    constants = framework == "tensorflow" and function in _WITH_CONSTANTS
    kinds = ("floating", "scalars") if constants else ("floating",)
    for case in (case for kind in kinds for case in special_cases(function, kind)):
        expected = run_on(case, xp)
        if expected.error or not expected.value[1]:
            continue
        got = run_on(case, xp, COMPILERS[framework])
        found = compare(case, expected, got, framework)
        assert found is None, report(case, xp, (found, expected, got))[:6000]


@pytest.mark.parametrize("function", ALONG_ROWS)
def test_rows_are_compared(function: str) -> None:
    errors = [run(case, namespace_of("numpy")).error for case in row_cases(function)]
    assert None in errors


@pytest.mark.parametrize("function", FUNCTIONS)
def test_something_is_compared(function: str) -> None:
    cases = [case for kind in KINDS for case in special_cases(function, kind)]
    assert any(run(case, namespace_of("numpy")).error is None for case in cases)


class TestSpecialCases:
    def test_have_each_pair_of_components_once(self) -> None:
        (values,) = special_cases("exp", "floating")[2].arrays()
        pairs = {tuple(map(str, (z.real, z.imag))) for z in values.tolist()}
        assert values.dtype == np.complex64
        assert len(pairs) == values.size == 100
        assert {("nan", "0.0"), ("-0.0", "-inf"), ("inf", "nan")} <= pairs

    def test_have_each_pair_of_operands_once(self) -> None:
        x1, x2 = special_cases("atan2", "floating")[1].arrays()
        pairs = set(zip(map(str, x1.tolist()), map(str, x2.tolist()), strict=True))
        assert len(pairs) == x1.size == x2.size == 14**2
        assert x1.dtype == np.float64

    def test_have_the_ends_of_integers(self) -> None:
        x1, x2 = special_cases("add", "others")[1].arrays()
        assert {(127, 127), (-128, -1), (0, -128)} <= set(
            zip(x1.tolist(), x2.tolist(), strict=True)
        )
        assert np.min(special_cases("bitwise_left_shift", "others")[1].arrays()[1]) == 0

    def test_have_scalars_on_either_side(self) -> None:
        found = {tuple(map(type, case.args)) for case in special_cases("add", "scalars")}
        assert len(found) == 2 * 4
        assert not special_cases("exp", "scalars")
