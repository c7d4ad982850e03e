"""Threads that start together and switch as often as Python allows."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["COUNT", "at_once", "taking_turns"]

COUNT = 8
_TURN = 1e-5  # seconds, in place of Python's 5e-3


@contextmanager
def taking_turns() -> Iterator[None]:
    """Switch threads as often as Python allows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def at_once(task: Callable[[int], Any], count: int = COUNT) -> list[str]:
    """Run `task(number)` in the given number of threads, started together; return the errors."""
    barrier, errors = threading.Barrier(count), list[str]()

    def run(number: int) -> None:
        barrier.wait()
        try:
            task(number)
        except BaseException as error:
            errors.append("".join(traceback.format_exception(error)))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    with taking_turns():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return errors
