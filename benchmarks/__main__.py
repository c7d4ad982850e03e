"""`python -m benchmarks`: measure, print, and write to `reports/`."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from benchmarks import cases, measure, report


def _installed() -> list[str]:
    return [name for name in cases.BACKENDS if importlib.util.find_spec(name) is not None]


def _in_own_process(backend: str, sizes: tuple[int, ...], rounds: int) -> list[measure.Result]:
    """Measure one backend apart: the libraries' thread pools would disturb each other."""
    command = [sys.executable, "-m", "benchmarks", "--only", backend, "--rounds", str(rounds)]
    for size in sizes:
        command += ["--size", str(size)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return [measure.Result(**entry) for entry in json.loads(done.stdout.splitlines()[-1])]


@click.command()
@click.option("--rounds", default=21, show_default=True, help="Rounds of each measurement.")
@click.option("--size", "sizes", multiple=True, type=int, help="Elements (default: 4, 1e3, 1e6).")
@click.option("--backend", "backends", multiple=True, help="Backends (default: the installed).")
@click.option("--only", hidden=True, help="Measure one backend here and print JSON.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports"),
    show_default=True,
    help="Folder of the written results.",
)
def main(
    rounds: int, sizes: tuple[int, ...], backends: tuple[str, ...], only: str | None, output: Path
) -> None:
    """Measure what our calls cost beside the bare native calls, in one run."""
    sizes = sizes or cases.SIZES
    if only is not None:
        native, candidates = cases.doors(only)
        results = [r for size in sizes for r in measure.measure(native, candidates, size, rounds)]
        click.echo(json.dumps([asdict(result) for result in results]))
        return
    results = [
        result
        for backend in backends or _installed()
        for result in _in_own_process(backend, sizes, rounds)
    ]
    imports = measure.import_times(["arrayapi_unify", "array_api_strict"], rounds)
    report.show(Console(), results, imports)
    report.write(output, results, imports)


if __name__ == "__main__":
    main()
