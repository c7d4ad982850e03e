"""`isclose` and `allclose` compared with NumPy's, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify import dtypes
from tests.tables import each

VALUES = np.asarray([0.0, 1.0, 1 + 1e-9, 1.00002, -1, np.nan, np.inf, -np.inf, 1e-9, 1e300, -1e300])
OPTIONS = [{}, {"equal_nan": True}, {"rtol": 0.1}, {"rtol": 0, "atol": 1e-6}]


@pytest.mark.parametrize("options", OPTIONS)
class TestIsclose:
    @pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
    def test_equals_numpys(self, xp: ModuleType, dtype: str, options: Any) -> None:
        with np.errstate(over="ignore"):
            x = VALUES.astype(dtype)
        if dtype[0] == "c":
            x = x + 1j * np.roll(np.where(np.isfinite(x), x, 0).real, 3).astype(x.real.dtype)
        with np.errstate(all="ignore"):
            expected = np.isclose(x[:, None], x, **options)
        result = xp.isclose(xp.asarray(x[:, None]), xp.asarray(x), **options)
        np.testing.assert_array_equal(np.asarray(result), expected)

    @each("dtype", [d.name for d in dtypes.ALL if d.kind in "bui"])
    def test_integers_do_not_wrap_around(self, xp: ModuleType, dtype: str, options: Any) -> None:
        x = np.asarray([0, 1, 100, 101]).astype(dtype)
        expected = np.isclose(x[:, None].astype("f8"), x.astype("f8"), **options)
        result = xp.isclose(xp.asarray(x[:, None]), xp.asarray(x), **options)
        np.testing.assert_array_equal(np.asarray(result), expected)


class TestBoth:
    def test_numbers_out_and_native_arrays(self, xp: ModuleType) -> None:
        x, out = xp.asarray([1.0, 2.0]), xp.asarray([False, True])
        assert xp.isclose(x.data, 1.0, out=out) is out
        assert out.tolist() == [True, False]
        assert xp.isclose(xp.asarray([1, 2], dtype=xp.uint8), x).tolist() == [True, True]

    def test_allclose(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, np.nan])
        assert xp.allclose(x, x).tolist() is False
        assert xp.allclose(x, x, equal_nan=True).tolist() is True
        assert xp.allclose(xp.asarray([1.0, 1.1]), xp.asarray(1.0), rtol=0.2).tolist() is True
        assert xp.allclose(xp.zeros((0, 2)), xp.ones(2)).tolist() is True
        out = xp.asarray(False)
        assert xp.allclose(xp.asarray(1), xp.asarray(1), out=out) is out
        assert out.item() is True
