"""Derivatives at kinks and jumps: the same on all backends, and between those of both sides.

The differential tests of derivatives draw points at which functions are smooth. Here each function
of one or two arrays is differentiated at zeros, integers and ties.
"""

from __future__ import annotations

from itertools import product
from operator import attrgetter
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from tests.differential.differences import render
from tests.differential.kinks import KINKS, table
from tests.differential.oracle import ORACLES
from tests.functional.differentiating import DIFFERENTIATING

NDArray = npt.NDArray[Any]

_POINTS: Final = np.array([0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1.5, 6])
_PAIRS: Final = tuple(np.array(list(product(_POINTS, _POINTS))).T)
_STEP: Final = 1e-6
# Elementwise categories: each element of the result depends on one element of the arguments.
_CATEGORIES: Final = ("elementwise", "nn.activations")
# Functions along axes, or channels.
_NOT_ELEMENTWISE: Final = ("nn.glu", "nn.log_softmax", "nn.prelu", "nn.softmax")
# A steeper slope is a jump.
_STEEP: Final = 1e4


def _wanted(name: str) -> int:
    """Return the number of required arrays of a function."""
    return sum(p.required for p in CONTRACTS[name].parameters)


def _points(name: str) -> tuple[NDArray, ...]:
    return (_POINTS,) if _wanted(name) == 1 else _PAIRS


def _is_asked(name: str) -> bool:
    """Return True for an elementwise function from floating-point numbers to such numbers."""
    contract = CONTRACTS[name]
    if contract.category not in _CATEGORIES or name in _NOT_ELEMENTWISE or _wanted(name) > 2:
        return False
    try:
        result = ORACLES[name](*(x[:1] for x in _points(name)))
    except TypeError:  # bitwise functions
        return False
    return not isinstance(result, tuple) and bool(np.asarray(result).dtype.kind == "f")


with np.errstate(all="ignore"):
    FUNCTIONS: Final = [name for name in CONTRACTS if _is_asked(name)]


def _derivatives(backend: str, name: str, points: tuple[NDArray, ...]) -> NDArray:
    """Return the derivative by each argument, in a row for each."""
    xp: Any = namespace_of(backend)
    function = attrgetter(name)(xp)
    found = unify.grad(lambda given: xp.sum(function(*given)))([xp.asarray(x) for x in points])
    return np.stack([np.asarray(x) for x in found])


def _sides(name: str, points: tuple[NDArray, ...]) -> tuple[NDArray, NDArray]:
    """Return the smallest and the largest of the slopes on both sides, by each argument."""
    slopes = []
    here = np.asarray(ORACLES[name](*points))
    for place in range(len(points)):
        for step in (-_STEP, _STEP):
            moved = [x + step if i == place else x for i, x in enumerate(points)]
            slopes.append((np.asarray(ORACLES[name](*moved)) - here) / step)
    pairs = np.reshape(slopes, (len(points), 2, -1))
    return pairs.min(axis=1), pairs.max(axis=1)


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of what is NaN or infinite
class TestElementwise:
    def test_all_backends_agree_but_for_the_rows(self, name: str) -> None:
        points = _points(name)
        found = {backend: _derivatives(backend, name, points) for backend in DIFFERENTIATING}
        rows = [row for row in KINKS if name in row.functions]
        for backend, values in found.items():
            others = [other for other in found if other != backend]
            expected = found[others[0]].copy()
            for row in rows:
                here = np.broadcast_to(row.at(*points), expected.shape)
                if row.backend == backend:
                    gives = np.broadcast_to(np.reshape(row.gives, (-1, 1)), expected.shape)
                    assert not np.allclose(gives[here], expected[here], equal_nan=True)
                    expected[here] = gives[here]
                elif row.backend == others[0]:
                    expected[here] = found[others[1]][here]
            # Outside its domain a function has no value and no derivative: libraries, and their
            # versions, return 0, NaN or the value of their formula.
            has_value = ~np.isnan(ORACLES[name](*points))
            np.testing.assert_allclose(
                values[:, has_value], expected[:, has_value], rtol=1e-9, atol=1e-12
            )

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_between_the_slopes_of_both_sides(self, name: str, backend: str) -> None:
        points = _points(name)
        low, high = _sides(name, points)
        known = (np.abs(low) < _STEEP) & (np.abs(high) < _STEEP)
        for row in KINKS:
            if name in row.functions and row.backend == backend:
                known &= ~row.at(*points)
        assert known.any()
        found = _derivatives(backend, name, points)[known]
        room = 1e-4 * np.maximum(1, np.abs(found))
        assert np.all(low[known] - room <= found)
        assert np.all(found <= high[known] + room)


