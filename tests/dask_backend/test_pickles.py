"""Results of every function are pickled by their graphs, as Dask's schedulers of processes do."""

from __future__ import annotations

import pickle
from typing import Any

import dask.array
import numpy as np
import pytest

import arrayapi_unify as unify
from tests.dask_backend.test_empty_blocks import CALLS, KEYS, XP, computed


def made() -> Any:
    values = np.arange(12.0).reshape(4, 3) + 1.0
    return unify.Array(dask.array.from_array(values, chunks=(2, 2)))


def again(part: unify.Array) -> Any:
    found = pickle.loads(pickle.dumps(part))
    assert unify.is_lazy(found)
    return found


@pytest.mark.parametrize("name", CALLS)
def test_functions(name: str) -> None:
    result = CALLS[name](XP, made())
    for part in result if isinstance(result, tuple) else (result,):
        assert np.array_equal(computed(again(part))[0], computed(part)[0])


@pytest.mark.parametrize("key", KEYS[:-1], ids=repr)
def test_reads_and_writes(key: Any) -> None:
    x = made()
    assert np.array_equal(computed(again(x[key]))[0], computed(x[key])[0])
    x[key] = 7.0
    assert np.array_equal(computed(again(x))[0], computed(x)[0])
