"""Results of all runs in one file, condensed: one letter for each test of a run.

``tests`` lists each test once, with its category and function; ``outcomes`` of a run has a letter
for each of them, in that order. ``messages`` lists each message once; ``failed`` of a run has their
numbers by the numbers of the tests.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..classify import classify
from ..disk import locked, read, write
from ..errors import ComplianceError, NotAReport
from .libraries import Library, number

FILE = "matrix.json"
SCHEMA = "matrix-v1"
LETTERS: Mapping[str, str] = {"passed": "p", "skipped": "s", "lost_extension": "x"}
FAILED, MISSING = "f", "-"
_LENGTH = 160
# Addresses in memory, which make equal messages differ.
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


def empty() -> dict[str, Any]:
    """Return the contents of a file without runs."""
    return {"schema": SCHEMA, "tests": [], "messages": [], "runs": []}


def load(folder: Path) -> dict[str, Any]:
    """Read the file; one without runs if there is none."""
    path = folder / FILE
    if not path.exists():
        return empty()
    found: dict[str, Any] = read(path, "Restore it, or remove it and measure again.")
    if found.get("schema") != SCHEMA:
        raise NotAReport(
            f"{path} is no matrix of the form {SCHEMA}.", "Remove it, or move it away."
        )
    before: dict[str, dict[str, int]] = {}
    for run in found["runs"]:
        if "failed_before" in run:
            run["failed"] = {**before[run["library"]], **run["failed"]}
            for place in run.pop("failed_before"):
                del run["failed"][place]
        before[run["library"]] = run["failed"]
    found["tests"] = [_row(test) if isinstance(test, str) else test for test in found["tests"]]
    return found


def _row(nodeid: str) -> list[str]:
    """Return a test with its category and function."""
    subject = classify(nodeid)
    return [nodeid, subject.category, subject.function]


def _serialized(data: Mapping[str, Any]) -> str:
    """Return JSON with the ids of the tests alone, and of a run how it differs from the last one.

    `failed` has what fails otherwise than in the library's version before, and `failed_before` what
    failed there alone.
    """
    runs: list[dict[str, Any]] = []
    before: dict[str, dict[str, int]] = {}
    for run in data["runs"]:
        old, new = before.get(run["library"], {}), run["failed"]
        changed = {place: number for place, number in new.items() if old.get(place) != number}
        gone = [place for place in old if place not in new]
        runs.append({**run, "failed": changed, "failed_before": gone} if old else run)
        before[run["library"]] = new
    tests = [test[0] if _row(test[0]) == test else test for test in data["tests"]]
    return json.dumps({**data, "tests": tests, "runs": runs}, separators=(",", ":")) + "\n"


def nodes(data: dict[str, Any], function: str) -> list[str]:
    """Return the ids of a function's tests; raise if none has been measured."""
    found = [test[0] for test in data["tests"] if test[2] == function and "::" in test[0]]
    if not found:
        raise ComplianceError(
            f"{FILE} has no test of a function {function!r}.", "Name one of the matrix's rows."
        )
    return found


def is_there(data: dict[str, Any], library: Library, version: str) -> bool:
    """Return True if a version has been measured."""
    return any((run["library"], run["version"]) == (library.name, version) for run in data["runs"])


def add(data: dict[str, Any], library: Library, version: str, report: dict[str, Any]) -> None:
    """Add a run, in place of an earlier one of the same version."""
    places = {test[0]: place for place, test in enumerate(data["tests"])}
    messages = {message: place for place, message in enumerate(data["messages"])}
    letters: dict[int, str] = {}
    failed: dict[str, int] = {}
    for test in report["data"]["tests"]:
        row = [test["nodeid"], test["category"], test["function"]]
        place = places.setdefault(test["nodeid"], len(places))
        if place == len(data["tests"]):
            data["tests"].append(row)
        letters[place] = LETTERS.get(test["outcome"], FAILED)
        if letters[place] == FAILED:
            failed[str(place)] = messages.setdefault(_brief(test), len(messages))
    data["messages"] = list(messages)
    size = len(data["tests"])
    made = {
        "library": library.name,
        "version": version,
        "requirement": library.requirement(version),
        "namespace": library.namespace,
        "python": report["python"],
        "date": report["timestamp"][:10],
        "suite": report["test_suite"],
        "partial": bool(report["data"]["summary"].get("interrupted")),
        "seconds": round(report["data"]["duration"]),
        "outcomes": "".join(letters.get(place, MISSING) for place in range(size)),
        "failed": failed,
    }
    data["runs"] = [
        r for r in data["runs"] if (r["library"], r["version"]) != (library.name, version)
    ]
    data["runs"].append(made)
    data["runs"].sort(key=lambda run: (run["library"], number(run["version"])))


def _brief(test: Mapping[str, Any]) -> str:
    """Return the first line of the message, of the length of two lines of a page."""
    lines = str(test.get("message", "")).strip().splitlines()
    return _ADDRESS.sub("0x...", lines[0] if lines else test["outcome"])[:_LENGTH]


def save(folder: Path, library: Library, version: str, report: dict[str, Any]) -> dict[str, Any]:
    """Add a run to the file, under its lock: two commands lose nothing."""
    with locked(folder):
        data = load(folder)
        add(data, library, version, report)
        write(folder / FILE, _serialized(data))
    return data
