"""Writes to one array by several threads, each to its own elements: none is lost.

`python -m tests.stress.writes BACKEND ROUNDS` is a process that does so in ROUNDS rounds. It
prints, as JSON, the number of written elements and of lost writes, by the kind of write.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

import arrayapi_unify as unify
from tests.stress.threads import COUNT, at_once

__all__ = ["WAYS", "in_process", "process"]

_SIZE: Final = 160


def _by_index(x: Any, i: int) -> None:
    x[i] = i + 1.0


def _by_slice(x: Any, i: int) -> None:
    x[i : i + 1] = i + 1.0


def _by_view(x: Any, i: int) -> None:
    x[i : i + 1][...] = i + 1.0


def _by_reversed_view(x: Any, i: int) -> None:
    unify.flip(x)[_SIZE - 1 - i] = i + 1.0


def _in_place(x: Any, i: int) -> None:
    part = x[i : i + 1]
    part += i + 1.0


WAYS: Final[dict[str, Callable[[Any, int], None]]] = {
    "index": _by_index, "slice": _by_slice, "view": _by_view, "reversed": _by_reversed_view,
    "in place": _in_place,
}  # fmt: skip


def in_process(backend: str, rounds: int) -> dict[str, Any]:
    """Write in this process."""
    xp = unify.get_backend(backend)
    lost = dict.fromkeys(WAYS, 0)
    errors: list[str] = []
    for _ in range(rounds):
        for way, write in WAYS.items():
            for viewed in (False, True):
                x = xp.zeros(_SIZE)
                view = x[1:] if viewed else None  # keeps the view emulation active

                def task(number: int, x: Any = x, write: Any = write) -> None:
                    for i in range(number, _SIZE, COUNT):
                        write(x, i)

                errors += at_once(task)
                expected = [i + 1.0 for i in range(_SIZE)]
                lost[way] += sum(a != b for a, b in zip(unify.to_list(x), expected, strict=True))
                if view is not None:
                    pairs = zip(unify.to_list(view), expected[1:], strict=True)
                    lost[way] += sum(a != b for a, b in pairs)
    written = rounds * len(WAYS) * 2 * _SIZE
    return {"written": written, "lost": {w: n for w, n in lost.items() if n}, "errors": errors}


def process(backend: str, rounds: int, timeout: float = 900.0) -> dict[str, Any]:
    """Run a fresh process; a hang is an error, too."""
    command = [sys.executable, "-m", __name__, backend, str(rounds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        return {"written": 0, "lost": {}, "errors": [f"it hangs: {error}"]}
    if done.returncode:
        return {"written": 0, "lost": {}, "errors": [done.stderr]}
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return outcome


if __name__ == "__main__":
    print(json.dumps(in_process(sys.argv[1], int(sys.argv[2]))))
