"""The backend in use, the namespace of arrays, and functions that run on any backend."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar, cast

from arrayapi_unify._namespace import Namespace
from arrayapi_unify.backends import DEFAULT, arrays_in, handler, known, name_of, python_scalar
from arrayapi_unify.backends.handler import active_backend, choose
from arrayapi_unify.binding import namespace_of, standalone
from arrayapi_unify.contracts.annotations import OptionalOperand
from arrayapi_unify.errors import UnifyTypeError, check_depth, describe, raise_type_error
from arrayapi_unify.functional._common import check_function
from arrayapi_unify.functional._generator_support import CallScope, wrap_generator
from arrayapi_unify.functional._portable_call import SteppedCall, converted

F = TypeVar("F", bound=Callable[..., Any])


@standalone(convenience=True)
def set_backend(backend: str | Namespace | None, /) -> Namespace:
    """Set the backend on which top-level calls run.

    The backend is put on a stack, and stays there until it is unset. The stack is that of the whole
    process: all threads see it. A block of `use_backend` comes first. Operators, methods and bound
    namespaces belong to the backend of their array, and ignore what is set.

    Parameters
    ----------
    backend
        Name of the backend, such as ``"numpy"``, or its namespace, such as `previous_backend`
        returns. It returns None where none was set, for which nothing is put on the stack.

    Returns
    -------
    The namespace bound to the backend.

    Raises
    ------
    UnifyValueError
        If there is no such backend; the message lists the known ones.

    References
    ----------
    B20: choice of a backend (docs/behaviours.md).

    Examples
    --------
    >>> unify.set_backend("numpy")
    <module 'arrayapi_unify.numpy'>
    >>> unify.current_backend_str()
    'numpy'
    >>> unify.unset_backend()
    """
    if backend is None:
        return namespace_of(handler.active_backend() or DEFAULT)
    name = known("set_backend", backend)
    namespace = namespace_of(name)
    handler.push(name)
    return namespace


@standalone(convenience=True)
def unset_backend() -> None:
    """Take the backend that was set last off the stack of the process.

    Where none is set, nothing happens. Blocks of `use_backend` are on no stack and end by
    themselves.

    References
    ----------
    B20: choice of a backend (docs/behaviours.md).

    Examples
    --------
    >>> unify.unset_backend()
    """
    handler.pop()


@standalone(convenience=True)
def previous_backend() -> Namespace | None:
    """Take the active backend off the stack, so that the one before it is active again.

    Blocks of `use_backend` are on no stack: they end by themselves.

    Returns
    -------
    The namespace of the backend that is taken off the stack, or None if none was set.

    References
    ----------
    B20: choice of a backend (docs/behaviours.md).

    Examples
    --------
    >>> unify.previous_backend() is None
    True
    """
    name = handler.pop()
    return None if name is None else namespace_of(name)


@standalone(convenience=True)
def current_backend_str(*args: Any, **kwargs: Any) -> str:
    """Return the name of the backend on which a top-level call would run.

    It is the backend that is set; else that of the first array among the arguments, which may be in
    lists, tuples and dicts; else NumPy.

    Parameters
    ----------
    args
        Arguments of the call in question.
    kwargs
        Keyword arguments of the call in question.

    Returns
    -------
    The name.

    References
    ----------
    B20: choice of a backend (docs/behaviours.md).

    Examples
    --------
    >>> unify.current_backend_str()
    'numpy'
    """
    chosen = handler.active_backend()
    if chosen is not None:
        return chosen
    try:
        return next((cast(str, name_of(array)) for array in arrays_in((args, kwargs))), DEFAULT)
    except RecursionError:
        check_depth("current_backend", [("args", args), ("kwargs", kwargs)])
        raise


@standalone(convenience=True)
def current_backend(*args: Any, **kwargs: Any) -> Namespace:
    """Return the namespace of the backend on which a top-level call would run.

    `current_backend_str` says which one it is.

    Parameters
    ----------
    args
        Arguments of the call in question.
    kwargs
        Keyword arguments of the call in question.

    Returns
    -------
    The namespace.

    References
    ----------
    B20: choice of a backend (docs/behaviours.md).

    Examples
    --------
    >>> unify.current_backend(unify.array([1])) is unify.get_backend("numpy")
    True
    """
    return namespace_of(current_backend_str(*args, **kwargs))


@standalone(convenience=True)
def get_backend(backend: str | None = None, /) -> Namespace:
    """Return the namespace that is bound to a backend.

    Nothing is set.

    Parameters
    ----------
    backend
        Name of the backend, such as ``"numpy"``. Without it, the current one is meant.

    Returns
    -------
    The namespace.

    Raises
    ------
    UnifyValueError
        If there is no such backend; the message lists the known ones.

    References
    ----------
    B16 and B19: convenience functions, native namespaces (docs/behaviours.md).

    Examples
    --------
    >>> xp = unify.get_backend("numpy")
    >>> xp.zeros(2)
    unify.array([0., 0.])
    """
    return current_backend() if backend is None else namespace_of(backend)


@standalone(convenience=True)
def set_verbosity(level: int, /) -> None:
    """Log how backends are chosen.

    The messages go to the standard logger "arrayapi_unify". If logging isn't configured, they are
    printed to standard error.

    Parameters
    ----------
    level
        1 logs each choice of a backend and each change of the stack. 0 logs nothing, and costs
        nothing.

    Raises
    ------
    UnifyValueError
        If `level` is neither 0 nor 1.

    References
    ----------
    B23: logging (docs/behaviours.md).

    Examples
    --------
    >>> unify.set_verbosity(0)
    """
    handler.set_verbosity(level)


class _UseBackend:
    """A backend that is set for a block, or for the calls of a function."""

    def __init__(self, backend: str) -> None:
        self._backend = backend

    def __enter__(self) -> Namespace:
        namespace = namespace_of(self._backend)
        try:
            handler.push_block(self._backend, self)
        except BaseException:  # an interrupt, after which `__exit__` isn't called
            handler.pop_block(self._backend, self)
            raise
        return namespace

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        handler.pop_block(self._backend, self)

    def __call__(self, function: F) -> F:
        decorated = wrap_generator(function, lambda: _Set(self._backend))
        if decorated is not None:
            return cast(F, decorated)

        @functools.wraps(function)
        def calling(*args: Any, **kwargs: Any) -> Any:
            with _UseBackend(self._backend):
                return function(*args, **kwargs)

        return cast(F, calling)


class _Set(CallScope):
    """The scope through which a body gets a backend set while it runs."""

    def __init__(self, backend: str) -> None:
        self.run = handler.bind_context(backend)  # type: ignore[method-assign]  # what a scope is for


@standalone(convenience=True)
def use_backend(backend: str | Namespace, /) -> _UseBackend:
    """Set a backend for a ``with`` block, or as a decorator for each call of a function.

    It holds for the current thread or async task, and comes before `set_backend`. Blocks may end in
    any order, as they do around the ``yield`` of several generators. A decorated function may be a
    generator or async: the backend is set whenever its body runs, and not while others run.

    Parameters
    ----------
    backend
        Name of the backend, such as ``"numpy"``, or its namespace. It is loaded when the block is
        entered.

    Returns
    -------
    A context manager, which is a decorator as well.

    Raises
    ------
    UnifyValueError
        If there is no such backend; the message lists the known ones.

    References
    ----------
    B20: choice of a backend (docs/behaviours.md).

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
    return _UseBackend(known("use_backend", backend))


