"""Words of the project: texts begin with a noun or a verb, and retired words stay retired.

The first rule holds docstrings, comments, and the paragraphs and list items of pages. A retired
word is a pattern with the context in which it is retired, never a bare word of ordinary English.
"""

from __future__ import annotations

import ast
import functools
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.tables import each

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("arrayapi_unify", "benchmarks", "compliance", "docs", "tests")
QUESTIONS: Final = frozenset({"What", "Which", "Where", "How", "Who", "Whether"})
# Of hundreds of files, only those with such a word after a quote or a hash are parsed.
SUSPECT: Final = re.compile(rf"[\"'#][\"'#\s,.:;`*]*({'|'.join(sorted(QUESTIONS))})\b")

PROSE: Final = ("*.md", "*.py")
SOURCE: Final = ("*.py",)
# A pattern, the files in which it is retired, and the word that took its place (docs/glossary.md).
RETIRED: Final = [
    (r"\b(both|each|every|all) doors?\b", PROSE, "entry point"),
    (r"\bmisfits?\b", PROSE, "invalid argument, mismatch"),
    (r"\bArrayWithHabits\b|\bhabits\.py\b", PROSE, "NumPy methods"),
    (r"\b(is|was|are|were) (lent|on loan)\b|\bloans\.py\b", PROSE, "mirror"),
    (r"\bHALVES\b|\bis_half\b|\bhas_halves\b", PROSE, "reduced precision"),
    (r"-m walk\b|mark\.walk\b|\bwalk_on\b", PROSE, "slow"),
    (r"\bbehind our back\b", PROSE, "outside our control"),
    (r"\bin one breath\b", PROSE, "overview"),
    (r"\bHANDING_ON\b|\bFlavour\b|\bCodegenOptions\b", SOURCE, "Renderer"),
    (
        r"\bFOLLOWED\b|\bis_followed\b|\bREFRESHED_LATER\b|\bBOUND_AT_ONCE\b",
        SOURCE,
        "emulated view",
    ),
    (r"\bnote_window\b|\bis_window\b|\bwrap_windows\b", SOURCE, "alias"),
    (r"\bcame_from_callback\b", SOURCE, "raised_in_callback"),
    (r"\bremembering\b|\brunning_on\b|\bnative_or_body\b", SOURCE, "cache, body backend, fallback"),
    (r"\binterposed\b|\bLiveTrace\b|\bStagedTrace\b", SOURCE, "patched, eager, abstract trace"),
    (r"\bCorruption\b|\bexcuses\b", SOURCE, "mutant, accepted difference"),
    (r"tests/memory/|tests\.memory\b", PROSE, "tests/views"),
    (r"\bmark `walk`|\bbears? the mark\b|\bthat bears `", PROSE, "has the mark"),
    (r"\bbehind your back\b|\bbehind the report's back\b", PROSE, "implicitly, unnoticed"),
    (r"\b(library|framework|backend|compiler|tracer|function|class)s? knows? of\b", PROSE, "has"),
    (r"\bits sisters\b", PROSE, "the other ones"),
    (r"\bsays (so )?loudly\b", PROSE, "warns"),
    (r"\b(with|without) a look at\b|\bin one look\b", PROSE, "check, scan"),
    (r"\b(to|a|the) halves\b(?! of)|\bbetween two halves\b", PROSE, "float16 or bfloat16"),
    (r"\b(is|was) told (to|by|what|which)\b", PROSE, "gets, is configured"),
    (r"\bNobody (asked|says|else)\b|\bsomebody (asks|wrote|traces|knows)\b", PROSE, "no code"),
    (r"\b[Ww]hoever (has|knows|reads|runs|shares|looks|asks|changes)\b", PROSE, "code that"),
    (r"\bIn what language\b|\bwhat becomes of (it|them|a call)\b", PROSE, "the result"),
    (r"\bCome from (Ivy|array-api-compat)\b", PROSE, "Migrating from"),
    (r"\bdocs/design\.md, \"(Memory|Derivatives)\"", PROSE, "Views, Gradients"),
]


