"""A tiny stand-in for the official suite, so that whole runs need neither network nor time."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

NAMESPACE = """
bool = bool
__version__ = "1.2.3"
float32 = "float32"
def asarray(value): return value
def add(x1, x2): return x1 + x2
"""

SUITE_CONFTEST = """
import os
source = os.environ["ARRAY_API_TESTS_MODULE"]
scope = {}
exec(source[len("exec('"):-len("')")], scope)
xp = scope["xp"]

def pytest_addoption(parser):
    parser.addoption("--max-examples", type=int)
    parser.addoption("--disable-deadline", action="store_true")

import pytest

@pytest.fixture(name="xp")
def namespace():
    return xp
"""

PASSING = """
def test_add(xp):
    assert xp.add(1, 2) == 3
"""


REPORT = {
    "schema": "v1",
    "version": "1.0",
    "api_version": "2025.12",
    "timestamp": "2026-01-01T00:00:00+00:00",
    "platform": {"description": "Some-System", "system": "Some", "release": "1", "machine": "m"},
    "execution_target": {"kind": "cpu", "runtime_version": "numpy 2"},
    "python": "3.12.0",
}


@dataclass
class Workplace:
    """A folder with a namespace and a suite, and the command line for them."""

    folder: Path

    @property
    def suite(self) -> Path:
        """The stand-in for the official suite."""
        return self.folder / "suite"

    @property
    def output(self) -> Path:
        """The folder of the reports."""
        return self.folder / "reports"

    @property
    def report_path(self) -> Path:
        """The full report of the namespace."""
        return self.output / "fakens.json"

    def write_tests(self, source: str) -> None:
        """Replace the suite's tests."""
        (self.suite / "array_api_tests" / "test_things.py").write_text(source, encoding="utf-8")

    def command(self, *arguments: str) -> list[str]:
        """The command line of a run."""
        return [sys.executable, "-m", "compliance", *arguments, "--output", str(self.output)]

    def environment(self, **extra: str) -> dict[str, str]:
        """An environment without downloads and without a cache."""
        path = os.pathsep.join([str(REPOSITORY), str(self.folder)])
        fixed = {
            "PYTHONPATH": path,
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "GIT_ALLOW_PROTOCOL": "file",
        }
        return {**os.environ, "ARRAY_API_TESTS_DIR": "", **fixed, **extra}

    def run(self, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        """Run the command line to its end."""
        return subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(**extra),
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def measure(self, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        """Run the suite on the namespace, by default in one process."""
        workers = [] if "--workers" in arguments else ["--workers", "0"]
        return self.run("run", "fakens", "--suite", str(self.suite), *workers, *arguments, **extra)

    def report(self) -> dict[str, Any]:
        """The report as written."""
        found: dict[str, Any] = json.loads(self.report_path.read_text(encoding="utf-8"))
        return found


def git(folder: Path, *arguments: str) -> None:
    """Run git with an identity, and without the user's own configuration."""
    identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
    empty = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(
        ["git", *identity, *arguments],
        cwd=folder,
        env=os.environ | empty,
        check=True,
        capture_output=True,
    )


def _made(folder: Path) -> Workplace:
    place = Workplace(folder)
    (folder / "fakens.py").write_text(NAMESPACE, encoding="utf-8")
    (place.suite / "array_api_tests").mkdir(parents=True)
    (place.suite / "array_api_tests" / "__init__.py").touch()
    stubs = place.suite / "array-api/src/array_api_stubs/_2025_12"
    stubs.mkdir(parents=True)
    (stubs / "__init__.py").touch()
    (place.suite / "conftest.py").write_text(SUITE_CONFTEST, encoding="utf-8")
    place.write_tests(PASSING)
    git(place.suite, "init", "--quiet")
    git(place.suite, "add", "--all")
    git(place.suite, "commit", "--quiet", "-m", "suite")
    return place


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    """A namespace that passes, and a suite that is a git checkout."""
    return _made(tmp_path)


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    """A workplace with a report, shared by tests because a run takes two seconds."""
    place = _made(tmp_path_factory.mktemp("measured"))
    done = place.measure()
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture
def side() -> dict[str, Any]:
    """Return the contents of a side file, which a run writes next to a report."""
    return {
        "official_suite": {"reason": "", "array_api_commit": None, "warnings": ["w<1"]},
        "versions": {"numpy": "2"},
        "dtypes": ["int8"],
        "extensions": [],
        "missing": [],
        "device": "cpu",
        "command": "python -m compliance run numpy",
        "environment": {"JAX_ENABLE_X64": "1"},
    }


@pytest.fixture
def make_report() -> Callable[..., dict[str, Any]]:
    """A valid report with the given outcomes."""

    def make(name: str = "fakens", official: int = 1, **outcomes: str) -> dict[str, Any]:
        common = {"category": "elementwise", "duration": 0.1}
        beginning = "array_api_tests/test_things.py::test_"
        tests = [
            {"nodeid": beginning + test, "outcome": outcome, "function": test, **common}
            for test, outcome in outcomes.items()
        ]
        counts = Counter(outcomes.values())
        totals = {"total": len(tests), "collected": len(tests)}
        flags = {"official": official, "partial": 0, "seed": 0, "max_examples": 5}
        summary = {**dict.fromkeys(("passed", "failed", "skipped"), 0), **counts, **totals, **flags}
        data = {"duration": 1.0, "exitcode": 1, "summary": summary, "tests": tests}
        commit = "a" * 40 if official else "0" * 40
        return {**REPORT, "name": name, "test_suite": commit, "data": data}

    return make
