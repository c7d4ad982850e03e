"""What the rendered pages show, computed from the stored reports."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compliance import suite
from compliance.namespaces import BACKENDS, PROJECT
from compliance.store import Stored, bad

_DEFECTS = Path(__file__).parent / "suite_defects.json"
# How one library can be reached: column title -> how its report is called.
_WAYS = {
    f"{PROJECT}.*": f"{PROJECT}.{{}}",
    f"{PROJECT} with the backend set": f"{PROJECT}@{{}}",
    "array_api_compat.*": "array_api_compat.{}",
}
_BARE = {"jax": "jax.numpy", "tensorflow": "tensorflow.experimental.numpy"}


@dataclass
class Cell:
    """Results of some tests in one namespace."""

    passed: int = 0
    ran: int = 0
    skipped: int = 0

    def add(self, outcome: str) -> None:
        """Count one test."""
        self.passed += outcome == "passed"
        self.ran += outcome != "skipped"
        self.skipped += outcome == "skipped"

    @property
    def status(self) -> str:
        """``none``, ``all``, ``some`` or ``no``: how many of the tests that ran have passed."""
        if not self.ran:
            return "none"
        return "all" if self.passed == self.ran else "some" if self.passed else "no"

    @property
    def text(self) -> str:
        """The raw numbers."""
        return f"{self.passed}/{self.ran}" if self.ran else "-"

    @property
    def percent(self) -> str:
        """Rounded down: only a namespace without any failure reads 100%."""
        return f"{self.passed * 1000 // self.ran / 10:g}%" if self.ran else "-"


@dataclass
class Row:
    """A category or a function, over all namespaces."""

    label: str
    cells: list[Cell]
    functions: list["Row"] = field(default_factory=list)

    @property
    def worst(self) -> bool:
        """Whether anything in this row fails anywhere."""
        return any(cell.status in ("some", "no") for cell in self.cells)


@dataclass(frozen=True)
class Entry:
    """One namespace on the page."""

    stored: Stored
    score: Cell
    failures: list[dict[str, Any]]
    skips: list[dict[str, Any]]

    @property
    def anchor(self) -> str:
        """An id that is valid in links."""
        return "ns-" + self.stored.name.replace("@", "-at-").replace(".", "-")


@dataclass(frozen=True)
class Page:
    """Everything a template needs."""

    official: list[Entry]
    own_checks: list[Entry]
    pinned_commit: str = suite.COMMIT
    suite_url: str = suite.URL

    @property
    def entries(self) -> list[Entry]:
        """All namespaces, those measured by the official suite first."""
        return [*self.official, *self.own_checks]

    @property
    def ways(self) -> list[str]:
        """Column titles of `libraries`."""
        return [*_WAYS, "the bare library"]

    def libraries(self) -> list[tuple[str, list[Entry | None]]]:
        """Each library beside what wraps it; libraries without any result are left out."""
        named = {entry.stored.name: entry for entry in self.official}
        rows = []
        for library in BACKENDS:
            names = [form.format(library) for form in _WAYS.values()]
            names.append(_BARE.get(library, library))
            if any(name in named for name in names):
                rows.append((library, [named.get(name) for name in names]))
        return rows

    def matrix(self, entries: list[Entry]) -> list[Row]:
        """Category by category, and in each of them function by function."""
        categories: dict[str, dict[str, list[Cell]]] = defaultdict(dict)
        for column, entry in enumerate(entries):
            for test in entry.stored.tests:
                functions = categories[test.get("category", "other")]
                fresh = [Cell() for _ in entries]
                cells = functions.setdefault(test.get("function", "other"), fresh)
                cells[column].add(test["outcome"])
        return [
            Row(category, _sum(functions.values()), _rows(functions))
            for category, functions in sorted(categories.items())
        ]


def build(reports: list[Stored]) -> Page:
    """Sort the reports into a page; our own namespaces come first."""
    defects = load_defects()
    ours_first = sorted(reports, key=lambda s: (not s.name.startswith(PROJECT), s.name))
    entries = [_entry(stored, defects) for stored in ours_first]
    return Page(
        [entry for entry in entries if entry.stored.official],
        [entry for entry in entries if not entry.stored.official],
    )


def load_defects() -> list[dict[str, str]]:
    """Tests of the suite that are wrong, each with its proof; they still count as failed.

    An entry is ``{"test": <id, or its beginning followed by *>, "proof": <text>}``.
    """
    found: list[dict[str, str]] = json.loads(_DEFECTS.read_text(encoding="utf-8"))
    return found


def proof(nodeid: str, defects: list[dict[str, str]]) -> str:
    """The proof that a test is wrong, or "". Ids hold brackets, so no glob patterns here."""
    for defect in defects:
        beginning = defect["test"].removesuffix("*")
        if nodeid == beginning or (beginning != defect["test"] and nodeid.startswith(beginning)):
            return defect["proof"]
    return ""


def _entry(stored: Stored, defects: list[dict[str, str]]) -> Entry:
    score = Cell()
    for test in stored.tests:
        score.add(test["outcome"])
    failing = [test for test in stored.tests if bad(test["outcome"])]
    failures = [{**test, "proof": proof(test["nodeid"], defects)} for test in failing]
    skips = [test for test in stored.tests if test["outcome"] == "skipped"]
    return Entry(stored, score, failures, skips)


def _rows(functions: dict[str, list[Cell]]) -> list[Row]:
    return [Row(name, cells) for name, cells in sorted(functions.items())]


def _sum(rows: Iterable[list[Cell]]) -> list[Cell]:
    return [
        Cell(sum(c.passed for c in cells), sum(c.ran for c in cells), sum(c.skipped for c in cells))
        for cells in zip(*rows, strict=True)
    ]
