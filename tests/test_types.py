"""Mypy and pyright accept `typed_usage.py`, and report the marked lines of `typed_mistakes.py`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
USAGE, MISTAKES = TESTS / "typed_usage.py", TESTS / "typed_mistakes.py"
MARK = "  # mistake"
# The first and the last version of Python that the package supports.
VERSIONS = ("3.11", "3.13")


def run(*command: str) -> str:
    """Return what a module prints as a program; one that can't run is an error."""
    # Pyright looks for newer versions of itself otherwise.
    environment = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=TESTS.parent, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def of_mypy(path: Path, version: str, cache: Path) -> set[int]:
    # An empty cache: errors of modules that import each other depend on the first one that is read.
    options = ("--no-error-summary", "--cache-dir", str(cache), "--python-version", version)
    text = run("mypy", *options, str(path))
    found = re.findall(r"^(.+?):(\d+): error: ", text, re.MULTILINE)
    assert all(Path(TESTS.parent, name) == path for name, _ in found), text
    return {int(line) for _, line in found}


def of_pyright(path: Path, version: str, _: Path) -> set[int]:
    options = ("--outputjson", "--pythonpath", sys.executable, "--pythonversion", version)
    report = json.loads(run("pyright", *options, str(path)))
    assert report["summary"]["filesAnalyzed"] == 1
    return {found["range"]["start"]["line"] + 1 for found in report["generalDiagnostics"]}


CHECKERS = {"mypy": of_mypy, "pyright": of_pyright}


def marked(path: Path) -> set[int]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if MARK in line}


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("checker", CHECKERS)
class TestCheckers:
    def test_accepts_uses(self, checker: str, version: str, tmp_path: Path) -> None:
        assert CHECKERS[checker](USAGE, version, tmp_path) == set()

    def test_reports_the_mistakes(self, checker: str, version: str, tmp_path: Path) -> None:
        reported, expected = CHECKERS[checker](MISTAKES, version, tmp_path), marked(MISTAKES)
        assert len(expected) > 40
        assert reported == expected

    def test_a_wrong_mark_is_noticed(self, checker: str, version: str, tmp_path: Path) -> None:
        """A mark on a line without a mistake, and a mistake without a mark."""
        changed = tmp_path / "typed.py"
        changed.write_text(
            "import arrayapi_unify as unify\n"
            f"unify.sum(unify.ones(3)){MARK}\n"
            "unify.summ(unify.ones(3))\n"
        )
        assert marked(changed) == {2}
        assert CHECKERS[checker](changed, version, tmp_path) == {3}
