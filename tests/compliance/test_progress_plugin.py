"""The plugin inside the measured process."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import strategies as st

from compliance.progress_plugin import Reporter, pytest_runtest_setup


def test_events(tmp_path: Path) -> None:
    target = tmp_path / "events.jsonl"
    reporter = Reporter(target)
    reporter.pytest_xdist_node_collection_finished(object(), ["a", "b"])
    reporter.pytest_xdist_node_collection_finished(object(), ["a", "b"])
    reporter.pytest_handlecrashitem("a")
    events = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert events == [
        {"event": "collected", "total": 2},
        {"event": "crash", "nodeid": "a"},
    ]


def test_same_start_for_every_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPLIANCE_SEED", "3")
    before = random.getstate()
    try:
        pytest_runtest_setup()
        first, strategy = random.random(), st.integers(0, 9)
        pytest_runtest_setup()
        assert random.random() == first
        assert st.integers(0, 9) is not strategy
    finally:
        random.setstate(before)
