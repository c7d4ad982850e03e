"""Functions that are traced, and must not write to Arrays from outside.

Such an Array would keep values that exist only inside of the trace, and it would be written to when
the function is traced, not when it is called. Whether an Array is from outside shows when the
function has returned: it is still alive.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from threading import get_ident
from types import TracebackType
from typing import TYPE_CHECKING, Any

from arrayapi_unify.backends._common.protocols.transformations import OutsideWrite
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.errors import UnifyValueError, raise_argument_error
from arrayapi_unify.views import writes
from arrayapi_unify.views.view import WRITES, Noted

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["Confined"]

Notes = dict[int, Noted]


class _Recorded(Notes):
    """The notes of a function whose Arrays a recorder keeps alive, and of functions in it."""


class Confined:
    """The scope of a traced function; `natives` are the arrays of the trace that it gets.

    If a recorder keeps Arrays alive, its own scope `decides`, for all scopes in it.
    """

    __slots__ = ("_backend", "_before", "_decides", "_function", "_inside", "_notes")

    def __init__(
        self, function: str, backend: Backend, natives: Sequence[Any], decides: bool = False
    ) -> None:
        """Find out which trace it is."""
        self._function = function
        self._backend = backend
        self._inside = [backend.tracer_of(x) for x in natives]
        self._decides = decides
        self._notes: Notes = _Recorded() if decides else {}
        self._before: Notes | None = None

    def __enter__(self) -> Confined:
        """Note the Arrays that this thread writes to from now on."""
        thread = get_ident()
        self._before = WRITES.noted.get(thread)
        if isinstance(self._before, _Recorded):
            self._notes = _Recorded()
        WRITES.noted[thread] = self._notes
        return self

    def __exit__(self, kind: type | None, error: object, traceback: TracebackType | None) -> None:
        """Note no more; after a failure Arrays get back the data that they had."""
        if self._before is None:
            del WRITES.noted[get_ident()]
        else:
            WRITES.noted[get_ident()] = self._before
        if kind is not None:
            self._restore()

    @property
    def wrote(self) -> bool:
        """True if the function wrote to an Array that is still alive."""
        return any(noted.ref() is not None for noted in self._notes.values())

    def check(self, own: Iterable[Array] = ()) -> None:
        """Raise if an Array from outside has values of the trace, and give it its own back.

        `own` are Arrays of the function that are alive.
        """
        for array in own:
            self._notes.pop(id(array), None)
        waits = isinstance(self._before, _Recorded) and not self._decides
        if not waits and self._restore(only_find=True):
            gc.collect()  # an Array of the function may be part of a cycle
            if self._restore():
                # A derivative inside of vmap may be traced for that alone: then it runs row by row.
                kind = UnifyValueError if self._function == "vmap" else OutsideWrite
                raise_argument_error(
                    kind, self._function, "func",
                    "writes to an array from outside, which can't keep values of the trace",
                    "pass the array as an argument, and return what it becomes",
                )  # fmt: skip
        if self._before is not None:
            for key, note in self._notes.items():
                self._before.setdefault(key, note)

    def _restore(self, only_find: bool = False) -> bool:
        """Give Arrays with values of the trace back what they had; return True if there are any."""
        found = False
        for array, noted in [(noted.ref(), noted) for noted in self._notes.values()]:
            if array is None or not self._is_inside(array, noted):
                continue
            found = True
            if only_find:
                break
            if noted.memory is not None and noted.contents is not None:
                noted.memory.restore(*noted.contents)
            elif self._backend.LAZY_REFRESH:
                writes.assign(array, noted.data)
            else:  # the library's own memory, as before
                array._data, array._view = noted.data, None
        return found

    def _is_inside(self, array: Array, noted: Noted) -> bool:
        """Return True if an Array, or its memory, has a value of the trace."""
        memory, tracer_of = noted.memory, self._backend.tracer_of
        held = [array._data] if memory is None else [memory.data, *memory.pending.values()]
        traces = [trace for trace in map(tracer_of, held) if trace is not None]
        inside = [trace for trace in self._inside if trace is not None]
        if inside:
            return any(trace is one for trace in traces for one in inside)
        before = [noted.data] if noted.contents is None else [noted.contents[0]]
        return any(trace is not tracer_of(x) for trace in traces for x in before)
