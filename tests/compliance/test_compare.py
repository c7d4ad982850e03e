"""The comparison of two reports."""

import io
import itertools
from pathlib import Path
from typing import Any

from rich.console import Console

from compliance.compare import as_markdown, compare, show
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
    assert [test.rpartition("_")[2] for test in found.lost] == ["add"]
    assert [test.rpartition("_")[2] for test in found.gained] == ["abs"]
    assert found.words == "1 tests gained, 1 lost"
    assert found.functions == [
        ("elementwise.add", "right", "wrong"),
        ("elementwise.abs", "wrong", "right"),
    ]
    assert ("failed", 3, 2) in found.counts()


def test_a_test_that_passed_and_is_gone_is_lost(make_report: Any) -> None:
    before = stored(make_report("a", add="passed", abs="failed", sin="skipped"))
    found = compare(before, stored(make_report("a")))
    assert [test.rpartition("_")[2] for test in found.lost] == ["add"]
    assert compare(before, before).lost == compare(before, before).gained == []


def test_markdown(make_report: Any) -> None:
    before = stored(make_report("a", add="passed", abs="failed"))
    after = make_report("a", add="failed", abs="passed", **{f"f{i}": "failed" for i in range(60)})
    after["data"]["tests"][0]["message"] = "assert <b>|x|\nmore"
    text = as_markdown(compare(before, stored(after)))
    assert text.startswith("## Array API: a: 1 tests gained, 61 lost\n")
    assert (
        "| functions | 1 of 2 functions right, 1 wrong | 1 of 2 functions right, 1 wrong |" in text
    )
    assert "| `elementwise.add` | right | wrong |\n| `elementwise.abs` | wrong | right |\n" in text
    assert "- `array_api_tests/test_things.py::test_add` assert &lt;b&gt;&#124;x&#124;\n" in text
    assert "<details><summary>Lost: 61 tests</summary>" in text
    assert "- 11 more\n" in text
    assert "<details><summary>Gained: 1 tests</summary>" in text
    lines = text.splitlines()
    for above, below in itertools.pairwise(lines):
        if above.startswith("|") and below.startswith("|"):
            assert above.count("|") == below.count("|")


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
