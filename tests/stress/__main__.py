"""Run everything in this folder, each subject in fresh processes: `python -m tests.stress`.

    python -m tests.stress --processes 50 --backend numpy --subject first_uses

It prints a line for each subject and backend, and the problems. The exit status is 1 if there are
any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final

from arrayapi_unify import backends
from tests.stress import first_uses, forks, graphs, interrupts, writes

__all__ = ["SUBJECTS", "main"]

_FORKING: Final = ("numpy", "torch")  # the threads of the other frameworks don't survive a fork
Outcome = tuple[str, list[str]]


def _first_uses(backend: str, processes: int) -> Outcome:
    found = [first_uses.process(backend, seed) for seed in range(processes)]
    problems = [text for outcome in found for text in outcome["errors"]]
    problems += [f"several: {outcome['several']}" for outcome in found if outcome["several"]]
    return f"{processes} fresh processes", problems


def _graphs(backend: str, processes: int) -> Outcome:
    counts = [50 * processes if backend == "numpy" else 4 * processes, *[16] * (processes // 5)]
    found = [graphs.process(backend, count) for count in counts]
    made = sum(outcome["made"] for outcome in found)
    problems = [text for outcome in found for text in outcome["errors"]]
    return f"{made} graphs and compiled functions in {len(counts)} processes", problems


def _writes(backend: str, processes: int) -> Outcome:
    outcome = writes.process(backend, processes)
    problems = [f"lost by {way}: {count}" for way, count in outcome["lost"].items()]
    return f"{outcome['written']} elements written to", problems + outcome["errors"]


def _forks(backend: str, processes: int) -> Outcome:
    if backend not in _FORKING:
        return "not tried", []
    problems: list[str] = []
    for kind in forks.KINDS:
        outcome = forks.process(backend, kind, processes)
        problems += outcome["errors"]
        problems += [f"{kind}: {n} {what}" for what in ("stuck", "failed") if (n := outcome[what])]
    return f"{processes} forks of each kind: {', '.join(forks.KINDS)}", problems


def _interrupts(backend: str, processes: int) -> Outcome:
    if backend not in _FORKING:
        return "not tried", []
    problems, places = list[str](), 0
    for subject in interrupts.SUBJECTS:
        outcome = interrupts.process(backend, subject, processes)
        places += outcome["places"]
        problems += [f"{where}: {text}" for where, text in outcome["problems"].items()]
    return f"interrupted at {places} lines: {', '.join(interrupts.SUBJECTS)}", problems


SUBJECTS: Final[dict[str, Callable[[str, int], Outcome]]] = {
    "first_uses": _first_uses, "graphs": _graphs, "forks": _forks, "interrupts": _interrupts,
    "writes": _writes,
}  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Run the selected subjects, and print their results."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress", description=__doc__)
    parser.add_argument("--processes", type=int, default=10, help="how many, or how many forks")
    parser.add_argument("--backend", action="append", choices=backends.names())
    parser.add_argument("--subject", action="append", choices=SUBJECTS)
    options = parser.parse_args(arguments)
    failed = False
    for subject in options.subject or SUBJECTS:
        for backend in options.backend or backends.names():
            begun = time.monotonic()
            what, problems = SUBJECTS[subject](backend, options.processes)
            took = time.monotonic() - begun
            print(f"{subject} {backend}: {what}, {len(problems)} problems ({took:.0f} s)")
            for problem in problems[:5]:
                print(problem)
            sys.stdout.flush()
            failed = failed or bool(problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
