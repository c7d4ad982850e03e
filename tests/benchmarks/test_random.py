"""The benchmark of random numbers makes equal draws, and writes the report."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import arrayapi_unify as unify
from benchmarks import random
from tests.installed import INSTALLED

BACKENDS = [name for name in INSTALLED if name in random.OWN]


@pytest.mark.slow_on("jax")
@pytest.mark.parametrize("backend", BACKENDS)
def test_both_sides_draw_as_many(backend: str) -> None:
    own, ours = random.OWN[backend](), random._ours(unify.get_backend(backend), backend)
    assert set(own) == set(ours) == set(random.DRAWS)
    for name in random.DRAWS:
        mine, theirs = (np.asarray(side[name](7)) for side in (ours, own))
        assert mine.shape == theirs.shape == (7,)
        assert name == "bits" or mine.dtype == theirs.dtype


def test_bits_are_those_of_jax() -> None:
    own, ours = random.OWN["jax"](), random._ours(unify.get_backend("jax"), "jax")
    assert own["bits"](9).tolist() == ours["bits"](9).tolist()


@pytest.mark.slow
def test_report(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        random.main, ["--rounds", "1", "--backend", "numpy", "--output", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    entries = json.loads((tmp_path / "random.json").read_text("utf-8"))
    assert [(entry["draw"], entry["size"]) for entry in entries] == [
        (draw, size) for draw in random.DRAWS for size in random.SIZES
    ]
    assert all(entry["ratio"] > 0 for entry in entries)
    assert "numpy" in (tmp_path / "random.md").read_text("utf-8")


def test_a_folder_that_can_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused before anything is measured."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(random, "publish", None)  # never reached
    output = tmp_path / "file" / "inside"
    done = CliRunner().invoke(
        random.main, ["--rounds", "1", "--backend", "numpy", "--output", str(output)]
    )
    assert done.exit_code == 2
    assert "can't be written: Not a directory" in " ".join(done.output.split())
