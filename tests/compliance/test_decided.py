"""Tests that can't run are failed without running them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from compliance.decided import DECIDED
from tests.compliance.conftest import REPOSITORY

TESTS = """
import pytest
from hypothesis import given, strategies as st

@given(st.data())
def test_a(data):
    open("drawn", "w").close()

@pytest.mark.skip(reason="the suite's own")
def test_b(): pass

def test_c(): pass
"""


def test_they_draw_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text(TESTS, encoding="utf-8")
    decided = {f"test_x.py::test_{name}": "not run: finfo is missing" for name in "ab"}
    (tmp_path / "decided.json").write_text(json.dumps(decided), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "compliance.decided"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", "-p", "no:randomly", "-rA", "test_x.py"],
        cwd=tmp_path,
        env=os.environ | {DECIDED: "decided.json", "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert "1 failed, 1 passed, 1 skipped" in done.stdout
    assert "FAILED test_x.py::test_a - Failed: not run: finfo is missing" in done.stdout
    assert not (tmp_path / "drawn").exists()
