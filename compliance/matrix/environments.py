"""Environments, each with one version of one library, and the official suite in them."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..disk import read
from ..errors import ComplianceError
from .libraries import Library

ROOT = Path(__file__).parents[2]
EXAMPLES = 20
SEED = 0
_GRACE = 120  # seconds for an interrupted run to write what it has
_INSTALL = 1800


def requirements(library: Library, version: str) -> list[str]:
    """Return all that an environment has: the library, and what runs the suite."""
    project = ROOT / "pyproject.toml"
    if not project.exists():
        raise ComplianceError(
            "The matrix is measured from a checkout.", f"There is no {project.name} beside it."
        )
    extras = tomllib.loads(project.read_text("utf-8"))["project"]["optional-dependencies"]
    beside = [requirement.format(version=version) for requirement in library.beside]
    return [library.requirement(version), *beside, *extras["compliance"]]


@contextlib.contextmanager
def environment(library: Library, version: str) -> Iterator[Path]:
    """Make an environment, yield its Python, and remove it."""
    folder = Path(tempfile.mkdtemp(prefix=f"{library.package.partition('[')[0]}-{version}-"))
    try:
        _do([sys.executable, "-m", "venv", str(folder)], _INSTALL)
        python = folder / "bin" / "python"
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _do([*pip, *requirements(library, version)], _INSTALL)
        yield python
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _do(command: Sequence[str], seconds: float) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise ComplianceError(f"{command[1]} {command[2]} takes more than {seconds} s.") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise ComplianceError((lines or [f"{command[2]} ended with {done.returncode}"])[-1])


def measure(
    python: Path, library: Library, minutes: float, nodes: Sequence[str] = ()
) -> dict[str, Any]:
    """Run the suite and return its report; after `minutes` that of the tests that have ended.

    With `nodes`, only the tests with these ids run.
    """
    with tempfile.TemporaryDirectory() as output:
        command = [str(python), "-m", "compliance", "run", library.namespace]
        command += ["--quick", "--max-examples", str(EXAMPLES), "--seed", str(SEED)]
        command += ["--workers", "1", "--require-official", "--output", output]
        command += [word for node in nodes for word in ("--node", node)]
        problem = _watched(command, minutes * 60)
        found = [path for path in Path(output).rglob("*.json") if ".meta." not in path.name]
        if len(found) != 1:
            raise ComplianceError(f"{library.name} has no report: {problem}")
        report: dict[str, Any] = read(found[0], "Run it again.")
        return report


def _watched(command: Sequence[str], seconds: float) -> str:
    """Run a command, and interrupt it after some time; return the end of what it printed."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryFile("w+") as printed:
        run = subprocess.Popen(
            command, cwd=ROOT, env=variables, stdout=printed, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        try:
            for wait, number in ((seconds, signal.SIGINT), (_GRACE, signal.SIGKILL)):
                try:
                    run.wait(wait)
                    break
                except subprocess.TimeoutExpired:
                    os.killpg(run.pid, number)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        printed.seek(0)
        lines = [line.strip() for line in printed.read().splitlines() if line.strip()]
    return lines[-1] if lines else f"it ended with {run.returncode} and printed nothing"
