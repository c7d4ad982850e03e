"""The blocks of a Markdown page: their languages, and the results of running them.

`python -m tests.documents PAGE` runs one page in a separate process.
"""

from __future__ import annotations

import configparser
import contextlib
import doctest
import importlib.util
import io
import itertools
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from compliance.cli import main as compliance

__all__ = ["Block", "blocks", "check_command", "run"]

ROOT = Path(__file__).parent.parent

_FENCED = re.compile(r"^( *)(```+)([^\n`]*)\n(.*?)^\1\2 *$", re.DOTALL | re.MULTILINE)


_count = itertools.count()


@dataclass(frozen=True)
class Block:
    """One block: its language, its dedented text, and the line on which that begins."""

    language: str
    text: str
    line: int
    shown: bool = False
    """True if it directly follows a block of Python, whose output it then shows."""

    @property
    def file(self) -> str | None:
        """The file of the repository that the block shows, as its first line says."""
        first = re.match(r"# file: (\S+)\n", self.text)
        return first[1] if first else None


def blocks(path: Path) -> list[Block]:
    """Read the blocks of a page."""
    page = path.read_text("utf-8")
    found: list[Block] = []
    end = 0
    for match in _FENCED.finditer(page):
        margin, _, language, text = match.groups()
        text = "".join(line.removeprefix(margin) for line in text.splitlines(keepends=True))
        after_code = bool(found) and found[-1].language == "python" and found[-1].file is None
        shown = language == "text" and after_code and not page[end : match.start()].strip()
        found.append(Block(language.strip(), text, page.count("\n", 0, match.start(4)), shown))
        end = match.end()
    return found


@contextlib.contextmanager
def _module(names: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the names of a module that can be imported: PyTorch's tracer imports a function's."""
    page = ModuleType(f"page{next(_count)}")  # PyTorch's compiler keeps what it found in a module
    page.__dict__.update(names)
    sys.modules[page.__name__] = page
    try:
        yield page.__dict__
    finally:
        del sys.modules[page.__name__]


def run(path: Path, names: dict[str, Any]) -> list[str]:
    """Run a page from beginning to end; return the deviations from its text."""
    with _module(names) as scope:
        return _run(path, scope)


def _run(path: Path, names: dict[str, Any]) -> list[str]:
    wrong: list[str] = []
    printed = ""
    for block in blocks(path):
        place = f"{path.name}, line {block.line + 1}"
        if block.file is not None:
            if (ROOT / block.file).read_text("utf-8") != block.text.partition("\n")[2]:
                wrong.append(f"{place}: {block.file} is another one")
        elif block.language == "python":
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


def _environments() -> set[str]:
    """The names of all environments of tox."""
    config = configparser.ConfigParser(interpolation=None)
    config.read(ROOT / "tox.ini")
    names = [section.partition(":")[2] for section in config.sections() if ":" in section]
    found = set()
    for name in names:  # such as "{numpy,torch}" and "tests{,-py313}"
        start, _, ends = name.rstrip("}").partition("{")
        found |= {start + end for end in ends.split(",")}
    return found


def _project() -> dict[str, Any]:
    """The extras, and the URLs, if there are any."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        found = tomllib.load(file)["project"]
    return {"extras": set(found["optional-dependencies"]), "urls": found.get("urls", {})}


def check_command(line: str) -> None:
    """Raise if a shell line refers to something that doesn't exist. Nothing is run."""
    for command in re.split(r"&&|\|\|", line):
        words = shlex.split(command, comments=True)
        if words[:2] == ["python", "-m"] and words[2] in ("pip", "compliance"):
            words = words[2:]
        match words:
            case [] | ["true"] | ["ruff" | "mypy", *_]:
                pass
            case ["tox", "-e", environment, *_]:
                assert environment in _environments(), line
            case ["pip", "install", *packages]:
                ours = [name for name in packages if re.match(r"\.|arrayapi_unify", name)]
                asked = re.findall(r"\[(.*?)\]", " ".join(ours))
                assert set(",".join(asked).split(",")) - {""} <= _project()["extras"], line
                # Without a project URL it isn't on an index: installation is from a checkout only.
                assert _project()["urls"] or all(name[0] == "." for name in ours), line
            case ["arrayapi-compliance" | "compliance", name, *rest]:
                compliance.commands[name].make_context(name, rest)
            case ["python", "-m", module, *_]:
                assert importlib.util.find_spec(module) is not None, line
            case ["python", file, *_] | [file]:
                assert (ROOT / file).is_file(), line
            case _:
                raise AssertionError(f"what is {line!r}?")


if __name__ == "__main__":
    found = run(Path(sys.argv[1]), {})
    print("\n".join(found))
    sys.exit(bool(found))
