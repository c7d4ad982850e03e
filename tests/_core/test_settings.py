"""B50: settings of the process, context managers of a thread or task, on each backend."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify._core.settings import Change, FirstChange, Setting
from arrayapi_unify.backends import handler
from arrayapi_unify.devices import preferred_device
from arrayapi_unify.errors import UnifyTypeError
from tests.installed import INSTALLED


@pytest.fixture(params=INSTALLED)
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of each backend; afterwards none is set."""
    yield request.param
    while handler.pop():
        pass


def other_than(name: str) -> str:
    return "numpy" if name != "numpy" else "torch"


def in_a_thread(function: Callable[[], Any]) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def made() -> str:
    return unify.ones(1).backend


class TestProcess:
    """B50: settings apply to the whole process."""

    def test_a_backend_is_seen_in_other_threads_and_tasks(self, name: str) -> None:
        async def task() -> str:
            return made()

        unify.set_backend(name)
        assert in_a_thread(made) == asyncio.run(task()) == made() == name
        in_a_thread(unify.unset_backend)
        assert made() == "numpy"
        in_a_thread(lambda: unify.set_backend(name))
        assert made() == name

    def test_a_thread_that_runs_already_sees_it(self, name: str) -> None:
        begun, changed = threading.Event(), threading.Event()
        seen: list[str] = []

        def other() -> None:
            seen.append(made())
            begun.set()
            changed.wait(120)  # a framework is imported meanwhile
            seen.append(made())

        thread = threading.Thread(target=other)
        thread.start()
        assert begun.wait(120)
        unify.set_backend(name)
        changed.set()
        thread.join()
        assert seen == ["numpy", name]

    @pytest.mark.parametrize(
        ("setter", "value", "reads"),
        [
            ("set_default_dtype", "float32", lambda: unify.ones(1).dtype.name),
            ("set_default_float_dtype", "float32", lambda: unify.asarray(1.5).dtype.name),
            ("set_default_int_dtype", "int32", lambda: unify.asarray([1]).dtype.name),
            ("set_default_complex_dtype", "complex64", lambda: unify.asarray(1j).dtype.name),
            ("set_default_device", "cpu", lambda: unify.default_device().name),
        ],
    )
    def test_the_defaults(
        self, name: str, setter: str, value: str, reads: Callable[[], str]
    ) -> None:
        unify.set_backend(name)
        before = reads()
        change = in_a_thread(lambda: getattr(unify, setter)(value))
        assert in_a_thread(reads) == reads() == value
        change.undo()
        assert in_a_thread(reads) == reads() == before


class TestBlocks:
    """B50: a context manager applies to the thread or task, and takes precedence."""

    def test_a_backend(self, name: str) -> None:
        unify.set_backend(other_than(name))
        with unify.use_backend(name):
            assert made() == name
            assert in_a_thread(made) == other_than(name)
            in_a_thread(lambda: unify.set_backend(other_than(name)))
            assert made() == name
        assert made() == other_than(name)

    def test_a_data_type(self, name: str) -> None:
        def kind() -> str:
            return unify.ones(1).dtype.name

        unify.set_backend(name)
        with unify.default_dtype("float32") as chosen:
            assert chosen is unify.float32
            assert (kind(), in_a_thread(kind)) == ("float32", "float64")
            in_a_thread(lambda: unify.set_default_dtype("float64"))
            assert kind() == "float32"
        assert kind() == "float64"

    def test_a_device(self, name: str) -> None:
        with unify.use_backend(name), unify.default_device("cpu") as chosen:
            assert chosen is unify.default_device() is unify.ones(1).device

    @pytest.mark.parametrize(
        ("setter", "value", "block"),
        [
            ("set_default_dtype", "float32", "default_dtype"),
            ("set_default_float_dtype", "float32", "default_dtype"),
            ("set_default_int_dtype", "int32", "default_dtype"),
            ("set_default_complex_dtype", "complex64", "default_dtype"),
            ("set_default_device", "cpu", "default_device"),
        ],
    )
    def test_what_is_set_for_the_process_is_no_block(
        self, setter: str, value: str, block: str
    ) -> None:
        """Other threads would use it until the block begins."""
        defaults = dtypes.default_float, dtypes.default_int, dtypes.default_complex
        before = [f() for f in defaults], preferred_device.process
        message = rf"{setter} sets .*no block; write: with unify\.{block}\('{value}'\):"
        with pytest.raises(UnifyTypeError, match=message), getattr(unify, setter)(value):
            pass
        assert ([f() for f in defaults], preferred_device.process) == before

    def test_the_process_keeps_only_what_somebody_can_come_back_to(self) -> None:
        setting = Setting("colour", "red")
        for colour in ("blue", "green", "red"):
            Change(setting, colour, "set_colour", "colour")
        assert setting.process == ("red",)

    def test_tasks(self, name: str) -> None:
        async def task(backend: str, turns: int) -> list[str]:
            seen = []
            with unify.use_backend(backend):
                for _ in range(turns):
                    await asyncio.sleep(0)
                    seen.append(made())
            return seen

        async def main() -> list[list[str]]:
            return await asyncio.gather(task(name, 3), task(other_than(name), 3), task(name, 2))

        assert asyncio.run(main()) == [[name] * 3, [other_than(name)] * 3, [name] * 2]
        assert handler.active_backend() is None

    def test_a_task_begun_within_keeps_it(self, name: str) -> None:
        async def task() -> str:
            await asyncio.sleep(0)
            return made()

        async def main() -> str:
            with unify.use_backend(name):
                begun = asyncio.create_task(task())
            assert handler.active_backend() is None
            return await begun

        assert asyncio.run(main()) == name


