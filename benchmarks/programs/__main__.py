"""`python -m benchmarks.programs`: whole programs, each backend in its own process."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from benchmarks.cases import installed
from benchmarks.programs.catalog import PROGRAMS
from benchmarks.programs.program import SIZES
from benchmarks.programs.report import write
from benchmarks.programs.timing import Timing
from benchmarks.report import options

__all__ = ["main"]

# The allocator keeps freed memory. Otherwise some ways request each large array from the system
# again, depending on the memory layout by chance.
_KEPT: Final = {"MALLOC_MMAP_THRESHOLD_": "4000000000", "MALLOC_TRIM_THRESHOLD_": "4000000000"}
# With one thread each, because waiting threads would be counted, too.
_ALONE: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}


def _measured(backend: str, arguments: list[str], failed: list[str]) -> list[Timing]:
    """Measure in another process and show its lines immediately; keep them if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "lines"
        command = [sys.executable, "-m", "benchmarks.programs.worker", backend]
        alone = _ALONE if "--cpu" in arguments else {}
        command += [*arguments, "--output", str(lines)]
        done = subprocess.run(command, env={**os.environ, **_KEPT, **alone})
        text = lines.read_text("utf-8") if lines.exists() else ""
        found = [Timing(**json.loads(line)) for line in text.splitlines()]
    if done.returncode != 0:
        failed.append(" ".join([backend, *arguments]))
    return found


def _beside(timings: list[Timing], keras: list[Timing]) -> list[Timing]:
    """Add Keras' ratios to ours."""
    known = {(t.program, t.size): t.ratios for t in keras}
    return [replace(t, ratios={**t.ratios, **known.get((t.program, t.size), {})}) for t in timings]


@click.command()
@click.option("--program", "programs", multiple=True, type=click.Choice(list(PROGRAMS)))
@click.option("--size", "sizes", multiple=True, type=click.Choice(SIZES))
@click.option("--cpu", is_flag=True, help="The processor's time, where others share the machine.")
@options(rounds=15)
def main(
    programs: tuple[str, ...], sizes: tuple[str, ...], cpu: bool, rounds: int,
    backends: tuple[str, ...], output: Path,
) -> None:  # fmt: skip
    """Measure, print, and write `programs.json`, `programs.md` and `programs.svg`."""
    arguments = ["--rounds", str(rounds)]
    arguments += ["--cpu"] * cpu
    arguments += [part for name in programs for part in ("--program", name)]
    arguments += [part for name in sizes for part in ("--size", name)]
    absent = [
        name
        for name, module in (("Keras", "keras"), ("array-api-compat", "array_api_compat"))
        if importlib.util.find_spec(module) is None
    ]
    timings: list[Timing] = []
    failed: list[str] = []
    for backend in backends or installed():
        ours = _measured(backend, arguments, failed)
        keras = [] if "Keras" in absent else _measured(backend, [*arguments, "--keras"], failed)
        timings += _beside(ours, keras)
    if timings:
        write(output, timings, absent, cpu)
    if failed:
        raise click.ClickException(f"measuring failed, and what it lacks is left out: {failed}")


if __name__ == "__main__":
    main()
