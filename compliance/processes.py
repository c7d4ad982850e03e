"""Measuring processes: each in its own group, of which nothing remains."""

import contextlib
import os
import signal
import subprocess
import tempfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from .errors import Interrupted

LOG_LINES = 15
# PYTHONOPTIMIZE would remove a suite's assertions, the next two can turn warnings into failures,
# and with the last a suite could not import modules from its own folder.
PYTHON_VARIABLES = (
    "PYTHONOPTIMIZE",
    "PYTHONWARNINGS",
    "PYTHONWARNDEFAULTENCODING",
    "PYTHONSAFEPATH",
)


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A temporary folder."""
    with tempfile.TemporaryDirectory(prefix="compliance-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@contextlib.contextmanager
def running(
    command: list[str], cwd: Path, environment: dict[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process in its own group, and end the whole group in any case."""
    process = None
    try:
        with log.open("wb") as stream:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        yield process
    finally:
        if process is not None:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and its workers, which a crashed controller doesn't end."""
    group_signal = getattr(os, "killpg", None)
    if group_signal is None:  # no process groups on this platform
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            group_signal(process.pid, signal.SIGKILL)
    process.wait()


def wait(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end, or for the user to stop it."""
    try:
        process.wait()
    except KeyboardInterrupt:
        raise Interrupted("Interrupted.", "No report was changed.") from None


def tail(log: Path) -> str:
    """The last lines of the process's output, which usually contain the reason."""
    with log.open(encoding="utf-8", errors="replace") as stream:
        return "".join(deque(stream, maxlen=LOG_LINES)).strip()
