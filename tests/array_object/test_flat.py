"""`x.flat` and `x.fill`: NumPy's, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

VALUES = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
MASK = np.asarray([True, False, False, True, False, True])


def _pair(xp: ModuleType) -> tuple[Any, Any]:
    """Return an Array and NumPy's of the same values."""
    return xp.asarray(VALUES, copy=True), np.array(VALUES)


class TestReading:
    def test_iterates_over_elements(self, xp: ModuleType) -> None:
        x, _ = _pair(xp)
        flat = x.T.flat
        assert [float(value) for value in flat] == [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]
        assert len(flat) == 6
        assert float(next(flat)) == 1.0
        assert (flat.index, flat.coords) == (1, (0, 1))
        assert flat.base.shape == (3, 2)

    @pytest.mark.parametrize("key", [4, -1, slice(1, 5, 2), [0, 3], MASK, ...])
    def test_selects_copies(self, key: Any, xp: ModuleType) -> None:
        x, numpys = _pair(xp)
        found = x.flat[key]
        assert type(found) is type(x)
        assert np.asarray(found).tolist() == np.asarray(numpys.flat[key]).tolist()
        found[...] = 0.0
        assert x.tolist() == VALUES

    def test_is_an_array_to_numpy(self, xp: ModuleType) -> None:
        x, numpys = _pair(xp)
        assert np.asarray(x.flat).tolist() == numpys.flat[:].tolist()
        assert x.flat.copy().tolist() == numpys.flat.copy().tolist()

    def test_out_of_bounds(self, xp: ModuleType) -> None:
        x, _ = _pair(xp)
        with pytest.raises(IndexError, match="6 is out of bounds for 6 elements"):
            _ = x.flat[6]


class TestWriting:
    @pytest.mark.parametrize(
        ("key", "value"),
        [
            (2, 9.0), (-1, 9), (slice(1, None), 7.0), (slice(0, 4), [1.0, 2.0]), ([0, 5], [8, 9]),
            (MASK, 0.0), (..., [1, 2, 3]),
        ],
    )  # fmt: skip
    def test_writes_through(self, key: Any, value: Any, xp: ModuleType) -> None:
        """Fewer values than elements are repeated; a view of other strides is written to."""
        for change in (lambda x: x, lambda x: x.T, lambda x: x[:, ::-1]):
            x, numpys = _pair(xp)
            row = x[0]
            change(x).flat[key] = value
            change(numpys).flat[key] = value
            assert x.tolist() == numpys.tolist()
            assert row.tolist() == numpys[0].tolist()

    def test_as_an_attribute(self, xp: ModuleType) -> None:
        x, numpys = _pair(xp)
        x.T.flat = numpys.T.flat = [1.0, 2.0]
        assert x.tolist() == numpys.tolist()

    def test_fill(self, xp: ModuleType) -> None:
        x, _ = _pair(xp)
        part = x[:, 1]
        part.fill(7)
        assert x.tolist() == [[1.0, 7.0, 3.0], [4.0, 7.0, 6.0]]
