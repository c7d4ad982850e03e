"""The benchmark of small networks: both sides compute the same losses, and a report is made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.small_nets import __main__ as small_nets
from benchmarks.small_nets.nets import NETWORKS
from tests.installed import INSTALLED

BACKENDS = set.union(*(set(network.own) for network in NETWORKS))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # PyTorch's own compiler
@pytest.mark.parametrize("backend", [name for name in INSTALLED if name in BACKENDS])
def test_report(backend: str, tmp_path: Path) -> None:
    # The measurement raises for steps whose losses differ.
    done = CliRunner().invoke(
        small_nets.main, ["--rounds", "1", "--backend", backend, "--output", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    entries = json.loads((tmp_path / "small_nets.json").read_text("utf-8"))
    names = ["convolutions", "convolutions, batch norm, dropout", "attention"]
    assert [(e["compiled"], e["network"]) for e in entries] == [
        (compiled, name) for compiled in (False, True) for name in names
    ]
    assert all(e["ratio"] > 0 and e["own_us"] > 0 for e in entries)
    # Of eager attention nothing is required.
    limited = [e["network"] for e in entries if e["bar"] is None]
    assert limited == ["attention"]
    assert backend in (tmp_path / "small_nets.md").read_text("utf-8")
