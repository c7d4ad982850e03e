"""The repr of a Module: its layers by indentation, with their variables."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any

from arrayapi_unify.array_object.formatting import table
from arrayapi_unify.nn.core.traversal import ModuleBase, parts
from arrayapi_unify.nn.core.variables import Variable

__all__ = ["format_arguments", "function_name", "represent", "represent_html", "title"]


def represent(module: Any) -> str:
    """Return a line for the Module, and one for each of its layers."""
    seen: set[Any] = set()
    first = _line(module, seen)
    lines = [line for name, value in _parts(module) for line in _lines(name, value, "  ", seen)]
    variables = {cell for cell in seen if isinstance(cell, Variable)}
    count = sum(math.prod(cell.value.shape) for cell in variables)
    if not lines:
        return first
    head = title(module)
    own = first.removeprefix(head)
    plural = "variable" if len(variables) == 1 else "variables"
    total = f"{count:,} numbers in {len(variables)} {plural}"
    return "\n".join([f"{head}: {total}{',' if own else ''}{own}", *lines])


def _lines(name: str, value: Any, indent: str, seen: set[Any]) -> list[str]:
    if isinstance(value, ModuleBase):
        if id(value) in seen:
            return [f"{indent}{name}: the same {type(value).__name__} as above"]
        start = [f"{indent}{name}: {_line(value, seen)}"]
    elif callable(value):
        return [f"{indent}{name}: {function_name(value)}"]
    else:
        start = []
    below = indent + "  " if start else indent
    inner = [
        line
        for key, part in _parts(value)
        for line in _lines(key if start else f"{name}/{key}", part, below, seen)
    ]
    return start + inner


def _parts(value: Any) -> Iterable[tuple[str, Any]]:
    return value._parts() if isinstance(value, ModuleBase) else parts(value)


def function_name(function: Any) -> str:
    """Return the name of a function, of a partial one with its arguments."""
    if isinstance(function, functools.partial):
        given = format_arguments(*function.args)
        named = [f"{name}={value!r}" for name, value in function.keywords.items()]
        return f"{function_name(function.func)}({', '.join([*filter(None, [given]), *named])})"
    name = getattr(function, "__name__", None)
    return str(name) if name else repr(function)


def represent_html(module: Any) -> str:
    """Return a table with a row for the Module, and one for each of its layers."""
    first, *lines = represent(module).split("\n")
    rows = [_columns(line) for line in lines or [first]]
    caption = first if lines else type(module).__name__
    return table(caption, ("name", "layer", "variables"), rows)


def _columns(line: str) -> tuple[str, str, str]:
    """Split a line of the repr; the indentation of names shows the levels."""
    indent = line[: len(line) - len(line.lstrip())].removeprefix("  ")
    name, colon, rest = line.strip().partition(": ")
    shown, _, variables = (rest if colon else name).partition("  ")
    return f"{indent}{name}" if colon else "", shown, variables


def _line(module: Any, seen: set[Any]) -> str:
    """Describe a Module and its own variables."""
    seen.add(id(module))
    state = module._state
    told = [_cell(name, cell, seen) for name, cell in state.variables.items()]
    held = [_cell(name, cell, set()) for name, cell in state.buffers.items()]
    shown = title(module)
    shown += f"  {', '.join(told)}" if told else ""
    return f"{shown}  ({', '.join(held)})" if held else shown


def title(module: Any) -> str:
    """Return the name of a Module's class, with the arguments."""
    arguments = module._arguments()
    return f"{type(module).__name__}({arguments})" if arguments else type(module).__name__


def _cell(name: str, cell: Variable, seen: set[Any]) -> str:
    again = " (shared)" if cell in seen else ""
    seen.add(cell)
    return f"{name} {cell.value.dtype} {cell.value.shape}{again}"


def format_arguments(*values: Any, **options: Any) -> str:
    """Render arguments; options are pairs of the value and its default."""
    told = [repr(value) for value in values]
    told += [f"{name}={value!r}" for name, (value, usual) in options.items() if value != usual]
    return ", ".join(told)
