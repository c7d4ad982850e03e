"""`python -m benchmarks.gradients`: `unify.value_and_grad` and each framework's own."""

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

__all__ = ["THRESHOLDS", "OWN", "Result", "measure"]

SIZES: Final = (4, 1_000_000)
_LOOPS: Final = {4: 50, 1_000_000: 3}

THRESHOLDS: Final[dict[tuple[str, int], float]] = {
    ("torch", 4): 1.3,
    ("jax", 4): 1.3,
    ("tensorflow", 4): 1.2,
    **{(backend, 1_000_000): 1.03 for backend in ("torch", "jax", "tensorflow")},
}
"""Limits of the ratio."""

Function = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Result:
    """One size: the time of the framework's own value and derivative, and the ratio of ours."""

    backend: str
    size: int
    native_us: float
    ratio: float
    bar: float


def _function(xp: Any, total: Function) -> Function:
    """Return a function of ten operations."""

    def function(x: Any) -> Any:
        y = xp.sin(x) * x + 1.0
        y = xp.exp(y) - x
        y = xp.tanh(y * y) + x
        return total(y / 2.0)

    return function


def _torch() -> tuple[Any, Function]:
    torch = importlib.import_module("torch")
    function = _function(torch, torch.sum)

    def own(x: Any) -> Any:
        leaf = x.detach().requires_grad_()
        value = function(leaf)
        (slope,) = torch.autograd.grad(value, leaf)
        return value.detach(), slope

    return own, lambda result: result


def _tensorflow() -> tuple[Any, Function]:
    tf = importlib.import_module("tensorflow")
    function = _function(tf, tf.reduce_sum)

    def own(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = function(x)
        return value, tape.gradient(value, x)

    return own, lambda result: result


def _jax() -> tuple[Any, Function]:
    jax = importlib.import_module("jax")
    own = jax.value_and_grad(_function(jax.numpy, jax.numpy.sum))
    return own, jax.block_until_ready


OWN: Final[dict[str, Callable[[], tuple[Any, Function]]]] = {
    "torch": _torch,
    "tensorflow": _tensorflow,
    "jax": _jax,
}
"""Each framework's own gradient function, and a function that awaits its results."""


def measure(backend: str, rounds: int, sizes: tuple[int, ...] = SIZES) -> list[Result]:
    """Measure one backend; a ratio is the median over the rounds."""
    unify = importlib.import_module("arrayapi_unify")
    xp = unify.get_backend(backend)
    own, wait = OWN[backend]()
    ours = unify.value_and_grad(_function(xp, xp.sum))
    results: list[Result] = []
    for size in sizes:
        x = xp.asarray(np.linspace(0.0, 1.0, size))
        names = {"own": own, "ours": ours, "wait": wait, "x": x, "native": x.data}
        timers = {
            "own": timeit.Timer("wait(own(native))", globals=names),
            "ours": timeit.Timer("wait(ours(x))", globals=names),
        }
        for timer in timers.values():
            timer.timeit(3)  # compile and warm up outside of the measurement
        times = take_turns(timers, _LOOPS.get(size, 3), rounds)
        pairs = zip(times["ours"], times["own"], strict=True)
        ratio = statistics.median(mine / theirs for mine, theirs in pairs)
        native = statistics.median(times["own"]) / 1e3
        results.append(Result(backend, size, native, ratio, THRESHOLDS.get((backend, size), 0.0)))
    return results


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "elements": lambda r: f"{r.size:,}",
    "the framework's own, µs": lambda r: f"{r.native_us:,.0f}",
    "`unify.value_and_grad`": lambda r: f"{r.ratio:.2f}",
    "threshold": lambda r: f"{r.bar:.2f}",
}


@click.command()
@options(rounds=21)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `gradients.json` and `gradients.md`."""
    publish(
        output,
        "gradients",
        "Cost of derivatives",
        "Value and derivative of a function of ten operations, as a multiple of the framework's "
        "own (`torch.autograd.grad`, `tf.GradientTape`, `jax.value_and_grad`), median over rounds "
        "in which both take turns; written by `python -m benchmarks.gradients`.",
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
