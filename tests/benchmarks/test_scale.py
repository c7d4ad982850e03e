"""The benchmark of Dask: both sides compute the same, and the report is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import arrayapi_unify as unify
from tests.tables import each

pytest.importorskip("dask")

from benchmarks.scale import building, running
from benchmarks.scale.__main__ import main
from benchmarks.scale.cases import CASES, arguments

BY_NAME = {case.name: case for case in CASES}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, about square roots
@pytest.mark.filterwarnings("ignore:Increasing number of chunks")  # of products, on both sides
@each("name", list(BY_NAME))
def test_both_sides_compute_the_same(name: str) -> None:
    case, given = BY_NAME[name], arguments()
    with unify.use_backend("dask"):
        arrays = [given[key] for key in case.arrays]
        ours = case.ours(*[unify.Array(x) if hasattr(x, "dask") else x for x in arrays])
    wanted = np.asarray(case.bare(*arrays))
    found = np.asarray(ours)
    if "linalg" in name:  # up to signs
        wanted, found = np.abs(wanted), np.abs(found)
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.slow
def test_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "CASES", CASES[:2])
    monkeypatch.setattr(running, "PROGRAMS", {"elementwise": running.PROGRAMS["elementwise"]})
    options = ["--rounds", "1", "--runs", "1", "--megabytes", "20"]
    options += ["--cluster-megabytes", "60", "--output", str(tmp_path)]
    done = CliRunner().invoke(main, options)
    assert done.exit_code == 0, done.output
    data = json.loads((tmp_path / "scale.json").read_text("utf-8"))
    assert [row["name"] for row in data["building"]] == [case.name for case in CASES[:2]]
    assert data["running"][0]["ratio"] > 0
    bare, ours, ended = data["cluster"]
    assert max(run["error"] for run in data["cluster"]) < 1e-12
    assert (bare["workers"], ours["workers"], ended["workers"]) == (2, 2, 3)
    page = (tmp_path / "scale.md").read_text("utf-8")
    assert f"| `{CASES[1].name}` |" in page
    assert "| elementwise |" in page
    assert "| ours, a worker ended |" in page
    assert all(len(run["memory"]) > 3 for run in data["cluster"])
    assert "limit of a worker" in (tmp_path / "scale.svg").read_text("utf-8")
