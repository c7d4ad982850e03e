"""The backend of a call that names none: the stack of set backends, then inference, then NumPy.

The stack belongs to the process. Blocks of `use_backend` are local to a thread or task, and take
precedence. Setting a backend rewrites nothing, and an implicit choice is never remembered.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final

from arrayapi_unify._core.locks import once
from arrayapi_unify._core.settings import Setting
from arrayapi_unify.backends import DEFAULT, load, name_of
from arrayapi_unify.errors import BackendError, raise_value_error, shown

__all__ = [
    "check_backend",
    "choose",
    "push_block",
    "ever_set",
    "host_of",
    "is_guest",
    "active_backend",
    "bind_context",
    "pop_block",
    "log_level",
    "pop",
    "push",
    "set_verbosity",
    "setting",
    "stack",
    "verbosity_listeners",
]

setting: Final[Setting[str | None]] = Setting("arrayapi_unify_backend", None)
"""The backend that is set, None where none is."""

ever_set: list[str] = []
"""The backends that were ever set in this process: if empty, no stack has to be checked."""

log_level = 0
verbosity_listeners: list[Callable[[int], None]] = []


@once
def _logger() -> tuple[Any, Any]:
    """Return the logger and its console handler, made on first use."""
    logging = importlib.import_module("logging")
    logger, console = logging.getLogger("arrayapi_unify"), logging.StreamHandler()
    logger.addHandler(logging.NullHandler())
    console.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    return logger, console


def _log(message: str, *values: Any) -> None:
    _logger()[0].info(message, *values)


def active_backend() -> str | None:
    """Return the backend that is set, None where the arrays decide."""
    # torch.compile follows no context variable, so reading one breaks its graph.
    return setting.get() if ever_set else None


def stack() -> tuple[str, ...]:
    """Return the backends that are set for the process, the active one last."""
    return tuple(name for name in setting.process if name is not None)


def _prepare(name: str) -> None:
    """Load a backend before it is set, so that a failure changes nothing."""
    load(name)
    if name not in ever_set:
        ever_set.append(name)


def push(name: str) -> None:
    """Put a backend on the stack of the process."""
    _prepare(name)
    setting.push(name)
    if log_level:
        _log("backend set to %r; stack: %s", name, ", ".join(stack()))


def pop() -> str | None:
    """Take the active backend off the stack and return it; nothing to take gives None."""
    name = setting.pop()
    if log_level and name is not None:
        _log("backend %r unset; stack: %s", name, ", ".join(stack()) or "empty")
    return name


def push_block(name: str, owner: Any) -> None:
    """Set a backend for a block of this thread or task."""
    _prepare(name)
    setting.enter(name, owner)
    if log_level:
        _log("backend %r set for a block", name)


def pop_block(name: str, owner: Any) -> None:
    """End a block."""
    setting.leave(owner)
    if log_level:
        _log("the block of backend %r has ended", name)


def bind_context(name: str) -> Callable[..., Any]:
    """Return what runs the steps of a body with a backend set, as `Setting.bind_context` says."""
    _prepare(name)
    return setting.bind_context(name)


def choose(function: str, arguments: Iterable[tuple[str, Any]]) -> str:
    """Choose the backend of a call: the one that is set, else that of the arrays, else NumPy.

    `arguments` pairs each array with the name of its parameter. An array of another backend than
    the chosen one raises, unless it is NumPy's own next to an Array (docs/interop.md).
    """
    chosen = active_backend()
    why = "which is set"
    given = list(arguments)
    if len(given) > 1 and host_of(array for _, array in given) is not None:
        given = [pair for pair in given if not is_guest(pair[1])]
    for argument, array in given:
        if chosen is None:
            chosen = name_of(array)
            why = f"chosen by argument {argument!r}"
        check_backend(function, argument, array, chosen or DEFAULT, why)
    if chosen is None:
        chosen, why = DEFAULT, "the default, as no argument is an array and no backend is set"
    if log_level:
        _log("%s runs on the %s backend, %s", function, chosen, why)
    return chosen


def is_guest(value: Any) -> bool:
    """Return True if a value is one of NumPy's own arrays, which follow an Array."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and type(value) is numpy.ndarray:
        return True  # PyTorch's compiler asks a class of NumPy's for no attribute
    return name_of(value) == DEFAULT and not hasattr(type(value), "__unify_backend__")


def host_of(arrays: Iterable[Any]) -> Any:
    """Return the first Array of another backend than NumPy's, None if there is none."""
    ours = (x for x in arrays if not is_guest(x) and hasattr(type(x), "__unify_backend__"))
    return next((x for x in ours if x.backend != DEFAULT), None)


def check_backend(function: str, argument: str, array: Any, backend: str, why: str = "") -> None:
    """Raise unless `array` belongs to `backend`."""
    found = name_of(array)
    if found != backend:
        raise BackendError(
            f"{function}: argument {argument!r} is an array of the {found} backend, but the call "
            f"runs on the {backend} backend{', ' + why if why else ''}; move it first with "
            f"unify.to_backend({argument}, {backend!r})"
        )


def set_verbosity(level: int) -> None:
    """Log from `level` 1 on each choice of a backend and each change of the stack."""
    global log_level
    if level not in (0, 1):
        remedy = "pass 0 (silent) or 1 (choices)"
        raise_value_error("set_verbosity", "level", f"is {shown(level)}", remedy)
    log_level = level
    logger, console = _logger()
    logger.setLevel("INFO" if level else "NOTSET")
    if level and not logger.root.handlers:
        logger.addHandler(console)
    else:
        logger.removeHandler(console)
    for listener in verbosity_listeners:
        listener(level)
