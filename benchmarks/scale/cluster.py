"""A table larger than the memory of a cluster's two workers: ours, bare Dask's, and one ended."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

__all__ = ["LIMIT", "OnCluster", "measure", "reference"]

LIMIT: Final = 400  # megabytes of a worker
COLUMNS: Final = 20
BLOCK: Final = 2**16
_POINTS: Final = 150
_SAMPLING: Final = 0.1  # seconds
_SCRIPT: Final = "from benchmarks.scale.cluster import _main; _main()"


@dataclass(frozen=True, slots=True)
class OnCluster:
    """A run: its time, the largest peak of a worker, and its distance from NumPy's values."""

    name: str
    seconds: float
    peak_mb: float
    error: float
    """The largest difference, relative to the largest value, of eigenvalues and coefficients."""
    workers: int
    """The processes that worked: three where one of two was ended and replaced."""
    memory: list[list[float]]
    """Seconds and the megabytes of the larger worker then, some hundred times."""


def block(number: int, rows: int) -> Any:
    """Return a block of the table: correlated columns, off zero by as much as they vary."""
    x = np.random.default_rng([7, number]).normal(size=(rows, COLUMNS))
    return x + 0.5 * x[:, :1] + 1.0


def target(x: Any) -> Any:
    """Return the values that are fitted: a sum of the columns, and something that isn't linear."""
    return (x * np.arange(1.0, COLUMNS + 1)).sum(axis=1) + np.sin(x[:, 1] * 3.0)


def _sizes(megabytes: int) -> list[int]:
    rows = megabytes * 10**6 // (8 * COLUMNS)
    return [BLOCK] * (rows // BLOCK) + [rows % BLOCK] * bool(rows % BLOCK)


def reference(megabytes: int) -> list[Any]:
    """Return the eigenvalues of the correlations and the coefficients, by NumPy, block by block."""
    sizes = _sizes(megabytes)
    rows = sum(sizes)
    mean = sum(block(i, n).sum(axis=0) for i, n in enumerate(sizes)) / rows
    products: Any = 0.0
    right: Any = 0.0
    for i, n in enumerate(sizes):
        x = block(i, n)
        products = products + (x - mean).T @ (x - mean)
        right = right + (x - mean).T @ target(x)
    scale = np.sqrt(np.diag(products) / rows)
    values = np.linalg.eigvalsh(products / rows / np.outer(scale, scale))
    return [values, np.linalg.solve(products / np.outer(scale, scale), right / scale)]


def measure(megabytes: int) -> list[OnCluster]:
    """Run bare Dask, ours, and ours with a worker that is ended halfway; each in new processes."""
    expected = reference(megabytes)
    bare = _run("bare Dask", megabytes, expected, ours=False)
    ours = _run("ours", megabytes, expected, ours=True)
    ended = _run("ours, a worker ended", megabytes, expected, ours=True, end=ours.seconds / 2)
    return [bare, ours, ended]


def _run(
    name: str, megabytes: int, expected: list[Any], *, ours: bool, end: float = 0.0
) -> OnCluster:
    given = json.dumps([megabytes, ours, end])
    command = [sys.executable, "-c", _SCRIPT, given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    error = max(
        float(np.max(np.abs(np.asarray(a) - b)) / np.max(np.abs(b)))
        for a, b in zip(found["results"], expected, strict=True)
    )
    every = max(1, len(found["memory"]) // _POINTS)
    peaks = found["peaks"]
    memory = found["memory"][::every]
    return OnCluster(name, found["seconds"], max(peaks), error, len(peaks), memory)


def _peak() -> float:
    """Return the most memory that this process has had, in megabytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def _program(xp: Any, x: Any, y: Any) -> list[Any]:
    """Standardize, decompose the correlations, and fit."""
    z = (x - xp.mean(x, axis=0)) / xp.std(x, axis=0)
    return [z.T @ z / x.shape[0], xp.linalg.lstsq(z, y)[0]]


def _main() -> None:
    """Run on a cluster, and print the results."""
    import dask.array as da

    dask, distributed = (importlib.import_module(name) for name in ("dask", "distributed"))
    megabytes, ours, end = json.loads(sys.argv[1])
    sizes = tuple(_sizes(megabytes))
    bare = da.map_blocks(
        lambda block_info: block(
            block_info[None]["chunk-location"][0], block_info[None]["chunk-shape"][0]
        ),
        chunks=(sizes, (COLUMNS,)), dtype=float, meta=np.empty((0, 0)),
    )  # fmt: skip
    y = bare.map_blocks(target, drop_axis=1, dtype=float, meta=np.empty(0))
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    peaks: dict[int, float] = {}
    memory: list[tuple[float, float]] = []
    with (
        dask.config.set({"distributed.logging.distributed": "error"}),
        distributed.LocalCluster(processes=True, memory_limit=f"{LIMIT}MB", **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        program = _ours(bare, y) if ours else _program(da, bare, y)
        if end:
            threading.Timer(end, _end_one, [client, peaks]).start()
        begin = time.perf_counter()
        threading.Thread(target=_sample, args=(begin, memory), daemon=True).start()
        products, coefficients = [np.asarray(v) for v in dask.compute(*program)]
        seconds = time.perf_counter() - begin
        client.wait_for_workers(2)  # the one that replaces the ended one may be on its way
        _keep(client, peaks)
    results = [np.linalg.eigvalsh(products).tolist(), coefficients.tolist()]
    memory = [(round(t, 2), round(size)) for t, size in memory if t < seconds]
    measured = {"seconds": seconds, "peaks": [*peaks.values()], "memory": memory}
    print(json.dumps({"results": results, **measured}))


def _sample(begin: float, memory: list[tuple[float, float]]) -> None:
    """Add the size of the larger worker, until the process ends; nannies are smaller."""
    psutil = importlib.import_module("psutil")
    while True:
        sizes = [0.0]
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                sizes.append(process.memory_info().rss / 1e6)
        memory.append((time.perf_counter() - begin, max(sizes)))
        time.sleep(_SAMPLING)


def _ours(bare: Any, y: Any) -> list[Any]:
    import arrayapi_unify as unify
    import arrayapi_unify.dask as xp

    return _program(xp, unify.Array(bare), unify.Array(y))


def _keep(client: Any, peaks: dict[int, float]) -> None:
    """Keep the peaks of the workers, by their process."""
    for found in client.run(lambda: (os.getpid(), _peak())).values():
        peaks[found[0]] = found[1]


def _end_one(client: Any, peaks: dict[int, float]) -> None:
    """End the process of a worker as a system without memory does; its nanny starts another one."""
    _keep(client, peaks)
    os.kill(next(iter(peaks)), signal.SIGKILL)


if __name__ == "__main__":
    _main()
