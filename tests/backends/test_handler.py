"""The backend handler: the stack of set backends, inference, and the log of choices."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.backends import handler
from arrayapi_unify.errors import BackendError, UnifyValueError
from tests.conftest import Logged


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    """Start and end each test without a set backend and without logging."""
    yield
    handler.set_verbosity(0)
    while handler.pop():
        pass


class TestStack:
    """B20: choice of a backend."""

    def test_starts_empty(self) -> None:
        assert handler.active_backend() is None
        assert unify.current_backend_str() == "numpy"
        assert unify.current_backend() is unify.get_backend("numpy")

    def test_the_last_one_set_is_active(self, frozen: ModuleType) -> None:
        assert unify.set_backend("numpy") is unify.get_backend("numpy")
        assert unify.set_backend("frozen") is frozen
        assert unify.current_backend_str() == "frozen"
        assert unify.ones(1).backend == "frozen"

    def test_previous_backend_returns_the_active_one(self, frozen: ModuleType) -> None:
        unify.set_backend("numpy")
        unify.set_backend("frozen")
        assert unify.previous_backend() is frozen
        assert unify.current_backend_str() == "numpy"
        assert unify.previous_backend() is unify.get_backend("numpy")
        assert unify.previous_backend() is None
        assert handler.active_backend() is None

    def test_unset_backend(self, frozen: ModuleType) -> None:
        unify.unset_backend()
        assert handler.active_backend() is None
        unify.set_backend("frozen")
        unify.unset_backend()
        assert unify.ones(1).backend == "numpy"

    @pytest.mark.parametrize("function", ["set_backend", "get_backend"])
    def test_unknown_name_lists_the_known_ones_and_changes_nothing(self, function: str) -> None:
        unify.set_backend("numpy")
        with pytest.raises(UnifyValueError, match=r"'nope'.*numpy"):
            getattr(unify, function)("nope")
        assert handler.stack() == ("numpy",)

    def test_get_backend_touches_nothing(self, frozen: ModuleType) -> None:
        assert unify.get_backend("frozen") is frozen
        assert unify.get_backend() is unify.get_backend("numpy")
        assert handler.active_backend() is None
        assert handler.ever_set == []
        with unify.use_backend("frozen"):
            assert unify.get_backend() is frozen


class TestChoice:
    """B20 and B22: explicit beats inferred beats NumPy."""

    def test_numpy_without_an_array(self) -> None:
        assert unify.ones(1).backend == "numpy"
        assert isinstance(unify.to_native(unify.array([1, 2, 3])), np.ndarray)

    def test_the_arrays_without_a_set_backend(self, frozen: ModuleType) -> None:
        x = frozen.asarray([23, 42, -1])
        assert unify.sin(x).backend == unify.sin(x.data).backend == "frozen"
        assert type(unify.to_native(unify.sum(x.data))) is type(x.data)
        assert unify.add(2, x).backend == "frozen"

    def test_an_inferred_choice_is_not_remembered(self, frozen: ModuleType) -> None:
        unify.sin(frozen.ones(1))
        assert handler.active_backend() is None
        assert unify.ones(1).backend == "numpy"

    def test_explicit_beats_inferred(self, frozen: ModuleType) -> None:
        x, y = unify.ones(1), frozen.ones(1)
        with unify.use_backend("frozen"):
            assert unify.sin(y).backend == unify.sin(y.data).backend == "frozen"
            assert unify.current_backend_str(x) == "frozen"
            for call in (
                lambda: unify.sin(x),
                lambda: unify.sin(x.data),
                lambda: unify.concat([x]),
                lambda: unify.add(2, x),
                lambda: unify.meshgrid(x),
                lambda: unify.clip(2, max=x),  # type: ignore[arg-type]
            ):
                with pytest.raises(BackendError) as caught:
                    call()
                for part in ("numpy backend", "frozen backend", "which is set", "; move it first"):
                    assert part in str(caught.value)

    def test_asarray_moves_to_the_explicit_one(self, frozen: ModuleType) -> None:
        """B22: native arrays."""
        x = unify.asarray([1.0])
        with unify.use_backend("frozen"):
            for data in (x, x.data, [x[0], 2], [1, 2], 3, (1.5,)):
                assert unify.asarray(data).backend == "frozen"
                assert unify.array(data).backend == "frozen"
            assert type(unify.to_native(unify.array([1, 2]))) is type(frozen.ones(1).data)

    @pytest.mark.parametrize("subclass", [False, True])
    @pytest.mark.parametrize("set_to", ["numpy", "frozen"])
    def test_operators_methods_and_namespaces_ignore_it(
        self, frozen: ModuleType, set_to: str, subclass: bool
    ) -> None:
        class Mine(unify.Array):
            """A user's subclass."""

        plain = [unify.ones(2), frozen.ones(2)]
        arrays: list[Any] = [Mine(x) for x in plain] if subclass else plain
        with unify.use_backend(set_to):
            for x in arrays:
                name = x.backend
                assert (x + 1).backend == (1 - x).backend == (-x).backend == name
                assert (x + x).backend == x[0].backend == (x == 1).backend == name
                assert x.sin().backend == x.sum(axis=0).backend == name
                assert x.__array_namespace__().zeros(1).backend == name
                assert float(x[1]) == 1.0
                assert repr(x).startswith("unify.array(")
                x += 1
                x[0] = 5
                assert x.tolist() == [5.0, 2.0]

    def test_inference_looks_into_lists_dicts_and_keywords(self, frozen: ModuleType) -> None:
        x = frozen.ones(1)
        assert unify.concat([x.data]).backend == "frozen"
        assert unify.asarray([[x[0], 2]]).backend == "frozen"
        assert unify.clip([2.0], max=x).backend == "frozen"  # type: ignore[arg-type]
        assert unify.full((2,), x[0]).backend == "frozen"
        assert unify.current_backend_str([1, {"a": (x,)}]) == "frozen"
        assert unify.current_backend([x]) is frozen

    def test_out_chooses_where_nothing_else_does(self, frozen: ModuleType) -> None:
        x = frozen.ones(1)
        assert unify.zeros(1, out=x) is x
        assert unify.linspace(0.0, 1.0, 1, out=x) is x
        assert x.tolist() == [0.0]

    def test_current_backend_takes_keywords(self, frozen: ModuleType) -> None:
        assert unify.current_backend_str(x=frozen.ones(1)) == "frozen"  # type: ignore[call-arg]
        assert unify.current_backend(1, y=[frozen.ones(1)]) is frozen  # type: ignore[call-arg]

    def test_error_names_the_argument_that_chose(self, frozen: ModuleType) -> None:
        with pytest.raises(BackendError, match=r"'x2'.*frozen.*numpy backend"):
            unify.add(unify.ones(1), frozen.ones(1))
        pairs = [("x1", unify.ones(1)), ("x2", frozen.ones(1))]
        with pytest.raises(BackendError, match=r"'x2'.*frozen.*numpy backend, chosen by .*'x1'"):
            handler.choose("add", pairs)


