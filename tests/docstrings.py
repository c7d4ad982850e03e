"""Parts of a docstring: numpydoc's sections, and their entries."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["SECTIONS", "Docstring", "read"]

SECTIONS = ("Parameters", "Returns", "Raises", "Notes", "References", "Examples")
_HEADING = re.compile(r"^([A-Z][A-Za-z ]*)\n-{3,}$", re.MULTILINE)


@dataclass(frozen=True)
class Docstring:
    """A docstring's summary, the text after it, and its sections in order."""

    summary: str
    sections: dict[str, str] = field(default_factory=dict)
    details: str = ""

    def entries(self, section: str) -> dict[str, str]:
        """Return a section's entries by name, in order."""
        found: dict[str, str] = {}
        for line in self.sections.get(section, "").splitlines():
            if line.startswith(" "):
                name = next(reversed(found))
                found[name] = f"{found[name]} {line.strip()}".strip()
            elif line:
                found[line] = ""
        return found

    @property
    def raised(self) -> set[str]:
        """The names of the documented exceptions."""
        return {name for names in self.entries("Raises") for name in names.split(", ")}


def read(documented: Any) -> Docstring:
    """Read the docstring of any object."""
    head, *rest = _HEADING.split(inspect.getdoc(documented) or "")
    pairs = zip(rest[::2], rest[1::2], strict=True)
    summary, _, details = head.partition("\n")
    return Docstring(summary, {name: text.strip("\n") for name, text in pairs}, details.strip())
