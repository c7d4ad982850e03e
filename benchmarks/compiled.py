"""`python -m benchmarks.compiled`: `unify.compile` and each framework's own compiler."""

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
from benchmarks.gradients import Function
from benchmarks.measure import take_turns
from benchmarks.report import options, publish

__all__ = ["THRESHOLDS", "OWN", "Result", "measure"]

SIZES: Final = (4, 100_000)
_LOOPS: Final = {4: 500, 100_000: 20}

THRESHOLDS: Final[dict[str, float]] = {"native": 1.10, "ours": 1.25}
"""Limits of the ratio at 4 elements: called with native arrays, and with Arrays."""


@dataclass(frozen=True, slots=True)
class Result:
    """One size: the time of what the framework itself compiled, and ratios to it."""

    backend: str
    size: int
    own_us: float
    native_function: float
    native: float
    ours: float
    eager: float


def _function(xp: Any, total: Function) -> Function:
    """Return a function of ten operations."""

    def function(x: Any) -> Any:
        y = xp.sin(x) * x + 1.0
        y = xp.exp(y) - x
        y = xp.tanh(y * y) + x
        return total(y / 2.0)

    return function


def _of_any(xp: Any) -> Function:
    """Return our function for Arrays and native arrays."""
    function = _function(xp, xp.sum)
    return lambda x: function(xp.asarray(x))


def _torch() -> tuple[Function, Any, Function]:
    torch = importlib.import_module("torch")
    return _function(torch, torch.sum), torch.compile, lambda result: result


def _tensorflow() -> tuple[Function, Any, Function]:
    tf = importlib.import_module("tensorflow")
    return _function(tf, tf.reduce_sum), tf.function, lambda result: result


def _jax() -> tuple[Function, Any, Function]:
    jax = importlib.import_module("jax")
    return _function(jax.numpy, jax.numpy.sum), jax.jit, jax.block_until_ready


OWN: Final[dict[str, Callable[[], tuple[Function, Any, Function]]]] = {
    "torch": _torch,
    "tensorflow": _tensorflow,
    "jax": _jax,
}
"""A function in each framework's own names, its compiler, and a function that awaits its results.
"""


def _candidates(backend: str, size: int) -> dict[str, timeit.Timer]:
    """Return the alternating functions, whose statements contain their arguments."""
    unify = importlib.import_module("arrayapi_unify")
    xp = unify.get_backend(backend)
    function, compiler, wait = OWN[backend]()
    # One function for each compiler, because PyTorch caches compiled code with the function.
    again, _, _ = OWN[backend]()
    x = xp.asarray(np.linspace(0.0, 1.0, size))
    plain = _function(xp, xp.sum)
    names = {
        "own": compiler(function),
        "kept": unify.compile(again),
        "mixed": unify.compile(_of_any(xp)),
        "ours": unify.compile(_function(xp, xp.sum)),
        "plain": plain,
        "x": x,
        "native": x.data,
        "wait": wait,
    }
    statements = {
        "own": "wait(own(native))",
        "native_function": "wait(kept(native))",
        "native": "wait(mixed(native).data)",
        "ours": "wait(ours(x).data)",
        "eager": "wait(plain(x).data)",
    }
    return {name: timeit.Timer(one, globals=names) for name, one in statements.items()}


def measure(backend: str, rounds: int, sizes: tuple[int, ...] = SIZES) -> list[Result]:
    """Measure one backend; a ratio is the median over the rounds."""
    results: list[Result] = []
    for size in sizes:
        timers = _candidates(backend, size)
        for timer in timers.values():
            timer.timeit(3)  # compile and warm up outside of the measurement
        times = take_turns(timers, _LOOPS.get(size, 3), rounds)
        own = times.pop("own")
        ratios = {
            name: statistics.median(mine / theirs for mine, theirs in zip(taken, own, strict=True))
            for name, taken in times.items()
        }
        results.append(Result(backend, size, statistics.median(own) / 1e3, **ratios))
    return results


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "elements": lambda r: f"{r.size:,}",
    "compiled by the framework, µs": lambda r: f"{r.own_us:,.1f}",
    "the same function by `unify.compile`": lambda r: f"{r.native_function:.2f}",
    "ours, with native arrays": lambda r: f"{r.native:.2f}",
    "ours, with Arrays": lambda r: f"{r.ours:.2f}",
    "ours, not compiled": lambda r: f"{r.eager:.2f}",
}


@click.command()
@options(rounds=41)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `compiled.json` and `compiled.md`."""
    publish(
        output,
        "compiled",
        "Cost of compiled functions",
        "A function of ten operations, compiled by `unify.compile`, as a multiple of what the "
        "framework's own compiler makes of the same function in its own names (`torch.compile`, "
        "`tf.function`, `jax.jit`), median over rounds in which all take turns. At 4 elements the "
        f"thresholds are {THRESHOLDS['native']:.2f} with native arrays and "
        f"{THRESHOLDS['ours']:.2f} with Arrays. "
        "Written by `python -m benchmarks.compiled`.",
        [
            result
            for backend in backends or installed()
            if backend in OWN
            for result in measure(backend, rounds)
        ],
        _COLUMNS,
    )


if __name__ == "__main__":
    main()
