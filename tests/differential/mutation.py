"""`python -m tests.differential.mutation`: does the comparison notice wrong answers?

    python -m tests.differential.mutation                      all backends; writes reports/
    python -m tests.differential.mutation --backend torch --function linalg.inv --examples 100

Calls are drawn and made once on each backend. Each array of a result is then mutated by every
mutation of `mutants`, and compared with the expected result, as in the differential tests. The exit
code is 1 if fewer than 99.9 % of the wrong answers are noticed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings

from arrayapi_unify import backends
from arrayapi_unify.binding import namespace_of
from compliance import disk
from tests.differential.arguments import cases
from tests.differential.case import Case
from tests.differential.compare import compare
from tests.differential.coverage import compared
from tests.differential.expected import expected
from tests.differential.mutants import MUTATIONS, Mutation, Part, excepted, is_right
from tests.differential.outcome import Outcome, Result, run

__all__ = ["REPORTS", "Tally", "attack", "main", "rate"]

REPORTS: Final = Path(__file__).parents[2] / "reports"
_EXAMPLES: Final = {"jax": 5}  # it compiles each new shape
_USUAL: Final = 16
LEAST: Final = 0.999

Key = tuple[str, str, str]  # function, backend, mutation


@dataclass
class Tally:
    """Counts of all mutants and of the noticed ones, and the missed mutants."""

    made: Counter[Key] = field(default_factory=Counter)
    noticed: Counter[Key] = field(default_factory=Counter)
    exceptions: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.made += other.made
        self.noticed += other.noticed
        self.exceptions += other.exceptions
        self.missed += other.missed


def _arrays(value: Any) -> list[Result]:
    """Return the arrays of a result in their order."""
    if isinstance(value, tuple):
        return [array for part in value[1] for array in _arrays(part)]
    return [value] if isinstance(value, Result) else []


def _replaced(value: Any, old: Result, new: Result) -> Any:
    if isinstance(value, tuple):
        return value[0], [_replaced(part, old, new) for part in value[1]]
    return new if value is old else value


def _parts(case: Case, wanted: Outcome, got: Outcome) -> Iterator[tuple[Result, Part]]:
    pairs = zip(_arrays(wanted.value), _arrays(got.value), strict=True)
    for i, (e, g) in enumerate(pairs):
        yield g, Part(case, i, e.values, g.values)


def _mutated(mutate: Mutation, part: Part) -> Any:
    with np.errstate(all="ignore"):
        values = mutate(part)
    return None if values is None else np.asarray(values)  # sums of 0-d arrays are NumPy scalars


def attack(case: Case, xp: ModuleType, tally: Tally) -> None:
    """Make a call, mutate its result in every way, and count the noticed mutants."""
    backend = xp.__unify_backend__
    got = run(case, xp)
    if got.error:
        return
    wanted = expected(case)
    if compare(case, wanted, got, backend):
        return  # a difference, which the differential tests report
    for result, part in _parts(case, wanted, got):
        for name, mutate in MUTATIONS.items():
            values = _mutated(mutate, part)
            if values is None or is_right(part, values, name == "sign of zero"):
                continue
            reason = excepted(part, name)
            if reason:
                tally.exceptions[case.function, name, reason] += 1
                continue
            key = (case.function, backend, name)
            tally.made[key] += 1
            wrong = Outcome(_replaced(got.value, result, Result(values.dtype.name, values)))
            if compare(case, wanted, wrong, backend):
                tally.noticed[key] += 1
            else:
                tally.missed.append(f"{name} on {backend}: {case}\n  {got}\n  {wrong}")


def attack_function(function: str, xp: ModuleType, examples: int, start: int, tally: Tally) -> None:
    """Draw calls of a function, and mutate the results of each."""

    @seed(start)
    @settings(
        max_examples=examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(function))
    def attack_one(case: Case) -> None:
        attack(case, xp, tally)

    attack_one()


def rate(tally: Tally) -> float:
    """Return the share of the wrong answers that were noticed."""
    return sum(tally.noticed.values()) / max(sum(tally.made.values()), 1)


# --- the report -----------------------------------------------------------------------------------


def as_json(tally: Tally, options: argparse.Namespace) -> dict[str, Any]:
    """Return all counts."""
    counts: dict[str, dict[str, dict[str, list[int]]]] = {}
    for (function, backend, name), made in tally.made.items():
        noticed = tally.noticed[function, backend, name]
        counts.setdefault(function, {}).setdefault(backend, {})[name] = [made, noticed]
    return {
        "seed": options.seed,
        "made": sum(tally.made.values()),
        "noticed": sum(tally.noticed.values()),
        "functions": counts,
        "exceptions": [[*key, n] for key, n in sorted(tally.exceptions.items())],
        "missed": tally.missed,
    }


def _cell(made: int, noticed: int) -> str:
    return "" if not made else (f"{made:,}" if made == noticed else f"**{noticed:,} of {made:,}**")


def _total(tally: Tally, **wanted: str) -> tuple[int, int]:
    names = ("function", "backend", "mutation")
    chosen = [
        key
        for key in tally.made
        if all(value == key[names.index(name)] for name, value in wanted.items())
    ]
    return sum(tally.made[k] for k in chosen), sum(tally.noticed[k] for k in chosen)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def as_markdown(tally: Tally, names: list[str]) -> str:
    """Return the page."""
    made, noticed = _total(tally)
    kinds = list(MUTATIONS)
    by_backend = [
        [b, *(_cell(*_total(tally, backend=b, mutation=k)) for k in kinds)] for b in names
    ]
    functions = list(dict.fromkeys(key[0] for key in tally.made))
    by_function = [
        [f"`{f}`", *(_cell(*_total(tally, function=f, backend=b)) for b in names)]
        for f in functions
    ]
    reasons: dict[tuple[str, str], list[str]] = {}
    for function, name, reason in sorted(tally.exceptions):
        reasons.setdefault((name, reason), []).append(f"`{function}`")
    listed = [[name, reason, ", ".join(of)] for (name, reason), of in reasons.items()]
    return f"""# Wrong answers that the comparison notices

