"""A pytest plugin: ends a test that takes too long, so that it fails and the others still run.

An alarm raises in the test, repeatedly, because the exception may be swallowed (in a callback of
the garbage collector, or a clause that raises another one). A library's own loop, which never
returns to Python, isn't interrupted. After some more seconds, a thread without the interpreter's
lock ends the whole process, and records the test and its position. pytest-xdist then starts another
worker.

It is loaded with ``-p compliance.time_limit``. ``COMPLIANCE_TIME_LIMIT`` is the limit of a test in
seconds, ``COMPLIANCE_HANGS`` the folder in which a process records the position of a hang.
"""

import faulthandler
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TextIO

import pytest

LIMIT = "COMPLIANCE_TIME_LIMIT"
HANGS = "COMPLIANCE_HANGS"


class TimeLimitError(BaseException):
    """A test took too long; no `Exception`, which Hypothesis would retry and tests may catch."""


class Watchdog:
    """Watches the tests of this process."""

    def __init__(self, limit: float, folder: Path) -> None:
        """Allow each test `limit` seconds; the file in `folder` has this process's number."""
        self.limit = limit
        self.path = folder / str(os.getpid())
        self.file: TextIO | None = None
        self.over = False  # True if the time of the running test is over

    def pytest_sessionfinish(self) -> None:
        """Close the file."""
        if self.file is not None:
            self.file.close()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Set both alarms for the time of one test."""
        self.over = False
        try:
            try:
                self._start(item.nodeid)
                yield
                if self.over:  # it continued after the alarm
                    raise self._error()
            finally:
                _stop()
        except BaseException as error:
            if not self.over:
                raise
            raise self._error() from error  # any consequence of the alarm
        finally:
            _stop()  # an alarm may have come before the first one

    def _start(self, nodeid: str) -> None:
        later = max(2.0, self.limit / 10)
        if _can_be_interrupted():
            signal.signal(signal.SIGALRM, self._raise)
            signal.setitimer(signal.ITIMER_REAL, self.limit, later / 10)
        file = self._announce(nodeid)
        faulthandler.dump_traceback_later(self.limit + later, exit=True, file=file)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        self.over = True
        raise self._error()

    def _error(self) -> TimeLimitError:
        return TimeLimitError(f"the test was ended, since it took longer than {self.limit:g} s")

    def _announce(self, nodeid: str) -> TextIO:
        """Record the running test; the thread that ends it adds the position."""
        if self.file is None:
            self.file = self.path.open("a", encoding="utf-8")
        self.file.truncate(0)
        self.file.write(f"{nodeid}\n")
        self.file.flush()
        return self.file


def _stop() -> None:
    """Cancel both alarms."""
    if _can_be_interrupted():
        signal.setitimer(signal.ITIMER_REAL, 0)
    faulthandler.cancel_dump_traceback_later()


def _can_be_interrupted() -> bool:
    """Return True if the platform has alarms, and tests run in the main thread, which gets them."""
    return hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()


def hung(folder: Path, nodeid: str) -> str:
    """Return the position of a test that hung until its process was ended, or ""."""
    for path in folder.iterdir():
        first, _, rest = path.read_text(encoding="utf-8", errors="replace").partition("\n")
        if first == nodeid and rest.startswith("Timeout"):
            return rest
    return ""


def pytest_configure(config: pytest.Config) -> None:
    """Watch the tests that run in this process; with xdist, its workers run them."""
    if LIMIT in os.environ:
        watchdog = Watchdog(float(os.environ[LIMIT]), Path(os.environ[HANGS]))
        config.pluginmanager.register(watchdog, "compliance-time-limit")
