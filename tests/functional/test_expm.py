"""The exponential of matrices: accuracy, derivatives, traces, and matrices that aren't finite."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import mpmath
import numpy as np
import numpy.typing as npt
import pytest

import arrayapi_unify as unify
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.functional import _expm
from tests.differential.tracing import COMPILERS
from tests.functional.differentiating import DIFFERENTIATING, on_each

scipy = pytest.importorskip("scipy.linalg")
__all__ = ["on_each"]

NDArray = npt.NDArray[Any]


def _rotated(x: NDArray, seed: int) -> NDArray:
    q = np.linalg.qr(np.random.default_rng(seed).normal(size=x.shape))[0]
    found: NDArray = q @ x @ q.T
    return found


def _companion(roots: NDArray) -> NDArray:
    found = np.diag(np.ones(len(roots) - 1), -1)
    found[:, -1] = -np.poly(roots)[:0:-1]
    return found


def _matrices() -> dict[str, NDArray]:
    """Return hard matrices, many of them of Ward 1977, Kågström 1977, and Moler and Van Loan."""
    generator = np.random.default_rng(0)
    normal, ranks = generator.normal(size=(8, 8)), np.arange(8)
    skew = normal - normal.T
    jordan = np.triu(np.full((8, 8), 20.0), 1) - np.diag(ranks + 1) / 4
    cyclic = np.diag(np.ones(7), 1)
    cyclic[7, 0] = 1e-10
    rates = generator.uniform(size=(8, 8)) * 30 * (1 - np.eye(8))
    chain = np.diag(np.full(7, 1e5), 1) + np.diag(np.full(7, 1e-5), -1)
    a, b, c = 2e10, 4e8 / 6, 200 / 3
    return {
        "Ward 1": np.array([[4.0, 2, 0], [1, 4, 1], [1, 1, 4]]),
        "Ward 2": np.array(
            [[29.87942128909879, 0.7815750847907159, -2.289519314033932],
             [0.7815750847907159, 25.72656945571064, 8.680737820540137],
             [-2.289519314033932, 8.680737820540137, 34.39400925519054]]
        ),
        "Ward 3": np.array([[-131.0, 19, 18], [-390, 56, 54], [-387, 57, 52]]),
        "Ward 4": cyclic,
        "Moler and Van Loan": np.array([[-49.0, 24], [-64, 31]]),
        "Moler": np.array([[0, 1e-8, 0], [-(a + b), -3, a], [c, 0, -c]]),
        "Kågström, triangular": jordan,
        "Kågström, rotated": _rotated(jordan, 1),
        "lower triangular": jordan.T.copy(),
        "triangular, permuted": jordan[np.ix_(*[generator.permutation(8)] * 2)],
        "triangular, large above": np.array([[1 + 1e-7, 1e5, 1e4], [0, 1, 1e5], [0, 0, 1]]),
        "of 2 rows, large above": np.array([[1.0, 1e6], [0, -1]]),
        "a Jordan block": np.diag(np.full(8, -20.0)) + np.diag(np.full(7, 30.0), 1),
        "nilpotent": np.triu(np.ones((8, 8)), 1) * 1e3,
        "nilpotent, large": np.diag(np.full(2, 1e8), 1),
        "nilpotent, rotated": _rotated(np.diag([1e2] * 3 + [0] * 4, 1), 2),
        "skew-symmetric": skew * 3,
        "skew-symmetric, large": skew * 200,
        "symmetric and stiff": -_rotated(np.diag(10.0 ** np.arange(-3, 5)), 3),
        "companion": _companion(np.arange(1.0, 9)),
        "graded": normal * 10.0 ** (ranks[:, None] - ranks),
        "graded steeply": normal * 10.0 ** (2 * (ranks[:, None] - ranks)),
        "a graded chain": chain,
        "large": normal * 60,
        "a large multiple of the identity": -500 * np.eye(8) + normal,
        "tiny": normal * 1e-9,
        "rates of a Markov process": rates - np.diag(rates.sum(1)),
        "complex": (normal + 1j * normal.T) * 5,
        "skew-Hermitian": 1j * (normal @ normal.T) * 3,
        "complex, triangular": np.triu(normal + 1j * normal.T) * 9,
    }  # fmt: skip


MATRICES: Final = _matrices()
# Their condition, by SciPy's `expm_cond`, leaves fewer digits: it is 7e2 to 2e10.
_ILL_CONDITIONED: Final = {
    "Ward 3": 1e-12,
    "Kågström, rotated": 1e-10,
    "triangular, permuted": 1e-12,
    "nilpotent, rotated": 1e-9,
    "symmetric and stiff": 1e-11,
    "skew-symmetric, large": 1e-12,
    "companion": 1e-11,
}


def _norm(x: NDArray) -> float:
    return float(np.max(np.sum(np.abs(x), axis=-2)))


def _exponential(x: NDArray) -> NDArray:
    """Return the exponential by Taylor's series of a fraction, in as many digits as it takes."""
    squarings = max(0, math.ceil(math.log2(_norm(x) or 1))) + 4
    digits = 50 + min(squarings * 8 + int(_norm(x)), 600)
    with mpmath.workdps(digits):
        a = mpmath.matrix(x.tolist()) / mpmath.mpf(2) ** squarings
        found = term = mpmath.eye(len(x))
        k = 0
        while mpmath.mnorm(term, 1) > mpmath.mpf(10) ** -digits:
            k += 1
            term = term * a / k
            found = found + term
        for _ in range(squarings):
            found = found * found
        return np.array(found.tolist(), dtype=x.dtype)


