"""The documents' examples run, what refers to them resolves, what is generated is up to date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import arrayapi_unify as unify
from arrayapi_unify import _generate
from docs import __main__ as docs

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(block, id=f"{path.name}-{number}")
    for path in DOCUMENTS
    for number, block in enumerate(
        re.findall(r"^ *```python\n(.*?)^ *```$", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    )
]

DESIGN = ROOT / "docs" / "design.md"
BEHAVIOURS = ROOT / "docs" / "behaviours.md"
# A citation may go on in the next line of a comment or docstring.
HEADINGS = re.compile(r'docs/design\.md,[\s#]+"([^"]+)"')
NUMBERS = re.compile(r"Behaviours? ((?:\d+(?:, | and )?)+)")
LINKS = re.compile(r"\]\(([^)\s]+)\)")
FOLDERS = ("arrayapi_unify", "benchmarks", "compliance", "docs", "tests")
SOURCES = sorted(
    {
        *DOCUMENTS,
        *(path for ending in ("md", "toml", "ini") for path in ROOT.glob(f"*.{ending}")),
        *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")),
    }
    - {Path(__file__)}
)


def headings(document: Path) -> list[str]:
    return re.findall(r"^#+ (.*)$", document.read_text("utf-8"), re.MULTILINE)


def anchor(heading: str) -> str:
    """The way in which a heading is linked to."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def behaviours() -> set[int]:
    """The numbers of all behaviours."""
    return {int(n) for n in re.findall(r"^(\d+)\. ", BEHAVIOURS.read_text("utf-8"), re.MULTILINE)}


def numbers(path: Path) -> Iterator[int]:
    """The numbers of the behaviours that a file cites."""
    for cited in NUMBERS.findall(path.read_text("utf-8")):
        yield from map(int, re.findall(r"\d+", cited))


class TestReferences:
    def test_every_number_stands_once_and_in_order(self) -> None:
        text = BEHAVIOURS.read_text("utf-8")
        found = [int(number) for number in re.findall(r"^(\d+)\. ", text, re.MULTILINE)]
        assert found == list(range(1, len(found) + 1))

    def test_every_number_that_is_cited_exists(self) -> None:
        for path in SOURCES:
            assert set(numbers(path)) <= behaviours(), path.name

    def test_every_behaviour_is_tested(self) -> None:
        tests = [path for path in SOURCES if path.is_relative_to(ROOT / "tests")]
        tested = {number for path in tests for number in numbers(path)}
        assert behaviours() <= tested

    def test_every_heading_that_is_cited_exists(self) -> None:
        cited = set()
        for path in SOURCES:
            found = set(HEADINGS.findall(path.read_text("utf-8")))
            assert found <= set(headings(DESIGN)), path.name
            cited |= found
        assert len(cited) > 4

    def test_nothing_else_is_cited(self) -> None:
        """Whoever has the repository can open what it refers to."""
        for path in SOURCES:
            assert not re.search(r"\bDESIGN\b", path.read_text("utf-8")), path.name

    @pytest.mark.parametrize("path", [*DOCUMENTS, ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name)
    def test_links_lead_somewhere(self, path: Path) -> None:
        for link in LINKS.findall(re.sub(r"`[^`\n]*`", "", path.read_text("utf-8"))):
            name, _, place = link.partition("#")
            if "://" in link:
                continue
            target = path.parent / name if name else path
            assert target.exists(), link
            assert not place or place in map(anchor, headings(target)), link

    @pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
    def test_both_documents_are_linked_to(self, name: str) -> None:
        links = LINKS.findall((ROOT / name).read_text("utf-8"))
        assert {"docs/design.md", "docs/behaviours.md"} <= set(links)


class TestExamples:
    @pytest.mark.parametrize("block", BLOCKS)
    def test_python_blocks_run(self, block: str) -> None:
        indent = len(block) - len(block.lstrip(" "))
        source = "\n".join(line[indent:] for line in block.splitlines())
        exec(compile(source, "example", "exec"), {"unify": unify})

    def test_there_are_examples(self) -> None:
        assert len(BLOCKS) >= 4


class TestGenerated:
    def test_pages(self) -> None:
        assert docs.main(["--check"]) == 0

    def test_stubs_and_shapes(self) -> None:
        assert _generate.main(["--check"]) == 0

    def test_shapes_are_the_same_where_another_default_data_type_was_set(self) -> None:
        """Functions then follow the defaults in this process, for good; their source does not."""
        for name in unify.backends.names():
            with unify.use_backend(name), unify.default_dtype(unify.float32):
                half = unify.asarray([1]) / 2
            assert half.dtype == unify.float32
        assert _generate.main(["--check"]) == 0
