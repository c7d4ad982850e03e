"""Malformed calls of everything public, whose errors should name the remedy.

    python -m tests.fuzz --backend torch --calls 40000 --seed 7
    python -m tests.fuzz --functions sum Array.sum --each 50

The outcome of each call is classified: accepted; an error of ours that names the function; Python's
own call error; the user's own error; and faults: an error of ours that names an inner function, or
none; a raw error; a RecursionError; a hang; a crash. Several backends are compared: all have to
accept the same calls. The exit code is 1 if a share is above its limit.
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.fuzz.driver import Made, run
from tests.fuzz.sorting import BAD, SORTS, generic
from tests.fuzz.surface import every
from tests.installed import INSTALLED

__all__ = ["LIMITS", "above", "shares"]

LIMITS: Final = {"raw": 0.002, "inner": 0.01, "recursion": 0.0, "hang": 0.0, "end": 0.0}
"""The limits on the share of calls of each sort."""


# Arrays of another library for all backends but one.
_OF_NUMPY: Final = re.compile(r"np\.ones\(|np\.(float|int|uint)\d+\(|TIMES|RECORDS|OBJECTS")
# Documented limits: other backends may accept calls that raise these messages.
_LACKING: Final = re.compile(
    r"can't differentiate|Broadcast between|OOM when allocating|only supports up to \d+ dimensions"
    r"|maximum supported dimension for an ndarray|inputs rank not in"
)


def shares(made: list[Made]) -> dict[str, float]:
    """Return the share of each sort among the calls."""
    counts = Counter(one.sort for one in made)
    return {sort: counts[sort] / max(1, len(made)) for sort in SORTS}


def above(made: list[Made]) -> list[str]:
    """Describe the shares above their limits."""
    found = shares(made)
    return [
        f"{sort}: {found[sort]:.2%}, above {most:.2%}"
        for sort, most in LIMITS.items()
        if found[sort] > most
    ]


def _findings(made: Iterable[Made]) -> None:
    """Print the faults, by sort, message and function."""
    groups: dict[tuple[str, str], list[Made]] = defaultdict(list)
    for one in made:
        if one.sort in BAD:
            message = generic(one.message) if one.sort in ("inner", "unnamed", "raw") else ""
            groups[one.sort, message].append(one)
    for (sort, message), members in sorted(groups.items(), key=lambda g: (g[0][0], -len(g[1]))):
        names = Counter(one.target for one in members)
        shown = ", ".join(f"{name} {n}" for name, n in names.most_common(12))
        print(f"\n[{sort}] {len(members)} x {message}\n    {shown}")
        for one in members[:2]:
            print(f"    {one.text}\n      {one.message[:300]}")


def _differing(found: dict[str, list[Made]]) -> list[str]:
    """Describe the calls that some backends accept and others refuse."""
    by_call: dict[tuple[str, int], dict[str, Made]] = defaultdict(dict)
    for backend, made in found.items():
        for one in made:
            by_call[one.target, one.number][backend] = one
    lines = []
    for calls in by_call.values():
        one = next(iter(calls.values()))
        taken = {b for b, m in calls.items() if m.sort == "taken"}
        foreign = one.kind == "other" or _OF_NUMPY.search(one.text)
        if not foreign and taken and len(taken) < len(calls):
            error = next(m.message for b, m in calls.items() if b not in taken)
            if _LACKING.search(error):
                continue
            lines.append(
                f"{one.target}: {'+'.join(sorted(taken))} take {one.text}\n    {error[:300]}"
            )
    return lines


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--backend", nargs="*", default=INSTALLED, choices=INSTALLED)
    parser.add_argument("--calls", type=int, default=40_000, help="on each backend (40000)")
    parser.add_argument("--each", type=int, help="calls of each function, instead of --calls")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--functions", nargs="*", help="as the report names them; all if none")
    parser.add_argument("--json", type=Path, help="a file for what each call gave")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Make the calls, print, and return the exit code."""
    options = _arguments(arguments)
    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    names = options.functions or every()
    each = options.each or max(1, -(-options.calls // len(names)))
    print(f"seed {seed}: {each} calls of each of {len(names)} functions and methods", flush=True)
    found, failed = {}, []
    for backend in options.backend:
        found[backend] = made = run(backend, names, each, seed)
        told = ", ".join(f"{sort} {share:.2%}" for sort, share in shares(made).items())
        print(f"\n== {backend}: {len(made)} calls: {told}", flush=True)
        _findings(made)
        failed += [f"{backend}: {line}" for line in above(made)]
    differing = _differing(found)
    print(f"\n== {len(differing)} calls are taken by some backends alone", *differing, sep="\n")
    if options.json:
        rows = {backend: [one.__dict__ for one in made] for backend, made in found.items()}
        options.json.write_text(json.dumps({"seed": seed, "each": each, "calls": rows}))
    print(*failed, sep="\n")
    return 1 if failed or differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
