"""B53: programs of views and writes have NumPy's results on Dask arrays of several blocks."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.views import state_machine
from tests.views.implementations import Bound
from tests.views.state_machine import count, run_programs


@pytest.mark.slow
def test_programs(chunked: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    # NumPy is given a copy (B58).
    monkeypatch.setattr(state_machine, "_MOST_EXPORTED", 0)
    run_programs(lambda: Bound(chunked), count(0.2), shrink=False)


KEYS = [
    (slice(1, 3), slice(None)), (slice(None, None, -2), 1), (Ellipsis, slice(None, None, 3)),
    (None, 2, slice(1, None)), (slice(4, 1, -1), slice(None, None, -1)), (0, 0), (slice(2, 2),),
    (np.array([0, 3, 3]),), (np.array([[0, 1], [4, -1]]), slice(1, 3)),
    (slice(1, 4), np.array([1])),
    (np.array([True, False, True, True, False]),), (np.array([0, 2]), None, np.array([1, 1])),
    (slice(None), np.array([True, False, False, True])),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_keys(chunked: ModuleType, key: tuple[object, ...]) -> None:
    values = np.arange(20.0).reshape(5, 4)
    x = chunked.asarray(values)
    ours = tuple(chunked.asarray(k) if isinstance(k, np.ndarray) else k for k in key)
    assert x.data.npartitions > 1
    assert np.array_equal(x[ours].to_numpy(), values[key])
    value = -np.arange(float(values[key].size)).reshape(values[key].shape)
    with unify.computing("refuse"):
        x[ours] = chunked.asarray(value)
    values[key] = value
    assert np.array_equal(x.to_numpy(), values)
    assert x.data.chunks == chunked.asarray(values).data.chunks
