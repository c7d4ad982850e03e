"""Reports without their passed tests, whose ids one file has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from compliance import cli, store, thin
from compliance.compare import compare
from compliance.errors import NotAReport
from compliance.results import is_valid


@pytest.fixture
def folder(tmp_path: Path, make_report: Any, side: dict[str, Any]) -> Path:
    """Two reports, one of them of another kind of run, and their thin forms in `thin`."""
    outcomes = {"abs": "passed", "add": "failed", "cos": "passed", "exp": "skipped"}
    first = make_report("a", **outcomes, sin="passed", tan="passed")
    node = first["data"]["tests"][1]["nodeid"]
    command = f"python -m compliance run numpy --node {node} --seed 0"
    first["data"]["tests"][1] |= {
        "message": "assert False\nmore", "got": "assert False", "traceback": ["x.py:1"],
        "reproduce": command,
    }  # fmt: skip
    second = make_report("b", **outcomes | {"exp": "passed", "sqrt": "passed"})
    for place in (tmp_path, tmp_path / "thin"):
        for path, report in (("a.json", first), ("compiled/b.json", second)):
            side["command"] = "python -m compliance run numpy --seed 0"
            store.save(place / path, json.loads(json.dumps(report)), side)
    done = CliRunner().invoke(cli.main, ["report", "--thin", "--output", str(tmp_path / "thin")])
    assert done.exit_code == 0, done.output
    assert "thin: 2 reports" in done.output
    return tmp_path


def facts(path: Path) -> list[tuple[Any, ...]]:
    """Return what a loaded report says of each test, without its duration."""
    keys = ("nodeid", "outcome", "state", "category", "function", "message", "got", "reproduce")
    return sorted(tuple(map(str, map(test.get, keys))) for test in store.load(path).tests)


@pytest.mark.parametrize("path", ["a.json", "compiled/b.json"])
def test_a_thin_report_is_valid_and_loads_as_the_whole_one(folder: Path, path: str) -> None:
    found = json.loads((folder / "thin" / path).read_text("utf-8"))
    assert is_valid(found)
    ids = [test["nodeid"] for test in found["data"]["tests"]]
    assert not [nodeid for nodeid in ids if nodeid.endswith(("test_abs", "test_cos"))]
    assert facts(folder / "thin" / path) == facts(folder / path)
    before, after = store.load(folder / path), store.load(folder / "thin" / path)
    assert compare(before, after).differing == []
    assert after.summary["right"] == after.summary["passed"]


def test_each_id_is_there_once(folder: Path) -> None:
    ids = (folder / "thin" / thin.IDS).read_text("utf-8").splitlines()
    assert len(ids) == len(set(ids)) == 6
    lines = json.loads((folder / "thin/a.json").read_text("utf-8"))["data"]["tests"][0]["lines"]
    assert lines == "1-4"


def test_again_changes_nothing_and_new_ids_come_last(
    folder: Path, make_report: Any, side: dict[str, Any]
) -> None:
    place = folder / "thin"
    before = {path: path.read_bytes() for path in place.rglob("*.json")}
    ids = (place / thin.IDS).read_text("utf-8")
    store.save(place / "c.json", make_report("c", aaa="passed", cos="passed"), side)
    store.thin_all(place)
    assert {path: path.read_bytes() for path in before} == before
    assert (place / thin.IDS).read_text("utf-8").startswith(ids)
    assert facts(place / "c.json")[0][0].endswith("test_aaa")


def test_without_the_ids_it_is_no_report(folder: Path) -> None:
    (folder / "thin" / thin.IDS).unlink()
    with pytest.raises(NotAReport, match=r"no nodeids\.txt beside it"):
        store.load(folder / "thin" / "a.json")
