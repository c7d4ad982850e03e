"""Reports on disk: their paths, their replacement, and the differences of a replacement."""

import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import absent, needs, splits, states, thin
from .disk import read, write
from .errors import ComplianceError, NotAReport
from .results import ENTRIES, GOOD, NO_OUTCOMES, SIDE_FILE, counts, is_valid

PARTIAL = "partial"
# Folders for other kinds of runs, with their names in titles.
KINDS = {
    "compiled": "compiled",
    "chunked": "in chunks",
    "draft": "by the draft",
    "gpu": "on a GPU",
    **{kind: f"split over {number} devices" for kind, number in splits.KINDS.items()},
}
META = ".meta.json"
_AGAIN = "Run the namespace again."


@dataclass(frozen=True)
class Stored:
    """One report and its side file."""

    path: Path
    report: dict[str, Any]
    meta: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Add the states of tests, which older reports lack."""
        if any("state" not in test for test in self.tests):
            known = needs.of(bool(self.summary.get("pinned_suite")), self.report["api_version"])
            states.annotate(self.tests, absent.of(self.meta, self.tests), known)

    @property
    def name(self) -> str:
        """The name of the namespace in reports."""
        return str(self.report["name"])

    @property
    def kind(self) -> str:
        """The kind of an unusual run, a key of `KINDS`, or ""."""
        return self.path.parent.name if self.path.parent.name in KINDS else ""

    @property
    def label(self) -> str:
        """The name, with the kind of an unusual run."""
        return f"{self.name} {KINDS[self.kind]}" if self.kind else self.name

    @property
    def summary(self) -> dict[str, int]:
        """Counts and settings."""
        found: dict[str, int] = self.report["data"]["summary"]
        return found

    @property
    def official(self) -> bool:
        """True if the official suite produced this report."""
        return bool(self.summary.get("official", 1))

    @property
    def tests_by(self) -> str:
        """The tests of the report, in the words of its pages."""
        if self.official:
            return "official"
        return "of the draft" if self.kind == "draft" else "own checks only"

    @property
    def tests(self) -> list[dict[str, Any]]:
        """All test entries."""
        found: list[dict[str, Any]] = self.report["data"]["tests"]
        return found

    def outcomes(self) -> dict[str, str]:
        """Test id -> outcome."""
        return {test["nodeid"]: test["outcome"] for test in self.tests}


def place(folder: Path, report: dict[str, Any]) -> tuple[Path, str]:
    """Return the path of a new report, and the reason if it isn't the usual path (else "").

    A report is only replaced by one that covers at least as much: neither a part of the suite, nor
    the own checks, nor another suite may replace a full result of the pinned suite. Runs of
    another kind have a folder of their own.
    """
    summary, kind = report["data"]["summary"], report["execution_target"]["kind"]
    kind = next((name for name in KINDS if summary.get(name)), kind)
    kind = f"split{summary['split']}" if summary.get("split") else kind
    usual = home(folder, kind) / f"{report['name']}.json"
    aside = usual.parent / PARTIAL / usual.name
    if summary.get("interrupted"):
        return aside, "the run was interrupted"
    if summary.get("unimportable"):
        return aside, "the namespace can't be imported"
    if summary["partial"]:
        return aside, "only a part of the tests was selected"
    previous = _readable(usual)
    if previous is not None:
        if previous.official and not summary["official"]:
            return aside, f"{usual} holds a result of the official suite"
        if previous.summary.get("pinned_suite") and not summary.get("pinned_suite"):
            return aside, f"{usual} holds a result of the pinned suite"
    return usual, ""


def home(folder: Path, kind: str) -> Path:
    """The folder of runs of a kind; the default is for runs on a CPU."""
    return folder if kind == "cpu" else folder / kind


def _readable(path: Path) -> Stored | None:
    """The existing report, or None if it is unreadable or contradicts itself."""
    with contextlib.suppress(ComplianceError):
        return load(path)
    return None


def load(path: Path) -> Stored:
    """Read one report; the side file counts only if it was written for this very report."""
    report = read(path, _AGAIN)
    if not (is_valid(report) and is_valid(report, ENTRIES)):
        raise NotAReport(f"{path} is no compliance report.", _AGAIN)
    meta: Any = {}
    with contextlib.suppress(NotAReport):
        meta = read(path.with_name(path.stem + META), _AGAIN)
    fits = is_valid(meta, SIDE_FILE) and meta["timestamp"] == report["timestamp"]
    if thin.is_thin(report["data"]["tests"]):
        report = thin.whole(report, path, meta["command"] if fits else "")
    if problem := _disagreement(report["data"]):
        raise ComplianceError(f"{path} contradicts itself: {problem}.", _AGAIN)
    return Stored(path, report, meta if fits else {})


def _disagreement(data: dict[str, Any]) -> str:
    """Count the tests again, and return how the summary differs, or ""."""
    summary, tests = data["summary"], data["tests"]
    recounted = counts(tests)
    if summary["total"] != len(tests):
        return f"its summary says {summary['total']} tests, and it has {len(tests)}"
    for name in sorted(recounted.keys() | summary.keys() - set(NO_OUTCOMES)):
        # Older reports omit zeros.
        said, found = summary.get(name, 0), recounted.get(name, 0)
        if said != found:
            return f"its summary says {said} {name}, and its tests are {found}"
    for name, found in states.counts(tests).items() if all("state" in t for t in tests) else ():
        if (said := summary.get(name, found)) != found:
            return f"its summary says {said} {name}, and its tests are {found}"
    if len({test["nodeid"] for test in tests}) != len(tests):
        return "a test is in it twice"
    if not data["exitcode"] and any(bad(test["outcome"]) for test in tests):
        return "its exit code says that all tests passed, and some failed"
    return ""


def load_all(folder: Path) -> list[Stored]:
    """All reports of a folder, including those of other kinds; other JSON files are ignored."""
    found = []
    for place in (folder, *(folder / kind for kind in KINDS)):
        for path in sorted(place.glob("*.json")):
            if not path.name.endswith(META):
                with contextlib.suppress(NotAReport):
                    found.append(load(path))
    return found


def thin_all(folder: Path) -> list[Path]:
    """Write all reports of a folder without their passed tests, whose ids one file has."""
    known = thin.read(folder / "a report") if (folder / thin.IDS).exists() else []
    ids = {nodeid: place for place, nodeid in enumerate(known, 1)}
    found = load_all(folder)
    for stored in found:  # an older one has no counts of states
        stored.summary.update(states.counts(stored.tests))
    reports = [thin.thinned(stored.report, ids) for stored in found]
    thin.save(folder, ids)  # first, since the reports need it
    for stored, report in zip(found, reports, strict=True):
        write(stored.path, serialize(report))
    return [stored.path for stored in found]


def save(path: Path, report: dict[str, Any], meta: dict[str, Any]) -> Stored:
    """Replace a report and its side file, each completely or not at all."""
    previous = _readable(path)
    new = Stored(path, report)
    meta = {"timestamp": report["timestamp"], **meta, "change": change(previous, new)}
    # The side file first: `load` ignores it without its report.
    text = json.dumps(meta, indent=1, ensure_ascii=False) + "\n"
    write(path.with_name(path.stem + META), text)
    write(path, serialize(report))
    return Stored(path, report, meta)


def change(old: Stored | None, new: Stored) -> dict[str, Any] | None:
    """Return the differences from the replaced report, or None if they can't be compared."""
    if old is None or old.official != new.official:
        return None
    keys = ("passed", "failed", "skipped", "total", "seed", "max_examples")
    return {
        "previous_timestamp": old.report["timestamp"],
        "previous_version": old.report["version"],
        "previous_test_suite": old.report["test_suite"],
        "previous_summary": {key: old.summary[key] for key in keys if key in old.summary},
        **transitions(old.outcomes(), new.outcomes()),
    }


