"""No page has a measured figure that no report has.

Times, sizes, shares and ratios in the text of pages are looked for, outside of code and of the
parts that are written from reports. Plain numbers without a unit can't be told from counts and
examples.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# The changelog and the promises have limits, and upstream.md is written from its measurements.
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(p for p in sorted((ROOT / "docs").glob("*.md")) if p.name != "upstream.md"),
]
# Figures that are constants of the code: the file that has each, and how.
CONSTANTS = {
    ("design.md", "four times"): ("arrayapi_unify/views/memory.py", "_BUDGET_FACTOR: Final = 4\n"),
    ("views.md", "four times"): ("arrayapi_unify/views/memory.py", "_BUDGET_FACTOR: Final = 4\n"),
    ("behaviours.md", "1 MiB"): ("arrayapi_unify/backends/dask/_kept.py", "2**20\n"),
    ("larger_than_memory.md", "1 MiB"): ("arrayapi_unify/backends/dask/_kept.py", "2**20\n"),
    ("testing.md", "2.5 GB"): ("tests/workers.py", "_MEMORY_OF_ONE: Final = 2.5e9\n"),
    ("testing.md", "1.7 GB"): ("tests/conftest.py", "_RESIDENT: Final = 1.7e9\n"),
    ("testing.md", "10,000 times"): ("tests/views/interruptions.py", "default=10_000"),
}

_UNIT = (
    r"(?:ns|µs|us|ms|s|microseconds?|milliseconds?|seconds?|minutes?|hours?|[KMGT]i?B|kB|%|percent"
    r"|times)"
)
_NUMBER = (
    r"\d[\d,]*(?:\.\d+)?|half an?|a (?:third|quarter|fraction) of an?|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|a hundred"
)
_FIGURE = re.compile(rf"(?<![\w.^/-])(?:{_NUMBER})[\s-]{_UNIT}(?!\w)", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"^ *```.*?^ *```|`[^`\n]*`|<!-- (\w+) -->.*?<!-- /\1 -->", re.DOTALL | re.MULTILINE
)


pytestmark = pytest.mark.quick


def figures(markdown: str) -> list[str]:
    """The figures of a page's text, each with its unit."""
    found = _FIGURE.findall(_LEFT_OUT.sub("", markdown))
    return [re.sub(r"\s+", " ", figure) for figure in found]


@pytest.fixture(scope="module")
def reported() -> set[str]:
    """The figures of all reports."""
    texts = (path.read_text("utf-8") for path in sorted((ROOT / "reports").glob("*.md")))
    return {figure for text in texts for figure in figures(text)}


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.name)
def test_figures_are_those_of_reports(path: Path, reported: set[str]) -> None:
    for figure in figures(path.read_text("utf-8")):
        assert figure in reported or (path.name, figure) in CONSTANTS, figure


@pytest.mark.parametrize(("page", "figure"), CONSTANTS)
def test_constants_are_those_of_the_code(page: str, figure: str) -> None:
    file, text = CONSTANTS[page, figure]
    assert text in (ROOT / file).read_text("utf-8")
    assert figure in figures((ROOT / "docs" / page).read_text("utf-8"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A call takes 30 µs more.", ["30 µs"]),
        ("It took 6 minutes and 7.7 GB.", ["6 minutes", "7.7 GB"]),
        ("costs a fraction of a microsecond more", ["a fraction of a microsecond"]),
        ("is 1.5 times\nas fast, or 20 % slower", ["1.5 times", "20 %"]),
        ("takes about ten minutes", ["ten minutes"]),
        ("`sleep(3 s)` and\n```\n5 ms\n```\nand <!-- cost -->\n7 ns\n<!-- /cost -->", []),
        ("Two dimensions, 3 axes, B53, float32", []),
    ],
)
def test_figures_are_noticed(text: str, found: list[str]) -> None:
    assert figures(text) == found


def test_reports_have_figures(reported: set[str]) -> None:
    assert {"7.4 GB", "2.3 GB"} <= reported
