"""Programs: compiled functions for calls of one kind.

A library's compiler takes a function of flat native arrays. The other parts of the function's
result are recorded while it is traced. Programs of JAX and TensorFlow return arrays only, and have
a `Results` that rebuilds the function's result from them. Programs of PyTorch and NumPy return the
whole result themselves.
"""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, ClassVar

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.protocols.transformations import Derived
from arrayapi_unify.compilation._call_key import Leaves, SourceBuilder, function_of
from arrayapi_unify.compilation._guards import GuardBuilder, GuardFailed
from arrayapi_unify.compilation._lru_cache import LRUCache
from arrayapi_unify.functional._carried import lowered
from arrayapi_unify.functional._held import refuse_held
from arrayapi_unify.functional._transforms import traced_once
from arrayapi_unify.views import writes
from arrayapi_unify.views.traced import ResultLayout, arrays_of, reaches, sees_copies

__all__ = ["Aliased", "Captured", "FlatProgram", "Program", "Results", "TreeProgram"]


class Aliased(Exception):
    """The program takes arrays as arguments, and these aren't arrays."""

    def __init__(self, program: Program) -> None:
        """Store the program."""
        super().__init__()
        self.program = program


class Captured(Exception):
    """A call would write to an Array that the function also refers to; nothing is written yet."""


class Results:
    """The result of a function: arrays, and everything else, which is the same in each call."""

    def __init__(
        self, binding: Any, ret: Any, given: Sequence[Any], natives: Sequence[Any]
    ) -> None:
        """Analyse the result of a traced call, and the arguments that it wrote to.

        An argument that is returned is the caller's own.
        """
        ret = lowered("compile", "function", ret, returned=True)
        refuse_held("compile", "function", ret, lambda x: binding.backend.tracer_of(x) is not None)
        own = {id(x): place for place, x in enumerate(given) if isinstance(x, Array)}
        named = {known: f"g{place}" for known, place in own.items()}
        found = Leaves(binding, named)
        key = found.key(ret)
        follows = (
            binding.backend.VIEW_EMULATION is True
        )  # otherwise the library itself shares memory
        self.shared = ResultLayout(binding.backend, *(given, found.arrays) if follows else ((), ()))
        self.shared_places = self.shared.places
        shared = [found.arrays[i] for i in self.shared_places]
        leaves = Leaves(binding, named | {id(x): f"s{i}" for i, x in enumerate(shared)})
        leaves.key(ret)
        self.written = [
            place
            for place, (x, data) in enumerate(zip(given, natives, strict=True))
            if isinstance(x, Array) and x._data is not data
        ]
        self.key: Hashable = key, tuple(self.written), self.shared.key
        self.kinds = leaves.kinds
        builder = SourceBuilder(leaves)
        result = builder.expression(ret)
        self.names = builder.names
        self.parameters = builder.parameters("a")
        self.own = [place for place in own.values() if f"g{place}" in result]
        self.lines = [*builder.wrapping(), f"return {result}"]
        written = [given[place]._data for place in self.written]
        parts = [x._data for x in shared]
        traced = [*leaves.natives, *written, *parts, *self.shared.roots]
        self.shared.roots = []
        self.traced: Any = traced[0] if len(traced) == 1 else tuple(traced)
        self.count = len(traced)
        self.looks = bool(self.written or self.shared.of_arguments)
        """True if the memory layout of the arguments matters in each call."""
        self.copies = follows and sees_copies(given)
        """True if it matters for arguments that don't have the layout of new arrays."""

    def made(self, binding: Any, given: Sequence[Any], natives: Sequence[Any]) -> tuple[Any, ...]:
        """Create the results that share memory, from the program's results."""
        start = len(self.parameters) + len(self.written)
        end = start + len(self.shared_places)
        parts = dict(zip(self.shared_places, natives[start:end], strict=True))
        made = self.shared.made(binding, given, parts, natives[end:])
        return tuple([made[i] for i in self.shared_places])

    def unpacking(self, binding: Any, call: str) -> list[str]:
        """Return the lines that assign the results of a program without writes."""
        names = "".join(f"{name}, " for name in self.parameters)
        if self.count == 1:
            return [f"{self.parameters[0]} = {call}"]
        if not self.shared_places:
            return [f"({names}) = {call}"]
        self.names["_sharing"] = functools.partial(self.made, binding, ())
        shared = "".join(f"s{i}, " for i in range(len(self.shared_places)))
        return [
            f"_all = {call}",
            f"({names}) = _all[:{len(self.parameters)}]",
            f"({shared}) = _sharing(_all)",
        ]


class Program:
    """A function compiled for calls of one key."""

    EXACT: ClassVar[bool] = False
    """True if the fast path checks shapes and data types, and raises `GuardFailed` for others."""

    def __init__(self) -> None:
        """Create a program that serves all shapes so far; it refers to no arrays of the call."""
        # Set if shapes and data types determine the structure of the result.
        self.by_shape: LRUCache[Program] | None = None
        # True if the memory layout of the arguments matters, as far as the trace shows.
        self.looks = False

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays."""
        raise NotImplementedError

    def fast_path(self, guards: GuardBuilder) -> Callable[..., Any] | None:
        """Return a function that extracts its arrays by a guard and calls; None if it can't."""
        raise NotImplementedError


def _make_fast_path(
    guards: GuardBuilder,
    compiled: Callable[..., Any],
    results: Results | None = None,
    binding: Any = None,
) -> Callable[..., Any]:
    """Create a function that calls the compiled program, and builds the results if necessary."""
    call = f"_compiled({', '.join(guards.natives)})"
    if results is None or (results.kinds == [None] and results.lines[-1] == "return x0"):
        if guards.bare:
            return compiled  # native arrays in, and out
        lines, names = [f"return {call}"], {}
    else:
        own = [f"g{place} = {guards.arrays[place]}" for place in results.own]
        lines = [*results.unpacking(binding, call), *own, *results.lines]
        names = results.names
    checks = guards.plain if results is not None and results.copies else []
    names = {**names, **guards.names, "_compiled": compiled}
    return function_of("call", guards.parameters, [*guards.lines, *checks, *lines], names)


