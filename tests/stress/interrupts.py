"""Interrupts: Ctrl-C at any line of ours, after which everything works as without it.

`python -m tests.stress.interrupts BACKEND SUBJECT COUNT` is a process that forks a child for each
of COUNT lines, evenly spread over the executed lines. It prints, as JSON, the problems and their
lines.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any, Final

from tests.stress.first_uses import right

__all__ = ["SUBJECTS", "process"]

_LIMIT: Final = 60  # seconds for one child


def _first_use(backend: str) -> Callable[[], Any]:
    """Return a first use after the framework's own import, which isn't tested."""
    importlib.import_module("numpy")
    importlib.import_module(backend)

    def use() -> None:
        unify: Any = importlib.import_module("arrayapi_unify")
        with unify.use_backend(backend) as xp:
            x = unify.ones(3) + xp.asarray([1.0, 2.0, 3.0])
        xp.mean(x), x.sort(), unify.Container(a=x).sin()

    return use


def _graph(backend: str) -> Callable[[], Any]:
    """Return a trace of previously traced functions."""
    unify: Any = importlib.import_module("arrayapi_unify")
    x = unify.get_backend(backend).asarray([1.0, 2.0])

    def trace() -> None:
        unify.compile_graph(lambda x: unify.sum(x * x + 1.0), x)

    trace()
    return trace


SUBJECTS: Final = {"first use": _first_use, "graph": _graph}


class _Bomb:
    """Raises KeyboardInterrupt at one of our executed lines."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.count = 0
        self.where = ""
        # `tests.sources` would import the package, whose import is interrupted, too.
        self._ours = (
            os.path.dirname(
                importlib.util.find_spec("arrayapi_unify").origin  # type: ignore[union-attr, arg-type]
            ),
            "<arrayapi_unify.",
        )

    def __call__(self, frame: Any, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(self._ours):
            return None
        if event == "line":
            self.count += 1
            if self.count == self.place:
                self.where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
                raise KeyboardInterrupt
        return self

    def watch(self, function: Callable[[], Any]) -> bool:
        """Run a function; return True if the bomb went off."""
        sys.settrace(self)
        try:
            function()
        except BaseException:
            if not self.where:
                raise
        finally:
            sys.settrace(None)
        return bool(self.where)


def _child(function: Callable[[], Any], backend: str, place: int, pipe: int) -> None:
    signal.alarm(_LIMIT)
    bomb, problem = _Bomb(place), ""
    try:
        bomb.watch(function)
        function()
        right(backend)
        untouched(backend)
    except BaseException as error:
        problem = "".join(traceback.format_exception(error))
    os.write(pipe, json.dumps([bomb.count, bomb.where, problem[-2000:]]).encode())
    os._exit(0)


def untouched(backend: str) -> None:
    """Check for leftovers of an interrupted call: settings, and patched functions."""
    unify: Any = importlib.import_module("arrayapi_unify")
    assert unify.current_backend_str() == "numpy"
    patching = sys.modules.get("arrayapi_unify.graph._patching")
    if patching is not None:
        left = [f.__name__ for f, own, _ in patching._every() if f.__code__ is not own]
        assert not left, f"diverted: {left}"


def _forked(function: Callable[[], Any], backend: str, place: int) -> tuple[int, str, str]:
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        _child(function, backend, place, writing)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    found = json.loads(text) if text else [0, f"line {place}", "it hangs, or died"]
    return int(found[0]), str(found[1]), str(found[2])


def process(backend: str, subject: str, count: int, timeout: float = 1200.0) -> dict[str, Any]:
    """Run a fresh process."""
    command = [sys.executable, "-m", __name__, backend, subject, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)
    if done.returncode:
        return {"places": 0, "problems": {"": done.stderr}}
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return outcome


def _main(backend: str, subject: str, count: str) -> None:
    function = SUBJECTS[subject](backend)
    lines, _, problem = _forked(function, backend, 0)
    problems = {"without an interrupt": problem} if problem else {}
    step = max(1, lines // int(count))
    places = range(1, lines + 1, step)
    for place in places:
        _, where, problem = _forked(function, backend, place)
        if problem:
            problems[where] = problem
    print(json.dumps({"lines": lines, "places": len(places), "problems": problems}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
