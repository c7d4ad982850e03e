"""`python -m benchmarks.containers`: Container arithmetic and the same hand-written loop."""

from __future__ import annotations

import importlib
import statistics
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.cases import installed
from benchmarks.measure import take_turns
from benchmarks.report import options, publish

__all__ = ["CASES", "Case", "Result", "measure"]

LEAVES: Final = 1000
_NAMES: Final = "unify, a, b, c, d, flat, flat2, nested, nested2 = scope"


@dataclass(frozen=True, slots=True)
class Case:
    """An operation: the loop over dicts of our arrays, and the statement on Containers."""

    loop: str
    container: str


# a and b are dicts of arrays of four elements, c and d Containers of such arrays; `nested` and
# `nested2` have ten nests of a hundred leaves each, `flat` and `flat2` are dicts of as many.
CASES: Final[dict[str, Case]] = {
    "x + y": Case("{k: a[k] + b[k] for k in a}", "c + d"),
    "x * 2": Case("{k: v * 2.0 for k, v in a.items()}", "c * 2.0"),
    "-x": Case("{k: -v for k, v in a.items()}", "-c"),
    "add(x, y)": Case("{k: unify.add(a[k], b[k]) for k in a}", "unify.add(c, d)"),
    "sin(x)": Case("{k: unify.sin(v) for k, v in a.items()}", "unify.sin(c)"),
    "x + y, nested": Case("{k: flat[k] + flat2[k] for k in flat}", "nested + nested2"),
    "x += y": Case("for k in a: a[k] += b[k]", "c += d"),
    "x *= 2": Case("for k in a: a[k] *= 2.0", "c *= 2.0"),
    "x += y, nested": Case("for k in flat: flat[k] += flat2[k]", "nested += nested2"),
}


@dataclass(frozen=True, slots=True)
class Result:
    """One operation: the time of the hand-written loop, and the Container's ratio to it."""

    backend: str
    operation: str
    leaves: int
    loop_us: float
    ratio: float


def _scope(backend: str, leaves: int) -> dict[str, Any]:
    unify = importlib.import_module("arrayapi_unify")
    xp = unify.get_backend(backend)

    def arrays() -> dict[str, Any]:
        return {f"k{i}": xp.full((4,), i / leaves) for i in range(leaves)}

    def nests() -> dict[str, Any]:
        parts = max(1, leaves // 10)
        return {f"n{i // parts}/{k}": v for i, (k, v) in enumerate(arrays().items())}

    a, b, flat, flat2 = arrays(), arrays(), nests(), nests()
    containers = [unify.Container(make()) for make in (arrays, arrays, nests, nests)]
    c, d, nested, nested2 = containers
    return {"scope": (unify, a, b, c, d, flat, flat2, nested, nested2)}


def measure(backend: str, rounds: int, leaves: int = LEAVES) -> list[Result]:
    """Measure all cases on one backend; a ratio is the median over the rounds."""
    results: list[Result] = []
    scope = _scope(backend, leaves)
    for operation, case in CASES.items():
        timers = {
            name: timeit.Timer(statement, _NAMES, globals=scope)
            for name, statement in (("loop", case.loop), ("container", case.container))
        }
        for timer in timers.values():
            timer.timeit(1)  # compile and warm up outside of the measurement
        times = take_turns(timers, 5, rounds)
        pairs = zip(times["container"], times["loop"], strict=True)
        ratio = statistics.median(ours / by_hand for ours, by_hand in pairs)
        loop = statistics.median(times["loop"]) / 1e3
        results.append(Result(backend, operation, leaves, loop, ratio))
    return results


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "operation": lambda r: f"`{r.operation}`",
    "leaves": lambda r: f"{r.leaves:,}",
    "loop by hand, µs": lambda r: f"{r.loop_us:,.0f}",
    "Container": lambda r: f"{r.ratio:.2f}",
}


@click.command()
@options(rounds=21)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `containers.json` and `containers.md`."""
    publish(
        output,
        "containers",
        "Cost of Container arithmetic",
        "Time as a multiple of the same loop written by hand over a dict of our arrays, median "
        "over rounds in which both take turns; written by `python -m benchmarks.containers`.",
        [result for backend in backends or installed() for result in measure(backend, rounds)],
        _COLUMNS,
    )


if __name__ == "__main__":
    main()
