"""Functions of NumPy beyond the standard, where the oracles don't decide."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.functional.differentiating import DIFFERENTIATING

every_framework = pytest.mark.parametrize("backend", DIFFERENTIATING)


@every_framework
class TestDerivatives:
    def test_cube_root_at_zero(self, backend: str) -> None:
        """The tangent is vertical there, as that of the square root is."""
        xp: Any = namespace_of(backend)
        found, others = (
            np.asarray(unify.grad(lambda x, root=root: xp.sum(root(x)))(xp.asarray(points)))
            for root, points in ((xp.cbrt, [0.0, 8.0, -8.0]), (xp.sqrt, [0.0]))
        )
        assert found[0] == others[0]
        np.testing.assert_allclose(found[1:], 1 / 12, rtol=1e-14)

    def test_curvature_of_sinc_at_zero(self, backend: str) -> None:
        xp: Any = namespace_of(backend)
        slope = unify.grad(lambda x: xp.sinc(x))
        found = unify.grad(lambda x: slope(x))(xp.asarray(0.0))
        np.testing.assert_allclose(np.asarray(found), -(np.pi**2) / 3, rtol=1e-14)


class TestExactness:
    def test_cubes(self, xp: ModuleType) -> None:
        """NumPy's own function, which serves NumPy and Dask, is off by a unit without AVX-512."""
        roots = np.arange(-50.0, 51)
        expected = np.cbrt(roots**3) if xp.__unify_backend__ in ("numpy", "dask") else roots
        np.testing.assert_array_equal(np.asarray(xp.cbrt(xp.asarray(roots**3))), expected)
        np.testing.assert_array_max_ulp(expected, roots, 1)

    def test_zeros_keep_their_sign(self, xp: ModuleType) -> None:
        found = np.asarray(xp.cbrt(xp.asarray([0.0, -0.0])))
        assert np.signbit(found).tolist() == [False, True]

    def test_infinities_of_convolve_stay_at_their_places(self, xp: ModuleType) -> None:
        found = xp.convolve(xp.asarray([1.0, np.inf, 2.0]), xp.asarray([1.0, 2.0]))
        assert found.tolist() == [1.0, np.inf, np.inf, 4.0]

    @pytest.mark.parametrize("mode", ["full", "same", "valid"])
    @pytest.mark.parametrize("dtype", ["float64", "int8", "bool"])
    def test_convolve_in_blocks(self, xp: ModuleType, dtype: str, mode: str) -> None:
        x, y = (np.resize(np.asarray(v, dtype), n) for v, n in (([1, 0, 2], 150), ([3, 0, 0], 131)))
        found = xp.convolve(xp.asarray(x), xp.asarray(y), mode)
        np.testing.assert_array_equal(np.asarray(found), np.convolve(x, y, mode))


class TestValues:
    """Values that NumPy refuses are refused where they are known."""

    @pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
    @pytest.mark.eager
    def test_a_slice_of_nan(self, xp: ModuleType, name: str) -> None:
        x = xp.asarray([[np.nan, np.nan], [1.0, np.nan]])
        with pytest.raises(UnifyValueError, match=f"{name}.*nothing but NaN"):
            getattr(xp, name)(x, axis=1)

    @pytest.mark.eager
    def test_edges_that_are_not_in_order(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match=r"digitize.*order"):
            xp.digitize(xp.asarray([1.0]), xp.asarray([0.0, 2.0, 1.0]))

    def test_weights_that_add_up_to_zero(self, xp: ModuleType) -> None:
        found = xp.average(xp.asarray([1.0, 2.0]), weights=xp.asarray([1.0, -1.0]))
        assert np.isinf(np.asarray(found))

    @pytest.mark.slow_on("torch")
    @pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
    @every_framework
    def test_traces_take_them(self, backend: str) -> None:
        xp: Any = namespace_of(backend)
        x = xp.asarray([np.nan, np.nan])
        assert unify.compile(lambda x: xp.nanargmax(x))(x).item() in (0, 1)


class TestUnique:
    def test_different_data_types(self, xp: ModuleType) -> None:
        found = xp.union1d(xp.asarray([1, 2], dtype=xp.int8), xp.asarray([2.5, 1.0]))
        assert found.tolist() == [1.0, 2.0, 2.5]

    def test_values_that_are_unique_already(self, xp: ModuleType) -> None:
        x, y = xp.asarray([5, 1, 3]), xp.asarray([3, 9, 5])
        values, first, second = xp.intersect1d(x, y, assume_unique=True, return_indices=True)
        assert (values.tolist(), first.tolist(), second.tolist()) == ([3, 5], [2, 0], [0, 2])
        assert xp.setdiff1d(x, y, assume_unique=True).tolist() == [1]

    def test_complex_nan_is_one_value(self, xp: ModuleType) -> None:
        x = xp.asarray([complex(np.nan, 1), 2j, complex(1, np.nan)])
        values, counts = xp.unique(x, return_counts=True)
        assert (values.shape, counts.tolist()) == ((2,), [1, 2])
        assert xp.unique(x, equal_nan=False).shape == (3,)


class TestArguments:
    def test_one_array_of_keys(self, xp: ModuleType) -> None:
        keys = np.asarray([[3, 1, 2, 1], [0, 1, 0, 1]])
        assert xp.lexsort(xp.asarray(keys)).tolist() == np.lexsort(keys).tolist()

    def test_shapes_of_weights(self, xp: ModuleType) -> None:
        x = xp.ones((2, 3))
        with pytest.raises(UnifyTypeError, match=r"average.*axis"):
            xp.average(x, weights=xp.ones(3))
        with pytest.raises(UnifyValueError, match=r"average.*weights"):
            xp.average(x, axis=0, weights=xp.ones(3))

    def test_methods(self, xp: ModuleType) -> None:
        x = xp.asarray([[1, 5], [7, 2]])
        assert x.cumsum().tolist() == [1, 6, 13, 15]
        assert x.cumprod(axis=0).tolist() == [[1, 5], [7, 10]]
        assert x.ptp().item() == 6


_INF, _NAN = float("inf"), float("nan")


@pytest.mark.parametrize(
    ("points", "values"),
    [
        ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, _INF, 4.0]),
        ([1.0, 2.0, 3.0], [_INF, -_INF, 0.0]),
        ([1.0, 2.0, 3.0], [0.0, _INF, _INF]),
        ([1.0, 2.0, 3.0], [1.0, 0.0, _NAN]),
        ([-_INF, 0.0, _INF], [1.0, 0.0, 3.0]),
        ([1.0, 1.0, 2.0], [_INF, 0.0, -_INF]),
        ([1.0, 2.0, 3.0], [1 + 1j, complex(_INF, 0), complex(1, -_INF)]),
        ([1.0, 2.0, 3.0], [1 + 1j, 1 + 1j, complex(0, _NAN)]),
    ],
)
def test_interp_beside_infinities(xp: ModuleType, points: list[float], values: list[Any]) -> None:
    """FAULTS 5.3: NumPy's values, at a point and between two."""
    places = np.array([-_INF, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, _INF])
    with np.errstate(all="ignore"):
        expected = np.interp(places, points, values)
    found = xp.interp(xp.asarray(places), xp.asarray(points), xp.asarray(values))
    np.testing.assert_allclose(np.real(np.asarray(found)), np.real(expected), rtol=1e-15)
    np.testing.assert_allclose(np.imag(np.asarray(found)), np.imag(expected), rtol=1e-15)
