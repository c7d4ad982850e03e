"""The benchmark of compiled functions: all sides compute the same, and the report is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import arrayapi_unify as unify
from benchmarks import compiled
from tests.installed import INSTALLED

BACKENDS = [name for name in INSTALLED if name in compiled.OWN]
# A warning of inductor's own imports.
pytestmark = pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_sides_compute_the_same(backend: str) -> None:
    xp = unify.get_backend(backend)
    x = xp.asarray(np.linspace(0.0, 1.0, 5))
    function, _, wait = compiled.OWN[backend]()
    wanted = np.asarray(wait(function(x.data)))
    for ours in (compiled._function(xp, xp.sum), compiled._of_any(xp)):
        np.testing.assert_allclose(np.asarray(ours(x)), wanted, rtol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("backend", [name for name in BACKENDS if name == "jax"])
def test_report(backend: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        compiled.main, ["--rounds", "1", "--backend", backend, "--output", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    entries = json.loads((tmp_path / "compiled.json").read_text("utf-8"))
    assert [entry["size"] for entry in entries] == list(compiled.SIZES)
    assert all(entry[side] > 0 for entry in entries for side in ("native", "ours", "eager"))
    assert backend in (tmp_path / "compiled.md").read_text("utf-8")
