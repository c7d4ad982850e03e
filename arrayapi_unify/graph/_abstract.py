"""Traces on backends that trace without values: JAX and TensorFlow.

The framework's own engine traces. Meanwhile our functions call the library's equivalents, so that a
function gives the same graph whether it is written with ours or the library's. Functions without an
equivalent are one node each, whatever they call.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from arrayapi_unify._core.container_base import find
from arrayapi_unify._core.override_protocol import takes_over
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.operators import is_operand
from arrayapi_unify.backends import handler
from arrayapi_unify.backends._common.algorithms.graph_values import (
    NEEDED,
    GraphError,
    Op,
    Portable,
    Ref,
    map_values,
    refs_in,
    user_place,
)
from arrayapi_unify.binding import arguments
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.contract import Returns
from arrayapi_unify.graph._nests import Call, Leaf, Node, holds_array
from arrayapi_unify.graph._patching import patched
from arrayapi_unify.graph._portable import IN_PLACE
from arrayapi_unify.views.confined import Confined
from arrayapi_unify.views.traced import ArgumentLayout, ResultLayout, sees_copies
from arrayapi_unify.views.view import view_of

__all__ = ["AbstractTracer"]


class AbstractTracer:
    """Traces by the framework's own engine."""

    def __init__(self, engine: Any) -> None:
        """Use the engine of a backend."""
        self._engine = engine

    def trace(
        self, binding: Any, call: Any, leaves: list[Any], layout: ArgumentLayout | None
    ) -> AbstractTrace:
        """Trace for arguments of this memory layout."""
        return AbstractTrace(binding, self._engine, call, leaves, layout)


