"""Options of layers: checks, the repr and summary of a Module, common parameters in docstrings."""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.formatting import table
from arrayapi_unify.backends._common.algorithms.convolutions import (
    channels_axis_first,
    one_for_each,
    pairs,
)
from arrayapi_unify.contracts.contract import MARGIN, with_margin
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import describe, raise_type_error
from arrayapi_unify.nn.core.traversal import ModuleBase, modules, named, parts, places
from arrayapi_unify.nn.core.variables import Variable

__all__ = [
    "Format",
    "Padding",
    "Sizes",
    "check_flags",
    "check_integers",
    "check_window",
    "format_arguments",
    "function_name",
    "insert_parameters",
    "represent",
    "represent_html",
    "summary",
    "title",
]


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
    elif callable(value) and not isinstance(value, DType):
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


def insert_parameters(layer: type, text: str) -> None:
    """Insert a text before the references of a class's documentation."""
    if not layer.__doc__:  # there is none under `python -OO`
        return
    heading = f"\n\n{MARGIN}References"
    head, _, rest = layer.__doc__.partition(heading)
    layer.__doc__ = f"{head}\n{with_margin(text)}{heading}{rest}" if rest else head


_HEAD = ("name", "layer", "output shape", "parameters")


def summary(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Return a table of the layers, with the shapes of the outputs of this call."""
    shapes: dict[int, list[str]] = {}
    v, buffers = module._read("variables"), module._read("buffers")
    with _observed(module, shapes):
        result, _ = module.stateless_call(v, buffers, *args, **kwargs)
    shapes[id(module)] = [_shape(result)]
    seen: set[Variable] = set()
    rows = [
        (name, title(layer), ", ".join(shapes.get(id(layer), "-")), f"{_own(layer, seen):,}")
        for name, layer in modules(module)
    ]
    return "\n".join([*_aligned([_HEAD, *rows]), _totals(module)])


@contextmanager
def _observed(module: Any, shapes: dict[int, list[str]]) -> Iterator[None]:
    """Let each layer store the shapes of its outputs, and be in evaluation mode; then undo it."""
    states = {id(layer): layer._state for _, layer in modules(module)}
    before = {place: (state.program, state.training) for place, state in states.items()}
    thread = threading.get_ident()

    def observing(program: Callable[..., Any] | None) -> Callable[..., Any]:
        def call(layer: Any, v: Any, args: Any, kwargs: Any) -> Any:
            if threading.get_ident() != thread and program is not None:
                return program(layer, v, args, kwargs)
            result = layer._computed(v, args, kwargs)
            if threading.get_ident() == thread:
                known = shapes.setdefault(id(layer), [])
                known += [shape for shape in [_shape(result)] if shape not in known]
            return result

        return call

    try:
        for state in states.values():
            state.program, state.training = observing(state.program), False
        yield
    finally:
        for place, state in states.items():
            state.program, state.training = before[place]


def _shape(value: Any) -> str:
    """Return the shape of an array, and of a nest those of its arrays."""
    if isinstance(value, Array):
        return str(value.shape)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shape, value))}]"
    if hasattr(value, "items"):
        return f"{{{', '.join(f'{name}: {_shape(one)}' for name, one in value.items())}}}"
    return str(getattr(value, "shape", type(value).__name__))


def _own(layer: Any, seen: set[Variable]) -> int:
    """Count the elements of a layer's own variables, without those of layers above."""
    found = [cell for cell in layer._state.variables.values() if cell not in seen]
    seen.update(found)
    return sum(math.prod(cell.value.shape) for cell in dict.fromkeys(found))


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Return lines in which columns begin at one place, and the last one, of numbers, ends."""
    *widths, last = (max(map(len, column)) for column in zip(*rows, strict=True))
    return [
        "  ".join([*map(str.ljust, row[:-1], widths), row[-1].rjust(last)]).rstrip() for row in rows
    ]


def _totals(module: Any) -> str:
    cells = [list(named(places(module, kind)).values()) for kind in ("variables", "buffers")]
    (variables, buffers), (count, held) = cells, (
        sum(math.prod(cell.value.shape) for cell in found) for found in cells
    )  # fmt: skip
    size = sum(math.prod(cell.value.shape) * cell.value.dtype.itemsize for cell in variables)
    return (
        f"{count:,} {_plural('parameter', count)} in {_counted('variable', variables)} "
        f"({size:,} bytes), {held:,} {_plural('number', held)} in {_counted('buffer', buffers)}"
    )


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _counted(word: str, found: list[Variable]) -> str:
    return f"{len(found)} {_plural(word, len(found))}"


Format: TypeAlias = Literal["channels_last", "channels_first"]
"""The position of the channels."""
Sizes: TypeAlias = int | Sequence[int]
"""An integer, or one for each spatial axis."""
Padding: TypeAlias = str | int | Sequence[int | Sequence[int]]
"""``"VALID"``, ``"SAME"``, or numbers of elements."""


def check_flags(layer: str, **given: Any) -> None:
    """Raise for values that aren't bools."""
    for name, value in given.items():
        if not isinstance(value, bool):
            raise_type_error(layer, name, f"is {describe(value)}", "pass True or False")


def check_integers(layer: str, **given: Any) -> None:
    """Raise for values that aren't integers."""
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise_type_error(layer, name, f"is {describe(value)}", "pass an integer")


def check_window(layer: str, axes: int, **options: Any) -> None:
    """Raise for options of a window that don't fit a number of spatial axes."""
    for name, given in options.items():
        if name == "data_format":
            channels_axis_first(layer, given)
        elif name == "padding":
            if not isinstance(given, str) or given not in ("VALID", "SAME"):
                pairs(layer, given, axes)
        elif name == "count_padding":
            check_flags(layer, count_padding=given)
        elif given is not None:
            one_for_each(layer, name, given, axes, least=name != "output_padding")
