"""Elementwise functions, reductions and the like agree in kernels for long arrays."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.differential.case import ArrayArg, Case
from tests.differential.check import differences, report
from tests.differential.coverage import groups
from tests.differential.long import CATEGORIES, EXCLUDED, LENGTH, lengthened, long_cases
from tests.differential.runner import check_examples

FUNCTIONS = [
    pytest.param(name, id=f"{category}-{name}")
    for category in CATEGORIES
    for name in groups()[category]
    if name not in EXCLUDED
]


@pytest.mark.sample(60)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_same_as_expected(function: str, every_backend: list[ModuleType]) -> None:
    def check(case: Case) -> str | None:
        found = differences(case, every_backend)
        return "\n".join(report(case, xp, what)[:2000] for xp, what in found) or None

    check_examples(long_cases(function), check, every_backend[0], share=0.1, least=10)


@pytest.mark.parametrize("place", [0, 1500, LENGTH - 1])
@pytest.mark.parametrize(
    ("function", "kwargs"),
    [
        *((name, {"axis": -1}) for name in ("max", "min", "argmax", "argmin")),
        *(("linalg.vector_norm", {"axis": -1, "ord": sign * np.inf}) for sign in (1, -1)),
        *(("linalg.matrix_norm", {"ord": ord_}) for ord_ in (1, -1, np.inf, -np.inf)),
    ],
)
def test_extremes_keep_nan(
    function: str, kwargs: dict[str, Any], place: int, every_backend: list[ModuleType]
) -> None:
    values = np.ones((3, LENGTH), np.float32)
    values[1, place] = np.nan
    for array in (values, values.astype(np.float64), np.array(values.T, order="C").T):
        case = Case(function, (ArrayArg(array),), kwargs)
        found = differences(case, every_backend)
        assert not found, "\n".join(report(case, xp, what)[:2000] for xp, what in found)


class TestLengthened:
    def test_repeats_values(self) -> None:
        case = lengthened(Case("add", (ArrayArg(np.array([[1.0, 2.0, 3.0]])), 2.0)))
        (values,) = case.arrays()
        assert values.shape == (1, LENGTH)
        np.testing.assert_array_equal(values[0, :7], [1, 2, 3, 1, 2, 3, 1])

    def test_broadcasts_as_before(self) -> None:
        arrays = [ArrayArg(np.ones(shape)) for shape in ((2, 3), (3,), (2, 1), ())]
        case = lengthened(Case("broadcast_arrays", tuple(arrays)))
        assert [a.shape for a in case.arrays()] == [(2, LENGTH), (LENGTH,), (2, 1), ()]

    def test_leaves_what_is_empty(self) -> None:
        arrays = ArrayArg(np.ones((2, 0))), ArrayArg(np.ones((2, 1)))
        assert [a.shape for a in lengthened(Case("add", arrays)).arrays()] == [(2, 0), (2, 1)]

    def test_products_have_each_value_once(self) -> None:
        (values,) = lengthened(Case("prod", (ArrayArg(np.array([2.0, 3.0, 5.0])),))).arrays()
        assert np.prod(values) == 30
        assert np.flatnonzero(values != 1).size == 3

    @pytest.mark.parametrize("dtype", ["int8", "uint16"])
    def test_what_is_searched_is_in_order(self, dtype: str) -> None:
        x1, x2 = ArrayArg(np.array([3.0, -1.0, np.nan])), ArrayArg(np.array([2.0]))
        sorter = ArrayArg(np.array([1, 0, 2], dtype))
        values, _, order = lengthened(Case("searchsorted", (x1, x2), {"sorter": sorter})).arrays()
        in_order = np.sort(np.resize(x1.values, LENGTH))
        np.testing.assert_array_equal(values[order], in_order)
        (values, _) = lengthened(Case("searchsorted", (x1, x2))).arrays()
        np.testing.assert_array_equal(values, in_order)
