"""Looks at the values of lazy arrays: who makes one, and whether it is allowed.

A lazy array records how its values are computed. A look has them computed. A backend announces each
look by `look`, which raises or warns if the policy says so. The message names the function and the
argument, and `asked` and `naming` say which these are. Arrays of other backends never come here.
"""

from __future__ import annotations

import functools
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, Final, NamedTuple, TypeVar, cast

from arrayapi_unify._core.settings import Setting
from arrayapi_unify.errors import ComputingError, ComputingWarning, UnifyValueError, fault

__all__ = [
    "ALLOW", "POLICIES", "REFUSE", "Policy", "as_policy", "asked", "look", "naming", "policy",
    "size_error", "trust",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])
_PACKAGE: Final = __name__.partition(".")[0]
_REMEDY: Final = "call unify.compute first, or allow it: with unify.computing('allow')"


class Policy(str):
    """The consequence of a look: `"allow"`, `"warn"` or `"refuse"`; a block in which it holds."""

    __slots__ = ()

    def __enter__(self) -> Policy:
        """Begin a block in which this policy holds."""
        policy.enter(POLICIES[self], self)  # which a pickled one isn't
        return self

    def __exit__(self, *exc: object) -> None:
        """End the block."""
        policy.leave(self)


ALLOW: Final = Policy("allow")
WARN: Final = Policy("warn")
REFUSE: Final = Policy("refuse")
POLICIES: Final = {str(one): one for one in (ALLOW, WARN, REFUSE)}
"""The policies by their names; each of them is one object."""

policy: Final[Setting[Policy]] = Setting("computing", ALLOW)
"""The policy that holds."""


def as_policy(value: Any) -> Policy:
    """Return the policy that an argument names."""
    found = POLICIES.get(value) if isinstance(value, str) else None
    if found is None:
        remedy = f"pass one of {', '.join(map(repr, POLICIES))}"
        raise fault(UnifyValueError, value, "is no policy", remedy)
    return found


class _Call(NamedTuple):
    """The call in which a look happens: the function, and pairs of argument and value."""

    function: str
    arguments: Callable[[], Iterable[tuple[str, Any]]]
    subject: Any = None
    """The one array that the call is about."""


_call: ContextVar[_Call | None] = ContextVar("call", default=None)


class _Trust(threading.local):
    """A flag of each thread, and no context variable, which PyTorch's tracer can't set."""

    def __init__(self) -> None:
        self.given = False


trust: Final = _Trust()
"""Its `given` is True in a call with values for which a body of ours answers: no check looks."""


@contextmanager
def asked(function: str, x: Any, argument: str = "x") -> Iterator[None]:
    """Let looks at `x` in a block name this function, whatever functions it calls.

    `x` is a native array; of several such blocks for one array the outermost holds.
    """
    outer = _call.get()
    if outer is not None and outer.subject is x:
        yield
        return
    token = _call.set(_Call(function, lambda: [(argument, x)], x))
    try:
        yield
    except ComputingError as error:
        error.names_call = False  # for a function around this one, which users have called
        raise
    finally:
        _call.reset(token)


def naming(function: str, parameters: Iterable[str], native: F) -> F:
    """Return a native function in which looks name it and its arguments.

    If one function calls another one, the outer one is named.
    """
    names = tuple(parameters)

    @functools.wraps(native)
    def named(*args: Any, **kwargs: Any) -> Any:
        if _call.get() is not None:
            return native(*args, **kwargs)
        token = _call.set(_Call(function, lambda: _pairs(names, args, kwargs)))
        try:
            return native(*args, **kwargs)
        finally:
            _call.reset(token)

    return cast(F, named)


def _pairs(
    names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    for i, value in enumerate(args):
        yield names[i] if i < len(names) else f"args[{i}]", value
    yield from kwargs.items()


def look(x: Any, values: str = "the values", remedy: str = "") -> None:
    """Announce a look at a lazy native array; raise or warn where that isn't allowed.

    `values` says what is computed, such as "the bounds of the indices". A backend calls this before
    each computation that a user didn't ask for by `unify.compute`.
    """
    now = policy.get()
    if now is ALLOW:
        return
    call = _call.get()
    message = _message(call, x, values, remedy)
    if now is REFUSE:
        error = ComputingError(message)
        error.names_call = call is not None and call.subject is not None
        try:
            raise error
        finally:
            del error
    warnings.warn(message, ComputingWarning, stacklevel=_level_of_user())


def _message(call: _Call | None, x: Any, values: str, remedy: str) -> str:
    what = f"{_described(x)}, of which {values} would be computed"
    remedy = remedy or _REMEDY
    if call is None:
        return f"a lazy array is looked at: {what}; {remedy}"
    path = next((path for name, given in call.arguments() for path in _paths(name, given, x)), None)
    found = f"argument {path!r} is {what}" if path else f"it looks at {what}"
    return f"{call.function}: {found}; {remedy}"


def size_error(function: str, arguments: Iterable[tuple[str, Any]]) -> ComputingError | None:
    """Return the error of a function that needs a size, if sizes are refused and aren't known.

    They are None then, which a function may take for an integer.
    """
    if policy.get() is not REFUSE:
        return None
    for name, x in arguments:
        if not all(map(_is_known, getattr(x, "shape", ()))):
            problem = f"is {_described(x)}, and a size that isn't known is needed"
            return ComputingError(f"{function}: argument {name!r} {problem}; {_REMEDY}")
    return None


def _described(x: Any) -> str:
    shape = ", ".join("unknown" if not _is_known(size) else str(size) for size in x.shape)
    comma = "," if len(x.shape) == 1 else ""
    return f"a lazy {x.dtype} array of shape ({shape}{comma})"


def _is_known(size: Any) -> bool:
    return size is not None and size == size  # Dask writes NaN for a size that it doesn't know


def _paths(name: str, given: Any, x: Any) -> Iterator[str]:
    """Yield the expressions that lead from an argument to an array: `key[1].start`."""
    if given is x:
        yield name
    elif isinstance(given, list | tuple):
        for i, part in enumerate(given):
            yield from _paths(f"{name}[{i}]", part, x)
    elif isinstance(given, slice):
        for part in ("start", "stop", "step"):
            yield from _paths(f"{name}.{part}", getattr(given, part), x)


def _level_of_user() -> int:
    """Return the level of the caller's first frame outside of this package, for a warning."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame):
        level, frame = level + 1, frame.f_back
    return level


def _is_ours(frame: FrameType) -> bool:
    """Return True for a frame of this package, or of the library that runs its context managers."""
    owner = str(frame.f_globals.get("__name__") or frame.f_code.co_filename)
    return owner.strip("<").partition(".")[0] in (_PACKAGE, "contextlib", "functools")
