"""The comparison of two reports."""

import io
from pathlib import Path
from typing import Any

from rich.console import Console

from compliance.compare import compare, show
from compliance.store import Stored


def stored(report: dict[str, Any]) -> Stored:
    """A report as if it had been read from a file."""
    return Stored(Path(f"{report['name']}.json"), report)


def test_differences(make_report: Any) -> None:
    before = stored(make_report("a", add="passed", abs="failed", old="failed", same="failed"))
    after = stored(make_report("b", add="failed", abs="passed", new="skipped", same="failed"))
    found = compare(before, after)
    assert [test.rpartition("_")[2] for test, _, _ in found.differing] == [
        "abs",
        "add",
        "new",
        "old",
    ]
    assert [test.rpartition("_")[2] for test in found.newly_failing] == ["add"]
    assert ("failed", 3, 2) in found.counts()


def test_different_settings_are_named(make_report: Any) -> None:
    other = make_report("b", official=0, add="passed")
    notes = compare(stored(make_report("a", add="passed")), stored(other)).notes
    assert any("official" in note for note in notes)
    assert any("test_suite" in note for note in notes)


def test_shown_as_it_is(make_report: Any) -> None:
    report = make_report("a", add="passed")
    report["data"]["tests"][0]["nodeid"] = "x.py::test_add[red]"
    text = io.StringIO()
    found = compare(stored(make_report("b")), stored(report))
    show(found, Console(file=text, width=120))
    assert "x.py::test_add[red]" in text.getvalue()
