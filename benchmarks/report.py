"""The benchmark's results, as tables on the screen and as files in `reports/`."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks import against
from benchmarks.measure import AGAIN, ImportResult, Result
from benchmarks.thresholds import LARGE, SMALL, THRESHOLDS, TIMES_LARGE, exceeding
from compliance import disk
from compliance.errors import ComplianceError

__all__ = ["directory", "environment", "options", "publish", "show", "write"]

_PACKAGES = (
    "arrayapi_unify", "numpy", "torch", "tensorflow-cpu", "jax", "keras", "array-api-compat",
    "array-api-strict",
)  # fmt: skip


def _by_backend(results: Sequence[Result]) -> dict[str, list[Result]]:
    grouped: dict[str, list[Result]] = {}
    for result in results:
        grouped.setdefault(result.backend, []).append(result)
    return grouped


def _columns(results: Sequence[Result]) -> list[str]:
    names = dict.fromkeys(name for result in results for name in result.ratios)
    return ["operation", "elements", "bare call, ns", *names]


def _rows(results: Sequence[Result]) -> list[list[str]]:
    candidates = _columns(results)[3:]
    return [
        [
            result.operation,
            f"{result.size:,}",
            f"{result.native_ns:,.0f}",
            *(f"{result.ratios[d]:.2f}" if d in result.ratios else "" for d in candidates),
        ]
        for result in results
    ]


def show(console: Console, results: Sequence[Result], imports: Sequence[ImportResult]) -> None:
    """Print the tables."""
    for backend, group in _by_backend(results).items():
        table = Table(title=f"{backend}: time as a multiple of the bare call's (median)")
        for i, column in enumerate(_columns(group)):
            table.add_column(column, justify="left" if i == 0 else "right")
        for row in _rows(group):
            table.add_row(*row)
        console.print(table)
    for result in imports:
        console.print(
            f"import {result.module}: {result.milliseconds:.0f} ms, "
            f"{result.ratio:.2f} times import numpy"
        )


def _markdown(
    results: Sequence[Result],
    imports: Sequence[ImportResult],
    portable_ns: Mapping[str, float],
    container_ns: float,
) -> str:
    lines = [
        "# Cost of a call",
        "",
        "Time as a multiple of the bare library's call, median over rounds in which all take "
        "turns; written by `python -m benchmarks`.",
        "",
        f"{environment()['description']}.",
    ]
    for backend, group in _by_backend(results).items():
        columns = _columns(group)
        lines += ["", f"## {backend}", "", "| " + " | ".join(columns) + " |"]
        lines += ["|---|" + "---:|" * (len(columns) - 1)]
        lines += ["| " + " | ".join(row) + " |" for row in _rows(group)]
    lines += ["", *_exceedances(results)]
    lines += [
        "",
        "## Portable functions",
        "",
        "Time that `unify.portable` adds to a call with one native array, which it returns.",
        "",
        "| backend | ns |",
        "|---|---:|",
        *(f"| {backend} | {ns:,.0f} |" for backend, ns in portable_ns.items()),
        "",
        "## Containers",
        "",
        "A call of the top level's `sin` with a Container of two leaves takes "
        f"{container_ns:,.0f} ns more than twice the call with an array.",
        "",
        "## Imports",
        "",
        "| import | ms | multiple of `import numpy` |",
        "|---|---:|---:|",
    ]
    lines += [f"| `{r.module}` | {r.milliseconds:.0f} | {r.ratio:.2f} |" for r in imports]
    return "\n".join(lines) + "\n"


def _exceedances(results: Sequence[Result]) -> list[str]:
    """Render the rows above their thresholds."""
    times = [f"{backend} {threshold.times:g} times" for backend, threshold in THRESHOLDS.items()]
    more = ", ".join(
        f"{backend} {threshold.more_ns / 1000:g} µs" for backend, threshold in THRESHOLDS.items()
    )
    return [
        "## Above the threshold",
        "",
        f"A bound call may take so much more than the bare one: {more}. Or, where that is longer, "
        f"a multiple of it: at {SMALL} elements {', '.join(times)}, at {LARGE:,} elements "
        f"{TIMES_LARGE:g} times everywhere. A row that is above it is measured again, with "
        f"{AGAIN} times as many rounds for the two calls alone; what that finds is what the tables "
        "have. A row without a reason was not looked into.",
        *_above(results, SMALL),
        *_above(results, LARGE),
    ]


def _above(results: Sequence[Result], size: int) -> list[str]:
    return [
        "",
        f"### At {size:,} elements",
        "",
        "| backend | operation | bare call, ns | ours, ns | why |",
        "|---|---|---:|---:|---|",
        *(
            f"| {row.backend} | {row.operation} | {row.native_ns:,.0f} | {row.ours_ns:,.0f} "
            f"| {row.reason} |"
            for row in exceeding(results, size)
        ),
    ]


def environment() -> dict[str, Any]:
    """Describe the interpreter, the machine and the packages."""
    packages: dict[str, str] = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue  # not installed, so not measured either
    listed = ", ".join(f"{name} {number}" for name, number in packages.items())
    python = f"Python {platform.python_version()}"
    return {
        "packages": packages,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "description": f"{python} on {platform.system()} {platform.machine()}; {listed}",
    }


def write(
    folder: Path,
    results: Sequence[Result],
    imports: Sequence[ImportResult],
    portable_ns: Mapping[str, float],
    container_ns: float,
) -> None:
    """Write `benchmark.json` and `benchmark.md`."""
    content = {
        "environment": environment(),
        "calls": [asdict(result) for result in results],
        "portable_ns": dict(portable_ns),
        "container_ns": container_ns,
        "imports": [asdict(result) for result in imports],
    }
    text = json.dumps(content, indent=1) + "\n"
    disk.write(folder / "benchmark.json", text)
    disk.write(folder / "benchmark.md", _markdown(results, imports, portable_ns, container_ns))


def _writable(context: click.Context, parameter: click.Parameter, folder: Path) -> Path:
    """Raise for an unusable folder before the measurements, not after them."""
    try:
        disk.check(folder)
    except ComplianceError as error:
        raise click.BadParameter(error.message) from error
    return folder


directory = click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports"),
    show_default=True,
    callback=_writable,
    help="Folder of the written results.",
)
"""The option that names the folder of a report."""


def options(rounds: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options of all benchmarks to a command."""
    given = (
        click.option("--rounds", default=rounds, show_default=True, help="Rounds of each."),
        click.option(
            "--backend", "backends", multiple=True, help="Backends (default: the installed)."
        ),
        directory,
        against.option,
    )

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(given):
            command = option(command)
        return command

    return decorate


def publish(
    output: Path, name: str, title: str, explanation: str, results: Sequence[Any],
    columns: Mapping[str, Callable[[Any], str]],
) -> None:  # fmt: skip
    """Print a table, one row for each result, and write it with the results as JSON.

    `columns` maps each column to a function that renders its cell.
    """
    rows = [[spell(result) for spell in columns.values()] for result in results]
    table = Table(*columns)
    for row in rows:
        table.add_row(*(escape(cell.strip("`")) for cell in row))
    Console().print(table)
    lines = [f"# {title}", "", explanation, "", f"{environment()['description']}.", ""]
    lines += [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    data = json.dumps([asdict(result) for result in results], indent=1)
    disk.write(output / f"{name}.json", data + "\n")
    disk.write(output / f"{name}.md", "\n".join(lines) + "\n")