class TestUseBackend:
    def test_block(self, frozen: ModuleType) -> None:
        with unify.use_backend("frozen") as namespace:
            assert namespace is frozen
            assert unify.ones(1).backend == "frozen"
            with unify.use_backend("numpy"):
                assert unify.ones(1).backend == "numpy"
            assert unify.ones(1).backend == "frozen"
        assert handler.active_backend() is None

    def test_exception_inside(self) -> None:
        with pytest.raises(KeyError), unify.use_backend("numpy"):
            raise KeyError
        assert handler.active_backend() is None

    def test_the_block_comes_before_what_is_set_within(self, frozen: ModuleType) -> None:
        """B50: settings."""
        with unify.use_backend("numpy"):
            unify.set_backend("frozen")
            assert unify.ones(1).backend == "numpy"
        assert unify.ones(1).backend == "frozen"
        with unify.use_backend("numpy"):
            unify.unset_backend()
            unify.unset_backend()
            assert handler.active_backend() == "numpy"
        assert handler.active_backend() is None

    def test_unknown_name(self) -> None:
        for name in ("nope", None, ["numpy"]):
            with pytest.raises(UnifyValueError, match=r"no backend; .*numpy"):
                unify.use_backend(name)  # type: ignore[arg-type]
        assert handler.active_backend() is None

    def test_decorator(self, frozen: ModuleType) -> None:
        @unify.use_backend("frozen")
        def make(size: int, *, value: float) -> unify.Array:
            """Make it."""
            return unify.full(size, value)

        assert make(2, value=1.5).backend == "frozen"
        assert make.__name__ == "make"
        assert make.__doc__ == "Make it."
        assert handler.active_backend() is None
        assert handler.ever_set == ["frozen"]

    def test_decorator_with_an_exception_and_recursion(self) -> None:
        @unify.use_backend("numpy")
        def down(depth: int) -> None:
            if not depth:
                raise KeyError
            down(depth - 1)

        with pytest.raises(KeyError):
            down(3)
        assert handler.active_backend() is None

    def test_async_decorator(self, frozen: ModuleType) -> None:
        @unify.use_backend("frozen")
        async def make() -> str:
            await asyncio.sleep(0)
            return unify.ones(1).backend

        async def main() -> list[str]:
            return [*await asyncio.gather(make(), make()), unify.ones(1).backend]

        assert asyncio.run(main()) == ["frozen", "frozen", "numpy"]

    def test_one_object_twice(self, frozen: ModuleType) -> None:
        block = unify.use_backend("frozen")
        with block:
            with block:
                assert handler.active_backend() == "frozen"
            assert handler.active_backend() == "frozen"
        assert handler.active_backend() is None
        with block:
            assert handler.active_backend() == "frozen"
        assert handler.active_backend() is None

    def test_one_object_in_two_threads(self) -> None:
        block = unify.use_backend("numpy")
        entered, leave = threading.Event(), threading.Event()
        left: list[str | None] = []

        def other() -> None:
            with block:
                entered.set()
                leave.wait(10)
                left.append(handler.active_backend())
            left.append(handler.active_backend())

        thread = threading.Thread(target=other)
        with block:
            thread.start()
            assert entered.wait(10)
        assert handler.active_backend() is None
        leave.set()
        thread.join()
        assert left == ["numpy", None]


