"""The coverage map: for each drawn mutant, the tests during which its lines run.

`python -m tests.mutants map` runs pytest with this plugin; each process writes a part of the map.
Only the code objects of drawn mutants are traced line by line.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import pytest

from tests.mutants.draw import PACKAGE, draw

__all__ = ["FOLDER", "IMPORT", "Tracer", "merged"]

FOLDER: Final = "ARRAYAPI_UNIFY_MUTANTS_MAP"
"""The variable with the folder of the map's parts."""
IMPORT: Final = ""
"""The test of the lines that run outside of tests."""

_OFTEN: Final = 300


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and its nested code objects."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


class Tracer:
    """Watched and executed lines, by file and first line of the code object."""

    def __init__(self, lines: dict[str, dict[int, list[str]]]) -> None:
        """Watch lines of files: by path and line, the names under which to record them."""
        self.lines = lines
        self.watched: dict[str, set[int]] = {path: set() for path in lines}
        for path, wanted in lines.items():
            for code in _codes(compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)):
                if not wanted.keys().isdisjoint(line for *_, line in code.co_lines()):
                    self.watched[path].add(code.co_firstlineno)
        self.ran: set[str] = set()

    def trace_calls(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Trace the lines of a call if its code object is watched."""
        code = frame.f_code
        watched = self.watched.get(code.co_filename)
        if watched is not None and code.co_firstlineno in watched:
            return self.trace_lines
        return None

    def trace_lines(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Record a watched line."""
        if event == "line":
            self.ran.update(self.lines[frame.f_code.co_filename].get(frame.f_lineno, ()))
        return self.trace_lines

    def start(self) -> None:
        """Trace from here on, also in new threads."""
        threading.settrace(self.trace_calls)
        sys.settrace(self.trace_calls)

    def stop(self) -> None:
        """End tracing."""
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]


def _lines() -> dict[str, dict[int, list[str]]]:
    """Return the lines of all drawn mutants."""
    lines: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for mutant in draw():
        for line in range(mutant.first, mutant.last + 1):
            lines[str(PACKAGE / mutant.file)][line].append(mutant.id)
    return lines


class _Plugin:
    """The hooks: attribute executed lines to the running test, or to an import."""

    def __init__(self, part: Path) -> None:
        self.part, self.tracer = part, Tracer(_lines())
        self.tests: dict[str, list[str]] = defaultdict(list)
        self.durations: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()
        self.tracer.start()

    def _keep(self, test: str) -> None:
        for mutant in self.tracer.ran:
            self.tests[mutant].append(test)
        self.tracer.ran = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._keep(IMPORT)
        self.tracer.start()  # a test may have ended it
        result = yield
        self._keep(item.nodeid)
        if len(self.durations) % _OFTEN == 0:  # the process may crash
            self._write()
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.durations[report.nodeid] += report.duration
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.tracer.stop()
        self._keep(IMPORT)
        self._write()

    def _write(self) -> None:
        found = {
            "tests": self.tests, "durations": self.durations, "failed": sorted(self.failed),
        }  # fmt: skip
        self.part.write_text(json.dumps(found))


def merged(folder: Path) -> dict[str, Any]:
    """Merge the parts of a map."""
    tests: dict[str, list[str]] = defaultdict(list)
    durations: dict[str, float] = {}
    failed: list[str] = []
    for part in sorted(folder.glob("part-*.json")):
        found = json.loads(part.read_text())
        durations |= found["durations"]
        failed += found["failed"]
        for mutant, names in found["tests"].items():
            tests[mutant] += names
    unique = {mutant: [*dict.fromkeys(names)] for mutant, names in tests.items()}
    return {"tests": unique, "durations": durations, "failed": sorted({*failed})}


def pytest_configure(config: pytest.Config) -> None:
    """Trace in each process that runs tests, but not in the one that distributes them."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    distributes = worker == "alone" and getattr(config.option, "numprocesses", None)
    if FOLDER in os.environ and not distributes:
        config.pluginmanager.register(_Plugin(Path(os.environ[FOLDER]) / f"part-{worker}.json"))
