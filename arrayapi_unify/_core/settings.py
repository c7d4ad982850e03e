"""Settings: what holds for the whole process, and what holds for a block and comes first.

Blocks are local to a thread or task, as context variables are. To read a setting is to read one
context variable: it holds the innermost block or, where there is none, what holds for the process.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, Generic, NoReturn, TypeVar, cast

from arrayapi_unify._core.locks import MAKING, new_lock
from arrayapi_unify.errors import UnifyTypeError

__all__ = ["CREATION", "FLOATS", "Change", "FirstChange", "Setting"]

V = TypeVar("V")
T = TypeVar("T")


class _Entry:
    """A value that holds: for the process, or for a block inside of `outer`."""

    __slots__ = ("outer", "owner", "task_id", "value")

    def __init__(self, value: Any, outer: Any = None, owner: Any = None, task_id: Any = None):
        """Hold a value; `owner` is the object that ends the block, `task_id` the task entering."""
        self.value = value
        self.outer = outer
        self.owner = owner
        self.task_id = task_id


_entry_value: Any = vars(_Entry)["value"]


class _Closed(_Entry):
    """A block that ended while it wasn't the innermost one: it has the value of its outer block."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        """The value of the outer block."""
        return self.outer.value


def _task_id() -> tuple[int, int]:
    """Say which thread and task run: a context can't be told from its copies, but they can."""
    task = None
    asyncio = sys.modules.get("asyncio")
    if asyncio is not None:
        with contextlib.suppress(RuntimeError):  # no event loop runs in this thread
            task = asyncio.current_task()
    return threading.get_ident(), id(task)


def _innermost_open(entry: _Entry) -> _Entry:
    """Return the innermost block that hasn't ended, or the entry of the process."""
    while isinstance(entry, _Closed):
        entry = entry.outer
    return entry


class FirstChange:
    """The first departure of settings from their defaults; functions can wait for it."""

    __slots__ = ("_waiting", "happened")

    def __init__(self) -> None:
        """Begin with the defaults."""
        self.happened = False
        self._waiting: list[Callable[[], None]] = []

    def call(self, told: Callable[[], None]) -> None:
        """Call a function before the departure, or now if it has happened.

        An interrupt may lead to a second call.
        """
        with MAKING:
            if self.happened:
                told()
            elif told not in self._waiting:
                self._waiting.append(told)

    def happen(self) -> None:
        """Call the functions."""
        with MAKING:
            while self._waiting:
                told = self._waiting[-1]  # it may add others
                told()
                self._waiting.remove(told)
            self.happened = True


FLOATS: Final = FirstChange()
"""The first default data type other than float64 and complex128."""
CREATION: Final = FirstChange()
"""The first default integer other than int64, or the first default device."""


