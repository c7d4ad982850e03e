"""Straight-line Python: what a graph of steps runs."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from arrayapi_unify.backends._common.tracing import Ref, Step

__all__ = ["Program"]

_INFIX: Final = {operator.getitem: "{}[{}]", operator.setitem: "{}[{}] = {}"}
_INLINE: Final = frozenset({bool, int, str, type(None), type(Ellipsis)})
_FORBIDDEN: Final = re.compile(r"\W|^(?=\d)")


class Program:
    """Spells steps, and keeps what their source refers to by name."""

    def __init__(self, whole: Callable[[Any], Any] | None, written: set[int]) -> None:
        """Start empty; values whose memory is `written` to are made arrays by `whole`."""
        self.names: dict[str, Any] = {}
        self._known: dict[int, str] = {}
        self._spelled: dict[int, str] = {}
        self._whole = whole
        self._written = written
        if whole is not None and written:
            self.names["asarray"] = whole
            self._known[id(whole)] = "asarray"

    def name(self, value: Any, wish: str) -> str:
        """Return the global name of something."""
        found = self._known.get(id(value))
        if found is None:
            wish = _FORBIDDEN.sub("_", wish.strip("_")) or "f"
            found, count = wish, 1
            while found in self.names or re.fullmatch(r"v\d+|graph|a\d+", found):
                count += 1
                found = f"{wish}_{count}"
            self.names[found] = value
            self._known[id(value)] = found
        return found

    def spell(self, value: Any) -> str:
        """Spell an argument."""
        kind = type(value)
        if kind is Ref:
            return f"v{value.number}"
        if kind in _INLINE:
            return repr(value) if kind is not type(Ellipsis) else "..."
        if kind is float:
            return repr(value) if math.isfinite(value) else f'float("{value}")'
        if kind is list:
            return f"[{', '.join(map(self.spell, value))}]"
        if kind is tuple:
            return f"({', '.join(map(self.spell, value))}{',' if len(value) == 1 else ''})"
        if kind is slice:
            return f"slice({self.spell(value.start)}, {self.spell(value.stop)}, {self.spell(value.step)})"
        if kind is dict:
            inside = (f"{self.spell(k)}: {self.spell(v)}" for k, v in value.items())
            return f"{{{', '.join(inside)}}}"
        return self.name(value, "c" if hasattr(value, "shape") else _short(value))

    def _key(self, key: Any) -> str:
        parts = key if type(key) is tuple and key else (key,)
        return ", ".join(map(self._part, parts)) + ("," if len(parts) == 1 and key is parts else "")

    def _part(self, part: Any) -> str:
        if type(part) is not slice:
            return self.spell(part)
        bounds = [part.start, part.stop] + ([] if part.step is None else [part.step])
        return ":".join("" if b is None else self.spell(b) for b in bounds)

    def line(self, step: Step) -> str:
        """Spell a step."""
        if step.target in _INFIX and not step.kwargs:
            first, key, *rest = step.args
            call = _INFIX[step.target].format(
                self.spell(first), self._key(key), *map(self.spell, rest)
            )
            if step.target is operator.setitem:
                return call
        else:
            parts = list(map(self.spell, step.args))
            parts += [f"{name}={self.spell(value)}" for name, value in step.kwargs.items()]
            call = f"{self.name(step.target, step.name)}({', '.join(parts)})"
        if not step.outputs:
            return call
        if step.several:
            targets = ", ".join("_" if n < 0 else f"v{n}" for n in step.outputs)
            return f"{targets}{',' if len(step.outputs) == 1 else ''} = {call}"
        (number,) = step.outputs
        if number in self._written and self._whole is not None:
            call = f"asarray({call})"
        return f"v{number} = {call}"

    def compiled(self, lines: Iterable[str], parameters: str) -> Callable[..., Any]:
        """Compile the function `graph`."""
        body = "\n    ".join(lines)
        source = f"def graph({parameters}):\n    {body}\n"
        scope = dict(self.names)
        exec(compile(source, "<graph>", "exec"), scope)
        made: Callable[..., Any] = scope["graph"]
        return made


def _short(value: Any) -> str:
    return str(getattr(value, "__name__", "") or value).rpartition(".")[2][:24]
