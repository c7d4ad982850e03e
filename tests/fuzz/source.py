"""Arguments as source text: what a malformed call is made of, and how it is shown.

A `Source` is evaluated where it is needed, on the backend at hand, so that a call can be told to
another process, made on each backend, and printed as a line that repeats it.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from tests.fuzz import things

__all__ = ["Call", "Source", "parsed"]


@dataclass(frozen=True)
class Source:
    """An expression, evaluated anew whenever a call is built."""

    text: str

    def build(self, xp: ModuleType) -> Any:
        """Evaluate it on a backend."""
        return eval(self.text, dict(_names(xp)))

    def __repr__(self) -> str:
        """Return the expression."""
        return self.text


@functools.cache
def _names(xp: ModuleType) -> dict[str, Any]:
    backend = xp.__name__.rpartition(".")[2]
    return {
        "xp": xp, "unify": unify, "np": np, "nan": float("nan"), "inf": float("inf"),
        "backend": backend, "other": _Late("torch" if backend == "numpy" else "numpy"),
        **vars(things),
    }  # fmt: skip


class _Late:
    """The namespace of another backend, imported once something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(namespace_of(self._name), name)


@dataclass(frozen=True)
class Call:
    """A call: what is called, as source or with an array to the left of it, and its arguments."""

    function: Callable[[ModuleType], Any]
    text: str
    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()

    def __repr__(self) -> str:
        """Return the call as source."""
        given = [*map(repr, self.args), *(f"{name}={value!r}" for name, value in self.kwargs)]
        return f"{self.text}({', '.join(given)})"


def parsed(line: str) -> Call:
    """Take a line of source apart into what is called and its arguments."""
    tree = ast.parse(line, mode="eval").body
    assert isinstance(tree, ast.Call), line
    function = Source(ast.unparse(tree.func))
    return Call(
        function.build,
        function.text,
        tuple(Source(ast.unparse(arg)) for arg in tree.args),
        tuple((str(k.arg), Source(ast.unparse(k.value))) for k in tree.keywords),
    )
