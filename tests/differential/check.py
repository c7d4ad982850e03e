"""One call on NumPy and on another backend."""

from __future__ import annotations

from types import ModuleType

from arrayapi_unify.binding import namespace_of
from tests.differential.case import Case
from tests.differential.compare import compare
from tests.differential.outcome import Outcome, run

__all__ = ["difference", "report"]


def difference(case: Case, xp: ModuleType) -> tuple[str, Outcome, Outcome] | None:
    """Make the call on NumPy and on `xp`; return what differs, NumPy's outcome and the other."""
    expected = run(case, namespace_of("numpy"))
    got = run(case, xp)
    found = compare(case, expected, got, xp.__name__.rpartition(".")[2])
    return None if found is None else (found, expected, got)


def report(case: object, xp: ModuleType, found: tuple[str, object, object]) -> str:
    """Return a compact reproduction of a difference."""
    what, expected, got = found
    backend = xp.__name__.rpartition(".")[2]
    return (
        f"{what}\n"
        f"  from numpy import array, inf, nan; import arrayapi_unify as unify, numpy as np\n"
        f"  xp = unify.{backend}; {case}\n"
        f"  numpy: {expected!r}\n"
        f"  {backend + ':':<7}{got!r}"
    )
