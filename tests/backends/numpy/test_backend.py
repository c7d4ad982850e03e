"""The NumPy backend's part of the `Backend` protocol."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import backends, dtypes
from arrayapi_unify.backends import numpy as backend
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.devices import CPU, Device
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.tables import each


class TestProtocol:
    NAMES = sorted(
        {n for n in vars(Backend) if not n.startswith("_")} | set(Backend.__annotations__)
    )

    def test_the_protocol_has_names(self) -> None:
        assert {"NAME", "DTYPES", "is_native_type", "write", "in_place"} <= set(self.NAMES)

    @each("name", NAMES)
    def test_every_backend_has_every_name(self, xp: Any, name: str) -> None:
        assert hasattr(backends.load(xp.ones(1).backend), name)

    @pytest.mark.parametrize("name", [n for n in NAMES if inspect.isfunction(vars(Backend).get(n))])
    def test_functions_take_the_protocols_parameters(self, xp: Any, name: str) -> None:
        function = getattr(backends.load(xp.ones(1).backend), name)
        wanted = len(inspect.signature(vars(Backend)[name]).parameters) - 1  # self
        if function is np.asarray:  # whose signature NumPy has from 2.4 on
            assert wanted == 1
            return
        required = [
            p
            for p in inspect.signature(function).parameters.values()
            if p.default is inspect.Parameter.empty
        ]
        assert len(required) <= wanted

    def test_it_is_complete(self) -> None:
        assert set(self.NAMES) <= set(vars(backend))

    def test_capabilities_are_the_standards(self, xp: Any) -> None:
        backend = backends.load(xp.ones(1).backend)
        capabilities = backend.CAPABILITIES
        lazy = {"lazy"} if backend.lazy else set()
        assert set(capabilities) - lazy == {
            "boolean indexing",
            "data-dependent shapes",
            "max dimensions",
        }
        assert xp.__array_namespace_info__().capabilities() == capabilities


class TestDtypes:
    def test_every_dtype_has_its_native_one_and_back(self) -> None:
        # bfloat16 is imported at its first use.
        assert set(backend.DTYPES) | {dtypes.bfloat16} == set(dtypes.EVERY)
        for ours, native in backend.DTYPES.items():
            assert backend.as_dtype(native) is ours
            assert backend.dtype_of(np.zeros(1, native)) is ours

    def test_byte_order_is_no_data_type(self) -> None:
        assert backend.dtype_of(np.zeros(1, ">f8")) is dtypes.float64
        assert backend.as_dtype(np.dtype(">i2")) is dtypes.int16

    @pytest.mark.parametrize(
        "native", [np.dtype("g"), np.dtype("O"), np.dtype("U3"), np.longdouble]
    )
    def test_others_are_none(self, native: Any) -> None:
        assert backend.as_dtype(native) is None

    @pytest.mark.parametrize("value", ["float32", float, 3, None, dtypes.int8])
    def test_what_is_no_native_data_type_is_none(self, value: Any) -> None:
        assert backend.as_dtype(value) is None

    def test_dtype_of_an_array_outside_the_standard(self) -> None:
        with pytest.raises(UnifyTypeError, match=str(np.dtype("g"))):
            backend.dtype_of(np.zeros(1, "g"))


class TestValues:
    def test_owns(self) -> None:
        assert backend.is_native_type(np.ndarray)
        assert not backend.is_native_type(list)
        assert not backend.is_native_type(np.float64)
        assert not backend.is_native_type(unify.Array)

    def test_as_native_array_makes_arrays_of_numpys_scalars(self) -> None:
        made = backend.as_native_array(np.float32(1.5))
        assert type(made) is backend.RESULT_TYPE is np.ndarray
        assert made.dtype == np.float32
        x = np.ones(2)
        assert backend.as_native_array(x) is x

    def test_device(self) -> None:
        assert backend.device_of(np.ones(1)) is CPU
        assert backend.devices() == (CPU,)
        assert backend.native_device(CPU) is CPU
        with pytest.raises(UnifyValueError, match=r"gpu:0.*'cpu'"):
            backend.native_device(Device("gpu:0"))

    def test_shape_of(self) -> None:
        assert backend.shape_of(np.ones((2, 0))) == (2, 0)

    def test_copy_is_independent(self) -> None:
        x = np.ones(2)
        y = backend.copy(x)
        y[0] = 5
        assert x.tolist() == [1.0, 1.0]

    def test_to_numpy(self) -> None:
        x = np.ones(2)
        assert backend.to_numpy(x) is x
        assert backend.to_numpy(x, copy=False) is x
        assert not np.shares_memory(backend.to_numpy(x, copy=True), x)


class TestWrite:
    def test_writes_into_the_memory_and_returns_it(self) -> None:
        x = np.zeros(2, np.float32)
        assert backend.write(x, np.asarray([1.5, 2.5])) is x
        assert x.tolist() == [1.5, 2.5]

    def test_casts_to_the_targets_dtype(self) -> None:
        x = np.zeros(2, np.int8)
        assert backend.write(x, np.asarray([1.9, -2.9])).tolist() == [1, -2]
        assert x.dtype == np.int8

    def test_overlapping_memory(self) -> None:
        x = np.arange(4)
        backend.write(x[1:], x[:-1])
        assert x.tolist() == [0, 0, 1, 2]

    def test_zero_dimensional(self) -> None:
        x = np.zeros(())
        assert backend.write(x, np.asarray(2.0)) is x
        assert x == 2.0


class TestInPlace:
    @staticmethod
    def updates() -> list[Any]:
        """A native function with a fast call of its ufunc, and one without."""
        return [
            backend.in_place(_native("add")),
            backend.in_place(lambda x, y: x + y),
        ]

    @pytest.mark.parametrize("i", [0, 1])
    def test_writes_into_the_memory_and_returns_it(self, i: int) -> None:
        x = np.asarray([1, 2], np.int8)
        assert self.updates()[i](x, np.asarray([1, 1], np.int8)) is x
        assert self.updates()[i](x, 1) is x
        assert x.tolist() == [3, 4]
        assert x.dtype == np.int8

    @pytest.mark.parametrize("i", [0, 1])
    def test_zero_dimensional(self, i: int) -> None:
        x = np.asarray(1.5)
        assert self.updates()[i](x, 1) is x
        assert x == 2.5

    @pytest.mark.parametrize("i", [0, 1])
    def test_overlapping_memory(self, i: int) -> None:
        x = np.arange(4)
        self.updates()[i](x, x[::-1])
        assert x.tolist() == [3, 3, 3, 3]

    @pytest.mark.parametrize("i", [0, 1])
    @pytest.mark.parametrize(
        ("x", "y"),
        [
            (np.asarray([1, 2]), 1.5),
            (np.asarray([1, 2]), np.asarray([1.5, 2.5])),
            (np.asarray([True, False]), 2),
            (np.asarray([1, 2], np.uint8), np.asarray([1, 1], np.int8)),
            (np.asarray([1.0, 2.0]), 1j),
            (np.asarray([1.0, 2.0]), np.ones((3, 2))),
            (np.asarray([1.0]), np.ones(2)),
            (np.asarray(1.0), np.ones(1)),
            (np.asarray([1, 2], np.int8), 1000),
        ],
    )
    def test_refused_before_anything_is_written(self, i: int, x: Any, y: Any) -> None:
        before = x.copy()
        with pytest.raises((TypeError, ValueError, OverflowError)):
            self.updates()[i](x, y)
        assert x.tolist() == before.tolist()
        assert x.dtype == before.dtype

    def test_functions_with_core_dimensions_compute_first(self) -> None:
        x = np.asarray([[1.0, 2.0], [3.0, 4.0]])
        expected = (x @ x).tolist()
        update = backend.in_place(_native("matmul", "linear_algebra"))
        assert update(x, x) is x
        assert x.tolist() == expected
        with pytest.raises(ValueError, match=r"shape \(2,\).*\(2, 2\)"):
            update(x, np.ones(2))


def _native(name: str, category: str = "elementwise") -> Any:
    module = importlib.import_module(f"arrayapi_unify.backends.numpy.{category}")
    return getattr(module, name)
