"""The sections of the report beside the elementwise functions of real numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from benchmarks.accuracy import arrays, complexes, report, special
from benchmarks.accuracy.libraries import LIBRARIES

__all__ = ["SECTIONS", "Section", "markdown", "measure"]


@dataclass(frozen=True, slots=True)
class Section:
    """A table: the function that measures its rows, the title, and the text above."""

    rows: Callable[[], Iterator[dict[str, Any]]]
    title: str
    text: str


SECTIONS: Final = {
    "special": Section(
        special.rows,
        "Special functions",
        "The largest error in units in the last place, at 2,000 numbers drawn over the domain, "
        "against mpmath. Arguments and results are normal numbers. The functions of NumPy's column "
        "are SciPy's. Errors are large at the zeros of a function and where it is steep, since the "
        "argument is a rounded number.",
    ),
    "complex": Section(
        complexes.rows,
        "Complex numbers",
        "The largest error at 100 drawn numbers, in units in the last place of the modulus of the "
        "truth; after a slash, in those of the components.",
    ),
    "reductions": Section(
        arrays.reductions,
        "Reductions",
        "The error of one call, in epsilons of the true result, by length and condition: a sum of "
        "both signs cancels, and so does the variance of numbers with a large mean.",
    ),
    "decompositions": Section(
        arrays.decompositions,
        "Decompositions",
        "The backward error of one call, in epsilons of the matrix's norm: how far the product of "
        "the factors is from the matrix, and the residual of `solve` and `inv` by the norms of "
        "both factors. For `expm`, the forward error against mpmath.",
    ),
}


def measure(output: Path, anew: Collection[str] = ()) -> None:
    """Measure the sections that the report doesn't have; or some, whether it has them or not."""
    for name in anew or SECTIONS:
        found = report.load(output).get("sections", [])
        kept = [row for row in found if row["section"] != name]
        if anew or len(kept) == len(found):
            new = [{"section": name, **row} for row in SECTIONS[name].rows()]
            report.merge(output, {}, sections=kept + new)


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.1e}"


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return "none"
    text = _number(row["max"])
    if "component" in row:
        text += f" / {_number(row['component'])}"
    if row.get("wrong"):
        text += f", {row['wrong']} special values"
    return text


def _key(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["function"], row["domain"], row["dtype"]


def markdown(rows: list[dict[str, Any]]) -> list[str]:
    """Return the tables of a report's sections."""
    columns = [(library, who) for library in LIBRARIES for who in ("bare", "ours")]
    lines = []
    for name, section in SECTIONS.items():
        found = [row for row in rows if row["section"] == name]
        if not found:
            continue
        lines += ["", f"## {section.title}", "", section.text, ""]
        heads = ["function", "domain", "data type", *(f"{a}, {b}" for a, b in columns)]
        lines += [f"| {' | '.join(heads)} |", "|---|---|---|" + "---:|" * len(columns)]
        for key, group in groupby(sorted(found, key=_key), key=_key):
            cells = {(row["library"], row["who"]): row for row in group}
            texts = [*key, *(_cell(cells.get(column)) for column in columns)]
            lines.append(f"| {' | '.join(texts)} |")
    return lines