# Complex functions with a derivative; True if their branch cuts are on the imaginary axis.
_HOLOMORPHIC: Final = {
    **dict.fromkeys(["acos", "acosh", "asin", "atanh", "cos", "cosh", "exp", "expm1"], False),
    **dict.fromkeys(["log", "log10", "log1p", "log2", "reciprocal", "sin", "sinh"], False),
    **dict.fromkeys(["sqrt", "square", "tan", "tanh"], False),
    **dict.fromkeys(["asinh", "atan"], True),
}
_PLANE: Final = np.array([complex(a, b) for a in _POINTS for b in _POINTS])


def _complex_slopes(name: str) -> tuple[NDArray, NDArray]:
    """Return the slopes of NumPy's function on both sides, along its branch cut.

    The signed zero is kept, which determines the side of the cut.
    """
    step = 1j * _STEP if _HOLOMORPHIC[name] else _STEP
    ends = []
    for sign in (1, -1):
        moved = _PLANE.copy()
        part = moved.imag if _HOLOMORPHIC[name] else moved.real
        part += sign * _STEP
        ends.append(np.asarray(ORACLES[name](moved)))
    here = np.asarray(ORACLES[name](_PLANE))
    return (ends[0] - here) / step, (here - ends[1]) / step


@pytest.mark.parametrize("backend", DIFFERENTIATING)
class TestComplex:
    @pytest.mark.slow_on("jax")
    @pytest.mark.sample(6)
    @pytest.mark.parametrize("name", _HOLOMORPHIC)
    @pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of what is NaN or infinite
    def test_on_both_sides_of_branch_cuts(self, name: str, backend: str) -> None:
        xp: Any = namespace_of(backend)
        before, behind = _complex_slopes(name)
        slope = (before + behind) / 2
        # Not at or near a branch point or pole, where the slopes differ.
        known = np.abs(before - behind) < 1e-3 * (1 + np.abs(slope))
        assert known.sum() > 100

        def weighed(x: Any) -> Any:
            result = attrgetter(name)(xp)(x)
            return xp.sum(xp.real(result)) + 2 * xp.sum(xp.imag(result))

        found = np.asarray(unify.grad(weighed)(xp.asarray(_PLANE)))
        expected = np.conj((1 - 2j) * slope)
        np.testing.assert_allclose(found[known], expected[known], rtol=1e-4, atol=1e-6)

    def test_the_first_power_of_zero(self, backend: str) -> None:
        xp: Any = namespace_of(backend)
        powers = xp.asarray([1 + 0j, 2 + 0j])
        found = unify.grad(lambda x: xp.sum(xp.real(x**powers)))(xp.asarray([0j, 0j]))
        np.testing.assert_array_equal(np.asarray(found), [1, 0])


