"""Tables of vectors, on every backend."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.functional.differentiating import on_each as on_each

TABLE = np.arange(12.0).reshape(4, 3)


class TestEmbedding:
    def test_rows_of_any_shape_of_indices(self, xp: ModuleType) -> None:
        indices = np.asarray([[3, 0], [1, 3]], "uint8")
        found = xp.embedding(xp.asarray(TABLE), xp.asarray(indices))
        np.testing.assert_array_equal(np.asarray(found), TABLE[indices])
        one = xp.embedding(xp.asarray(TABLE), xp.asarray(2))
        np.testing.assert_array_equal(np.asarray(one), TABLE[2])

    def test_derivative_adds_up_copies(self, on_each: ModuleType) -> None:
        indices = on_each.asarray([3, 0, 3])
        weights = on_each.asarray([[1.0], [10.0], [100.0]])
        found = unify.grad(lambda table: unify.sum(unify.embedding(table, indices) * weights))(
            on_each.asarray(TABLE)
        )
        assert np.asarray(found)[:, 0].tolist() == [10.0, 0.0, 0.0, 101.0]

    def test_mistakes(self, xp: ModuleType) -> None:
        table = xp.asarray(TABLE)
        with pytest.raises(
            UnifyTypeError, match="embedding: argument 'indices' has data type float"
        ):
            xp.embedding(table, xp.ones(2))
        with pytest.raises(UnifyValueError, match="embedding: argument 'weights' has no axis"):
            xp.embedding(xp.asarray(1.0), xp.asarray([0]))
        with pytest.raises(IndexError):
            unify.compute(xp.embedding(table, xp.asarray([4])))