@functools.cache
def _expected(name: str) -> NDArray:
    return _exponential(MATRICES[name])


def _error(found: Any, wanted: NDArray) -> float:
    return _norm(np.asarray(found) - wanted) / _norm(wanted)


def _bound(name: str) -> float:
    return _ILL_CONDITIONED.get(name, 1e-13)


@pytest.mark.slow_on("dask")  # a graph of thousands of tasks for each call
class TestAccuracy:
    @pytest.mark.parametrize("name", MATRICES)
    def test_of_hard_matrices(self, xp: ModuleType, name: str) -> None:
        found = xp.linalg.expm(xp.asarray(MATRICES[name]))
        assert _error(found, _expected(name)) < _bound(name)

    @pytest.mark.parametrize("name", _ILL_CONDITIONED)
    def test_looser_bounds_are_conditions(self, name: str) -> None:
        """They are at most 45 roundings of the matrix, relative to its norm."""
        condition = scipy.expm_cond(MATRICES[name])
        assert _bound(name) <= 45 * condition * 2.0**-53

    @pytest.mark.parametrize("dtype", ["float32", "complex64"])
    def test_in_single_precision(self, xp: ModuleType, dtype: str) -> None:
        """The result is that in double precision, rounded once."""
        for name in ("Ward 1", "Ward 2", "Kågström, triangular", "skew-symmetric", "Ward 4"):
            x = MATRICES[name].astype(dtype)
            found = xp.linalg.expm(xp.asarray(x))
            assert found.dtype.name == dtype
            wanted = _exponential(x.astype("c16" if dtype == "complex64" else "f8"))
            np.testing.assert_array_almost_equal_nulp(
                np.asarray(found).real, wanted.real.astype("f4"), nulp=1
            )

    def test_elements_of_triangular_matrices(self, xp: ModuleType) -> None:
        """Each diagonal element is exact, and each one above it: squaring would lose digits."""
        x = np.array([[-90.0, 3.0, 2.0], [0.0, -1.0, 5.0], [0.0, 0.0, -60.0]])
        for matrix in (x, x.T.copy()):
            found = np.asarray(xp.linalg.expm(xp.asarray(matrix)))
            wanted = _exponential(matrix)
            for offset in (-1, 0, 1):
                np.testing.assert_allclose(
                    np.diag(found, offset), np.diag(wanted, offset), rtol=4e-16, atol=0
                )
        equal = np.array([[2.0, 1.0], [0.0, 2.0]])
        np.testing.assert_allclose(
            np.asarray(xp.linalg.expm(xp.asarray(equal))), math.exp(2) * np.array([[1, 1], [0, 1]])
        )

    @pytest.mark.slow
    @pytest.mark.parametrize("xp", ["numpy", "torch"])
    def test_of_small_matrices(self, xp: str) -> None:
        """Few calls, and as accurate as the general steps: those of a stack."""
        namespace, random, short = namespace_of(xp), np.random.default_rng(7), 0
        for size in (2, 3, 4, 8) * 8:
            values = random.standard_normal((size, size)) * 10 ** random.uniform(-2, 0.4)
            x = namespace.asarray(values)
            short += _expm._halvings(x) is not None
            expected = np.asarray(mpmath.expm(mpmath.matrix(values.tolist())).tolist(), np.float64)
            found = unify.to_numpy(namespace.linalg.expm(x))
            bound = 32 * 2.0**-53 * np.abs(expected).sum(0).max()
            assert np.abs(found - expected).sum(0).max() <= bound
            general = unify.to_numpy(namespace.linalg.expm(namespace.stack([x, x])))[0]
            assert np.abs(general - expected).sum(0).max() <= bound
        assert short > 8

    @pytest.mark.parametrize(
        "values",
        [[[0.0, 1.0], [0.0, 0.0]], [[1.0, math.nan], [1.0, 1.0]], [[1.0, 1.0], [1.0, math.inf]],
         [[9.0, 1.0], [1.0, 9.0]], [[1.0, 1e3], [1e-3, 1.0]], [[4.0, 0.1], [0.1, 4.0]]],
    )  # fmt: skip
    def test_other_small_matrices_take_the_general_steps(self, values: Any) -> None:
        assert _expm._halvings(namespace_of("numpy").asarray(values)) is None

    def test_a_stack_needs_other_numbers_of_squarings(self, xp: ModuleType) -> None:
        names = [name for name, x in MATRICES.items() if x.shape == (8, 8) and x.dtype.kind == "f"]
        found = np.asarray(xp.linalg.expm(xp.asarray(np.stack([MATRICES[n] for n in names]))))
        for name, one in zip(names, found, strict=True):
            assert _error(one, _expected(name)) < _bound(name), name