@pytest.mark.parametrize("backend", DIFFERENTIATING)
class TestInfinities:
    """There derivatives are limits; PyTorch has none for the sum of two equal ones."""

    @pytest.mark.parametrize("approximate", ["none", "tanh"])
    def test_gelu(self, backend: str, approximate: str) -> None:
        xp: Any = namespace_of(backend)
        x = xp.asarray([np.inf, 3.0, np.inf])
        found = unify.grad(lambda x: xp.sum(xp.gelu(x, approximate=approximate)))(x)
        beside = unify.grad(lambda x: xp.gelu(x, approximate=approximate))(xp.asarray(3.0))
        np.testing.assert_allclose(np.asarray(found), [1, float(beside), 1], rtol=1e-12)

    def test_logaddexp(self, backend: str) -> None:
        x1 = np.array([-np.inf, 0, np.inf, 1, np.inf, -np.inf, 0, 2])
        x2 = np.array([0, -np.inf, 1, np.inf, -np.inf, np.inf, 0, 2 + np.log(3)])
        by_x1, by_x2 = _derivatives(backend, "logaddexp", (x1, x2))
        np.testing.assert_allclose(by_x1, [0, 1, 1, 0, 1, 0, 0.5, 0.25], rtol=1e-12)
        np.testing.assert_allclose(by_x2, [1, 0, 0, 1, 0, 1, 0.5, 0.75], rtol=1e-12)

    @pytest.mark.parametrize("sign", [1, -1])
    def test_logaddexp_of_equal_ones(self, backend: str, sign: int) -> None:
        x = np.array([sign * np.inf])
        expected = 0.0 if backend == "torch" else 0.5
        np.testing.assert_array_equal(_derivatives(backend, "logaddexp", (x, x)), expected)


@pytest.mark.parametrize("backend", DIFFERENTIATING)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
class TestMagnitudes:
    """They have derivatives also for small numbers, whose squares are zero."""

    def _small(self, dtype: str) -> tuple[NDArray, NDArray]:
        exponents = np.arange(np.finfo(dtype).minexp + 3, -9, 10)
        sizes = 2.0 ** exponents.astype(dtype)
        return 3 * sizes, -4 * sizes

    def test_hypot(self, backend: str, dtype: str) -> None:
        by_x1, by_x2 = _derivatives(backend, "hypot", self._small(dtype))
        np.testing.assert_allclose(by_x1, 0.6, rtol=1e-6)
        np.testing.assert_allclose(by_x2, -0.8, rtol=1e-6)

    def test_abs(self, backend: str, dtype: str) -> None:
        xp: Any = namespace_of(backend)
        a, b = self._small(dtype)
        found = unify.grad(lambda x: xp.sum(xp.abs(x)))(xp.asarray(a + 1j * b))
        np.testing.assert_allclose(np.asarray(found), 0.6 - 0.8j, rtol=1e-6)


@pytest.mark.parametrize("backend", DIFFERENTIATING)
class TestNorms:
    @pytest.mark.parametrize("order", [1, 2, 3, np.inf])
    def test_vector_norm(self, backend: str, order: float) -> None:
        xp: Any = namespace_of(backend)
        x = np.array([0.0, -3.0, 0.0, 2.0])
        found = unify.grad(lambda x: xp.linalg.vector_norm(x, ord=order))(xp.asarray(x))
        size = np.abs(x) / np.linalg.norm(x, order)
        expected = np.sign(x) * (size == 1 if order == np.inf else size ** (order - 1))
        np.testing.assert_allclose(np.asarray(found), np.where(x == 0, 0, expected), rtol=1e-12)

    @pytest.mark.parametrize(
        ("order", "expected"), [(1, [[0, 1], [0, -1]]), (np.inf, [[0, 1], [0, 0]])]
    )
    def test_matrix_norm(self, backend: str, order: float, expected: Any) -> None:
        xp: Any = namespace_of(backend)
        x = xp.asarray([[0.0, 5.0], [0.0, -3.0]])
        found = unify.grad(lambda x: xp.linalg.matrix_norm(x, ord=order))(x)
        np.testing.assert_array_equal(np.asarray(found), expected)

    def test_mean_absolute_error(self, backend: str) -> None:
        xp: Any = namespace_of(backend)
        wanted = xp.asarray([1.0, 2.0])
        found = unify.grad(lambda x: xp.mae(wanted, x))(xp.asarray([1.0, 3.0]))
        np.testing.assert_array_equal(np.asarray(found), [0, 0.5])


