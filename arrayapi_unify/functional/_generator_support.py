"""Decorators of functions whose body runs in steps: generators, coroutines, async generators."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class CallScope:
    """The hooks around one call of a decorated function; these change nothing."""

    def arguments(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return what the function gets for the caller's arguments."""
        return args, kwargs

    def run(self, step: Callable[..., T], *given: Any) -> T:
        """Run the body until it waits for its caller."""
        return step(*given)

    def enter(self, value: Any) -> Any:
        """Return what the body gets for a value that the caller sends."""
        return value

    def leave(self, value: Any) -> Any:
        """Return what the caller gets for a value that the body yields or returns."""
        return value


class _Unchanged(CallScope):
    """A scope that runs steps without converting their values, which the event loop owns."""

    def __init__(self, scope: CallScope) -> None:
        self.run = scope.run  # type: ignore[method-assign]  # all the rest stays as it is


class _Awaitable:
    """A generator as something to await."""

    def __init__(self, body: Any, scope: CallScope) -> None:
        self._steps = steps(body, _Unchanged(scope))

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._steps


def steps(body: Any, scope: CallScope) -> Generator[Any, Any, Any]:
    """Run a generator, or the iterator of an awaitable, step by step."""
    step, given = body.send, None
    while True:
        try:
            item = scope.run(step, given)
        except StopIteration as end:
            return scope.leave(end.value)
        try:
            step, given = body.send, scope.enter((yield scope.leave(item)))
        except GeneratorExit:
            scope.run(body.close)
            raise
        except BaseException as error:  # it is the body's, whatever it is
            step, given = body.throw, error


def _generating(function: Callable[..., Any], begin: Callable[[], CallScope]) -> Callable[..., Any]:
    @functools.wraps(function)
    def generating(*args: Any, **kwargs: Any) -> Any:
        scope = begin()
        args, kwargs = scope.arguments(args, kwargs)
        return (yield from steps(function(*args, **kwargs), scope))

    return generating


def _awaiting(function: Callable[..., Any], begin: Callable[[], CallScope]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def awaiting(*args: Any, **kwargs: Any) -> Any:
        scope = begin()
        args, kwargs = scope.arguments(args, kwargs)
        return scope.leave(await _Awaitable(function(*args, **kwargs).__await__(), scope))

    return awaiting


def _yielding(function: Callable[..., Any], begin: Callable[[], CallScope]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def yielding(*args: Any, **kwargs: Any) -> Any:
        scope = begin()
        args, kwargs = scope.arguments(args, kwargs)
        body = function(*args, **kwargs)
        step, given = body.asend, None
        while True:
            try:
                item = await _Awaitable(step(given).__await__(), scope)
            except StopAsyncIteration:
                return
            try:
                step, given = body.asend, scope.enter((yield scope.leave(item)))
            except GeneratorExit:
                await _Awaitable(body.aclose().__await__(), scope)
                raise
            except BaseException as error:  # it is the body's, whatever it is
                step, given = body.athrow, error

    return yielding


def wrap_generator(
    function: Callable[..., Any], begin: Callable[[], CallScope]
) -> Callable[..., Any] | None:
    """Decorate a function whose body runs in steps, as one of the same kind; else return None.

    `begin` returns the scope of one call.
    """
    if inspect.isasyncgenfunction(function):
        return _yielding(function, begin)
    if inspect.iscoroutinefunction(function):
        return _awaiting(function, begin)
    return _generating(function, begin) if inspect.isgeneratorfunction(function) else None
