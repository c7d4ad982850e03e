"""Captured arrays: those in a function's closures and global names, not in its arguments.

A framework's trace has their values at the time of tracing. A call that writes to one of them,
because it is an argument as well, has to run the function itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.views.view import view_of

__all__ = ["reaches"]

_OURS: Final = __name__.partition(".")[0]


def reaches(function: Any, written: Sequence[Array]) -> bool:
    """Return True if a function reaches an Array that shares memory with one of `written`.

    The search covers the closures and global names of the function, and of the functions in these.
    It doesn't cover nests and objects, which may be as large as a data set.
    """
    own = set(map(id, written))
    memories = {view.memory for x in written if (view := view_of(x)) is not None}
    for array in _arrays(function):
        view = view_of(array)
        if id(array) in own or (view is not None and view.memory in memories):
            return True
    return False


def _arrays(function: Any) -> Iterator[Array]:
    """Find the Arrays, without repetition."""
    seen, waiting = set[int](), [function]
    while waiting:
        value = waiting.pop()
        kind = type(value)  # no attribute access: objects may be lazy imports
        if kind is MethodType:
            value = value.__func__
        if id(value) in seen:
            continue
        seen.add(id(value))
        if issubclass(kind, Array):
            yield value
        elif type(value) is FunctionType:
            waiting += _held(value)


def _held(function: FunctionType) -> Iterator[Any]:
    """Return the values in the closure of a function, and those of the global names in its code."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # an empty cell
            continue
    names = function.__globals__
    if function.__module__ and function.__module__.partition(".")[0] == _OURS:
        return
    for name in _names(function.__code__):
        value = names.get(name)
        if type(value) is not FunctionType or value.__globals__ is names:
            yield value


def _names(code: CodeType) -> Iterator[str]:
    """Return the names in a code object, and in its functions and comprehensions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
