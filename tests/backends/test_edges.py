"""Edge cases of values and shapes in which libraries give wrong results; compared with NumPy."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from tests.functional.differentiating import DIFFERENTIATING
from tests.tables import each

LONG = 4_099  # elements: enough for vectorized kernels, with a remainder


class TestMatrixNorm:
    @each("shape", [(0, 3), (3, 0), (0, 0), (2, 0, 3), (0, 2, 3)])
    @each("order", ["fro", "nuc", 1, -1, 2, -2, inf, -inf])
    @each("keepdims", [False, True])
    def test_of_nothing(self, xp: ModuleType, shape: Any, order: Any, keepdims: bool) -> None:
        x = xp.zeros(shape)
        # NumPy 2.2 refuses the largest of no numbers, which is 0 since.
        known = "fro" if order in (1, 2, inf) else order
        try:
            expected = np.linalg.norm(np.zeros(shape), known, (-2, -1), keepdims)
        except ValueError:
            with pytest.raises(ValueError, match="there is nothing to choose"):
                xp.linalg.matrix_norm(x, ord=order, keepdims=keepdims)
        else:
            result = xp.linalg.matrix_norm(x, ord=order, keepdims=keepdims)
            np.testing.assert_array_equal(np.asarray(result), expected, strict=True)

    @pytest.mark.parametrize("order", [inf, -inf])
    def test_no_vectors_have_no_norms(self, xp: ModuleType, order: float) -> None:
        result = xp.linalg.vector_norm(xp.zeros((0, 3)), axis=1, ord=order)
        assert result.shape == (0,)


class TestMatrixRank:
    @each("shape", [(0, 3), (3, 0), (0, 0), (2, 0, 3), (2, 2, 3)])
    @each("tolerances", [None, (), (1,), (4, 1)])
    def test_of_nothing(
        self, xp: ModuleType, shape: tuple[int, ...], tolerances: tuple[int, ...] | None
    ) -> None:
        """Zero matrices, with each tolerance; NumPy before 2.4.5 refuses the empty ones."""
        rtol = None if tolerances is None else xp.full(tolerances, 0.1)
        result = xp.linalg.matrix_rank(xp.zeros(shape), rtol=rtol)
        expected = np.zeros(np.broadcast_shapes(shape[:-2], tolerances or ()), np.int64)
        np.testing.assert_array_equal(np.asarray(result), expected, strict=True)


class TestHyperbolic:
    @pytest.mark.parametrize("name", ["sinh", "cosh"])
    @pytest.mark.parametrize(("dtype", "large"), [("float32", 89.0), ("float64", 710.0)])
    @pytest.mark.parametrize("size", [3, LONG])
    def test_where_the_exponential_overflows(
        self, xp: ModuleType, name: str, dtype: str, large: float, size: int
    ) -> None:
        x = np.resize(np.asarray([large, -large, 1.0, large * 2, -inf, 0.0], dtype), size)
        with np.errstate(over="ignore"):
            result = getattr(xp, name)(xp.asarray(x))
            expected = getattr(np, name)(x.astype(np.longdouble)).astype(dtype)
        np.testing.assert_array_max_ulp(np.asarray(result), expected, maxulp=4)


class TestClip:
    @pytest.mark.parametrize(
        ("dtype", "low", "high"),
        [
            ("uint8", -1, 2), ("uint8", 2, 300), ("uint8", -1, 256), ("uint8", -(2**70), 2**70),
            ("int8", -129, 1), ("int64", 1, 2**63), ("float32", 1e300, None),
            ("float32", None, 1e300), ("float32", -1e300, 1e300), ("float32", 0.0, inf),
            ("float32", 3.4028235e38, None), ("float32", None, 3.40282352e38),
            ("bool", 2, 2**40), ("bool", -(2**40), None), ("bool", False, 1),
        ],
    )  # fmt: skip
    def test_bounds_that_the_data_type_has_not(
        self, xp: ModuleType, dtype: str, low: Any, high: Any
    ) -> None:
        x = np.asarray([0, 1, 2, 5, 127], dtype)
        # NumPy warns about the bounds that become infinite.
        with np.errstate(over="ignore"):
            result = xp.clip(xp.asarray(x), low, high)
            expected = np.clip(x, low, high)
        np.testing.assert_array_equal(np.asarray(result), expected, strict=True)


class TestElement:
    """Assignments to one element accept or refuse arrays of one element, as in NumPy."""

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            (0, [5.0]), (0, [[5.0]]), ((0, ...), [5.0]), ((0, 1), [5.0]), ((0, 1), 5.0),
            ((0, 1, ...), [5.0]), ((0, slice(1)), [5.0]), ((None, 0, 1), [5.0]), (-1, [5.0, 6.0]),
            ((np.asarray(0), 1), [5.0]), ((np.asarray(0), 1), 5.0), ((np.asarray([0]), 1), [5.0]),
        ],
    )  # fmt: skip
    def test_is_assigned_as_in_numpy(self, xp: ModuleType, key: Any, value: Any) -> None:
        parts = key if isinstance(key, tuple) else (key,)
        ours = tuple(xp.asarray(p) if isinstance(p, np.ndarray) else p for p in parts)
        expected, x = np.zeros((2, 2)), xp.zeros((2, 2))
        try:
            expected[key] = np.asarray(value)
        except ValueError:
            with pytest.raises(ValueError, match="the key selects one element"):
                x[ours] = xp.asarray(value)
        else:
            x[ours] = xp.asarray(value)
        np.testing.assert_array_equal(np.asarray(x), expected)


class TestEightAxes:
    """TensorFlow's limit of axes, of which some kernels support seven."""

    X = np.random.default_rng(8).normal(size=(2, 1, 1, 2, 1, 1, 2, 3))

    @each("name", ["argmax", "argmin"])
    @each("axis", [None, 0, 3, -1])
    @each("dtype", ["float64", "complex128", "uint8"])
    @each("keepdims", [False, True])
    def test_extremes(
        self, xp: ModuleType, name: str, axis: int | None, dtype: str, keepdims: bool
    ) -> None:
        x = np.abs(self.X * 100).astype(dtype)
        result = getattr(xp, name)(xp.asarray(x), axis=axis, keepdims=keepdims)
        expected = getattr(np, name)(x, axis=axis, keepdims=keepdims)
        np.testing.assert_array_equal(np.asarray(result), expected)

    def test_mask(self, xp: ModuleType) -> None:
        x, expected = xp.asarray(self.X), self.X.copy()
        np.testing.assert_array_equal(np.asarray(x[x > 0]), expected[expected > 0])
        expected[expected > 0] *= 2
        x[x > 0] *= 2
        np.testing.assert_array_equal(np.asarray(x), expected)

    def test_positions(self, xp: ModuleType) -> None:
        x, expected = xp.asarray(self.X), self.X.copy()
        key = tuple(np.asarray([0, size - 1]) for size in self.X.shape)
        ours = tuple(map(xp.asarray, key))
        np.testing.assert_array_equal(np.asarray(x[ours]), expected[key])
        x[ours], expected[key] = xp.asarray([7.0, 8.0]), [7.0, 8.0]
        np.testing.assert_array_equal(np.asarray(x), expected)
        first = tuple(xp.asarray(0) for _ in key)
        assert float(x[first]) == 7
        with pytest.raises(IndexError):
            unify.compute(x[(*ours[:-1], xp.asarray([0, 3]))])