Written by `python -m tests.differential.mutation`. Results of drawn calls are mutated, an array
at a time, and compared with what is expected, as the differential tests do. A cell is the number of
wrong answers, all of which were noticed unless it says otherwise.

**{noticed:,} of {made:,} wrong answers noticed: {100 * noticed / max(made, 1):.3f} %.**

{_table(["backend", *kinds], by_backend)}

Not counted is a mutation that changes nothing, or brings no element farther from what is expected
than an element of the result is, or than one rounding of the inputs would.

## Mutations that can't be noticed

{_table(["mutation", "why", "of"], listed)}

## By function

{_table(["function", *names], by_function)}
"""


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.differential.mutation")
    parser.add_argument("--backend", nargs="*", default=[*backends.REGISTRY])
    parser.add_argument("--function", nargs="*", help="qualified names; all if none is given")
    parser.add_argument("--examples", type=int, help="per function and backend")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, help="folder; reports/ for a run of everything")
    return parser.parse_args(arguments)


def attack_backend(backend: str, functions: list[str], examples: int | None, start: int) -> Tally:
    """Mutate the results of functions on one backend."""
    tally, xp = Tally(), namespace_of(backend)
    for function in functions:
        count = examples or _EXAMPLES.get(backend, _USUAL)
        attack_function(function, xp, count, start, tally)
    return tally


def _attacks(options: argparse.Namespace) -> Iterator[Tally]:
    """Mutate the results of each backend, several backends in parallel processes."""
    functions = options.function or compared()
    calls = [(name, functions, options.examples, options.seed) for name in options.backend]
    if len(calls) == 1:
        yield attack_backend(*calls[0])
        return
    workers = min(len(calls), os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(attack_backend, *zip(*calls, strict=True))


def main(arguments: list[str]) -> int:
    """Mutate results, print missed mutants, write the report, and return the exit code."""
    options, tally = _arguments(arguments), Tally()
    whole = not options.function and {*options.backend} == {*backends.REGISTRY}
    output = options.output or (REPORTS if whole else None)
    if output:
        disk.check(output, "mutation.json", "mutation.md")
    for backend, found in zip(options.backend, _attacks(options), strict=True):
        tally.add(found)
        print(f"{backend}: {_total(tally, backend=backend)} made and noticed", flush=True)
    print(*tally.missed, sep="\n")
    if output:
        text = json.dumps(as_json(tally, options), separators=(",", ":"))
        disk.write(output / "mutation.json", text + "\n")
        disk.write(output / "mutation.md", as_markdown(tally, options.backend))
    print(f"{100 * rate(tally):.3f} % of the wrong answers are noticed")
    return 0 if rate(tally) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
