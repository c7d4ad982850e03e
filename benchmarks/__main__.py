"""`python -m benchmarks`: measure, print, and write to `reports/`."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from benchmarks import cases, measure, report


@click.command()
@click.option("--rounds", default=31, show_default=True, help="Rounds of each measurement.")
@click.option("--size", "sizes", multiple=True, type=int, help="Elements (default: 4, 1e3, 1e6).")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports"),
    show_default=True,
    help="Folder of the written results.",
)
def main(rounds: int, sizes: tuple[int, ...], output: Path) -> None:
    """Measure what our calls cost beside the bare native calls, in one run."""
    native, candidates = cases.doors()
    results: list[measure.Result] = []
    for size in sizes or cases.SIZES:
        results += measure.measure(native, candidates, size, rounds)
    imports = measure.import_times(["arrayapi_unify", "array_api_strict"], rounds)
    report.show(Console(), results, imports)
    report.write(output, results, imports)


if __name__ == "__main__":
    main()
