"""Partial mixed functions: a native implementation that serves some calls, the body the others.

A native function with a `partial_mixed_handler` (any function of its arguments that returns a bool)
is asked before every call. Functions without one never come here, so that they cost nothing more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

__all__ = ["partial"]


def partial(
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
    def either(*args: Any, **kwargs: Any) -> Any:
        if decide(*args, **kwargs):
            return native(*args, **kwargs)
        result = body(*map(enter, args), **{name: enter(v) for name, v in kwargs.items()})
        return tuple(part._data for part in result) if type(result) is tuple else result._data

    return either