@pytest.mark.parametrize("backend", DIFFERENTIATING)
class TestClip:
    @pytest.mark.parametrize("bounds", [(0, 1), (0.0, 1.0), (None, 1), (0, None)])
    def test_numbers(self, backend: str, bounds: Any) -> None:
        xp: Any = namespace_of(backend)
        low, high = bounds
        x = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
        found = unify.grad(lambda x: xp.sum(xp.clip(x, low, high)))(xp.asarray(x))
        inside = (x >= (-9 if low is None else low)) & (x <= (9 if high is None else high))
        np.testing.assert_array_equal(np.asarray(found), inside)

    def test_arrays(self, backend: str) -> None:
        """PyTorch uses a maximum and a minimum, in which equal elements share the derivative."""
        xp: Any = namespace_of(backend)
        low, high = xp.asarray([0.0]), xp.asarray([1.0])
        x = xp.asarray([-1.0, 0.0, 0.5, 1.0, 2.0])
        found = unify.grad(lambda x: xp.sum(xp.clip(x, low, high)))(x)
        at_bounds = 0.5 if backend == "torch" else 1.0
        np.testing.assert_array_equal(np.asarray(found), [0, at_bounds, 1, at_bounds, 0])


@pytest.mark.parametrize("backend", DIFFERENTIATING)
@pytest.mark.parametrize("name", ["nn.max_pool1d", "nn.adaptive_max_pool1d"])
def test_equals_in_windows(name: str, backend: str) -> None:
    """The first maximum gets all, but in adaptive windows each its share; PyTorch's differs."""
    xp: Any = namespace_of(backend)
    pool = attrgetter(name)(xp)
    x = xp.asarray(np.reshape([1.0, 1.0, 0.0, 0.0], (1, 4, 1)))
    found = np.asarray(unify.grad(lambda x: xp.sum(pool(x, 2)))(x)).ravel()
    shared = name == "nn.adaptive_max_pool1d" and backend != "torch"
    np.testing.assert_array_equal(found, [0.5] * 4 if shared else [1, 0, 1, 0])


@pytest.mark.parametrize("backend", DIFFERENTIATING)
class TestRemainder:
    def test_at_multiples(self, backend: str) -> None:
        x1, x2 = (part[_PAIRS[1] != 0] for part in _PAIRS)
        by_x1, by_x2 = _derivatives(backend, "remainder", (x1, x2))
        np.testing.assert_array_equal(by_x1, np.ones_like(x1))
        np.testing.assert_array_equal(by_x2, -np.floor(x1 / x2))

    def test_forward(self, backend: str) -> None:
        xp: Any = namespace_of(backend)
        x1, x2 = xp.asarray([6.0, 6.0, -6.0]), xp.asarray([3.0, -3.0, 3.0])
        _, tangent = unify.jvp(xp.remainder, (x1, x2), (xp.ones_like(x1), xp.zeros_like(x2)))
        np.testing.assert_array_equal(np.asarray(tangent), np.ones(3))


@pytest.mark.parametrize("backend", DIFFERENTIATING)
@pytest.mark.parametrize("name", ["cummax", "cummin"])
def test_running_extremes_of_equals(name: str, backend: str) -> None:
    xp: Any = namespace_of(backend)
    weights = xp.asarray([1.0, 10.0])
    found = unify.grad(lambda x: xp.sum(weights * attrgetter(name)(xp)(x)))(xp.ones(2))
    expected = [6.0, 5.0] if backend == "jax" else [1.0, 10.0]
    np.testing.assert_array_equal(np.asarray(found), expected)


def test_the_rows_are_on_the_page() -> None:
    assert table() in render()