@pytest.mark.slow_on("dask")  # a graph of thousands of tasks for each call
class TestSpecialMatrices:
    @pytest.mark.parametrize("shape", [(0, 3, 3), (2, 0, 0), (2, 1, 1), (1, 3, 2, 2)])
    @pytest.mark.parametrize("dtype", ["int8", "complex64"])
    def test_shapes_and_data_types(self, xp: ModuleType, shape: Any, dtype: str) -> None:
        x = np.ones(shape, dtype)
        found = xp.linalg.expm(xp.asarray(x))
        wide = "c16" if dtype == "complex64" else "f8"
        assert found.dtype.name == (dtype if dtype[0] in "fc" else "float64")
        np.testing.assert_allclose(np.asarray(found), scipy.expm(x.astype(wide)), rtol=1e-6)

    @pytest.mark.parametrize(
        "x",
        [
            [[math.inf, 1.0], [1.0, 1.0]], [[math.nan, 1.0], [0.0, 1.0]],
            [[1.0, 0.0], [math.nan, 2.0]], [[math.inf, 0.0], [0.0, -math.inf]],
            [[-math.inf]], [[math.nan]], [[1000.0, 0.0], [0.0, 0.0]],
            [[1000.0, 1.0], [0.0, -1000.0]], [[1e300, 0.0], [0.0, 1e-300]],
        ],
    )  # fmt: skip
    def test_as_scipys(self, xp: ModuleType, x: Any) -> None:
        with np.errstate(all="ignore"):
            wanted = scipy.expm(np.array(x))
        found = np.asarray(xp.linalg.expm(xp.asarray(x)))
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
        if len(x) == 2:  # no other matrix of the stack is affected
            stack = np.asarray(xp.linalg.expm(xp.asarray([x, [[0.0, 1.0], [0.0, 0.0]]])))
            np.testing.assert_allclose(stack, [wanted, [[1.0, 1.0], [0.0, 1.0]]], rtol=1e-14)

    def test_too_large_matrices(self, xp: ModuleType) -> None:
        """Without a digit it is NaN, but for what is exact in triangular matrices."""
        x = np.array([[-1e30, 1.0], [1.0, -1.0]])
        assert np.all(np.isnan(np.asarray(xp.linalg.expm(xp.asarray(x)))))
        found = np.asarray(xp.linalg.expm(xp.asarray(np.triu(x))))
        np.testing.assert_allclose(found, [[0, math.exp(-1) / 1e30], [0, math.exp(-1)]])


def _frechet(x: NDArray, direction: NDArray) -> NDArray:
    """Return the derivative: a block of the exponential of a block matrix."""
    n = len(x)
    whole = np.block([[x, direction], [np.zeros_like(x), x]])
    return _exponential(whole)[:n, n:]


_DIFFERENTIATED: Final = (
    "Ward 1", "Kågström, triangular", "lower triangular", "a large multiple of the identity",
    "nilpotent, large", "skew-symmetric", "graded", "complex",
)  # fmt: skip


