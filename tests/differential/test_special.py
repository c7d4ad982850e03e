"""Elementwise functions of every special value, and of every pair of them."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from arrayapi_unify.binding import CONTRACTS, namespace_of
from tests.differential.check import differences, report
from tests.differential.coverage import groups
from tests.differential.outcome import run
from tests.differential.special import CATEGORIES, DTYPES, special_case

FUNCTIONS = [
    pytest.param(name, id=f"{category}-{name}")
    for category in CATEGORIES
    for name in groups()[category]
    if not any(p.required for p in list(CONTRACTS[name].inputs)[2:])
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_same_as_expected(function: str, every_backend: list[ModuleType]) -> None:
    calls = [case for dtype in DTYPES if (case := special_case(function, dtype))]
    refused = [run(case, namespace_of("numpy")).error for case in calls]
    for case in calls:
        found = differences(case, every_backend)
        assert not found, "\n".join(report(case, xp, what)[:6000] for xp, what in found)
    assert (None in refused) == (not function.startswith("bitwise_"))


class TestSpecialCase:
    def test_has_each_pair_of_components_once(self) -> None:
        case = special_case("exp", "complex64")
        assert case is not None
        (values,) = case.arrays()
        pairs = {tuple(map(str, (z.real, z.imag))) for z in values.tolist()}
        assert len(pairs) == values.size == 100
        assert {("nan", "0.0"), ("-0.0", "-inf"), ("inf", "nan")} <= pairs

    def test_has_each_pair_of_operands_once(self) -> None:
        case = special_case("atan2", "float64")
        assert case is not None
        x1, x2 = case.arrays()
        pairs = set(zip(map(str, x1.tolist()), map(str, x2.tolist()), strict=True))
        assert len(pairs) == x1.size == x2.size == 14**2
        assert x1.dtype == np.float64
