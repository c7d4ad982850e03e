"""Arguments of malformed calls as source text.

A `Source` is evaluated when it is needed, on the given backend, so that a call can be sent to
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
    """An expression, evaluated again for each call."""

    text: str

    def build(self, xp: ModuleType) -> Any:
        """Evaluate it on a backend."""
        return eval(self.text, dict(_names(xp)))

    def __repr__(self) -> str:
        """Return the expression."""
        return self.text


@functools.cache
def _names(xp: ModuleType) -> dict[str, Any]:
    backend = xp.__unify_backend__
    return {
        "xp": xp, "unify": unify, "np": np, "nan": float("nan"), "inf": float("inf"),
        "backend": backend, "other": _Late("torch" if backend == "numpy" else "numpy"),
        **vars(things),
    }  # fmt: skip


class _Late:
    """The namespace of another backend, imported at its first use."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(namespace_of(self._name), name)


@dataclass(frozen=True)
class Call:
    """A call: its target, as source or as a method of an array, and its arguments."""

    function: Callable[[ModuleType], Any]
    text: str
    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()

    def __repr__(self) -> str:
        """Return the call as source."""
        given = [*map(repr, self.args), *(f"{name}={value!r}" for name, value in self.kwargs)]
        return f"{self.text}({', '.join(given)})"


def parsed(line: str) -> Call:
    """Parse a line of source into the target and its arguments."""
    tree = ast.parse(line, mode="eval").body
    assert isinstance(tree, ast.Call), line
    function = Source(ast.unparse(tree.func))
    return Call(
        function.build,
        function.text,
        tuple(Source(ast.unparse(arg)) for arg in tree.args),
        tuple((str(k.arg), Source(ast.unparse(k.value))) for k in tree.keywords),
    )
