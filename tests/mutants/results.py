"""Results of mutants, a line each in a file, and the comparison of two files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from tests.mutants.draw import area

__all__ = ["LEAST", "NOTICED", "Result", "add", "compare", "left", "read", "summary"]

LEAST: Final = 0.99
NOTICED: Final = ("noticed", "timed out", "crashed")


@dataclass(frozen=True)
class Result:
    """The end of one mutant: noticed, timed out, crashed, survived or uncovered."""

    id: str
    status: str
    by: str
    """The test that noticed it."""
    message: str
    tests: int
    seconds: float

    @property
    def noticed(self) -> bool:
        return self.status in NOTICED


def add(file: Path, result: Result) -> None:
    """Write a result at the end of a file."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(asdict(result)) + "\n")


def read(file: Path) -> dict[str, Result]:
    """Read results by id; of several with one id, the last."""
    file = file / "results.jsonl" if file.is_dir() else file
    if not file.exists():
        return {}
    lines = (line for line in file.read_text(encoding="utf-8").splitlines() if line.endswith("}"))
    return {found["id"]: Result(**found) for found in map(json.loads, lines)}


def left(ids: Iterable[str], known: dict[str, Result], again: bool) -> list[str]:
    """Return the ids without a result; to repeat survivors, the ids that weren't noticed."""
    return [name for name in ids if name not in known or (again and not known[name].noticed)]


def summary(results: dict[str, Result]) -> str:
    """Render the numbers of each status."""
    counts = Counter(result.status for result in results.values())
    return ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))


def compare(old: dict[str, Result], new: dict[str, Result]) -> tuple[list[str], float]:
    """Return lines about two runs, and the share of the old one's notices that the new one has."""
    lines = [f"{'area':<22}{'mutants':>8}{'old':>6}{'new':>6}"]
    areas = dict.fromkeys(area(name.split(":")[0]) for name in old)
    for prefix in areas:
        names = [name for name in old if area(name.split(":")[0]) == prefix]
        counts = [sum(n in r and r[n].noticed for n in names) for r in (old, new)]
        lines.append(f"{prefix:<22}{len(names):>8}{counts[0]:>6}{counts[1]:>6}")
    before = [name for name, result in old.items() if result.noticed]
    lost = [name for name in before if name not in new or not new[name].noticed]
    share = 1 - len(lost) / max(len(before), 1)
    for name in lost:
        status = new[name].status if name in new else "not run"
        lines.append(f"lost: {name} ({status}), which {old[name].by} noticed")
    lines.append(f"{len(before) - len(lost)} of {len(before)} noticed: {100 * share:.1f} %")
    return lines, share
