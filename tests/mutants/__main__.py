"""`python -m tests.mutants`: do the tests notice faults in the package's code?

    python -m tests.mutants list                                   the drawn mutants
    python -m tests.mutants map --output MAP -n 2 --dist worksteal  the tests that run their lines
    python -m tests.mutants run --map MAP --output NEW --jobs 2     the tests that notice them
    python -m tests.mutants compare OLD NEW                         mutants that NEW has lost

A second `run` into a folder goes on; with `--again` it also repeats mutants that weren't noticed,
perhaps with more tests. The tests of another commit run with a copy of this folder there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from tests.mutants import draw, results, tracing
from tests.mutants.choose import CoverageMap, Limits
from tests.mutants.execute import ENVIRONMENT, Job, Outcome, execute, import_libraries
from tests.mutants.plant import NONE

__all__ = ["main"]

_BATCH, _LONG = 150, 900.0
_MAP = "map.json"


def _arguments(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    mapping = commands.add_parser("map", help="further arguments are pytest's")
    mapping.add_argument("--output", type=Path, required=True)
    running = commands.add_parser("run")
    running.add_argument("--map", type=Path, required=True)
    running.add_argument("--output", type=Path, required=True)
    running.add_argument("--jobs", type=int, default=2)
    running.add_argument("--most", type=float, default=120, help="seconds per mutant (120)")
    running.add_argument("--tests", type=int, default=Limits.tests, help="most tests per mutant")
    running.add_argument("--seconds", type=float, default=Limits.seconds, help="of these tests")
    running.add_argument("--files", type=int, default=Limits.files, help="of these tests")
    running.add_argument("--supplement", type=int, default=Limits.supplement, help="further tests")
    running.add_argument("--only", nargs="*", default=[""], help="beginnings of ids")
    running.add_argument("--mutants", type=Path, help="a file with ids, one a line")
    running.add_argument("--again", action="store_true", help="also mutants that weren't noticed")
    comparing = commands.add_parser("compare")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    return parser.parse_known_args(arguments)


def _map(output: Path, arguments: list[str]) -> int:
    """Run tests with the tracer, and write the map; failures of tests don't matter."""
    output.mkdir(parents=True, exist_ok=True)
    for part in output.glob("part-*.json"):
        part.unlink()
    chosen = [] if "-m" in arguments else ["-m", "not slow"]
    command = [sys.executable, "-m", "pytest", "-p", tracing.__name__, *chosen, *arguments]
    environment = {**os.environ, **ENVIRONMENT, tracing.FOLDER: str(output.resolve())}
    subprocess.run(command, env=environment, check=False)
    found = tracing.merged(output)
    (output / _MAP).write_text(json.dumps(found))
    covered = sum(names != [tracing.IMPORT] for names in found["tests"].values())
    print(f"{len(found['durations'])} tests, {len(found['failed'])} failed")
    print(f"{covered} of {len(draw.draw())} mutants are on lines that tests run")
    return 0 if found["durations"] else 1


# --- running --------------------------------------------------------------------------------------


def _usable(tests: set[str], file: Path, jobs: int) -> set[str]:
    """Return the tests that pass without a mutant; the file keeps the results of earlier runs."""
    known: dict[str, bool] = json.loads(file.read_text()) if file.exists() else {}
    while waiting := sorted(tests - known.keys()):
        print(f"{len(waiting)} tests run without a mutant", flush=True)
        parts = [waiting[i : i + _BATCH] for i in range(0, len(waiting), _BATCH)]
        mixed = [tuple(sorted(part, key=lambda test: crc32(test.encode()))) for part in parts]
        batches = [Job(NONE, part, False, _LONG) for part in mixed]
        for job, outcome in execute(batches, jobs):
            known.update({test: not text for test, text in outcome.ended.items()})
            if outcome.running:
                known[outcome.running] = False
            elif outcome.code in (0, 1, 5):  # it isn't there
                known.update({test: False for test in job.tests if test not in known})
            else:
                raise SystemExit(f"the tests don't run without a mutant: {outcome.broken}")
            file.write_text(json.dumps(known))
    return {test for test in tests if known[test]}


def _result(job: Job, outcome: Outcome) -> results.Result:
    """Judge a mutant."""
    failed = next((test for test, text in outcome.ended.items() if text), "")
    missing = len(job.tests) - len(outcome.ended)
    status, by, message = "survived", "", f"{missing} tests were missing" if missing else ""
    if outcome.timed_out:
        status, by = "timed out", outcome.running
    elif failed:
        status, by, message = "noticed", failed, outcome.ended[failed]
    elif outcome.code < 0:
        status, by, message = "crashed", outcome.running, f"signal {-outcome.code}"
    elif outcome.code not in (0, 5):
        status, by, message = "noticed", outcome.running or "import", outcome.broken
    seconds = round(outcome.seconds, 1)
    return results.Result(job.mutant, status, by, message, len(outcome.ended), seconds)


def _chosen(options: argparse.Namespace) -> list[str]:
    """Return the ids to run."""
    ids = [mutant.id for mutant in draw.draw()]
    if options.mutants:
        ids = options.mutants.read_text().split("\n")
    ids = [name for name in ids if name and name.startswith(tuple(options.only))]
    return results.left(ids, results.read(options.output), options.again)


def _jobs(ids: list[str], options: argparse.Namespace) -> Iterator[Job]:
    """Yield the jobs of mutants, with tests that pass without one."""
    limits = Limits(options.tests, options.seconds, options.files, options.supplement)
    coverage = CoverageMap(json.loads((options.map / _MAP).read_text()))
    chosen = {name: coverage.choose(draw.find(name), limits) for name in ids}
    every = {test for tests in chosen.values() for test in tests}
    usable = _usable(every, options.output / "without.json", options.jobs)
    for name, tests in chosen.items():
        yield Job(name, tuple(t for t in tests if t in usable), True, options.most)


def _run(options: argparse.Namespace) -> int:
    """Run mutants, write each result, and print it."""
    options.output.mkdir(parents=True, exist_ok=True)
    ids, file = _chosen(options), options.output / "results.jsonl"
    if ids:
        import_libraries()
    jobs = list(_jobs(ids, options)) if ids else []
    for job in (job for job in jobs if not job.tests):
        results.add(file, results.Result(job.mutant, "uncovered", "", "", 0, 0.0))
    for i, (job, outcome) in enumerate(execute((j for j in jobs if j.tests), options.jobs), 1):
        found = _result(job, outcome)
        results.add(file, found)
        print(
            f"{i}/{len(jobs)} {found.status}: {found.id} ({found.seconds} s, {found.tests} tests)"
        )
        print(f"    {found.by} {found.message}", flush=True)
    print(results.summary(results.read(options.output)))
    return 0


def main(arguments: list[str]) -> int:
    """Run a command, and return the exit code."""
    options, rest = _arguments(arguments)
    if rest and options.command != "map":
        raise SystemExit(f"unknown arguments: {rest}")
    if options.command == "map":
        return _map(options.output, rest)
    if options.command == "list":
        print(*(mutant.describe() for mutant in draw.draw()), sep="\n")
    elif options.command == "compare":
        lines, share = results.compare(results.read(options.old), results.read(options.new))
        print(*lines, sep="\n")
        return 0 if share >= results.LEAST else 1
    elif any(os.environ.get(name) != value for name, value in ENVIRONMENT.items()):
        command = [sys.executable, "-m", "tests.mutants", *arguments]
        os.execve(sys.executable, command, {**os.environ, **ENVIRONMENT})
    else:
        return _run(options)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
