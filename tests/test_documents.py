"""The documents' examples run, references resolve, and generated files are up to date."""

from __future__ import annotations

import functools
import importlib
import operator
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click
import pytest

import arrayapi_unify as unify
from arrayapi_unify import _generate
from docs import __main__ as docs
from tests.documents import blocks, check_command, run
from tests.installed import INSTALLED

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
WITH_EXAMPLES = [p for p in DOCUMENTS if any(b.language == "python" for b in blocks(p))]

DESIGN = ROOT / "docs" / "design.md"
BEHAVIOURS = ROOT / "docs" / "behaviours.md"
# A citation may continue on the next line of a comment or docstring.
HEADINGS = re.compile(r'docs/design\.md,[\s#]+"([^"]+)"')
NUMBERS = re.compile(r"\bB(\d+)\b")
LINKS = re.compile(r"\]\(([^)\s'\"]+)\)")  # a mesh[rows=8]('rows',) is none
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
    """The anchor of a heading in links."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def behaviours() -> set[int]:
    """The numbers of all behaviours."""
    return {int(n) for n in re.findall(r"^(\d+)\. ", BEHAVIOURS.read_text("utf-8"), re.MULTILINE)}


def numbers(path: Path) -> Iterator[int]:
    """The numbers of the behaviours that a file cites."""
    yield from map(int, NUMBERS.findall(path.read_text("utf-8")))


@pytest.mark.quick
class TestReferences:
    def test_every_number_stands_once_and_in_order(self) -> None:
        text = BEHAVIOURS.read_text("utf-8")
        found = [int(number) for number in re.findall(r"^(\d+)\. ", text, re.MULTILINE)]
        assert found == sorted(set(found))  # those that aren't built yet have no entry

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
        """References to documents are in the repository."""
        for path in SOURCES:
            assert not re.search(r"\bDESIGN\b", path.read_text("utf-8")), path.name

    @pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
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
    @pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda p: p.name)
    def test_pages_run(self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """From the first block to the last; each prints the output on the page."""
        monkeypatch.chdir(tmp_path)
        if "torch" in INSTALLED:
            # PyTorch traces as always, without code generation, which is slow.
            module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
            quick = functools.partial(module.compiled, backend="eager")
            monkeypatch.setattr(module, "compiled", quick)
        if "backends.register(" in path.read_text("utf-8"):  # which can't be undone
            command = [sys.executable, "-m", "tests.documents", str(path)]
            folders = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
            environment = {**os.environ, "PYTHONPATH": folders}
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr
            return
        assert run(path, {}) == []  # as pasted

    def test_there_are_examples(self) -> None:
        assert len(WITH_EXAMPLES) >= 20

    @pytest.mark.quick
    @pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
    def test_every_block_is_of_a_kind_that_is_looked_at(self, path: Path) -> None:
        kinds = {block.language for block in blocks(path)}
        assert kinds <= {"python", "pycon", "text", "sh", "markdown", "toml"}
        assert all(block.file for block in blocks(path) if block.language == "toml")

    @pytest.mark.quick
    @pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
    def test_commands_exist(self, path: Path) -> None:
        lines = [b.text.splitlines() for b in blocks(path) if b.language == "sh"]
        for line in chain.from_iterable(lines):
            check_command(line)

    @pytest.mark.quick
    @pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
    def test_names_exist(self, path: Path) -> None:
        """`unify.something` in the text, too."""
        text = re.sub(r"^ *```.*?^ *```", "", path.read_text("utf-8"), flags=re.DOTALL | re.M)
        for name in re.findall(r"`unify\.([\w.]+)", text):
            operator.attrgetter(name.rstrip("."))(unify)


class TestTheLookItself:
    """Pages with faults, each of which is noticed."""

    @pytest.mark.parametrize(
        ("page", "said"),
        [
            ("```python\nprint(1 + 1)\n```\n\n```text\n2\n```\n", []),
            ("```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n", ["line 6"]),
            ("```python\nx = 1\n```\n\nThen\n\n```text\n3\n```\n", []),
            ("```python\nx = 2\n```\n\n```pycon\n>>> x\n2\n```\n", []),
            ("```python\nx = 2\n```\n\n```pycon\n>>> x\n3\n```\n", ["Expected"]),
            ("- a\n\n  ```python\n  if 1:\n      print(7)\n  ```\n\n  ```text\n  7\n  ```\n", []),
            ("```python\n# file: LICENSE\nsomething else\n```\n", ["LICENSE"]),
        ],
    )
    def test_pages(self, page: str, said: list[str], tmp_path: Path) -> None:
        path = tmp_path / "page.md"
        path.write_text(page, encoding="utf-8")
        wrong = run(path, {})
        assert len(wrong) == len(said)
        assert all(word in line for word, line in zip(said, wrong, strict=True))

    @pytest.mark.parametrize(
        "line",
        [
            "tox -e nothing",
            "pip install '.[nothing]'",
            "pip install './folder[nothing]'",
            "pip install arrayapi_unify",
            "pip install numpy 'arrayapi_unify[torch]'",
            "arrayapi-compliance run x --no-such-option",
            "arrayapi-compliance nothing",
            "python -m compliance run",
            "python -m arrayapi_nothing",
            "python docs/nothing.py",
            ".ci/nothing",
            "nothing at all",
        ],
    )
    def test_commands(self, line: str) -> None:
        with pytest.raises((AssertionError, KeyError, click.ClickException)):
            check_command(line)


class TestGenerated:
    def test_pages(self) -> None:
        assert docs.main(["--check"]) == 0

    @pytest.mark.slow
    def test_pages_need_no_framework_and_no_oracle(self) -> None:
        """The extra `compliance` is sufficient to write them."""
        absent = ["torch", "tensorflow", "jax", "scipy", "einops", "sphinx", "triton"]
        script = (
            f"import sys; sys.modules.update(dict.fromkeys({absent}))\n"
            "from docs.__main__ import main; sys.exit(main(['--check']))"
        )
        done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False)
        assert done.returncode == 0

    def test_stubs_and_index(self) -> None:
        assert _generate.main(["--check"]) == 0
