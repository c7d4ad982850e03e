"""Traces on backends whose functions run while they are traced: NumPy and PyTorch."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arrayapi_unify._core.locks import lazy
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.graph_values import (
    GraphError,
    Ref,
    Step,
    map_values,
    refs_in,
)
from arrayapi_unify.graph._nests import Call, Leaf, Node
from arrayapi_unify.graph._patching import patched
from arrayapi_unify.graph._recorder import Recorder
from arrayapi_unify.graph._source import Program, free_name

__all__ = ["EagerTrace"]


class EagerTrace:
    """The steps that contribute to a function's results, and their source."""

    by_memory = True  # running the graph shares memory as the function does

    def __init__(self, binding: Any, engine: Any, call: Callable[[list[Any]], Any], leaves: Any):
        """Trace `call`, a function of the leaves, which returns arrays of any kind."""
        self.binding = binding
        self.engine = engine
        recorder = Recorder(binding, engine)
        given = list(self._proxies(recorder, leaves))
        before = [leaf._data if _wrapped(leaf, engine) else leaf for leaf in given]
        with engine.tracing(recorder), patched(recorder, binding.name):
            results = call(given)
        for leaf, data in zip(given, before, strict=True):
            if _wrapped(leaf, engine) and leaf._data is not data:
                raise GraphError(
                    "compile_graph: the function writes to an argument that autograd tracks, which "
                    "gives the argument another tensor; write to a copy of it"
                )
        self.written: list[int] = []  # writes go to the memory itself
        self.inputs = [recorder._real(data) for data in before]
        self.numbers = [data.ref for data in before]
        self.outputs = [self._output(recorder, value) for value in results]
        bare = {
            output.number
            for output, value in zip(self.outputs, results, strict=True)
            if type(output) is Ref and not _wrapped(value, engine)
        }
        self._unlike, self._copied = self._apart(recorder)
        recorder.merge_roots()
        self.steps = self._pruned(recorder)
        self.writes_inputs = any(step.writes for step in self.steps) and bool(
            {recorder.roots[n] for step in self.steps for n in step.writes}
            & {recorder.roots[n] for n in self.numbers}
        )
        arguments = {recorder.roots[n] for n in self.numbers}
        results = [recorder.roots[n] for n in refs_in(self.outputs, [])]
        shared = len(arguments.union(results)) < len(arguments) + len(results)
        # True if the memory layout of the arguments matters.
        self.looks = self.writes_inputs or shared or self._unlike
        self.shares = self.looks if binding.backend.aliasing else self.writes_inputs or self._unlike
        # The arrays themselves are released.
        self._scalars: set[int] = set()
        self._integers: set[int] = set()
        if engine.WHOLE is not None:
            self._scalars = self._made_whole(recorder, bare)
            self._integers = {n for n, value in enumerate(recorder.values)
                              if not value.ndim and value.dtype.kind in "iu"}  # fmt: skip
        constant = self.engine.CONSTANT
        self.constants = {n: constant for n, value in enumerate(recorder.values)
                          if constant and value.ndim and value.dtype == "float64"}  # fmt: skip

    def _proxies(self, recorder: Recorder, leaves: Any) -> Iterator[Any]:
        """Create proxies of copies of the arguments, so that tracing modifies no argument.

        An array that is passed twice has two copies, because a later call may pass two arrays.
        """
        for leaf in leaves:
            ours = isinstance(leaf, Array)
            found = recorder.input(self.engine.copied(leaf._data if ours else leaf))
            yield self.binding.wrap(found) if ours else found

    def _output(self, recorder: Recorder, value: Any) -> Any:
        native = value._data if _wrapped(value, self.engine) else value
        return recorder._ref(native)

    def _pruned(self, recorder: Recorder) -> list[Step]:
        """Keep the steps that the results need, and writes to memory that is read later."""
        roots = recorder.roots
        live = set(refs_in(self.outputs, []))
        memory = {roots[n] for n in live} | {roots[n] for n in recorder.inputs}
        kept: list[Step] = []
        for step in reversed(recorder.steps):
            needed = not live.isdisjoint(step.outputs)
            if step.writes:
                needed = needed or any(roots[n] in memory for n in step.writes)
            if needed:
                kept.append(step)
                live.update(step.inputs)
                memory.update([roots[n] for n in step.inputs])
        return kept[::-1]

    def _apart(self, recorder: Recorder) -> tuple[bool, bool]:
        """Find out if results, or arguments, are copies where NumPy has views.

        Writes to the memory of such an argument aren't supported.
        """
        arguments = {recorder.roots[n] for n in self.numbers}
        results = {recorder.roots[n] for n in refs_in(self.outputs, [])}
        frozen = recorder.frozen
        return _unlike(frozen, arguments, results), not arguments.isdisjoint(frozen)

    def knows(self, natives: Sequence[Any]) -> bool:
        """Return True if the graph is correct for arguments that share memory like these."""
        memories = set(map(self.engine.memory_of, natives)) if self._copied else natives
        return not self._unlike and (len(memories) == len(natives) or not self.writes_inputs)

    def _made_whole(self, recorder: Recorder, bare: set[int]) -> set[int]:
        """Return the values that the library may give as scalars, where arrays are needed.

        The library's elementwise functions take its own scalars for arrays. `bare` are results that
        stay native: they are scalars where the library's own function is called.
        """
        engine = self.engine
        touched = {recorder.roots[n] for step in self.steps for n in step.writes}
        found = {n for n, root in enumerate(recorder.roots) if root in touched}
        for step in self.steps:
            if not engine.takes_scalars(step.target):
                found.update(step.inputs)
            if not engine.is_library(step.target):
                found.update(step.outputs)
            if step.ours:
                found.update(bare.intersection(step.outputs))
        return {n for n in found if n >= 0 and not recorder.values[n].ndim}

    def calls(self) -> list[Call]:
        """Return the calls of our functions in the graph, as far as they have one."""
        return [
            Call(step.portable, None if step.portable else self._where(step.target), step.outputs)
            for step in self.steps
        ]

    def ends(self) -> tuple[list[int], list[Any]]:
        """Return the numbers of the arguments, and the results as numbers or constants."""
        return self.numbers, self.outputs

    # --- execution --------------------------------------------------------------------------

    @lazy
    def _program(self) -> tuple[Program, list[str], str]:
        """The rendered program, with its lines and the source of its results."""
        return self._rendered(self.constants)

    def _rendered(self, constants: Any) -> tuple[Program, list[str], str]:
        engine = self.engine
        program = Program(engine.WHOLE, self._scalars, engine.INFIX, self._integers, constants)
        lines = program.lines(self.steps, self.numbers, self.outputs)
        results = ", ".join(map(program.render, self.outputs))
        if len(self.outputs) == 1:
            results += ","
        return program, lines, f"({results})" if self.outputs else "()"

    def core(self) -> Callable[..., tuple[Any, ...]]:
        """Return the function of native arrays."""
        program, lines, results = self._program
        return program.compiled([*self._same(), *lines, f"return {results}"], self._parameters())

    def _parameters(self) -> str:
        return ", ".join(f"a{i}" for i in range(len(self.numbers)))

    def _same(self) -> list[str]:
        return [f"v{n} = a{i}" for i, n in enumerate(self.numbers)]

    def fast(self, wrapped: list[bool], result: Any, slow: Callable[..., Any]) -> Any:
        """Return the function for arguments exactly as traced; `slow` handles the others.

        `result` is the nest that it returns, with a `Leaf` for each array.
        """
        program, lines, _ = self._program
        cls = program.name(self.binding.array, "array_class")
        refuse = program.name(slow, "check")
        head = []
        for i, (n, ours) in enumerate(zip(self.numbers, wrapped, strict=True)):
            native = self.inputs[i]
            library = program.name(type(native), "native_class")
            kind = cls if ours else library
            shape, dtype = program.name(native.shape, "shape"), program.name(native.dtype, "dtype")
            data = f"(v{n} := a{i})"
            if ours:  # a native value stands in for an array while another trace runs
                kind, data = f"{kind} or type(v{n} := a{i}._data) is not {library}", f"v{n}"
            head.append(
                f"if type(a{i}) is not {kind} or {data}.shape != {shape} or v{n}.dtype "
                f"{self.engine.DTYPE_IS_NOT} {dtype}: return {refuse}({self._parameters()})"
            )
        body = [*head, *lines]
        found = self._returned(program, cls, result, iter(self.outputs), body)
        return program.compiled([*body, f"return {found}"], self._parameters())

    def _returned(
        self, program: Program, cls: str, result: Any, outputs: Iterator[Any], lines: list[str]
    ) -> str:
        """Render a nest of the next results, and add the lines that wrap them as Arrays."""
        kind = type(result)
        if kind is Leaf:
            return self._wrapped_in(program, cls if result.wrapped else None, next(outputs), lines)

        def rendered(part: Any) -> str:
            return self._returned(program, cls, part, outputs, lines)

        if kind is dict:
            return (
                f"{{{', '.join(f'{program.render(k)}: {rendered(v)}' for k, v in result.items())}}}"
            )
        if kind is list:
            return f"[{', '.join(map(rendered, result))}]"
        if kind is not tuple:
            return program.render(result)
        made, keys, parts = result
        inside = "".join(f"{rendered(part)}, " for part in parts)
        if made is tuple:
            return f"({inside})"
        made = program.name(made, "kind")
        if keys is None:
            return f"{made}({inside})"
        return f"{made}._unflatten_node({program.name(keys, 'keys')}, [{inside}])"

    def _wrapped_in(self, program: Program, cls: str | None, output: Any, lines: list[str]) -> str:
        if cls is None:
            return program.render(output)
        native = program.render(output)
        if self.engine.WHOLE is not None:
            native = f"{program.name(self.engine.WHOLE, 'asarray')}({native})"
        name = f"r{len(lines)}"  # unique
        lines += [f"{name} = {cls}()", f"{name}._data = {native}"]
        return name

    def returned(
        self, results: list[Any], given: list[Any], roots: Any, wrapped: list[bool]
    ) -> list[Any]:
        """Build the function's result from native arrays, or from scalars in their place."""
        whole, wrap = self.engine.WHOLE or _as_it_is, self.binding.wrap
        pairs = zip(results, wrapped, strict=True)
        return [wrap(whole(native)) if ours else native for native, ours in pairs]

    # --- display ----------------------------------------------------------------------------

    def code(self, parameters: list[str]) -> str:
        """Return the source of the function of native arrays, with its functions' locations."""
        program, lines, results = self._rendered(None)
        taken: list[str] = []
        for name in parameters:
            taken.append(free_name(name, {*program.names, *taken}))
        parameters = taken
        body = [line for line, i in zip(self._same(), parameters, strict=True)]
        body = [f"{line.split(' = ')[0]} = {p}" for line, p in zip(body, parameters, strict=True)]
        used = {id(step.target) for step in self.steps}
        found = [
            f"# {name}: {self._where(value)}"
            for name, value in program.names.items()
            if id(value) in used
        ]
        if len(self.outputs) == 1:
            results = program.render(self.outputs[0])
        rendered = "\n    ".join([*body, *lines, f"return {results}"])
        return "\n".join([*found, f"def graph({', '.join(parameters)}):", f"    {rendered}", ""])

    def nodes(self, names: list[str]) -> tuple[tuple[Node, ...], tuple[str, ...]]:
        """Return the nodes, and the names of the results."""
        known: dict[int, str] = {}
        for number, name in zip(self.numbers, names, strict=True):
            known.setdefault(number, name)
        places = {number: f"<{i}>" for i, number in enumerate(self.numbers)}
        made: list[Node] = []
        for step in self.steps:
            for number in step.outputs:
                if number >= 0 and number not in known:
                    known[number] = f"v{len(known) - len(set(self.numbers)) + 1}"
                    places[number] = known[number]
            made.append(self._node(step, known, places))
        outputs = [known[o.number] if type(o) is Ref else "constant" for o in self.outputs]
        return tuple(made), tuple(outputs)

    def _where(self, target: Any) -> str:
        """Return the public location of a function."""
        found = where_found(target)
        for before, after in self.engine.PLACES.items():
            found = found.replace(before, after)
        return found

    def _node(self, step: Step, known: dict[int, str], places: dict[int, str]) -> Node:
        def leaf(value: Any) -> Any:
            if type(value) is Ref:
                return ("value", places[value.number])
            return fixed(value)

        args, kwargs = self.engine.normalize_call(step.target, step.args, step.kwargs)
        written = tuple(places[n] for n in step.writes)
        outputs = tuple(known[n] for n in step.outputs if n >= 0)
        meaning = (map_values(args, leaf), map_values(kwargs, leaf), written,
                   tuple(places[n] for n in step.outputs if n >= 0))  # fmt: skip
        inputs = tuple(dict.fromkeys(known[n] for n in step.inputs))
        return Node(step.name, self._where(step.target), inputs, outputs, meaning)


