"""`python -m benchmarks.meshes`: eager calls on arrays of JAX that are split over eight devices.

XLA makes the devices of the CPU. Each call of ours is compared with the same call of `jax.numpy` on
the same arrays, in one run; both wait for the result.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.report import directory, publish

__all__ = ["CALLS", "Result", "measure"]

DEVICES: Final = 8
SHAPE: Final = (64, 16)
# XLA's collectives wait for a thread for each device, and programs mustn't overlap.
_SETTINGS: Final = {
    "XLA_FLAGS": f"--xla_force_host_platform_device_count={DEVICES}", "NPROC": str(4 * DEVICES),
    "JAX_PLATFORMS": "cpu",
}  # fmt: skip
CALLS: Final[dict[str, Callable[[Any, Any, Any], Any]]] = {
    "x + y": lambda xp, x, y: x + y,
    "x * 2": lambda xp, x, y: x * 2.0,
    "x < y": lambda xp, x, y: x < y,
    "exp(x)": lambda xp, x, y: xp.exp(x),
    "where": lambda xp, x, y: xp.where(x < y, x, y),
    "clip": lambda xp, x, y: xp.clip(x, -1.0, 1.0),
    "sum(x)": lambda xp, x, y: xp.sum(x),
    "sum(x, axis=1)": lambda xp, x, y: xp.sum(x, axis=1),
    "mean(x, axis=0)": lambda xp, x, y: xp.mean(x, axis=0),
    "max(x)": lambda xp, x, y: xp.max(x),
    "std(x, axis=1)": lambda xp, x, y: xp.std(x, axis=1),
    "argmax(x, axis=1)": lambda xp, x, y: xp.argmax(x, axis=1),
    "x @ y.T": lambda xp, x, y: x @ y.T,
    "x.T": lambda xp, x, y: x.T,
    "reshape": lambda xp, x, y: xp.reshape(x, (-1,)),
    "concat": lambda xp, x, y: xp.concat([x, y]),
    "stack": lambda xp, x, y: xp.stack([x, y]),
    "x[:, 3]": lambda xp, x, y: x[:, 3],
    "x[8:40]": lambda xp, x, y: x[8:40],
    "zeros_like": lambda xp, x, y: xp.zeros_like(x),
    "astype": lambda xp, x, y: xp.astype(x, xp.float32),
    "sort(x, axis=1)": lambda xp, x, y: xp.sort(x, axis=1),
    "cumulative_sum": lambda xp, x, y: xp.cumulative_sum(x, axis=1),
    "take": lambda xp, x, y: xp.take(x, xp.argmax(x, axis=0), axis=0),
}


@dataclass(frozen=True, slots=True)
class Result:
    """A call: the microseconds of both, and their ratio."""

    call: str
    bare_us: float
    ours_us: float
    ratio: float


def _seconds(call: Callable[[], Any], loops: int) -> float:
    begin = time.perf_counter()
    for _ in range(loops):
        found = call()
    getattr(found, "data", found).block_until_ready()
    return (time.perf_counter() - begin) / loops


def measure(rounds: int, loops: int = 20) -> list[Result]:
    """Alternate both; a ratio is that of the shortest times."""
    import jax  # after the settings of XLA
    import jax.numpy as jnp

    import arrayapi_unify.jax as xp

    configuration: Any = jax.config  # JAX declares no types of it
    configuration.update("jax_cpu_enable_async_dispatch", False)
    device = f"mesh[rows={DEVICES}]('rows',)"
    x, y = (xp.random.normal(xp.random.key(i), SHAPE).to_device(device) for i in (1, 2))
    found = []
    for name, call in CALLS.items():
        both: tuple[list[float], list[float]] = ([], [])
        bare, ours = partial(call, jnp, x.data, y.data), partial(call, xp, x, y)
        for _ in range(rounds + 1):  # the first one compiles
            for seconds, candidate in zip(both, (bare, ours), strict=True):
                seconds.append(_seconds(candidate, loops))
        theirs, mine = (min(seconds[1:]) * 1e6 for seconds in both)
        found.append(Result(name, theirs, mine, mine / theirs))
    return found


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "call": lambda r: f"`{r.call}`",
    "jax.numpy, µs": lambda r: f"{r.bare_us:,.0f}",
    "ours, µs": lambda r: f"{r.ours_us:,.0f}",
    "ratio": lambda r: f"{r.ratio:.2f}",
}


@click.command()
@click.option("--rounds", default=9, show_default=True, help="Rounds of each.")
@directory
def main(rounds: int, output: Path) -> None:
    """Measure, print, and write `meshes.json` and `meshes.md`."""
    os.environ |= _SETTINGS
    results = measure(rounds)
    mean = statistics.geometric_mean(result.ratio for result in results)
    publish(
        output,
        "meshes",
        "Arrays on eight devices",
        f"Eager calls on float64 arrays of the shape {SHAPE}, split over {DEVICES} devices that "
        "XLA makes of the CPU, and the same calls of `jax.numpy` in turn. The geometric mean of "
        f"the ratios is {mean:.2f}; written by `python -m benchmarks.meshes`.",
        results,
        _COLUMNS,
    )


if __name__ == "__main__":
    main()
