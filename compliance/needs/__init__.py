"""The names and data types of the standard that each test of the pinned suite needs.

`needs.json` has them, as `record.py` measured them. So tests that can't run for the absence of a
name are known without running them, and so is the number of tests that a name would let run.
"""

import json
import re
import sys
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..suite import API_VERSION

FILE = Path(__file__).with_name("needs.json")
# Special cases that the suite finds by the indentation of docstrings, which Python 3.13 strips.
_INDENTED = (
    *(f"{name}(x_i.is_integer()) -> x_i" for name in ("ceil", "floor", "trunc")),
    "clip(x_i is NaN) -> NaN",
)
# Tests with data types as parameters, which have numbers in place of the names of some libraries'.
_NUMBERED = re.compile(r"(?P<test>.*::test_(?P<kind>[fi])info(?:_dtype)?)\[dtype(?P<place>\d+)\]")
_ORDER = {
    "i": ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    "f": ("float32", "float64", "complex64", "complex128"),
}
NO_COMPLEX = ("complex64", "complex128")


@dataclass(frozen=True)
class Needs:
    """The contents of the file."""

    names: dict[str, tuple[str, ...]]  # by the test's id
    real: dict[str, tuple[str, ...]]  # where the library has no complex numbers
    dtypes: tuple[tuple[frozenset[str], frozenset[str]], ...]  # without these, these tests fail
    skipped: frozenset[str] = frozenset()  # by the suite itself, whatever is there


@cache
def _read() -> Needs:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    sets, tests = [tuple(names) for names in data["sets"]], data["tests"]
    strips = sys.version_info >= (3, 13)
    gone = [f"test_special_cases.py::test_unary[{case}]" for case in _INDENTED if strips]
    there = [row for row in tests if not row[0].endswith(tuple(gone))]
    return Needs(
        {test: sets[place] for test, place, _ in there},
        {test: sets[place] for test, _, place in there},
        tuple(
            (frozenset(without), frozenset(tests[place][0] for place in fail))
            for without, fail in data["dtypes"]
        ),
        frozenset(tests[place][0] for place in data["skipped"]),
    )


def named(nodeid: str, absent: Collection[str] = ()) -> str:
    """Return the id of a test with the name of its data type in place of a number."""
    match = _NUMBERED.fullmatch(nodeid)
    if match is None:
        return nodeid
    there = [name for name in _ORDER[match["kind"]] if name not in absent]
    place = int(match["place"])
    return f"{match['test']}[{there[place]}]" if place < len(there) else nodeid


def of(pinned: bool, api_version: str) -> Needs | None:
    """Return the needs of the pinned suite's tests, or None of another suite or version."""
    return _read() if pinned and api_version == API_VERSION else None
