"""The minimal wrapper computes what ours compute, and the benchmark writes its report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from arrayapi_unify.binding import namespace_of
from benchmarks import floor
from tests.installed import INSTALLED

BACKENDS = [name for name in ("numpy", "torch") if name in INSTALLED]


def outcome(statement: str, scope: dict[str, Any]) -> Any:
    """Run a statement; return its value and what it leaves in `x`."""
    try:
        made = eval(statement, scope)
    except SyntaxError:
        exec(statement, scope)
        made = None
    return [np.asarray(getattr(v, "_data", v)).tolist() for v in (made, scope["x"])]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("row", floor.ROWS, ids=lambda row: row.statement)
def test_both_compute_the_same(row: floor.Row, backend: str) -> None:
    minimal, wrap = floor._minimal(row, backend)
    ours = namespace_of(backend)
    found = []
    for xp, make in ((minimal, wrap), (ours, ours.asarray)):
        arrays = {n: make(value) for n, value in floor._values(backend, 4).items()}
        found.append(outcome(row.statement, {**arrays, "xp": xp, "np": np, "f": ours.float32}))
    if row.statement != "x.dtype":  # one object, which NumPy makes no array of numbers of
        np.testing.assert_allclose(found[0][0] or 0.0, found[1][0] or 0.0, rtol=1e-12)
        assert found[0][1] == found[1][1]


def test_results_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor, "ROWS", floor.ROWS[-8:-6])
    options = ["--rounds", "1", "--backend", "numpy", "--output", str(tmp_path)]
    done = CliRunner().invoke(floor.main, options)
    assert done.exit_code == 0, done.output
    entries = json.loads((tmp_path / "floor.json").read_text("utf-8"))
    assert [entry["statement"] for entry in entries] == [row.statement for row in floor.ROWS]
    assert all(entry["ratio"] > 0 for entry in entries)
