"""The benchmark of writes to rows runs on every backend, and writes the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arrayapi_unify.binding import namespace_of
from benchmarks import views
from tests.installed import INSTALLED


@pytest.mark.parametrize("backend", INSTALLED)
def test_the_rows_are_those_of_the_array(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "ROWS", 3)
    xp = namespace_of(backend)
    x = xp.zeros((views.ROWS, 2))
    views._timed(xp.unstack(x), lambda: None)
    assert x.tolist() == [[1.0, 1.0]] * 3
    result = views.measure(backend, rounds=1, columns=2)
    assert result.ratio > 0
    assert result.ratio_with_read >= result.ratio


def test_results_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "ROWS", 3)
    options = ["--rounds", "1", "--backend", "numpy", "--output", str(tmp_path)]
    done = CliRunner().invoke(views.main, options)
    assert done.exit_code == 0, done.output
    entries = json.loads((tmp_path / "views.json").read_text("utf-8"))
    assert [entry["columns"] for entry in entries] == list(views.COLUMNS)
    page = (tmp_path / "views.md").read_text("utf-8")
    assert page.count("| numpy |") == len(views.COLUMNS)
