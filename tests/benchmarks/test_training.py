"""The benchmark of training steps: both sides compute the same loss, and the report is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import training
from tests.installed import INSTALLED


@pytest.mark.slow
@pytest.mark.parametrize("backend", [name for name in INSTALLED if name == "jax"])
def test_report(backend: str, tmp_path: Path) -> None:
    # The measurement raises for steps whose losses differ.
    done = CliRunner().invoke(
        training.main, ["--rounds", "1", "--backend", backend, "--output", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    (entry,) = json.loads((tmp_path / "training.json").read_text("utf-8"))
    assert entry["backend"] == backend
    assert entry["ratio"] > 0
    assert entry["own_us"] > 0
    assert backend in (tmp_path / "training.md").read_text("utf-8")
