"""`NativeArray`, and the conversion between native arrays and Arrays."""

from __future__ import annotations

import collections
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError


class TestNativeArray:
    """B41: native types."""

    def test_holds_for_the_arrays_of_loaded_frameworks(self, xp: ModuleType) -> None:
        native = xp.ones(1).data
        assert isinstance(native, unify.NativeArray)
        assert issubclass(type(native), unify.NativeArray)
        assert issubclass(unify.NativeArray, unify.NativeArray)

    def test_holds_for_subclasses(self) -> None:
        assert isinstance(np.ma.masked_array([1]), unify.NativeArray)

    @pytest.mark.parametrize("value", [[1], (1,), 1, 1.5, None, "a", np.float64(1), unify.ones(1)])
    def test_does_not_hold_for_others(self, value: Any) -> None:
        assert not isinstance(value, unify.NativeArray)

    def test_cannot_be_made(self) -> None:
        with pytest.raises(TypeError, match="isinstance"):
            unify.NativeArray()


class TestFunctionsTakeBoth:
    """B46: native arrays or Arrays in, Arrays out."""

    @pytest.mark.parametrize(
        "call",
        [
            lambda ns, x: ns.sin(x),
            lambda ns, x: ns.reshape(x, (2, 1)),
            lambda ns, x: ns.stack([x, x]),
            lambda ns, x: ns.unstack(x)[0],
            lambda ns, x: ns.add(x, x),
            lambda ns, x: ns.add(x, 1),
            lambda ns, x: ns.add(1, x),
            lambda ns, x: ns.where(x > 1, x, 0),
            lambda ns, x: ns.clip(x, 1, x),
            lambda ns, x: ns.linalg.vector_norm(x),
            lambda ns, x: ns.unique_all(x).values,
            lambda ns, x: ns.meshgrid(x, x)[0],
            lambda ns, x: ns.asarray(x),
            lambda ns, x: ns.zeros_like(x),
            lambda ns, x: ns.get_item(x, 0),
        ],
    )
    def test_native_and_ours(self, either: ModuleType, call: Any) -> None:
        x = either.asarray([1.0, 2.0])
        for namespace in (unify, either):
            expected = call(namespace, x)
            result = call(namespace, x.data)
            assert type(result) is type(expected) is type(x)
            assert result.dtype is expected.dtype
            assert result.tolist() == expected.tolist()

    def test_mixed(self, either: ModuleType) -> None:
        x = either.asarray([1.0, 2.0])
        for result in (unify.add(x, x.data), either.add(x.data, x), unify.concat([x.data, x])):
            assert type(result) is type(x)

    def test_frameworks_own_functions_do_not_know_ours(self, frozen: ModuleType) -> None:
        x = frozen.ones(2)
        assert not isinstance(x, type(x.data))

    def test_native_array_as_out(self, either: ModuleType) -> None:
        """B47: native out arrays."""
        x = either.asarray([1.0, 2.0])
        native = either.zeros(2).data
        for call in (
            lambda: unify.sin(x, out=native),
            lambda: either.sin(x, out=native),
            lambda: x.sin(out=native),
            lambda: unify.sort(x, out=native),
            lambda: either.zeros(2, out=native),
        ):
            with pytest.raises(UnifyTypeError, match=r"'out' is a .*unify\.Array\(native\)"):
                call()
        assert unify.to_list(native) == [0.0, 0.0]


Pair = collections.namedtuple("Pair", ["a", "b"])


class TestToNative:
    """B22: native arrays."""

    def test_array(self, either: ModuleType) -> None:
        x = either.ones(2)
        assert unify.to_native(x) is x.data
        assert unify.to_native(x.data) is x.data
        assert x.to_native() is x.data

    def test_nested(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        data = {"a": [x, 1], "b": (x, None), "c": Pair(x, "t")}
        found = unify.to_native(data)
        assert found["a"][0] is found["b"][0] is found["c"].a is x.data
        assert found["a"][1:] == [1]
        assert type(found["c"]) is Pair
        assert data["a"][0] is x  # type: ignore[index]

    @pytest.mark.parametrize("value", [1, "a", None, [], {}])
    def test_anything_else_comes_back(self, value: Any) -> None:
        assert unify.to_native(value) == value


class TestPredicates:
    def test_is_array(self, either: ModuleType) -> None:
        x = either.ones(1)
        assert unify.is_array(x)
        assert unify.is_array(x.data)
        assert unify.is_native_array(x.data)
        assert not unify.is_native_array(x)

    @pytest.mark.parametrize("value", [1, [1], None, np.float64(1), "a"])
    def test_others(self, value: Any) -> None:
        assert not unify.is_array(value)
        assert not unify.is_native_array(value)

    def test_subclass_of_array(self, xp: ModuleType) -> None:
        class Mine(unify.Array):
            """A user's subclass."""

        assert unify.is_array(Mine(xp.ones(1)))
        assert not unify.is_native_array(Mine(xp.ones(1)))
