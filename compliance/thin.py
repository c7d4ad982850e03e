"""Reports without their passed tests, whose ids one file has for all reports of a folder.

A thin report has one entry for all passed tests: the numbers of their lines in ``nodeids.txt``, and
of the others nothing that their ids and the command of the run say. It is valid by the schema, and
loads as the whole one but for the tests' durations.
"""

import contextlib
import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from .absent import first_line
from .classify import classify
from .disk import write
from .errors import NotAReport
from .states import RIGHT

IDS = "nodeids.txt"
_LINES = "lines"
_DERIVED = ("category", "function", "duration", "reproduce")


def is_thin(tests: Iterable[dict[str, Any]]) -> bool:
    """Return True if an entry stands for others."""
    return any(_LINES in test for test in tests)


def thinned(report: dict[str, Any], ids: dict[str, int]) -> dict[str, Any]:
    """Return the thin form of a report; ids that are new are added."""
    tests = report["data"]["tests"]
    if is_thin(tests):
        return report
    passed = [test["nodeid"] for test in tests if test["outcome"] == "passed"]
    lines = sorted(ids.setdefault(nodeid, len(ids) + 1) for nodeid in passed)
    one = {"nodeid": IDS, "outcome": "passed", _LINES: ",".join(_ranges(lines))}
    rest = [_thinned(test) for test in tests if test["outcome"] != "passed"]
    return {**report, "data": {**report["data"], "tests": [one, *rest] if passed else rest}}


def whole(report: dict[str, Any], path: Path, command: str) -> dict[str, Any]:
    """Return the whole form of a report that was read from a path; `command` is that of the run."""
    tests: list[dict[str, Any]] = []
    for test in report["data"]["tests"]:
        tests += (
            _passed(test[_LINES], read(path)) if _LINES in test else [_completed(test, command)]
        )
    tests.sort(key=lambda test: str(test["nodeid"]))
    return {**report, "data": {**report["data"], "tests": tests}}


def read(path: Path) -> list[str]:
    """Return the ids for a report: beside it, or in the folder above."""
    for folder in path.parents[:2]:
        if (folder / IDS).exists():
            return (folder / IDS).read_text(encoding="utf-8").splitlines()
    raise NotAReport(
        f"{path} has no ids of its passed tests, and there is no {IDS} beside it.",
        f"Restore {IDS}, or run the namespace again.",
    )


def save(folder: Path, ids: dict[str, int]) -> None:
    """Write the ids of all reports."""
    write(folder / IDS, "".join(f"{nodeid}\n" for nodeid in ids))


def _thinned(test: dict[str, Any]) -> dict[str, Any]:
    """Return a test without what its id, its message and the command of the run say."""
    said = test.get("got") == first_line(test) and "traceback" in test
    derived = (*_DERIVED, "got") if said else _DERIVED
    return {key: value for key, value in test.items() if key not in derived}


def _completed(test: dict[str, Any], command: str) -> dict[str, Any]:
    """Return a test with what its id, its message and the command of the run say."""
    subject, nodeid = classify(test["nodeid"]), test["nodeid"]
    made = {"category": subject.category, "function": subject.function, "duration": 0.0, **test}
    if "traceback" in test:
        made.setdefault("got", first_line(test))
    if "message" in test and command:
        with contextlib.suppress(ValueError):  # a command that someone has changed
            words = shlex.split(command)
            place = words.index("run") + 2
            node = ["--node", nodeid] if "::" in nodeid else []
            made["reproduce"] = shlex.join([*words[:place], *node, *words[place:]])
    return made


def _passed(lines: str, ids: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the entries of passed tests."""
    for part in lines.split(","):
        first, _, last = part.partition("-")
        for nodeid in ids[int(first) - 1 : int(last or first)]:
            subject = classify(nodeid)
            yield {
                "nodeid": nodeid, "outcome": "passed", "category": subject.category,
                "function": subject.function, "duration": 0.0, "state": RIGHT,
            }  # fmt: skip


def _ranges(numbers: Sequence[int]) -> Iterator[str]:
    """Yield the runs of sorted numbers: ``1-3``, ``5``."""
    starts = [0, *(place for place, (a, b) in enumerate(pairwise(numbers), 1) if b != a + 1)]
    for start, end in pairwise([*starts, len(numbers)]):
        first, last = numbers[start], numbers[end - 1]
        yield str(first) if first == last else f"{first}-{last}"
