"""One call on a backend, compared with what it should give."""

from __future__ import annotations

from types import ModuleType

from arrayapi_unify.binding import namespace_of
from tests.differential.case import Case
from tests.differential.compare import compare
from tests.differential.expected import expected
from tests.differential.outcome import Outcome, run

__all__ = ["difference", "report"]


def difference(case: Case, xp: ModuleType) -> tuple[str, Outcome, Outcome] | None:
    """Make the call on `xp`; return what differs, what is expected and what came.

    A result is compared with the oracle's. Where a call is refused, here or on NumPy's backend, it
    is compared with that: who refuses what is no library's to say.
    """
    got = run(case, xp)
    backend = xp.__name__.rpartition(".")[2]
    wanted = Outcome() if backend == "numpy" else run(case, namespace_of("numpy"))
    if backend == "numpy" and got.error:
        return None
    if not (wanted.error or got.error):
        wanted = expected(case)
    found = compare(case, wanted, got, backend)
    return None if found is None else (found, wanted, got)


def report(case: object, xp: ModuleType, found: tuple[str, object, object]) -> str:
    """Return a compact reproduction of a difference."""
    what, wanted, got = found
    backend = xp.__name__.rpartition(".")[2]
    return (
        f"{what}\n"
        f"  from numpy import array, inf, nan; import arrayapi_unify as unify, numpy as np\n"
        f"  xp = unify.{backend}; {case}\n"
        f"  expected: {wanted!r}\n"
        f"  {backend + ':':<9} {got!r}"
    )
