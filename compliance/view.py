"""Contents of the rendered pages, computed from the stored reports."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from . import states, suite
from .namespaces import PROJECT, backends, bare
from .provenance import digest, folder
from .states import LOST
from .store import KINDS, Stored, bad

FOLDER = "namespaces"  # of their pages
_ROOM, _SHORTEST = 60_000, 100  # characters of the texts of failures: of a page, and the least
_FEW = 3  # namespaces of a page that begins with each of them
_DEFECTS = Path(__file__).parent / "suite_defects.json"


@dataclass(frozen=True)
class Way:
    """One way to reach a library: a column of the table in which a library is a row."""

    title: str
    form: str  # the name of its report, with {} for the library
    kind: str = ""  # a key of `store.KINDS`


BARE = "the bare library"
# Other kinds of runs have a column even without a result, to show that they were not run.
WAYS = (
    Way(f"{PROJECT}.*", f"{PROJECT}.{{}}"),
    Way("array_api_compat.*", "array_api_compat.{}"),
    Way(BARE, ""),
    Way(f"{PROJECT} with the backend set", f"{PROJECT}@{{}}"),
    *(Way(title, f"{PROJECT}.{{}}", kind) for kind, title in KINDS.items()),
)

MARKS = {"right": "✓ ", "wrong": "✗ ", "waiting": "… ", "absent": "– ", "": ""}
# The share of a run's arrays that a kind of runs is about, by its name in a summary.
_COUNTED = {
    "arrays_in_chunks": "Dask made had more than one chunk",
    "arrays_on_devices": "the tests drew were split over the devices",
}


@dataclass
class Cell:
    """Results of some tests in one namespace."""

    passed: int = 0
    ran: int = 0
    skipped: int = 0  # by the suite itself
    lost: int = 0  # with an extension that the namespace lacks, and doesn't claim
    wrong: int = 0  # failed by itself
    waiting: int = 0
    absent: int = 0
    state: str = ""  # of a function

    def add(self, test: Mapping[str, Any]) -> None:
        """Count one test; any unknown outcome counts as run and not passed."""
        outcome, state = test["outcome"], test["state"]
        self.passed += outcome == "passed"
        self.skipped += outcome == "skipped"
        self.lost += outcome == LOST
        self.ran += outcome not in ("skipped", LOST)
        self.wrong += state == states.WRONG
        self.waiting += state == states.WAITING
        self.absent += state == states.ABSENT

    @property
    def mark(self) -> str:
        """The state: of a function, or of several by their tests."""
        if self.state or not self.total:
            return self.state
        if self.wrong or self.passed:
            return states.WRONG if self.wrong else states.RIGHT
        return states.WAITING if self.waiting else states.ABSENT if self.absent else ""

    @property
    def shown(self) -> str:
        """The numbers of a cell: tests passed of those that could run, and those that wait."""
        own = self.passed + self.wrong
        ran = f"{self.passed}/{own}" if own and self.state != states.ABSENT else ""
        waiting = f"{self.waiting} wait" if self.waiting else ""
        absent = f"{self.absent} absent" if self.absent and not self.state else ""
        alone = self.state if self.state == states.ABSENT else "-"
        return ", ".join(filter(None, (ran, waiting, absent))) or alone

    @property
    def failed(self) -> int:
        """The number of tests that ran and did not pass."""
        return self.ran - self.passed

    @property
    def total(self) -> int:
        """All of them."""
        return self.ran + self.skipped + self.lost

    @property
    def words(self) -> str:
        """The counts as a sentence."""
        lost = f"{self.lost} lost with an extension, " if self.lost else ""
        waiting = self.absent - self.lost + self.waiting
        cause = f" ({self.wrong} by themselves)" if waiting else ""
        return (
            f"{self.passed} passed, {self.failed} failed{cause}, "
            f"{self.skipped} skipped by the suite, {lost}{self.total} in all"
        )

    @property
    def status(self) -> str:
        """``none``, ``all``, ``some`` or ``no``: the share of passed tests of those that ran."""
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
        """True if a test of this row fails by itself in any namespace."""
        return any(cell.wrong for cell in self.cells)


@dataclass(frozen=True)
class Entry:
    """One namespace on the page."""

    stored: Stored
    score: Cell
    failures: list[dict[str, Any]]
    skips: list[dict[str, Any]]
    remarks: list[str]  # limits of the result

    @property
    def page(self) -> str:
        """The path of its own page, from the first one."""
        return f"{FOLDER}/{self.anchor}.html"

    @cached_property
    def failing_functions(self) -> dict[tuple[str, str], dict[str, list[dict[str, Any]]]]:
        """The failures by category and function, and in each of them by their cause."""
        found: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = {}
        for test in self.failures:
            key = test.get("category", "other"), test.get("function", "other")
            found.setdefault(key, {}).setdefault(states.cause(test), []).append(test)
        return dict(sorted(found.items()))

    @cached_property
    def room(self) -> int:
        """The length of a text, so that many failures aren't a page of megabytes."""
        groups = sum(map(len, self.failing_functions.values()))
        return max(_SHORTEST, _ROOM // max(1, groups))

    @property
    def functions(self) -> str:
        """The states of the functions in words."""
        return states.score(self.stored.tests)

    @cached_property
    def begun(self) -> bool:
        """True if more functions are absent than there."""
        found = list(states.functions(self.stored.tests).values())
        return 2 * found.count(states.ABSENT) > len(found)

    @cached_property
    def causes(self) -> list[states.Cause]:
        """The causes of the failures, most first."""
        return states.causes(self.stored.tests)

    @cached_property
    def advice(self) -> list[states.Step]:
        """The names to write next."""
        return states.advice(self.stored.tests)

    @cached_property
    def dtypes(self) -> dict[str, int]:
        """The absent data types, with the number of tests that need each of them."""
        return states.waiting_for_dtypes(self.stored.tests)

    @property
    def anchor(self) -> str:
        """An id that is valid in links."""
        plain = self.stored.label.replace("@", "-at-").replace(".", "-")
        return "ns-" + plain.replace(" ", "-")


@dataclass(frozen=True)
class Page:
    """Everything a template needs."""

    official: list[Entry]
    own_checks: list[Entry]
    draft: list[Entry]
    pinned_commit: str = suite.COMMIT
    suite_url: str = suite.URL

    @property
    def entries(self) -> list[Entry]:
        """All namespaces, those measured by the official suite first."""
        return [*self.official, *self.draft, *self.own_checks]

    @property
    def leading(self) -> list[Entry]:
        """The namespaces with which the page begins: all of a few, else those just begun."""
        few = len(self.entries) <= _FEW
        return [e for e in self.entries if e.functions and (few or e.begun)]

    @cached_property
    def rows(self) -> list[Row]:
        """All functions of all namespaces."""
        return self.matrix(self.entries)

    @property
    def data(self) -> dict[str, Any]:
        """The rows, with each different cell once."""
        rows = self.rows
        cells: dict[tuple[str, str], int] = {}
        functions = [
            [place, row.label]
            + [cells.setdefault((c.mark, MARKS[c.mark] + c.shown), len(cells)) for c in row.cells]
            for place, category in enumerate(rows) for row in category.functions
        ]  # fmt: skip
        return {
            "pages": [entry.page for entry in self.entries],
            "categories": [row.label for row in rows],
            "cells": list(cells),
            "functions": functions,
        }

    @property
    def ways(self) -> list[str]:
        """Column titles of `libraries`."""
        return [way.title for way in WAYS]

    def libraries(self) -> list[tuple[str, list[Entry | None]]]:
        """Return each library with its wrappers, without libraries that have no result."""
        found = {
            (entry.stored.name, entry.stored.kind): entry for entry in (*self.official, *self.draft)
        }
        rows = []
        for library in backends():
            names = [(way.form.format(library) or bare(library), way.kind) for way in WAYS]
            if any(name in found for name in names):
                rows.append((library, [found.get(name) for name in names]))
        return rows

    def matrix(self, entries: list[Entry]) -> list[Row]:
        """Category by category, and in each of them function by function."""
        tests: dict[str, dict[str, list[list[dict[str, Any]]]]] = defaultdict(dict)
        for column, entry in enumerate(entries):
            for test in entry.stored.tests:
                functions = tests[test.get("category", "other")]
                fresh: list[list[dict[str, Any]]] = [[] for _ in entries]
                functions.setdefault(test.get("function", "other"), fresh)[column].append(test)
        categories = {
            category: {name: list(map(_cell, several)) for name, several in functions.items()}
            for category, functions in tests.items()
        }
        return [
            Row(category, _sum(functions.values()), _rows(functions))
            for category, functions in sorted(categories.items())
        ]


def build(reports: list[Stored]) -> Page:
    """Sort the reports into a page; our own namespaces come first."""
    defects = load_defects()
    ours_first = sorted(reports, key=lambda s: (s.kind, not ours(s), s.name))
    entries = [_entry(stored, defects) for stored in ours_first]
    draft = [entry for entry in entries if entry.stored.kind == "draft"]
    rest = [entry for entry in entries if entry.stored.kind != "draft"]
    return Page(
        [entry for entry in rest if entry.stored.official],
        [entry for entry in rest if not entry.stored.official],
        draft,
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


def score(stored: Stored) -> Cell:
    """The counts of a whole report.

    A file that can't be collected may be one entry; it counts as many failed tests as it has.
    """
    found, summary = Cell(), stored.summary
    for test in stored.tests:
        found.add(test)
    if lost := summary.get("uncollected"):
        found.ran += max(0, summary["collected"] + lost - summary["total"])
    return found


def remarks(stored: Stored) -> list[str]:
    """Return the limits of a report, derived from the report only."""
    summary, found = stored.summary, []
    if summary.get("interrupted"):
        done = f"{summary['total']} of {summary['collected']} tests"
        found.append(f"the run was interrupted when {done} had a result")
    elif summary.get("unimportable"):
        found.append("the namespace can't be imported")
    elif summary.get("partial"):
        found.append("only a part of the tests was selected")
    if stored.official and not pinned(stored):
        found.append("it is not the pinned suite, to the byte")
    if lost := summary.get("uncollected"):
        found.append(f"{lost} tests could not be collected, and count as failed")
    for name, words in _COUNTED.items():
        if name in summary and (made := summary["arrays"]):
            found.append(f"{summary[name] / made:.0%} of {made:,} arrays that {words}")
    if ours(stored) and "sources" not in stored.meta.get("library", {}):
        found.append("it doesn't say which sources were measured")
    return found


def outdated(stored: Stored) -> bool:
    """Return True if this project's sources have changed since a report on them was made."""
    measured = stored.meta.get("library", {}).get("sources")
    return ours(stored) and measured != digest(folder())


def pinned(stored: Stored) -> bool:
    """Return True if the suite was the pinned one."""
    return bool(stored.summary.get("pinned_suite")) and stored.report["test_suite"] == suite.COMMIT


def ours(stored: Stored) -> bool:
    """Return True if a report is on a namespace of this project."""
    return re.split("[.@]", stored.name)[0] == PROJECT


def _entry(stored: Stored, defects: list[dict[str, str]]) -> Entry:
    failing = [test for test in stored.tests if bad(test["outcome"])]
    failures = [{**test, "proof": proof(test["nodeid"], defects)} for test in failing]
    skips = [test for test in stored.tests if test["outcome"] in ("skipped", LOST)]
    return Entry(stored, score(stored), failures, skips, remarks(stored))


def _rows(functions: dict[str, list[Cell]]) -> list[Row]:
    return [Row(name, cells) for name, cells in sorted(functions.items())]


def _sum(rows: Iterable[list[Cell]]) -> list[Cell]:
    names = [field.name for field in fields(Cell) if field.name != "state"]
    return [
        Cell(*(sum(getattr(c, name) for c in cells) for name in names))
        for cells in zip(*rows, strict=True)
    ]


def _cell(tests: list[dict[str, Any]]) -> Cell:
    """Return a function's results in one namespace."""
    found = Cell(state=states.function_state(tests) if tests else "")
    for test in tests:
        found.add(test)
    return found
