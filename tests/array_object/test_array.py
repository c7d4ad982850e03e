"""`Array`: attributes, conversions, the sequence protocol, copies and pickles."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import subprocess
import sys
import weakref
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyError, UnifyTypeError, UnifyValueError
from tests.tables import each


class Tagged(unify.Array):
    """A user's subclass with additional attributes."""

    tags: list[str]

    def __init__(self, data: Any, tags: list[str] | None = None) -> None:
        super().__init__(data)
        self.tags = tags or []


class TestConstruction:
    def test_wraps_without_a_copy(self, xp: ModuleType) -> None:
        native = xp.ones(2).data
        x = unify.Array(native)
        assert x.data is native
        assert type(x) is type(xp.ones(1))
        assert unify.to_native(x) is native

    def test_of_an_array_shares_its_data(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        assert unify.Array(x).data is x.data
        assert unify.Array(Tagged(x)).data is x.data
        assert type(unify.Array(Tagged(x))) is type(x)

    @pytest.mark.parametrize("data", [3, 2.5, [1, 2], [[True]], (1j,), range(3)])
    def test_other_data_goes_through_asarray(self, data: Any) -> None:
        x = unify.Array(data)
        expected = unify.asarray(data)
        assert x.dtype is expected.dtype
        assert x.tolist() == expected.tolist()

    def test_isinstance(self, xp: ModuleType) -> None:
        assert isinstance(xp.ones(1), unify.Array)
        assert not isinstance(xp.ones(1).data, unify.Array)

    def test_backends_own_class_is_final(self, xp: ModuleType) -> None:
        with pytest.raises(TypeError, match=r"final; inherit from arrayapi_unify\.Array"):
            type("Mine", (type(xp.ones(1)),), {})

    def test_has_no_other_attributes(self, xp: ModuleType) -> None:
        x = xp.ones(1)
        for name in ("foo", "data", "dtype", "shape", "device", "backend", "ndim", "T"):
            with pytest.raises(AttributeError):
                setattr(x, name, 1)
        with pytest.raises(AttributeError):
            _ = x.foo

    @pytest.mark.parametrize(
        "native", [np.asarray([None]), np.asarray(["a"]), np.ones(1, "g"), np.ones(1, "M8[s]")]
    )
    def test_native_data_types_outside_the_standard_are_refused(self, native: Any) -> None:
        """Every operation on such an array raises, even its repr."""
        with pytest.raises(UnifyTypeError, match="is no data type"):
            unify.Array(native)


class TestAttributes:
    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_dtype(self, xp: ModuleType, dtype: DType) -> None:
        assert xp.zeros(1, dtype=dtype).dtype is dtype
        assert Tagged(xp.zeros(1, dtype=dtype)).dtype is dtype

    @pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4)])
    def test_shape_ndim_size(self, xp: ModuleType, shape: tuple[int, ...]) -> None:
        for x in (xp.zeros(shape), Tagged(xp.zeros(shape))):
            assert x.shape == shape
            assert type(x.shape) is tuple
            assert x.ndim == len(shape)
            assert x.size == math.prod(shape)
            assert type(x.size) is int

    def test_backend_and_device(self, xp: ModuleType) -> None:
        for x in (xp.ones(1), Tagged(xp.ones(1))):
            assert unify.get_backend(x.backend) is xp
            assert x.device in xp.__array_namespace_info__().devices()

    def test_transposes(self, xp: ModuleType) -> None:
        x = xp.asarray([[1, 2, 3], [4, 5, 6]])
        assert x.T.tolist() == x.mT.tolist() == [[1, 4], [2, 5], [3, 6]]
        assert xp.ones((2, 3, 4)).mT.shape == (2, 4, 3)
        assert Tagged(x).T.tolist() == x.T.tolist()

    @pytest.mark.parametrize("shape", [(), (3,), (1, 2, 3), (2, 3, 4, 5)])
    def test_T_of_other_ranks_reverses_the_axes(
        self, xp: ModuleType, shape: tuple[int, ...]
    ) -> None:
        """As in NumPy; the standard leaves it open."""
        values = np.arange(float(math.prod(shape))).reshape(shape)
        np.testing.assert_array_equal(np.asarray(xp.asarray(values).T), values.T)
        x = xp.asarray(values)
        if not unify.backends.load(x.backend).lazy:
            x.T[...] = -1.0
            assert bool(xp.all(x == -1.0))

    def test_partitions(self, xp: ModuleType) -> None:
        values = np.random.default_rng(7).permuted(np.arange(20.0).reshape(4, 5), axis=None)
        for axis in (0, -1):
            indices = xp.asarray(values).argpartition(2, axis)
            found = np.take_along_axis(values, np.asarray(indices), axis)
            wanted = np.partition(values, 2, axis)
            np.testing.assert_array_equal(found.take(2, axis), wanted.take(2, axis))
        assert float(values.ravel()[int(xp.asarray(values).argpartition(7, None)[7])]) == 7.0
        x = xp.asarray(values)
        assert x.partition((1, 3), axis=0) is None
        np.testing.assert_array_equal(
            np.asarray(x)[[1, 3]], np.partition(values, (1, 3), 0)[[1, 3]]
        )
        with pytest.raises(UnifyValueError, match=r"partition: .*'kth' is 5.*5 elements"):
            x.partition(5)

    @pytest.mark.parametrize("shape", [(), (3,)])
    def test_mT_needs_two_dimensions(self, xp: ModuleType, shape: tuple[int, ...]) -> None:
        with pytest.raises(UnifyError):
            _ = xp.ones(shape).mT


