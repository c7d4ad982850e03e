"""Runs the tests of one part of a package in its own process, and counts the outcomes."""

import json
import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import RunFailed
from ..processes import PYTHON_VARIABLES, running, scratch, tail, wait
from ..redact import Redactor
from ..time_limit import HANGS, LIMIT
from .packages import Package, folder
from .plugin import IMPORTS, NAMESPACE, OUTCOMES, SELECT

# The worst of several outcomes of a test counts: it may pass, and fail in its teardown.
_WORST = ("failed", "expected", "passed", "skipped")
_NO_TESTS = 5  # the exit status of pytest if none was selected
_USABLE = (0, 1, _NO_TESTS)
_SECONDS = 600.0  # for a test
_MOST_HANGS = "20"  # workers that may be replaced because a test hung in them, or ended them
TIME_LIMIT = f"{__package__}".partition(".")[0] + ".time_limit"


@dataclass(frozen=True)
class Result:
    """The results of the tests of one part, with one namespace."""

    counts: dict[str, int]  # of passed, failed, skipped and expected
    failures: dict[str, str]  # test -> message
    skips: dict[str, int]  # reason -> how many
    # For failed tests: test -> library with which the package skips it -> reason.
    left_out: dict[str, dict[str, str]] = field(default_factory=dict)


def measure(package: Package, part: str, namespace: str, workers: int) -> Result:
    """Run the tests of one part; raise if there is no usable result."""
    above = folder(package)
    tests = above / package.module / part
    with scratch() as place:
        outcomes, log, hangs = place / "outcomes.jsonl", place / "log.txt", place / "hangs"
        outcomes.touch()
        hangs.mkdir()
        environment = _environment(package, namespace) | {
            OUTCOMES: str(outcomes),
            HANGS: str(hangs),
        }
        command = pytest_command(package, tests if tests.exists() else above, above, workers)
        with running(command, place, environment, log) as process:
            wait(process)
        if process.returncode not in _USABLE:
            title = package.title(part)
            raise RunFailed(f"The tests of {title} ended with {process.returncode}.", tail(log))
        lines = outcomes.read_text(encoding="utf-8").splitlines()
    return counted([json.loads(line) for line in lines], Redactor(above))


def pytest_command(package: Package, tests: Path, above: Path, workers: int) -> list[str]:
    """The command line of the process that runs the tests."""
    command = [sys.executable, "-m", "pytest", str(tests), f"--rootdir={above}"]
    # Without -c, pytest would take the settings of an enclosing folder.
    command += ["-c", os.devnull, "--import-mode=importlib", "--continue-on-collection-errors"]
    for plugin in (f"{__package__}.plugin", TIME_LIMIT, "hypothesispytest", "xdist"):
        command += ["-p", plugin]
    command += ["-p", "no:cacheprovider", "-q", "--tb=short", *package.options]
    # A worker that a test ended is replaced, and the other tests still run.
    return [*command, "-n", str(max(workers, 1)), f"--max-worker-restart={_MOST_HANGS}"]


def clean_environment(namespace: str) -> dict[str, str]:
    """The caller's environment, without variables that could change results unnoticed."""
    ours = ("PYTEST_", "COMPLIANCE_", "CONSUMERS_", "SCIPY_", "ARRAY_API_STRICT_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    for name in PYTHON_VARIABLES:
        kept.pop(name, None)
    above = str(Path(__file__).resolve().parents[2])
    path = [above, os.getcwd(), *filter(None, [kept.get("PYTHONPATH")])]
    return kept | {
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONHASHSEED": "0",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        NAMESPACE: namespace,
    }


def _environment(package: Package, namespace: str) -> dict[str, str]:
    fixed = {SELECT: package.select, LIMIT: str(_SECONDS)}
    if package.imports:
        fixed[IMPORTS] = package.imports
    return clean_environment(namespace) | fixed | dict(package.environment)


def counted(lines: list[dict[str, Any]], redact: Redactor) -> Result:
    """Combine all events of a test into one outcome."""
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        before = found.get(line["id"])
        if before is None or _WORST.index(line["outcome"]) < _WORST.index(before["outcome"]):
            found[line["id"]] = line
    counts = dict.fromkeys(("passed", "failed", "skipped", "expected"), 0)
    counts |= Counter(line["outcome"] for line in found.values())
    failures = {
        test: redact(line["message"]) for test, line in found.items() if line["outcome"] == "failed"
    }
    apart = [line for line in found.values() if line["outcome"] in ("skipped", "expected")]
    skips = Counter(redact(line["message"]).removeprefix("Skipped: ") for line in apart)
    left_out = {test: line["left_out"] for test, line in found.items() if "left_out" in line}
    return Result(counts, dict(sorted(failures.items())), dict(sorted(skips.items())), left_out)
