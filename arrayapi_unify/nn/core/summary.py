"""The summary of a Module: its layers with the shapes of what they return in one call."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.nn.core.formatting import title
from arrayapi_unify.nn.core.traversal import modules, named, places
from arrayapi_unify.nn.core.variables import Variable

__all__ = ["summary"]

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
