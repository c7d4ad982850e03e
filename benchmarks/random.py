"""`python -m benchmarks.random`: `unify.random` and each framework's own generator."""

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

__all__ = ["THRESHOLDS", "OWN", "Result", "measure"]

SIZES: Final = (4, 1_000_000)
_LOOPS: Final = {4: 50, 1_000_000: 1}
DRAWS: Final = ("bits", "normal")

THRESHOLDS: Final[dict[tuple[str, str, int], float]] = {("jax", "bits", 1_000_000): 1.5}
"""Limits of the ratio. For all other draws the threshold is 100 MB/s of bits."""

Draw = Callable[[int], Any]


@dataclass(frozen=True, slots=True)
class Result:
    """One draw: the time of the framework's own function, our ratio to it, and our speed."""

    backend: str
    draw: str
    size: int
    native_us: float
    ratio: float
    megabytes: float
    bar: float


def _numpy() -> dict[str, Draw]:
    np = importlib.import_module("numpy")
    rng = np.random.default_rng(0)
    return {
        "bits": lambda size: rng.integers(0, 2**32, size, dtype=np.uint32),
        "normal": rng.standard_normal,
    }


def _torch() -> dict[str, Draw]:
    torch = importlib.import_module("torch")
    return {
        "bits": lambda size: torch.randint(0, 2**32, (size,)),
        "normal": lambda size: torch.randn(size, dtype=torch.float64),
    }


def _tensorflow() -> dict[str, Draw]:
    tf = importlib.import_module("tensorflow")
    return {
        "bits": lambda size: tf.random.stateless_uniform(
            (size,), (0, 7), minval=None, maxval=None, dtype=tf.uint32
        ),
        "normal": lambda size: tf.random.stateless_normal((size,), (0, 7), dtype=tf.float64),
    }


def _jax() -> dict[str, Draw]:
    jax = importlib.import_module("jax")
    key = jax.random.key(7, impl="threefry2x32")
    wait = jax.block_until_ready
    return {
        "bits": lambda size: wait(jax.random.bits(key, (size,), "uint32")),
        "normal": lambda size: wait(jax.random.normal(key, (size,), "float64")),
    }


OWN: Final[dict[str, Callable[[], dict[str, Draw]]]] = {
    "numpy": _numpy,
    "torch": _torch,
    "tensorflow": _tensorflow,
    "jax": _jax,
}
"""Each framework's own draws. JAX's bits are the same as ours; the other generators differ."""


def _ours(xp: Any, backend: str) -> dict[str, Draw]:
    key = xp.random.key(7)
    wait = importlib.import_module("jax").block_until_ready if backend == "jax" else _done
    return {
        "bits": lambda size: wait(xp.random.bits(key, size).data),
        "normal": lambda size: wait(xp.random.normal(key, size).data),
    }


def _done(result: Any) -> Any:
    return result


def measure(backend: str, rounds: int, sizes: tuple[int, ...] = SIZES) -> list[Result]:
    """Measure one backend; a ratio is the median over the rounds."""
    own = OWN[backend]()
    ours = _ours(importlib.import_module("arrayapi_unify").get_backend(backend), backend)
    return [
        _compared(backend, draw, size, own[draw], ours[draw], rounds)
        for draw in DRAWS
        for size in sizes
    ]


def _compared(backend: str, draw: str, size: int, own: Draw, ours: Draw, rounds: int) -> Result:
    names = {"own": own, "ours": ours, "size": size}
    timers = {name: timeit.Timer(f"{name}(size)", globals=names) for name in ("own", "ours")}
    for timer in timers.values():
        timer.timeit(3)  # compile and warm up outside of the measurement
    times = take_turns(timers, _LOOPS.get(size, 1), rounds)
    ratio = statistics.median(
        mine / theirs for mine, theirs in zip(times["ours"], times["own"], strict=True)
    )
    bytes_each = 4 if draw == "bits" else 8
    megabytes = bytes_each * size / (statistics.median(times["ours"]) / 1e9) / 1e6
    native = statistics.median(times["own"]) / 1e3
    threshold = THRESHOLDS.get((backend, draw, size), 0.0)
    return Result(backend, draw, size, native, ratio, megabytes, threshold)


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "draw": lambda r: r.draw,
    "elements": lambda r: f"{r.size:,}",
    "the framework's own, µs": lambda r: f"{r.native_us:,.0f}",
    "`unify.random`": lambda r: f"{r.ratio:.2f}",
    "MB/s": lambda r: f"{r.megabytes:,.0f}",
    "threshold": lambda r: f"{r.bar:.2f}" if r.bar else "",
}


@click.command()
@options(rounds=21)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `random.json` and `random.md`."""
    publish(
        output,
        "random",
        "Cost of random numbers",
        "Random bits and normal numbers, as a multiple of the framework's own generator, median "
        "over rounds in which both take turns. Ours are the same on all backends; on JAX the "
        "framework's bits are the same ones, elsewhere its generator is another one. Written by "
        "`python -m benchmarks.random`.",
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
