"""Derivatives that the backends return where a function has none: at its kinks and jumps.

Each row names the points at which one backend differs from the other two, and its derivatives
there. The page of differences shows the rows; see `test_kinks.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["KINKS", "Kink", "table"]

NDArray = npt.NDArray[Any]


@dataclass(frozen=True)
class Kink:
    """A derivative by which one backend differs from the others."""

    functions: tuple[str, ...]
    backend: str
    where: str
    happens: str
    otherwise: str
    at: Callable[..., NDArray]  # marks elements of the arguments
    gives: tuple[float, ...]  # the derivative by each of the arguments


def _equal(x1: NDArray, x2: NDArray) -> NDArray:
    return np.asarray(x1 == x2)


KINKS: Final = (
    Kink(
        ("maximum", "minimum", "fmax", "fmin"), "tensorflow", "`x1 == x2`", "1 by `x1`, 0 by `x2`",
        "0.5 by each", _equal, (1.0, 0.0),
    ),
    Kink(
        ("nextafter",), "torch", "`x1 == x2`", "0 by `x1`", "1 by `x1`", _equal,
        (0.0, 0.0),
    ),
)  # fmt: skip


def table() -> str:
    """Return the rows of a table in Markdown."""
    rows = []
    for row in KINKS:
        names = ", ".join(f"`{name}`" for name in row.functions)
        rows.append(f"| {names} | {row.backend} | {row.where} | {row.happens} | {row.otherwise} |")
    return "\n".join(rows)