class _Recorder:
    """Records our functions while the framework traces."""

    def __init__(self, binding: Any, engine: Any) -> None:
        self.binding = binding
        self.engine = engine
        self.inside = False
        self.count = itertools.count()
        self.calls: list[tuple[Portable, tuple[int, ...]]] = []
        self.arrays: dict[int, tuple[Any, int]] = {}  # kept, so that ids stay unique
        # By ids: arrays that were given, results of our functions, and what was traced before.
        self.made: set[int] = set()

    # --- calls for to_backend ---------------------------------------------------------------

    def number(self, value: Any) -> Any:
        """Return the number of an array, also of native arrays that no function of ours created."""
        if not isinstance(value, Array) and not self.engine.is_array(value):
            return value
        key = value
        found = self.arrays.get(id(key))
        if found is None and isinstance(value, Array) and self._is_traced(value):
            self.made.add(id(value))
        if found is None and isinstance(value, Array) and view_of(value) is None:
            found = self.arrays.get(id(value._data))
        if found is None:
            found = (key, len(self.arrays))
        self.arrays[id(key)] = (key, found[1])
        if isinstance(value, Array) and view_of(value) is None:
            self.arrays.setdefault(id(value._data), (value._data, found[1]))
        return Ref(found[1])

    def _record(self, call: Portable, result: Any) -> None:
        parts = result if isinstance(result, tuple) else (result,)
        self.calls.append((call, tuple([self.number(part).number for part in parts])))
        if call.name != "set_item" and call.name not in IN_PLACE and "out" not in call.kwargs:
            self.made.update(map(id, parts))

    def _is_traced(self, value: Array) -> bool:
        view = view_of(value)
        held = [value._data] if view is None else [view.memory.data, *view.memory.pending.values()]
        return any(self.binding.backend.tracer_of(x) is not None for x in held)

    def own(self) -> list[Array]:
        """Return the Arrays that aren't from outside, which live as long as this."""
        return [x for x, _ in self.arrays.values() if isinstance(x, Array) and id(x) in self.made]

    # --- calls ------------------------------------------------------------------------------

    def call(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Record a call of a function of ours."""
        contract = CONTRACTS[name]
        given, named = contract.given_arguments(args, kwargs)
        everything = [*given, *named.values()]
        if contract.is_numpys(given, named):
            return own(*args, **kwargs)  # which calls other functions
        nested = contract.nestable and find(given, named) is not None
        if nested or any(map(takes_over, everything)):
            return own(*args, **kwargs)
        call = Portable(name, map_values(given, self.number), map_values(named, self.number))
        before, self.inside = self.inside, True
        try:
            result = self._computed(name, own, args, kwargs, given, named)
        finally:
            self.inside = before
        if contract.mutates:
            result = result if name != "set_item" or result is not None else given[0]
        if contract.returns is not Returns.OTHER or contract.mutates:
            self._record(call, result)
        return result

    def _computed(self, name: str, own: Any, args: Any, kwargs: Any, given: Any, named: Any) -> Any:
        contract = CONTRACTS[name]
        bound = self.binding.bound[name]
        plain = bound.view_factory is None and not contract.mutates and "out" not in named
        if plain and contract.returns is Returns.ARRAY and not contract.passes_through:
            found = self._equivalent(bound, name, given, named)
            if found is not None:
                return found
        with self.engine.group(f"unify.{name}.{next(self.count)}"):
            return own(*args, **kwargs)

    def _equivalent(self, bound: Any, name: str, given: Any, named: Any) -> Any:
        """Call the library's own function if it is equivalent."""
        try:
            found = arguments.Arguments(bound.contract, given, named)
            same, positional, keywords = bound.prepare(given, named, found)
            if len(given) > len(bound.contract.by_position) or same is not bound:
                return None
            found = self.engine.equivalent(name, positional, keywords)
            if found is None:
                return None
            target, args, kwargs = found
            with self.engine.group(f"api.{next(self.count)}"):
                return self.binding.wrap(target(*args, **kwargs))
        except Exception:  # our own function raises the better error
            return None

    def top_level(self, name: str, own: Any, args: Any, kwargs: Any) -> Any:
        """Record a call at the top level, unless another backend is to compute it."""
        explicit = handler.active_backend()
        if explicit is None and not holds_array([*args, *kwargs.values()]):
            explicit = handler.choose(name, ())
        if explicit is not None and explicit != self.binding.name:
            return own(*args, **kwargs)
        return self.call(name, own, args, kwargs)

    def unary(self, name: str, own: Any, args: Any, kwargs: Any) -> Any:
        """Record an operator with the arguments of its function."""
        return self.call(name, own, args, kwargs)

    def transposed(self, name: str, own: Any, args: Any, kwargs: Any) -> Any:
        """Record `x.T`, which only matrices have."""
        matrix = args[0].ndim == 2
        return self.call(name, own, args, kwargs) if matrix else own(*args, **kwargs)

    def operator(self, name: str, own: Any, args: Any, kwargs: Any) -> Any:
        """Record `x op y`."""
        return self.call(name, own, args, kwargs) if is_operand(args[1]) else NotImplemented

    def reflected(self, name: str, own: Any, args: Any, kwargs: Any) -> Any:
        """Record `y op x`."""
        if not is_operand(args[1]):
            return NotImplemented
        return self.call(name, lambda x, y: own(y, x), (args[1], args[0]), kwargs)

    def in_place(self, name: str, own: Any, args: Any, kwargs: Any) -> Any:
        """Record `x op= y`."""
        other = args[1]
        if takes_over(other) or not is_operand(other) or find(args, {}) is not None:
            return NotImplemented
        call = Portable(f"i{name}", map_values(args, self.number), {})
        before, self.inside = self.inside, True
        try:
            with self.engine.group(f"unify.{name}_.{next(self.count)}"):
                result = own(*args, **kwargs)
        finally:
            self.inside = before
        self._record(call, result)
        return result


class AbstractTrace:
    """A trace made by a framework, with a record of the calls of our functions."""

    def __init__(
        self, binding: Any, engine: Any, call: Any, leaves: list[Any], layout: ArgumentLayout | None
    ) -> None:
        """Trace `call`, a function of the leaves, which returns arrays of any kind."""
        self.binding = binding
        self.engine = engine
        self.writes_inputs = False
        self.written: list[int] = []  # the indices of the arguments that are written to
        self.by_memory = layout is not None
        recorder = _Recorder(binding, engine)
        ours = [isinstance(leaf, Array) for leaf in leaves]

        def of_natives(*natives: Any) -> list[Any]:
            if layout is not None:
                given = layout.made(binding, natives)
                natives = tuple([v._data if o else v for v, o in zip(given, ours, strict=True)])
            else:
                given = [binding.wrap(n) if o else n for n, o in zip(natives, ours, strict=True)]
            self._inputs = [recorder.number(value) for value in given]
            recorder.made.update(map(id, given))
            with patched(recorder, binding.name):
                results = list(call(given))
                self.results = [recorder.number(value) for value in results]
                self._note_writes(given, natives)
            written = [given[i] for i in self.written]
            self.shared = ResultLayout(binding.backend, given, results)
            self.copies = sees_copies(given)
            roots, self.shared.roots = self.shared.roots, []
            arrays = (*results, *written)
            return [*[v._data if isinstance(v, Array) else v for v in arrays], *roots]

        natives = [leaf._data if o else leaf for leaf, o in zip(leaves, ours, strict=True)]
        natives = natives if layout is None else layout.natives(leaves)
        scope = Confined("compile_graph", binding.backend, (), decides=True)
        try:
            with scope:
                self.traced = engine.trace(of_natives, natives)
        except Exception as error:
            if (place := needs_value(engine, error)) is None:
                raise
            raise GraphError(f"compile_graph: at {place}, the function {NEEDED}") from error
        scope.check(recorder.own())
        self._recorder = recorder
        self._natives = [_Spec(n) for n in natives]
        self.writes_inputs = bool(self.written)
        # True if the memory layout of the arguments matters.
        self.looks = self.writes_inputs or self.shared.of_arguments or self.copies
        shared = self.shared
        self.shares = self.looks or bool(shared.places or shared.same or shared.own)

    def _note_writes(self, given: list[Any], natives: Any) -> None:
        """Find the arguments that were written to, whose Arrays have other data now."""
        for i, (value, native) in enumerate(zip(given, natives, strict=True)):
            if isinstance(value, Array) and value._data is not native:
                self.written.append(i)

    def core(self) -> Callable[..., Any]:
        """Return the function of native arrays."""
        return self.traced.run

    def fast(self, wrapped: list[bool], result: Any, slow: Callable[..., Any]) -> Any:
        """Return the function for arguments exactly as traced; `slow` handles the others."""
        single = result.wrapped if type(result) is Leaf else None
        run, cls = self.traced.run, self.binding.array
        specs = [(spec.shape, spec.dtype) for spec in self._natives]
        if wrapped == [True] and single:
            ((shape, dtype),) = specs

            def one(x: Any) -> Any:
                if type(x) is not cls or x._data.shape != shape or x._data.dtype != dtype:
                    return slow(x)
                made = cls()
                (made._data,) = run(x._data)
                return made

            return one
        kinds = [spec.kind for spec in self._natives]
        if not any(wrapped) and single is False:

            def natives(*xs: Any) -> Any:
                for x, kind, (shape, dtype) in zip(xs, kinds, specs, strict=False):
                    if type(x) is not kind or x.shape != shape or x.dtype != dtype:
                        return slow(*xs)
                return run(*xs)[0] if len(xs) == len(specs) else slow(*xs)

            return natives
        return slow

    def calls(self) -> list[Call]:
        """Return the calls of our functions in the graph, and the native calls between them."""
        values = {number: value for value, number in reversed(self._recorder.arrays.values())}
        natives = sorted({op.place for op in self.traced.ops if op.native})
        made, found = set(self._inputs_numbers()), list[Call]()
        results = [r.number for r in self.results if type(r) is Ref]
        for call, outputs in self._recorder.calls:
            for number in refs_in([call.args, call.kwargs], []):
                if number not in made:
                    made.add(number)
                    found.append(self._unknown(values[number], number, natives))
            found.append(Call(call, None, outputs))
            made.update(outputs)
        found += [self._unknown(values[n], n, natives) for n in results if n not in made]
        return _needed(found, results)

    def _unknown(self, value: Any, number: int, natives: list[str]) -> Call:
        """Return the source of an array that no function of ours created: an outside constant."""
        native = value._data if isinstance(value, Array) else value
        if self.binding.backend.tracer_of(native) is None:
            return Call(Portable("asarray", (native,), {}), None, (number,))
        return Call(None, ", ".join(natives) or "an array of the trace", (number,))

    def _inputs_numbers(self) -> list[int]:
        return [ref.number for ref in self._inputs]

    def returned(
        self, results: list[Any], given: list[Any], roots: Sequence[Any], wrapped: list[bool]
    ) -> list[Any]:
        """Build the function's result from native arrays, with the same sharing of memory."""
        made = self.shared.made(self.binding, given, dict(enumerate(results)), roots)
        for i, (native, ours) in enumerate(zip(results, wrapped, strict=True)):
            if i in self.shared.own:
                made[i] = given[self.shared.own[i]]
            elif i in self.shared.same:
                made[i] = made[self.shared.same[i]]
            elif i not in made:
                made[i] = self.binding.wrap(native) if ours else native
        return [made[i] for i in range(len(results))]

    def ends(self) -> tuple[list[int], list[Any]]:
        """Return the numbers of the arguments, and the results as numbers or constants."""
        return self._inputs_numbers(), self.results

    # --- display ----------------------------------------------------------------------------

    def code(self, parameters: list[str]) -> str:
        """Return the framework's text of the traced program."""
        return self.traced.text()

    def nodes(self, names: list[str]) -> tuple[tuple[Node, ...], tuple[str, ...]]:
        """Return the nodes, and the names of the results."""
        known: dict[Any, str] = {}
        places: dict[Any, Any] = {}
        for i, (value, name) in enumerate(zip(self.traced.inputs, names, strict=True)):
            known[value], places[value] = name, f"<{i}>"
        groups: dict[Any, list[Op]] = {}
        for op in self.traced.ops:
            groups.setdefault(op.group, []).append(op)
        outside = _outside(groups, self.traced.outputs)
        made = []
        for ops in groups.values():
            for op in ops:
                for value in op.outputs:
                    if value in outside:
                        known[value] = places[value] = f"v{len(known) - len(names) + 1}"
            made.append(self._node(ops, known, places))
        outputs = [known.get(value, "constant") for value in self.traced.outputs]
        return tuple(made), tuple(outputs[: len(self.results)])

    def _node(self, ops: list[Op], known: dict[Any, str], places: dict[Any, Any]) -> Node:
        inner: dict[Any, Any] = {}
        meaning = []
        inputs: dict[str, None] = {}
        outputs = []
        for op in ops:
            given = [inner.get(v, places.get(v, v)) for v in op.inputs]
            inputs |= {known[v]: None for v in op.inputs if v in known and v not in inner}
            inner |= {v: ("inner", len(inner) + i) for i, v in enumerate(op.outputs)}
            outputs += [known[v] for v in op.outputs if v in known]
            meaning.append((op.name, tuple(map(str, given)), op.detail))
        return Node(ops[-1].label, ops[0].place, tuple(inputs), tuple(outputs), tuple(meaning))


def _needed(calls: list[Call], results: list[int]) -> list[Call]:
    """Keep the calls that contribute to the result, and those that write."""
    live, kept = set(results), []
    for call in reversed(calls):
        portable = call.portable
        writes = portable is not None and (
            portable.name == "set_item" or portable.name in IN_PLACE or "out" in portable.kwargs
        )
        if writes or not live.isdisjoint(call.outputs):
            kept.append(call)
            if portable is not None:
                live.update(refs_in([portable.args, portable.kwargs], []))
    return kept[::-1]


class _Spec:
    """The required shape, data type and class of an argument."""

    def __init__(self, native: Any) -> None:
        self.shape, self.dtype, self.kind = native.shape, native.dtype, type(native)


def _outside(groups: dict[Any, list[Op]], outputs: Any) -> set[Any]:
    """Return the values of a group that are used outside of it."""
    home = {value: key for key, ops in groups.items() for op in ops for value in op.outputs}
    found = set(outputs)
    for key, ops in groups.items():
        found |= {v for op in ops for v in op.inputs if home.get(v, key) != key}
    return found


def needs_value(engine: Any, error: BaseException) -> str | None:
    """Return the line that needs a traced value, if an error reports that."""
    one: BaseException | None = error
    seen = 0
    while one is not None and seen < 10:
        if engine.asks_for_value(one):
            return user_place(error) or user_place(one) or "?"
        one, seen = one.__cause__ or one.__context__, seen + 1
    return None
