"""`reports/accuracy.md`: a table by function and data type."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.accuracy import plot, report, sections
from benchmarks.accuracy.functions import FUNCTIONS
from benchmarks.accuracy.left import BAD, BEYOND_BARE, GOOD, LEFT
from benchmarks.accuracy.libraries import LIBRARIES
from benchmarks.accuracy.units import FORMATS
from compliance import disk

__all__ = ["behind", "markdown", "write"]

_COLUMNS: Final = [f"{library}, {who}" for library in LIBRARIES for who in ("bare", "ours")]
_INTRODUCTION: Final = (
    "The largest distance of a result from the truth, in units in the last place; written by "
    "`python -m benchmarks.accuracy`. A result that is rounded correctly is off by 0.50. float16, "
    "bfloat16 and float32 of functions with one argument: every number, but for the functions that "
    "are named below. float64 and functions with two arguments: the worst of a search, which "
    "draws numbers of all magnitudes and climbs from the worst ones. The truth is that of mpmath, "
    "where an error is the largest. Arguments and results are normal numbers. A second figure, "
    "after a slash, is that of subnormal ones where it is above 1; `flushed` says that the library "
    "takes them for zero. NaN, infinities and signed zeros are compared for equality; results that "
    "differ are counted as special values. \"none\": the library has no such function, or not for "
    "this data type. Where ours is the library's own kernel, both are evaluated in the first part "
    "of each block, and are the same there to the bit; one is evaluated in the others."
)  # fmt: skip
_PLOT: Final = (
    "The largest error in float32 for each sign and exponent of the argument:",
    "",
    "![Error over the argument, by function and library](accuracy.svg)",
)


def _cell(row: dict[str, Any] | None) -> str:
    if row is None or "points" not in row:
        return "none"
    text = _number(row["max_ulp"])
    if row["max_ulp_subnormal"] > 2 ** (FORMATS[row["dtype"]].precision - 2):
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
        "# Accuracy", "", _INTRODUCTION, "",
        f"{found['environment']['description']}. {processor['name']}: {features}.", "",
        *_how(found["rows"]), *_PLOT, "",
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
    lines += [*_worse(found["rows"]), *_exact(found.get("exact", {}))]
    return "\n".join([*lines, *sections.markdown(found.get("sections", []))]) + "\n"


def _how(rows: list[dict[str, Any]]) -> list[str]:
    """Say which functions are measured at every number of float32, and which aren't yet."""
    found: dict[str, set[str]] = {"exhaustive": set(), "searched": set()}
    points = 0
    for row in rows:
        if row["dtype"] == "float32" and FUNCTIONS[row["function"]].arity == 1:
            found[row["how"]].add(row["function"])
            points = max(points, row.get("points", 0) if row["how"] == "searched" else 0)
    whole = ", ".join(sorted(found["exhaustive"] - found["searched"]))
    lines = [f"Every number of float32: {whole or 'none'}."]
    if found["searched"]:
        names = ", ".join(sorted(found["searched"]))
        lines.append(
            f"Searched in float32, at {points:,} numbers, until all are measured: {names}."
        )
    return [" ".join(lines), ""]


def behind(rows: list[dict[str, Any]]) -> Iterator[tuple[tuple[str, ...], float, str]]:
    """Yield function, data type and library, our error, and the better one in words.

    Ours is off by half a unit more than the bare library, or by more than 4 units where ours on
    another library is off by less than 2.
    """
    measured = {tuple(row[key] for key in report.KEYS): row for row in rows if "points" in row}
    for (name, dtype, library, who), row in measured.items():
        if who != "ours":
            continue
        ours, bare = row["max_ulp"], measured.get((name, dtype, library, "bare"))
        others = [measured.get((name, dtype, other, "ours")) for other in LIBRARIES]
        best = min(other["max_ulp"] for other in others if other)
        if bare and ours > bare["max_ulp"] + BEYOND_BARE:
            yield (name, dtype, library), ours, f"bare {_number(bare['max_ulp'])}"
        elif ours > BAD and best < GOOD:
            yield (name, dtype, library), ours, f"the best library {_number(best)}"


def _worse(rows: list[dict[str, Any]]) -> list[str]:
    """Name the rows of ours that are worse than the library's own, and those that others beat."""
    lines = [
        "",
        "## Rows behind others",
        "",
        "Ours off by more than half a unit beyond the bare library, and ours above 4 ulp where "
        "another library is below 2. The cost is the time of the mend as a multiple of that of the "
        "library's function, at a million elements (`python -m benchmarks.accuracy.mends`).",
        "",
        "| function | data type | library | ours | compared with | mend | cost |",
        "|---|---|---|---:|---|---|---:|",
    ]
    for (name, dtype, library), ours, better in behind(rows):
        mend, cost = LEFT.get((name, dtype, library), ("none", "none"))
        row = (name, dtype, library, _number(ours), better, mend, cost)
        lines.append(f"| {' | '.join(row)} |")
    return lines


def write(folder: Path) -> None:
    """Write the page of the report in a folder, if something is measured."""
    with disk.locked(folder):
        found = report.load(folder)
        if found["rows"]:
            disk.write(folder / "accuracy.md", markdown(found))
            disk.write(folder / "accuracy.svg", plot.svg(found["rows"], "float32"))
