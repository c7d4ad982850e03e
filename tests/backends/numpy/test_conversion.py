"""Memory sharing between arrays of the NumPy backend and their source objects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import arrayapi_unify.numpy as xp


class Lender:
    """An object whose `__array__` returns read-only memory, as pandas' does."""

    def __init__(self) -> None:
        self.values = np.asarray([1.0, 2.0])
        self.values.flags.writeable = False

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.values.copy() if copy else self.values


class TestAsarray:
    @pytest.mark.parametrize("values", [b"ab", memoryview(b"ab"), Lender()])
    def test_arrays_of_other_objects_can_be_written_to(self, values: Any) -> None:
        before = np.asarray(Lender().values if isinstance(values, Lender) else bytearray(b"ab"))
        x = xp.asarray(values)
        assert x.tolist() == before.tolist()
        x.data[0] = 7
        assert xp.asarray(values).tolist() == before.tolist()
        assert not xp.asarray(values, copy=False).data.flags.writeable

    def test_memory_of_arrays_and_buffers_is_shared(self) -> None:
        buffer = bytearray(b"ab")
        for given in (np.asarray([1, 2]), memoryview(buffer)):
            assert np.shares_memory(xp.asarray(given).data, np.asarray(given))

    def test_a_read_only_array_stays_read_only(self) -> None:
        values = np.broadcast_to(1.0, (3,))
        assert np.shares_memory(xp.asarray(values).data, values)
        assert not xp.asarray(values).data.flags.writeable
