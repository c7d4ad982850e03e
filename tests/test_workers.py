"""The number of workers of `pytest -n auto`."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests import workers

GIB = 2**30
pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("cores", "memory", "number"),
    [(16, 64 * GIB, 16), (16, 8 * GIB, 3), (2, 24 * GIB, 2), (4, GIB, 1), (4, math.inf, 4)],
)
def test_cores_and_memory(cores: int, memory: float, number: int) -> None:
    assert workers.workers(cores, memory) == number


def test_this_machine() -> None:
    assert 1 <= workers.workers(workers.cores(), workers.memory()) <= workers.cores()


def system(root: Path, files: dict[str, str]) -> Path:
    """Write the files of a system with 8 GiB of available memory."""
    for name, text in {
        "proc/meminfo": "MemFree: 1 kB\nMemAvailable: 8388608 kB\n",
        **files,
    }.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("files", "memory"),
    [
        ({}, 8 * GIB),
        # Version 2: no limit, one of the group above, and one with a cache of files.
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n"}, 8 * GIB),
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                "sys/fs/cgroup/a/memory.max": f"{3 * GIB}\n",
                "sys/fs/cgroup/a/memory.current": f"{GIB}\n",
            },
            2 * GIB,
        ),
        (
            {
                "proc/self/cgroup": "0::/\n",
                "sys/fs/cgroup/memory.max": f"{3 * GIB}\n",
                "sys/fs/cgroup/memory.current": f"{3 * GIB}\n",
                "sys/fs/cgroup/memory.stat": f"anon 5\ninactive_file {GIB}\n",
            },
            GIB,
        ),
        # Version 1.
        (
            {
                "proc/self/cgroup": "5:cpu:/a\n4:memory:/a\n0::/\n",
                "sys/fs/cgroup/memory/a/memory.limit_in_bytes": f"{4 * GIB}\n",
                "sys/fs/cgroup/memory/a/memory.usage_in_bytes": f"{GIB}\n",
            },
            3 * GIB,
        ),
    ],
)
def test_memory_of_a_group(files: dict[str, str], memory: int, tmp_path: Path) -> None:
    assert workers.memory(system(tmp_path, files)) == memory


def test_memory_of_another_system(tmp_path: Path) -> None:
    assert workers.memory(tmp_path) > GIB
