"""Runs groups of targets in processes that may crash, and restarts after the crashing call."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tests.fuzz.worker import MEMORY

__all__ = ["Made", "run"]

_GROUP: Final = 80
# Limits beyond which a process is ended: it hangs in native code, or exceeds its memory.
_SECONDS: Final = 90.0
_RESIDENT: Final = 2 * MEMORY


@dataclass
class Made:
    """A malformed call, and its outcome."""

    target: str
    number: int
    kind: str
    text: str
    sort: str
    message: str


def run(backend: str, names: list[str], each: int, seed: int) -> list[Made]:
    """Make the malformed calls of all targets on a backend."""
    made: list[Made] = []
    for start in range(0, len(names), _GROUP):
        group, done = names[start : start + _GROUP], 0
        while True:
            ended = False
            for one in _process(backend, group, each, seed, done):
                done += 1
                ended = one.sort == "end" or (one.sort == "hang" and one.message == "killed")
                if one.sort != "unmade":
                    made.append(one)
            if not ended:
                break
    return made


def _process(backend: str, names: list[str], each: int, seed: int, skip: int) -> Iterator[Made]:
    """Make the calls of a group in one process, up to its end."""
    command = [sys.executable, "-m", "tests.fuzz.worker", backend, str(seed), str(each), str(skip)]
    process = subprocess.Popen(
        [*command, *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=False
    )
    begun: list[Any] | None = None
    try:
        for line in _lines(process):
            if begun is None:
                begun = json.loads(line)
            else:
                yield Made(*begun, *json.loads(line))
                begun = None
    except TimeoutError:
        process.kill()
        if begun is None:
            raise
        yield Made(*begun, "hang", "killed")
        return
    finally:
        if begun is not None:
            process.kill()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        code = process.wait()
    if begun is not None:
        yield Made(*begun, "end", f"exit code {code}")
    elif code:
        raise RuntimeError(f"the process of {names} on {backend} ended with {code}")


def _lines(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """Read the lines of a process; end it after a long silence, or if memory runs out."""
    assert process.stdout
    assert process.stderr
    selector, rest, since = selectors.DefaultSelector(), b"", time.monotonic()
    for stream in (process.stdout, process.stderr):
        selector.register(stream, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select(1.0):
            data = os.read(key.fd, 1 << 16)
            if key.fileobj is process.stderr:
                if not data:
                    selector.unregister(process.stderr)
                continue
            if not data:
                return
            since = time.monotonic()
            *lines, rest = (rest + data).split(b"\n")
            yield from lines
        if time.monotonic() - since > _SECONDS:
            raise TimeoutError
        if _resident(process.pid) > _RESIDENT:
            process.kill()


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