def _natives(*arrays: Any) -> tuple[Any, ...]:
    return tuple([x._data if isinstance(x, Array) else x for x in arrays])


class TreeProgram(Program):
    """A program that takes native arrays, and returns the function's whole result.

    A write to a tracked array gives it other data. So a call with these takes the Arrays
    themselves, whose data and views the compiler updates as the function does.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        leaves: Leaves,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        library: Derived,
        options: Mapping[str, Any],
    ) -> None:
        """Have a library compile the call; it traces it when it is first made."""
        super().__init__()
        builder = SourceBuilder(leaves)
        line = f"return {builder.call(function, args, kwargs)}"
        code = builder.function("compiled", builder.natives(), [*builder.wrapping(), line])
        self._compiled, self._library = library.compiled(code, **options), library
        code = builder.function("compiled", builder.parameters("x"), [line])
        self._of_arrays = library.compiled(code, **options) if any(leaves.kinds) else None
        self._function = function

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays."""
        natives, library = leaves.natives, self._library
        tracked = library.transforming() or any(getattr(x, library.TRACKED) for x in natives)
        if self._of_arrays is not None and tracked:
            return self.watched(leaves, functools.partial(self._of_arrays, *leaves.arrays))
        return self.watched(leaves, lambda: self._compiled(*natives))

    def watched(self, leaves: Leaves, call: Callable[[], Any]) -> Any:
        """Make a call, and note if it writes to the arrays."""
        natives = leaves.natives
        before = self._library.versions(natives)
        ret = call()
        others = any(map(operator.is_not, leaves.natives, natives))
        self.looks = self.looks or others or self._library.versions(natives) != before
        return ret

    def fast_path(self, guards: GuardBuilder) -> Callable[..., Any] | None:
        """Return a function of positional arguments alone."""
        if self.looks and next(arrays_of(self._function), None) is not None:
            return None
        if self.looks and len(guards.natives) > 1:
            guards.names["_overlap"] = self._library.overlap
            guards.expect(f"not _overlap({', '.join(guards.natives)})")
        if self._of_arrays is not None:
            library = self._library
            guards.names |= {"_inside": library.transforming, "_of_arrays": self._of_arrays}
            tracked = "".join(f"{x}.{library.TRACKED} or " for x in guards.natives)
            call = f"return _of_arrays({', '.join(guards.arrays)})"
            guards.lines += [f"if {tracked}_inside():", f"    {call}"]
        return _make_fast_path(guards, self._compiled)


class FlatProgram(Program):
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
        self._function = function
        self._first: dict[None, Results] = {}  # the results of the first trace
        self._built: Callable[..., Any] | None = None
        builder = SourceBuilder(leaves)
        call = builder.call(function, args, kwargs)
        given = "".join(f"{x}, " for x in builder.parameters("x"))
        builder.names |= {"_traced": self._traced, "_natives": _natives}
        lines = [
            *builder.wrapping(),
            f"before = _natives({given})",
            f"return _traced({call}, ({given}), before)",
        ]
        natives = builder.natives()
        builder.names["_call"] = builder.function("compiled", natives, lines)
        builder.names["_traced_once"] = functools.partial(traced_once, "compile", binding)
        given = ", ".join(natives)
        line = f"return _traced_once([{given}], lambda: _call({given}))"
        self._compiled = compiler(builder.function("compiled", natives, [line]))

    def compiled_by(
        self, compiler: Callable[[Callable[..., Any]], Callable[..., Any]]
    ) -> FlatProgram:
        """Return the program that a compiler makes of this one by tracing it immediately."""
        compiled = compiler(self._compiled)
        made = copy.copy(self)
        made._compiled = compiled
        return made

    def _traced(self, ret: Any, given: Sequence[Any], natives: Sequence[Any]) -> Any:
        """Record the results of a traced call; the program returns the arrays."""
        results = Results(self._binding, ret, given, natives)
        first = self._first.setdefault(None, results)  # other threads may trace, too
        if first.key != results.key:
            raise GuardFailed
        self.looks = self.looks or results.looks or results.copies
        first.copies |= results.copies
        traced, results.traced = results.traced, None
        return traced

    @property
    def _results(self) -> Results | None:
        return self._first.get(None)

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays."""
        found = self._compiled(*leaves.natives)
        results = self._results
        assert results is not None  # the program has been traced
        if self.looks and leaves.layout is not None and leaves.aliases is None:
            raise Aliased(self)
        if results.written and reaches(self._function, [leaves.arrays[i] for i in results.written]):
            raise Captured
        if self._built is None:
            names = [*results.parameters, *(f"g{place}" for place in results.own)]
            names += [f"s{i}" for i in range(len(results.shared_places))]
            self._built = function_of("built", names, results.lines, results.names)
        natives = (found,) if results.count == 1 else found
        for place, value in zip(results.written, natives[len(results.parameters) :], strict=False):
            writes.assign(leaves.arrays[place], value)
        given = leaves.arrays
        shared = results.made(self._binding, given, natives) if results.shared_places else ()
        own = [given[place] for place in results.own]
        return self._built(*natives[: len(results.parameters)], *own, *shared)

    def fast_path(self, guards: GuardBuilder) -> Callable[..., Any] | None:
        """Return a function of positional arguments alone."""
        results = self._results
        if results is None or results.looks:
            return None
        return _make_fast_path(guards, self._compiled, results, self._binding)
