"""Counts of the arrays of a run: each of its processes writes its own, and they are added up."""

import json
import os
from collections import Counter
from pathlib import Path

FOLDER = "COMPLIANCE_COUNTS"  # the environment variable with the folder of the counts


class Writer:
    """A pytest plugin that writes counts when the process has run its tests.

    Processes that make no arrays, such as xdist's controller, add zeros.
    """

    def __init__(self, counted: dict[str, int]) -> None:
        """Write the counts as they are in the end."""
        self.counted = counted

    def pytest_sessionfinish(self) -> None:
        """Write the counts, if a folder is named."""
        if folder := os.environ.get(FOLDER):
            path = Path(folder) / f"{os.getpid()}.json"
            path.write_text(json.dumps(self.counted), encoding="utf-8")


def total(folder: Path) -> dict[str, int]:
    """Return the sums over all processes."""
    found: Counter[str] = Counter()
    for path in sorted(folder.iterdir()):
        found.update(json.loads(path.read_text(encoding="utf-8")))
    return {name: found[name] for name in sorted(found)}
