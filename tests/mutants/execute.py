"""Tests in forked processes: each child of one that has imported the libraries plants a mutant."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import Phase, settings

from tests.mutants.plant import plant

__all__ = ["ENVIRONMENT", "Job", "Outcome", "execute", "import_libraries"]

ENVIRONMENT: Final = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Variables that have to be set before Python starts."""
_MEMORY: Final = 8 * 2**30
# triton before TensorFlow, and PyTorch before TensorFlow, as `backends._triton_first` says.
_LIBRARIES: Final = (
    "numpy", "triton", "torch", "tensorflow", "jax", "dask.array", "scipy.special",
    "hypothesis.strategies", "hypothesis.extra.numpy", "torch._dynamo", "torch.func",
)  # fmt: skip


def import_libraries() -> None:
    """Import the dependencies of all children, without the package; nothing starts a thread."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # as the package does
    for name in _LIBRARIES:
        with contextlib.suppress(ImportError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            importlib.import_module(name)
    if "PYTHONDONTWRITEBYTECODE" in os.environ:  # compiled once, and not in the tree
        sys.dont_write_bytecode = False
        sys.pycache_prefix = tempfile.mkdtemp(prefix="mutants-")
        atexit.register(shutil.rmtree, sys.pycache_prefix, ignore_errors=True)
    warnings.filterwarnings("ignore", message=r"os\.fork\(\) was called")
    gc.collect()
    gc.freeze()


@dataclass(frozen=True)
class Job:
    """Tests to run with a mutant planted, for at most some seconds."""

    mutant: str
    tests: tuple[str, ...]
    stop: bool
    """End at the first failure."""
    most: float


@dataclass
class Outcome:
    """The tests that ended, with their failures ("" if they passed), and the end of the process."""

    ended: dict[str, str] = field(default_factory=dict)
    running: str = ""
    broken: str = ""
    """An error outside of tests: of an import, mostly."""
    code: int = 0
    timed_out: bool = False
    seconds: float = 0.0


class _Chosen:
    """A plugin that runs chosen tests in their order, and writes each event at once."""

    def __init__(self, tests: tuple[str, ...], events: Path) -> None:
        self.order = {test: i for i, test in enumerate(tests)}
        self.events = events.open("a", buffering=1)

    def _write(self, kind: str, test: str, text: str = "") -> None:
        self.events.write(json.dumps([kind, test, text]) + "\n")

    def pytest_configure(self) -> None:
        """Let Hypothesis report the first failing example, without looking for a smaller one."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings.default, phases=phases)
        settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self.order]
        items[:] = sorted(chosen, key=lambda item: self.order[item.nodeid])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._write("broken", report.nodeid, _last_line(report))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._write("start", nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._write("failed", report.nodeid, _last_line(report))
        elif report.when == "teardown":
            self._write("end", report.nodeid)


def _last_line(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr)
    return " ".join(text.split())[:200] or "failed"


def _run_child(job: Job, folder: Path) -> None:
    """Run the tests of a job in this process, and end it."""
    code = 70
    try:
        os.setsid()
        log = os.open(folder / "log", os.O_CREAT | os.O_WRONLY)
        os.dup2(log, 1)
        os.dup2(log, 2)
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))  # a loop may never end
        plant(job.mutant)
        plugin = _Chosen(job.tests, folder / "events")
        files = dict.fromkeys(test.partition("::")[0] for test in job.tests)
        options = ["-q", "-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is imported
        options += [f"--basetemp={folder / 'tmp'}", *(["-x"] if job.stop else [])]
        code = int(pytest.main([*files, *options], plugins=[plugin]))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _read(folder: Path, outcome: Outcome) -> None:
    """Read the events of a child."""
    events = folder / "events"
    for line in events.read_text().splitlines() if events.exists() else ():
        kind, test, text = json.loads(line)
        if kind == "broken":
            outcome.broken = outcome.broken or f"{test}: {text}"
        elif kind == "start":
            outcome.running = test
        else:
            outcome.ended[test] = outcome.ended.get(test) or text
            outcome.running = ""
    if outcome.code not in (0, 1, 5) and not outcome.broken and not outcome.running:
        said = folder / "log"
        lines = said.read_text(errors="replace").split("\n") if said.exists() else []
        outcome.broken = " ".join(lines[-6:])[-200:] or f"exit code {outcome.code}"


class _Child:
    """A running job."""

    def __init__(self, job: Job) -> None:
        self.job, self.start = job, time.monotonic()
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.pid = os.fork()
        if not self.pid:
            _run_child(job, Path(self.folder.name))

    def outcome(self) -> Outcome | None:
        """Return the outcome if the job has ended, or has taken too long."""
        seconds = time.monotonic() - self.start
        late = seconds > self.job.most
        if late:
            self._kill()
        pid, status = os.waitpid(self.pid, 0 if late else os.WNOHANG)
        if not pid:
            return None
        self._kill()  # also the processes that tests started
        found = Outcome(code=os.waitstatus_to_exitcode(status), timed_out=late, seconds=seconds)
        _read(Path(self.folder.name), found)
        self.folder.cleanup()
        return found

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


def execute(jobs: Iterable[Job], at_once: int) -> Iterator[tuple[Job, Outcome]]:
    """Run jobs, some at once, and yield each with its outcome when it ends."""
    waiting, running = iter(jobs), []
    more = True
    while more or running:
        while more and len(running) < at_once:
            job = next(waiting, None)
            more = job is not None
            if job is not None:
                running.append(_Child(job))
        for child in [*running]:
            if (outcome := child.outcome()) is not None:
                running.remove(child)
                yield child.job, outcome
        time.sleep(0.02)
