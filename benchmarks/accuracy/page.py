"""`reports/accuracy.md`: a table by function and data type."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from benchmarks.accuracy import report
from benchmarks.accuracy.libraries import LIBRARIES
from benchmarks.accuracy.units import FORMATS
from compliance import disk

__all__ = ["markdown", "write"]

_COLUMNS: Final = [f"{library}, {who}" for library in LIBRARIES for who in ("bare", "ours")]
_INTRODUCTION: Final = (
    "The largest distance of a result from the truth, in units in the last place; written by "
    "`python -m benchmarks.accuracy`. A result that is rounded correctly is off by 0.50. float16, "
    "bfloat16 and float32 of functions with one argument: every number. float64 and functions with "
    "two arguments: the worst of a search. Arguments and results are normal numbers. A second "
    "figure, after a slash, is that of subnormal ones where it is above 1; `flushed` says that the "
    "library takes them for zero. \"none\": the library has no such function, or not for this data "
    "type. A percentage is the part of all numbers that was measured yet."
)  # fmt: skip


def _cell(row: dict[str, Any] | None) -> str:
    if row is None or "points" not in row:
        return "none"
    text = _number(row["max_ulp"])
    if row["max_ulp_subnormal"] > 2**12:
        text += " / flushed"
    elif row["max_ulp_subnormal"] > 1:
        text += f" / {_number(row['max_ulp_subnormal'])}"
    if row["wrong"]:
        text += f", {row['wrong']:,} special values"
    if row["steps"] < row["of_steps"]:
        text += f" ({row['steps'] / row['of_steps']:.0%})"
    return text


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.1e}"


def _exact(found: dict[str, Any]) -> list[str]:
    lines = [
        "",
        "## Functions that don't round",
        "",
        "Comparisons, bits, rounding, signs and selections, on drawn numbers of all data types.",
        "",
        "| library | functions | results | wrong | the first |",
        "|---|---:|---:|---:|---|",
    ]
    for key, verified in found.items():
        counts = " | ".join(f"{verified[name]:,}" for name in ("functions", "points", "wrong"))
        lines.append(f"| {key.replace('/', ', ')} | {counts} | {verified['first']} |")
    return lines


def markdown(found: dict[str, Any]) -> str:
    """Return the page of a report."""
    rows = {tuple(row[key] for key in report.KEYS): row for row in found["rows"]}
    processor = found["environment"]["processor"]
    features = ", ".join(processor["features"])
    lines = [
        "# Accuracy of elementwise functions", "", _INTRODUCTION, "",
        f"{found['environment']['description']}. {processor['name']}: {features}.", "",
        "| function | data type | " + " | ".join(_COLUMNS) + " |",
        "|---|---|" + "---:|" * len(_COLUMNS),
    ]  # fmt: skip
    for name in sorted({row["function"] for row in found["rows"]}):
        for dtype in FORMATS:
            cells = [
                _cell(rows.get((name, dtype, library, who)))
                for library in LIBRARIES
                for who in ("bare", "ours")
            ]
            if any(key[:2] == (name, dtype) for key in rows):
                lines.append(f"| {name} | {dtype} | {' | '.join(cells)} |")
    return "\n".join([*lines, *_exact(found.get("exact", {}))]) + "\n"


def write(folder: Path) -> None:
    """Write the page of the report in a folder, if something is measured."""
    with disk.locked(folder):
        found = report.load(folder)
        if found["rows"]:
            disk.write(folder / "accuracy.md", markdown(found))
