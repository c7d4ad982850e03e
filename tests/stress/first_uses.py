"""The first uses of a backend by several threads, in a fresh process.

`python -m tests.stress.first_uses BACKEND SEED` is such a process. It prints, as JSON, the errors,
and each name that gave the threads more than one object.
"""

from __future__ import annotations

import importlib
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tests.stress.threads import at_once

__all__ = ["main", "process", "right"]

_FUNCTIONS = (
    "sin", "add", "matmul", "mean", "sort", "reshape", "take", "softmax", "unique_values", "where",
    "linalg.svd", "linalg.det", "fft.fft", "random.uniform", "huber", "conv2d", "nanmean",
    "permute_dims", "roll", "clip", "cumulative_sum", "isfinite", "flip", "astype", "zeros", "eye",
)  # fmt: skip


def _found(module: Any, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name)
    return module


def asks(backend: str) -> dict[str, Callable[[], Any]]:
    """Return objects by name; each must be one object for all threads."""
    unify = importlib.import_module("arrayapi_unify")

    def namespace() -> Any:
        return unify.get_backend(backend)

    def array() -> Any:
        return unify.asarray([1.5, 2.5]) if backend == "numpy" else namespace().asarray([1.5, 2.5])

    def half() -> Any:
        return type(namespace().asarray([1.5], dtype="float16"))

    found: dict[str, Callable[[], Any]] = {
        "namespace": namespace,
        "namespace ": lambda: importlib.import_module(f"arrayapi_unify.{backend}"),
        "namespace  ": lambda: getattr(unify, backend),
        "namespace   ": lambda: array().__array_namespace__(),
        "class": lambda: type(array()),
        "class ": lambda: type(array() + array()),
        "class of float16 and bfloat16": half,
        "device": lambda: unify.devices.Device(f"{backend}:7"),
        "compiled namespace": lambda: unify.compiled_namespace(backend),
        "Container": lambda: unify.Container,
    }
    for name in _FUNCTIONS:
        found[f"unify.{name}"] = lambda name=name: _found(unify, name)
        found[f"{backend}.{name}"] = lambda name=name: _found(namespace(), name)
        found[f"native {name}"] = lambda name=name: _found(unify.backends.load(backend), name)
        found[f"compiled {name}"] = lambda name=name: _found(
            unify.compiled_namespace(backend), name
        )
    for name in ("sin", "mean", "sort", "reshape", "softmax"):
        found[f"static {name}"] = lambda name=name: getattr(unify.Container, f"static_{name}")
        found[f"contract {name}"] = lambda name=name: getattr(array(), name).contract
    return found


def right(backend: str) -> None:
    """Compute a little, and check the result."""
    unify = importlib.import_module("arrayapi_unify")
    xp = unify.get_backend(backend)
    x = xp.asarray([3.0, 1.0, 2.0])
    got = [*(x + x)[::2], xp.sum(x), x.mean(), unify.sort(x)[0], -x[0]]
    assert [float(v) for v in got] == [6.0, 4.0, 6.0, 2.0, 1.0, -3.0], got
    x += 1.0
    assert unify.to_list(x) == [4.0, 2.0, 3.0]
    half = xp.asarray([1.5, 2.5], dtype="float16")
    assert (half + half).dtype.name == "float16"
    with unify.use_backend(backend) as inside:
        assert inside is xp
        assert unify.ones(2).backend == backend


def _one(backend: str, seed: int) -> dict[str, Any]:
    found: dict[str, set[int]] = {}
    kept: list[Any] = []  # so that ids stay unique
    questions = list(asks(backend).items())

    def task(number: int) -> None:
        mine = random.Random(seed * 1000 + number)
        for name, ask in mine.sample(questions, len(questions)):
            answer = ask()
            kept.append(answer)
            found.setdefault(name.strip(), set()).add(id(answer))
            if mine.random() < 0.1:
                right(backend)
        right(backend)

    errors = at_once(task)
    return {"errors": errors, "several": {n: len(ids) for n, ids in found.items() if len(ids) > 1}}


def process(backend: str, seed: int, timeout: float = 300.0) -> dict[str, Any]:
    """Run a fresh process; a hang is an error, too."""
    command = [sys.executable, "-m", __name__, backend, str(seed)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        return {"errors": [f"it hangs: {error}"], "several": {}}
    if done.returncode:
        return {"errors": [done.stderr], "several": {}}
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return outcome


def main(arguments: Iterator[str]) -> None:
    """Run as the fresh process."""
    print(json.dumps(_one(next(arguments), int(next(arguments)))))


if __name__ == "__main__":
    main(iter(sys.argv[1:]))
