"""NumPy's protocols and DLPack: values out of our arrays, NumPy's functions on them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.array_object.interop import _RENAMED
from arrayapi_unify.binding import CONTRACTS
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyError, UnifyTypeError

UFUNCS = sorted(
    name
    for name in dir(np)
    if isinstance(getattr(np, name), np.ufunc) and getattr(np, name).nin <= 2
)


class TestArrayProtocol:
    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_values_and_dtype(self, either: ModuleType, dtype: DType) -> None:
        x = either.asarray([[0, 1], [1, 0]], dtype=dtype)
        for values in (np.asarray(x), np.array(x), x.to_numpy(), unify.to_numpy(x)):
            assert type(values) is np.ndarray
            assert values.dtype.name == dtype.name
            assert values.tolist() == x.tolist()

    def test_is_a_view_where_memory_allows(self) -> None:
        x = unify.asarray([1.0, 2.0])
        for values in (np.asarray(x), np.asarray(x, copy=False), np.asarray(x, dtype="f8")):
            assert np.shares_memory(values, x.data)
        for values in (np.array(x), np.asarray(x, copy=True), x.to_numpy(copy=True)):
            assert not np.shares_memory(values, x.data)

    def test_cast(self, either: ModuleType) -> None:
        values = np.asarray(either.asarray([1, 2]), dtype=np.float32)
        assert values.dtype == np.float32
        assert values.tolist() == [1.0, 2.0]
        assert np.asarray(either.asarray([1, 2]), dtype=unify.int8).dtype == np.int8  # type: ignore[call-overload]

    def test_copy_false_with_a_cast(self, xp: ModuleType) -> None:
        with pytest.raises(ValueError, match=r"__array__.*int8.*drop copy=False"):
            np.asarray(xp.ones(1), dtype=np.int8, copy=False)

    def test_never_an_array_of_objects(self, either: ModuleType) -> None:
        x = either.ones(2)
        for values in (np.asarray(x), np.asarray([x, x]), np.stack([x, x]), np.full(2, x)):  # type: ignore[list-item]
            assert values.dtype == np.float64


class TestUfuncs:
    def test_unary(self, either: ModuleType) -> None:
        x = either.asarray([0.0, 1.0])
        result = np.sin(x)
        assert type(result) is type(x)
        assert result.tolist() == np.sin([0.0, 1.0]).tolist()

    def test_binary_with_a_numpy_array_on_either_side(self, xp: ModuleType) -> None:
        x, y = unify.asarray([1, 2]), np.asarray([3, 4])
        for result in (np.add(y, x), np.add(x, y), np.add(x, x), np.add(3, x), np.add(x, 3)):
            assert type(result) is type(x)
        assert np.subtract(y, x).tolist() == [2, 2]

    @pytest.mark.parametrize("name", UFUNCS)
    def test_each_is_our_function_or_refused(self, name: str) -> None:
        ufunc = getattr(np, name)
        ours = _RENAMED.get(ufunc.__name__, ufunc.__name__)
        integers = "bit" in ours or name in ("gcd", "lcm", "matvec", "vecmat")
        values = [1, 2] if integers else [1.25, 1.5] if ours == "acosh" else [0.25, 0.5]
        arrays = [np.asarray(values)] * ufunc.nin
        if ufunc.nout == 1 and ours in CONTRACTS:
            result = ufunc(*map(unify.Array, arrays))
            assert type(result) is type(unify.ones(1))
            np.testing.assert_allclose(np.asarray(result), ufunc(*arrays))
        else:
            with pytest.raises(UnifyTypeError, match=rf"np\.{ufunc.__name__}.*np\.asarray\(x\)"):
                ufunc(*map(unify.Array, arrays))

    def test_every_renamed_one_exists(self) -> None:
        for theirs, ours in _RENAMED.items():
            assert isinstance(getattr(np, theirs), np.ufunc)
            assert ours in CONTRACTS

    @pytest.mark.parametrize("method", ["reduce", "accumulate", "outer", "reduceat", "at"])
    def test_methods_of_ufuncs_are_refused(self, either: ModuleType, method: str) -> None:
        x = either.ones(2)
        args = {"outer": (x, x), "reduceat": (x, [0]), "at": (x, [0], 1)}.get(method, (x,))
        with pytest.raises(UnifyTypeError, match=rf"np\.add\.{method}.*np\.asarray\(x\)"):
            getattr(np.add, method)(*args)
        assert x.tolist() == [1.0, 1.0]

    @pytest.mark.parametrize(
        "option", [{"where": [True, False]}, {"dtype": "f4"}, {"casting": "no"}]
    )
    def test_options_are_refused(self, either: ModuleType, option: dict[str, Any]) -> None:
        x = either.ones(2)
        with pytest.raises(UnifyTypeError, match=f"{next(iter(option))}; call unify.add"):
            np.add(x, x, **option)

    def test_out(self, either: ModuleType) -> None:
        x, out = either.asarray([1.0, 2.0]), either.zeros(2)
        assert np.add(x, x, out=out) is out
        assert out.tolist() == [2.0, 4.0]
        assert np.square(x, out) is out
        assert out.tolist() == [1.0, 4.0]

    def test_out_that_is_a_numpy_array_is_refused(self, either: ModuleType) -> None:
        x, out = either.ones(2), np.zeros(2)
        with pytest.raises(UnifyTypeError, match="an out that is a NumPy array"):
            np.add(x, x, out=out)
        with pytest.raises(UnifyTypeError, match="an out that is a NumPy array"):
            out += x
        assert out.tolist() == [0.0, 0.0]

    def test_two_results_are_refused(self, xp: ModuleType) -> None:
        for ufunc in (np.modf, np.frexp):
            with pytest.raises(UnifyTypeError, match="no function of the standard"):
                ufunc(xp.ones(2))

    def test_numpy_scalars_on_the_left(self, either: ModuleType) -> None:
        x = either.asarray([1.0, 2.0], dtype=either.float32)
        for result, expected in (
            (np.float64(2) * x, [2.0, 4.0]),
            (np.int8(2) - x, [1.0, 0.0]),
            (np.sqrt(4.0) ** x, [2.0, 4.0]),
        ):
            assert type(result) is type(x)
            assert result.dtype is either.float32
            assert result.tolist() == expected

    def test_numpy_scalars_on_the_left_of_comparisons(self, either: ModuleType) -> None:
        """NumPy hands its ufunc a 0-d array of the scalar there."""
        x = either.asarray([1.0, 2.0])
        for result, expected in (
            (np.float64(1.5) < x, [False, True]),
            (np.int8(2) == x, [False, True]),
            (np.float32(2) != x, [True, False]),
        ):
            assert type(result) is type(x)
            assert result.tolist() == expected

    def test_other_functions_of_numpy_see_values(self, either: ModuleType) -> None:
        x = either.asarray([[1.0, 2.0], [3.0, 4.0]])
        assert np.concatenate([x, x]).shape == (4, 2)
        np.testing.assert_array_equal(x, [[1.0, 2.0], [3.0, 4.0]])
        np.testing.assert_allclose(np.linalg.inv(x) @ np.asarray(x), np.eye(2), atol=1e-12)  # type: ignore[arg-type]


class TestDlpack:
    def test_both_ways_without_a_copy(self) -> None:
        x = unify.asarray([1.0, 2.0])
        taken = np.from_dlpack(x)
        assert np.shares_memory(taken, x.data)
        assert taken.tolist() == [1.0, 2.0]
        given = np.asarray([3, 4])
        y = unify.from_dlpack(given)
        assert type(y) is type(x)
        assert np.shares_memory(given, y.data)

    def test_between_arrays_of_ours(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        assert xp.from_dlpack(x).tolist() == [1.0, 2.0]
        assert xp.from_dlpack(x, copy=True).tolist() == [1.0, 2.0]
        assert xp.from_dlpack(x, device=x.device).device is x.device

    def test_device_is_dlpacks(self, xp: ModuleType) -> None:
        assert xp.ones(1).__dlpack_device__() == xp.ones(1).data.__dlpack_device__()

    def test_copy_is_passed_on(self) -> None:
        x = unify.asarray([1.0, 2.0])
        assert not np.shares_memory(np.from_dlpack(x, copy=True), x.data)
        assert np.shares_memory(np.from_dlpack(x, copy=False), x.data)

    @pytest.mark.parametrize("value", [3, [1, 2], "a", None])
    def test_other_objects_are_refused(self, xp: ModuleType, value: Any) -> None:
        with pytest.raises(UnifyError, match=r"from_dlpack.*asarray") as caught:
            xp.from_dlpack(value)
        assert isinstance(caught.value, TypeError)
