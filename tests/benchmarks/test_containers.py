"""The benchmark of Containers runs every case, and writes the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import containers
from tests.installed import INSTALLED


@pytest.mark.parametrize("backend", INSTALLED)
def test_every_case_is_measured(backend: str) -> None:
    results = containers.measure(backend, rounds=1, leaves=20)
    assert [r.operation for r in results] == list(containers.CASES)
    assert all(r.ratio > 0 and r.loop_us > 0 and r.leaves == 20 for r in results)


def test_both_sides_compute_the_same() -> None:
    names = containers._NAMES.removesuffix(" = scope").split(", ")
    for name, case in containers.CASES.items():
        scope = dict(zip(names, containers._scope("numpy", 20)["scope"], strict=True))
        if "= " in name:
            exec(f"{case.loop}\n{case.container}", scope)
            changed = case.loop.removeprefix("for k in ").partition(":")[0]
            by_hand, ours = scope[changed], scope[case.container.partition(" ")[0]]
        else:
            by_hand, ours = eval(case.loop, scope), eval(case.container, scope)
        assert [x.tolist() for x in ours.leaves()] == [x.tolist() for x in by_hand.values()]


def test_results_are_written(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        containers.main, ["--rounds", "1", "--backend", "numpy", "--output", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    entries = json.loads((tmp_path / "containers.json").read_text("utf-8"))
    assert [entry["operation"] for entry in entries] == list(containers.CASES)
    page = (tmp_path / "containers.md").read_text("utf-8")
    assert page.count("| numpy |") == len(containers.CASES)