def transitions(before: dict[str, str], after: dict[str, str]) -> dict[str, list[str]]:
    """Return the ids of the tests that newly fail or pass, or were added or removed."""

    def ids(condition: Callable[[str | None, str | None], bool]) -> list[str]:
        everything = sorted(before.keys() | after.keys())
        return [test for test in everything if condition(before.get(test), after.get(test))]

    return {
        "newly_failing": ids(lambda old, new: bad(new) and not bad(old)),
        "newly_passing": ids(lambda old, new: new == "passed" and bad(old)),
        "added": ids(lambda old, new: old is None),
        "removed": ids(lambda old, new: new is None),
    }


def bad(outcome: str | None) -> bool:
    """Return True if a test ran and did not pass; "error" and "xfailed" count like "failed"."""
    return outcome is not None and outcome not in GOOD


def serialize(report: dict[str, Any]) -> str:
    """JSON with one test per line: readable differences in version control, small files."""
    data = report["data"]
    lines = [json.dumps(test, ensure_ascii=False) for test in data["tests"]]
    head = {**report, "data": {**data, "tests": []}}
    text = json.dumps(head, indent=1, ensure_ascii=False)
    assert text.endswith('"tests": []\n }\n}'), "tests must stay the last key of the report"
    opening = text.removesuffix("]\n }\n}")
    return opening + "\n" + ",\n".join(lines) + "\n]\n }\n}\n"
