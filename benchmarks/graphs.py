"""`python -m benchmarks.graphs`: graphs compared with hand-written functions."""

from __future__ import annotations

import importlib
import statistics
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from benchmarks.cases import installed
from benchmarks.measure import take_turns
from benchmarks.report import options, publish

__all__ = ["THRESHOLDS", "Result", "measure", "tracing"]

SIZES: Final = (4, 1_000_000)
_LOOPS: Final = {4: 200, 1_000_000: 3}
THRESHOLDS: Final[dict[tuple[str, str], float]] = {
    ("numpy", "native"): 1.1,
    ("torch", "native"): 1.1,
    ("numpy", "tracing"): 20.0,
    ("torch", "tracing"): 20.0,
}
"""Limits of a ratio, and of the milliseconds to trace 1,000 nodes in excess of ten runs."""

Function = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Result:
    """One size: the time of the hand-written function, and multiples of it."""

    backend: str
    size: int
    native_us: float
    of_native: float
    of_arrays: float
    eager: float
    bar: float
    tracing_ms: float
    tracing_bar_ms: float


def _function(xp: Any) -> Function:
    """Return a function of ten operations."""

    def function(x: Any) -> Any:
        y = xp.sin(x) * x + 1.0
        y = xp.exp(y) - x
        y = xp.tanh(y * y) + x
        return y / 2.0

    return function


def _library(backend: str) -> Any:
    return importlib.import_module("jax.numpy" if backend == "jax" else backend)


def _wait(backend: str) -> Function:
    if backend == "jax":
        wait: Function = importlib.import_module("jax").block_until_ready
        return wait
    return lambda result: result


def _thousand(x: Any) -> Any:
    """Apply 1,000 operations to an array."""
    for _ in range(500):
        x = x * 0.5 + 1.0
    return x


def tracing(backend: str, rounds: int = 5) -> float:
    """Return the milliseconds to trace 1,000 nodes in excess of ten eager runs."""
    unify = importlib.import_module("arrayapi_unify")
    x = unify.get_backend(backend).asarray(np.linspace(0.0, 1.0, 4))
    unify.compile_graph(lambda x: x + 1.0, x)  # preparations once for a backend
    _thousand(x)

    def traced() -> None:
        graph = unify.compile_graph(_thousand, x)
        if (backend, "tracing") in THRESHOLDS:
            graph(x)  # renders the source, or compiles by the framework

    above = []
    for _ in range(rounds):
        # Without garbage collection, whose time grows with the number of loaded objects.
        eager = timeit.timeit(lambda: _thousand(x), number=10)
        above.append(timeit.timeit(traced, number=1) - eager)
    return statistics.median(above) * 1e3


def measure(backend: str, rounds: int, sizes: tuple[int, ...] = SIZES) -> list[Result]:
    """Measure one backend; a ratio is the median over the rounds."""
    unify = importlib.import_module("arrayapi_unify")
    xp = unify.get_backend(backend)
    native, ours, wait = _function(_library(backend)), _function(xp), _wait(backend)
    spent = tracing(backend)
    results: list[Result] = []
    for size in sizes:
        x = xp.asarray(np.linspace(0.0, 1.0, size))
        names = {
            "native": native, "ours": ours, "wait": wait, "x": x, "data": x.data,
            "graph": unify.compile_graph(native, x.data), "wrapped": unify.compile_graph(ours, x),
        }  # fmt: skip
        timers = {
            "native": timeit.Timer("wait(native(data))", globals=names),
            "graph": timeit.Timer("wait(graph(data))", globals=names),
            "wrapped": timeit.Timer("wait(wrapped(x).data)", globals=names),
            "eager": timeit.Timer("wait(ours(x).data)", globals=names),
        }
        for timer in timers.values():
            timer.timeit(3)
        times = take_turns(timers, _LOOPS.get(size, 3), rounds)
        ratios = [
            statistics.median(a / b for a, b in zip(times[key], times["native"], strict=True))
            for key in ("graph", "wrapped", "eager")
        ]
        own = statistics.median(times["native"]) / 1e3
        threshold = THRESHOLDS.get((backend, "native"), 0.0) if size == 4 else 0.0
        results.append(
            Result(
                backend,
                size,
                own,
                ratios[0],
                ratios[1],
                ratios[2],
                threshold,
                spent,
                THRESHOLDS.get((backend, "tracing"), 0.0),
            )
        )
    return results


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "elements": lambda r: f"{r.size:,}",
    "by hand, µs": lambda r: f"{r.native_us:,.1f}",
    "graph, of native arrays": lambda r: f"{r.of_native:.2f}",
    "threshold": lambda r: f"{r.bar:.2f}" if r.bar else "",
    "graph, of Arrays": lambda r: f"{r.of_arrays:.2f}",
    "eager, of Arrays": lambda r: f"{r.eager:.2f}",
    "tracing 1,000 nodes, ms above ten runs": lambda r: f"{r.tracing_ms:,.1f}",
    "threshold, ms": lambda r: f"{r.tracing_bar_ms:.0f}" if r.tracing_bar_ms else "",
}


@click.command()
@options(rounds=21)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `graphs.json` and `graphs.md`."""
    publish(
        output,
        "graphs",
        "Cost of graphs",
        "A function of ten operations, as a multiple of the same function written by hand with "
        "the framework's own functions, median over rounds in which all take turns; written by "
        "`python -m benchmarks.graphs`.",
        [result for backend in backends or installed() for result in measure(backend, rounds)],
        _COLUMNS,
    )


if __name__ == "__main__":
    main()
