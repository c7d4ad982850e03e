"""The README's table of failures, from reports."""

from pathlib import Path
from typing import Any

import pytest

from compliance import store, suite
from docs.render_readme import conformance


@pytest.fixture
def folder(tmp_path: Path, make_report: Any) -> Path:
    """Reports of three namespaces; one has another number of examples."""
    plain = {"a": "passed", "b": "failed", "c": "error", "d": "skipped"}
    others = {"max_examples": 3}
    for name, more in (("numpy", {}), ("array_api_compat.numpy", {}), ("torch", others)):
        report = make_report(name, **plain) | {"test_suite": suite.COMMIT}
        report["data"]["summary"] |= {"pinned_suite": 1, **more}
        store.save(tmp_path / f"{name}.json", report, {})
    return tmp_path


def row(text: str, title: str) -> list[str]:
    """The cells of one row."""
    (line,) = (line for line in text.splitlines() if line.startswith(f"| {title} |"))
    return [cell.strip() for cell in line.split("|")[2:-1]]


def test_errors_are_failures_and_skips_are_not(folder: Path) -> None:
    text = conformance(folder)
    assert row(text, "NumPy") == ["not measured", "2 of 3", "2 of 3", *["not measured"] * 6]
    assert "5 examples each" in text
    assert "\n`" not in text


def test_number_of_examples_where_it_differs(folder: Path) -> None:
    assert row(conformance(folder), "PyTorch")[2] == "2 of 3 (3 examples)"


@pytest.mark.parametrize(
    ("change", "text"),
    [({"pinned_suite": 0}, "not the pinned suite"), ({"partial": 1}, "only a part of the tests")],
)
def test_what_limits_a_result_is_said(
    folder: Path, make_report: Any, change: dict[str, int], text: str
) -> None:
    report = make_report("numpy", a="passed") | {"test_suite": suite.COMMIT}
    report["data"]["summary"] |= {"pinned_suite": 1, **change}
    store.save(folder / "numpy.json", report, {})
    (note,) = [line for line in conformance(folder).splitlines() if text in line]
    assert note.startswith("`numpy`: ")


def test_lost_extensions(folder: Path, make_report: Any) -> None:
    report = make_report("torch", a="passed", b="lost_extension") | {"test_suite": suite.COMMIT}
    report["data"]["summary"]["pinned_suite"] = 1
    store.save(folder / "torch.json", report, {})
    assert row(conformance(folder), "PyTorch")[2] == "0 of 1, 1 lost"


def test_own_checks_are_no_score(folder: Path, make_report: Any) -> None:
    store.save(folder / "torch.json", make_report("torch", official=0, a="passed"), {})
    text = conformance(folder)
    assert "PyTorch" not in text
    assert "On `torch` the official suite was NOT RUN." in text
