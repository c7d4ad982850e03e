"""Small arrays stay in one block, and large ones in theirs; results are NumPy's either way."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import dask
import numpy as np
import pytest

from arrayapi_unify.backends.dask._merging import SMALL_BYTES

TABLE = np.arange(24.0).reshape(2, 3, 4)
PLACES = np.asarray([2, -1, 0, 2])


def _put(x: Any) -> Any:
    x[:, 1:2, ::2] = -1.0
    x[1, ..., 3] = 7.0
    return x


PROGRAMS = {
    "concat": lambda xp, x: xp.concat([x, x[:, :1], x], axis=1),
    "concat of data types": lambda xp, x: xp.concat([xp.astype(x, xp.float32), x], axis=-1),
    "concat, flat": lambda xp, x: xp.concat([x, x[0]], axis=None),
    "stack": lambda xp, x: xp.stack([x, x + 1.0, x], axis=2),
    "stack, last": lambda xp, x: xp.stack([x, x], axis=-1),
    "tile": lambda xp, x: xp.tile(x, (2, 1, 3)),
    "roll": lambda xp, x: xp.roll(x, (1, -1), axis=(0, 2)),
    "repeat": lambda xp, x: xp.repeat(x, 5, axis=1),
    "repeat, counts": lambda xp, x: xp.repeat(x, xp.asarray([3, 0, 2]), axis=1),
    "take": lambda xp, x: xp.take(x, xp.asarray(PLACES % 4), axis=2),
    "subscript": lambda xp, x: x[:, PLACES],
    "assignment": lambda xp, x: _put(x),
}


@pytest.mark.parametrize("blocks", [False, True], ids=["whole", "chunked"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_numpys(xp: ModuleType, name: str, blocks: bool) -> None:
    with dask.config.set({"array.chunk-size": 32 if blocks else "128MiB"}):
        found = PROGRAMS[name](xp, xp.asarray(TABLE))
        wanted = PROGRAMS[name](np, TABLE.copy())
        assert (found.shape, found.dtype.name) == (wanted.shape, wanted.dtype.name)
        assert tuple(map(sum, found.data.chunks)) == wanted.shape
        assert found.tolist() == wanted.tolist()
        if not blocks:
            assert found.data.npartitions == 1


def test_one_element_many_times_is_one_block(xp: ModuleType) -> None:
    """Dask's own subscript makes a block of each element."""
    x = xp.asarray([7.0])
    assert x.data[np.zeros(1000, np.int64)].npartitions == 1000
    for found in (xp.repeat(x, 1000), x[np.zeros(1000, np.int64)], xp.tile(x, (1000,))):
        assert (found.data.npartitions, found.shape) == (1, (1000,))
        assert float(xp.sum(found)) == 7000.0
    assert xp.tile(x, (SMALL_BYTES, 1)).data.npartitions == 1
    assert xp.tile(x, (0,)).shape == (0,)


def test_large_ones_stay_in_blocks(xp: ModuleType) -> None:
    half = xp.zeros(SMALL_BYTES // 16 + 1)
    assert xp.concat([half[1:], half[1:]]).data.npartitions == 1
    assert xp.concat([half, half]).data.npartitions == 2
    assert xp.stack([half, half]).data.npartitions == 2
    with dask.config.set({"array.chunk-size": 32}):
        few = xp.zeros(2)
        assert xp.concat([few, few]).data.npartitions == 1
        assert xp.concat([few, few, few]).data.npartitions == 3
