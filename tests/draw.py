"""The tests that a day draws: `python -m tests.draw [YYYY-MM-DD]`, which `.ci/draw` runs.

A seventh of the slow tests, so that a week runs them all, and programs and calls that no other day
draws. Without an argument the day is that of the last commit, in UTC. It is today if the
tree has changes, or is in no repository.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from tests.differential.runner import GROUP, LEAST, SEED
from tests.slow import SHARE

__all__ = ["day_of", "draws", "main"]

_ROOT: Final = Path(__file__).parent.parent
_PARTS: Final = 7
# JAX compiles the same small kernels in each run; tox.ini has the same.
_CACHE: Final = {
    "JAX_COMPILATION_CACHE_DIR": str(_ROOT / ".tox" / "jax"),
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
}
Draw = tuple[dict[str, str], list[str]]


def day_of(tree: Path) -> date:
    """Return the day of a tree's last commit; today if it has none, or differs from it."""
    made = _git(tree, "log", "-1", "--format=%ct")
    if made is None or _git(tree, "status", "--porcelain"):
        return datetime.now(UTC).date()
    return datetime.fromtimestamp(int(made), UTC).date()


def _git(tree: Path, *arguments: str) -> str | None:
    """Return the output of git, or None if it fails. A clone may belong to another user."""
    command = ["git", "-c", "safe.directory=*", *arguments]
    try:
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def draws(day: date) -> Iterator[Draw]:
    """Yield the variables, and the arguments of pytest, of everything that a day draws."""
    part = (day - date(1970, 1, 1)).days % _PARTS
    fixed = {"PYTHONHASHSEED": "0"}
    yield {**fixed, SHARE: f"{_PARTS}:{part}"}, ["-m", "slow"]
    seed = {**fixed, SEED: f"{day:%Y%m%d}", LEAST: "1"}
    yield {**seed, GROUP: "3000"}, ["tests/views/test_programs.py"]
    functions = [f"tests/differential/test_{name}.py" for name in ("functions", "layouts")]
    yield {**seed, GROUP: "20"}, functions
    yield seed, ["tests/transformations"]


def main(arguments: Sequence[str]) -> int:
    """Run all draws of a day; return the exit code."""
    parser = argparse.ArgumentParser(prog=".ci/draw", description="Run the drawn tests of a day.")
    parser.add_argument("day", nargs="?", type=date.fromisoformat, help="YYYY-MM-DD")
    day = parser.parse_args(arguments).day or day_of(_ROOT)
    failed = False
    for variables, options in draws(day):
        command = ["python", "-m", "pytest", "-n", "auto", "--dist", "worksteal", *options]
        changed = [f"{name}={value}" for name, value in variables.items()]
        print(f"{day} draws: {shlex.join([*changed, *command])}", flush=True)
        environment = {**_CACHE, **os.environ, **variables}
        done = subprocess.run([sys.executable, *command[1:]], cwd=_ROOT, env=environment)
        failed |= done.returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