def _unlike(frozen: dict[int, int], arguments: set[int], results: set[int]) -> bool:
    """Return True if a result is a copy, but in NumPy a view of an argument or another result."""
    copies = [root for root in results if root in frozen]
    others = [root for root in (*copies, *(arguments - results)) if root in frozen]
    wholes = [frozen[root] for root in others]
    return any(wholes.count(frozen[root]) > 1 for root in copies)


def _as_it_is(value: Any) -> Any:
    return value


def fixed(value: Any) -> Any:
    """Return a constant in a form that compares by value."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        values = value.detach().cpu().numpy() if hasattr(value, "detach") else value
        return ("array", tuple(value.shape), str(value.dtype), values.tolist())
    if isinstance(value, float):
        return repr(value)
    return value


def _wrapped(value: Any, engine: Any) -> bool:
    return type(value) is not engine.STAND_IN and isinstance(value, Array)


def where_found(target: Any) -> str:
    """Return module and name of a function."""
    name = getattr(target, "__qualname__", None) or getattr(target, "__name__", None)
    owner = getattr(target, "__self__", None)
    if name and owner is not None and not inspect.ismodule(owner) and type(owner) is not type:
        return f"{where_found(owner)}.{getattr(target, '__name__', name)}"
    module = getattr(target, "__module__", None) or type(target).__module__
    return f"{module}.{name}" if name else repr(target)
