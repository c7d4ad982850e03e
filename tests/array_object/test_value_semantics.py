"""A write to one Array never changes another array, on mutable backends as on immutable ones."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify

Change = Callable[[unify.Array], None]


def _add(x: unify.Array) -> None:
    x += 10


def _add_array(x: unify.Array) -> None:
    x += x.__array_namespace__().ones(())


def _add_list(x: unify.Array) -> None:
    x += [10.0] * len(x)


def _power(x: unify.Array) -> None:
    x **= 2  # computed, not written by a ufunc


def _set_element(x: unify.Array) -> None:
    x[0] = 50


def _set_slice(x: unify.Array) -> None:
    x[:] = [50.0] * len(x)  # a list takes the slow path


def _set_mask(x: unify.Array) -> None:
    x[x > 0] = x.__array_namespace__().asarray(50.0)


def _set_item(x: unify.Array) -> None:
    unify.set_item(x, slice(None, None, -1), 50)


def _set_item_bound(x: unify.Array) -> None:
    x.__array_namespace__().set_item(x, 0, x[1] + 50)


def _method(x: unify.Array) -> None:
    x.set_item(0, 50)


CHANGES = (
    _add, _add_array, _add_list, _power, _set_element, _set_slice, _set_mask, _set_item,
    _set_item_bound, _method,
)  # fmt: skip
every_change = pytest.mark.parametrize("change", CHANGES, ids=lambda f: f.__name__[1:])

VIEWS: dict[str, Callable[[Any], Any]] = {
    "slice": lambda x: x[:],
    "reversed": lambda x: x[::-1],
    "part": lambda x: x[1:],
    "view of a view": lambda x: x[1:][1:],
    "new axis": lambda x: x[None],
    "flip": lambda x: x.flip(),
    "reshape": lambda x: x.reshape((4, 1)),
    "broadcast": lambda x: x.broadcast_to((2, 4)),
    "expand_dims": lambda x: x.expand_dims(0),
    "real": lambda x: x.real(),
    "asarray with a copy": lambda x: x.__array_namespace__().asarray(x, copy=True),
    "astype": lambda x: x.astype(x.dtype),
    "Array": unify.Array,
    "from_dlpack": lambda x: x.__array_namespace__().from_dlpack(x),
    "unstack": lambda x: x.unstack(),
    "meshgrid": lambda x: unify.meshgrid(x, x),
    "broadcast_arrays": lambda x: unify.broadcast_arrays(x, x),
    "iteration": list,
    "iteration backwards": lambda x: list(reversed(x)),
    "positive": lambda x: +x,
    "copy": copy.copy,
}
every_view = pytest.mark.parametrize("view", list(VIEWS))


def values(made: Any) -> Any:
    return [part.tolist() for part in made] if isinstance(made, list | tuple) else made.tolist()


class TestViews:
    @every_change
    @every_view
    def test_changing_the_array_leaves_the_view(
        self, either: ModuleType, view: str, change: Change
    ) -> None:
        x = either.asarray([1.0, 2.0, 3.0, 4.0])
        made = VIEWS[view](x)
        before = values(made)
        change(x)
        assert values(made) == before
        assert x.tolist() != [1.0, 2.0, 3.0, 4.0]

    @every_change
    @pytest.mark.parametrize(
        "view", ["slice", "reversed", "part", "view of a view", "flip", "Array"]
    )
    def test_changing_the_view_leaves_the_array(
        self, either: ModuleType, view: str, change: Change
    ) -> None:
        x = either.asarray([1.0, 2.0, 3.0, 4.0])
        made = VIEWS[view](x)
        change(made)
        assert x.tolist() == [1.0, 2.0, 3.0, 4.0]

    @every_change
    def test_two_views_of_an_array_that_is_gone(self, either: ModuleType, change: Change) -> None:
        x = either.asarray([1.0, 2.0, 3.0, 4.0])
        first, second = x[:2], x[1:]
        del x
        change(first)
        assert second.tolist() == [2.0, 3.0, 4.0]
        change(second)
        assert first.tolist() != [1.0, 2.0]

    @every_change
    def test_a_lone_view_of_an_array_that_is_gone(self, either: ModuleType, change: Change) -> None:
        x = either.asarray([1.0, 2.0, 3.0, 4.0])[1:3]
        change(x)
        assert x.tolist() != [2.0, 3.0]


class TestNativeArrays:
    @every_change
    def test_the_one_that_was_wrapped_stays(self, either: ModuleType, change: Change) -> None:
        native = either.asarray([1.0, 2.0]).data
        for wrap in (unify.Array, unify.asarray, either.asarray):
            change(wrap(native))
            assert unify.to_list(native) == [1.0, 2.0]

    @every_change
    def test_the_one_that_was_taken_out_stays(self, either: ModuleType, change: Change) -> None:
        x = either.asarray([1.0, 2.0])
        native, values_ = x.data, np.asarray(x)
        change(x)
        assert unify.to_list(native) == values_.tolist() == [1.0, 2.0]

    @every_change
    def test_a_view_taken_out_stays(self, either: ModuleType, change: Change) -> None:
        x = either.asarray([1.0, 2.0])
        native = x.data[::-1]
        exported = np.from_dlpack(np.asarray(x))
        change(x)
        assert unify.to_list(native) == [2.0, 1.0]
        assert exported.tolist() == [1.0, 2.0]

    @every_change
    def test_read_only_memory(self, change: Change) -> None:
        native = np.asarray([1.0, 2.0])
        native.flags.writeable = False
        x = unify.Array(native)
        change(x)
        assert x.tolist() != [1.0, 2.0] == native.tolist()

    @every_change
    def test_memory_of_a_buffer(self, change: Change) -> None:
        buffer = bytearray(np.asarray([1.0, 2.0]).tobytes())
        x = unify.Array(np.frombuffer(buffer))
        change(x)
        assert np.frombuffer(buffer).tolist() == [1.0, 2.0]


class TestNames:
    @every_change
    def test_every_name_of_one_array_sees_the_write(
        self, either: ModuleType, change: Change
    ) -> None:
        """Behaviour 45."""
        x = alias = either.asarray([1.0, 2.0])
        holder = {"x": x}
        change(x)
        assert alias.tolist() == holder["x"].tolist() != [1.0, 2.0]

    @every_change
    def test_other_references_do_not_hinder_it(self, either: ModuleType, change: Change) -> None:
        x = either.asarray([1.0, 2.0])
        references = [x] * 5
        count = sys.getrefcount(x)
        change(x)
        assert sys.getrefcount(x) == count
        assert all(r.tolist() == x.tolist() for r in references)


class TestPassingThrough:
    """Where there is nothing to do, the result is the same Array, under one more name."""

    CALLS = (
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
        """Behaviour 49."""

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


class TestMemory:
    def test_an_array_that_nobody_shares_is_changed_in_place(self) -> None:
        """On NumPy the same memory is written: no copy where nobody could tell."""
        x = unify.asarray([1.0, 2.0, 3.0])
        address = x.data.ctypes.data
        x += 1
        x += x
        x **= 2
        x[0] = 5
        x[x > 10] = 0
        x[1:] = [7.0, 8.0]
        unify.set_item(x, 0, 6)
        assert x.data.ctypes.data == address
        assert x.tolist() == [6.0, 7.0, 8.0]

    def test_out_is_written_into_its_buffer(self) -> None:
        """Behaviour 8."""
        native = np.zeros(2)
        out = unify.Array(native)
        x = unify.asarray([1.0, 2.0])
        for function in (unify.square, unify.sort, unify.exp):
            assert function(x, out=out) is out
            assert out.data is native
            assert native.tolist() == function(x).tolist()
