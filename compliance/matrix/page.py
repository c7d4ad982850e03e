"""One page: a function's row has a cell for each library, with the version since which it passes.

The page has all data in it, and needs nothing from elsewhere. Filters and details are its script's
(``templates/matrix.js``); a table without filters is there without it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from ..disk import write
from ..standard import STANDARD
from .environments import EXAMPLES, SEED
from .libraries import LIBRARIES
from .results import FILE, load

PAGE = "matrix.html"
_TEMPLATES = Path(__file__).parents[1] / "templates"


@dataclass(frozen=True)
class Cell:
    """A function on a library: the tests of the newest version, and since when all pass."""

    passed: int
    failed: int
    since: str  # the first version from which on all tests pass; "" where the newest fails
    oldest: bool  # that is the first one that was measured

    @property
    def status(self) -> str:
        """A word for the style: all, some, no, or none without a test that ran."""
        if not self.passed + self.failed:
            return "none"
        return "all" if not self.failed else "some" if self.passed else "no"

    @property
    def text(self) -> str:
        """The words in the cell."""
        if self.status == "none":
            return "not tested"
        if not self.since:
            return f"{self.failed} of {self.run} fail"
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


def cell(runs: list[Mapping[str, Any]], places: list[int]) -> Cell:
    """Return the cell of a library, whose runs come in the order of their versions."""
    since = ""
    for run in reversed(runs):
        passed, failed = counts(run, places)
        if failed or not passed:
            break
        since = run["version"]
    return Cell(*counts(runs[-1], places), since, since == runs[0]["version"])


def libraries(data: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the runs of each library that was measured, in the order of their versions."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for library in LIBRARIES:
        if runs := [run for run in data["runs"] if run["library"] == library.name]:
            found[library.name] = runs
    return found


def rows(data: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Cell]]]:
    """Yield the category, the function and the cells of each row."""
    every = libraries(data)
    for (category, function), places in functions(data).items():
        yield category, function, [cell(runs, places) for runs in every.values()]


def render(folder: Path) -> Path:
    """Write the page of the folder's results, and return its path."""
    data = load(folder)
    loader = jinja2.FileSystemLoader(_TEMPLATES)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True)
    # Inside of a script element: no end of it, and no beginning of a comment.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    page = environment.get_template("matrix.html.j2").render(
        libraries=libraries(data), rows=list(rows(data)), data=text, file=FILE,
        examples=EXAMPLES, seed=SEED, partial=[run for run in data["runs"] if run["partial"]],
    )  # fmt: skip
    write(folder / PAGE, page)
    return folder / PAGE