def _direction(name: str) -> NDArray:
    return np.random.default_rng(9).normal(size=MATRICES[name].shape)


class TestDerivatives:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", _DIFFERENTIATED)
    def test_backward(self, on_each: Any, name: str) -> None:
        x, weights = MATRICES[name], _direction(name)
        given = on_each.asarray(weights)
        found = unify.grad(lambda a: on_each.sum(on_each.real(on_each.linalg.expm(a)) * given))(
            on_each.asarray(x)
        )
        wanted = _frechet(x.conj().T, weights.astype(x.dtype))
        assert _error(found, wanted) < 1e-13

    @pytest.mark.slow_on("tensorflow", "torch")
    @pytest.mark.parametrize("name", _DIFFERENTIATED)
    def test_forward(self, on_each: Any, name: str) -> None:
        x, direction = MATRICES[name], _direction(name).astype(MATRICES[name].dtype)
        found = unify.jvp(
            lambda a: on_each.linalg.expm(a), (on_each.asarray(x),), (on_each.asarray(direction),)
        )[1]
        assert _error(found, _frechet(x, direction)) < 1e-13
        if name in ("Ward 1", "skew-symmetric"):
            assert _error(found, scipy.expm_frechet(x, direction, compute_expm=False)) < 1e-13

    def test_second(self, on_each: Any) -> None:
        """The second derivative of exp(t x) by t is x x exp(t x)."""
        x = MATRICES["Ward 1"]
        given = on_each.asarray(x)

        def along(t: Any) -> Any:
            return on_each.sum(on_each.linalg.expm(t * given))

        found = unify.grad(unify.grad(along))(on_each.asarray(1.0))
        wanted = float(np.sum(x @ x @ _expected("Ward 1")))
        assert abs(float(found) - wanted) < 1e-13 * abs(wanted)

    @pytest.mark.slow
    def test_of_each_matrix(self, on_each: Any) -> None:
        x = np.stack([MATRICES["Kågström, triangular"], MATRICES["skew-symmetric"]])
        weights = on_each.asarray(_direction("skew-symmetric"))
        one = unify.grad(lambda a: on_each.sum(on_each.linalg.expm(a) * weights))
        found = np.asarray(unify.vmap(one)(on_each.asarray(x)))
        for a, derivative in zip(x, found, strict=True):
            assert _error(derivative, _frechet(a.T, np.asarray(weights))) < 1e-13


_TRACED: Final = ("Kågström, triangular", "lower triangular", "graded", "large", "companion")


def _native(x: Any) -> Any:
    return unify.linalg.expm(Array(x)).data


def _weighted(x: Any) -> Any:
    return unify.sum(unify.linalg.expm(Array(x))).data


def _pulled(framework: str) -> Callable[[Any], Any]:
    """Return the derivative of `_weighted` by the framework's own means, traced."""
    if framework == "jax":
        import jax

        return jax.jit(jax.grad(_weighted))
    if framework == "tensorflow":
        import tensorflow as tf

        def taped(x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = _weighted(x)
            return tape.gradient(y, x)

        return tf.function(taped, autograph=False)  # type: ignore[no-any-return]

    def called(x: Any) -> Any:
        x = x.requires_grad_()
        COMPILERS["torch"](_weighted)(x).backward()
        return x.grad

    return called


class TestTraced:
    @pytest.mark.slow
    @pytest.mark.parametrize("framework", [f for f in DIFFERENTIATING if f in COMPILERS])
    def test_as_accurate_as_run(self, framework: str) -> None:
        xp = namespace_of(framework)
        x = xp.asarray(np.stack([MATRICES[name] for name in _TRACED]))
        found = np.asarray(Array(COMPILERS[framework](_native)(x.data)))
        for name, one in zip(_TRACED, found, strict=True):
            assert _error(one, _expected(name)) < _bound(name), name

    @pytest.mark.slow
    @pytest.mark.parametrize("framework", [f for f in DIFFERENTIATING if f in COMPILERS])
    def test_derivatives(self, framework: str) -> None:
        xp = namespace_of(framework)
        names = ("Kågström, triangular", "skew-symmetric")
        x = xp.asarray(np.stack([MATRICES[name] for name in names]))
        found = np.asarray(Array(_pulled(framework)(x.data)))
        for name, one in zip(names, found, strict=True):
            wanted = _frechet(MATRICES[name].T, np.ones((8, 8)))
            assert _error(one, wanted) < 1e-13, name
