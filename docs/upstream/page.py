"""The page of the ledger, from the tables and the recorded results; no framework is imported."""

from __future__ import annotations

import math
from collections.abc import Iterator

from docs.upstream.table import LIBRARIES, ROOT, Row, measured, rows

__all__ = ["SECTIONS", "render"]

_STANDARD = "https://data-apis.org/array-api/2025.12"
SECTIONS = {"indexing", "type_promotion"}
"""Sections of the standard that rows cite; all other pages are those of functions."""

_PAGE = """# Faults of the libraries

Written by `python -m docs` from the tables in `docs/upstream/`. Each row is a result of a bare
library that differs from the standard, from mpmath (digits) or, where these leave a result open,
from NumPy, and that a function of this package corrects: {count} rows. The code can be pasted into
an interpreter; the CPU computes it.

{summary}

`python -m docs.upstream` runs all rows with the installed libraries, and names those whose fault is
gone; a correction can be removed when it is gone in every supported version.
`python -m docs.upstream --measure` records the results. A row states what the library gives, with
the versions that gave it, the expected result, and the function and file of the correction.

## Gone in newer versions

These corrections are for older versions only. The release is the first one without the fault, or
the first one that was measured after a version with it.

{gone}
"""


def _code(text: str) -> str:
    """Return text as code, which may contain backticks."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _page_of(name: str) -> str:
    """Return the address of a page of the standard."""
    if name in SECTIONS:
        return f"{_STANDARD}/API_specification/{name}.html"
    part = "extensions" if name.startswith(("fft.", "linalg.")) else "API_specification"
    method = "array." if name.startswith("__") else ""
    return f"{_STANDARD}/{part}/generated/array_api.{method}{name}.html"


def _source(row: Row) -> str:
    """Return the source of the expected result."""
    if row.standard:
        return f"[the standard]({_page_of(row.standard)})"
    return f"mpmath, {_code(row.mpmath)}" if row.mpmath else f"NumPy, {_code(row.numpy)}"


def _gives(row: Row, results: dict[str, dict[str, str]]) -> Iterator[str]:
    """Yield each result with its versions."""
    by_result: dict[str, list[str]] = {}
    for version, found in results.items():
        by_result.setdefault(_result(row, found[row.name]), []).append(version)
    for text, versions in by_result.items():
        named = ", ".join(versions)
        yield f"{text} {named}" if text.startswith("**") else f"{text} ({named})"


def _result(row: Row, text: str) -> str:
    """Return a result with its error, or that there is none."""
    if row.agrees(text):
        return "**the expected result** in"
    off = row.distance(text) if row.ulps else math.inf
    ulps = f", off by {off:.3g} units in the last place" if math.isfinite(off) else ""
    return f"{_code(text)}{ulps}"


def _entry(row: Row, results: dict[str, dict[str, str]]) -> str:
    """Return the section of a row."""
    name = row.correction.partition(": ")[2]
    where = " on some processors, and the expected result on others" * row.on_some_processors
    return "\n".join(
        [
            f"### `{row.function}`: {row.fault}",
            "",
            "```text",
            row.code,
            "```",
            "",
            f"- {LIBRARIES[row.library]} gives {'; '.join(_gives(row, results))}{where}",
            f"- Expected is {_code(row.expected)} ({_source(row)}): {row.because}",
            f"- Corrected by `{name}` in `{row.source.relative_to(ROOT).as_posix()}`",
            "",
        ]
    )


def _gone(table: dict[str, list[Row]]) -> str:
    """Return the table of rows whose fault is gone."""
    lines = ["| function | fault | gone in | correction |", "|---|---|---|---|"]
    for row in (row for found in table.values() for row in found if row.gone_in):
        cells = [f"`{row.function}`", row.fault, f"{LIBRARIES[row.library]} {row.gone_in}"]
        lines.append(f"| {' | '.join(cells)} | `{row.source.relative_to(ROOT).as_posix()}` |")
    return "\n".join(lines)


def render() -> str:
    """Return the page."""
    results = measured()
    table = {library: rows(library) for library in LIBRARIES}
    lines = ["| library | versions | rows | gone in the last one |", "|---|---|---:|---:|"]
    for library, title in LIBRARIES.items():
        versions = results[library]
        newest = [*versions.values()][-1]
        gone = sum(row.agrees(newest[row.name]) for row in table[library])
        lines.append(f"| {title} | {', '.join(versions)} | {len(table[library])} | {gone} |")
    count = sum(map(len, table.values()))
    parts = [_PAGE.format(count=count, summary="\n".join(lines), gone=_gone(table))]
    for library, title in LIBRARIES.items():
        entries = [_entry(row, results[library]) for row in table[library]]
        parts.append("\n".join([f"## {title}", "", f"{len(entries)} rows.", "", *entries]))
    return "\n".join(parts)