class TestHugeKeys:
    @pytest.mark.parametrize("step", [2**62, 2**70, -(2**63), -(2**70)])
    def test_steps(self, xp: ModuleType, step: int) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        assert x[::step].tolist() == [1.0 if step > 0 else 3.0]
        x[::step] = 5.0
        assert x.tolist() == ([5.0, 2.0, 3.0] if step > 0 else [1.0, 2.0, 5.0])

    @pytest.mark.parametrize("index", [2**70, -(2**70), 2**63])
    def test_indices(self, xp: ModuleType, index: int) -> None:
        x = xp.zeros(3)
        with pytest.raises(IndexError, match=f"index {index} is out of bounds"):
            x[index]
        with pytest.raises(IndexError, match=f"index {index} is out of bounds"):
            x[index] = 1.0


class TestKeys:
    @pytest.mark.parametrize("key", [(..., ...), (..., 0, ...), (0, ..., None, ...), (..., ..., 1)])
    def test_have_one_ellipsis(self, xp: ModuleType, key: Any) -> None:
        x = xp.ones((2, 2))
        with pytest.raises(IndexError, match="more than one ellipsis"):
            x[key]
        with pytest.raises(IndexError, match="more than one ellipsis"):
            x[key] = 1.0

    @pytest.mark.parametrize("key", [..., (...,), (0, ...), (..., None), (..., slice(1))])
    def test_may_have_one(self, xp: ModuleType, key: Any) -> None:
        values = np.arange(4.0).reshape(2, 2)
        np.testing.assert_array_equal(np.asarray(xp.asarray(values)[key]), values[key], strict=True)


class TestRepeat:
    @pytest.mark.parametrize("count", [True, np.int8(2), np.bool_(True)])
    def test_counts_of_other_types_than_int(self, xp: ModuleType, count: Any) -> None:
        result = xp.repeat(xp.asarray([1, 2]), count)
        np.testing.assert_array_equal(np.asarray(result), np.repeat([1, 2], count))


