"""Special functions of the JAX backend: programs, and the shapes that they serve."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special

from arrayapi_unify.backends._common.algorithms.special import FUNCTIONS
from arrayapi_unify.backends.jax import special
from tests.tables import each

SHAPES = [(3,), (2, 4), (16,), (), (1, 1, 5), (0,)]


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """List the shapes for which the logarithm of gamma is compiled."""
    shapes: list[tuple[int, ...]] = []
    compute = FUNCTIONS["gammaln"]

    def noted(namespace: Any, x: Any) -> Any:
        shapes.append(x.shape)
        return compute(namespace, x)

    monkeypatch.setitem(FUNCTIONS, "gammaln", noted)
    return shapes


@pytest.mark.slow
class TestPrograms:
    def test_similar_shapes_share_one(self, traced: list[tuple[int, ...]]) -> None:
        native = special._compiled("gammaln")
        for shape in SHAPES:
            values = np.linspace(0.3, 40.0, int(np.prod(shape))).reshape(shape)
            for dtype, tolerance in (("float64", 1e-14), ("float32", 1e-6)):
                x = values.astype(dtype)
                found = native(jnp.asarray(x))
                assert (found.shape, found.dtype) == (shape, dtype)
                np.testing.assert_allclose(found, scipy.special.gammaln(x), tolerance, tolerance)
        assert traced == [(16,), (0,)]

    def test_one_that_is_traced_has_its_own_shape(self, traced: list[tuple[int, ...]]) -> None:
        native = special._compiled("gammaln")
        np.testing.assert_allclose(jax.jit(native)(jnp.ones((2, 3))), np.zeros((2, 3)), atol=1e-15)
        assert traced == [(2, 3)]

    @each("shape", [(3,), (16,), (3, 1)])
    def test_operands_of_other_shapes(self, shape: tuple[int, ...]) -> None:
        x, y = np.full(shape, 2.5), np.asarray([0.5, 2.0, 3.0]) if shape != (16,) else np.ones(())
        found = special.PARTIAL["beta"](jnp.asarray(x), jnp.asarray(y))
        np.testing.assert_allclose(found, scipy.special.beta(x, y), 1e-14)

    def test_the_size_is_at_most_an_eighth_larger(self) -> None:
        for size in [4096, 4097, 5000, 70_001, 10**6, 2**20, 2**20 + 1]:
            padded = special._common_size(size)
            assert size <= padded <= size * 9 / 8
        assert {special._common_size(size) for size in range(1, 4096)} == {
            2**k for k in range(4, 13)
        }
