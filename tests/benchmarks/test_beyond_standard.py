"""The benchmark of similar functions makes equal calls, and writes the report."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from benchmarks import beyond_standard
from benchmarks.cases import installed


@pytest.mark.slow
@pytest.mark.parametrize("backend", installed())
def test_both_calls_compute_the_same(backend: str) -> None:
    """Except for axes: the position of the channels, or results of one row."""
    ours, theirs = beyond_standard._names(backend)
    for function, text in beyond_standard.SIMILAR[backend].items():
        beyond_the_standard = {"segment_sum", "split"}
        assert CONTRACTS[function].kind != "primary" or function in beyond_the_standard
        expected = beyond_standard._call(text, theirs)()
        found = beyond_standard._call(beyond_standard.ROWS[function].ours, ours)()
        if function == "nn.batch_norm":  # ours returns the running statistics too
            found = found[0]
        pairs = (
            zip(found, expected, strict=True) if isinstance(found, tuple) else [(found, expected)]
        )
        tolerance = 2e-2 if function == "nn.gelu" else 1e-5
        for got, wanted in pairs:
            np.testing.assert_allclose(
                unify.to_numpy(got).squeeze(),
                np.asarray(wanted).squeeze(),
                atol=tolerance,
                err_msg=function,
            )


def test_every_reason_is_of_a_row() -> None:
    for backend, function in beyond_standard.REASONS:
        assert function in beyond_standard.SIMILAR[backend], (backend, function)


def test_results_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(beyond_standard.SIMILAR, "numpy", {"diag": "f.diag(x)"})
    options = ["--rounds", "1", "--backend", "numpy", "--output", str(tmp_path)]
    done = CliRunner().invoke(beyond_standard.main, options)
    assert done.exit_code == 0, done.output
    (entry,) = json.loads((tmp_path / "beyond_standard.json").read_text("utf-8"))
    assert (entry["backend"], entry["function"]) == ("numpy", "diag")
    assert entry["within"] == (entry["reason"] == "")
