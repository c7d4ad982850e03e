"""The ONE table of documented differences between backends; `render` makes a page of it.

A difference stands here only if it can't be avoided. The tests accept what the table allows, and
fail on an entry whose function doesn't exist.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.differential.case import Case
from tests.differential.outcome import Outcome

__all__ = ["DIFFERENCES", "Difference", "documented", "render"]


@dataclass(frozen=True)
class Difference:
    """A call whose outcome may differ on one backend."""

    function: str
    backend: str
    condition: str  # in words, for the page
    happens: str
    reason: str
    applies: Callable[[Case, Outcome, Outcome], bool]  # the call, NumPy's outcome, the backend's


DIFFERENCES: Final[tuple[Difference, ...]] = ()


def documented(backend: str, case: Case, expected: Outcome, got: Outcome) -> bool:
    """Whether a difference stands in the table."""
    return any(
        d.backend == backend and d.function == case.function and d.applies(case, expected, got)
        for d in DIFFERENCES
    )


def render() -> str:
    """Return the page of all differences, in Markdown."""
    rows = [
        f"| `{d.function}` | {d.backend} | {d.condition} | {d.happens} | {d.reason} |"
        for d in DIFFERENCES
    ]
    table = "\n".join(
        ["| function | backend | where | what happens | why |", "|" + "---|" * 5, *rows]
    )
    body = table if rows else "There are none."
    return f"""# Differences between backends

Written by `python -m docs` from `tests/differential/differences.py`. The differential tests compare
every function on every backend with NumPy's results: data types, shapes, values, special values and
exceptions. What they accept beyond the tolerances in `tests/differential/tolerances.py` is listed
here.

{body}
"""
