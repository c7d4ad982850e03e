"""`python -m benchmarks.numpy_mirror`: the cost of `np.asarray(x)` and of reading x afterwards."""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from benchmarks.cases import installed
from benchmarks.report import options, publish

__all__ = ["SIZES", "Result", "measure"]

SIZES: Final = (4, 1_000, 1_000_000)
_CALLS: Final = {4: 500, 1_000: 500, 1_000_000: 5}


@dataclass(frozen=True, slots=True)
class Result:
    """Microseconds of a copy of the native array, and of the calls compared with it."""

    backend: str
    size: int
    copy: float
    conversion: float
    with_look: float
    look: float
    look_while_lent: float


def _timed(call: Callable[[], Any], count: int) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count * 1e6


def _round(x: Any, count: int) -> tuple[float, ...]:
    def converted_and_looked_at() -> None:
        np.asarray(x)
        _ = x.data

    native = x.data
    copy = _timed(lambda: np.array(native), count)
    conversion = _timed(lambda: np.asarray(x), count)
    with_look = _timed(converted_and_looked_at, count)
    look = _timed(lambda: x.data, count)
    mirror = np.asarray(x)
    while_exported = _timed(lambda: x.data, count)
    del mirror
    return copy, conversion, with_look, look, while_exported


def measure(backend: str, rounds: int, size: int) -> Result:
    """Alternate all calls; each result is the median over the rounds."""
    xp = importlib.import_module("arrayapi_unify").get_backend(backend)
    x = xp.asarray(np.arange(float(size)))
    _round(x, _CALLS[size])
    found = [_round(x, _CALLS[size]) for _ in range(rounds)]
    return Result(backend, size, *(statistics.median(each) for each in zip(*found, strict=True)))


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "elements": lambda r: f"{r.size:,}",
    "np.array(x.data)": lambda r: f"{r.copy:,.1f}",
    "np.asarray(x)": lambda r: f"{r.conversion:,.1f}",
    "and a look at x": lambda r: f"{r.with_look:,.1f}",
    "a look at x": lambda r: f"{r.look:,.1f}",
    "while the array is there": lambda r: f"{r.look_while_lent:,.1f}",
}


@click.command()
@options(rounds=9)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `numpy_mirror.json` and `numpy_mirror.md`."""
    publish(
        output,
        "numpy_mirror",
        "Cost of NumPy's writable mirror",
        "Microseconds. `np.array(x.data)` is a copy by the library. `np.asarray(x)` shares memory. "
        "On JAX and TensorFlow it is a copy, with which x is compared when somebody looks at x "
        "(`x.data`). Medians over rounds in which all take turns; written by "
        "`python -m benchmarks.numpy_mirror`.",
        [measure(b, rounds, size) for b in backends or installed() for size in SIZES],
        _COLUMNS,
    )


if __name__ == "__main__":
    main()
