"""Programs: what a function was compiled to for calls of one kind.

A library's compiler takes a function of flat native arrays. What the function returns beside arrays
is found out while it is traced. JAX and TensorFlow return arrays alone, so a program that they made
has a `Results`: how the arrays become what the function returned. What PyTorch and NumPy compile
returns everything itself.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar

from arrayapi_unify.array_object import Array, following
from arrayapi_unify.array_object.views import view_of
from arrayapi_unify.compilation._calls import Leaves, Spelling, function_of
from arrayapi_unify.compilation._reading import Reading, Varies
from arrayapi_unify.errors import BackendError

__all__ = ["Flat", "Program", "Results", "Whole"]


class Results:
    """What a function returned: arrays, and all else, which is the same in each call."""

    def __init__(
        self, binding: Any, ret: Any, given: Sequence[Any], natives: Sequence[Any]
    ) -> None:
        """Look at what came while a call was traced, and which arguments were written to.

        An argument that is returned is the caller's own.
        """
        own = {id(x): place for place, x in enumerate(given) if isinstance(x, Array)}
        leaves = Leaves(binding, {known: f"g{place}" for known, place in own.items()})
        written = [
            place
            for place, (x, data) in enumerate(zip(given, natives, strict=True))
            if isinstance(x, Array) and x._data is not data
        ]
        self.key: Hashable = leaves.key(ret), tuple(written)
        self.written = written
        self.kinds = leaves.kinds
        spelling = Spelling(leaves)
        result = spelling.expression(ret)
        self.names = spelling.names
        self.parameters = spelling.parameters("a")
        self.own = [place for place in own.values() if f"g{place}" in result]
        self.lines = [*spelling.wrapping(), f"return {result}"]
        traced = [*leaves.natives, *(given[place]._data for place in written)]
        self.traced: Any = traced[0] if len(traced) == 1 else tuple(traced)
        self.count = len(traced)

    @property
    def unpacking(self) -> str:
        """The left side of an assignment of what the program returns."""
        names = [*self.parameters, *(f"w{place}" for place in self.written)]
        return names[0] if len(names) == 1 else f"({''.join(f'{name}, ' for name in names)})"


class Program:
    """A function compiled for calls of one key."""

    EXACT: ClassVar[bool] = False
    """Whether a short call looks at shapes and data types, and raises `Varies` for others."""

    def __init__(self) -> None:
        """Make a program that serves all shapes so far; it holds no arrays of the call."""
        # Set where shapes and data types decide what the function returns.
        self.by_shape: dict[Hashable, Program] | None = None

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays."""
        raise NotImplementedError

    def short(self, reading: Reading) -> Callable[..., Any] | None:
        """Return a function that reads its arguments so and makes the call; None if it can't."""
        raise NotImplementedError


def _shortly(
    reading: Reading, compiled: Callable[..., Any], results: Results | None = None
) -> Callable[..., Any]:
    """Make a function that calls what was compiled, and builds the results if it doesn't."""
    call = f"_compiled({', '.join(reading.natives)})"
    if results is None or (results.kinds == [None] and results.lines[-1] == "return x0"):
        if reading.bare:
            return compiled  # native arrays in, and out
        lines, names = [f"return {call}"], {}
    else:
        own = [f"g{place} = {reading.arrays[place]}" for place in results.own]
        lines, names = [f"{results.unpacking} = {call}", *own, *results.lines], results.names
    names = {**names, **reading.names, "_compiled": compiled}
    return function_of("call", reading.parameters, [*reading.lines, *lines], names)


class Whole(Program):
    """A program that takes native arrays, and returns what the function returns."""

    def __init__(
        self,
        function: Callable[..., Any],
        leaves: Leaves,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        compiler: Callable[[Callable[..., Any]], Callable[..., Any]],
    ) -> None:
        """Have a library compile the call; it traces it when it is first made."""
        super().__init__()
        spelling = Spelling(leaves)
        lines = [*spelling.wrapping(), f"return {spelling.call(function, args, kwargs)}"]
        self._compiled = compiler(spelling.function("compiled", "a", lines))

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays."""
        return self._compiled(*leaves.natives)

    def short(self, reading: Reading) -> Callable[..., Any] | None:
        """Return a function of positional arguments alone."""
        return _shortly(reading, self._compiled)


class Flat(Program):
    """A program that takes and returns native arrays."""

    def __init__(
        self,
        function: Callable[..., Any],
        leaves: Leaves,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        compiler: Callable[[Callable[..., Any]], Callable[..., Any]],
        binding: Any,
    ) -> None:
        """Have a library compile the call; it traces it when it is first made."""
        super().__init__()
        self._binding = binding
        self._results: Results | None = None
        self._built: Callable[..., Any] | None = None
        spelling = Spelling(leaves)
        call = spelling.call(function, args, kwargs)
        given, natives = ("".join(f"{x}, " for x in spelling.parameters(letter)) for letter in "xa")
        spelling.names["_traced"] = self._traced
        lines = [*spelling.wrapping(), f"return _traced({call}, ({given}), ({natives}))"]
        self._compiled = compiler(spelling.function("compiled", "a", lines))

    def compiled_by(self, compiler: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Flat:
        """Return the program that a compiler, which traces at once, makes of this one."""
        compiled = compiler(self._compiled)
        made = copy.copy(self)
        made._compiled = compiled
        return made

    def _traced(self, ret: Any, given: Sequence[Any], natives: Sequence[Any]) -> Any:
        """Take the results of a call that is being traced; the program returns the arrays."""
        results = Results(self._binding, ret, given, natives)
        if self._results is None:
            self._results = results
        elif self._results.key != results.key:
            raise Varies
        traced, results.traced = results.traced, None
        return traced

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays."""
        found = self._compiled(*leaves.natives)
        results = self._results
        assert results is not None  # the program has been traced by now
        if self._built is None:
            names = [*results.parameters, *(f"g{place}" for place in results.own)]
            self._built = function_of("built", names, results.lines, results.names)
        natives = (found,) if results.count == 1 else found
        count = len(results.parameters)
        if results.written:
            self._write(leaves, natives[count:])
        return self._built(*natives[:count], *(leaves.arrays[place] for place in results.own))

    def _write(self, leaves: Leaves, values: Sequence[Any]) -> None:
        """Write to the caller's arrays what the function wrote to its own."""
        assert self._results is not None
        views = [view_of(x) for x in leaves.arrays if isinstance(x, Array)]
        memories = [view.memory for view in views if view is not None]
        if len({id(memory) for memory in memories}) < len(memories):
            raise BackendError(
                "compile: the function writes to an argument that shares memory with another one; "
                "pass a copy of one of them"
            )
        for place, value in zip(self._results.written, values, strict=True):
            following.replace(leaves.arrays[place], value)

    def short(self, reading: Reading) -> Callable[..., Any] | None:
        """Return a function of positional arguments alone."""
        results = self._results
        if results is None or results.written:
            return None
        return _shortly(reading, self._compiled, results)
