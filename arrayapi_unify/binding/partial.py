"""What a backend has in part: a function that it lacks, or has for some calls only.

Of a partial mixed function the native implementation serves some calls, the body the others.

A native function with a `partial_mixed_handler` (any function of its arguments that returns a bool)
is asked before every call. Functions without one never come here, so that they cost nothing more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

from arrayapi_unify.errors import BackendError

__all__ = ["either", "lacks", "missing"]


def either(
    native: Any,
    body: Callable[..., Any],
    owns: Callable[[type], bool],
    wrap: Callable[[Any], Any],
) -> Callable[..., Any]:
    """Join a native function with its contract's body: native in, native out, like any other.

    The handler gets what the native function would get, nothing more: arguments that the caller
    didn't give are none. `owns` and `wrap` are the backend's: what is a native array, and how to
    make an Array of it, which is what a body takes.
    """
    decide = native.partial_mixed_handler

    def enter(value: Any) -> Any:
        if owns(type(value)):
            return wrap(value)
        return [enter(part) for part in value] if isinstance(value, list) else value

    @functools.wraps(native)
    def native_or_body(*args: Any, **kwargs: Any) -> Any:
        if decide(*args, **kwargs):
            return native(*args, **kwargs)
        result = body(*map(enter, args), **{name: enter(v) for name, v in kwargs.items()})
        return tuple(part._data for part in result) if type(result) is tuple else result._data

    # What the native function names as a shorter way doesn't ask.
    vars(native_or_body).pop("direct", None)
    return native_or_body


def missing(function: str, backend: str, *args: Any, **kwargs: Any) -> NoReturn:
    """Stand for a native function that a backend lacks."""
    raise BackendError(lacks(function, backend))


def lacks(function: str, backend: str) -> str:
    """Say that a backend lacks a function."""
    return (
        f"{function} has no implementation on the {backend} backend; use a function that it has, "
        f"or move the arrays to another backend (unify.to_backend)"
    )
