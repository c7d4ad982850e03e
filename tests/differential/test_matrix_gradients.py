"""Derivatives by whole matrices: symmetric ones, and those with equal singular values.

The other tests of derivatives vary matrices in one direction. Here each element of the derivative
is compared with finite differences of NumPy's own results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from tests.functional.differentiating import DIFFERENTIATING

NDArray = npt.NDArray[Any]

_STEP: Final = 1e-6
_WEIGHTS: Final = np.array([[0.5, -1.25, 2.0], [0.75, 1.5, -0.25], [-1.0, 0.125, 3.0]])
_SYMMETRIC: Final = np.array([[4.0, 1.0, -0.5], [1.0, 6.0, 0.25], [-0.5, 0.25, 9.0]])
_HERMITIAN: Final = _SYMMETRIC + 1j * np.array([[0, 0.5, -1], [-0.5, 0, 0.25], [1, -0.25, 0]])


def _of_eigh(xp: Any, x: Any) -> Any:
    values, vectors = xp.linalg.eigh(x)
    return xp.real((vectors * xp.exp(values / 8)) @ xp.conj(vectors.mT))


FUNCTIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "cholesky": lambda xp, x: xp.real(xp.linalg.cholesky(x)),
    "upper cholesky": lambda xp, x: xp.real(xp.linalg.cholesky(x, upper=True)),
    "eigh": _of_eigh,
    "eigvalsh": lambda xp, x: xp.linalg.eigvalsh(x) * xp.ones((3, 1)),
}


def _differences(
    function: Callable[[Any, Any], Any], x: NDArray, directions: list[NDArray]
) -> list[float]:
    """Return the slopes of the weighted sum of NumPy's results along the directions."""
    slopes = []
    for direction in directions:
        ends = [np.sum(_WEIGHTS * function(np, x + s * direction)) for s in (_STEP, -_STEP)]
        slopes.append(float(ends[0] - ends[1]) / (2 * _STEP))
    return slopes


def _units(symmetric: bool) -> list[NDArray]:
    """Return the directions in which one element and its transposed one vary."""
    units = [np.reshape(row, (3, 3)) for row in np.eye(9)]
    return [(unit + unit.T) / 2 if symmetric else unit for unit in units]


def _derivative(backend: str, function: Callable[[Any, Any], Any], x: NDArray) -> NDArray:
    xp: Any = namespace_of(backend)
    weights = xp.asarray(_WEIGHTS)
    found = unify.grad(lambda x: xp.sum(weights * function(xp, x)))(xp.asarray(x))
    return np.asarray(found)


@pytest.mark.parametrize("backend", DIFFERENTIATING)
@pytest.mark.parametrize("name", FUNCTIONS)
class TestSymmetric:
    def test_real(self, name: str, backend: str) -> None:
        expected = np.reshape(_differences(FUNCTIONS[name], _SYMMETRIC, _units(True)), (3, 3))
        found = _derivative(backend, FUNCTIONS[name], _SYMMETRIC)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(found, found.T, rtol=1e-12, atol=1e-14)

    def test_complex(self, name: str, backend: str) -> None:
        found = _derivative(backend, FUNCTIONS[name], _HERMITIAN)
        np.testing.assert_allclose(found, np.conj(found.T), rtol=1e-12, atol=1e-14)
        # Hermitian directions, of both components.
        imaginary = [1j * (unit - unit.T) / 2 for unit in _units(False)]
        directions: list[Any] = [*_units(True), *imaginary]
        expected = _differences(FUNCTIONS[name], _HERMITIAN, directions)
        along = [np.sum(found.real * d.real + found.imag * d.imag) for d in directions]
        np.testing.assert_allclose(along, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("backend", DIFFERENTIATING)
@pytest.mark.parametrize(
    "x", [np.eye(3), np.diag([2.0, 2.0, 1.0]), np.eye(3)[[1, 2, 0]] * 4, _SYMMETRIC]
)
class TestPinv:
    def test_of_equal_singular_values(self, x: NDArray, backend: str) -> None:
        expected = np.reshape(
            _differences(lambda xp, x: xp.linalg.pinv(x), x, _units(False)), (3, 3)
        )
        found = _derivative(backend, lambda xp, x: xp.linalg.pinv(x), x)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
