"""The recorder: takes down each native call, as stand-ins and our own functions report it.

A call of ours is one step: that of the native function, with native arguments. So it is as right as
an eager call. Memory is real while a function is traced and when its graph runs: what was written
is written again, in the same order, so that views and writes mean what they meant.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.operators import is_operand
from arrayapi_unify.backends import handler
from arrayapi_unify.backends._common.tracing import (
    GraphError,
    Portable,
    Ref,
    Step,
    mapped,
    place,
    refs_in,
    value_needed,
)
from arrayapi_unify.binding import CONTRACTS
from arrayapi_unify.binding.contract import Returns
from arrayapi_unify.binding.roles import Role
from arrayapi_unify.container_base import find
from arrayapi_unify.errors import UnifyError
from arrayapi_unify.graph._nests import holds_array
from arrayapi_unify.overrides import takes_over

__all__ = ["Recorder"]

_NESTS: Final = frozenset({list, dict, slice})
# These say what an array holds, which is another thing in each call of the graph.
_VALUES: Final = frozenset({"to_scalar", "to_list", "to_numpy", "to_device_numpy", "all_equal"})


class Recorder:
    """One trace on a backend whose functions run while they are traced."""

    def __init__(self, binding: Any, engine: Any) -> None:
        """Start with nothing."""
        self.binding = binding
        self.engine = engine
        self.inside = False
        self.steps: list[Step] = []
        self.values: list[Any] = []  # what each number stands for; kept, so that ids stay unique
        self.roots: list[int] = []  # which number's memory a value lies in
        self.stand_ins: dict[int, Any] = {}  # by the id of the array
        self.memories: dict[Any, int] = {}  # root by memory
        self.inputs: list[int] = []
        self.frozen: set[int] = set()  # roots of which a library has copies where NumPy has views
        self.sealed: set[int] = set()  # values that are read-only
        self.portable: Portable | None = None
        self._plain = _plain_functions(binding)

    # --- values -----------------------------------------------------------------------------

    def stand_in(self, value: Any) -> Any:
        """Return what stands for a native array; a new number, if it wasn't seen before."""
        found = self.stand_ins.get(id(value))
        if found is None:
            number = len(self.values)
            self.values.append(value)
            before, self.inside = self.inside, True
            memory = self.engine.memory_of(value)
            self.inside = before
            self.roots.append(self.memories.setdefault(memory, number))
            found = self.stand_ins[id(value)] = self.engine.stand_in(self, number, value)
        return found

    def input(self, value: Any) -> Any:
        """Return what stands for an argument."""
        found = self.stand_in(value)
        self.inputs.append(found.ref)
        return found

    def _real(self, value: Any) -> Any:
        return self.values[value.ref] if type(value) is self.engine.STAND_IN else value

    def _ref(self, value: Any) -> Any:
        return Ref(value.ref) if type(value) is self.engine.STAND_IN else value

    def _each(self, args: tuple[Any, ...], leaf: Callable[[Any], Any]) -> tuple[Any, ...]:
        """Do what `mapped` does, without a call for a nest that is none."""
        return tuple([
            mapped(value, leaf) if type(value) in _NESTS or isinstance(value, tuple)
            else leaf(value)
            for value in args
        ])  # fmt: skip

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Do something that isn't recorded."""
        before, self.inside = self.inside, True
        try:
            yield
        finally:
            self.inside = before

    # --- steps ------------------------------------------------------------------------------

    def step(
        self,
        name: str,
        target: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        writes: tuple[Any, ...] = (),
        canonical: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Call a function of native arrays, and return what stands for its results."""
        real_args = self._each(args, self._real)
        real_kwargs = mapped(kwargs, self._real) if kwargs else kwargs
        with_refs = self._each(args, self._ref)
        kwargs_refs = mapped(kwargs, self._ref) if kwargs else kwargs
        before, self.inside = self.inside, True
        try:
            result = target(*real_args, **real_kwargs)
        finally:
            self.inside = before
        numbers = tuple([self._written(one) for one in writes])
        made = Step(name, target, with_refs, kwargs_refs, writes=numbers, portable=self.portable)
        made.inputs = tuple(refs_in(kwargs_refs, refs_in(with_refs, [])))
        self.steps.append(made)
        return self._results(made, result, canonical)

    def _results(self, step: Step, result: Any, canonical: Callable[[Any], Any] | None) -> Any:
        owns = self.engine.is_array
        if isinstance(result, tuple | list) and any(map(owns, result)):
            parts = [self.stand_in(canonical(p) if canonical else self.engine.whole(p))
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
        found = self.stand_in(canonical(result) if canonical else self.engine.whole(result))
        step.outputs = (found.ref,)
        return found

    def _written(self, target: Any) -> int:
        """Return the number of what is written to, unless a graph can't do it."""
        number: int | None = getattr(target, "ref", None)
        if type(target) is not self.engine.STAND_IN:
            with self.aside():
                number = self.memories.get(self.engine.memory_of(target))
        if number is None:
            raise GraphError(
                f"compile_graph: at {place()}, the function writes to an array that it didn't make "
                f"and wasn't given; pass it as an argument, or copy it first with unify.copy_array"
                f" or x + 0"
            )
        if self.roots[number] in self.frozen or number in self.sealed:
            raise GraphError(
                f"compile_graph: at {place()}, the function writes to memory that "
                f"{self.binding.name} can't share the way NumPy does (a negative step, or what is "
                f"read-only); copy the view before the write"
            )
        return number

    # --- the library's own functions ------------------------------------------------------------

    def native(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        writes: tuple[Any, ...] = (),
    ) -> Any:
        """Call a function of the library's, and take it down."""
        if self.inside:
            return target(*mapped(args, self._real), **mapped(kwargs, self._real))
        self.portable = self.engine.portable(target, args, kwargs)
        if self.portable is not None:
            self.portable = self._carried(self.portable)
        try:
            result = self.step(self.engine.name_of(target), target, args, kwargs, writes)
        finally:
            self.portable = None
        step = self.steps[-1]
        if not step.outputs and not writes:
            if step.inputs and not self.engine.is_plain(target, result):
                raise value_needed(self.engine.name_of(target))
            self.steps.pop()  # a shape or a data type, on which each call is checked
        return result

    # --- our own functions ----------------------------------------------------------------------

    def call(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Take down a call of a function of ours."""
        if not kwargs and name in self._plain:
            found = self._quick(name, args)
            if found is not None:
                return found
        contract = CONTRACTS[name]
        given, named = contract.canonical(args, kwargs)
        everything = [*given, *named.values()]
        elsewhere = any(map(takes_over, everything)) or not self._is_ours(everything)
        if elsewhere or (contract.nestable and find(given, named) is not None):
            return own(*args, **kwargs)
        bound = self.binding.bound[name]
        bound.contract.misfit(given, named)
        names = contract.by_position
        if len(given) > len(names):
            names += names[-1:] * (len(given) - len(names))
        positional = [bound.convert(*pair) for pair in zip(names, given, strict=False)]
        keywords = {key: bound.convert(key, value) for key, value in named.items()}
        out = keywords.pop("out", None)
        if not bound.direct and bound.has_halves([*positional, *keywords.values()]):
            bound = bound.widened
        if bound._operands:
            bound._arrays_for_scalars(positional)
        self.portable = self._carried(Portable(name, given, _without_out(named)))
        try:
            if contract.mutates:
                return self._assigned(bound, given[0], positional)
            result = self._leaf(bound, name, tuple(positional), keywords)
            if out is None:
                return result
            self.portable = self._carried(Portable(name, given, named))
            return self._into(bound, out, result)
        except UnifyError:
            raise
        except Exception as error:
            with self.aside():
                shown = mapped((given, named), self._shown)
                raise bound.fail(error, *shown) from error
        finally:
            self.portable = None

    def _quick(self, name: str, args: tuple[Any, ...]) -> Any:
        """Take down a call of nothing but Arrays and numbers; None where it isn't one."""
        kind = self.binding.array
        natives = []
        for value in args:
            if type(value) is kind:
                natives.append(value._data)
            elif type(value) is float or type(value) is int:
                natives.append(value)
            else:
                return None
        if len(args) != self._plain[name] or type(args[0]) is not kind:
            return None
        try:
            found = self.engine.counterpart(name, tuple(natives), {})
            if found is None:
                return None
            target, given, named = found
            label = self.engine.name_of(target)
            self.step(label, target, given, named, (), self.binding.backend.canonical)
        except Exception:  # the long way says what is wrong
            return None
        step = self.steps[-1]
        step.portable = Portable(name, tuple(map(self._ref, natives)), {})
        wrapped = kind()
        wrapped._data = self.stand_ins[id(self.values[step.outputs[0]])]
        return wrapped

    def _is_ours(self, values: list[Any]) -> bool:
        """Whether no array of another backend is among the arguments."""
        return all(
            v.backend == self.binding.name for v in values if isinstance(v, Array)
        )  # fmt: skip

    def _shown(self, value: Any) -> Any:
        """Return an Array that error messages can describe."""
        traced = isinstance(value, Array) and type(value) is not self.engine.STAND_IN
        return self.binding.wrap(self._real(value._data)) if traced else self._real(value)

    def _carried(self, call: Portable) -> Portable:
        """Return a call with numbers in place of arrays."""
        return Portable(
            call.name, mapped(call.args, self._number), mapped(call.kwargs, self._number)
        )

    def _number(self, value: Any) -> Any:
        if isinstance(value, Array) and type(value) is not self.engine.STAND_IN:
            value = value._data
        return self._ref(value)

    def _leaf(
        self, bound: Any, name: str, positional: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        contract, backend = bound.contract, self.binding.backend
        if name in _VALUES:
            traced = refs_in(mapped([positional, keywords], self._ref), [])
            if traced:
                raise value_needed(name)
        arrays = contract.returns is not Returns.PLAIN
        canonical = backend.canonical if arrays else None
        with self.aside():
            found = self.engine.counterpart(name, positional, keywords)
        target, args, kwargs = found or (bound.native, positional, keywords)
        label = self.engine.name_of(target) if found else name
        result = self.step(label, target, args, kwargs, (), canonical)
        if not arrays:
            if not self.steps[-1].outputs:
                self.steps.pop()
            return result
        if bound.follower is not None:
            result = self._followed(bound, positional, keywords, result)
        return self._wrapped(contract, result)

    def _wrapped(self, contract: Any, result: Any) -> Any:
        wrap = self.binding.wrap
        if contract.returns is Returns.ARRAY:
            return wrap(result)
        parts = [wrap(part) for part in result]
        return contract.result_type(*parts) if contract.result_type else tuple(parts)

    def _followed(
        self, bound: Any, positional: tuple[Any, ...], keywords: dict[str, Any], result: Any
    ) -> Any:
        """See to it that a result shares memory where NumPy's does, or that nobody writes to it."""
        if bound.contract.returns is not Returns.ARRAY:
            return result  # the windows of unstack and its like
        source, *rest = positional
        if type(source) is not self.engine.STAND_IN:
            return result
        follower, backend = bound.follower, self.binding.backend
        with self.aside():
            real = self.values[result.ref]
            mine = self.values[source.ref]
            given, named = mapped(rest, self._real), mapped(keywords, self._real)
            copies = follower._sharing.copies
            apart = copies is not None and copies(real, *given, **named)
            shared = real is mine or backend.shares(real, mine)
            locked = not apart and follower._is_locked(_Plain(mine), tuple(given), named)
        if apart and shared:
            self.portable = Portable("asarray", (Ref(result.ref),), {"copy": True})
            return self.step("copy", backend.copy, (result,), {})
        if not apart and not shared and isinstance(backend.FOLLOWED, str):
            self.frozen |= {self.roots[source.ref], self.roots[result.ref]}
        if locked:
            self.sealed.add(result.ref)
        return result

    # --- writes ---------------------------------------------------------------------------------

    def _target(self, array: Any) -> Any:
        """Return what stands for the data of an Array that is about to be written to."""
        data = array._data if isinstance(array, Array) and type(array) is not self.engine.STAND_IN \
            else array  # fmt: skip
        self._written(data)
        return data

    def _write(self, name: str, change: Callable[..., Any], target: Any, *operands: Any) -> None:
        """Write to an Array's memory; where the library makes another array, the Array gets it."""
        data = self._target(target)
        result = self.step(name, change, (data, *operands), {}, (data,))
        if result is not None and result is not data and isinstance(target, Array):
            target._data = result

    def _assigned(self, bound: Any, target: Any, positional: list[Any]) -> Any:
        """Take down `x[key] = value`."""
        with self.aside():
            change = self.engine.assignment(*positional) or bound.native
        self._write("set_item", change, target, *positional[1:])
        return target

    def _into(self, bound: Any, out: Any, result: Any) -> Any:
        """Take down that a result goes into `out`."""
        with self.aside():
            bound._check_out(out)
            real = self._real(result._data)
            bound._fitting(out, real)
        self._write("write", self.binding.backend.write, out, result._data)
        return out

    # --- operators ------------------------------------------------------------------------------

    def composed(self, name: str, own: Any, args: Any, kwargs: Any) -> Any:
        """Take down a function that is made of others: the library's own, where it is the same."""
        given, named = CONTRACTS[name].canonical(args, kwargs)
        natives = tuple([v._data if type(v) is self.binding.array else v for v in given])
        with self.aside():
            plain = all(type(v) is self.engine.STAND_IN for v in natives)
            found = self.engine.counterpart(name, natives, named) if plain else None
        if found is None:
            return own(*args, **kwargs)
        target, moved, keywords = found
        self.portable = self._carried(Portable(name, given, named))
        try:
            return self.binding.wrap(
                self.step(self.engine.name_of(target), target, moved, keywords)
            )
        finally:
            self.portable = None

    def top_level(self, name: str, own: Any, args: Any, kwargs: Any) -> Any:
        """Take down a call at the top level, unless another backend is to compute it."""
        explicit = handler.explicit()
        if explicit is None and not holds_array([*args, *kwargs.values()]):
            explicit = handler.choose(name, ())
        if explicit is not None and explicit != self.binding.name:
            return own(*args, **kwargs)
        return self.call(name, own, args, kwargs)

    def unary(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Take down an operator that gets what its function gets."""
        return self.call(name, own, args, kwargs)

    def operator(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Take down `x op y`."""
        if not is_operand(args[1]):
            return NotImplemented
        return self.call(name, own, args, kwargs)

    def reflected(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Take down `y op x`."""
        if not is_operand(args[1]):
            return NotImplemented
        return self.call(name, lambda x, y: own(y, x), (args[1], args[0]), kwargs)

    def in_place(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Take down `x op= y`."""
        target, other = args
        if takes_over(other) or not is_operand(other) or find(args, {}) is not None:
            return NotImplemented
        bound = self.binding.bound[name]
        operand = bound.convert(bound.contract.parameters[1].name, other)
        change = bound.in_place(self._change(bound), target._data, operand)
        self.portable = self._carried(Portable(f"i{name}", args, {}))
        try:
            with self.aside():
                found = self.engine.update(name, target._data, operand)
            if found is None:
                self._write(f"{name}_", change, target, operand)
            else:
                self._target(target)
                change, given, named = found
                self.step(self.engine.name_of(change), change, given, named, (target._data,))
        finally:
            self.portable = None
        return target

    def _change(self, bound: Any) -> Any:
        changes = self.engine.CHANGES
        if bound.native not in changes:
            changes[bound.native] = self.binding.backend.in_place(bound.native)
        return changes[bound.native]


def _without_out(named: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in named.items() if key != "out"}


@functools.cache
def _plain_functions(binding: Any) -> dict[str, int]:
    """Return how many arrays the functions take that take nothing else, and share no memory."""
    return {
        name: sum(1 for _ in bound.contract.inputs)
        for name, bound in binding.bound.items()
        if bound.contract.of_arrays_alone
        and bound.contract.returns is Returns.ARRAY
        and not bound.contract.mutates
        and bound.follower is None
        and not any(p.optional or p.star for p in bound.contract.inputs)
        and all(p.role in (Role.ARRAY, Role.OPERAND) for p in bound.contract.inputs)
    }


class _Plain:
    """An Array as far as `Follower` asks for its data."""

    def __init__(self, data: Any) -> None:
        self._data = data
