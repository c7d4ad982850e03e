"""One page: a function's row has a cell for each library, with the version since which it passes.

The page has all data in it, and needs nothing from elsewhere. Filters and details are its script's
(``templates/matrix.js``); a table without filters is there without it.
"""

import base64
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from .. import needs, states, suite
from ..absent import Absent, of
from ..disk import write
from ..report import markdown
from ..standard import STANDARD
from .environments import EXAMPLES, SEED
from .libraries import LIBRARIES
from .results import FAILED, FILE, LETTERS, load

PAGE, MARKDOWN = "matrix.html", "matrix.md"
# Each run collects these tests of the data types that are there.
_CASTS = "array_api_tests/test_array_object.py::test_scalar_casting["
_OUTCOMES = {letter: outcome for outcome, letter in LETTERS.items()} | {FAILED: "failed"}
_TEMPLATES = Path(__file__).parents[1] / "templates"


@dataclass(frozen=True)
class Cell:
    """A function on a library: the tests of the newest version, and since when all pass."""

    passed: int
    failed: int
    since: str  # the first version from which on all tests pass; "" where the newest fails
    oldest: bool  # that is the first one that was measured
    state: str = ""  # of the function in the newest version

    @property
    def status(self) -> str:
        """A word for the style: a state, or all, some, no, or none without a test that ran."""
        if self.state in (states.ABSENT, states.WAITING):
            return self.state
        if not self.passed + self.failed:
            return "none"
        return "all" if not self.failed else "some" if self.passed else "no"

    @property
    def text(self) -> str:
        """The words in the cell."""
        if self.status == "none":
            return "not tested"
        if self.state == states.ABSENT:
            return self.state
        if not self.since:
            waits = self.state in (states.RIGHT, states.WAITING)
            return f"{self.failed} of {self.run} {'wait' if waits else 'fail'}"
        return f"{'≤' if self.oldest else 'since'} {self.since}"

    @property
    def run(self) -> int:
        """The number of tests that ran."""
        return self.passed + self.failed


def functions(data: Mapping[str, Any]) -> dict[tuple[str, str], list[int]]:
    """Return the places of each function's tests, by category and name, in the standard's order."""
    found: dict[tuple[str, str], list[int]] = {}
    for place, (_, category, function) in enumerate(data["tests"]):
        found.setdefault((category, function), []).append(place)
    order = [*STANDARD.functions]
    known = {name: place for place, name in enumerate(order)}
    return dict(sorted(found.items(), key=lambda item: (known.get(item[0][0], -1), item[0])))


def counts(run: Mapping[str, Any], places: list[int]) -> tuple[int, int]:
    """Return how many tests passed and failed; those of an extension that is missing fail."""
    letters = [run["outcomes"][place : place + 1] for place in places]
    return letters.count("p"), letters.count("f") + letters.count("x")


def run_states(data: Mapping[str, Any], run: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """Return the state of each function in a run, by its category and name."""
    tests, casts = [], set()
    for place, (nodeid, category, function) in enumerate(data["tests"]):
        letter = run["outcomes"][place : place + 1]
        if letter in _OUTCOMES:
            number = run["failed"].get(str(place))
            message = "" if number is None else data["messages"][number]
            test = {"nodeid": nodeid, "outcome": _OUTCOMES[letter], "message": message}
            tests.append({**test, "category": category, "function": function})
        elif nodeid.startswith(_CASTS) and not run["partial"]:
            casts.add(nodeid.rpartition("(")[2].partition(")")[0])
    lacking = Absent(of({}, tests).names, frozenset(casts).intersection(STANDARD.dtypes))
    states.annotate(tests, lacking, needs.of(run["suite"] == suite.COMMIT, suite.API_VERSION))
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for test in tests:
        found.setdefault((test["category"], test["function"]), []).append(test)
    return {key: states.function_state(several) for key, several in found.items()}


def cell(runs: list[Mapping[str, Any]], places: list[int], state: str = "") -> Cell:
    """Return the cell of a library, whose runs come in the order of their versions."""
    since = ""
    for run in reversed(runs):
        passed, failed = counts(run, places)
        if failed or not passed:
            break
        since = run["version"]
    return Cell(*counts(runs[-1], places), since, since == runs[0]["version"], state)


def libraries(data: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the runs of each library that was measured, in the order of their versions."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for library in LIBRARIES:
        if runs := [run for run in data["runs"] if run["library"] == library.name]:
            found[library.name] = runs
    return found


def rows(data: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Cell]]]:
    """Yield the category, the function and the cells of each row."""
    every = list(libraries(data).values())
    newest = [run_states(data, runs[-1]) for runs in every]
    for key, places in functions(data).items():
        cells = [
            cell(runs, places, found.get(key, ""))
            for runs, found in zip(every, newest, strict=True)
        ]
        yield *key, cells


def packed(data: Mapping[str, Any]) -> str:
    """Return the data with the states of each run, compressed: a letter for each function."""
    order = functions(data)
    runs = []
    for run in data["runs"]:
        found = run_states(data, run)
        runs.append({**run, "states": "".join(found.get(key, "-")[:2][-1] for key in order)})
    text = json.dumps({**data, "runs": runs}, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def render(folder: Path, into: Path | None = None) -> Path:
    """Write both pages of the folder's results, and return the first one's path."""
    data, into = load(folder), into or folder
    loader = jinja2.FileSystemLoader(_TEMPLATES)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True)
    environment.filters["md"] = markdown
    shown = {
        "libraries": libraries(data), "rows": list(rows(data)), "data": packed(data),
        "file": FILE, "examples": EXAMPLES, "seed": SEED,
        "partial": [run for run in data["runs"] if run["partial"]],
    }  # fmt: skip
    for name in (PAGE, MARKDOWN):
        write(into / name, environment.get_template(f"{name}.j2").render(shown))
    return into / PAGE
