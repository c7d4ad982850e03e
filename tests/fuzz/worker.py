"""A process that makes malformed calls, and prints the outcome of each as a line.

    python -m tests.fuzz.worker BACKEND SEED EACH SKIP TARGETS...

It runs in an empty folder, with a memory limit. A call that takes too long in Python is interrupted
here; the reader of the lines ends a process that hangs in native code.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import resource
import signal
import sys
import tempfile
import warnings
from types import ModuleType
from typing import Any, Final

import numpy as np

import arrayapi_unify as unify
from arrayapi_unify import devices, dtypes
from arrayapi_unify.backends import handler
from arrayapi_unify.binding import namespace_of
from tests.differential.case import build
from tests.fuzz.malformed import malformed
from tests.fuzz.sorting import sort_of, text_of
from tests.fuzz.source import Call
from tests.fuzz.surface import target

__all__ = ["MEMORY", "SECONDS", "main"]

MEMORY: Final = 3 * 2**30
"""Limit of the data of a process, in bytes."""
SECONDS: Final = 6
"""Limit of the processor time of a call, in seconds."""


class Hang(BaseException):
    """A call that takes too long."""


def _interrupt(*args: Any) -> None:
    raise Hang


def _state() -> Any:
    return handler.stack(), dtypes.default_int(), dtypes.default_float(), handler.log_level


def _reset(backend: str, before: Any) -> None:
    """Undo a call's changes of settings."""
    if _state() == before and devices.preferred_device.get() is None:
        return
    while handler.stack():
        unify.unset_backend()
    unify.set_backend(backend)
    unify.set_default_int_dtype(dtypes.int64)
    unify.set_default_float_dtype(dtypes.float64)
    unify.set_default_complex_dtype(dtypes.complex128)
    while devices.preferred_device.get() is not None:
        devices.preferred_device.pop()
    unify.set_verbosity(0)


def _attempt(call: Call, xp: ModuleType, name: str) -> tuple[str, str]:
    """Make a call, and classify its outcome."""
    try:
        function = call.function(xp)
        args = [build(arg, xp) for arg in call.args]
        kwargs = {key: build(value, xp) for key, value in call.kwargs}
    except Exception as error:
        return "unmade", text_of(error)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 1)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*args, **kwargs)
    except Hang:
        return "hang", "interrupted"
    except Exception as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        return sort_of(error, name), text_of(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "taken", ""


def _limit(xp: ModuleType) -> None:
    np.asarray(xp.ones(2) + 1)  # allocates the framework's own memory
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_DATA, (used + MEMORY, used + MEMORY))


def main(arguments: list[str]) -> None:
    """Make the calls of some targets, but for those that were made before."""
    backend, seed, each, skip, *names = arguments
    out = os.fdopen(fcntl.fcntl(1, fcntl.F_DUPFD, 300), "w", buffering=1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 0)
    sys.stdout = io.TextIOWrapper(os.fdopen(null, "wb"))
    signal.signal(signal.SIGPROF, _interrupt)
    xp = namespace_of(backend)
    unify.set_backend(backend)  # of what has no arrays: layers and their variables
    before = _state()
    _limit(xp)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        number = 0
        for name in names:
            for k, (kind, call) in enumerate(malformed(target(name), int(each), int(seed))):
                number += 1
                if number <= int(skip):
                    continue
                print(json.dumps([name, k, kind, _text(call)]), file=out)
                print(json.dumps(_attempt(call, xp, name)), file=out)
                _reset(backend, before)


def _text(call: Call) -> str:
    text = repr(call)
    return text if len(text) <= 500 else text[:500] + "..."


if __name__ == "__main__":
    main(sys.argv[1:])