class TestNamespace:
    def test_is_the_identical_module_every_time(self, xp: ModuleType) -> None:
        x = xp.ones(1)
        assert x.__array_namespace__() is xp
        assert xp.sin(x).__array_namespace__() is xp
        assert Tagged(x).__array_namespace__() is xp
        assert hash(xp) == hash(x.__array_namespace__())
        assert len({xp, x.__array_namespace__()}) == 1

    @pytest.mark.parametrize(
        "version", [None, "2021.12", "2022.12", "2023.12", "2024.12", "2026.12"]
    )
    def test_every_version_without_a_namespace_of_its_own(
        self, xp: ModuleType, version: str | None
    ) -> None:
        assert xp.ones(1).__array_namespace__(api_version=version) is xp

    @pytest.mark.parametrize("version", ["2020.01", "", 2021, "draft"])
    def test_unknown_version_lists_the_known_ones(self, xp: ModuleType, version: Any) -> None:
        with pytest.raises(UnifyValueError, match=r"api_version.*2021\.12.*2025\.12"):
            xp.ones(1).__array_namespace__(api_version=version)

    def test_api_version_is_keyword_only(self, xp: ModuleType) -> None:
        with pytest.raises(TypeError):
            xp.ones(1).__array_namespace__("2021.12")

    def test_arrays_are_not_hashable(self, xp: ModuleType) -> None:
        for x in (xp.ones(()), Tagged(xp.ones(()))):
            with pytest.raises(TypeError, match="unhashable"):
                hash(x)