def _blocks(name: str) -> list[tuple[Callable[[], AbstractContextManager[Any]], Callable[[], Any]]]:
    return [
        (lambda: unify.use_backend(name), handler.active_backend),
        (lambda: unify.default_dtype("float32"), unify.default_float_dtype),
        (lambda: unify.default_device("cpu"), preferred_device.get),
    ]


class TestAroundYield:
    """B50: generators whose blocks end in any order."""

    @pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (0, 2, 1)])
    @pytest.mark.parametrize("case", range(3))
    def test_exits_interleave(self, name: str, case: int, order: tuple[int, ...]) -> None:
        block, reads = _blocks(name)[case]
        before = reads()

        def body() -> Iterator[None]:
            with block():
                yield

        generators = [body() for _ in order]
        for generator in generators:
            next(generator)
        for i in order:
            assert next(generators[i], "over") == "over"
        assert reads() == before

    def test_what_holds_while_they_interleave(self, name: str) -> None:
        def body(backend: str) -> Iterator[None]:
            with unify.use_backend(backend):
                yield

        first, second = body(other_than(name)), body(name)
        next(first)
        next(second)
        first.close()
        assert made() == name
        second.close()
        assert handler.active_backend() is None
        first, second = body(name), body(other_than(name))
        next(first)
        next(second)
        second.close()
        assert made() == name
        first.close()
        assert handler.active_backend() is None

    def test_the_users_exception_comes_through(self, name: str) -> None:
        def body() -> Iterator[None]:
            with unify.use_backend(name):
                yield

        first, second = body(), body()
        next(first)
        next(second)
        with pytest.raises(KeyError, match="mine"):
            first.throw(KeyError("mine"))
        second.close()
        assert handler.active_backend() is None

    def test_one_object_left_more_often_than_entered(self, name: str) -> None:
        block = unify.use_backend(name)
        with block:
            pass
        block.__exit__(None, None, None)
        assert handler.active_backend() is None

    def test_entered_here_and_closed_in_another_thread(self, name: str) -> None:
        def body() -> Iterator[None]:
            with unify.use_backend(name):
                yield

        first, second = body(), body()
        next(first)
        next(second)
        in_a_thread(first.close)
        assert made() == name
        in_a_thread(second.close)
        assert (handler.active_backend(), made()) == (None, "numpy")
        with unify.use_backend(name):
            assert made() == name
        assert handler.active_backend() is None

    def test_entered_here_and_closed_in_another_context(self, name: str) -> None:
        def body() -> Iterator[None]:
            with unify.use_backend(name):
                yield

        generator = body()
        contextvars.Context().run(next, generator)
        generator.close()
        assert handler.active_backend() is None

    def test_an_async_generator_that_the_event_loop_closes(self, name: str) -> None:
        async def body() -> AsyncIterator[int]:
            with unify.use_backend(name):
                yield 1
                yield 2

        async def main() -> str | None:
            async for _ in body():
                break
            for _ in range(5):
                await asyncio.sleep(0)
            return handler.active_backend()

        assert asyncio.run(main()) is None


