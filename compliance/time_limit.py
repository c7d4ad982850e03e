"""A pytest plugin: ends a test that takes too long, so that it fails and the others still run.

An alarm raises in the test. A library's own loop, which never gets back to Python, doesn't see it:
after some more seconds a thread that needs no lock of the interpreter ends the whole process, and
leaves behind which test it was and where it stood. pytest-xdist then starts another worker.

It is loaded with ``-p compliance.time_limit``. ``COMPLIANCE_TIME_LIMIT`` says how many seconds a
test may take, ``COMPLIANCE_HANGS`` in which folder a process says what it hangs in.
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
    """A test took too long. Hypothesis would try an `Exception` again, and tests catch some."""


class Watchdog:
    """Watches over the tests of this process."""

    def __init__(self, limit: float, folder: Path) -> None:
        """Allow each test `limit` seconds; the file in `folder` has this process's number."""
        self.limit = limit
        self.path = folder / str(os.getpid())
        self.file: TextIO | None = None

    def pytest_sessionfinish(self) -> None:
        """Close the file."""
        if self.file is not None:
            self.file.close()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Set both alarms for the time of one test."""
        alarms = _can_be_interrupted()
        if alarms:
            signal.signal(signal.SIGALRM, self._raise)
            signal.setitimer(signal.ITIMER_REAL, self.limit)
        faulthandler.dump_traceback_later(
            self.limit + max(2.0, self.limit / 10), exit=True, file=self._announce(item.nodeid)
        )
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()
            if alarms:
                signal.setitimer(signal.ITIMER_REAL, 0)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        raise TimeLimitError(f"the test was ended, since it took longer than {self.limit:g} s")

    def _announce(self, nodeid: str) -> TextIO:
        """Write down which test runs; where it hangs is added by the thread that ends it."""
        if self.file is None:
            self.file = self.path.open("a", encoding="utf-8")
        self.file.truncate(0)
        self.file.write(f"{nodeid}\n")
        self.file.flush()
        return self.file


def _can_be_interrupted() -> bool:
    """Whether this platform has alarms, and tests run where they arrive."""
    return hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()


def hung(folder: Path, nodeid: str) -> str:
    """Return where a test stood when its process was ended for it, or "" if that wasn't so."""
    for path in folder.iterdir():
        first, _, rest = path.read_text(encoding="utf-8", errors="replace").partition("\n")
        if first == nodeid and rest.startswith("Timeout"):
            return rest
    return ""


def pytest_configure(config: pytest.Config) -> None:
    """Watch over the tests that run in this process; with xdist, its workers run them."""
    if LIMIT in os.environ:
        watchdog = Watchdog(float(os.environ[LIMIT]), Path(os.environ[HANGS]))
        config.pluginmanager.register(watchdog, "compliance-time-limit")