@standalone(convenience=True, nestable=False)
def array_namespace(
    *arrays: OptionalOperand,
) -> Namespace:
    """Return the namespace that is bound to the backend of arrays, native or wrapped.

    Parameters
    ----------
    arrays
        At least one array. Python scalars and None are ignored.

    Returns
    -------
    The namespace, which is what ``x.__array_namespace__()`` of a wrapped array returns.

    Raises
    ------
    BackendError
        If the arrays belong to different backends.
    UnifyTypeError
        If there is no array among the arguments, or something else.

    References
    ----------
    docs/design.md, "Array API consumers".

    Examples
    --------
    >>> unify.array_namespace(unify.array([1, 2]), 3) is unify.get_backend("numpy")
    True
    """
    given = {
        f"arrays[{i}]": a
        for i, a in enumerate(arrays)
        if a is not None and python_scalar(a) is None
    }
    for argument, array in given.items():
        if name_of(array) is None:
            problem = f"is {describe(array)}, which is no array of a loaded backend"
            remedy = "pass arrays, or convert it with unify.asarray"
            raise_type_error("array_namespace", argument, problem, remedy)
    found = list(given.values())
    if not found:
        raise UnifyTypeError(
            "array_namespace: there is no array among the arguments; pass at least one, or use "
            "unify.current_backend()"
        )
    if active_backend() is None:
        return namespace_of(choose("array_namespace", given.items()))
    # The arrays decide here, whatever is set: that is what the function is for.
    if handler.host_of(found) is not None:
        found = [array for array in found if not handler.is_guest(array)]
    first = cast(str, name_of(found[0]))
    for array in found[1:]:
        if name_of(array) != first:
            choose("array_namespace", given.items())
    return namespace_of(first)


@standalone(convenience=True)
def portable(function: F, /) -> F:
    """Let a function that is written for the standard take and return native arrays.

    The function gets Arrays where the caller passes native arrays, even inside lists, tuples, named
    tuples, dicts and Containers. The caller gets back what he passed: native arrays for native
    arrays, Arrays if an Array is among the arguments. Keys of `unify.random` don't count: they
    follow the other arrays. Callables are called with the caller's kind of arrays, too.

    Next to arrays, lists of numbers become Arrays where they are passed for a required positional
    parameter whose annotation doesn't exclude arrays. Python numbers stay numbers, unless the
    annotation names arrays: then they become Arrays, without effect on the data type. Without any
    array, positional Python numbers become zero-dimensional arrays of
    the current backend, and zero-dimensional results become Python numbers. Nothing else is copied.

    Generators, coroutines and async generators take and give native arrays at each step. Methods
    are decorated one by one; a class is refused.

    Parameters
    ----------
    function
        Function of arrays.

    Returns
    -------
    The function for all kinds of arrays.

    Raises
    ------
    UnifyTypeError
        If `function` is a class.

    References
    ----------
    docs/design.md, "Array API consumers".

    Examples
    --------
    >>> import numpy as np
    >>> @unify.portable
    ... def norm(x):
    ...     xp = x.__array_namespace__()
    ...     return xp.sqrt(xp.sum(x * x))
    >>> norm(np.asarray([3.0, 4.0]))
    array(5.)
    >>> norm(unify.asarray([3.0, 4.0])), norm(5.0)
    (unify.array(5.), 5.0)
    """

    if isinstance(function, classmethod | staticmethod):
        return cast(F, type(function)(portable(function.__func__)))
    if isinstance(function, type):
        raise_type_error("portable", "function", "is a class", "decorate its methods")
    check_function("portable", "function", function)
    decorated = wrap_generator(function, functools.partial(SteppedCall, function))
    if decorated is not None:
        return cast(F, decorated)

    return converted(function)