class Setting(Generic[V]):
    """One setting: a stack of values for the process, and blocks that come first.

    `first_change` happens before a value that isn't among the `usual` ones.

    Examples
    --------
    >>> setting = Setting("colour", "red")
    >>> setting.enter("blue", owner="me")
    >>> setting.get(), setting.process
    ('blue', ('red',))
    >>> setting.leave("me")
    >>> setting.get()
    'red'
    """

    __slots__ = (
        "_first_change", "_lock", "_of_process", "_open", "_stack", "_usual", "_variable", "read",
    )  # fmt: skip

    def __init__(
        self, name: str, value: V, first_change: FirstChange | None = None, *usual: V
    ) -> None:
        """Begin with the default value."""
        self._first_change, self._usual = first_change, (value, *usual)
        self._stack: list[_Entry] = [_Entry(value)]
        self._of_process = _Entry(value)
        self._variable: ContextVar[_Entry] = ContextVar(name, default=self._of_process)
        self._open: list[_Entry] = []
        self._lock = new_lock()
        # Returns the entry with the value as `.value`: cheaper than `get`.
        self.read: Callable[[], Any] = self._variable.get

    def get(self) -> V:
        """Return the value that holds here."""
        return cast(V, self.read().value)

    def _notice(self, value: V) -> None:
        first = self._first_change
        if first is not None and not first.happened and value not in self._usual:
            first.happen()

    # --- for the process --------------------------------------------------------------------

    @property
    def process(self) -> tuple[V, ...]:
        """The values that were set for the process, the one that holds last."""
        return tuple(entry.value for entry in self._stack)

    def push(self, value: V) -> Any:
        """Put a value on the process's stack, and return its place there."""
        self._notice(value)
        place = _Entry(value)
        with self._lock:
            self._set_stack([*self._stack, place])
        return place

    def pop(self) -> V | None:
        """Take the last value off the process's stack; the first one stays."""
        with self._lock:
            taken = self._stack[1:][-1:]
            self._set_stack(self._stack[: len(self._stack) - len(taken)])
        return taken[0].value if taken else None

    def remove(self, place: Any) -> None:
        """Take a value off the process's stack, wherever it is there."""
        with self._lock:
            self._set_stack([entry for entry in self._stack if entry is not place])

    def settle(self, place: Any) -> None:
        """Forget what stands below a place: nobody comes back to it."""
        with self._lock:
            if place in self._stack:
                self._set_stack(self._stack[self._stack.index(place) :])

    def _set_stack(self, stack: list[_Entry]) -> None:
        self._stack = stack
        self._of_process.value = stack[-1].value

    # --- for a block ------------------------------------------------------------------------

    def enter(self, value: V, owner: Any) -> None:
        """Begin a block, which `owner` ends."""
        self._notice(value)
        block = _Entry(value, _innermost_open(self.read()), owner, _task_id())
        self._open.append(block)
        self._variable.set(block)

    def leave(self, owner: Any) -> None:
        """End the last block of `owner`, here or, where it has none here, in another context.

        Blocks may end in any order. Contexts that were copied within a block keep it, as those of
        tasks do that outlive it, unless another thread or task ends it.
        """
        innermost = self.read()
        block = self._block_of(owner, innermost)
        if block is None:
            return
        self._open.remove(block)
        if block is not innermost or block.task_id != _task_id():
            block.__class__ = _Closed
        if block is innermost:
            self._variable.set(_innermost_open(block.outer))

    def _block_of(self, owner: Any, entry: Any) -> _Entry | None:
        while entry is not None:
            if entry.owner is owner and entry in self._open:
                return cast(_Entry, entry)
            entry = entry.outer
        return next((block for block in reversed(self._open) if block.owner is owner), None)

    def bind_context(self, value: V) -> Callable[..., Any]:
        """Return what runs the steps of one body, as ``run(step, *arguments)``, with a value set.

        It is set while a step runs, and not while the body waits for its caller. The blocks that
        the body has open come and go with it.
        """
        entry: list[Any] = [_Entry(value, _innermost_open(self.read()))]

        def run(step: Callable[..., T], *given: Any) -> T:
            outside = self.read()
            self._variable.set(entry[0])
            try:
                return step(*given)
            finally:
                entry[0] = self.read()
                self._variable.set(outside)

        return run


class Change(Generic[V]):
    """A change of a setting, which takes effect at once, for the whole process.

    It is no context manager: until its block began, all threads would see what is meant for one.
    """

    __slots__ = ("_block", "_function", "_place", "_setting", "_value")

    def __init__(self, setting: Setting[Any], value: V, function: str, block: str) -> None:
        """Make the value the one that holds for the process.

        `function` is who was asked for it, `block` who begins blocks.
        """
        self._setting = setting
        self._value = value
        self._function, self._block = function, block
        self._place = setting.push(value)

    def undo(self) -> None:
        """Take the change back, whatever was set after it."""
        if self._place is not None:
            self._setting.remove(self._place)
            self._place = None

    def __enter__(self) -> NoReturn:
        """Refuse to be a block, and take the change back."""
        self.undo()
        raise UnifyTypeError(
            f"{self._function} sets the default of the whole process, all threads included, and is "
            f"no block; write: with unify.{self._block}({str(self._value)!r}):"
        )

    def __exit__(self, *exc: object) -> None:
        """Do nothing: there is no block to end."""

    def __del__(self) -> None:
        """Keep the process's stack short: nobody can take this change back any more."""
        if self._place is not None:
            self._setting.settle(self._place)

    def __repr__(self) -> str:
        """Show what was set."""
        return f"<{self._function}: {self._value}>"
