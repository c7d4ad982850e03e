"""The backend of a body that gets no array: the one to which its function is bound."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

__all__ = ["current", "with_body_backend"]

_backend: Final[ContextVar[str]] = ContextVar("backend of the body that runs")


def current() -> str:
    """Return the name of the backend of the body that runs."""
    return _backend.get()


def with_body_backend(name: str, body: Callable[..., Any]) -> Callable[..., Any]:
    """Return a body during which `current` returns the name of its backend."""

    @functools.wraps(body)
    def run(*args: Any, **kwargs: Any) -> Any:
        token = _backend.set(name)
        try:
            return body(*args, **kwargs)
        finally:
            _backend.reset(token)

    return run
