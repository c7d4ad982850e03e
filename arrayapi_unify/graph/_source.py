"""The straight-line Python program of a graph of steps."""

from __future__ import annotations

import keyword
import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from arrayapi_unify.backends._common.algorithms.graph_values import Ref, Step, refs_in

__all__ = ["Program", "free_name"]

_SUBSCRIPTS: Final = {operator.getitem: "{}[{}]", operator.setitem: "{}[{}] = {}"}
_DEPTH: Final = 12
_RESERVED: Final = frozenset({"float", "slice"})  # names that the source itself calls
_INLINE: Final = frozenset({bool, int, str, type(None), type(Ellipsis)})
_FORBIDDEN: Final = re.compile(r"[^0-9A-Za-z_]|^(?=\d)")
_LOCAL: Final = re.compile(r"[avr]\d+|graph|_all")


class Program:
    """Renders steps, and stores the objects that their source names."""

    def __init__(
        self,
        whole: Callable[[Any], Any] | None,
        scalars: set[int],
        infix: Mapping[Any, str],
        integers: set[int],
        constants: Mapping[int, Callable[[float], Any]] | None = None,
    ) -> None:
        """Start empty; `whole` converts values that may be `scalars` and have to be arrays.

        `infix` maps functions to equivalent operators, for all results but `integers`.
        `constants` converts a float to an equivalent constant that is faster as the other operand.
        """
        self._infix = infix
        self._constants = constants or {}
        self._floats: dict[str, Any] = {}
        self._variables: set[str] = set()
        self.names: dict[str, Any] = {}
        self._known: dict[int, str] = {}
        self._sources: dict[int, str] = {}
        self._whole = whole
        self._scalars = scalars
        self._integers = integers

    def name(self, value: Any, wish: str) -> str:
        """Return the global name of an object."""
        found = self._known.get(id(value))
        if found is None:
            found = free_name(wish.strip("_"), self.names)
            self.names[found] = value
            self._known[id(value)] = found
        return found

    def render(self, value: Any) -> str:
        """Render an argument."""
        kind = type(value)
        if kind is Ref:
            return self._sources[value.number]
        if kind in _INLINE:
            return repr(value) if kind is not type(Ellipsis) else "..."
        if kind is float:
            return repr(value) if math.isfinite(value) else f'float("{value}")'
        if kind is list:
            return f"[{', '.join(map(self.render, value))}]"
        if kind is tuple:
            return f"({', '.join(map(self.render, value))}{',' if len(value) == 1 else ''})"
        if kind is slice:
            parts = (value.start, value.stop, value.step)
            return f"slice({', '.join(map(self.render, parts))})"
        if kind is dict:
            inside = (f"{self.render(k)}: {self.render(v)}" for k, v in value.items())
            return f"{{{', '.join(inside)}}}"
        return self.name(value, "c" if hasattr(value, "shape") else _short(value))

    def _key(self, key: Any) -> str:
        parts = key if type(key) is tuple and key else (key,)
        return ", ".join(map(self._part, parts)) + ("," if len(parts) == 1 and key is parts else "")

    def _part(self, part: Any) -> str:
        if type(part) is not slice:
            return self.render(part)
        bounds = [part.start, part.stop] + ([] if part.step is None else [part.step])
        return ":".join("" if b is None else self.render(b) for b in bounds)

    def _operand(self, value: Any, other: Any) -> str:
        """Render an operand: a float as a constant, if the other operand allows it."""
        if type(value) is float and type(other) is Ref and other.number in self._constants:
            key = repr(value)  # which distinguishes zeros
            if key not in self._floats:  # kept, because names are found by the identity of values
                self._floats[key] = self._constants[other.number](value)
            return self.name(self._floats[key], "number")
        return self.render(value)

    def _call(self, step: Step) -> str:
        """Render the call of a step."""
        infix = self._infix.get(step.target)
        infix = None if self._integers.issuperset(step.outputs) else infix
        if infix and len(step.args) == 2 and not step.kwargs:
            return f"({infix.join(map(self._operand, step.args, reversed(step.args)))})"
        if step.target in _SUBSCRIPTS and not step.kwargs:
            first, key, *rest = step.args
            parts = [self.render(first), self._key(key), *map(self.render, rest)]
            return _SUBSCRIPTS[step.target].format(*parts)
        parts = list(map(self.render, step.args))
        parts += [self._keyword(name, value) for name, value in step.kwargs.items()]
        return f"{self.name(step.target, step.name)}({', '.join(parts)})"

    def _keyword(self, name: str, value: Any) -> str:
        """Render an argument with its name, which needn't be an identifier."""
        plain = name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
        return f"{name}={self.render(value)}" if plain else f"**{{{name!r}: {self.render(value)}}}"

    def lines(
        self, steps: Sequence[Step], inputs: Sequence[int], results: Sequence[Any]
    ) -> list[str]:
        """Render all steps; a value that only the next step uses is inlined there.

        The library can then reuse the memory of such a temporary value. Names are reused, so that
        memory is freed after the last use of a value.
        """
        uses = Counter(n for step in steps for n in step.inputs)
        uses.update(refs_in(list(results), []))
        last = {n: i for i, step in enumerate(steps) for n in step.inputs}
        kept = {*inputs, *refs_in(list(results), [])}
        for number in inputs:
            self._sources.setdefault(number, f"v{number}")
        free: list[str] = []
        lines: list[str] = []
        depth = 0
        for i, step in enumerate(steps):
            call = self._whole_value(step, self._call(step))
            given = {n for n in step.inputs if n not in kept and last[n] == i}
            free += [self._sources[n] for n in given if self._sources[n] in self._variables]
            after = steps[i + 1] if i + 1 < len(steps) else None
            if after is not None and depth < _DEPTH and self._goes_in(step, after, uses, kept):
                self._sources[step.outputs[0]] = call
                depth += 1
                continue
            depth = 0
            lines.append(self._assigned(step, call, free))
        return lines

    def _goes_in(self, step: Step, after: Step, uses: Mapping[int, int], kept: set[int]) -> bool:
        """Return True if a call may be inlined as an argument of the next one."""
        if step.several or len(step.outputs) != 1 or step.writes or after.writes:
            return False
        (number,) = step.outputs
        alone = uses[number] == 1 and number in after.inputs and number not in kept
        return alone and number not in self._sources

    def _assigned(self, step: Step, call: str, free: list[str]) -> str:
        """Render an assignment."""
        if not step.outputs or step.target is operator.setitem:
            return call
        if not step.several and call.startswith("(") and call.endswith(")"):
            call = call[1:-1]
        for number in step.outputs:
            if number >= 0 and number not in self._sources:
                name = free.pop() if free else f"v{number}"
                self._variables.add(name)
                self._sources[number] = name
        if step.several:
            targets = ", ".join("_" if n < 0 else self._sources[n] for n in step.outputs)
            line = f"{targets}{',' if len(step.outputs) == 1 else ''} = {call}"
            parts = [self._sources[n] for n in step.outputs if n in self._scalars]
            return "; ".join([line, *(f"{part} = {self._whole_of(part)}" for part in parts)])
        return f"{self._sources[step.outputs[0]]} = {call}"

    def _whole_value(self, step: Step, call: str) -> str:
        """Render the call of a step whose result has to be an array."""
        if step.several or self._scalars.isdisjoint(step.outputs):
            return call
        return self._whole_of(call)

    def _whole_of(self, value: str) -> str:
        """Render the array of a value that may be a scalar."""
        return f"{self.name(self._whole, 'asarray')}({value})"

    def compiled(self, lines: Iterable[str], parameters: str) -> Callable[..., Any]:
        """Compile the source of the function `graph`."""
        body = "\n    ".join(lines)
        source = f"def graph({parameters}):\n    {body}\n"
        scope = dict(self.names)
        exec(compile(source, "<graph>", "exec"), scope)
        return scope["graph"]


def free_name(wish: str, taken: Iterable[str]) -> str:
    """Return a name similar to the given one, and unused in the source."""
    wish = _FORBIDDEN.sub("_", wish).strip("_") or "f"
    wish = f"_{wish}" if wish[0].isdigit() else wish
    found, count = wish, 1
    while (
        found in taken or found in _RESERVED or keyword.iskeyword(found) or _LOCAL.fullmatch(found)
    ):
        count += 1
        found = f"{wish}_{count}"
    return found


def _short(value: Any) -> str:
    return str(getattr(value, "__name__", "") or value).rpartition(".")[2][:24]
