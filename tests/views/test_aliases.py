"""The reach of a write: names of one Array, `out=`, native arrays, threads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.views.test_view_semantics import Change, every_change

# Libraries with views; the arrays of the others are immutable.
SHARING = ("numpy", "torch")


class TestNames:
    @every_change
    def test_every_name_of_one_array_sees_the_write(self, xp: ModuleType, change: Change) -> None:
        """B45: indexing."""
        x = alias = xp.asarray([1.0, 5.0])
        holder = {"x": x}
        change(x)
        assert alias.tolist() == holder["x"].tolist() != [1.0, 5.0]

    @every_change
    def test_other_references_do_not_hinder_it(self, xp: ModuleType, change: Change) -> None:
        x = xp.asarray([1.0, 5.0])
        references = [x] * 5
        count = sys.getrefcount(x)
        change(x)
        assert sys.getrefcount(x) == count
        assert all(r.tolist() == x.tolist() for r in references)


class TestPassingThrough:
    """Conversions without a change return the same Array object."""

    CALLS: tuple[Callable[[Any, Any], Any], ...] = (
        lambda xp, x: xp.asarray(x),
        lambda xp, x: xp.asarray(x, copy=False),
        lambda xp, x: xp.asarray(x, dtype=x.dtype, device=x.device),
        lambda xp, x: xp.array(x, copy=None),
        lambda xp, x: xp.astype(x, x.dtype, copy=False),
        lambda xp, x: xp.to_device(x, x.device),
    )

    @pytest.mark.parametrize("call", CALLS)
    def test_same_array(self, xp: ModuleType, call: Any) -> None:
        x = xp.asarray([1.0, 2.0])
        for namespace in (xp, unify):
            assert call(namespace, x) is x
            with unify.use_backend(x.backend):
                assert call(namespace, x) is x

    def test_methods(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        assert x.asarray() is x
        assert x.astype(x.dtype, copy=False) is x
        assert x.to_device(x.device) is x

    def test_a_subclass_gives_a_plain_array(self, xp: ModuleType) -> None:
        """B49: subclasses."""

        class Mine(unify.Array):
            """A user's subclass."""

        x = Mine(xp.asarray([1.0, 2.0]))
        for call in self.CALLS:
            for namespace in (xp, unify):
                assert type(call(namespace, x)) is type(xp.ones(1))

    def test_into_out_is_out(self, xp: ModuleType) -> None:
        x, out = xp.asarray([1.0, 2.0]), xp.zeros(2)
        assert xp.astype(x, x.dtype, copy=False, out=out) is out
        assert xp.to_device(x, x.device, out=out) is out
        out[0] = 5
        assert x.tolist() == [1.0, 2.0]


class TestOut:
    FUNCTIONS: tuple[tuple[str, int], ...] = (
        ("add", 2), ("multiply", 2), ("exp", 1), ("sort", 1), ("flip", 1), ("square", 1),
        ("cumulative_sum", 1),
    )  # fmt: skip

    @pytest.mark.parametrize(("name", "operands"), FUNCTIONS)
    def test_a_view_as_out(self, xp: ModuleType, name: str, operands: int) -> None:
        x, y = xp.zeros((2, 3)), xp.asarray([2.0, 0.0, 1.0])
        row = x[1]
        assert getattr(xp, name)(*[y] * operands, out=row) is row
        wanted = getattr(np, name)(*[np.asarray([2.0, 0.0, 1.0])] * operands)
        np.testing.assert_allclose(np.asarray(x), [[0.0] * 3, wanted], rtol=1e-14)
        assert row.tolist() == x[1, :].tolist()

    @pytest.mark.parametrize(("name", "operands"), FUNCTIONS)
    def test_an_operand_that_overlaps(self, xp: ModuleType, name: str, operands: int) -> None:
        values = np.asarray([2.0, 0.0, 1.0, 3.0])
        x = xp.asarray(values, copy=True)
        getattr(xp, name)(*[x[:0:-1]] * operands, out=x[:3])
        wanted = getattr(np, name)(*[values[:0:-1]] * operands)
        np.testing.assert_allclose(np.asarray(x), [*wanted, 3.0], rtol=1e-14)

    def test_it_is_written_into_its_buffer(self) -> None:
        """B8: native out."""
        native = np.zeros(2)
        out = unify.Array(native)
        x = unify.asarray([1.0, 2.0])
        for function in (unify.square, unify.sort, unify.exp):
            assert function(x, out=out) is out
            assert out.data is native
            assert native.tolist() == function(x).tolist()