class TestLogarithms:
    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_of_powers_are_integers(self, xp: ModuleType, dtype: str) -> None:
        """`floor(log10(x))` counts the digits of a number.

        NumPy's float32 values, and Dask's, whose blocks are NumPy's, are a unit off on processors
        with AVX-512, as docs/differences.md describes.
        """
        info = np.finfo(dtype)
        tens = np.arange(np.ceil(np.log10(info.tiny)), np.floor(np.log10(info.max)))
        twos = np.arange(info.minexp, info.maxexp)
        powers = (10.0**tens).astype(dtype), np.ldexp(np.ones(twos.size, dtype), twos)
        for few in (slice(None), slice(0, 40)):
            found = xp.log10(xp.asarray(powers[0][few])), xp.log2(xp.asarray(powers[1][few]))
            integers = tens[few].astype(dtype)
            if found[0].backend in ("numpy", "dask") and dtype == "float32":
                numpys = np.log10(powers[0][few])
                np.testing.assert_array_max_ulp(numpys, integers, maxulp=1)
                integers = numpys
            np.testing.assert_array_equal(np.asarray(found[0]), integers)
            np.testing.assert_array_equal(np.asarray(found[1]), twos[few])

    @pytest.mark.parametrize("name", ["log2", "log10"])
    def test_neighbours_of_powers(self, xp: ModuleType, name: str) -> None:
        """They aren't integers, and neither are other values next to an integer."""
        base = 2.0 if name == "log2" else 10.0
        powers = np.array([base, 1.0, 1 / base, base**7])
        x = powers[:, None] * (1 + np.arange(-40, 41) * np.finfo(np.float64).eps)
        found = np.asarray(getattr(xp, name)(xp.asarray(x)))
        expected = np.asarray(getattr(np, name)(x.astype(np.longdouble)))
        np.testing.assert_allclose(found, expected, rtol=4 * np.finfo(np.float64).eps, atol=0)

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_derivatives_at_powers(self, backend: str) -> None:
        xp = namespace_of(backend)
        for name, base in (("log2", 2.0), ("log10", 10.0)):
            x = xp.asarray(base ** np.arange(1.0, 6.0))
            found = xp.grad(lambda x, f=name: xp.sum(getattr(xp, f)(x)))(x)
            np.testing.assert_allclose(np.asarray(found), 1 / np.asarray(x) / np.log(base))


class TestDivide:
    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_is_rounded_once(self, xp: ModuleType, dtype: str) -> None:
        """Also by one number: a product with its reciprocal may be another number."""
        x1 = np.linspace(-7, 11, 5_000, dtype=dtype).reshape(50, 100)
        for x2 in (np.asarray(3, dtype), np.linspace(0.1, 7, 100, dtype=dtype), x1[:, :1]):
            assert (x1 * (1 / x2) != x1 / x2).any()
            found = xp.divide(xp.asarray(x1), xp.asarray(x2))
            np.testing.assert_array_equal(np.asarray(found), x1 / x2)
        found = xp.asarray(x1) / 3
        np.testing.assert_array_equal(np.asarray(found), x1 / np.asarray(3, dtype))


