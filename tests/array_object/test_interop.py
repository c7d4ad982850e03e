"""Export of values: `__array__`, DLPack, buffers and pickles."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyBufferError, UnifyError, UnifyValueError
from tests.installed import INSTALLED
from tests.tables import each

# Backends whose arrays can share memory.
WINDOWS = ("numpy", "torch")


def aligned(count: int, offset: int = 0) -> Any:
    """Memory at a multiple of 64 bytes, which all libraries can share, or at another address."""
    buffer = np.zeros(count + 16)
    start = -buffer.ctypes.data % 64 // 8 + offset
    return buffer[start : start + count]


class Exporter:
    """An object that only supports DLPack, before version 1.0 or after."""

    def __init__(self, x: Any, old: bool = False) -> None:
        self.x = x
        self.old = old

    def __dlpack__(self, **options: Any) -> Any:
        return self.x.__dlpack__(**({} if self.old else options))

    def __dlpack_device__(self) -> Any:
        return self.x.__dlpack_device__()


def shared_or_refused(make: Any, values: Any) -> Any:
    """Create an array without a copy, or return the message of the error."""
    try:
        return make(values, copy=False)
    except (UnifyBufferError, UnifyValueError) as error:
        return str(error)


@pytest.fixture(params=INSTALLED)
def other(request: pytest.FixtureRequest) -> ModuleType:
    """The bound namespace of each backend, independent of `xp`."""
    return namespace_of(request.param)


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

    @pytest.mark.eager
    def test_can_be_written_to(self, xp: ModuleType) -> None:
        """Compiled code requests writable buffers, also of immutable arrays."""
        x = xp.asarray([1.0, 2.0])
        native = x.data
        values = np.asarray(x)
        assert not memoryview(values).readonly
        values[0] = 9.0
        assert x.tolist() == [9.0, 2.0]
        # The other libraries' arrays are immutable: x has a new one
        # (tests/views/test_numpy_mirror.py).
        assert unify.to_list(native) == ([9.0, 2.0] if x.backend in WINDOWS else [1.0, 2.0])

    @pytest.mark.eager
    def test_without_a_copy(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        for values in (np.asarray(x, copy=False), x.__array__(copy=False), x.to_numpy(copy=False)):
            assert np.shares_memory(values, x.to_numpy())
            assert values.flags.writeable is (x.backend in WINDOWS)

    def test_a_copy_is_nobody_elses(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        for values in (np.array(x), np.asarray(x, dtype="f4"), x.__array__(copy=True)):
            assert values.flags.writeable
            assert not np.shares_memory(values, x.to_numpy())

    def test_what_is_read_only_stays_so(self) -> None:
        native = np.asarray([1.0, 2.0])
        native.flags.writeable = False
        for x in (unify.Array(native), unify.broadcast_to(unify.ones(1), (3,))):
            values = np.asarray(x)
            assert np.shares_memory(values, x.data)
            assert not values.flags.writeable

    @pytest.mark.eager
    @pytest.mark.parametrize(
        "take",
        [
            lambda xp, x: xp.linalg.diagonal(x),
            lambda xp, x: xp.broadcast_to(x, (4, 2, 2)),
            lambda xp, x: xp.broadcast_arrays(x, xp.ones((4, 2, 2)))[0],
            lambda xp, x: xp.linalg.diagonal(x)[1:],
        ],
    )
    def test_read_only_on_all_backends(self, xp: ModuleType, take: Any) -> None:
        """Arrays that are read-only in NumPy are exported read-only, or as copies."""
        base = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
        x = take(xp, base)
        expected = take(np, np.asarray([[1.0, 2.0], [3.0, 4.0]])).tolist()
        for values in (np.asarray(x), np.asarray(x, copy=False), np.from_dlpack(x)):
            assert not values.flags.writeable or not np.shares_memory(values, base.to_numpy())
            assert values.tolist() == expected
        for values in (np.array(x), np.asarray(x, dtype="f4"), np.from_dlpack(x, copy=True)):
            values[...] = 9.0
        taken = np.from_dlpack(Exporter(x, old=True))
        assert not np.shares_memory(taken, base.to_numpy())
        assert x.tolist() == expected

    def test_broadcast_arrays_do_not_grow(self, xp: ModuleType) -> None:
        x = unify.Array(xp.broadcast_to(xp.ones(1), (3,)).data)
        values = np.asarray(x)
        assert values.flags.writeable is (values.strides != (0,))

    def test_cast(self, either: ModuleType) -> None:
        values = np.asarray(either.asarray([1, 2]), dtype=np.float32)
        assert values.dtype == np.float32
        assert values.tolist() == [1.0, 2.0]
        assert np.asarray(either.asarray([1, 2]), dtype=unify.int8).dtype == np.int8  # type: ignore[call-overload]

    @pytest.mark.eager
    def test_copy_false_with_a_cast(self, xp: ModuleType) -> None:
        with pytest.raises(ValueError, match=r"__array__.*int8.*drop copy=False"):
            np.asarray(xp.ones(1), dtype=np.int8, copy=False)

    def test_never_an_array_of_objects(self, either: ModuleType) -> None:
        x = either.ones(2)
        for values in (np.asarray(x), np.asarray([x, x]), np.full(2, x)):  # type: ignore[list-item]
            assert values.dtype == np.float64


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

    @pytest.mark.eager
    def test_device_is_dlpacks(self, xp: ModuleType) -> None:
        assert xp.ones(1).__dlpack_device__() == xp.ones(1).data.__dlpack_device__()

    def test_copy_is_passed_on(self) -> None:
        x = unify.asarray([1.0, 2.0])
        assert not np.shares_memory(np.from_dlpack(x, copy=True), x.data)
        assert np.shares_memory(np.from_dlpack(x, copy=False), x.data)

    @pytest.mark.eager
    def test_says_what_is_read_only(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        for copy_ in (None, False):
            taken = np.from_dlpack(x, copy=copy_)
            assert np.shares_memory(taken, x.to_numpy())
            assert taken.flags.writeable is (x.backend in WINDOWS)
        assert np.from_dlpack(x, copy=True).flags.writeable

    def test_a_consumer_that_knows_no_read_only_gets_a_copy(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        if x.backend in WINDOWS:
            x = xp.broadcast_to(x, (3, 2))
        taken = np.from_dlpack(Exporter(x, old=True))
        assert taken.tolist() == x.tolist()
        assert not np.shares_memory(taken, x.to_numpy())

    @pytest.mark.eager
    def test_an_old_consumer_that_forbids_a_copy(self, xp: ModuleType) -> None:
        """The standard requires this memory or an error. Memory that NumPy locks remains locked."""
        x = xp.asarray([1.0, 2.0])
        if x.backend in WINDOWS:
            x = xp.broadcast_to(x, (3, 2))
            message = r"__dlpack__: 'copy' is False.*pass copy=None"
            with pytest.raises(UnifyBufferError, match=message):
                x.__dlpack__(copy=False)
        else:
            assert type(x.__dlpack__(copy=False)).__name__ == "PyCapsule"

    @pytest.mark.parametrize("step", [-1, 2, -2])
    def test_no_negative_strides(self, xp: ModuleType, step: int) -> None:
        x = xp.arange(6)[::step]
        taken = np.from_dlpack(x)
        assert taken.tolist() == list(range(6))[::step]
        assert taken.strides[0] > 0

    def test_negative_strides_without_a_copy(self) -> None:
        with pytest.raises(UnifyBufferError, match=r"negative strides.*pass copy=None"):
            np.from_dlpack(unify.arange(5)[::-1], copy=False)

    @pytest.mark.parametrize("take", [lambda x: x[::-1], lambda x: x[None, ::-2].T])
    def test_negative_strides_are_no_views_for_others(self, xp: ModuleType, take: Any) -> None:
        """As for NumPy's array: `copy=False` raises, otherwise it is a copy, on all backends."""
        base = xp.asarray([1.0, 2.0, 3.0])
        x = take(base)
        for call in (
            lambda: xp.from_dlpack(x, copy=False), lambda: unify.from_dlpack(x, copy=False),
            lambda: unify.numpy.from_dlpack(x, copy=False), lambda: x.__dlpack__(copy=False),
        ):  # fmt: skip
            with pytest.raises(BufferError, match=r"negative strides.*pass copy=None"):
                call()
        y, before = xp.from_dlpack(x), x.tolist()
        base[...] = 7.0
        assert y.tolist() == before

    @pytest.mark.parametrize(
        "take",
        [
            lambda x: x, lambda x: x[1:], lambda x: x[::2], lambda x: x[None].T,
            lambda x: x[::-1][::-1],
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("copy_", [None, False])
    def test_arrays_of_the_backend_share(
        self, xp: ModuleType, take: Any, copy_: bool | None
    ) -> None:
        base, numpys = xp.asarray([1.0, 2.0, 3.0]), np.asarray([1.0, 2.0, 3.0])
        x, theirs = take(base), np.from_dlpack(take(numpys), copy=copy_)
        y = xp.from_dlpack(x, copy=copy_)
        base[2] = numpys[2] = 7.0
        assert y.tolist() == theirs.tolist()
        y[...] = 9.0
        theirs[...] = 9.0
        assert base.tolist() == numpys.tolist()
        z = xp.from_dlpack(x, copy=True)
        z[...] = 0.0
        assert base.tolist() == numpys.tolist()

    def test_what_is_read_only_stays_so_when_imported(self, xp: ModuleType) -> None:
        y = xp.from_dlpack(xp.broadcast_to(xp.ones(1), (3,)))
        with pytest.raises(ValueError, match="read-only"):
            y[0] = 2.0

    def test_values_that_pytorch_computes_when_read(self) -> None:
        """A write would have no effect, so they are read-only, and `copy` returns a copy."""
        torch = pytest.importorskip("torch")
        tensor = torch.tensor([1 + 2j, 3 - 1j])
        tracked = torch.ones(2, requires_grad=True)
        for native in (tensor.conj(), tensor.conj().imag, tracked):
            x = unify.Array(native)
            values = np.asarray(x)
            assert values.tolist() == native.detach().resolve_conj().resolve_neg().tolist()
            with pytest.raises(ValueError, match="read-only"):
                values[0] = 5.0
            copied = np.array(x)
            copied[0] = 5.0
            assert x.tolist() != copied.tolist()

    @pytest.mark.parametrize(
        "native",
        [
            np.arange(3, dtype=">i4"),
            np.ones(3, [("a", "f4"), ("b", "f8")])["b"],
            np.ones(3, [("a", "i1"), ("b", "f4"), ("c", "f8")])["b"],
        ],
        ids=["byte order", "strides", "strides of parts"],
    )
    def test_what_dlpack_has_no_words_for(self, native: Any) -> None:
        assert np.from_dlpack(unify.Array(native)).tolist() == native.tolist()
        assert unify.from_dlpack(unify.Array(native)).tolist() == native.tolist()

    @pytest.mark.parametrize("value", [3, [1, 2], "a", None])
    def test_other_objects_are_refused(self, xp: ModuleType, value: Any) -> None:
        with pytest.raises(UnifyError, match=r"from_dlpack.*asarray") as caught:
            xp.from_dlpack(value)
        assert isinstance(caught.value, TypeError)


class TestBetweenBackends:
    """Writes to other arrays never change one of JAX or TensorFlow, even if memory is shared."""

    @staticmethod
    def ways(xp: ModuleType) -> list[Any]:
        return [
            xp.from_dlpack,
            lambda x: xp.from_dlpack(unify.compute(x.data)),
            lambda x: xp.from_dlpack(Exporter(x)),
            lambda x: xp.from_dlpack(Exporter(x, old=True)),
            lambda x: unify.to_backend(x, xp.ones(1).backend),
            lambda x: xp.asarray(np.asarray(x)),
            lambda x: xp.asarray(np.from_dlpack(x)),
        ]

    @pytest.mark.parametrize("way", range(7))
    def test_a_write_to_the_result(self, xp: ModuleType, other: ModuleType, way: int) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        native = x.data
        y = self.ways(other)[way](x)
        assert y.tolist() == [1.0, 2.0, 3.0]
        if y.backend == "numpy" and not y.data.flags.writeable:
            return
        y += 1.0
        y[0] = 9.0
        assert y.tolist() == [9.0, 3.0, 4.0]
        if x.backend not in WINDOWS:
            assert unify.to_list(native) == [1.0, 2.0, 3.0]

    @each("way", range(7))
    @each("offset", [0, 1])
    def test_a_write_to_the_source(
        self, xp: ModuleType, other: ModuleType, way: int, offset: int
    ) -> None:
        x = xp.asarray(aligned(100, offset))
        y = self.ways(other)[way](x)
        native = y.data
        np.asarray(x)[:] = 7.0
        x += 1.0
        x[0] = 9.0
        if y.backend not in WINDOWS:
            assert unify.to_list(native) == [0.0] * 100

    @pytest.mark.eager
    def test_an_own_array_of_an_immutable_one(self, xp: ModuleType) -> None:
        """The NumPy backend makes writable arrays from those of JAX and TensorFlow."""
        x = xp.asarray([1.0, 2.0])
        for y in (
            unify.to_backend(x, "numpy"),
            unify.numpy.from_dlpack(x.data),
            unify.numpy.asarray(x.data),
            unify.numpy.asarray(x),
        ):
            assert y.data.flags.writeable
        assert np.shares_memory(unify.numpy.from_dlpack(x, copy=False).data, x.to_numpy())

    def test_copy_true_never_shares(self, xp: ModuleType) -> None:
        values = aligned(4)
        for given in (values, Exporter(values), Exporter(values, old=True), values[::-1]):
            for y in (xp.asarray(given, copy=True), xp.array(given)):
                assert not np.shares_memory(y.to_numpy(), values)
            if hasattr(given, "__dlpack__"):
                y = xp.from_dlpack(given, copy=True)
                assert not np.shares_memory(y.to_numpy(), values)

    def test_copy_false_shares_or_raises(self, xp: ModuleType) -> None:
        for values in (aligned(4), aligned(4)[::-1], aligned(4)[::2], np.broadcast_to(1.0, (4,))):
            for make in (xp.asarray, xp.from_dlpack):
                made = shared_or_refused(make, values)
                if isinstance(made, str):
                    assert made.startswith(f"{make.__name__}: ")
                else:
                    assert np.shares_memory(made.to_numpy(), values)

    @pytest.mark.slow_on("torch", "tensorflow", "jax", "dask")
    def test_negative_strides_do_not_end_the_process(self, xp: ModuleType) -> None:
        """PyTorch aborts on such a capsule, so this runs in another process."""
        calls = (
            "unify.to_backend(unify.flip(unify.arange(5)), name)",
            "unify.to_backend(unify.arange(5)[::-1], name)",
            "xp.from_dlpack(unify.arange(5)[::-1])",
            "xp.from_dlpack(unify.arange(5)[::-1], copy=True)",
            "xp.from_dlpack(numpy.arange(5)[::-1])",
            "xp.from_dlpack(Exporter(numpy.arange(5)[::-1]))",
            "xp.from_dlpack(Exporter(numpy.arange(5)[::-1], old=True), copy=True)",
            "xp.asarray(numpy.arange(5)[::-1])",
        )
        program = (
            "import numpy\nimport arrayapi_unify as unify\n"
            "from arrayapi_unify.binding import namespace_of\n"
            "from tests.array_object.test_interop import Exporter\n"
            f"name = {xp.ones(1).backend!r}\nxp = namespace_of(name)\n"
        )
        program += "".join(f"print(({call}).tolist(), flush=True)\n" for call in calls)
        done = subprocess.run(
            [sys.executable, "-c", program], check=False, capture_output=True, text=True
        )
        assert done.stdout.splitlines() == ["[4, 3, 2, 1, 0]"] * len(calls), done.stderr
        assert done.returncode == 0


class TestOwnMemory:
    MAKERS = (
        copy.copy,
        copy.deepcopy,
        lambda x: pickle.loads(pickle.dumps(x, pickle.HIGHEST_PROTOCOL)),
        lambda x: copy.deepcopy([x])[0],
    )

    @pytest.mark.parametrize("make", MAKERS)
    def test_copies_share_with_nobody(self, xp: ModuleType, make: Any) -> None:
        x = xp.asarray([1.0, 2.0])
        for source in (x, x[:1], x[::-1], xp.broadcast_to(x, (2, 2)), xp.reshape(x, (2, 1))):
            y = make(source)
            before = source.tolist()
            assert y.tolist() == before
            assert not np.shares_memory(y.to_numpy(), source.to_numpy())
            y[...] = 7.0
            assert source.tolist() == before

    @pytest.mark.eager
    def test_pickles_with_their_buffers_apart(self, xp: ModuleType) -> None:
        buffers: list[Any] = []
        x = xp.asarray(np.arange(5.0))
        text = pickle.dumps(x, 5, buffer_callback=buffers.append)
        memory = [bytearray(buffer) for buffer in buffers]
        y = pickle.loads(text, buffers=memory)
        for part in memory:
            part[:] = bytes(len(part))
        y[0] = 8.0
        assert y.tolist() == [8.0, 1.0, 2.0, 3.0, 4.0]


ASSERTIONS = {
    "assert_array_equal": 9.0, "assert_allclose": 9.0, "assert_array_almost_equal": 9.0,
    "assert_array_less": -9.0, "assert_array_max_ulp": 9.0,
}  # fmt: skip


class TestNumpysAssertions:
    @pytest.mark.parametrize("name", ASSERTIONS)
    def test_of_arrays(self, xp: ModuleType, name: str) -> None:
        """They pass and fail as for NumPy's arrays, and the message names the element."""
        check = getattr(np.testing, name)
        x, more = xp.asarray([1.0, 2.0, 3.0]), 1.0 if name == "assert_array_less" else 0.0
        wrong = xp.asarray([1.0 + more, 2.0 + more, ASSERTIONS[name]])
        for convert in (np.asarray, xp.asarray):
            check(x, convert(np.asarray(x + more)))
            with pytest.raises(AssertionError) as expected:
                check(np.asarray(x), np.asarray(wrong))
            with pytest.raises(AssertionError) as found:
                check(x, convert(np.asarray(wrong)))
            assert str(found.value).splitlines()[:4] == str(expected.value).splitlines()[:4]

    @pytest.mark.parametrize("check", [np.testing.assert_equal, np.testing.assert_almost_equal])
    def test_those_that_ask_for_numpys_class(self, xp: ModuleType, check: Any) -> None:
        """docs/interop.md, "NumPy"."""
        x = xp.asarray([1.0, 2.0])
        with pytest.raises(ValueError, match="exactly one element"):
            check(x, x)
        check(np.asarray(x), x)
        with pytest.raises(AssertionError, match=r"Mismatched elements: 1 / 2"):
            check(np.asarray(x), xp.asarray([1.0, 3.0]))


class TestLayout:
    """Code that reads the layout of NumPy's arrays, as that of surfaces in matplotlib does."""

    def test_strides_are_those_of_the_array_that_numpy_gets(self, xp: ModuleType) -> None:
        x = xp.reshape(xp.arange(12.0), (3, 4))
        for part in (x, x[1:, ::2], x.T):
            rows = np.lib.stride_tricks.as_strided(part, (2, 2), part.strides[:2])
            assert np.array_equal(rows, np.asarray(part)[:2, :2])

    def test_results_of_broadcast_arrays_are_read_without_a_warning(self, xp: ModuleType) -> None:
        """NumPy warns where their flag is read, for a write that nothing does (FAULTS 7.5)."""

        class Holder:
            def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
                return np.broadcast_arrays(np.arange(3.0), np.zeros((2, 3)))[0]

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for given in (Holder(), Holder().__array__()):
                assert np.array_equal(np.asarray(xp.asarray(given)), [[0.0, 1.0, 2.0]] * 2)
