"""Dropout, on every backend: the key determines the dropped elements."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.functional.differentiating import on_each as on_each


class TestDropout:
    def test_the_same_on_every_backend(self, xp: ModuleType) -> None:
        numpy = unify.get_backend("numpy")
        expected = numpy.dropout(numpy.ones((20, 30)), numpy.random.key(3), 0.25)
        found = xp.dropout(xp.ones((20, 30)), xp.random.key(3), 0.25)
        np.testing.assert_array_equal(np.asarray(found) > 0, np.asarray(expected) > 0)
        np.testing.assert_allclose(np.unique(np.asarray(found)), [0, 4 / 3], rtol=1e-15)

    @pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
    def test_as_many_as_the_rate_says(self, xp: ModuleType, rate: float) -> None:
        found = np.asarray(xp.dropout(xp.ones(10_000), xp.random.key(11), rate))
        # Five standard deviations of the share of zeros.
        assert abs(np.mean(found == 0) - rate) < 5 * (rate * (1 - rate) / 10_000) ** 0.5

    def test_whole_channels(self, xp: ModuleType) -> None:
        x = xp.ones((4, 5, 6))
        found = np.asarray(xp.dropout(x, xp.random.key(1), 0.5, noise_shape=(4, 1, 6)))
        assert set(np.unique(found)) == {0.0, 2.0}
        np.testing.assert_array_equal(found, np.broadcast_to(found[:, :1], found.shape))

    def test_nothing_is_done_without_training(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        assert xp.dropout(x, xp.random.key(1), 0.9, training=False).tolist() == [1.0, 2.0]

    def test_the_ends(self, xp: ModuleType) -> None:
        x = xp.asarray([1, 2])
        assert xp.dropout(x, xp.random.key(1), 0).tolist() == [1.0, 2.0]
        assert xp.dropout(x, xp.random.key(1), 1).tolist() == [0.0, 0.0]
        infinite = xp.dropout(xp.full(50, float("inf")), xp.random.key(1), 0.5)
        assert set(infinite.tolist()) == {0.0, float("inf")}

    def test_derivative(self, on_each: ModuleType) -> None:
        key = on_each.random.key(5)
        found = unify.grad(lambda x: unify.sum(unify.dropout(x, key, 0.5)))(on_each.ones(50))
        expected = on_each.dropout(on_each.ones(50), key, 0.5)
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))

    @pytest.mark.parametrize(
        ("options", "kind", "words"),
        [
            ({"rate": 1.5}, UnifyValueError, "'rate' is 1.5; pass a number from 0 to 1"),
            ({"rate": [0.5]}, UnifyTypeError, "'rate' is"),
            ({"noise_shape": (3,)}, UnifyValueError, "'noise_shape' is"),
        ],
    )
    def test_mistakes(self, xp: ModuleType, options: Any, kind: Any, words: str) -> None:
        with pytest.raises(kind, match=f"dropout: argument {words}"):
            xp.dropout(xp.ones(2), xp.random.key(1), **options)