class TestVerbosity:
    """B23: logging."""

    def test_silent_by_default(self, logged: Logged, frozen: ModuleType) -> None:
        logging.getLogger().setLevel(logging.DEBUG)
        with unify.use_backend("frozen"):
            unify.ones(1)
        unify.sin(unify.ones(1))
        assert logged.records == []

    def test_choices_without_a_set_backend(self, logged: Logged, frozen: ModuleType) -> None:
        x = frozen.ones(1)
        unify.set_verbosity(1)
        unify.ones(1)
        unify.sin(x)
        unify.sin(x)
        unify.add(2, x.data)
        assert logged.messages == [
            "ones runs on the numpy backend, the default, as no argument is an array and no "
            "backend is set",
            "sin runs on the frozen backend, chosen by argument 'x'",
            "sin runs on the frozen backend, chosen by argument 'x'",
            "add runs on the frozen backend, chosen by argument 'x2'",
        ]
        assert {(r.name, r.levelno) for r in logged.records} == {("arrayapi_unify", logging.INFO)}

    @pytest.mark.parametrize("function", ["ones", "asarray", "array", "sin"])
    def test_explicit_choices(self, logged: Logged, function: str) -> None:
        unify.set_verbosity(1)
        with unify.use_backend("numpy"):
            logged.records.clear()
            getattr(unify, function)([2])
            (record,) = logged.records
        assert record.getMessage() == f"{function} runs on the numpy backend, which is set"

    def test_changes_of_the_stack(self, logged: Logged) -> None:
        unify.set_verbosity(1)
        unify.set_backend("numpy")
        with unify.use_backend("numpy"):
            pass
        unify.unset_backend()
        unify.unset_backend()
        assert logged.messages == [
            "backend set to 'numpy'; stack: numpy",
            "backend 'numpy' set for a block",
            "the block of backend 'numpy' has ended",
            "backend 'numpy' unset; stack: empty",
        ]

    def test_the_fast_path_comes_back(self, logged: Logged, frozen: ModuleType) -> None:
        tables = {name: dict(getattr(unify, name).dispatch.functions) for name in ("add", "ones")}
        assert all(len(table) >= 4 for table in tables.values())
        unify.set_verbosity(1)
        assert unify.add.dispatch.functions == {}  # type: ignore[attr-defined]
        unify.set_verbosity(0)
        assert {name: getattr(unify, name).dispatch.functions for name in tables} == tables
        logged.records.clear()
        unify.add(unify.ones(1), 1)
        assert logged.records == []

    @pytest.mark.parametrize("level", [-1, 2, "1", None])
    def test_unknown_level(self, level: Any) -> None:
        with pytest.raises(UnifyValueError, match=r"set_verbosity.*0 \(silent\)"):
            unify.set_verbosity(level)

    def test_bound_namespaces_choose_nothing(self, logged: Logged) -> None:
        x = unify.get_backend("numpy").ones(1)
        unify.set_verbosity(1)
        x.__array_namespace__().sin(x) + x
        assert logged.records == []
