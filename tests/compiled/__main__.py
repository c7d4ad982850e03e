"""`python -m tests.compiled --backend torch`: compile all programs of a backend.

    python -m tests.compiled --backend torch --workers 2
    python -m tests.compiled --backend jax --function expm1 --dtype float32

Results are kept in `.compiled/BACKEND.jsonl`, so that a run goes on where an earlier one of the
same sources ended. The exit code is 1 if any call differs.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import arrayapi_unify
from arrayapi_unify.binding import namespace_of
from compliance.provenance import digest
from tests.compiled.programs import BACKENDS, Program, differences, plan
from tests.compiled.quickly import QUICKLY

_TESTS = Path(__file__).parent.parent


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.compiled", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--backend", choices=BACKENDS, nargs="*", default=[*BACKENDS])
    parser.add_argument("--function", nargs="*", help="only programs of one of these functions")
    parser.add_argument("--dtype", nargs="*")
    parser.add_argument("--size", nargs="*")
    parser.add_argument("--kind", nargs="*", choices=("beside", "alone", "scalars"))
    parser.add_argument("--minutes", type=float, default=60.0, help="a later run goes on")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the programs")
    parser.add_argument("--part", default="0:1", help=argparse.SUPPRESS)
    parser.add_argument("--state", type=Path, default=Path(".compiled"))
    return parser.parse_args(arguments)


def _chosen(backend: str, options: argparse.Namespace) -> list[Program]:
    """Return the programs to run; `--function` leaves others out of them."""
    part, parts = map(int, options.part.split(":"))
    found = []
    for program in plan(backend):
        names = tuple(f for f in program.functions if f in (options.function or program.functions))
        wanted = (
            (program.dtype, options.dtype), (program.size, options.size),
            (program.kind, options.kind),
        )  # fmt: skip
        if names and all(allowed is None or one in allowed for one, allowed in wanted):
            found.append(Program(program.kind, program.dtype, program.size, names))
    return found[part::parts]


def _kept(path: Path, key: str) -> dict[str, Any]:
    """Return the results of these sources, by program."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rows = [row for row in map(json.loads, lines) if row["key"] == key]
    return {row["program"]: row for row in rows}


def _run(backend: str, options: argparse.Namespace, key: str) -> None:
    if backend in QUICKLY:
        QUICKLY[backend]()
    path, xp = options.state / f"{backend}.jsonl", namespace_of(backend)
    path.parent.mkdir(exist_ok=True)
    kept, until = _kept(path, key), time.monotonic() + 60 * options.minutes
    gc.set_threshold(200_000, 50, 50)  # a sixth of the time of PyTorch's compiler otherwise
    for program in _chosen(backend, options):
        name = f"{program} of {len(program.functions)}"
        if name in kept or time.monotonic() > until:
            continue
        begin = time.monotonic()
        calls, found = differences(program, xp)
        row = {"key": key, "program": name, "calls": calls, "found": found}
        row["seconds"] = round(time.monotonic() - begin, 2)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{backend}: {name}: {calls} calls, {row['seconds']} s", flush=True)
        for each in found:
            print(f"  {each['function']}: {each['what']}\n    {each['call'][:160]}", flush=True)


def main(arguments: list[str]) -> int:
    """Compile, compare, print, and return the exit code."""
    options = _arguments(arguments)
    package = Path(arrayapi_unify.__file__).parent
    folders = (package, _TESTS / "compiled", _TESTS / "differential")
    key = ",".join(digest(folder)[:12] for folder in folders)
    failed = False
    for backend in options.backend:
        if options.workers > 1:
            command = [sys.executable, "-m", "tests.compiled", *arguments, "--workers", "1"]
            command += ["--backend", backend, "--part"]
            parts = [f"{i}:{options.workers}" for i in range(options.workers)]
            for process in [subprocess.Popen([*command, part]) for part in parts]:
                process.wait()
        else:
            _run(backend, options, key)
        rows = _kept(options.state / f"{backend}.jsonl", key)
        found = [each for row in rows.values() for each in row["found"]]
        calls, of = sum(row["calls"] for row in rows.values()), len(plan(backend))
        print(f"{backend}: {calls} calls in {len(rows)} programs of {of}, {len(found)} differ")
        failed |= bool(found)
    return int(failed)


if __name__ == "__main__":
    logging.disable(logging.ERROR)  # of torch.compile, about errors that are compared
    sys.exit(main(sys.argv[1:]))
