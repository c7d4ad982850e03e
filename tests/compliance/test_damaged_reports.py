"""Reports changed by hand, by another tool or by a disk: one error of ours, or a page."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from compliance import badge, cli, compare, report, store
from compliance.consumers import command, store as consumers
from compliance.errors import ComplianceError
from compliance.results import counts
from tests.compliance.conftest import REPOSITORY

REPORTS = REPOSITORY / "reports"
NAME = "arrayapi_unify.numpy"
JUNK: tuple[Any, ...] = (
    None, True, -1, 1.5, 10**400, float("nan"), "", "x" * 600, "`|<b>\n#", "{{ 7 * 7 }}",
    "half a pair: \ud800", [], {}, [[]], {"a": 1}, ["a"],
)  # fmt: skip


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(node, dict | list):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            yield node, key
            yield from places(node[key])


def changed(content: Any, draw: random.Random) -> Any:
    """Remove a value, or replace it by junk."""
    made = copy.deepcopy(content)
    for _ in range(draw.choice((1, 1, 2))):
        where, key = draw.choice(list(places(made)))
        if isinstance(where, dict) and draw.random() < 0.4:
            del where[key]
        else:
            where[key] = draw.choice(JUNK)
    return made


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def contents() -> dict[str, Any]:
    """Return a report of six tests, its side file, and results of consumers."""
    made = {name: read(REPORTS / f"{NAME}{name}") for name in (".json", ".meta.json")}
    data = made[".json"]["data"]
    data["tests"] = data["tests"][:6]
    data["summary"] |= {**counts(data["tests"]), "total": 6}
    results = consumers.load(REPORTS)[:3]
    for found in results:
        found["failures"] = found["failures"][:3]
    return made | {consumers.JSON: {"schema": consumers.SCHEMA, "results": results}}


@pytest.mark.slow
@pytest.mark.parametrize("name", [".json", ".meta.json"])
def test_reports(contents: dict[str, Any], name: str, tmp_path: Path) -> None:
    (tmp_path / "whole.json").write_text(json.dumps(contents[".json"]), encoding="utf-8")
    path, refused = tmp_path / "x.json", 0
    for seed in range(40):
        for end in (".json", ".meta.json"):
            drawn = changed(contents[end], random.Random(seed)) if end == name else contents[end]
            (tmp_path / f"x{end}").write_text(json.dumps(drawn), encoding="utf-8")
        try:
            stored = store.load(path)
            report.render(tmp_path)
            badge.badge(stored)
            compare.compare(store.load(tmp_path / "whole.json"), stored)
        except ComplianceError:
            refused += 1
    # An invalid side file is ignored; an invalid report raises.
    assert (0 < refused < 40) if name == ".json" else refused == 0


def test_results_of_consumers(contents: dict[str, Any], tmp_path: Path) -> None:
    refused = 0
    for seed in range(60):
        drawn = changed(contents[consumers.JSON], random.Random(seed))
        (tmp_path / consumers.JSON).write_text(json.dumps(drawn), encoding="utf-8")
        try:
            command.rendered(tmp_path)
        except ComplianceError:
            refused += 1
    assert 0 < refused < 60


def test_a_message_that_is_no_text(make_report: Any, tmp_path: Path) -> None:
    """Hypothesis draws lone surrogates, which may not lose a whole run."""
    made = make_report(add="failed")
    made["data"]["tests"][0] |= {"nodeid": "t.py::a[\ud800]", "message": "got \ud800"}
    store.save(tmp_path / "fakens.json", made, {})
    assert store.load(tmp_path / "fakens.json").tests == made["data"]["tests"]
    report.render(tmp_path)
    assert "got \\ud800" in (tmp_path / "README.md").read_text(encoding="utf-8")
    store.save(tmp_path / "other.json", make_report(add="passed"), {})
    words = ["compare", str(tmp_path / "other.json"), str(tmp_path / "fakens.json")]
    done = CliRunner().invoke(cli.main, words)
    assert done.exit_code == 1, done.output
    assert "ud800" in done.output


@pytest.mark.parametrize("text", ["[" * 100_000, "", "\x00", "{", '"\udc80"'])
def test_no_json(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(ComplianceError, match=r"x\.json (can't be read|is no compliance report)"):
        store.load(tmp_path / "x.json")


@pytest.mark.slow
def test_what_runs_have_written_is_taken() -> None:
    """The schema of side files accepts all of them."""
    sides = list(REPORTS.rglob("*.meta.json"))
    assert sides
    for side in sides:
        path = side.with_name(side.name.replace(".meta.json", ".json"))
        assert store.load(path).meta["command"], side.name
    assert consumers.load(REPORTS)
