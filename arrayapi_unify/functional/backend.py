"""The backend handler: which backend serves calls that name none."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from types import ModuleType, TracebackType
from typing import Any, TypeVar, cast

from arrayapi_unify.backends import DEFAULT, arrays_in, handler, name_of
from arrayapi_unify.binding import namespace_of, standalone
from arrayapi_unify.errors import UnifyTypeError, refuse

__all__ = [
    "current_backend",
    "current_backend_str",
    "get_backend",
    "previous_backend",
    "set_backend",
    "set_verbosity",
    "unset_backend",
    "use_backend",
]

F = TypeVar("F", bound=Callable[..., Any])


@standalone(convenience=True)
def set_backend(backend: str, /) -> ModuleType:
    """Make a backend the one of top-level calls; it stands on a stack until it is unset.

    The setting is that of the current thread or async task. Operators, methods and bound
    namespaces belong to their array's backend and ignore it.

    Returns
    -------
    The namespace bound to the backend.

    Raises
    ------
    UnifyValueError
        If there is no such backend; the message lists the known ones.

    Examples
    --------
    >>> unify.set_backend("numpy").__name__
    'arrayapi_unify.numpy'
    >>> unify.current_backend_str()
    'numpy'
    >>> unify.unset_backend()
    """
    handler.push(backend)
    return namespace_of(backend)


@standalone(convenience=True)
def unset_backend() -> None:
    """Take the backend that was set last off the stack; does nothing where none is set.

    Examples
    --------
    >>> unify.unset_backend()
    """
    handler.pop()


@standalone(convenience=True)
def previous_backend() -> ModuleType | None:
    """Make the backend that was set before the active one active again.

    Returns
    -------
    The namespace of the backend that was active until now, None where none was set.

    Examples
    --------
    >>> unify.previous_backend() is None
    True
    """
    name = handler.pop()
    return None if name is None else namespace_of(name)


@standalone(convenience=True)
def current_backend_str(*args: Any, **kwargs: Any) -> str:
    """Return the name of the backend that a top-level call with these arguments runs on.

    The backend that is set comes first, then that of the first array among the arguments (looked
    for in lists, tuples and dicts too), then NumPy.

    Examples
    --------
    >>> unify.current_backend_str()
    'numpy'
    """
    chosen = handler.explicit()
    if chosen is not None:
        return chosen
    return next((cast(str, name_of(array)) for array in arrays_in((args, kwargs))), DEFAULT)


@standalone(convenience=True)
def current_backend(*args: Any, **kwargs: Any) -> ModuleType:
    """Return the namespace of the backend that a top-level call with these arguments runs on.

    Examples
    --------
    >>> unify.current_backend(unify.array([1])) is unify.get_backend("numpy")
    True
    """
    return namespace_of(current_backend_str(*args, **kwargs))


@standalone(convenience=True)
def get_backend(backend: str | None = None, /) -> ModuleType:
    """Return the namespace bound to a backend, without setting anything.

    Examples
    --------
    >>> xp = unify.get_backend("numpy")
    >>> xp.zeros(2)
    unify.array([0., 0.])
    """
    return current_backend() if backend is None else namespace_of(backend)


@standalone(convenience=True)
def set_verbosity(level: int, /) -> None:
    """Log each choice of a backend, and each change of the stack, from level 1 on.

    The messages go to the standard logger "arrayapi_unify"; where logging isn't configured they
    are printed to standard error. Level 0 is silent, and costs nothing.

    Examples
    --------
    >>> unify.set_verbosity(0)
    """
    handler.set_verbosity(level)


# The blocks that are open in this thread or task, each with the stack from before it: one object
# may serve several threads at once.
_entered: ContextVar[tuple[tuple[_UseBackend, tuple[str, ...] | None], ...]] = ContextVar(
    "entered", default=()
)


class _UseBackend:
    """A backend that is set for a block, or for the calls of a function."""

    def __init__(self, backend: str) -> None:
        self._backend = backend

    def __enter__(self) -> ModuleType:
        before = handler.stack.get()
        handler.push(self._backend)
        _entered.set((*_entered.get(), (self, before)))
        return namespace_of(self._backend)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Whatever the block set without unsetting it ends with the block.
        entered = _entered.get()
        last = max(i for i, (user, _) in enumerate(entered) if user is self)
        _entered.set(entered[:last])
        handler.restore(entered[last][1])

    def __call__(self, function: F) -> F:
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            refuse(
                UnifyTypeError,
                "use_backend",
                "function",
                "is a generator, whose body runs after the call has ended",
                "write `with unify.use_backend(...):` in its body",
            )
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def awaiting(*args: Any, **kwargs: Any) -> Any:
                with _UseBackend(self._backend):
                    return await function(*args, **kwargs)

            return cast(F, awaiting)

        @functools.wraps(function)
        def calling(*args: Any, **kwargs: Any) -> Any:
            with _UseBackend(self._backend):
                return function(*args, **kwargs)

        return cast(F, calling)


@standalone(convenience=True)
def use_backend(backend: str, /) -> _UseBackend:
    """Set a backend for a `with` block, or as a decorator for each call of a function.

    Examples
    --------
    >>> with unify.use_backend("numpy") as xp:
    ...     unify.ones(2)
    unify.array([1., 1.])
    >>> @unify.use_backend("numpy")
    ... def f():
    ...     return unify.zeros(1)
    >>> f()
    unify.array([0.])
    """
    return _UseBackend(backend)
