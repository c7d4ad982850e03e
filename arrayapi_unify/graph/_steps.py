"""The record of a trace: numbered arrays, and the native calls that created them, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.graph_values import (
    GraphError,
    Portable,
    Ref,
    Step,
    map_values,
    place,
    refs_in,
    value_needed,
)

__all__ = ["RESHAPES", "Steps"]

RESHAPES: Final = frozenset({"reshape", "ravel"})
_NESTS: Final = frozenset({list, dict, slice})


class Steps:
    """The numbered arrays of a trace, and the calls that created them."""

    def __init__(self, binding: Any, engine: Any) -> None:
        """Start with nothing."""
        self.binding = binding
        self.engine = engine
        self.inside = False
        self.steps: list[Step] = []
        self.values: list[Any] = []  # by number; kept alive, so that ids stay unique
        self.roots: list[int] = []  # the number of the array that owns a value's memory
        self.proxies: dict[int, Any] = {}  # by the id of the array
        self.memories: dict[Any, int] = {}  # root by memory
        self.inputs: list[int] = []
        # Roots with copies in the library and views in NumPy, and the root of the copies.
        self.frozen: dict[int, int] = {}
        # Roots of copies that NumPy makes for some layouts only, and their sources.
        self.may_be: dict[int, int] = {}
        self.sealed: set[int] = set()  # values that are read-only
        self.tracked: set[int] = set()  # views that are differentiated, and their sources
        self.portable: Portable | None = None

    # --- values -----------------------------------------------------------------------------

    def proxy(self, value: Any) -> Any:
        """Return the proxy of a native array; a new array gets a new number."""
        found = self.proxies.get(id(value))
        if found is None:
            number = len(self.values)
            self.values.append(value)
            before, self.inside = self.inside, True
            memory = self.engine.memory_of(value)
            self.inside = before
            self.roots.append(self.memories.setdefault(memory, number))
            found = self.proxies[id(value)] = self.engine.proxy(self, number, value)
        return found

    def input(self, value: Any) -> Any:
        """Return the proxy of an argument."""
        found = self.proxy(value)
        self.inputs.append(found.ref)
        return found

    def _real(self, value: Any) -> Any:
        return self.values[value.ref] if type(value) is self.engine.STAND_IN else value

    def _ref(self, value: Any) -> Any:
        return Ref(value.ref) if type(value) is self.engine.STAND_IN else value

    def _each(self, args: tuple[Any, ...], leaf: Callable[[Any], Any]) -> tuple[Any, ...]:
        """Map like `map_values`, with less overhead for a value that isn't a nest."""
        return tuple([
            map_values(value, leaf) if type(value) in _NESTS or isinstance(value, tuple)
            else leaf(value)
            for value in args
        ])  # fmt: skip

    def _carried(self, call: Portable) -> Portable:
        """Return a call with numbers in place of arrays."""
        return Portable(
            call.name, map_values(call.args, self._number), map_values(call.kwargs, self._number)
        )

    def _number(self, value: Any) -> Any:
        if isinstance(value, Array) and type(value) is not self.engine.STAND_IN:
            value = value._data
        return self._ref(value)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Run a function without recording it."""
        before, self.inside = self.inside, True
        try:
            yield
        finally:
            self.inside = before

    def note_copy(self, result: Any, source: Any) -> None:
        """Record that a result is a copy only for this layout of its source."""
        kind = self.engine.STAND_IN
        if type(result) is kind is type(source) and result.ref != source.ref:
            self.may_be[self.roots[result.ref]] = self.roots[source.ref]

    def merge_roots(self) -> None:
        """Treat memories that may be the same as one."""
        for n, root in enumerate(self.roots):
            while self.may_be.get(root, root) != root:
                root = self.may_be[root]
            self.roots[n] = root

    # --- steps ------------------------------------------------------------------------------

    def step(
        self,
        name: str,
        target: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        writes: tuple[Any, ...] = (),
        as_native_array: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Call a function of native arrays, and return the proxies of its results."""
        real_args = self._each(args, self._real)
        real_kwargs = map_values(kwargs, self._real) if kwargs else kwargs
        with_refs = self._each(args, self._ref)
        kwargs_refs = map_values(kwargs, self._ref) if kwargs else kwargs
        before, self.inside = self.inside, True
        try:
            result = target(*real_args, **real_kwargs)
        finally:
            self.inside = before
        numbers = tuple([self._written(one) for one in writes])
        made = Step(name, target, with_refs, kwargs_refs, writes=numbers, portable=self.portable)
        made.inputs = tuple(refs_in(kwargs_refs, refs_in(with_refs, [])))
        made.ours = as_native_array is not None
        self.steps.append(made)
        return self._results(made, result, as_native_array)

    def _results(
        self, step: Step, result: Any, as_native_array: Callable[[Any], Any] | None
    ) -> Any:
        owns = self.engine.is_array
        if isinstance(result, tuple | list) and any(map(owns, result)):
            parts = [self.proxy(as_native_array(p) if as_native_array else self.engine.whole(p))
                     if owns(p) else p for p in result]  # fmt: skip
            step.several = True
            step.outputs = tuple([p.ref if type(p) is self.engine.STAND_IN else -1 for p in parts])
            if hasattr(result, "_fields"):
                return type(result)(*parts)
            try:
                return type(result)(parts)
            except TypeError:
                return tuple(parts)
        if not owns(result):
            return result
        found = self.proxy(
            as_native_array(result) if as_native_array else self.engine.whole(result)
        )
        step.outputs = (found.ref,)
        return found

    def _written(self, target: Any) -> int:
        """Return the number of the written array; raise if a graph can't write to it."""
        number: int | None = getattr(target, "ref", None)
        if type(target) is not self.engine.STAND_IN:
            with self.paused():
                number = self.memories.get(self.engine.memory_of(target))
        if number is None:
            raise GraphError(
                f"compile_graph: at {place()}, the function writes to an array that it didn't make "
                f"and wasn't given; pass it as an argument, or copy it first with unify.copy_array"
                f" or x + 0"
            )
        if number in self.tracked:
            raise GraphError(
                f"compile_graph: at {place()}, the function writes to a view that "
                f"{self.binding.name} differentiates, or to an array that has one; copy it before "
                f"the write"
            )
        if self.roots[number] in self.frozen or number in self.sealed:
            raise GraphError(
                f"compile_graph: at {place()}, the function writes to memory that "
                f"{self.binding.name} can't share the way NumPy does (a negative step, or what is "
                f"read-only); copy the view before the write"
            )
        return number

    # --- the library's own functions --------------------------------------------------------

    def native(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        writes: tuple[Any, ...] = (),
    ) -> Any:
        """Call a function of the library's, and record it."""
        if self.inside:
            return target(*map_values(args, self._real), **map_values(kwargs, self._real))
        self.portable = self.engine.portable(target, args, kwargs)
        if self.portable is not None:
            self.portable = self._carried(self.portable)
        try:
            result = self.step(self.engine.name_of(target), target, args, kwargs, writes)
        finally:
            self.portable = None
        step = self.steps[-1]
        if step.name in RESHAPES and args:
            self.note_copy(result, args[0])
        if not step.outputs and not writes:
            if step.inputs and not self.engine.is_plain(target, result):
                raise value_needed(self.engine.name_of(target))
            self.steps.pop()  # a shape or a data type, which each call checks
        return result