class TestFloorDivide:
    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    @pytest.mark.parametrize("size", [9, 70_001])
    def test_quotients_near_integers(self, xp: ModuleType, size: int, dtype: str) -> None:
        """1.0 // 0.1 is 9, because the float 0.1 is slightly larger.

        Fractions give the right result.
        """
        rng = np.random.default_rng(size)
        few = min(size, 8_999)
        x2 = rng.choice(np.array([0.1, -0.1, 0.3, 7.0, 1e-3, 0.5, -3.0], dtype), few)
        x1 = (rng.integers(-999, 1000, few).astype(dtype) * x2).astype(dtype)
        for divisor in (x2, np.asarray(0.1, dtype), np.asarray(-0.7, dtype)):
            pairs = zip(x1.tolist(), np.broadcast_to(divisor, x1.shape).tolist(), strict=True)
            exact = np.array([Fraction(a) // Fraction(b) for a, b in pairs], dtype)
            assert (exact != np.floor(x1 / divisor)).any() or size == 9
            many = divisor if not divisor.ndim else np.resize(divisor, size)
            found = xp.floor_divide(xp.asarray(np.resize(x1, size)), xp.asarray(many))
            np.testing.assert_array_equal(np.asarray(found), np.resize(exact, size))

    def test_whole_numbers_and_what_is_special_between_them(self, xp: ModuleType) -> None:
        x1 = np.arange(-5_000.0, 5_001.0)
        x2 = np.resize([3.0, -7.0, 1.0, 2.5], x1.shape)
        x1[[3, 4_500]], x2[[9, 9_999]] = [np.inf, np.nan], [np.inf, 0.0]
        with np.errstate(all="ignore"):
            found = np.asarray(xp.floor_divide(xp.asarray(x1), xp.asarray(x2)))
            expected = np.floor(x1 / x2)
        np.testing.assert_array_equal(found, expected)

    @pytest.mark.parametrize("shape", [(6,), (2, 3), (LONG,)])
    def test_infinite_divisors_of_finite_numbers(
        self, xp: ModuleType, shape: tuple[int, ...]
    ) -> None:
        """The quotients are zeros. NumPy's is -1 if the signs differ, which doesn't show in it."""
        x1, x2 = np.resize([-1.0, 2.0, 3.0], shape), np.resize([np.inf, 0.5, -np.inf], shape)
        found = np.asarray(xp.floor_divide(xp.asarray(x1), xp.asarray(x2)))
        np.testing.assert_array_equal(found, np.resize([0.0, 4.0, 0.0], shape))

    @pytest.mark.parametrize("size", [4, LONG])
    def test_quotients_too_small_to_represent(self, xp: ModuleType, size: int) -> None:
        """The floor of a number below zero is -1, however near to zero it is."""
        x1 = np.resize([-1.0, 1e-300, -1e-300, 1e-300, -3e-308], size)
        x2 = np.resize([1e308, -1e300, -1e300, 1e300, 1e10], size)
        with np.errstate(over="ignore"):
            result = xp.floor_divide(xp.asarray(x1), xp.asarray(x2))
        np.testing.assert_array_equal(np.asarray(result), np.resize([-1.0, -1, 0, 0, -1], size))

    @pytest.mark.parametrize("shape", [(3,), (LONG,), (5, 8)])
    @pytest.mark.parametrize("divisor", [1.0, 3.0])
    def test_huge_quotients_warn_of_nothing(
        self, xp: ModuleType, shape: tuple[int, ...], divisor: float
    ) -> None:
        """They are finite, although sums of two of them aren't; warnings are errors here."""
        x = np.full(shape, np.finfo(np.float64).max)
        expected = np.floor_divide(x, divisor)
        for x2 in (xp.full(shape, divisor), xp.asarray(divisor), divisor):
            result = xp.floor_divide(xp.asarray(x), x2)
            np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-15)


class TestRemainder:
    @pytest.mark.parametrize("dtype", ["float64", "float32"])
    def test_where_the_quotient_overflows(self, xp: ModuleType, dtype: str) -> None:
        """PyTorch's vectorized kernel returns NaN there."""
        info, draw = np.finfo(dtype), np.random.default_rng(0)
        # Large enough that no subnormal numbers occur, which some libraries flush to zero.
        ends = np.log10(info.smallest_normal / info.eps) + 0.1, np.log10(info.max) - 0.1
        x, y = (draw.choice([-1, 1], 500) * 10.0 ** draw.uniform(*ends, 500) for _ in "xy")
        x, y = x.astype(dtype), y.astype(dtype)
        with np.errstate(over="ignore"):
            assert np.isinf(x / y).sum() > 30
        found = np.asarray(xp.remainder(xp.asarray(x), xp.asarray(y)))
        np.testing.assert_array_equal(found, np.remainder(x, y))

    def test_derivative_there(self) -> None:
        torch = pytest.importorskip("torch")
        x = torch.full((9,), 1e5, dtype=torch.float64, requires_grad=True)
        xp = namespace_of("torch")
        xp.remainder(xp.asarray(x), xp.asarray(np.full(9, 3e-304))).data.sum().backward()
        assert x.grad.tolist() == [1.0] * 9


class TestConcat:
    @pytest.mark.parametrize("axis", [1, -2])
    @pytest.mark.parametrize("dtype", ["float64", "uint16"])
    def test_axis_of_nothing(self, xp: ModuleType, axis: int, dtype: str) -> None:
        empty = xp.zeros(0, dtype=dtype)
        for arrays in ([empty], [empty, empty]):
            with pytest.raises(IndexError, match=f"concat: argument 'axis' is {axis}"):
                xp.concat(arrays, axis=axis)
        assert xp.concat([empty, empty], axis=-1).shape == (0,)


class TestSolve:
    def test_a_right_side_of_nothing(self, xp: ModuleType) -> None:
        """Singular matrices are refused even if the right side is empty."""
        with pytest.raises(ValueError, match="singular"):
            unify.compute(xp.linalg.solve(xp.asarray(np.diag([1.0, 1.0, 0.0])), xp.zeros((3, 0))))
        assert xp.linalg.solve(xp.eye(3), xp.zeros((3, 0))).shape == (3, 0)
        assert xp.linalg.solve(xp.zeros((2, 0, 0)), xp.zeros((0, 0))).shape == (2, 0, 0)
