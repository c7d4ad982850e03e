"""The benchmark's results, as a table on the screen and as files in `reports/`."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.measure import ImportResult, Result

__all__ = ["show", "write"]


def _door_names(results: Sequence[Result]) -> list[str]:
    names: dict[str, None] = {}
    for result in results:
        names.update(dict.fromkeys(result.ratios))
    return list(names)


def _rows(results: Sequence[Result]) -> list[list[str]]:
    names = _door_names(results)
    return [
        [
            result.operation,
            f"{result.size:,}",
            f"{result.native_ns:,.0f}",
            *(f"{result.ratios[n]:.2f}" if n in result.ratios else "" for n in names),
        ]
        for result in results
    ]


def show(console: Console, results: Sequence[Result], imports: Sequence[ImportResult]) -> None:
    """Print the tables."""
    table = Table(title="Ratio of a call to the bare NumPy call (median)")
    for i, column in enumerate(["operation", "elements", "numpy, ns", *_door_names(results)]):
        table.add_column(column, justify="left" if i == 0 else "right")
    for row in _rows(results):
        table.add_row(*row)
    console.print(table)
    for result in imports:
        console.print(
            f"import {result.module}: {result.milliseconds:.0f} ms, "
            f"{result.ratio:.2f} times import numpy"
        )


def _markdown(results: Sequence[Result], imports: Sequence[ImportResult]) -> str:
    header = ["operation", "elements", "numpy, ns", *_door_names(results)]
    lines = [
        "# Cost of a call",
        "",
        "Ratio to the bare NumPy call, median over rounds in which all of them take turns; "
        "written by `python -m benchmarks`.",
        "",
        f"{_environment()['description']}.",
        "",
        "| " + " | ".join(header) + " |",
        "|---|" + "---:|" * (len(header) - 1),
        *("| " + " | ".join(row) + " |" for row in _rows(results)),
        "",
        "| import | ms | ratio to `import numpy` |",
        "|---|---:|---:|",
        *(f"| `{r.module}` | {r.milliseconds:.0f} | {r.ratio:.2f} |" for r in imports),
    ]
    return "\n".join(lines) + "\n"


def _environment() -> dict[str, Any]:
    packages = {
        name: version(name)
        for name in ("arrayapi_unify", "numpy", "array-api-compat", "array-api-strict")
    }
    listed = ", ".join(f"{name} {number}" for name, number in packages.items())
    python = f"Python {platform.python_version()}"
    return {
        "packages": packages,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "description": f"{python} on {platform.system()} {platform.machine()}; {listed}",
    }


def write(folder: Path, results: Sequence[Result], imports: Sequence[ImportResult]) -> None:
    """Write `benchmark.json` and `benchmark.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "environment": _environment(),
        "calls": [asdict(result) for result in results],
        "imports": [asdict(result) for result in imports],
    }
    (folder / "benchmark.json").write_text(json.dumps(content, indent=1) + "\n")
    (folder / "benchmark.md").write_text(_markdown(results, imports))