class TestDecorator:
    """B50: a decorated function of any kind has the backend set while it runs."""

    def test_generator(self, name: str) -> None:
        @unify.use_backend(name)
        def body(first: int) -> Iterator[Any]:
            """Yield backends."""
            sent = yield made(), first
            try:
                yield made(), sent
            except KeyError:
                with unify.use_backend(other_than(name)):
                    yield made()
                    yield made()
            return made()

        assert inspect.isgeneratorfunction(body)
        assert (body.__name__, body.__doc__) == ("body", "Yield backends.")
        generator: Any = body(7)
        assert next(generator) == (name, 7)
        assert handler.active_backend() is None
        with unify.use_backend(other_than(name)):
            assert generator.send("sent") == (name, "sent")
            assert made() == other_than(name)
        assert generator.throw(KeyError()) == other_than(name)
        assert handler.active_backend() is None
        assert next(generator) == other_than(name)
        with pytest.raises(StopIteration) as ended:
            next(generator)
        assert ended.value.value == name

    def test_a_generator_that_is_closed(self, name: str) -> None:
        seen: list[str | None] = []

        @unify.use_backend(name)
        def body() -> Iterator[None]:
            try:
                yield
            finally:
                seen.append(handler.active_backend())

        generator = body()
        next(generator)
        generator.close()  # type: ignore[attr-defined]  # a generator, declared as an iterator
        assert seen == [name]
        assert handler.active_backend() is None

    def test_coroutine(self, name: str) -> None:
        @unify.use_backend(name)
        async def body() -> str:
            await asyncio.sleep(0)
            return made()

        async def main() -> list[str]:
            return [*await asyncio.gather(body(), body()), made()]

        assert inspect.iscoroutinefunction(body)
        assert asyncio.run(main()) == [name, name, "numpy"]

    def test_coroutines_that_somebody_steps_by_hand(self, name: str) -> None:
        class Pause:
            def __await__(self) -> Iterator[None]:
                yield

        @unify.use_backend(name)
        async def body() -> str:
            await Pause()
            return made()

        first, second = body(), body()
        assert first.send(None) is second.send(None) is None
        assert handler.active_backend() is None
        for coroutine in (first, second):
            with pytest.raises(StopIteration) as ended:
                coroutine.send(None)
            assert ended.value.value == name

    def test_async_generator(self, name: str) -> None:
        @unify.use_backend(name)
        async def body() -> AsyncIterator[Any]:
            sent = yield made()
            await asyncio.sleep(0)
            try:
                yield made(), sent
            except KeyError:
                yield "caught", made()

        async def main() -> None:
            generator: Any = body()
            assert await anext(generator) == name
            assert handler.active_backend() is None
            assert await generator.asend(5) == (name, 5)
            assert await generator.athrow(KeyError()) == ("caught", name)
            assert [item async for item in generator] == []
            assert [item async for item in body()] == [name, (name, None)]
            closed: Any = body()
            await anext(closed)
            await closed.aclose()
            assert handler.active_backend() is None

        assert inspect.isasyncgenfunction(body)
        asyncio.run(main())

    def test_exceptions_and_cancellation(self, name: str) -> None:
        @unify.use_backend(name)
        async def body() -> None:
            await asyncio.sleep(10)

        @unify.use_backend(name)
        def failing() -> Iterator[None]:
            yield
            raise KeyError("mine")

        async def main() -> None:
            task = asyncio.create_task(body())
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(main())
        with pytest.raises(KeyError, match="mine"):
            list(failing())
        assert handler.active_backend() is None


def test_bound_namespaces_follow_the_block(xp: ModuleType) -> None:
    """B50: settings."""
    with unify.default_dtype(xp.float32):
        assert xp.ones(1).dtype is xp.float32


CREATED = """
import arrayapi_unify as unify
xp = unify.get_backend("{}")
def created():
    made = xp.arange(3), xp.zeros((2,)), xp.ones((2,)), xp.empty((2,))
    print(*[x.dtype for x in made], flush=True)
created()
with unify.default_dtype("int32"):
    created()
with unify.default_dtype("float32"):
    created()
created()
"""
PLACED = """
import torch
import arrayapi_unify as unify
from arrayapi_unify.torch import arange, zeros
torch.set_default_device("meta")
print(zeros((2,)).data.device, arange(2).data.device)
with unify.default_device("cpu"):
    print(zeros((2,)).data.device, arange(2).data.device)
"""


def printed(code: str) -> list[str]:
    """Run code in a process in which no default has changed before."""
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


class TestFirstChange:
    """The library's own functions create arrays until a default changes."""

    @pytest.mark.parametrize("backend", ["numpy", "torch"])
    def test_arrays_that_are_created_have_the_data_type_of_the_block(self, backend: str) -> None:
        usual = "int64" + " float64" * 3
        changed = ["int32" + " float64" * 3, "int64" + " float32" * 3]
        assert printed(CREATED.format(backend)) == [usual, *changed, usual]

    def test_arrays_that_are_created_are_on_the_device_of_the_block(self) -> None:
        assert printed(PLACED) == ["meta meta", "cpu cpu"]

    def test_functions_are_called_once_before_the_value_holds(self) -> None:
        first, seen = FirstChange(), list[str]()
        setting = Setting("colour", "red", first, "pink")
        first.call(lambda: seen.append(setting.get()))
        setting.enter("pink", "me")
        assert seen == []
        for colour in ("blue", "green"):
            setting.enter(colour, "me")
        assert seen == ["pink"]
        first.call(lambda: seen.append("late"))
        assert seen == ["pink", "late"]
