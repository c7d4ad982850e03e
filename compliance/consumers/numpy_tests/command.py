"""``python -m compliance consumers numpy``: run NumPy's tests three ways, and write the results."""

import json
import os
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import numpy as np

from ...disk import check, locked, read, write
from ...errors import NotAReport, RunFailed
from ...namespaces import PROJECT
from ...processes import running, scratch, tail, wait
from ...provenance import provenance
from ...redact import Redactor
from ...results import NUMPY_TESTS, is_valid
from ...time_limit import HANGS, LIMIT
from .. import runner
from ..plugin import OUTCOMES
from . import page
from .plugin import COLUMN, COLUMNS

JSON, PAGE = "numpy_tests.json", "numpy_tests.md"
SCHEMA = "numpy-tests-v1"
# Those folders of NumPy's wheel whose tests are about functions of arrays.
PARTS = ("_core", "lib", "linalg", "fft")
_SECONDS = 60.0  # for a test
_LONGEST = 300  # characters of a message
_AGAIN = "Remove it, and measure again."


def measured(backends: tuple[str, ...], workers: int, output: Path) -> list[dict[str, Any]]:
    """Measure NumPy itself and the backends, and write the report after each."""
    check(output, JSON, PAGE)
    bare = _run("bare", "numpy", workers)
    results: list[dict[str, Any]] = []
    for backend in backends:
        for column in COLUMNS[1:]:
            new = _entry(column, backend, _run(column, backend, workers), bare)
            results = _saved(output, new)
            click.echo(f"{backend}, {column}: {page.cell(new)}")
    click.echo(f"report: {output / PAGE}")
    return results


def load(output: Path) -> list[dict[str, Any]]:
    """Return the stored results; an empty list if there is no file yet."""
    path = output / JSON
    if not path.exists():
        return []
    found = read(path, _AGAIN)
    if not is_valid(found, NUMPY_TESTS):
        raise NotAReport(f"{path} is no report on NumPy's tests.", _AGAIN)
    results: list[dict[str, Any]] = found["results"]
    return results


def _saved(output: Path, new: dict[str, Any]) -> list[dict[str, Any]]:
    with locked(output):
        everything = {(r["backend"], r["column"]): r for r in [*load(output), new]}
        results = [everything[key] for key in sorted(everything)]
        text = json.dumps({"schema": SCHEMA, "results": results}, indent=1, ensure_ascii=False)
        write(output / JSON, text + "\n")
        write(output / PAGE, page.render(results))
    return results


def _run(column: str, backend: str, workers: int) -> list[dict[str, Any]]:
    """Run the tests with one replacement, and return the lines that the plugin wrote."""
    above = Path(np.__file__).parent.parent
    with scratch() as place:
        outcomes, log, hangs = place / "outcomes.jsonl", place / "log.txt", place / "hangs"
        outcomes.touch()
        hangs.mkdir()
        environment = runner.clean_environment(f"{PROJECT}.{backend}") | {
            COLUMN: column, LIMIT: str(_SECONDS), OUTCOMES: str(outcomes), HANGS: str(hangs),
        }  # fmt: skip
        with running(_command(above, workers), place, environment, log) as process:
            wait(process)
        lines = outcomes.read_text(encoding="utf-8").splitlines()
        if process.returncode not in (0, 1) or not lines:
            raise RunFailed(f"NumPy's tests ended with {process.returncode}.", tail(log))
    return [json.loads(line) for line in lines]


def _command(above: Path, workers: int) -> list[str]:
    """Return the command line of the process that runs the tests."""
    command = [sys.executable, "-m", "pytest", *(f"{above}/numpy/{part}/tests" for part in PARTS)]
    command += [f"--rootdir={above}", "-c", os.devnull, "--continue-on-collection-errors"]
    for plugin in (f"{__package__}.plugin", runner.TIME_LIMIT, "xdist"):
        command += ["-p", plugin]
    command += ["-p", "no:cacheprovider", "-q", "--tb=short", "-m", "not slow"]
    return [*command, "-n", str(max(workers, 1))]


def _entry(
    column: str, backend: str, lines: list[dict[str, Any]], bare: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the results of the tests that NumPy passes and that reach something of ours."""
    can_pass = {test for test, line in _worst(bare).items() if line["outcome"] == "passed"}
    outcomes = _worst(lines)
    lost = can_pass - outcomes.keys()  # a file that couldn't be collected
    reached = {t for t in can_pass & outcomes.keys() if outcomes[t]["reached"]} | lost
    redact, missing = Redactor(), {"outcome": "failed", "message": "not collected"}
    failed = {t: outcomes.get(t, missing) for t in sorted(reached)}
    return {
        "backend": backend,
        "column": column,
        "library": f"numpy {np.__version__}",
        "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
        **provenance(),
        "reasons": dict(Counter(next(line["reasons"] for line in bare if "reasons" in line))),
        "unreached": len(can_pass) - len(reached),
        "passed": dict(Counter(_part(t) for t in reached if failed[t]["outcome"] == "passed")),
        "failures": [
            {"test": test, "message": redact(line["message"])[:_LONGEST]}
            for test, line in failed.items()
            if line["outcome"] != "passed"
        ],
    }


def _part(test: str) -> str:
    return next(part for part in PARTS if f"numpy/{part}/tests" in test)


def _worst(lines: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return one line for each test: the one that failed, if there is one."""
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        if "id" in line and (line["id"] not in found or line["outcome"] == "failed"):
            found[line["id"]] = line
    return found
