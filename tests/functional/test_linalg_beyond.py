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


class TestSolveTriangular:
    @pytest.mark.parametrize("lower", [False, True])
    @pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
    @pytest.mark.parametrize("unit_diagonal", [False, True])
    def test_as_scipys(self, xp: ModuleType, lower: bool, trans: Any, unit_diagonal: bool) -> None:
        scipy = pytest.importorskip("scipy.linalg")
        generator = np.random.default_rng(3)
        a = generator.normal(size=(5, 5)) + 1j * generator.normal(size=(5, 5)) + 3 * np.eye(5)
        for b in (generator.normal(size=5), generator.normal(size=(5, 2))):
            expected = scipy.solve_triangular(a, b, trans, lower, unit_diagonal)
            found = xp.linalg.solve_triangular(
                *map(xp.asarray, (a, b)), trans, lower, unit_diagonal
            )
            np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-11, atol=1e-11)

    @pytest.mark.parametrize("lower", [False, True])
    def test_substitutes_only(self, xp: ModuleType, lower: bool) -> None:
        """Exchanged rows would lose the digits of a badly scaled matrix."""
        scipy = pytest.importorskip("scipy.linalg")
        a = np.tril(np.random.default_rng(4).normal(size=(8, 8)) * 10.0 ** np.arange(8)[:, None])
        a = a if lower else a[::-1, ::-1]
        b = np.ones(8)
        expected = scipy.solve_triangular(a, b, lower=lower)
        found = np.asarray(xp.linalg.solve_triangular(xp.asarray(a), xp.asarray(b), lower=lower))
        np.testing.assert_allclose(found, expected, rtol=1e-14)

    @pytest.mark.eager
    def test_zero_on_the_diagonal(self, xp: ModuleType) -> None:
        """B62."""
        a = xp.asarray([[[1.0, 2.0], [0.0, 1.0]], [[1.0, 2.0], [0.0, 0.0]]])
        with pytest.raises(np.linalg.LinAlgError, match=r"solve_triangular: argument 'a'"):
            xp.linalg.solve_triangular(a, xp.ones(2))
        found = xp.linalg.solve_triangular(a, xp.ones(2), unit_diagonal=True)
        assert found.tolist() == [[-1.0, 1.0]] * 2


@pytest.mark.slow_on("dask")  # a graph of thousands of tasks for each call
class TestLu:
    @pytest.mark.parametrize("shape", [(5, 5), (3, 7), (7, 3), (2, 4, 3), (40, 40), (1, 1)])
    @pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
    def test_as_scipys(self, xp: ModuleType, shape: Any, dtype: str) -> None:
        scipy = pytest.importorskip("scipy.linalg")
        generator = np.random.default_rng(6)
        x = generator.normal(size=shape)
        if dtype.startswith("complex"):
            x = x + 1j * generator.normal(size=shape)
        x = x.astype(dtype)
        eps = float(np.finfo(dtype).eps)
        found = xp.linalg.lu(xp.asarray(x))
        assert found._fields == ("P", "L", "U")
        for part, wanted in zip(found, scipy.lu(x.astype("c16")), strict=True):
            assert part.shape == wanted.shape
            np.testing.assert_allclose(np.asarray(part), wanted, atol=2000 * eps, rtol=2000 * eps)
        assert np.asarray(found.P).dtype == np.finfo(dtype).dtype
        indices = xp.linalg.lu(xp.asarray(x), p_indices=True).P
        assert indices.tolist() == scipy.lu(x, p_indices=True)[0].tolist()

    def test_singular_matrices(self, xp: ModuleType) -> None:
        """SciPy's result, without an error: a column without pivots has multiples of zero."""
        x = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [0.0, 4.0, 2.0]])
        for matrix in (x, np.zeros((3, 3)), x.T, x[:, :2]):
            p, lower, upper = (np.asarray(part) for part in xp.linalg.lu(xp.asarray(matrix)))
            np.testing.assert_array_equal(p @ lower @ upper, matrix)
            assert np.all(np.abs(lower) <= 1)

    @pytest.mark.parametrize("shape", [(60, 60), (60, 20), (20, 60)])
    def test_backward_error_of_badly_scaled_matrices(self, xp: ModuleType, shape: Any) -> None:
        """Rows of ``L @ U`` are within rounding errors of ``|L| @ |U|``; Higham, chapter 9."""
        generator = np.random.default_rng(7)
        x = generator.normal(size=shape) * 10.0 ** generator.integers(-9, 9, size=shape)
        p, lower, upper = (np.asarray(part) for part in xp.linalg.lu(xp.asarray(x)))
        bound = 20 * np.finfo("f8").eps * (p @ np.abs(lower) @ np.abs(upper))
        assert np.all(np.abs(p @ lower @ upper - x) <= bound)


class TestLstsq:
    @pytest.mark.parametrize("shape", [(5, 3), (3, 3), (2, 4), (0, 2), (3, 0)])
    @pytest.mark.parametrize("right", [(), (2,)])
    def test_as_numpys(self, xp: ModuleType, shape: Any, right: Any) -> None:
        generator = np.random.default_rng(5)
        a, b = generator.normal(size=shape), generator.normal(size=(shape[0], *right))
        expected = np.linalg.lstsq(a, b)
        found = xp.linalg.lstsq(*map(xp.asarray, (a, b)))
        assert found._fields == ("x", "residuals", "rank", "s")
        for part, wanted in zip(found, expected, strict=True):
            assert part.shape == np.shape(wanted)
            np.testing.assert_allclose(np.asarray(part), wanted, rtol=1e-12, atol=1e-13)

    def test_shortest_solution_without_full_rank(self, xp: ModuleType) -> None:
        a = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
        b = np.array([1.0, 2.0, 4.0])
        stack = xp.asarray(np.stack([a, a + np.eye(3, 2)]))
        x, residuals, rank, _ = xp.linalg.lstsq(stack, xp.asarray(b))
        np.testing.assert_allclose(np.asarray(x)[0], np.linalg.lstsq(a, b)[0], rtol=1e-13)
        assert rank.tolist() == [1, 2]
        np.testing.assert_allclose(float(residuals[0, 0]), 0.357142857142857, rtol=1e-12)

    def test_numpys_function(self, xp: ModuleType) -> None:
        x = np.linalg.lstsq(xp.eye(2), xp.ones(2))[0]
        assert isinstance(x, unify.Array)


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
