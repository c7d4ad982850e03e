"""Errors of calls: whose they are, and how they name the function that was called."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, TypeVar, cast

from arrayapi_unify.errors import UnifyError, about, check_depth, translate

__all__ = [
    "deep_nest_error", "is_builtin", "is_ours", "naming", "raise_better",
    "raised_in_callback",
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
        # Generated functions have no module: torch.compile would look for names there.
        found = trace.tb_frame.f_globals.get("__name__") or trace.tb_frame.f_code.co_filename
        name = _PACKAGE if _PACKAGE in str(found) else str(found).partition(".")[0]
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


def raise_better(error: Exception, better: Exception) -> NoReturn:
    """Raise what says best why a call failed: another error than the one that it raised, or it."""
    try:
        if better is error:
            raise error
        raise better from error
    finally:
        del error, better  # see `errors`: an error that is raised here holds this frame


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
                raise_better(error, _named(error, function, name, args, kwargs))

        return cast(F, named)

    return decorate


def _named(
    error: Exception, function: Callable[..., Any], name: str, args: Any, kwargs: Any
) -> Exception:
    """Return what to raise where `function` failed: the error itself, if it is the user's."""
    if raised_in_callback(error, (*args, *kwargs.values())):
        return error
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
