"""Reports on disk: where they are, how they are replaced, and what a replacement changed."""

import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compliance.errors import ComplianceError
from compliance.results import GOOD, is_valid

PARTIAL = "partial"
_META = ".meta.json"
_AGAIN = "Run the namespace again."


@dataclass(frozen=True)
class Stored:
    """One report and its side file."""

    path: Path
    report: dict[str, Any]
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The namespace as reports call it."""
        return str(self.report["name"])

    @property
    def summary(self) -> dict[str, int]:
        """Counts and settings."""
        found: dict[str, int] = self.report["data"]["summary"]
        return found

    @property
    def official(self) -> bool:
        """Whether the official suite produced this report."""
        return bool(self.summary.get("official", 1))

    @property
    def tests(self) -> list[dict[str, Any]]:
        """All test entries."""
        found: list[dict[str, Any]] = self.report["data"]["tests"]
        return found

    def outcomes(self) -> dict[str, str]:
        """Test id -> outcome."""
        return {test["nodeid"]: test["outcome"] for test in self.tests}


def place(folder: Path, name: str, *, official: bool, partial: bool) -> tuple[Path, str]:
    """Where a new report goes, and why it does not go to the usual place (or "").

    A report is only replaced by one that says at least as much: neither a part of the suite nor
    the own checks may take the place of a full official result.
    """
    usual = folder / f"{name}.json"
    if partial:
        return folder / PARTIAL / usual.name, "only a part of the tests was selected"
    if not official and usual.exists() and load(usual).official:
        return folder / PARTIAL / usual.name, f"{usual} holds a result of the official suite"
    return usual, ""


def load(path: Path) -> Stored:
    """Read one report; the side file counts only if it was written for this very report."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ComplianceError(f"{path} can't be read: {error}", _AGAIN) from None
    if not is_valid(report):
        raise ComplianceError(f"{path} is no compliance report.", _AGAIN)
    meta: dict[str, Any] = {}
    with contextlib.suppress(OSError, ValueError):
        meta = json.loads(path.with_name(path.stem + _META).read_text(encoding="utf-8"))
    fits = meta.get("timestamp") == report["timestamp"]
    return Stored(path, report, meta if fits else {})


def load_all(folder: Path) -> list[Stored]:
    """All reports of a folder by name; other JSON files in it are none of our business."""
    found = []
    for path in sorted(folder.glob("*.json")):
        if not path.name.endswith(_META):
            with contextlib.suppress(ComplianceError):
                found.append(load(path))
    return found


def save(path: Path, report: dict[str, Any], meta: dict[str, Any]) -> Stored:
    """Replace a report and its side file, each of them whole or not at all."""
    previous = None
    if path.exists():
        with contextlib.suppress(ComplianceError):  # an unreadable one is no loss
            previous = load(path)
    new = Stored(path, report)
    meta = {"timestamp": report["timestamp"], **meta, "change": change(previous, new)}
    # The side file first: without its report it does not count, see load().
    text = json.dumps(meta, indent=1, ensure_ascii=False) + "\n"
    write(path.with_name(path.stem + _META), text)
    write(path, serialize(report))
    return Stored(path, report, meta)


def change(old: Stored | None, new: Stored) -> dict[str, Any] | None:
    """What differs from the report that is replaced, or None if they can't be compared."""
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
    """Test ids by what became of them."""

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
    """Whether a test ran and did not pass; "error" and "xfailed" count as much as "failed"."""
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


def write(path: Path, text: str) -> None:
    """Replace a file in one step, so that no reader ever sees half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            Path(scratch).chmod(0o644)  # mkstemp makes private files; reports are public
            os.replace(scratch, path)
        except BaseException:
            Path(scratch).unlink(missing_ok=True)
            raise
    except OSError as error:
        remedy = "Choose a folder you may write to with --output."
        raise ComplianceError(f"{path} can't be written: {error.strerror}.", remedy) from error
