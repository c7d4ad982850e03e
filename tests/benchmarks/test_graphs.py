"""The benchmark of graphs: all sides compute the same, and the report is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import arrayapi_unify as unify
from benchmarks import graphs
from tests.installed import INSTALLED


@pytest.mark.parametrize("backend", INSTALLED)
@pytest.mark.eager
def test_both_sides_compute_the_same(backend: str) -> None:
    xp = unify.get_backend(backend)
    x = xp.asarray(np.linspace(0.0, 1.0, 5))
    native, ours = graphs._function(graphs._library(backend)), graphs._function(xp)
    wanted = np.asarray(native(x.data))
    values = np.linspace(0.0, 1.0, 5)
    y = np.exp(np.sin(values) * values + 1.0) - values
    np.testing.assert_allclose(wanted, (np.tanh(y * y) + values) / 2.0, rtol=1e-12)
    for found in (
        unify.compile_graph(native, x.data)(x.data), unify.compile_graph(ours, x)(x).data
    ):  # fmt: skip
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-13)


@pytest.mark.slow
def test_report(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        graphs.main, ["--rounds", "1", "--backend", "numpy", "--output", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    entries = json.loads((tmp_path / "graphs.json").read_text("utf-8"))
    assert [entry["size"] for entry in entries] == list(graphs.SIZES)
    assert all(entry["of_native"] > 0 for entry in entries)
    assert "numpy" in (tmp_path / "graphs.md").read_text("utf-8")
