"""B60: compiled functions take NumPy's arrays as constants, and as arguments next to Arrays."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.test_numpy_operands import INDICES, OTHER, VALUES, expected_value, name_of, weighted


@pytest.mark.slow_on("torch")
@pytest.mark.usefixtures("quick")
def test_functions_are_one_graph(xp: ModuleType) -> None:
    compiled = unify.compile(lambda x: xp.concat([xp.multiply(x, OTHER), x[INDICES]]))
    expected = np.concat([VALUES * OTHER, VALUES[INDICES]])
    np.testing.assert_array_equal(np.asarray(compiled(xp.asarray(VALUES))), expected)


@pytest.mark.slow_on("torch")
@pytest.mark.usefixtures("broken")  # PyTorch follows no operator next to NumPy's arrays
def test_constants(xp: ModuleType) -> None:
    compiled = unify.compile(lambda x: weighted(x))
    assert float(compiled(xp.asarray(VALUES))) == expected_value(name_of(xp))


@pytest.mark.exhaustive
@pytest.mark.slow_on("torch")
@pytest.mark.usefixtures("broken")
def test_arguments(xp: ModuleType) -> None:
    compiled, x = unify.compile(weighted), xp.asarray(VALUES)
    assert float(compiled(x, OTHER)) == expected_value(name_of(xp))
    assert float(compiled(x, OTHER + 1)) == float(weighted(x, OTHER + 1))
    assert float(compiled(x, weights=OTHER)) == expected_value(name_of(xp))
