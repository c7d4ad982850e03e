"""`python -m benchmarks.scale`: Dask arrays of ours beside bare ones, in `reports/scale.md`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.report import directory, environment
from benchmarks.scale import building, cluster, plot, running
from compliance import disk

__all__ = ["main", "page"]

_BUILDING: Final[Mapping[str, Callable[[Any], str]]] = {
    "call": lambda r: f"`{r.name}`",
    "bare, µs": lambda r: f"{r.bare_us:,.0f}",
    "ours": lambda r: f"{r.ratio:.2f}",
    "tasks, bare": lambda r: f"{r.tasks_bare:,}",
    "tasks, ours": lambda r: f"{r.tasks:,}",
}
_RUNNING: Final[Mapping[str, Callable[[Any], str]]] = {
    "program": lambda r: r.name,
    "bare, s": lambda r: f"{r.bare_s:.2f}",
    "ours": lambda r: f"{r.ratio:.2f}",
    "peak, bare, MB": lambda r: f"{r.bare_mb:,.0f}",
    "peak, ours": lambda r: f"{r.ratio_mb:.2f}",
}
_CLUSTER: Final[Mapping[str, Callable[[Any], str]]] = {
    "run": lambda r: r.name,
    "s": lambda r: f"{r.seconds:,.1f}",
    "peak of a worker, MB": lambda r: f"{r.peak_mb:,.0f}",
    "relative error": lambda r: f"{r.error:.1e}",
    "worker processes": lambda r: f"{r.workers}",
}
_PAGE: Final = """# Dask arrays of ours beside bare ones

Ratios to bare Dask, medians over rounds in which both take turns; written by
`python -m benchmarks.scale`. {description}.

## Graphs

Time to build a graph, and its tasks after `dask.optimize`, of a table of 4,096 rows and 64 columns
in blocks of 256 and 32. Geometric means: time {time:.2f}, tasks {tasks:.2f}.

{building}

## Programs

A table of {megabytes:,} MB, in blocks of 65,536 rows, computed by threads in a fresh process. The
peak is that of the process.

{running}

## A cluster with less memory than data

A table of {cluster_megabytes:,} MB, read block by block by two workers of {limit} MB, standardized;
the eigenvalues of its correlations, and a fit by `linalg.lstsq`. Errors are differences from
NumPy's values of the same blocks, added up one after the other, relative to the largest one. In the
third run the process of a worker is ended halfway.

{cluster}

![The memory of the larger worker over time](scale.svg)
"""


def _table(rows: Sequence[Any], columns: Mapping[str, Callable[[Any], str]]) -> str:
    lines = [f"| {' | '.join(columns)} |", "|---|" + "---:|" * (len(columns) - 1)]
    lines += [f"| {' | '.join(spell(row) for spell in columns.values())} |" for row in rows]
    return "\n".join(lines)


def page(
    built: Sequence[building.Built],
    ran: Sequence[running.Ran],
    clustered: Sequence[cluster.OnCluster],
    megabytes: tuple[int, int],
) -> str:
    """Return the report as Markdown; the sizes are those of the programs and of the cluster."""
    return _PAGE.format(
        description=environment()["description"],
        time=building.geometric_mean([row.ratio for row in built]),
        tasks=building.geometric_mean([row.tasks / row.tasks_bare for row in built]),
        building=_table(built, _BUILDING),
        megabytes=megabytes[0],
        running=_table(ran, _RUNNING),
        cluster_megabytes=megabytes[1],
        limit=cluster.LIMIT,
        cluster=_table(clustered, _CLUSTER),
    )


@click.command()
@click.option("--rounds", default=9, show_default=True, help="Rounds of each call.")
@click.option("--runs", default=3, show_default=True, help="Rounds of each program.")
@click.option("--megabytes", default=1000, show_default=True, help="Size of the programs' table.")
@click.option(
    "--cluster-megabytes", default=2000, show_default=True, help="Size of the cluster's table."
)
@directory
def main(rounds: int, runs: int, megabytes: int, cluster_megabytes: int, output: Path) -> None:
    """Measure, print, and write `scale.json`, `scale.md` and `scale.svg`."""
    built, ran = building.measure(rounds), running.measure(runs, megabytes)
    clustered = cluster.measure(cluster_megabytes)
    text = page(built, ran, clustered, (megabytes, cluster_megabytes))
    click.echo(text)
    parts: dict[str, Sequence[Any]]
    parts = {"building": built, "running": ran, "cluster": clustered}
    data = {name: [asdict(row) for row in rows] for name, rows in parts.items()}
    disk.write(output / "scale.json", json.dumps(data, indent=1) + "\n")
    plot.draw(clustered, output / "scale.svg")
    disk.write(output / "scale.md", text)


if __name__ == "__main__":
    main()
