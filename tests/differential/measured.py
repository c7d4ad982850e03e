"""The error of functions in `reports/accuracy.json`, for tolerances and slow tests."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, Final

from benchmarks.accuracy.report import load

__all__ = ["REPORT", "rows", "tolerance", "worst"]

REPORT: Final = Path(__file__).parents[2] / "reports" / "accuracy.json"
_COMPARED: Final = ("float32", "float64")


@functools.cache
def rows() -> list[dict[str, Any]]:
    """Return the rows that have been measured."""
    found = load(REPORT.parent)["rows"]
    return [row for row in found if "points" in row]


def worst(function: str, library: str | None = None) -> float | None:
    """Return the largest error of ours in single and double precision, in ulps."""
    errors = [
        row["max_ulp"]
        for row in rows()
        if row["function"] == function
        and row["who"] == "ours"
        and row["dtype"] in _COMPARED
        and library in (None, row["library"])
    ]
    return max(errors, default=None)


def tolerance(function: str, ceiling: float) -> float:
    """Return how far a result may be from NumPy's: both errors, NumPy's as one unit at least.

    The ceiling is set by hand. It holds for what isn't measured, and where a library is worse at
    points that the drawn calls don't have.
    """
    ours, numpy = worst(function), worst(function, "numpy")
    if ours is None or numpy is None:
        return ceiling
    return min(ours + max(1.0, numpy), ceiling)
