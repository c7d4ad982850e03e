"""Sources, the global names that they carry, and a `try` that all rendered functions share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

__all__ = ["PLACEHOLDER", "Names", "Source", "attempt", "indented"]

PLACEHOLDER: Final = "function"
"""The name of each function in its source, which many functions may share."""


class Source(NamedTuple):
    """The source of a function, and the values of its global names."""

    text: str
    names: dict[str, Any]


class Names(dict[str, Any]):
    """The global names of a function, each defined where its source uses it."""

    def __call__(self, **named: Any) -> str:
        """Define names, and return the last one.

        >>> names = Names()
        >>> f"return {names(_native=abs)}(x)", names
        ('return _native(x)', {'_native': <built-in function abs>})
        """
        self.update(named)
        return next(reversed(named))

    def function(self, header: str, body: Iterable[str]) -> Source:
        """Render a function with those of the names that it uses."""
        text = "\n".join([f"def {PLACEHOLDER}({header}):", *indented(body), ""])
        used = set(re.findall(r"\w+", text))
        return Source(text, {name: value for name, value in self.items() if name in used})


def indented(lines: Iterable[str]) -> list[str]:
    """Return lines of a block."""
    return [f"    {line}" for line in lines]


def attempt(lines: list[str], given: str, again: bool = False) -> list[str]:
    """Render lines in a `try`, and what happens if they fail.

    A Container for an argument that is no array reaches the native function, and raises there.
    `again` says that they call a fast kernel, after which the native function has its turn.
    """
    given = f"{given}, True" if again else given
    failed = f"except Exception as error: return _recover(error, {given})"
    return ["try:", *indented(lines), failed]
