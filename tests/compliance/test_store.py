"""Reports on disk."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from compliance import disk, store
from compliance.errors import ComplianceError
from tests.compliance.conftest import REPOSITORY


def test_saved_and_loaded(tmp_path: Path, make_report: Any, side: dict[str, Any]) -> None:
    path = tmp_path / "fakens.json"
    report = make_report(add="passed", abs="failed")
    store.save(path, report, {**side, "namespace": "fakens"})
    found = store.load(path)
    assert found.report == report
    assert (found.meta["change"], found.meta["namespace"]) == (None, "fakens")
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


def test_side_file_of_another_report_does_not_count(
    tmp_path: Path, make_report: Any, side: dict[str, Any]
) -> None:
    path = tmp_path / "fakens.json"
    store.save(path, make_report(add="passed"), side)
    assert store.load(path).meta["device"] == "cpu"
    report = make_report(add="passed") | {"timestamp": "2027-01-01T00:00:00+00:00"}
    path.write_text(json.dumps(report), encoding="utf-8")
    assert store.load(path).meta == {}


def test_place(tmp_path: Path, make_report: Any) -> None:
    usual, partial = tmp_path / "fakens.json", tmp_path / "partial" / "fakens.json"
    whole, own, part = make_report(), make_report(official=0), make_report()
    part["data"]["summary"]["partial"] = 1
    assert store.place(tmp_path, own) == (usual, "")
    store.save(usual, make_report(add="passed"), {})
    assert store.place(tmp_path, whole)[0] == usual
    assert store.place(tmp_path, part)[0] == partial
    assert store.place(tmp_path, own)[0] == partial


def test_another_suite_does_not_replace_the_pinned_one(tmp_path: Path, make_report: Any) -> None:
    report, usual = make_report(add="passed"), tmp_path / "fakens.json"
    report["data"]["summary"]["pinned_suite"] = 1
    store.save(usual, report, {})
    assert store.place(tmp_path, report)[0] == usual
    path, why = store.place(tmp_path, make_report(add="passed"))
    assert path == tmp_path / "partial" / "fakens.json"
    assert "pinned" in why


def test_runs_on_an_accelerator_stand_apart(tmp_path: Path, make_report: Any) -> None:
    report = make_report(add="passed")
    store.save(store.place(tmp_path, report)[0], report, {})
    report["execution_target"] = {"kind": "gpu", "backend": "cuda"}
    path, _ = store.place(tmp_path, report)
    assert path == tmp_path / "gpu" / "fakens.json"
    store.save(path, report, {})
    assert [found.label for found in store.load_all(tmp_path)] == ["fakens", "fakens on a GPU"]


class TestRecount:
    """The summary of a report must agree with its tests."""

    @pytest.mark.parametrize(
        ("key", "value"),
        [("failed", 0), ("passed", 3), ("skipped", 1), ("total", 3), ("error", 2), ("xfailed", 1)],
    )
    def test_summary(self, tmp_path: Path, make_report: Any, key: str, value: int) -> None:
        report = make_report(add="passed", abs="failed")
        report["data"]["summary"][key] = value
        self.refused(tmp_path, report)

    @pytest.mark.parametrize("outcome", ["passed", "skipped", "xfailed", "lost_extension"])
    def test_outcome(self, tmp_path: Path, make_report: Any, outcome: str) -> None:
        report = make_report(add="passed", abs="failed")
        report["data"]["tests"][1]["outcome"] = outcome
        self.refused(tmp_path, report)

    def test_lost_and_doubled_tests(self, tmp_path: Path, make_report: Any) -> None:
        report = make_report(add="passed", abs="passed")
        report["data"]["tests"].pop()
        self.refused(tmp_path, report)
        report["data"]["tests"] *= 2
        self.refused(tmp_path, report)

    def test_exit_code(self, tmp_path: Path, make_report: Any) -> None:
        report = make_report(add="failed")
        report["data"]["exitcode"] = 0
        self.refused(tmp_path, report)

    def refused(self, folder: Path, report: dict[str, Any]) -> None:
        """It raises both alone and among others."""
        path = folder / "fakens.json"
        path.write_text(json.dumps(report), encoding="utf-8")
        with pytest.raises(ComplianceError, match="contradicts itself"):
            store.load(path)
        with pytest.raises(ComplianceError, match="contradicts itself"):
            store.load_all(folder)
        # A new result replaces it anyway.
        assert store.place(folder, report)[0] == path


def test_other_files_are_ignored(tmp_path: Path, make_report: Any) -> None:
    (tmp_path / "benchmarks.json").write_text("{}", encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    store.save(tmp_path / "fakens.json", make_report(add="passed"), {})
    assert [found.name for found in store.load_all(tmp_path)] == ["fakens"]


def test_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    disk.write(path, "before")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ComplianceError, match="No space left"):
        disk.write(path, "after")
    assert path.read_text(encoding="utf-8") == "before"
    assert os.listdir(tmp_path) == ["x.json"]


@pytest.mark.parametrize("kind", ["compiled", "chunked"])
def test_other_kinds_of_runs_stand_apart(tmp_path: Path, make_report: Any, kind: str) -> None:
    """B29: the usual report and the other one have the same name, in separate folders."""
    report = make_report(add="passed")
    store.save(store.place(tmp_path, report)[0], report, {})
    report["data"]["summary"][kind] = 1
    path, _ = store.place(tmp_path, report)
    assert path == tmp_path / kind / "fakens.json"
    store.save(path, report, {})
    labels = [s.label for s in store.load_all(tmp_path)]
    assert labels == ["fakens", f"fakens {store.KINDS[kind]}"]


class TestDisk:
    """Folders of reports: checked before a run, and written by one run at a time."""

    def test_what_can_be_written_is_left_as_it_is(self, tmp_path: Path) -> None:
        disk.check(tmp_path, "x.json")
        disk.check(tmp_path / "not" / "there")
        assert not list(tmp_path.iterdir())

    def test_a_file_that_is_read_only(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "x.json").touch()
        (tmp_path / "other").touch()
        # The result of `access` for a file without write permission, except for root.
        monkeypatch.setattr(os, "access", lambda path, asked: False)
        disk.check(tmp_path, "y.json")
        with pytest.raises(ComplianceError, match=r"x\.json can't be written: it is read-only"):
            disk.check(tmp_path, "x.json")

    def test_a_folder_that_takes_no_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(**_: object) -> None:
            raise OSError(30, "Read-only file system")

        monkeypatch.setattr(tempfile, "TemporaryFile", fail)
        with pytest.raises(ComplianceError, match="Read-only file system"):
            disk.check(tmp_path)

    def test_one_run_at_a_time(self, tmp_path: Path) -> None:
        """Several processes add their results to the existing ones."""
        program = (
            "import sys; from pathlib import Path; from compliance import disk\n"
            "path = Path(sys.argv[1], 'x')\n"
            "for i in range(50):\n"
            "    with disk.locked(path.parent):\n"
            "        before = path.read_text() if path.exists() else ''\n"
            "        disk.write(path, before + f'{sys.argv[2]}{i}\\n')\n"
        )
        command = [sys.executable, "-c", program, str(tmp_path)]
        runs = [subprocess.Popen([*command, name], cwd=REPOSITORY) for name in "abc"]
        assert [run.wait(120) for run in runs] == [0, 0, 0]
        lines = (tmp_path / "x").read_text().split()
        assert sorted(lines) == sorted(f"{name}{i}" for name in "abc" for i in range(50))
        assert os.listdir(tmp_path) == ["x"]

    def test_a_folder_that_another_run_has_put_there(self, tmp_path: Path) -> None:
        for name in ("made", "target"):
            (tmp_path / name).mkdir()
            (tmp_path / name / name).touch()
        disk.put(tmp_path / "made", tmp_path / "target")
        assert os.listdir(tmp_path / "target") == ["target"]
        disk.put(tmp_path / "made", tmp_path / "new")
        assert os.listdir(tmp_path / "new") == ["made"]
        with pytest.raises(FileNotFoundError):
            disk.put(tmp_path / "target", tmp_path / "nowhere" / "target")

    def test_systems_without_locks(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(disk, "fcntl", None)
        with disk.locked(tmp_path / "new"):
            assert (tmp_path / "new").is_dir()


def test_a_side_file_that_is_none(tmp_path: Path, make_report: Any) -> None:
    store.save(tmp_path / "fakens.json", make_report(add="passed"), {})
    for text in ("[]", "1", '"text"', "null"):
        (tmp_path / "fakens.meta.json").write_text(text, encoding="utf-8")
        assert store.load(tmp_path / "fakens.json").meta == {}


def test_an_interrupted_run_stands_apart(tmp_path: Path, make_report: Any) -> None:
    report = make_report(add="passed")
    report["data"]["summary"] |= {"partial": 1, "interrupted": 1}
    path, why = store.place(tmp_path, report)
    assert path == tmp_path / store.PARTIAL / "fakens.json"
    assert why == "the run was interrupted"
