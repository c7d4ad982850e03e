"""Graphs and compiled functions, created and called by several threads concurrently.

`python -m tests.stress.graphs BACKEND COUNT` is a process that creates COUNT graphs and COUNT
compiled functions. It prints, as JSON, their number and the errors.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import arrayapi_unify as unify
from tests.stress.threads import COUNT, at_once

__all__ = ["process"]


def _functions(number: int) -> list[tuple[Callable[..., Any], Callable[[list[float]], Any]]]:
    """Return functions of an array, and their results for a list."""
    k = float(number)

    def written(x: Any) -> Any:
        y = unify.zeros_like(x)
        y[0] = k
        y += x
        return y

    return [
        (lambda x: unify.sum(x * x + k), lambda v: sum(a * a + k for a in v)),
        (lambda x: x.__array_namespace__().flip(x) - k, lambda v: [a - k for a in v[::-1]]),
        (written, lambda v: [v[0] + k, *v[1:]]),
        (lambda x: {"a": [unify.mean(x) * k]}["a"][0], lambda v: k * sum(v) / len(v)),
    ]


def _plain(x: Any) -> Any:
    return unify.to_list(x)


def _one(backend: str, count: int) -> dict[str, Any]:
    xp = unify.get_backend(backend)
    values = [1.0, 2.0, 6.0, 7.0]  # their mean is exact
    shared = unify.compile(lambda x, k: x * k + 1.0)
    # Its result has another structure for each shape.
    varying = unify.compile(lambda x: {f"of {x.shape[0]}": x * 2.0})
    made = [0] * COUNT

    def task(number: int) -> None:
        x = xp.asarray(values)
        for turn in range(count // COUNT):
            k = float(turn % 7)
            for function, expected in _functions(number + turn % 3):
                graph = unify.compile_graph(function, x)
                assert _plain(graph(x)) == expected(values), graph.code
                assert _plain(function(x)) == expected(values)
                made[number] += 1
            size = (number + turn) % 3 + 1
            assert varying(x[:size]).keys() == {f"of {size}"}
            assert _plain(shared(x, k)) == [k * v + 1.0 for v in values]
            if turn % 10 == 1:
                function, expected = _functions(turn % 3)[0]
                assert _plain(unify.compile(function)(x)) == expected(values)
                made[number] += 1

    errors = at_once(task)
    return {"made": sum(made), "errors": errors}


def process(backend: str, count: int, timeout: float = 1200.0) -> dict[str, Any]:
    """Run a fresh process; a hang is an error, too."""
    command = [sys.executable, "-m", __name__, backend, str(count)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        return {"made": 0, "errors": [f"it hangs: {error}"]}
    if done.returncode:
        return {"made": 0, "errors": [done.stderr]}
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return outcome


if __name__ == "__main__":
    print(json.dumps(_one(sys.argv[1], int(sys.argv[2]))))
