"""The benchmark of similar functions calls what it says, and writes what it measured."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import arrayapi_unify as unify
from arrayapi_unify.binding import CONTRACTS
from benchmarks import similar
from tests.installed import INSTALLED

# Where the library's similar function isn't the same one: other axes, powers or data types.
OTHERS = {
    ("torch", "one_hot"),
    ("torch", "logspace"),
    ("tensorflow", "diag"),
    ("tensorflow", "one_hot"),
}


@pytest.mark.parametrize("backend", INSTALLED)
def test_both_calls_compute_the_same(backend: str) -> None:
    ours, theirs = similar._names(backend)
    for function, text in similar.SIMILAR[backend].items():
        assert CONTRACTS[function].kind in ("mixed", "compositional")
        expected = similar._call(text, theirs)()
        found = similar._call(similar._OURS[function], ours)()
        if (backend, function) in OTHERS or isinstance(found, tuple):
            continue
        tolerance = 2e-2 if function == "gelu" else 1e-5
        got, wanted = unify.to_numpy(found), np.asarray(expected)
        np.testing.assert_allclose(got, wanted, atol=tolerance, err_msg=function)


def test_results_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(similar.SIMILAR, "numpy", {"diag": "f.diag(x)"})
    options = ["--rounds", "1", "--backend", "numpy", "--output", str(tmp_path)]
    done = CliRunner().invoke(similar.main, options)
    assert done.exit_code == 0, done.output
    (entry,) = json.loads((tmp_path / "similar.json").read_text("utf-8"))
    assert (entry["backend"], entry["function"]) == ("numpy", "diag")
    assert entry["within"] == (entry["reason"] == "")
