"""`python -m benchmarks`: measure, print, and write to `reports/`."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from benchmarks import cases, measure, report, thresholds


def _in_own_process(backend: str, sizes: tuple[int, ...], rounds: int) -> dict[str, Any]:
    """Measure one backend in its own process, so that thread pools don't disturb each other."""
    command = [sys.executable, "-m", "benchmarks", "--only", backend, "--rounds", str(rounds)]
    for size in sizes:
        command += ["--size", str(size)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@click.command()
@report.options(rounds=21)
@click.option("--size", "sizes", multiple=True, type=int, help="Elements (default: 4, 1e3, 1e6).")
@click.option("--only", hidden=True, help="Measure one backend here and print JSON.")
def main(
    rounds: int, sizes: tuple[int, ...], backends: tuple[str, ...], only: str | None, output: Path
) -> None:
    """Measure the cost of our calls compared with the bare native calls, in one run."""
    sizes = sizes or cases.SIZES
    if only is not None:
        native, candidates = cases.load_candidates(only)
        results = [
            result
            for size in sizes
            for result in measure.measure(
                native, candidates, size, rounds, thresholds.needs_remeasure
            )
        ]
        portable = measure.portable_ns(native, rounds)
        found = {"calls": [asdict(result) for result in results], "portable_ns": portable}
        click.echo(json.dumps(found))
        return
    by_backend = {b: _in_own_process(b, sizes, rounds) for b in backends or cases.installed()}
    results = [measure.Result(**c) for found in by_backend.values() for c in found["calls"]]
    portable_ns = {backend: found["portable_ns"] for backend, found in by_backend.items()}
    modules = ["arrayapi_unify", "arrayapi_unify.numpy", "array_api_strict"]
    imports = measure.import_times(modules, rounds)
    report.show(Console(), results, imports)
    report.write(output, results, imports, portable_ns, measure.container_ns(rounds))


if __name__ == "__main__":
    main()
