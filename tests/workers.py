"""The number of workers of `pytest -n auto`: one for each core, and 2.5 GB of memory for each."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["cores", "memory", "workers"]

# A worker loads all frameworks, and drops compiled programs above 1.7 GB (tests/conftest.py).
_MEMORY_OF_ONE: Final = 2.5e9
# The files of a control group, of version 2 and 1: its limit, its use, and the part of the use in
# `memory.stat` that is a cache of files, which the system drops.
_GROUPS: Final = {
    "": ("memory.max", "memory.current", "inactive_file"),
    "memory": ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}


def workers(cores: int, memory: float) -> int:
    """Return the number of workers for a number of cores and of available bytes, at least one."""
    return int(max(1, min(cores, memory / _MEMORY_OF_ONE)))


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory(root: Path = Path("/")) -> float:
    """Return the available memory in bytes; infinity if the system doesn't report it.

    On Linux a control group may have less than the system. macOS reports its whole memory.
    """
    found = [*_of_the_system(root), *_of_groups(root)]
    if not found and hasattr(os, "sysconf"):
        found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    return min(found, default=math.inf)


def _of_the_system(root: Path) -> Iterator[int]:
    for kilobytes in re.findall(r"^MemAvailable: +(\d+)", _read(root / "proc/meminfo"), re.M):
        yield int(kilobytes) * 1024


def _of_groups(root: Path) -> Iterator[int]:
    """Yield the memory that is left to this process's control group, and to its ancestors."""
    for kind, path in re.findall(r"^\d+:(memory|):/(.*)$", _read(root / "proc/self/cgroup"), re.M):
        top = root / "sys/fs/cgroup" / kind
        own = top / path
        limit, used, cached = _GROUPS[kind]
        for group in (own, *own.parents):
            most, now = _read(group / limit).strip(), _read(group / used)
            if group.is_relative_to(top) and most.isdecimal() and now:
                cache = re.search(rf"^{cached} (\d+)", _read(group / "memory.stat"), re.M)
                yield int(most) - int(now) + int(cache[1] if cache else 0)


def _read(path: Path) -> str:
    """Return the text of a file of the system, or none if there is no such file."""
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""
