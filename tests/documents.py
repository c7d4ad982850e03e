"""The blocks of a page in Markdown: what language each is in, and what comes of running them."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Block", "blocks", "run"]

_FENCED = re.compile(r"^( *)(```+)([^\n`]*)\n(.*?)^\1\2 *$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One block: its language, its text without a margin, and the line on which that begins."""

    language: str
    text: str
    line: int
    shown: bool = False
    """Whether the block before it is Python, and nothing stands between: then it printed this."""


def blocks(path: Path) -> list[Block]:
    """Read the blocks of a page."""
    page = path.read_text("utf-8")
    found: list[Block] = []
    end = 0
    for match in _FENCED.finditer(page):
        margin, _, language, text = match.groups()
        text = "".join(line.removeprefix(margin) for line in text.splitlines(keepends=True))
        after_code = bool(found) and found[-1].language == "python"
        shown = language == "text" and after_code and not page[end : match.start()].strip()
        found.append(Block(language.strip(), text, page.count("\n", 0, match.start(4)), shown))
        end = match.end()
    return found


def run(path: Path, names: dict[str, Any]) -> list[str]:
    """Run a page from its beginning to its end, as a reader would; return what isn't so."""
    wrong: list[str] = []
    printed = ""
    for block in blocks(path):
        place = f"{path.name}, line {block.line + 1}"
        if block.language == "python":
            source = "\n" * block.line + block.text
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(source, str(path), "exec"), names)
            printed = output.getvalue()
        elif block.language == "pycon":
            test = doctest.DocTestParser().get_doctest(block.text, names, place, None, block.line)
            doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=wrong.append)
        elif block.shown and printed != block.text:
            wrong.append(f"{place}: printed is\n{printed}and shown is\n{block.text}")
    return wrong
