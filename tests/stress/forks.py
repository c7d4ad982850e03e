"""Forks while other threads work: each child continues their work.

`python -m tests.stress.forks BACKEND KIND COUNT` is a process that forks COUNT times. It prints, as
JSON, the number of children that hung or failed.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import arrayapi_unify as unify
from tests.stress.threads import taking_turns

__all__ = ["KINDS", "process"]

_WORKERS: Final = 4
_LIMIT: Final = 10  # seconds for one child


def _flips(xp: Any, shared: Any) -> None:
    """Take views of an array of all threads, and of one of this thread; write to them."""
    for x in (shared, xp.asarray([1.0, 2.0, 3.0])):
        view = xp.flip(x)
        view[0] = view[0]
        assert float(view[-1]) == 1.0


def _graphs(xp: Any, shared: Any) -> None:
    graph = unify.compile_graph(lambda x: unify.sum(x * 2.0 + 1.0), shared)
    assert float(graph(shared)) == 15.0
    assert float(unify.sum(shared * 2.0 + 1.0)) == 15.0


def _settings(xp: Any, shared: Any) -> None:
    unify.set_default_dtype("float64")
    with unify.default_dtype("float32"), unify.use_backend(xp):
        assert unify.zeros(1).dtype.name == "float32"
    assert xp.zeros(1).dtype.name == "float64"


KINDS: Final[dict[str, Callable[[Any, Any], None]]] = {
    "flips": _flips, "graphs": _graphs, "settings": _settings,
}  # fmt: skip


def _child(work: Callable[[Any, Any], None], xp: Any, shared: Any) -> None:
    signal.alarm(_LIMIT)  # which ends it
    faulthandler.dump_traceback_later(_LIMIT - 2)
    try:
        for _ in range(3):
            work(xp, shared)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def _one(backend: str, kind: str, count: int) -> dict[str, Any]:
    xp, work, over = unify.get_backend(backend), KINDS[kind], threading.Event()
    shared = xp.asarray([1.0, 2.0, 3.0])
    draws, outcomes, broken = random.Random(1), list[int](), list[str]()
    work(xp, shared)

    def busy() -> None:
        try:
            while not over.is_set():
                work(xp, shared)
        except BaseException as error:
            broken.append(repr(error))

    threads = [threading.Thread(target=busy) for _ in range(_WORKERS)]
    with taking_turns():
        for thread in threads:
            thread.start()
        for _ in range(count):
            time.sleep(draws.uniform(0.0, 0.01))
            pid = os.fork()
            if not pid:
                _child(work, xp, shared)
            outcomes.append(os.waitpid(pid, 0)[1])
        over.set()
        for thread in threads:
            thread.join()
    stuck = sum(os.WIFSIGNALED(status) for status in outcomes)
    return {"stuck": stuck, "failed": count - stuck - outcomes.count(0), "errors": broken}


def process(backend: str, kind: str, count: int, timeout: float = 1300.0) -> dict[str, Any]:
    """Run a fresh process."""
    command = [sys.executable, "-W", "ignore", "-m", __name__, backend, kind, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)
    if done.returncode:
        return {"stuck": 0, "failed": count, "errors": [done.stderr]}
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if outcome["failed"]:
        outcome["errors"].append(done.stderr)
    return outcome


if __name__ == "__main__":
    print(json.dumps(_one(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
