"""Behaviour specific to indexing with PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import arrayapi_unify.torch as xp
from arrayapi_unify.backends.torch import indexing

KEYS: list[Any] = [
    [0, 0, 2],
    [2, 1, 1],
    [0, 1, 2],
    [-1, 2, 0],
    [1, 1, 1],
]


class TestRepeatedKeys:
    @pytest.mark.parametrize("key", KEYS, ids=str)
    @pytest.mark.parametrize("shape", [(3,), (3, 2)])
    def test_derivative_is_that_of_the_last_value(self, key: Any, shape: Any) -> None:
        weights = np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
        x = torch.ones(shape, dtype=torch.float64, requires_grad=True)
        values = torch.tensor(weights * 10, requires_grad=True)
        y = xp.asarray(x) * 1
        y[xp.asarray(key)] = xp.asarray(values)
        torch.sum(y.data * torch.tensor(weights)).backward()  # type: ignore[no-untyped-call]  # theirs
        expected, of_values, of_x = np.ones(shape), np.zeros(shape), weights.copy()
        expected[key], of_x[key] = weights * 10, 0
        last = {place % 3: i for i, place in enumerate(key)}
        for place, i in last.items():
            of_values[i] = weights[place]
        np.testing.assert_array_equal(y.data.detach(), expected)
        np.testing.assert_array_equal(values.grad, of_values)
        np.testing.assert_array_equal(x.grad, of_x)

    def test_derivative_of_one_value_for_all(self) -> None:
        value = torch.tensor(5.0, dtype=torch.float64, requires_grad=True)
        y = xp.zeros((3, 2))
        y[xp.asarray([0, 0, 2])] = xp.asarray(value)
        y.data.sum().backward()  # type: ignore[no-untyped-call]  # theirs
        assert value.grad == 4


def test_elements_that_share_memory_are_copied_before_a_write() -> None:
    """PyTorch writes to all that share, and warns where the key is an array."""
    x = torch.zeros(3).expand(2, 3)
    for key in (0, torch.asarray([0])):
        found = indexing.set_item(x, key, torch.asarray([[True, False, True]]))
        assert found.tolist() == [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    assert x.tolist() == [[0.0] * 3] * 2
