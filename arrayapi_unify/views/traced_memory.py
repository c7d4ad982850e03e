"""Memory that Arrays share in code that PyTorch compiles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.views.memory import Memory
from arrayapi_unify.views.view import View, needs_emulation

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["TracedMemory"]


class TracedMemory(Memory):
    """A memory in code that PyTorch compiles: of plain lists, and of nobody knows which layout.

    The compiler keeps all alive that it meets, and lets nobody wait.
    """

    __slots__ = ("_everyone",)

    def __init__(self, backend: Backend, data: Any) -> None:
        """Hold a native array."""
        self.backend = backend
        self.data = data
        self.tracked = needs_emulation(backend, data)
        self.copied = False
        self.lock = nullcontext()
        self._mirror = None
        self._pending = {}
        self._everyone: list[Array] = []

    def add_view(self, member: Array, view: View, set_view: bool = True) -> None:
        """Make an Array a member, which has its data."""
        self._everyone.append(member)
        if set_view:
            member._view = view

    def _commit(self, calls: list[tuple[Any, ...]]) -> None:
        for function, *args in calls:
            function(*args)

    def _overlapping(self, member: Array, view: View) -> Iterator[Array]:
        return (other for other in self._everyone if other is not member)
