"""The benchmark of derivatives: both sides compute the same, and the report is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import arrayapi_unify as unify
from benchmarks import gradients
from tests.installed import INSTALLED

BACKENDS = [name for name in INSTALLED if name in gradients.OWN]


@pytest.mark.slow_on("jax")
@pytest.mark.parametrize("backend", BACKENDS)
def test_both_sides_compute_the_same(backend: str) -> None:
    xp = unify.get_backend(backend)
    x = xp.asarray(np.linspace(0.0, 1.0, 5))
    own, wait = gradients.OWN[backend]()
    wanted = wait(own(x.data))
    found = unify.value_and_grad(gradients._function(xp, xp.sum))(x)
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS[:1])
def test_report(backend: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        gradients.main, ["--rounds", "1", "--backend", backend, "--output", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    entries = json.loads((tmp_path / "gradients.json").read_text("utf-8"))
    assert [entry["size"] for entry in entries] == list(gradients.SIZES)
    assert all(entry["ratio"] > 0 for entry in entries)
    assert backend in (tmp_path / "gradients.md").read_text("utf-8")