class TestScalarConversions:
    @pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
    def test_one_element(self, xp: ModuleType, shape: tuple[int, ...]) -> None:
        for x in (xp.full(shape, 2.75), Tagged(xp.full(shape, 2.75))):
            assert x.item() == 2.75
            assert type(x.item()) is float
            assert float(x) == 2.75
            assert int(x) == 2
            assert complex(x) == 2.75 + 0j
            assert bool(x) is True
        assert bool(xp.zeros(shape)) is False

    @pytest.mark.parametrize(
        ("dtype", "kind"),
        [
            ("bool", bool),
            ("int8", int),
            ("uint64", int),
            ("float32", float),
            ("complex64", complex),
        ],
    )
    def test_item_is_a_python_scalar(self, xp: ModuleType, dtype: str, kind: type) -> None:
        assert type(xp.ones((), dtype=dtype).item()) is kind

    def test_int_truncates_and_keeps_precision(self, xp: ModuleType) -> None:
        assert int(xp.asarray(-2.9)) == -2
        assert int(xp.asarray(2**64 - 1, dtype=xp.uint64)) == 2**64 - 1
        with pytest.raises(ValueError, match="NaN"):
            int(xp.asarray(xp.nan))
        with pytest.raises(OverflowError):
            int(xp.asarray(xp.inf))

    @pytest.mark.parametrize("convert", [bool, int, float, complex, unify.to_scalar])
    @pytest.mark.parametrize("shape", [(0,), (2,), (1, 2)])
    def test_other_sizes_are_refused(
        self, xp: ModuleType, convert: Any, shape: tuple[int, ...]
    ) -> None:
        with pytest.raises(UnifyValueError, match=r"shape.*one element.*; (pick|use any)"):
            convert(xp.ones(shape))

    @pytest.mark.parametrize("convert", [int, float])
    def test_complex_is_not_real(self, xp: ModuleType, convert: Any) -> None:
        with pytest.raises(UnifyTypeError, match="complex128; take real"):
            convert(xp.asarray(1j))

    def test_math_functions_take_it(self, xp: ModuleType) -> None:
        assert math.sqrt(xp.asarray(4)) == 2.0

    def test_index(self, xp: ModuleType) -> None:
        i = xp.asarray(2, dtype=xp.uint8)
        assert operator.index(i) == 2
        assert type(operator.index(i)) is int
        assert [10, 20, 30][i] == 30
        assert list(range(i)) == [0, 1]
        assert xp.zeros((xp.asarray(2), 3)).shape == (2, 3)

    @pytest.mark.parametrize("value", [1.0, True, 1j, [1]])
    def test_index_needs_a_single_integer(self, xp: ModuleType, value: Any) -> None:
        with pytest.raises(UnifyTypeError, match=r"0-d integer array.*; cast"):
            operator.index(xp.asarray(value))

    def test_tolist(self, xp: ModuleType) -> None:
        assert xp.asarray([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
        assert xp.asarray(1.5).tolist() == 1.5
        assert xp.zeros((2, 0)).tolist() == [[], []]


class TestSequence:
    def test_len(self, xp: ModuleType) -> None:
        assert len(xp.ones((3, 2))) == 3
        assert len(xp.ones((0, 2))) == 0
        with pytest.raises(UnifyTypeError, match=r"0-d.*x\.size"):
            len(xp.ones(()))

    def test_iteration_gives_arrays(self, xp: ModuleType) -> None:
        x = xp.asarray([[1, 2], [3, 4]])
        rows = list(x)
        assert [r.tolist() for r in rows] == [[1, 2], [3, 4]]
        assert {type(r) for r in [*rows, *rows[0]]} == {type(x)}
        assert [int(i) for i in reversed(x[0])] == [2, 1]
        first, _ = x
        assert first.tolist() == [1, 2]
        assert list(xp.ones((0,))) == []

    def test_iteration_of_a_zero_dimensional_array_fails_at_once(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match=r"0-d.*x\.item\(\)"):
            iter(xp.ones(()))

    def test_contains(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        assert 2 in x
        assert 3 not in x
        assert xp.asarray(1.0) in x
        assert 1 not in xp.zeros((0,))

    @pytest.mark.parametrize("value", ["a", None, object(), {}])
    def test_does_not_contain_what_is_no_number(self, xp: ModuleType, value: Any) -> None:
        assert value not in xp.asarray([1.0, 2.0])


class TestCopies:
    def test_are_independent(self, either: ModuleType) -> None:
        x = either.asarray([1.0, 2.0])
        for make in (copy.copy, copy.deepcopy):
            y = make(x)
            assert type(y) is type(x)
            y[0] = 9
            assert x.tolist() == [1.0, 2.0]
            assert y.tolist() == [9.0, 2.0]

    def test_of_a_view(self, xp: ModuleType) -> None:
        x = xp.asarray([1, 2, 3])[::-1]
        assert copy.copy(x).tolist() == [3, 2, 1]

    def test_deepcopy_keeps_shared_arrays_shared(self, xp: ModuleType) -> None:
        x = xp.ones(1)
        a, b = copy.deepcopy([x, x])
        assert a is b
        assert a is not x


class TestPickles:
    PROTOCOLS = tuple(range(pickle.HIGHEST_PROTOCOL + 1))

    @each("protocol", PROTOCOLS)
    @each("dtype", dtypes.ALL)
    def test_every_dtype(self, either: ModuleType, dtype: DType, protocol: int) -> None:
        x = either.asarray([[0, 1], [1, 0]], dtype=dtype)
        y = pickle.loads(pickle.dumps(x, protocol))
        assert type(y) is type(x)
        assert y.dtype is dtype
        assert y.device is x.device
        assert y.tolist() == x.tolist()

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_zero_dimensional_empty_and_views(self, xp: ModuleType, protocol: int) -> None:
        for x in (xp.asarray(1.5), xp.zeros((2, 0)), xp.asarray([1, 2, 3])[::-2]):
            y = pickle.loads(pickle.dumps(x, protocol))
            assert y.shape == x.shape
            assert y.tolist() == x.tolist()

    def test_result_is_writable_and_independent(self, either: ModuleType) -> None:
        x = either.ones(2)
        y = pickle.loads(pickle.dumps(x))
        y[0] = 5
        y += 1
        assert y.tolist() == [6.0, 2.0]
        assert x.tolist() == [1.0, 1.0]

    @pytest.mark.parametrize("name", ["add", "linalg.inv", "fft.fft", "zeros", "set_backend"])
    def test_functions_are_pickled_by_name(self, xp: ModuleType, name: str) -> None:
        for namespace in (unify, xp):
            function = operator.attrgetter(name)(namespace)
            assert pickle.loads(pickle.dumps(function)) is function

    @pytest.mark.slow_on("torch", "tensorflow", "dask")
    @pytest.mark.parametrize("dtype", [unify.float64, unify.float16])
    def test_classes_are_pickled_by_their_backend(self, xp: ModuleType, dtype: DType) -> None:
        """Distributed sends the type of each result, and other tools of several processes do."""
        kind = type(xp.ones(1, dtype=dtype))
        stored = pickle.dumps(kind)
        assert pickle.loads(stored) is kind
        assert copy.deepcopy(kind) is kind
        code = "import pickle, sys; print(pickle.loads(bytes.fromhex(sys.argv[1])).__module__)"
        command = [sys.executable, "-c", code, stored.hex()]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == xp.__name__

    def test_weak_references(self, xp: ModuleType) -> None:
        x = xp.ones(1)
        reference = weakref.ref(x)
        assert reference() is x
        del x
        assert reference() is None
