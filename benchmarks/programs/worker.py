"""`python -m benchmarks.programs.worker`: one backend in its own process."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import click

from benchmarks.programs.catalog import PROGRAMS
from benchmarks.programs.program import SIZES
from benchmarks.programs.timing import measure

__all__ = ["main"]


@click.command()
@click.argument("backend")
@click.option("--program", "programs", multiple=True)
@click.option("--size", "sizes", multiple=True)
@click.option("--rounds", default=15)
@click.option("--keras", is_flag=True, help="Keras' functions instead of ours.")
@click.option("--cpu", is_flag=True, help="The processor's time, on all its cores.")
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), required=True)
def main(
    backend: str, programs: tuple[str, ...], sizes: tuple[str, ...], rounds: int, keras: bool,
    cpu: bool, output: Path,
) -> None:  # fmt: skip
    """Measure programs, and write a line of JSON after each."""
    # Keras reads its backend from here at its import.
    os.environ["KERAS_BACKEND"] = backend
    with output.open("a", encoding="utf-8") as lines:
        for name in programs or PROGRAMS:
            for size in sizes or SIZES:
                timing = measure(backend, name, size, rounds, keras, cpu)
                lines.write(json.dumps(asdict(timing)) + "\n")
                lines.flush()
                shown = ", ".join(f"{way} {ratio:.2f}" for way, ratio in timing.ratios.items())
                click.echo(f"{backend} {name} {size}: {timing.own_us:,.0f} us; {shown}")


if __name__ == "__main__":
    main()
