"""`python -m benchmarks.views`: writes to a thousand rows of an array, beside writes to copies."""

from __future__ import annotations

import importlib
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table

from benchmarks.cases import BACKENDS
from benchmarks.report import environment

__all__ = ["COLUMNS", "ROWS", "Result", "markdown", "measure"]

ROWS: Final = 1000
COLUMNS: Final = (4, 1000)


@dataclass(frozen=True, slots=True)
class Result:
    """The loop over copies, the ratio of the loop over rows to it, and that of a read behind it."""

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
    """Let both loops take turns; a ratio is the median over the rounds."""
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


def markdown(results: list[Result]) -> str:
    """Return the page of the results."""
    lines = [
        "# Cost of writes to what others share",
        "",
        f"`row += 1` for each of the {ROWS:,} rows of `unstack(x)`, all of them alive, as a "
        "multiple of the same loop over copies; then with a look at all of x behind it. Medians "
        "over rounds in which both take turns; written by `python -m benchmarks.views`.",
        "",
        f"{environment()['description']}.",
        "",
        "| backend | columns of x | loop over copies, ms | rows of x | with the look |",
        "|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {r.backend} | {r.columns:,} | {r.copies_ms:,.1f} | {r.ratio:.2f} "
        f"| {r.ratio_with_read:.2f} |"
        for r in results
    ]
    return "\n".join(lines) + "\n"


@click.command()
@click.option("--rounds", default=9, show_default=True, help="Rounds of each measurement.")
@click.option("--backend", "backends", multiple=True, help="Backends (default: all).")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports"),
    show_default=True,
    help="Folder of the written results.",
)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `views.json` and `views.md`."""
    results = [measure(b, rounds, columns) for b in backends or BACKENDS for columns in COLUMNS]
    table = Table("backend", "columns", "copies, ms", "rows", "with the look")
    for r in results:
        figures = (r.copies_ms, r.ratio, r.ratio_with_read)
        table.add_row(r.backend, str(r.columns), *(f"{figure:.2f}" for figure in figures))
    Console().print(table)
    output.mkdir(parents=True, exist_ok=True)
    text = json.dumps([asdict(result) for result in results], indent=1) + "\n"
    (output / "views.json").write_text(text, encoding="utf-8")
    (output / "views.md").write_text(markdown(results), encoding="utf-8")


if __name__ == "__main__":
    main()
