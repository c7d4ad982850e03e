"""Promotion, exhaustively: every pair of data types, and every data type with every scalar."""

from __future__ import annotations

import itertools
from types import ModuleType

import numpy as np
import pytest

from arrayapi_unify import dtypes
from tests.differential.case import ArrayArg, Case
from tests.differential.check import difference, report

_SCALARS = (True, 1, 1.0, 1j, np.float32(1), np.int8(1), np.float64(1), np.bool_(True))


def _one(dtype: dtypes.DType) -> ArrayArg:
    return ArrayArg(np.ones((2,), dtype.name))


def _problems(cases: list[Case], other: ModuleType) -> list[str]:
    found = [(case, difference(case, other)) for case in cases]
    return [report(case, other, differs) for case, differs in found if differs is not None]


@pytest.mark.slow_on("jax")
def test_pairs_of_dtypes(other: ModuleType) -> None:
    pairs = itertools.product(dtypes.ALL, repeat=2)
    assert _problems([Case("add", (_one(a), _one(b))) for a, b in pairs], other) == []


@pytest.mark.slow_on("jax")
@pytest.mark.parametrize("reflected", [False, True])
def test_scalars(reflected: bool, other: ModuleType) -> None:
    pairs = itertools.product(dtypes.ALL, _SCALARS)
    ordered = [(s, _one(d)) if reflected else (_one(d), s) for d, s in pairs]
    assert _problems([Case("add", pair) for pair in ordered], other) == []


def test_table_is_what_numpy_does() -> None:
    """The reference follows the promotion table."""
    for a, b in itertools.product(dtypes.ALL, repeat=2):
        assert np.result_type(a.name, b.name).name == dtypes.promote(a, b).name
