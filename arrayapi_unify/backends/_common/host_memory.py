"""The memory of the host, in bytes, as the operating system counts it."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

__all__ = ["total", "used"]


def _meminfo() -> dict[str, int]:
    """Return Linux's counters; empty elsewhere."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return {}
    return {line.partition(":")[0]: int(line.split()[1]) * 1024 for line in lines}


def total() -> int:
    """Return how much memory the machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def used(process_specific: bool) -> int:
    """Return how much is in use, by everybody or by this process."""
    if process_specific:
        return _of_this_process()
    available = _meminfo().get("MemAvailable")
    if available is None:
        available = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    return total() - available


def _of_this_process() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        # The most it ever had is all that POSIX tells; macOS counts bytes, others kilobytes.
        resource = importlib.import_module("resource")  # missing on Windows
        peak: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")
