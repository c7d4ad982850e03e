"""Reports on disk."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from compliance import store
from compliance.errors import ComplianceError


def test_saved_and_loaded(tmp_path: Path, make_report: Any) -> None:
    path = tmp_path / "fakens.json"
    report = make_report(add="passed", abs="failed")
    store.save(path, report, {"namespace": "fakens"})
    found = store.load(path)
    assert found.report == report
    assert found.meta["change"] is None
    assert sum('"nodeid"' in line for line in path.read_text(encoding="utf-8").splitlines()) == 2


def test_change(tmp_path: Path, make_report: Any) -> None:
    path = tmp_path / "fakens.json"
    store.save(path, make_report(add="passed", abs="failed", old="passed"), {})
    change = store.save(path, make_report(add="failed", abs="passed", new="error"), {}).meta[
        "change"
    ]
    ids = {key: [test.rpartition("_")[2] for test in change[key]] for key in list(change)[-4:]}
    assert ids == {
        "newly_failing": ["add", "new"],
        "newly_passing": ["abs"],
        "added": ["new"],
        "removed": ["old"],
    }


def test_own_checks_are_not_compared_with_the_suite(tmp_path: Path, make_report: Any) -> None:
    path = tmp_path / "fakens.json"
    store.save(path, make_report(official=0, add="passed"), {})
    assert store.save(path, make_report(add="failed"), {}).meta["change"] is None


def test_side_file_of_another_report_does_not_count(tmp_path: Path, make_report: Any) -> None:
    path = tmp_path / "fakens.json"
    store.save(path, make_report(add="passed"), {})
    report = make_report(add="passed") | {"timestamp": "2027-01-01T00:00:00+00:00"}
    path.write_text(json.dumps(report), encoding="utf-8")
    assert store.load(path).meta == {}


def test_place(tmp_path: Path, make_report: Any) -> None:
    usual, partial = tmp_path / "fakens.json", tmp_path / "partial" / "fakens.json"
    assert store.place(tmp_path, "fakens", official=False, partial=False) == (usual, "")
    store.save(usual, make_report(add="passed"), {})
    assert store.place(tmp_path, "fakens", official=True, partial=False)[0] == usual
    assert store.place(tmp_path, "fakens", official=True, partial=True)[0] == partial
    assert store.place(tmp_path, "fakens", official=False, partial=False)[0] == partial


def test_other_files_are_ignored(tmp_path: Path, make_report: Any) -> None:
    (tmp_path / "benchmarks.json").write_text("{}", encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    store.save(tmp_path / "fakens.json", make_report(add="passed"), {})
    assert [found.name for found in store.load_all(tmp_path)] == ["fakens"]


def test_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    store.write(path, "before")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ComplianceError, match="No space left"):
        store.write(path, "after")
    assert path.read_text(encoding="utf-8") == "before"
    assert os.listdir(tmp_path) == ["x.json"]
