"""Timing: each round runs every candidate and the bare call, so that noise affects both alike."""

from __future__ import annotations

import importlib
import os
import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from benchmarks.cases import NAMES, OPERATIONS, Candidate, scope

__all__ = [
    "AGAIN",
    "ImportResult",
    "Result",
    "container_ns",
    "enough_loops",
    "import_times",
    "measure",
    "portable_ns",
    "take_turns",
]

_TARGET_SECONDS: Final = 0.004
# The factor for the rounds of a repeated measurement, which tells a slow call from noise.
AGAIN: Final = 3
# In-place statements need local names, so all statements read local names.
_LOCALS: Final = f"{NAMES} = scope"


@dataclass(frozen=True, slots=True)
class Result:
    """One operation at one size: the bare call's time, and each candidate's ratio to it."""

    backend: str
    operation: str
    size: int
    native_ns: float
    ratios: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The time of an import in a fresh interpreter, and its ratio to `import numpy`."""

    module: str
    milliseconds: float
    ratio: float


def enough_loops(timer: timeit.Timer) -> int:
    """Return the number of runs of a statement for which a round takes milliseconds."""
    loops = 1
    while timer.timeit(loops) < _TARGET_SECONDS and loops < 1_000_000:
        loops *= 2
    return loops


def take_turns(
    timers: Mapping[str, timeit.Timer], loops: int | Mapping[str, int], rounds: int
) -> dict[str, list[float]]:
    """Time each statement in every round; return the nanoseconds of one run.

    Each runs the given number of times in a round, or as often as its own loops specify.
    """
    often = loops if isinstance(loops, Mapping) else dict.fromkeys(timers, loops)
    times: dict[str, list[float]] = {name: [] for name in timers}
    for turn in range(rounds):
        # The first timer runs with the previous round's caches, so the order rotates.
        first = turn % len(timers)
        for name in (*list(timers)[first:], *list(timers)[:first]):
            times[name].append(timers[name].timeit(often[name]) / often[name] * 1e9)
    return times


def _result(
    native: str, operation: str, size: int, timers: Mapping[str, timeit.Timer], rounds: int
) -> Result:
    times = take_turns(timers, enough_loops(timers[native]), rounds)
    bare = times.pop(native)
    ratios = {
        name: statistics.median(ours / base for ours, base in zip(taken, bare, strict=True))
        for name, taken in times.items()
    }
    return Result(native, operation, size, statistics.median(bare), ratios)


def measure(
    native: Candidate,
    candidates: Iterable[Candidate],
    size: int,
    rounds: int,
    needs_remeasure: Callable[[Result], str | None] = lambda result: None,
) -> list[Result]:
    """Measure all operations at one size; a ratio is the median over the rounds.

    If `needs_remeasure` names a candidate, that one and the bare call are measured again, alone and
    for `AGAIN` times as many rounds, and the new result replaces the old one.
    """
    everyone = (native, *candidates)
    results: list[Result] = []
    for operation in OPERATIONS:
        if native.statement(operation) is None:
            continue  # no bare call to compare with
        timers = {
            # With separate arrays: `x += y` leaves larger numbers, whose sines take longer.
            candidate.name: timeit.Timer(statement, _LOCALS, globals=scope(candidate, size))
            for candidate in everyone
            if (statement := candidate.statement(operation)) is not None
        }
        for timer in timers.values():
            timer.timeit(1)  # compile and warm up outside of the measurement
        result = _result(native.name, operation, size, timers, rounds)
        candidate = needs_remeasure(result)
        if candidate is not None:
            pair = {name: timers[name] for name in (native.name, candidate)}
            again = _result(native.name, operation, size, pair, AGAIN * rounds)
            result = replace(again, ratios={**result.ratios, **again.ratios})
        results.append(result)
    return results


def portable_ns(native: Candidate, rounds: int) -> float:
    """Return the overhead of `unify.portable` for a call that returns its native argument."""
    portable = importlib.import_module("arrayapi_unify").portable

    def same(x: Any) -> Any:
        return x

    names = {"x": scope(native, 4)["scope"][1]}
    bare = timeit.Timer("f(x)", globals=names | {"f": same})
    ours = timeit.Timer("f(x)", globals=names | {"f": portable(same)})
    loops = enough_loops(ours)
    times = take_turns({"bare": bare, "ours": ours}, loops, rounds)
    return statistics.median(a - b for a, b in zip(times["ours"], times["bare"], strict=True))


def container_ns(rounds: int) -> float:
    """Return the overhead of a Container of two leaves over the calls of its leaves."""
    unify = importlib.import_module("arrayapi_unify")
    x = unify.ones(4)
    names = {"f": unify.sin, "x": x, "c": unify.Container(a=x, b=unify.ones(4))}
    timers = {s: timeit.Timer(f"f({s})", globals=names) for s in ("x", "c")}
    times = take_turns(timers, enough_loops(timers["c"]), rounds)
    return statistics.median(c - 2 * x for x, c in zip(times["x"], times["c"], strict=True))


def _import_seconds(module: str) -> float:
    program = (
        "import time; begin = time.perf_counter(); "
        f"import {module}; print(time.perf_counter() - begin)"
    )
    # With cached bytecode, as from a user's second import on.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout)


def import_times(modules: Iterable[str], rounds: int) -> list[ImportResult]:
    """Measure imports in fresh interpreters, alternating with `import numpy`."""
    names: list[Any] = ["numpy", *modules]
    times: dict[str, list[float]] = {name: [] for name in names}
    for name in names:
        _import_seconds(name)  # writes the bytecode
    for _ in range(rounds):
        for name in names:
            times[name].append(_import_seconds(name) * 1e3)
    bare = times["numpy"]
    return [
        ImportResult(
            name,
            statistics.median(taken),
            statistics.median(t / b for t, b in zip(taken, bare, strict=True)),
        )
        for name, taken in times.items()
    ]
