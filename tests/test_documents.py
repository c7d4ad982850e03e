"""The documents' examples run, and what is generated is up to date."""

from __future__ import annotations

import re
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

    def test_stubs(self) -> None:
        assert _generate.main(["--check"]) == 0
