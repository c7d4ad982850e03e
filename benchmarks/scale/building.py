"""Time to build a graph, and its tasks after `dask.optimize`, beside those of bare Dask."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import dask
from dask.base import optimize

import arrayapi_unify as unify
from benchmarks.scale.cases import CASES, Case, arguments

__all__ = ["Built", "geometric_mean", "measure"]

_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Built:
    """Microseconds of a bare call, the ratio of ours, and the tasks of both."""

    name: str
    bare_us: float
    ratio: float
    tasks_bare: int
    tasks: int


def geometric_mean(ratios: list[float]) -> float:
    """Return the geometric mean."""
    return statistics.geometric_mean(ratios)


def _timed(call: Callable[[], Any], loops: int) -> float:
    begin = time.perf_counter()
    for _ in range(loops):
        call()
    return (time.perf_counter() - begin) / loops


def _tasks(result: Any) -> int:
    """Count the tasks of a graph as Dask would run it."""
    (optimized,) = optimize(result.data if isinstance(result, unify.Array) else result)
    return len(dict(optimized.__dask_graph__()))


def measure(rounds: int) -> list[Built]:
    """Alternate both calls; a ratio is the median over the rounds."""
    given = arguments()
    wrapped = {k: unify.Array(x) if hasattr(x, "dask") else x for k, x in given.items()}
    blocks = dask.config.set({"array.chunk-size": 256 * 32 * 8})
    with warnings.catch_warnings(), blocks, unify.use_backend("dask"):
        warnings.simplefilter("ignore")  # of the blocks of products, on both sides
        return [_built(case, given, wrapped, rounds) for case in CASES]


def _built(case: Case, given: dict[str, Any], wrapped: dict[str, Any], rounds: int) -> Built:
    def bare() -> Any:
        return case.bare(*[given[name] for name in case.arrays])

    def ours() -> Any:
        return case.ours(*[wrapped[name] for name in case.arrays])

    first = _timed(bare, 1), _timed(ours, 1)
    loops = max(1, int(_SECONDS / max(first)))
    pairs = [(_timed(bare, loops), _timed(ours, loops)) for _ in range(rounds)]
    return Built(
        case.name,
        statistics.median(b for b, _ in pairs) * 1e6,
        statistics.median(o / b for b, o in pairs),
        _tasks(bare()),
        _tasks(ours()),
    )
