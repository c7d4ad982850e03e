"""B60: compiled functions take NumPy's arrays as constants, and as arguments next to Arrays."""

from __future__ import annotations

from types import ModuleType

import pytest

import arrayapi_unify as unify
from tests.test_numpy_operands import OTHER, VALUES, expected_value, name_of, weighted

pytestmark = pytest.mark.usefixtures("broken")  # PyTorch follows no operator next to these


def test_constants(xp: ModuleType) -> None:
    compiled = unify.compile(lambda x: weighted(x))
    assert float(compiled(xp.asarray(VALUES))) == expected_value(name_of(xp))


def test_arguments(xp: ModuleType) -> None:
    compiled, x = unify.compile(weighted), xp.asarray(VALUES)
    assert float(compiled(x, OTHER)) == expected_value(name_of(xp))
    assert float(compiled(x, OTHER + 1)) == float(weighted(x, OTHER + 1))
    assert float(compiled(x, weights=OTHER)) == expected_value(name_of(xp))
