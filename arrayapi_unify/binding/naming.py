"""Names in the errors of callables that aren't bound, such as methods of classes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from arrayapi_unify.binding.calls import is_ours, raised_in_callback
from arrayapi_unify.errors import UnifyError, about, check_depth, translate

__all__ = ["naming"]

F = TypeVar("F", bound=Callable[..., Any])


def naming(name: str) -> Callable[[F], F]:
    """Let the errors inside of a function bear a name, in which `{}` is the class of its `self`."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def named(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except Exception as error:
                better = _better(error, function, name, args, kwargs)
                try:
                    if better is error:
                        raise
                    raise better from error
                finally:
                    del better  # see `errors`

        return cast(F, named)

    return decorate


def _better(
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
        try:
            check_depth(name, given.items())
        except UnifyError as deep:
            return deep
    return translate(error, name, "", given.items()) if is_ours(error) else error