pytestmark = pytest.mark.quick


def _files(*patterns: str) -> Iterator[Path]:
    for package in PACKAGES:
        for pattern in patterns:
            yield from (ROOT / package).rglob(pattern)
    if "*.py" in patterns:
        yield ROOT / "setup.py"
    if "*.md" in patterns:
        yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))


@functools.cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _suspects() -> dict[str, str]:
    texts = {str(path.relative_to(ROOT)): _text(path) for path in _files("*.py")}
    assert len(texts) > 500
    return {path: text for path, text in texts.items() if SUSPECT.search(text)}


def beginning(text: str) -> str:
    """Return the first word of a text."""
    return next(iter(text.split()), "").strip("\"',.:;`*")


def _comments(text: str) -> Iterator[str]:
    """Yield the first lines of comments; consecutive lines are one comment."""
    last = -1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, alone = token.start[0], token.line.lstrip().startswith("#")
            if not alone or row != last + 1:
                yield token.string.lstrip("# ")
            last = row if alone else -1


def _paragraphs(page: str) -> Iterator[str]:
    """Yield the headings, paragraphs and list items of a page, without tables and blocks."""
    text = re.sub(r"^ *```.*?^ *```", "", page, flags=re.DOTALL | re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        begun = re.sub(r"^\s*(?:(?:[-*]|\d+\.|#+) )?", "", paragraph)
        if not begun.startswith(("|", "<!--")):
            yield begun


def _asking(texts: Iterator[str]) -> list[str]:
    """Return the first lines of texts that begin with a question word."""
    return [text.splitlines()[0] for text in texts if beginning(text) in QUESTIONS]


def _questions(text: str) -> list[str]:
    """Return the first lines of docstrings that begin with a question word."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))
    found = [text for node in nodes if (text := ast.get_docstring(node))]
    return [text.splitlines()[0] for text in found if beginning(text) in QUESTIONS]


def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    found = {path: _questions(text) for path, text in _suspects().items()}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_comments_begin_with_a_noun_or_a_verb() -> None:
    found = {path: _asking(_comments(text)) for path, text in _suspects().items()}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_paragraphs_begin_with_a_noun_or_a_verb() -> None:
    pages = [*_files("*.md"), *ROOT.joinpath("reports").rglob("*.md")]
    texts = {str(path.relative_to(ROOT)): _text(path) for path in pages}
    found = {path: _asking(_paragraphs(text)) for path, text in texts.items()}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_a_question_in_a_comment_or_page_is_noticed() -> None:
    code = "x = 1  # What it is.\n# How it is\n# Where it goes on.\ny = '# Who'\n# The one.\n"
    assert _asking(_comments(code)) == ["What it is.", "How it is"]
    assert SUSPECT.search(code)
    page = "# What\n\nA page.\nWhat\n\n- Who\n- the\n\n```python\nWhere\n```\n\nWhether so.\n"
    assert _asking(_paragraphs(page)) == ["What", "Who", "Whether so."]


def test_a_question_is_noticed() -> None:
    text = 'class A:\n    """What it is."""\n    def f(self):\n        """Whether so."""\n'
    assert _questions(text) == ["What it is.", "Whether so."]
    assert SUSPECT.search(text)
    assert _questions('"""The word."""\ndef f():\n    """Return what it is."""\n') == []


@each("pattern, files, now", RETIRED)
def test_retired_words_stay_retired(pattern: str, files: tuple[str, ...], now: str) -> None:
    here = (Path(__file__), ROOT / "docs" / "glossary.md")
    # Python finds a literal beginning in a tenth of the time that a boundary of words takes.
    wider, exact = re.compile(pattern.replace(r"\b", "")).search, re.compile(pattern).search
    texts = {path: _text(path) for path in _files(*files) if path not in here}
    found = [str(path) for path, text in texts.items() if wider(text) and exact(text)]
    assert found == [], f"the word is: {now}"
