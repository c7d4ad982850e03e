"""Programs under transformations, beside NumPy: `python -m tests.transformations`.

    python -m tests.transformations --backend numpy torch --programs 1000 --seed 7

A run is kept in `.transformations`, and a later one with the same sources and seed goes on there.
The exit code is 1 for a difference, a raw error, or more refusals than the limit.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.installed import DIFFERENTIATING, EAGER
from tests.transformations.cases import Case, drawn, shrunk

__all__ = ["REFUSED", "main", "run"]

REFUSED: Final = 0.02
"""The limit on the share of programs that are refused."""
_KEPT: Final = Path(__file__).parent.parent.parent / ".transformations"


def run(backend: str, seed: int, number: int, shrink: bool = True) -> dict[str, Any]:
    """Make one case; return its outcome."""
    case = drawn(Random(f"{seed}:{number}"), backend in DIFFERENTIATING)
    found = case.finding(backend)
    if found is None:
        return {"number": number, "names": case.names, "sort": "agrees"}
    least: Case = shrunk(case, backend, found.sort) if shrink and found.sort != "refused" else case
    if least is not case:
        found = least.finding(backend) or found
    row = {"number": number, "names": case.names, "sort": found.sort}
    return {**row, "text": found.text, "case": str(least)}


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.transformations", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--backend", nargs="*", default=EAGER, choices=EAGER)
    parser.add_argument("--programs", type=int, help="on each backend")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="*", help="the numbers of single programs")
    parser.add_argument("--minutes", type=float, default=40.0, help="on each backend (40)")
    return parser.parse_args(arguments)


_PROGRAMS: Final = {"numpy": 6700, "tensorflow": 2000, "torch": 1000, "jax": 500}


def main(arguments: Sequence[str]) -> int:
    """Make the programs; print what differs; return the exit code."""
    options = _arguments(arguments)
    logging.disable()  # the frameworks log what the findings say
    bad = 0
    for backend in options.backend:
        path = _KEPT / f"{backend}-{options.seed}.jsonl"
        path.parent.mkdir(exist_ok=True)
        rows = {} if options.only or not path.exists() else _read(path)
        end = time.monotonic() + 60 * options.minutes
        count = options.programs or _PROGRAMS[backend]
        for number in options.only or range(count):
            if number in rows or time.monotonic() > end:
                continue
            rows[number] = row = run(backend, options.seed, number)
            if row["sort"] in ("differs", "raw"):
                head = f"\n[{row['sort']}] {backend} {options.seed}:{number}"
                print(f"{head} {row['case']}    {row['text'][:400]}", flush=True)
            if not options.only:
                with path.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        bad += _told(backend, list(rows.values()))
    return int(bad > 0)


def _read(path: Path) -> dict[int, dict[str, Any]]:
    return {row["number"]: row for row in map(json.loads, path.read_text().splitlines())}


def _told(backend: str, rows: Sequence[dict[str, Any]]) -> int:
    """Print the number of each sort, and the refusals by frequency; return the number of faults."""
    counts = Counter(row["sort"] for row in rows)
    print(f"\n== {backend}: {len(rows)} programs: {dict(counts)}", flush=True)
    refused = [row["text"] for row in rows if row["sort"] == "refused"]
    refusals = Counter(text.partition("\n")[0][:160] for text in refused)
    for text, n in refusals.most_common():
        print(f"{n:5} x {text}")
    most = REFUSED * len(rows)
    return counts["differs"] + counts["raw"] + (counts["refused"] > max(most, 1))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
