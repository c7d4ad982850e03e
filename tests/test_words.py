"""Words of the project: docstrings begin with a noun or a verb, and retired words stay retired."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("arrayapi_unify", "benchmarks", "compliance", "docs", "tests")
QUESTIONS: Final = frozenset({"What", "Which", "Where", "How", "Who", "Whether"})

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
]


def _files(*patterns: str) -> Iterator[Path]:
    for package in PACKAGES:
        for pattern in patterns:
            yield from (ROOT / package).rglob(pattern)
    if "*.md" in patterns:
        yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md"))


def beginning(docstring: str) -> str:
    """Return the first word of a docstring."""
    return docstring.split()[0].strip("\"',.:;`")


def _questions(text: str) -> list[str]:
    """Return the first lines of docstrings that begin with a question word."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))
    found = [text for node in nodes if (text := ast.get_docstring(node))]
    return [text.splitlines()[0] for text in found if beginning(text) in QUESTIONS]


def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    found = {str(path.relative_to(ROOT)): _questions(path.read_text()) for path in _files("*.py")}
    assert len(found) > 500
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_a_question_is_noticed() -> None:
    text = 'class A:\n    """What it is."""\n    def f(self):\n        """Whether so."""\n'
    assert _questions(text) == ["What it is.", "Whether so."]
    assert _questions('"""The word."""\ndef f():\n    """Return what it is."""\n') == []


@pytest.mark.parametrize(("pattern", "files", "now"), RETIRED)
def test_retired_words_stay_retired(pattern: str, files: tuple[str, ...], now: str) -> None:
    here = (Path(__file__), ROOT / "docs" / "glossary.md")
    texts = {path: path.read_text(encoding="utf-8") for path in _files(*files) if path not in here}
    found = [str(path) for path, text in texts.items() if re.search(pattern, text)]
    assert found == [], f"the word is: {now}"
