"""`python -m benchmarks.views`: writes to a thousand rows of an array, and writes to copies."""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.cases import installed
from benchmarks.report import options, publish

__all__ = ["COLUMNS", "ROWS", "Result", "measure"]

ROWS: Final = 1000
COLUMNS: Final = (4, 1000)


@dataclass(frozen=True, slots=True)
class Result:
    """The loop over copies, and ratios of the loop over rows without and with a read after it."""

    backend: str
    columns: int
    copies_ms: float
    ratio: float
    ratio_with_read: float


def _copies(xp: Any, columns: int) -> tuple[float, float]:
    rows = [xp.asarray(row, copy=True) for row in xp.unstack(xp.zeros((ROWS, columns)))]
    return _timed(rows, lambda: None)


def _shared(xp: Any, columns: int) -> tuple[float, float]:
    x = xp.zeros((ROWS, columns))
    return _timed(xp.unstack(x), lambda: xp.sum(x).item())


def _timed(rows: Any, read: Callable[[], Any]) -> tuple[float, float]:
    """Return the milliseconds of a write to each row, and those with a read after all of them."""
    begin = time.perf_counter()
    for row in rows:
        row += 1
    written = time.perf_counter()
    read()
    return (written - begin) * 1e3, (time.perf_counter() - begin) * 1e3


def measure(backend: str, rounds: int, columns: int) -> Result:
    """Alternate both loops; a ratio is the median over the rounds."""
    xp = importlib.import_module("arrayapi_unify").get_backend(backend)
    _copies(xp, columns), _shared(xp, columns)  # compile and warm up
    pairs = [(_copies(xp, columns)[0], _shared(xp, columns)) for _ in range(rounds)]
    return Result(
        backend,
        columns,
        statistics.median(copies for copies, _ in pairs),
        statistics.median(shared[0] / copies for copies, shared in pairs),
        statistics.median(shared[1] / copies for copies, shared in pairs),
    )


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "columns of x": lambda r: f"{r.columns:,}",
    "loop over copies, ms": lambda r: f"{r.copies_ms:,.1f}",
    "rows of x": lambda r: f"{r.ratio:.2f}",
    "with the look": lambda r: f"{r.ratio_with_read:.2f}",
}


@click.command()
@options(rounds=9)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `views.json` and `views.md`."""
    publish(
        output,
        "views",
        "Cost of writes to what others share",
        f"`row += 1` for each of the {ROWS:,} rows of `unstack(x)`, all of them alive, as a "
        "multiple of the same loop over copies; then with a read of all of x after it. Medians "
        "over rounds in which both take turns; written by `python -m benchmarks.views`.",
        [measure(b, rounds, columns) for b in backends or installed() for columns in COLUMNS],
        _COLUMNS,
    )


if __name__ == "__main__":
    main()
