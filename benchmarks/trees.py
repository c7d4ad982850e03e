"""`python -m benchmarks.trees CHECKOUT`: the cost of calls here and in another checkout.

A round starts three fresh processes for each backend: this tree, the other one, and the other one
again, which shows the noise. They take turns of a millisecond at each operation, since a processor
that is shared runs at 0.7 of its speed for seconds at a time.

The layout of the heap decides how long an allocation takes: an addition to an imported module, far
from any call, made `x * 2` on PyTorch 1.04 times as slow in each of 20 processes. Each round has a
layout of its own, therefore, as each program of a user has: blocks of random sizes are allocated
before the imports, and every second one is freed.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from benchmarks import cases

__all__ = ["WAYS", "Child", "Row", "main", "measure", "time_turns"]

ROOT: Final = Path(__file__).parent.parent
WAYS: Final = ("here", "there", "there again")

TURNS: Final = 15
"""Turns of each process at an operation."""

# Runs in either tree, so it imports only the package. `sys.argv` has the backend, the statements by
# operation, as JSON, and the seed; a line of input is the operation to be timed.
_CHILD: Final = """
import importlib, json, random, sys, timeit

backend, statements, seed = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
draw = random.Random(seed)
blocks = [bytearray(draw.randrange(10, 3000)) for _ in range(draw.randrange(20_000))]
draw.shuffle(blocks)
del blocks[::2]

import numpy as np

if backend == "jax":
    importlib.import_module("jax").config.update("jax_cpu_enable_async_dispatch", False)
xp = importlib.import_module("arrayapi_unify").get_backend(backend)
values = np.linspace(0.5, 2.5, 4)
x, y, o = (xp.asarray(v) for v in (values, values[::-1].copy(), np.zeros(4)))
m, i, mask = (xp.asarray(v) for v in (values.reshape(2, 2), np.asarray([3, 1]), values > 1))
scope = {
    "xp": xp, "x": x, "y": y, "o": o, "m": m, "i": i, "mask": mask, "n": 4,
    "values": values.tolist(), "native": y.data, "np": np,
}
names, timers = ", ".join(scope) + " = made", {}
for operation, statement in statements.items():
    timer = timeit.Timer(statement, names, globals={"made": [*scope.values()]})
    timer.timeit(20)
    timers[operation] = timer, max(1, int(1e-3 / max(timer.timeit(10) / 10, 1e-9)))
for line in sys.stdin:
    timer, number = timers[line.rstrip()]
    timer.timeit(20)  # fills the caches again
    print(timer.timeit(number) / number * 1e9, flush=True)
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One operation: nanoseconds in the other tree, and the two ratios to it."""

    backend: str
    operation: str
    there_ns: float
    here: float
    there_again: float


class Child:
    """A fresh process that imports the package from a tree, and times operations on demand.

    The seed decides the layout of the process's heap, and of its sets.
    """

    def __init__(self, tree: Path, backend: str, operations: Sequence[str], seed: int) -> None:
        """Start the process."""
        statements = {operation: cases.OPERATIONS[operation] for operation in operations}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _CHILD, backend, json.dumps(statements), str(seed)],
            env={**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": str(seed)},
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Child:
        """Return the process."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._process.communicate()

    def time(self, operation: str) -> float:
        """Return the nanoseconds that a call takes, from a millisecond of calls."""
        done = self._process
        if done.stdin is None or done.stdout is None:
            raise RuntimeError("the process has no pipes")
        print(operation, file=done.stdin, flush=True)
        return float(done.stdout.readline())


def time_turns(
    trees: dict[str, Path], backend: str, operations: Sequence[str], turn: int
) -> dict[str, dict[str, float]]:
    """Time the operations in a process of each tree; the minimum of the turns is undisturbed."""
    with ExitStack() as stack:
        children = {
            way: stack.enter_context(Child(tree, backend, operations, turn))
            for way, tree in trees.items()
        }
        found: dict[str, dict[str, float]] = {way: {} for way in trees}
        for operation in operations:
            for k in range(TURNS * len(WAYS)):
                # Each way is first, second and third equally often.
                way = WAYS[(k + k // len(WAYS) + turn) % len(WAYS)]
                took = children[way].time(operation)
                found[way][operation] = min(took, found[way].get(operation, took))
    return found


def measure(other: Path, backend: str, rounds: int, operations: Sequence[str]) -> list[Row]:
    """Alternate the trees; ratios are of medians over the rounds."""
    trees = dict(zip(WAYS, (ROOT, other, other), strict=True))
    times = [time_turns(trees, backend, operations, turn) for turn in range(rounds)]
    rows = []
    for operation in operations:
        here, there, again = (
            statistics.median(found[way][operation] for found in times) for way in WAYS
        )
        rows.append(Row(backend, operation, there, here / there, again / there))
    return rows


@click.command()
@click.argument("checkout", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", default=20, show_default=True, help="Fresh processes of each.")
@click.option("--backend", "backends", multiple=True, help="All that are installed by default.")
@click.option("--operation", "operations", multiple=True, help="All of benchmarks/cases.py.")
def main(
    checkout: Path, rounds: int, backends: tuple[str, ...], operations: tuple[str, ...]
) -> None:
    """Print the time of each operation at 4 elements here as a multiple of that in CHECKOUT."""
    for backend in backends or cases.installed():
        rows = measure(checkout.resolve(), backend, rounds, operations or [*cases.OPERATIONS])
        click.echo(f"{backend}: ns there, here / there, there again / there")
        for row in rows:
            ratios = f"{row.here:6.3f} {row.there_again:6.3f}"
            click.echo(f"  {row.operation:22}{row.there_ns:12,.0f} {ratios}")
        for name in ("here", "there_again"):
            found = statistics.geometric_mean(getattr(row, name) for row in rows)
            click.echo(f"  all, {name.replace('_', ' ')}: {found:.3f}")


if __name__ == "__main__":
    main()
