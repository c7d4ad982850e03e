"""One call on one backend or several, compared with the expected result."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from arrayapi_unify.binding import namespace_of
from tests.differential.case import Case, source
from tests.differential.compare import compare
from tests.differential.expected import expected
from tests.differential.outcome import Outcome, run

__all__ = ["difference", "differences", "report"]


def difference(case: Case, xp: ModuleType) -> tuple[str, Outcome, Outcome] | None:
    """Make the call on `xp`; return the difference, the expected and the actual outcome."""
    found = differences(case, [xp])
    return found[0][1] if found else None


def differences(
    case: Case, namespaces: Sequence[ModuleType]
) -> list[tuple[ModuleType, tuple[str, Outcome, Outcome]]]:
    """Make the call on each backend; return the differences by backend.

    A result is compared with the oracle's. If a call raises on a backend or on NumPy's, the outcome
    is compared with NumPy's, because all backends have to refuse the same calls.
    """
    numpy, right, found = run(case, namespace_of("numpy")), None, []
    for xp in namespaces:
        backend = xp.__unify_backend__
        got = numpy if backend == "numpy" else run(case, xp)
        if backend == "numpy" and got.error:
            continue
        wanted = numpy
        if not (numpy.error or got.error):
            wanted = right = right or expected(case)
        problem = compare(case, wanted, got, backend)
        if problem is not None:
            found.append((xp, (problem, wanted, got)))
    return found


def report(case: object, xp: ModuleType, found: tuple[str, object, object]) -> str:
    """Return a compact reproduction of a difference."""
    what, wanted, got = found
    backend = xp.__unify_backend__
    lines = [
        what,
        "from numpy import array, inf, nan; import arrayapi_unify as unify, numpy as np",
        "from tests.differential.layouts import conjugated, native, negated, tracked",
        f"xp = unify.{backend}; {case}",
        f"expected: {wanted!r}",
        f"{backend + ':':<9} {got!r}",
    ]
    if isinstance(case, Case) and "out" not in case.kwargs:
        lines.append(f"for tests/examples.py: {source(case)}")
    return "\n  ".join(lines)
