"""Errors of calls: whose they are, and how they name the function that was called."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType, TracebackType
from typing import Any, Final, NoReturn, TypeVar, cast

from arrayapi_unify.errors import UnifyError, about, check_depth, translate

__all__ = [
    "deep_nest_error", "is_builtin", "is_ours", "naming", "raise_better",
    "raised_in_callback", "shorten",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])

_MISUSES: Final = (
    TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RuntimeError,
)  # fmt: skip
_PACKAGE: Final = __name__.partition(".")[0]


def raised_in_callback(error: BaseException, values: Iterable[Any]) -> bool:
    """Return True if a function that the caller gave raised the error."""
    codes = set()
    for value in values:
        if callable(value):
            function = getattr(value, "func", value)
            # The code of the function, of a method, or of the `__call__` of an instance's class.
            for one in (function, vars(type(function)).get("__call__")):
                codes.add(getattr(getattr(one, "__func__", one), "__code__", None))
    trace = error.__traceback__ if codes - {None} else None
    while trace is not None:
        if trace.tb_frame.f_code in codes:
            return True
        trace = trace.tb_next
    return False


def is_ours(error: BaseException) -> bool:
    """Return True if a line of this package failed, or one of Python's library that it called.

    Errors of the system, such as for a file, remain its own.
    """
    owner, trace = "", error.__traceback__
    while trace is not None:
        found = _owner(trace.tb_frame)
        name = _PACKAGE if _PACKAGE in found else found.partition(".")[0]
        owner = owner if name in sys.stdlib_module_names else name
        trace = trace.tb_next
    ours = owner == _PACKAGE and isinstance(error, _MISUSES)
    return ours and not isinstance(error, NotImplementedError | RecursionError)


def is_builtin(value: Any) -> bool:
    """Return True if a value is a function without Python code, whose errors have no frame."""
    return (
        callable(value)
        and not isinstance(value, type)
        and (not hasattr(value, "__code__") and not hasattr(type(value), "__code__"))
    )


def shorten(error: BaseException) -> None:
    """Drop the frames of this package from the traceback of an error that is to be raised again.

    The call that the user wrote is above, and what failed is named by the message. Frames of the
    user and of libraries stay.
    """
    if _compiles():
        return
    kept = None
    entries = list(_entries(error.__traceback__))
    # The line that failed says more than the message of an error that isn't ours.
    failed = None if isinstance(error, UnifyError) else entries[-1][0]
    for frame, lasti, line in reversed(entries):
        if frame is failed or _PACKAGE not in _owner(frame):
            kept = TracebackType(kept, frame, lasti, line)
    error.__traceback__ = kept


def _entries(trace: TracebackType | None) -> Iterator[tuple[FrameType, int, int]]:
    while trace is not None:
        yield trace.tb_frame, trace.tb_lasti, trace.tb_lineno
        trace = trace.tb_next


def _owner(frame: FrameType) -> str:
    """Return the module of a frame; generated functions have none, but the name of a file."""
    # torch.compile would look for names in a module.
    return str(frame.f_globals.get("__name__") or frame.f_code.co_filename)


def raise_better(error: Exception, better: Exception) -> NoReturn:
    """Raise what says best why a call failed: another error than the one that it raised, or it.

    Of an error of ours one traceback is enough, and of a library's the last one.
    """
    try:
        if better is error and not isinstance(better, UnifyError):
            raise error
        if not isinstance(better, UnifyError) or _compiles():
            raise better from error
        shorten(better)
        raise better from _first_cause(error, better)
    finally:
        del error, better  # see `errors`: an error that is raised here holds this frame


def _compiles() -> bool:
    """Return True while torch.compile follows this code, which can't read a traceback."""
    compiler = getattr(sys.modules.get("torch"), "compiler", None)  # none during the import
    return compiler is not None and compiler.is_compiling()


def _first_cause(error: Exception, better: Exception) -> BaseException | None:
    """Return what to show before `better`; of its own causes it isn't one."""
    first = error.__cause__ if isinstance(error, UnifyError) else error
    if any(one is better for one in _causes(first)):
        first = better.__cause__
    for one in _causes(first):
        one.__suppress_context__ = True
    return first


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, its cause, the cause of that one, and so on; each once, as in a cycle."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


def naming(name: str) -> Callable[[F], F]:
    """Let the errors inside of a function bear a name, in which `{}` is the class of its `self`.

    It is for callables that aren't bound, such as methods of classes.
    """

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def named(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except Exception as error:
                better = _named(error, function, name, args, kwargs)
                try:
                    if better is None:
                        raise
                    raise_better(error, better)
                finally:
                    del better

        return cast(F, named)

    return decorate


def _named(
    error: Exception, function: Callable[..., Any], name: str, args: Any, kwargs: Any
) -> Exception | None:
    """Return what to raise where `function` failed; None for an error that is the user's."""
    if raised_in_callback(error, (*args, *kwargs.values())):
        return None
    try:
        given = dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except TypeError:  # Python's own error for a call that doesn't fit
        return error
    owner = given.pop("self", None)
    given.pop("cls", None)
    name = name.format(type(owner).__name__)
    if isinstance(error, UnifyError):
        return about(error, name, "", given.items())
    if isinstance(error, RecursionError):
        return deep_nest_error(error, name, given.items())
    return translate(error, name, "", given.items()) if is_ours(error) else error


def deep_nest_error(
    error: RecursionError, function: str, arguments: Iterable[tuple[str, Any]]
) -> Exception:
    """Return what to raise where a search of lists for arrays didn't end."""
    try:
        check_depth(function, arguments)
    except UnifyError as better:
        return better
    return error
