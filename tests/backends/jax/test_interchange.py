"""Memory that JAX's arrays share with other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import arrayapi_unify as unify
import arrayapi_unify.jax as xp

MAKERS = {
    "asarray": xp.asarray,
    "array": xp.array,
    "from_dlpack": xp.from_dlpack,
    "copy=True": lambda values: xp.from_dlpack(values, copy=True),
    "a list with arrays of JAX": lambda values: xp.asarray([values, jnp.zeros(values.shape)])[0],
    "transposed": lambda values: xp.asarray(np.reshape(values, (2, -1)).T),
}


@pytest.mark.parametrize("make", list(MAKERS.values()), ids=list(MAKERS))
class TestNumpysMemory:
    @pytest.mark.sample(8)
    @pytest.mark.parametrize("offset", [0, 1])
    @pytest.mark.parametrize("size", [4, 1_000_000])
    def test_a_later_write_does_not_show(
        self, make: Callable[[Any], Any], size: int, offset: int
    ) -> None:
        """JAX shares aligned memory, and copies large arrays in the background."""
        buffer = np.zeros(size + 16)
        start = -buffer.ctypes.data % 64 // 8 + offset
        values = buffer[start : start + size]
        for _ in range(5):
            values[:] = 1.0
            x = make(values)
            values[:] = 2.0
            assert bool(xp.all(x == 1.0))

    def test_a_write_after_the_trace_looked_does_not_show(self, make: Callable[[Any], Any]) -> None:
        def run(y: Any) -> Any:
            values = np.zeros(4)
            x = make(values)
            values[:] = 2.0
            return (x + unify.Array(y)).data

        assert jax.jit(run)(1.0).ravel().tolist() == [1.0] * 4


class TestExports:
    def test_between_arrays_of_jax_nothing_is_copied(self) -> None:
        x = xp.arange(1000.0)
        for given in (x, x.data):
            y = xp.from_dlpack(given)
            assert y.data.unsafe_buffer_pointer() == x.data.unsafe_buffer_pointer()
        y = xp.from_dlpack(x, copy=True)
        assert y.data.unsafe_buffer_pointer() != x.data.unsafe_buffer_pointer()

    def test_consumers_before_dlpack_1(self) -> None:
        x = xp.asarray([1.0, 2.0])
        for version in (None, (0, 4), (0, 5)):
            assert "dltensor_versioned" not in repr(x.__dlpack__(max_version=version))
        assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0)))

    def test_copy_false_of_to_numpy_while_tracing(self) -> None:
        with pytest.raises(unify.errors.UnifyError, match="to_numpy"):
            jax.jit(lambda x: unify.to_numpy(unify.Array(x), copy=False))(1.0)
