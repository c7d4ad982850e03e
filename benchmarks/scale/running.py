"""Run time and peak memory of programs in fresh processes, ours and bare Dask's in turns."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["PROGRAMS", "Ran", "measure"]

# Names that both have: `xp` is dask.array or arrayapi_unify.dask, `x` a table of normal numbers.
PROGRAMS: Final = {
    "standardize": "xp.max((x - xp.mean(x, axis=0)) / xp.std(x, axis=0), axis=0)",
    "correlations": "(lambda z: z.T @ z)((x - xp.mean(x, axis=0)) / xp.std(x, axis=0))",
    "elementwise": "xp.sum(xp.sqrt(xp.abs(xp.sin(x) * x + 1.0)))",
    "distances": "xp.max(xp.sum((x[:, None, :] - x[None, :4, :]) ** 2, axis=2), axis=0)",
    "cumulative": "xp.max(xp.cumsum(x, axis=0), axis=0)",
}
_SCRIPT: Final = """
import json, resource, sys, time
import dask
import dask.array as da
import numpy as np

rows, columns, block, ours, program = json.loads(sys.argv[1])
bare = da.random.default_rng(0).normal(size=(rows, columns), chunks=(block, columns))
if ours:
    import arrayapi_unify as unify
    import arrayapi_unify.dask as xp

    x = unify.Array(bare)
else:
    xp, x = da, bare
compute = unify.compute if ours else lambda y: y.compute(scheduler="threads")
compute(eval(program, {"xp": xp, "x": x[: 2 * block]}))
idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begin = time.perf_counter()
found = np.asarray(compute(eval(program, {"xp": xp, "x": x})))
seconds = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([seconds, peak / 1024, float(np.abs(found).sum()), idle / 1024]))
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """Seconds and megabytes of the bare program, and the ratios of ours."""

    name: str
    bare_s: float
    ratio: float
    bare_mb: float
    ratio_mb: float


def _run(program: str, megabytes: int, ours: bool) -> list[float]:
    columns, block = 20, 2**16
    rows = megabytes * 10**6 // (8 * columns)
    given = json.dumps([rows, columns, block, ours, program])
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, given], capture_output=True, text=True, check=True
    )
    found: list[float] = json.loads(done.stdout)
    return found


def measure(rounds: int, megabytes: int) -> list[Ran]:
    """Run each program by turns; a figure is the median over the rounds."""
    return [_ran(name, program, rounds, megabytes) for name, program in PROGRAMS.items()]


def _ran(name: str, program: str, rounds: int, megabytes: int) -> Ran:
    pairs: list[tuple[Any, Any]] = [
        (_run(program, megabytes, ours=False), _run(program, megabytes, ours=True))
        for _ in range(rounds)
    ]
    for bare, ours in pairs:
        if abs(bare[2] - ours[2]) > 1e-9 * abs(bare[2]):
            raise RuntimeError(f"{name}: bare Dask gives {bare[2]}, ours {ours[2]}")
    return Ran(
        name,
        statistics.median(bare[0] for bare, _ in pairs),
        statistics.median(ours[0] / bare[0] for bare, ours in pairs),
        statistics.median(bare[1] for bare, _ in pairs),
        statistics.median(ours[1] / bare[1] for bare, ours in pairs),
    )
