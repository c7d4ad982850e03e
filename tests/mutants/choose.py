"""Choose tests that execute a mutant's lines, cheap and specific ones first."""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from tests.mutants.draw import Mutant, area
from tests.mutants.tracing import IMPORT

__all__ = ["CoverageMap", "Limits"]

# Code that runs once for a function or class in each process, so that the map has its first test.
_CACHED: Final = ("binding/", "rendering/", "contracts/", "array_object/")
_FEW: Final = 5


@dataclass(frozen=True)
class Limits:
    """Limits of a selection: of tests, of their seconds in the map's run, and of files."""

    tests: int = 60
    seconds: float = 60
    files: int = 12
    supplement: int = 25
    """Tests that each part of the supplement adds."""


class CoverageMap:
    """A coverage map, as `tracing.merged` returns it."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.tests: dict[str, list[str]] = found["tests"]
        self.durations: dict[str, float] = found["durations"]
        self.breadth = Counter(test for tests in self.tests.values() for test in tests)
        self._words: dict[str, list[str]] = defaultdict(list)
        for test in self.durations:
            for word in {*re.findall(r"\w+", test.partition("[")[2] or test)}:
                self._words[word].append(test)

    def choose(self, mutant: Mutant, limits: Limits) -> list[str]:
        """Choose tests for a mutant."""
        found = self.tests.get(mutant.id, [])
        covering = [test for test in found if test != IMPORT]
        few = len(covering) < _FEW or IMPORT in found or mutant.file.startswith(_CACHED)
        chosen = self._spread(covering, mutant, limits)
        chosen = sorted(chosen, key=lambda test: self._cost(test) * self.breadth[test])
        if few:
            chosen += self._supplement(mutant, limits.supplement)
        return [*dict.fromkeys(chosen)]

    def _spread(self, tests: list[str], mutant: Mutant, limits: Limits) -> list[str]:
        """Take tests of several files in turns, within the limits."""
        by_file: dict[str, list[tuple[int, int, float, str]]] = defaultdict(list)
        cases: Counter[str] = Counter()
        for test in sorted(tests, key=lambda test: (self._cost(test), test)):
            name = test.partition("[")[0]
            by_file[test.partition("::")[0]].append(
                (cases[name], self.breadth[test], self._cost(test), test)
            )
            cases[name] += 1  # one case of each test, then a second one
        folders = _mirrored(mutant)

        def rank(file: str) -> tuple[bool, float, str]:
            breadth = sum(one[1] for one in by_file[file]) / len(by_file[file])
            return not file.startswith(folders), breadth, file

        files = sorted(by_file, key=rank)[: limits.files]
        turns = [
            (i, rank(file), test)
            for file in files
            for i, (*_, test) in enumerate(sorted(by_file[file]))
        ]
        chosen, seconds = [], 0.0
        for *_, test in sorted(turns):
            cost = self._cost(test)
            if len(chosen) < limits.tests and seconds + cost <= limits.seconds:
                chosen.append(test)
                seconds += cost
        return chosen or sorted(tests, key=self._cost)[:1]

    def _supplement(self, mutant: Mutant, number: int) -> list[str]:
        """Return tests of the mirrored folder, of the function, and of many functions on NumPy."""
        names = {*mutant.function.split("."), PurePosixPath(mutant.file).stem}
        folders = _mirrored(mutant)
        pools = (
            [t for name in sorted(names) for t in self._words.get(name.strip("_"), ())],
            [test for test in self.durations if test.startswith(folders)],
            [t for t in self.durations if t.startswith("tests/differential/") and "numpy" in t],
        )
        return [test for pool in pools for test in self._sample(pool, number)]

    def _sample(self, tests: Iterable[str], number: int) -> list[str]:
        quick = [test for test in tests if self._cost(test) < 2]
        return sorted(quick, key=lambda test: zlib.crc32(test.encode()))[:number]

    def _cost(self, test: str) -> float:
        return self.durations.get(test, 0.0) + 0.01


def _mirrored(mutant: Mutant) -> tuple[str, ...]:
    """Return the folders of tests of a mutant's area."""
    return ("tests/" + area(mutant.file).replace("_common/", ""),)