class TestNativeArrays:
    """Native memory is shared if a library has views; other native arrays are immutable."""

    WRAP: tuple[Callable[[ModuleType, Any], Any], ...] = (
        lambda xp, native: unify.Array(native),
        lambda xp, native: unify.asarray(native),
        lambda xp, native: xp.asarray(native),
    )

    @every_change
    @pytest.mark.parametrize("wrap", range(len(WRAP)))
    def test_the_one_that_was_wrapped(self, xp: ModuleType, wrap: int, change: Change) -> None:
        native = xp.asarray([1.0, 5.0]).data
        x = self.WRAP[wrap](xp, native)
        change(x)
        assert x.tolist() != [1.0, 5.0]
        shared = x.backend in SHARING
        assert unify.to_list(native) == (x.tolist() if shared else [1.0, 5.0])

    @every_change
    def test_the_one_that_was_taken_out(self, xp: ModuleType, change: Change) -> None:
        x = xp.asarray([1.0, 5.0])
        native = x.data
        change(x[:])
        assert unify.to_list(native) == (x.tolist() if x.backend in SHARING else [1.0, 5.0])
        assert unify.to_list(x.data) == x.tolist() != [1.0, 5.0]

    def test_native_writes_are_seen(self, xp: ModuleType) -> None:
        x = xp.zeros((2, 2))
        if x.backend in SHARING:
            view, native = x[1], x.data
            native[1, 0] = 5.0
            assert (x[1, 0].item(), view[0].item()) == (5.0, 5.0)

    def test_the_native_array_of_a_view(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        view = x[::-1]
        x[0] = 5.0
        assert unify.to_list(view.data) == [3.0, 2.0, 5.0]
        view += 1
        assert unify.to_list(x.data) == [6.0, 3.0, 4.0]

    def test_asarray_of_a_numpy_array(self) -> None:
        native = np.asarray([1.0, 2.0])
        x = unify.asarray(native)
        x += 1
        native[1] = 7.0
        assert native.tolist() == x.tolist() == [2.0, 7.0]

    @every_change
    def test_read_only_memory_refuses(self, change: Change) -> None:
        native = np.asarray([1.0, 5.0])
        native.flags.writeable = False
        x = unify.Array(native)
        with pytest.raises(ValueError, match="copy"):
            change(x)
        assert x.tolist() == native.tolist() == [1.0, 5.0]

    @every_change
    def test_memory_of_a_buffer(self, change: Change) -> None:
        buffer = bytearray(np.asarray([1.0, 5.0]).tobytes())
        x = unify.Array(np.frombuffer(buffer))
        change(x)
        assert np.frombuffer(buffer).tolist() == x.tolist() != [1.0, 5.0]

    def test_the_same_memory_stays(self) -> None:
        x = unify.asarray([1.0, 2.0, 3.0])
        address = x.data.ctypes.data
        view = x[::-1]
        x += 1
        x **= 2
        x[x > 10] = 0
        view[1:] = [7.0, 8.0]
        unify.set_item(x, 2, 6)
        assert x.data.ctypes.data == address
        assert x.tolist() == [8.0, 7.0, 6.0]


@pytest.mark.slow_on("dask")
def test_threads_write_to_arrays_of_their_own(xp: ModuleType) -> None:
    failures: list[str] = []

    def work(offset: int) -> None:
        x = xp.zeros((4, 3))
        views = [x[1:], x.T, x[::-1], xp.reshape(x, (-1,))]
        for step in range(10):
            for view in views:
                view += offset
                view[0] = step
        twin = np.zeros((4, 3))
        twins = [twin[1:], twin.T, twin[::-1], twin.reshape(-1)]
        for step in range(10):
            for view in twins:
                view += offset
                view[0] = step
        if x.tolist() != twin.tolist():
            failures.append(f"{offset}: {x.tolist()}")

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
