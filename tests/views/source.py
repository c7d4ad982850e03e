"""A program as readable Python source that a tracer can follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tests.views.steps import FORGET, Index, Nested, Own, Part, Ref, Step

__all__ = ["compiled", "source"]

_INDENT: Final = "    "


def _array(values: Any, dtype: str) -> str:
    if not values.size:
        return f"xp.zeros({values.shape}, dtype=xp.{dtype})"
    return f"xp.asarray({values.tolist()}, dtype=xp.{dtype})"


def _slice(key: slice) -> str:
    start, stop, step = ("" if v is None else v for v in (key.start, key.stop, key.step))
    return f"{start}:{stop}:{step}"


class _Writer:
    """Writes the lines of a program, and tracks the names of its live arrays."""

    def __init__(self) -> None:
        self.names = ["a0"]
        self.made = 1
        self.lines: list[str] = []

    def argument(self, value: Any) -> str:
        """Write an argument of a call."""
        match value:
            case Ref(number):
                return self.names[number]
            case Part(number, key):
                return f"{self.names[number]}[{self.between_brackets(key)}]"
            case Own():
                return _array(value.values, value.dtype)
            case Nested(own):
                return repr(own.values.tolist())
            case Index():
                return _array(value.array, "bool" if value.mask else "int64")
            case tuple():
                return f"({''.join(f'{self.argument(v)}, ' for v in value)})"
        return "..." if value is Ellipsis else repr(value)

    def between_brackets(self, key: Any) -> str:
        """Write a key."""
        if isinstance(key, tuple):
            parts = [self.between_brackets(k) for k in key]
            return "".join(f"{part}, " for part in parts) or "()"
        return _slice(key) if isinstance(key, slice) else self.argument(key)

    def expression(self, step: Step) -> str:
        """Write a step that returns arrays."""
        x, *rest = map(self.argument, step.args)
        rest += [f"{name}={self.argument(value)}" for name, value in step.kwargs.items()]
        match step.name:
            case "get_item":
                return f"{x}[{self.between_brackets(step.args[1])}]"
            case "rows":
                return f"list({x})"
            case "T" | "mT":
                return f"{x}.{step.name}"
            case "diagonal":
                return f"xp.linalg.diagonal({x}, {rest[0]})"
            case "astype":
                return f"xp.astype({x}, xp.{step.args[1]}, {rest[1]})"
            case "concat":
                return f"xp.concat([{x}, {rest[0]}])"
        return f"xp.{step.name}({', '.join([x, *rest])})"

    def statement(self, step: Step) -> str | None:
        """Write a step without a result, if it is of that kind."""
        args = step.args
        match step.name:
            case "set_item":
                key = self.between_brackets(args[1])
                return f"{self.argument(args[0])}[{key}] = {self.argument(args[2])}"
            case "set_item_function":
                return f"xp.set_item({', '.join(map(self.argument, args))})"
            case "in_place":
                return f"{self.argument(args[1])} {args[0]} {self.argument(args[2])}"
            case "augmented":
                key = self.between_brackets(args[2])
                return f"{self.argument(args[1])}[{key}] {args[0]} {self.argument(args[3])}"
            case "into":
                operands = ", ".join(map(self.argument, args[2:]))
                return f"xp.{args[0]}({operands}, out={self.argument(args[1])})"
            case "swap":
                x = self.argument(args[0])
                return f"kept = {x}[0]; {x}[0] = {x}[1]; {x}[1] = kept; del kept"
        return None

    def add(self, step: Step, made: int) -> None:
        """Add the line of one step, with the number of its results."""
        if step.name == FORGET:
            self.lines.append(f"del {self.names.pop(step.args[0])}")
            return
        statement = self.statement(step)
        if statement is not None:
            self.lines.append(statement)
            return
        names = [f"a{self.made + i}" for i in range(made)]
        several = made != 1 or step.name in ("unstack", "rows", "broadcast_arrays")
        targets = f"[{', '.join(names)}]" if several else names[0]
        self.lines.append(f"{targets} = {self.expression(step)}")
        self.names += names
        self.made += made


def source(steps: Sequence[tuple[Step, int]]) -> str:
    """Write a function of a namespace and the first array that returns all live arrays.

    Each step has the number of its results.
    """
    writer = _Writer()
    for step, made in steps:
        writer.add(step, made)
    lines = ["def program(xp, a0):", *writer.lines, f"return [{', '.join(writer.names)}]"]
    return f"\n{_INDENT}".join(lines) + "\n"


def compiled(text: str) -> Callable[[Any, Any], list[Any]]:
    """Compile the function from its source."""
    namespace: dict[str, Any] = {}
    exec(text, namespace)  # our own text, from `source`
    program: Callable[[Any, Any], list[Any]] = namespace["program"]
    return program
