"""The repr of a Container: its structure by indentation, small arrays with their values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from arrayapi_unify import backends
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.formatting import table
from arrayapi_unify.container.tree_map import key_chain_of, leaves_with_path

__all__ = ["represent", "represent_html"]

_INDENT: Final = "    "
_SMALL: Final = 16  # elements of an array that is shown with its values
_WIDTH: Final = 88


def represent(container: Nested) -> str:
    """Return `unify.Container({...})`, on one line where it fits."""
    name = f"unify.{type(container).__name__}"
    lines = list(_lines(container, ""))
    joined = "".join(line.strip() + (" " if line.endswith(",") else "") for line in lines)
    joined = joined.replace(", }", "}")
    if len(joined) + len(name) + 2 <= _WIDTH and all("\n" not in line for line in lines):
        return f"{name}({joined})"
    return f"{name}(" + "\n".join(lines) + ")"


def represent_html(container: Nested) -> str:
    """Return a table with a row for each leaf: key chain, data type, shape, backend and value."""
    rows = [_row(key_chain_of(path), leaf) for path, leaf in leaves_with_path(container)]
    number = f"{len(rows)} {'leaf' if len(rows) == 1 else 'leaves'}"
    caption = f"unify.{type(container).__name__}: {number}"
    return table(caption, ("key chain", "data type", "shape", "backend", "value"), rows)


def _row(key_chain: str, leaf: Any) -> tuple[str, ...]:
    name = backends.name_of(leaf)
    if name is None:
        return key_chain, type(leaf).__name__, "", "", repr(leaf)
    backend = backends.load(name)
    native = leaf.data if isinstance(leaf, Array) else leaf
    shape = backend.shape_of(native)
    shown = repr(leaf) if _is_shown(backend, shape) else "..."
    return key_chain, str(backend.dtype_of(native)), str(shape), name, shown


def _is_shown(backend: backends.Backend, shape: tuple[int, ...]) -> bool:
    """Return True if an array is shown with its values; lazy ones have none."""
    return backend.lazy is None and math.prod(shape) <= _SMALL


def _lines(container: Nested, indent: str) -> Iterator[str]:
    if not container._nodes:
        yield "{}"
        return
    yield "{"
    inside = indent + _INDENT
    for key, value in container._nodes.items():
        start = f"{inside}{key!r}: "
        if isinstance(value, Nested):
            first, *rest = _lines(value, inside)
            yield from _closed([start + first, *rest])
        else:
            # The lines of an array's values stand under one another.
            yield start + _leaf(value).replace("\n", "\n" + " " * len(start)) + ","
    yield indent + "}"


def _closed(lines: list[str]) -> Iterator[str]:
    *others, last = lines
    yield from others
    yield last + ","


def _leaf(value: Any) -> str:
    name = backends.name_of(value)
    if name is None:
        return repr(value)
    backend = backends.load(name)
    native = value.data if isinstance(value, Array) else value
    shape = backend.shape_of(native)
    if _is_shown(backend, shape):
        return repr(value)
    origin = "" if name == backends.DEFAULT else f", {name}"
    wrapped = "" if isinstance(value, Array) else "native "
    return f"<{wrapped}{backend.dtype_of(native)} array of shape {shape}{origin}>"
