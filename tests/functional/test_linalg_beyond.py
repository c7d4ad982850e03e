"""Functions of linalg that NumPy and SciPy have, and the standard hasn't."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.array_object.numpy_names import LINALG_ONLY

ORDERS = (None, 1, -1, 2, -2, math.inf, -math.inf, "fro")


@pytest.mark.parametrize("name", sorted(LINALG_ONLY))
def test_in_linalg_only(xp: ModuleType, name: str) -> None:
    """B42: `cond` and `norm` are no methods, and `unify.cond` is control flow."""
    assert not hasattr(xp.ones(2), name)
    assert not hasattr(unify.Container, f"static_{name}")
    assert unify.linalg.__dict__.get(name, None) is not getattr(unify, name, unify)
    assert unify.cond.contract.category == "control_flow"


class TestCond:
    @pytest.mark.parametrize("p", ORDERS)
    def test_singular_and_regular_matrices_in_a_stack(self, xp: ModuleType, p: Any) -> None:
        x = np.array([[[0.0, 0.0], [0.0, 0.0]], [[4.0, 1.0], [1.0, 3.0]]])
        found = np.asarray(xp.linalg.cond(xp.asarray(x), p))
        assert found[0] == math.inf
        np.testing.assert_allclose(found[1], np.linalg.cond(x[1], p), rtol=1e-14)

    @pytest.mark.parametrize("p", ORDERS)
    def test_nan_and_infinity(self, xp: ModuleType, p: Any) -> None:
        x = xp.asarray([[[math.nan, 1.0], [0.0, 1.0]], [[math.inf, 1.0], [0.0, 1.0]]])
        np.testing.assert_array_equal(np.asarray(xp.linalg.cond(x, p)), [math.nan, math.inf])


class TestNorm:
    @pytest.mark.parametrize("axes", [(0, 1), (2, 0), (-1, -2), (1, -3)])
    @pytest.mark.parametrize("ord_", [*ORDERS, "nuc", "f"])
    def test_matrices_in_any_plane(self, xp: ModuleType, axes: Any, ord_: Any) -> None:
        x = np.arange(24.0).reshape(2, 3, 4) - 7
        for keepdims in (False, True):
            expected = np.linalg.norm(x, ord_, axes, keepdims)
            found = np.asarray(xp.linalg.norm(xp.asarray(x), ord_, axes, keepdims))
            np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13, strict=True)

    def test_of_a_number(self, xp: ModuleType) -> None:
        assert float(xp.linalg.norm(xp.asarray(-2.0))) == 2

    def test_numpys_functions(self, xp: ModuleType) -> None:
        x = xp.asarray([[3.0, 0.0], [0.0, 4.0]])
        for found in (np.linalg.norm(x, axis=0), np.linalg.cond(x, p=1)):
            assert isinstance(found, unify.Array)
            assert found.backend == x.backend
